"""What `[search]` of a home changes in its answers."""

import pytest

from rhizome.errors import Refused
from tests.memory.living import Living


def sets(memory: Living, line: str) -> Living:
    with (memory.home / "rhizome.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[search]\n{line}\n")
    return memory.again()


def test_places_count_instead_of_sums_where_the_home_says_so(memory: Living) -> None:
    memory.writes("ferry.md", "# Ferry\n\nThe last ferry leaves at nine.\n")
    summed = memory.memory.search(query="last ferry", explain=True, no_vectors=True)["hits"][0]["parts"]
    placed = sets(memory, 'fusion = "rrf"').memory.search(query="last ferry", explain=True, no_vectors=True)["hits"][0]

    assert "words" in summed
    assert "by_words" in placed["parts"]


def test_a_setting_nobody_knows_is_refused_by_name(memory: Living) -> None:
    with pytest.raises(Refused, match="unknown field `fussion`"):
        sets(memory, 'fussion = "rrf"').memory.search(query="last ferry")


def test_the_doctor_names_a_model_of_ones_own_that_is_not_there(memory: Living) -> None:
    found = sets(memory, 'model = "/nowhere/at/all"').memory.doctor()["findings"]

    assert ["/nowhere/at/all" in each["message"] for each in found if each["code"] == "model-missing"] == [True]
