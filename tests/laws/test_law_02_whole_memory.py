"""Law 2, for a whole memory: what is derived can be deleted and comes back to the byte, wherever and whenever."""

import shutil
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.lives import Life
from tests.memory.living import Living

FEW = max(1, (settings.default or settings()).max_examples // 25)
Files = dict[str, bytes]


def emptied(memory: Living) -> Files:
    """Every derived note, which is then deleted, and the index with it."""
    before = memory.derived()
    memory.memory.parts.close()
    for ref in before:
        memory.path(ref).unlink()
    shutil.rmtree(memory.home / "index")
    return before


@settings(max_examples=FEW)
@given(st.integers(0, 2**32 - 1))
def test_after_a_random_life_everything_derived_comes_back_to_the_byte(seed: int) -> None:
    with TemporaryDirectory() as folder:
        life = Life(Path(folder) / "life", Random(seed)).goes_on(8)
        memory = life.memory
        assert [] == memory.proven(), seed
        own = {str(path): path.read_bytes() for path in memory.home.rglob("*.md")}

        before = emptied(memory)
        answer = memory.memory.rebuild()

        assert (True, before) == (answer["identical"], memory.derived()), seed
        assert own == {str(path): path.read_bytes() for path in memory.home.rglob("*.md")}
        facts = memory.memory.facts()
        memory.memory.parts.close()
        copy = elsewhere(memory, Path(folder) / "copy")
        emptied(copy)
        assert copy.memory.rebuild()["identical"], seed
        assert (before, facts) == (copy.derived(), copy.memory.facts()), seed
        copy.memory.parts.close()


def elsewhere(memory: Living, folder: Path) -> Living:
    """A copy of the log and the notes, looked at years later by somebody else in another zone."""
    for name in ("log", "notes", "private", "rhizome.toml"):
        if (memory.home / name).is_dir():
            shutil.copytree(memory.home / name, folder / "home" / name, symlinks=True)
        elif (memory.home / name).exists():
            shutil.copy2(memory.home / name, folder / "home" / name)
    memory.now += timedelta(days=1000)
    return memory.elsewhere(folder, zone="Asia/Tokyo", login="bo", environment={"TZ": "Asia/Tokyo"}, typed=False)
