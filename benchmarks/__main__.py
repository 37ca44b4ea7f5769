"""`make bench`: every figure beside the limit it is held against, and beside a bare baseline measured in the same run.

Prints a table and exits with 1 if a limit is missed. `make bench ONLY=store,search` runs some rooms.
"""

import importlib
import os
import platform
import sys

from benchmarks.row import Row

ROOMS = ("log", "importing", "store", "graph", "ledger", "rules", "derive", "search", "doors", "memory", "quality")


def kept(row: Row) -> bool:
    return row.measured >= row.limit if row.better == "higher" else row.measured <= row.limit


def main() -> int:
    only = [name for name in os.environ.get("ONLY", "").split(",") if name]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    print(f"{'figure':<58} {'measured':>12} {'limit':>12}  {'':<6} beside")
    missed = 0
    for room in ROOMS:
        if only and room not in only:
            continue
        for row in importlib.import_module(f"benchmarks.{room}").rows():
            ok = kept(row)
            missed += not ok
            sign = "≥" if row.better == "higher" else "≤"
            print(
                f"{row.name:<58} {row.measured:>9,.4g} {row.unit:<8} {sign}{row.limit:,.4g}"
                f"  {'ok' if ok else 'MISSED':<6} {row.beside}: {row.beside_measured:,.4g} {row.unit}",
                flush=True,
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
