"""What a question finds, by words alone."""

from collections.abc import Callable
from typing import Any

import pytest

from rhizome.model import Found, Tier
from rhizome.search.documents import Document, note_documents
from rhizome.search.engine import SearchEngine

Build = Callable[..., SearchEngine]
Note = Callable[..., Document]
Refs = Callable[..., list[str]]
Ask = Callable[..., Any]

DEPLOY = "We ship from the release branch. The setting `deploy_branch` is in src/app/main.py since 1.0.21."
HOME = [
    ("nas.md", "The NAS backs up every night at 02:00 to the attic."),
    ("router.md", "The router stands in the hall; its firmware is v7.2."),
    ("bread.md", "Sourdough wants a hot oven and a wet dough."),
]


@pytest.fixture
def store(build: Build, note: Note) -> SearchEngine:
    return build(note("deploy.md", DEPLOY, aliases=("rollout", "release train")), *(note(*each) for each in HOME))


@pytest.mark.parametrize("question", [
    "deploy", "where do we ship from", "deploy_branch", "deploy-branch", "deployBranch", "DEPLOY_BRANCH",
    "src/app/main.py", "main.py", "1.0.21", '"1.0.21"', "v1.0.21", "rollout", "release train", "branhc",
    "how does the ROLLOUT work?",
])
def test_words_names_identifiers_and_slips_are_found(store: SearchEngine, refs: Refs, question: str) -> None:
    assert refs(store, question)[:1] == ["deploy.md:1"]


@pytest.mark.parametrize(("text", "question"), [
    ("本番環境へのデプロイは毎週火曜日に行う。", "デプロイはいつ"),
    ("ﾃﾞﾌﾟﾛｲは火曜日", "デプロイ"),
    ("𠮷野家で会う", "𠮷野家"),
    ("发布窗口是每周二下午", "发布窗口是什么时候"),
    ("배포는 매주 화요일에 한다", "배포를 언제"),
    ("กำหนดการเผยแพร่ทุกวันอังคาร", "เผยแพร่"),
    ("A implantação é às terças-feiras", "implantacao"),
    ("El despliegue está en producción", "produccion"),
    ("Straße nach Łódź", "strasse lodz"),
    ("Развёртывание по вторникам", "вторникам"),
    ("İstanbul ofisi", "istanbul"),
    ("cafe\u0301 at noon", "café"),
    ("C++ and C# bindings", "C++"),
], ids=lambda each: each[:12])
def test_every_script_is_found(build: Build, note: Note, refs: Refs, text: str, question: str) -> None:
    store = build(note("it.md", text, title="x"), *(note(*each) for each in HOME))

    assert refs(store, question)[:1] == ["it.md:1"]


def test_an_alias_of_one_note_finds_what_another_says_of_its_title(build: Build, note: Note, refs: Refs) -> None:
    store = build(note("deploy.md", "", title="Deploy window", aliases=("shipping slot",)),
                  note("log.md", "The deploy window moved to Thursday."), *(note(*each) for each in HOME))

    assert set(refs(store, "when is the shipping slot")) == {"deploy.md:1", "log.md:1"}


def test_a_filter_works_before_ranking(build: Build, note: Note, refs: Refs) -> None:
    crowd = [note(f"a/{n}.md", "release branch release branch", scope="a") for n in range(300)]
    store = build(*crowd, note("b.md", "A long line about other things names the release branch once.", scope="b"))

    assert refs(store, "release branch", scope="b") == ["b.md:1"]


def test_until_leaves_out_what_came_later_and_what_has_no_date(build: Build, note: Note, refs: Refs) -> None:
    dated = [note(f"{day}.md", "release branch", date=day) for day in ("2026-03-01", "2026-05-01")]
    store = build(*dated, note("undated.md", "release branch"))

    assert refs(store, "release branch", until="2026-04-01") == ["2026-03-01.md:1"]


def test_layers_are_searched_apart(build: Build, note: Note, refs: Refs) -> None:
    said = Document(id="event:e1", layer="history", ref="e1", text="we use the release branch", role="human")
    store = build(note("deploy.md", "release branch"), said)

    assert refs(store, "release branch", layers=("history",)) == ["e1"]


def test_equal_scores_are_in_order_of_id(build: Build, note: Note, refs: Refs) -> None:
    twins = [note(f"{name}.md", "release branch", title="Same") for name in "cab"]

    assert refs(build(*twins), "release branch") == ["a.md:1", "b.md:1", "c.md:1"]


def test_a_person_comes_before_a_model_and_a_model_before_a_listing(build: Build, refs: Refs) -> None:
    said = [Document(id=f"event:{role}", layer="history", ref=role, text="the release branch is main now", role=role,
                     session="s", position=place) for place, role in enumerate(("tool", "model", "human"))]

    assert refs(build(*said), "release branch") == ["human", "model", "tool"]


def test_words_of_a_question_that_stand_together_put_a_note_first(build: Build, note: Note, refs: Refs) -> None:
    apart = note("a.md", "The spare tyre lies below, and behind it hangs a key.", title="Same")
    together = note("b.md", "Below lies a tyre, and behind it hangs the spare key.", title="Same")

    assert refs(build(apart, together), "where is the spare key") == ["b.md:1", "a.md:1"]


