"""`rhizome doctor` names what needs attention, and nothing else."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rhizome.log.memory_log import MemoryLog
from rhizome.log.unread import unread
from rhizome.memory import standing
from rhizome.model import Event
from tests.log.planted import planted
from tests.memory.living import Living

KEY = "key-not-backed-up"


def codes(memory: Living) -> list[str]:
    return [finding["code"] for finding in memory.again().memory.doctor()["findings"]]


def accepts(memory: Living, *accepted: str) -> Living:
    with (memory.home / "rhizome.toml").open("a", encoding="utf-8") as settings:
        settings.write(f"\n[doctor]\naccept = {json.dumps(accepted)}\n")
    return memory


def test_a_fresh_home_needs_a_copy_of_its_key_and_nothing_else(memory: Living) -> None:
    assert codes(memory) == [KEY]


def test_what_a_person_accepts_is_counted_and_not_listed(memory: Living) -> None:
    assert accepts(memory, KEY).again().memory.doctor() == {"findings": [], "accepted": 1}


def test_every_finding_says_what_to_do_next(memory: Living) -> None:
    found = memory.memory.doctor()["findings"]

    assert all(set(finding) == {"code", "message", "hint"} and finding["hint"].endswith(".") for finding in found)


def test_a_key_that_others_may_read_is_named(memory: Living) -> None:
    (memory.home / "log" / "key").chmod(0o644)

    assert codes(memory) == [KEY, "key-readable"]


def test_records_nobody_understands_are_counted_by_harness_and_type(memory: Living) -> None:
    path = memory.says("We deploy from main.")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"type": "aurora", "uuid": "u1", "sessionId": "s1"}\n{"half": \n{"type": "aurora", "uuid": "u2"}\n')
    memory.imports()

    found = accepts(memory, KEY).again().memory.doctor()["findings"]

    assert [finding["message"] for finding in found] == [
        "claude-code: 2 records of an unknown type, aurora", "claude-code: 1 record could not be parsed"]


class Silent(MemoryLog):
    """A log that has nothing new, and is not asked about anything else."""

    def span(self, home: str, first: int, last: int) -> Iterator[Event]:  # noqa: ARG002
        assert first == last + 1
        return iter(())


def test_records_are_looked_through_once_and_counted_all_the_same(memory: Living, tmp_path: Path) -> None:
    path = memory.says("We deploy from main.")
    for n, line in enumerate(('{"type": "aurora", "uuid": "u1"}', "no object", '{"type": "aurora"}')):
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        memory.imports()
        memory.again().memory.doctor()
        heads = memory.memory.parts.heads()

        kept = unread(Silent(), heads, memory.home / "index" / "unread.msgpack")
        assert kept == unread(memory.memory.parts.log, heads, tmp_path / "none" / "kept")
        assert kept.total() == n + 1


@pytest.mark.parametrize("content", [b"", b"no msgpack", b"\xc1" * 40])
def test_what_was_looked_through_is_begun_anew_where_it_cannot_be_read(memory: Living, content: bytes) -> None:
    path = memory.says("We deploy from main.")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"half": \n{"type": "mode"}\n')
    memory.imports()
    before = memory.memory.doctor()
    (memory.home / "index" / "unread.msgpack").write_bytes(content)

    assert before == memory.memory.doctor()


def test_a_damaged_log_is_named_with_its_place(memory: Living) -> None:
    memory.hears("We deploy from main.")
    segment = next((memory.home / "log").rglob("0*.jsonl"))
    segment.write_bytes(segment.read_bytes().replace(b'"seq":3', b'"seq":4', 1))

    assert "log-damaged" in codes(memory)


def test_a_broken_index_is_named_before_it_is_mended(memory: Living) -> None:
    memory.hears("We deploy from main.")
    memory.memory.parts.close()
    (memory.home / "index" / "known.db").write_bytes(b"no database" * 500)

    assert "index-broken" in codes(memory)


def test_a_search_index_that_lost_bytes_is_named(memory: Living) -> None:
    memory.hears("We deploy from main.")
    memory.memory.parts.close()
    for path in (memory.home / "index" / "search").rglob("*.store"):
        path.write_bytes(path.read_bytes()[:-8])

    assert "index-broken" in codes(memory)


def test_a_note_with_conflict_markers_and_a_link_are_named(memory: Living) -> None:
    memory.writes("two.md", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    (memory.notes / "elsewhere.md").symlink_to(memory.folder / "other.md")

    assert codes(accepts(memory, KEY)) == ["note-held", "note-skipped"]


def test_what_git_would_run_in_an_adopted_vault_is_named_and_not_run(tmp_path: Path) -> None:
    vault, marker = tmp_path / "vault", tmp_path / "ran"
    vault.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(vault)], check=True)
    run = f"touch {marker}"
    for key, value in {
        "core.fsmonitor": run, "filter.x.clean": run, "core.sshCommand": run, "diff.y.textconv": run,
        "alias.st": f"!{run}", "alias.ok": "status", "merge.z.driver": run, "user.name": "Ines",
    }.items():  # fmt: skip
        subprocess.run(["git", "-C", str(vault), "config", key, value], check=True)
    hook = vault / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{run}\n")
    hook.chmod(0o755)
    (vault / ".gitattributes").write_text("*.md filter=x\n")
    memory = accepts(Living(tmp_path, vault=vault).begins(), KEY)
    memory.writes("a.md", "# A\n")
    memory.imports_nothing()

    found = memory.again().memory.doctor()["findings"]

    assert {finding["code"] for finding in found} == {"git-runs-programs"}
    assert sorted(finding["message"].split(": ")[-2] for finding in found) == sorted([
        "core.fsmonitor", "filter.x.clean", "core.sshcommand", "diff.y.textconv", "alias.st", "merge.z.driver",
        "notes/.git/hooks/pre-commit"])  # fmt: skip
    assert not marker.exists()
    memory.memory.parts.close()


def test_a_switch_is_no_program(memory: Living) -> None:
    memory.git("config", "core.fsmonitor", "true")

    assert codes(memory) == [KEY]


def test_a_remote_of_the_private_notes_is_named(memory: Living) -> None:
    memory.hears("I prefer short answers, always.")
    memory.sleeps()
    subprocess.run(["git", "init", "-q", str(memory.home / "private")], check=True)
    subprocess.run(["git", "-C", str(memory.home / "private"), "remote", "add", "away", "https://example.org/x"],
                   check=True)  # fmt: skip

    assert "private-remote" in codes(memory)


def test_a_half_done_merge_is_named(memory: Living) -> None:
    (memory.notes / ".git" / "MERGE_HEAD").write_text(memory.git("rev-parse", "HEAD"))

    assert "notes-busy" in codes(memory)


@pytest.mark.parametrize(("folder", "wrong"), [
    ("/home/ines/memory", None), ("/srv/memory", "nfs4"), ("/srv/local/memory", None), ("/mnt/my disk/x", "cifs"),
    ("/home/ines/Dropbox/memory", "Dropbox"), ("/home/ines/OneDrive - Tides/memory", "OneDrive - Tides"),
    ("/Users/ines/Library/Mobile Documents/com~apple~CloudDocs/m", "Mobile Documents"), ("/home/ines/dropboxes", None),
    ("/srvx", None),
])
def test_a_folder_that_is_shared_or_copied_elsewhere_is_known(folder: str, wrong: str | None) -> None:
    mounts = ("/dev/sda1 / ext4 rw 0 0\ntides:/srv /srv nfs4 rw 0 0\n/dev/sdb1 /srv/local xfs rw 0 0\n"
              "//tides/x /mnt/my\\040disk cifs rw 0 0\nautofs /gone autofs rw 0 0\nhalf a line\n")

    found = standing.kind(Path(folder), mounts)

    assert (found is None) == (wrong is None)
    assert wrong is None or (found and wrong in found)


def test_a_home_below_a_folder_that_syncthing_copies_is_named(memory: Living) -> None:
    (memory.folder / ".stfolder").mkdir()

    assert codes(memory) == [KEY, "shared-folder"]


def test_looking_changes_nothing(memory: Living) -> None:
    memory.hears("We deploy from main.")
    kept = truth(memory)

    codes(memory)

    assert kept == truth(memory)


def truth(memory: Living) -> dict[Path, bytes]:
    """Every file of a home but its index."""
    return {path: path.read_bytes() for path in memory.home.rglob("*") if path.is_file() and "index" not in path.parts}


def test_a_secret_in_the_name_of_a_note_is_pointed_out_and_not_repeated(memory: Living) -> None:
    secret = planted(5)["github_token"][1]
    path = memory.writes(f"keys/{secret}.md", "# Keys\n")
    memory.imports_nothing()

    (found,) = [each for each in memory.again().memory.doctor()["findings"] if each["code"] == "secret-in-name"]
    assert found["message"].startswith("keys/[secret:github_token:")
    assert secret not in str(found)

    path.rename(path.with_name("github.md"))
    assert "secret-in-name" not in codes(memory)
