"""History says what it was then; what is known by now stands on it, and the value that holds comes first."""

from typing import Any

from tests.memory.living import Living

PORT = "tidepool dev server is {} from now on."


def hits(memory: Living, query: str, **how: Any) -> list[tuple[str, str, str | None]]:
    found = memory.memory.search(query=query, no_vectors=True, **how)["hits"]
    return [(hit["layer"], hit["receipt"]["status"], hit["receipt"]["superseded_by"]) for hit in found]


def test_the_value_that_holds_comes_before_the_words_it_replaced(memory: Living) -> None:
    memory.hears("We decided: " + PORT.format(8080))
    memory.sleeps()
    memory.hears("Change of plan: " + PORT.format(8087), session="s2")
    memory.sleeps()

    told = hits(memory, "tidepool dev server", layer="all", k=8)
    assert ("history", "superseded", "8087") in told
    assert told.index(("fact", "active", None)) < told.index(("history", "superseded", "8087"))
    assert "superseded" != hits(memory, "we decided tidepool dev server is 8080 from now on", k=1)[0][1]


def test_a_turn_of_which_a_part_still_holds_names_what_replaced_the_rest(memory: Living) -> None:
    memory.hears("We decided: " + PORT.format(8080) + " We always use uv here for packages.")
    memory.sleeps()
    memory.hears("Change of plan: " + PORT.format(8087), session="s2")
    memory.sleeps()

    assert ("history", "said", "8087") in hits(memory, "tidepool dev server is 8080", k=8)


def test_words_whose_fact_a_person_took_back_say_so(memory: Living) -> None:
    memory.hears("We decided: " + PORT.format(8080))
    memory.sleeps()
    lines = memory.text("tidepool.md").splitlines(keepends=True)
    memory.writes("tidepool.md", "".join(line for line in lines if not line.startswith("- ")))
    memory.sleeps()

    assert ("history", "retracted", None) in hits(memory, "tidepool dev server is 8080", k=8)


def test_nothing_after_the_day_asked_about_is_known_yet(memory: Living) -> None:
    memory.hears("We decided: " + PORT.format(8080))
    day = memory.now.date().isoformat()
    memory.sleeps(48)
    memory.hears("Change of plan: " + PORT.format(8087), session="s2")
    memory.sleeps()

    told = hits(memory, "tidepool dev server", as_of=day, k=8)
    assert {"said", "active"} == {status for layer, status, _ in told if layer != "note"}
    assert {None} == {by for _, _, by in told}
