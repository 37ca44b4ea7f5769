"""Law 9, the store's part: whatever a person saved is on the disk or in git, byte for byte, whoever else writes."""

import subprocess
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.errors import Conflict, Refused
from rhizome.store.git_store import GitStore

paths = st.sampled_from(["a.md", "b/c.md", "b/d.md"])
steps = st.lists(st.one_of(
    st.tuples(st.just("saves"), paths), st.tuples(st.just("removes"), paths), st.tuples(st.just("stages"), paths),
    st.tuples(st.just("commits by hand"), paths), st.tuples(st.just("derives"), paths),
    st.tuples(st.just("drops"), paths), st.tuples(st.just("takes in"), paths),
), max_size=12)


class Vault:
    """A vault two parties write to; remembers every text the person saved and did not overwrite themself."""

    def __init__(self, root: Path) -> None:
        self.store = GitStore.create(root, clock=lambda: datetime(2026, 9, 8, tzinfo=UTC))
        self.root = self.store.root
        self.unsaved: dict[str, bytes] = {}
        self.safe: set[bytes] = set()
        self.count = 0

    def act(self, what: str, path: str) -> None:
        self.count += 1
        file, text = self.root / path, f"{what} {self.count} \r\n\ttail".encode()
        match what:
            case "saves":
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(text)
                self.unsaved[path] = text
            case "removes":
                file.unlink(missing_ok=True)
                self.unsaved.pop(path, None)
            case "stages":
                self.git("add", "--all", "--", path)
            case "commits by hand":
                self.git("add", "--all", "--", path)
                self.git("commit", "-qm", "by hand", "--", path)
                self.taken(path)
            case "derives" | "drops":
                with suppress(Conflict, Refused):  # refused: nothing to drop, and no commit yet
                    self.store.commit({path: text if what == "derives" else None}, call="consolidate/x/1", subject=what)
            case "takes in":
                with suppress(Refused):
                    data = file.read_bytes() if file.exists() else None
                    self.store.commit({path: data}, call="human/x", subject=what)
                self.taken(path)

    def taken(self, path: str) -> None:
        if path in self.unsaved:
            self.safe.add(self.unsaved.pop(path))

    def git(self, *arguments: str) -> None:
        who = ["-c", "user.name=ines", "-c", "user.email=ines@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=self.root, capture_output=True)


@settings(max_examples=(settings.default or settings()).max_examples // 2)
@given(steps)
def test_no_byte_of_a_person_is_lost(history: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder) / "v")
        for what, path in history:
            vault.act(what, path)
            assert {path: (vault.root / path).read_bytes() for path in vault.unsaved} == vault.unsaved

        reachable = {vault.store.read(path, at=c.id) for c in vault.store.commits() for path in vault.store.blobs(c.id)}
        assert vault.safe <= reachable
