"""One of several writers at work on the same vault; run as a program: folder, name, how many commits."""

import sys
from datetime import UTC, datetime
from pathlib import Path

from rhizome.store.git_store import GitStore


def main(root: Path, name: str, count: int) -> None:
    store = GitStore(root, clock=lambda: datetime(2026, 9, 8, tzinfo=UTC))
    for n in range(count):
        made = store.commit({f"{name}/{n % 5}.md": b"%d" % n, "shared.md": f"{name} {n}".encode()},
                            call=f"agent/{name}/{n}", subject=f"{name} {n}")
        print(made, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
