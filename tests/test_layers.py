"""Imports point down: a room knows only what stands below it."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "rhizome"

FLOORS = (
    {"errors", "config", "model", "database", "patterns", "__init__"},
    {"log", "store", "graph", "ledger"},
    {"search"},
    {"consolidate"},
    {"evaluate"},
    {"memory"},
    {"tools"},
    {"render", "watching"},
    {"mcp_server", "up", "process", "ending"},
    {"commands", "lane"},
    {"cli", "demo", "reference"},
    {"__main__"},
)
FLOOR = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "static_model" not in path.parts)


def room(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(module: Path) -> set[str]:
    """The rooms of our own that a module names in its imports, wherever in the file they stand."""
    rooms = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "rhizome":
            parts = node.module.split(".")
            rooms |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level:
            rooms.add(f"relative import in {module.name}")
        elif isinstance(node, ast.Import):
            rooms |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("rhizome.")}
    return rooms


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(module: Path) -> None:
    upward = {name for name in imported(module) if name != room(module) and FLOOR.get(name, 99) >= FLOOR[room(module)]}

    assert set() == upward


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_below_a_door_nobody_asks_the_clock_the_dice_or_the_environment(module: Path) -> None:
    if FLOOR[room(module)] > FLOOR["tools"]:
        return
    forbidden = {"datetime.now", "time.time", "os.environ", "os.getenv", "os.urandom", "Path.home", "uuid.uuid4",
                 "date.today", "datetime.today", "datetime.utcnow", "secrets.token_hex", "secrets.token_bytes"}
    used = {ast.unparse(node) for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
            if isinstance(node, ast.Attribute)}

    assert set() == used & forbidden
