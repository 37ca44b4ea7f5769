"""What `rhizome.toml` cannot mean is refused by name, before anything is read or kept by it."""

import pytest

from rhizome.errors import RhizomeError
from rhizome.memory.home import red
from tests.memory.living import Living


@pytest.mark.parametrize("table", ["notes", "search", "distill", "ledger", "red", "redaction", "doctor"])
@pytest.mark.parametrize("value", ["3", '"text"', "[]"])
def test_a_value_where_a_table_belongs_is_refused_by_name(memory: Living, table: str, value: str) -> None:
    marker = memory.home / "rhizome.toml"
    marker.write_text(f"{table} = {value}\n{marker.read_text()}")

    with pytest.raises(RhizomeError, match=f"{table}: not a table"):
        assert memory.again().memory.parts.home


@pytest.mark.parametrize("path", ["3", "[]", '""', '"a\\u0000b"'])
def test_notes_stand_in_a_folder_that_can_be_named(memory: Living, path: str) -> None:
    with (memory.home / "rhizome.toml").open("a") as marker:
        marker.write(f"\n[notes]\npath = {path}\n")

    with pytest.raises(RhizomeError, match=r"\[notes\] path: not a folder's path"):
        assert memory.again().memory.parts.home


@pytest.mark.parametrize(("table", "name"), [("red", "patterns"), ("redaction", "allow"), ("doctor", "accept")])
@pytest.mark.parametrize("value", ['"abc"', "3", "[3]", "{}"])
def test_a_lone_text_is_no_list_of_letters(memory: Living, table: str, name: str, value: str) -> None:
    with (memory.home / "rhizome.toml").open("a") as marker:
        marker.write(f"\n[{table}]\n{name} = {value}\n")
    parts = memory.again().memory.parts

    with pytest.raises(RhizomeError, match="is not a list of texts"):
        {"red": lambda: red(parts.home), "redaction": lambda: parts.door, "doctor": memory.memory.doctor}[table]()
