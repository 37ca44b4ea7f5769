"""History says what it was then; what is known by now stands on it, and the value that holds comes first."""

from typing import Any

from rhizome.memory.hindsight import told
from rhizome.model import Found, Tier
from rhizome.search.port import Query
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

    parts = memory.memory.parts
    found = parts.engine.query(Query(text="tidepool dev server", k=20, vectors=False), tuple(Tier))
    assert isinstance(found, Found)
    fact = next(hit for hit in found.hits if hit.layer == "fact")
    old = next(hit for hit in found.hits if hit.layer == "history" and "8080" in hit.snippet)

    first, second = told([old, fact], lambda: parts.ledger(Tier.AMBER), None)
    assert (first, second.ref) == (fact, old.ref)
    assert ("superseded", "8087") == (second.receipt.status, second.receipt.superseded_by)


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

    found = hits(memory, "tidepool dev server", as_of=day, k=8)
    assert {"said", "active"} == {status for layer, status, _ in found if layer != "note"}
    assert {None} == {by for _, _, by in found}


def test_a_ledger_that_was_deleted_between_two_searches_is_missed(memory: Living) -> None:
    memory.hears("We decided: " + PORT.format(8080))
    memory.sleeps()
    memory.hears("Change of plan: " + PORT.format(8087), session="s2")
    memory.sleeps()
    old = ("history", "superseded", "8087")
    assert old in hits(memory, "tidepool dev server is 8080", k=8)
    memory.memory.parts.close()
    for file in memory.home.glob("index/ledger-amber.db*"):
        file.unlink()

    assert old in hits(memory.again(), "tidepool dev server is 8080", k=8)


def test_the_same_key_of_another_project_is_not_put_first(memory: Living) -> None:
    memory.hears("We decided: the dev server port is 8080.")
    memory.sleeps()
    memory.hears("Change of plan: the dev server port is 8087.", session="s2")
    memory.hears("The dev server port is 9090 from now on.", session="s3", project="lantern")
    memory.sleeps()

    found = memory.memory.search(query="we decided: the dev server port is 8080", no_vectors=True, k=12)["hits"]
    places = [(hit["layer"], hit["receipt"]["status"], hit["title"]) for hit in found]
    assert ("history", "superseded") in {place[:2] for place in places}
    first = next(at for at, place in enumerate(places) if place[1] == "superseded")
    facts = [title for layer, _, title in places if layer == "fact" and title.startswith("tidepool")]
    assert facts == [title for layer, _, title in places[:first] if layer == "fact"]