def test_what_is_far_apart_at_the_beginning_of_a_note_does_not_stand_together(
    build: Build, note: Note, ask: Ask
) -> None:
    store = build(note("a.md", "Spare tyres lie below, and behind them hangs the key.", title="Same"))

    assert ask(store, "spare key").hits[0].parts["together"] == 0


def test_only_a_note_is_worth_more_for_holding_more_of_the_question(build: Build, note: Note, ask: Ask) -> None:
    said = Document(id="event:e1", layer="history", ref="e1", text="the release branch is main", role="human")
    hits = ask(build(note("deploy.md", "the release branch is main"), said), "release branch").hits

    assert {hit.ref: "covered" in hit.parts for hit in hits} == {"deploy.md:1": True, "e1": False}


def test_an_answer_is_found_by_the_question_before_it(build: Build, refs: Refs) -> None:
    yes = Document(id="event:2", layer="history", ref="e2", text="Yes, since Monday, for every one of the services.",
                   role="human", session="s", position=1, before="Do we ship from the release branch?")
    asked = Document(id="event:1", layer="history", ref="e1", text=yes.before, role="model", session="s", position=0)

    assert "e2" in refs(build(asked, yes), "ship from the release branch")


def test_a_hit_carries_its_receipt_and_a_snippet_that_stands_alone(build: Build, note: Note, ask: Ask) -> None:
    store = build(note("deploy.md", "Old words first. We ship from the release branch.",
                       recorded_at="2026-05-06T10:00:00Z", actor="human"))

    answer = ask(store, "release branch")

    assert isinstance(answer, Found)
    hit = answer.hits[0]
    assert hit.snippet == "Deploy (2026-05-06): We ship from the release branch."
    assert (hit.receipt.status, hit.receipt.origin, hit.receipt.actor) == ("current", "human", "human")
    assert hit.receipt.recorded_at == "2026-05-06T10:00:00Z"
    assert hit.parts["evidence"] >= 1
    assert {"words", "coverage", "cosine"} <= set(hit.parts)


def test_a_change_replaces_and_deletes_by_id(build: Build, note: Note, refs: Refs) -> None:
    store = build(note("a.md", "the old harbour"), note("b.md", "a lighthouse"))

    store.apply(9, [note("a.md", "the new pier")], ["note:b.md#0"])

    assert (refs(store, "harbour"), refs(store, "lighthouse"), refs(store, "pier")) == ([], [], ["a.md:1"])
    assert store.reached(tuple(Tier)) == 9


def test_a_snippet_says_nothing_twice(build: Build, note: Note, ask: Ask) -> None:
    first = Document(id="event:1", layer="history", ref="e1", title="The queue drains slowly", role="human",
                     text="The queue drains slowly since Monday. What changed?", date="2026-05-04T08:00:00Z")
    section = note_documents("n.md", "Lamps", [("Lamps › Bulbs", 3, "Lamps want warm bulbs.")], tier="green")[0]
    store = build(first, section)

    assert ask(store, "queue drains").hits[0].snippet == (
        "2026-05-04: The queue drains slowly since Monday. What changed?")
    assert ask(store, "warm bulbs").hits[0].snippet == "Lamps › Bulbs: Lamps want warm bulbs."


def test_a_short_answer_is_shown_with_what_it_answers(build: Build, ask: Ask) -> None:
    yes = Document(id="event:2", layer="history", ref="e2", text="Yes, the release branch.", role="human",
                   before="Good. Do we ship from main or from another branch?", date="2026-05-04T08:00:00Z")

    assert ask(build(yes), "release branch").hits[0].snippet == (
        "2026-05-04: “Do we ship from main or from another branch?” — Yes, the release branch.")


def test_what_has_little_of_it_is_not_shown_beside_a_full_answer(build: Build, note: Note, refs: Refs) -> None:
    others = [note(f"{n}.md", "A word about crates.") for n in range(2)]
    store = build(note("deploy.md", "We ship crates slowly."), *others, *(note(f"x{n}.md", "Trees.") for n in range(5)))

    assert refs(store, "ship crates slowly") == ["deploy.md:1"]


DERIVED = (
    "- The dev server is on 8087. [^site-dev_port-76f462fa]\n- Ada owns the site. [^site-owner-9fb00386]\n\n"
    "[^site-dev_port-76f462fa]: decision, said by a person on 2026-10-14 (event f0e7b8c4…); before: 8080\n"
    "[^site-owner-9fb00386]: fact, said by an agent on 2026-10-14 (event cfeb6906…)"
)


@pytest.mark.parametrize("question", ["who said the decision on the dev port before", "site owner", "8080 decision"])
def test_the_footnotes_of_a_derived_note_are_no_answer(build: Build, note: Note, ask: Ask, question: str) -> None:
    store = build(note("site.md", DERIVED, title="site", origin="memory"), *(note(*each) for each in HOME))

    snippet = ask(store, question).hits[0].snippet

    assert "[^" not in snippet
    assert "said by" not in snippet
    assert "8087" in snippet or "Ada" in snippet


def test_the_footnotes_of_a_person_are_their_words(build: Build, note: Note, ask: Ask) -> None:
    store = build(note("site.md", "Ask Ada.[^why]\n\n[^why]: she planted the orchard", origin="human"))

    assert "she planted the orchard" in ask(store, "who planted the orchard").hits[0].snippet
