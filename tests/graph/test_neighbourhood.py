"""What stands around a note, for whoever asks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhizome.errors import NotFound, OutsidePath, Refused
from rhizome.graph.edges import EdgeIndex
from rhizome.graph.neighbourhood import Graph
from rhizome.model import Link, Tier

STAT = (1, 2, 3)
VAULT = {
    "index.md": "# Start\n- [deploy](ops/deploy.md): how we ship\n- [gone](gone.md)\n"
    "- [site](https://x.org): docs [pdf](r.pdf)",
    "ops/deploy.md": "---\ntitle: Deploy\naliases: [ship, release]\n---\n## Steps\n[Start](../index.md): back, "
    '[roll back](rollback.md#how "before"): when it fails\n\n[me](deploy.md)',
    "ops/rollback.md": "see [[ship]]\n\n[two](same.md)\n\n[out](../../etc/passwd)",
    "a/same.md": "one",
    "b/same.md": "two ![[index]]",
    "private/me/plan.md": "[x](/ops/deploy.md): my part",
}


def fill(index: EdgeIndex, vault: dict[str, str]) -> None:
    index.update([(path, text.encode(), STAT) for path, text in vault.items()])


@pytest.fixture
def index(tmp_path: Path) -> Iterator[EdgeIndex]:
    with EdgeIndex(tmp_path) as opened:
        fill(opened, VAULT)
        yield opened


@pytest.fixture
def graph(index: EdgeIndex) -> Graph:
    return Graph(index, Tier.AMBER)


def test_links_come_with_reason_place_and_the_rung_that_found_them(graph: Graph) -> None:
    back, roll, own = graph.links("ops/deploy.md")

    assert back == Link("ops/deploy.md", "index.md", "", "Start", "back", 6, "Steps", None, "relative")
    assert roll == Link(
        "ops/deploy.md", "ops/rollback.md", "how", "roll back", "when it fails", 6, "Steps", "before", "relative"
    )
    assert (own.target, own.resolved_by) == ("ops/deploy.md", "self")


def test_what_leads_nowhere_is_listed_as_written(graph: Graph) -> None:
    found = [(link.target, link.resolved_by) for link in graph.links("ops/rollback.md")]

    assert found == [("ops/deploy.md", "alias"), ("same.md", "ambiguous"), ("../../etc/passwd", "outside")]


def test_what_is_no_note_is_listed_apart(graph: Graph) -> None:
    assert [link.target for link in graph.external("index.md")] == ["https://x.org", "r.pdf"]
    assert [link.target for link in graph.links("index.md")] == ["ops/deploy.md", "gone.md"]


def test_backlinks_are_in_order_of_position_and_not_the_notes_own(graph: Graph) -> None:
    found = [(link.source, link.why) for link in graph.backlinks("ops/deploy.md")]

    assert found == [("index.md", "how we ship"), ("ops/rollback.md", None), ("private/me/plan.md", "my part")]


def test_a_green_reader_learns_nothing_of_private_notes(index: EdgeIndex, tmp_path: Path) -> None:
    (tmp_path / "green").mkdir()
    with EdgeIndex(tmp_path / "green") as without:
        fill(without, {path: text for path, text in VAULT.items() if not path.startswith("private/")})
        shared, alone = Graph(index, Tier.GREEN), Graph(without, Tier.GREEN)

        assert alone.everything() == shared.everything()
        assert alone.orphans() == shared.orphans()
        for path in VAULT.keys() - {"private/me/plan.md"}:
            assert alone.neighbours(path) == shared.neighbours(path)
            assert alone.around(path, 3) == shared.around(path, 3)
    with pytest.raises(NotFound) as raised:
        shared.find("plam")
    assert "plan" not in raised.value.hint


def test_a_private_twin_makes_no_name_ambiguous_for_a_green_reader(index: EdgeIndex) -> None:
    index.update([("private/rollback.md", b"twin", STAT)])

    assert Graph(index, Tier.GREEN).find("rollback") == "ops/rollback.md"
    with pytest.raises(Refused):
        Graph(index, Tier.AMBER).find("rollback")


def test_a_new_note_heals_the_links_that_waited_for_it(index: EdgeIndex, graph: Graph) -> None:
    assert [link.target for link in graph.broken()] == ["gone.md"]

    index.update([("gone.md", b"here", STAT)])

    assert graph.broken() == []
    assert [link.source for link in graph.backlinks("gone.md")] == ["index.md"]


def test_ambiguous_links_and_orphans_are_reported(graph: Graph) -> None:
    assert [link.target for link in graph.ambiguous()] == ["same.md"]
    assert graph.orphans() == ["a/same.md", "b/same.md", "private/me/plan.md"]


@pytest.mark.parametrize(
    "name",
    ["ops/deploy.md", "ops/deploy.md:6", "deploy", "Deploy", "RELEASE", "ship", "ops/deploy", "/ops/deploy.md"],
)
def test_a_note_is_found_by_any_of_its_names(graph: Graph, name: str) -> None:
    assert graph.find(name) == "ops/deploy.md"


def test_a_name_that_nobody_has_is_answered_with_near_ones(graph: Graph) -> None:
    with pytest.raises(NotFound) as raised:
        graph.find("deplyo")

    assert "ops/deploy.md" in raised.value.hint


def test_a_name_of_several_notes_is_refused_with_the_candidates(graph: Graph) -> None:
    with pytest.raises(Refused) as raised:
        graph.find("same")

    assert "a/same.md, b/same.md" in raised.value.hint


def test_a_name_that_leaves_the_notes_is_refused(graph: Graph) -> None:
    with pytest.raises(OutsidePath):
        graph.find("../etc/passwd")


CHAIN = {f"n{each}.md": f"[next](n{each + 1}.md): step {each}" for each in range(6)}


def test_hops_and_directions_bound_the_neighbourhood(tmp_path: Path) -> None:
    with EdgeIndex(tmp_path) as index:
        fill(index, CHAIN)
        graph = Graph(index, Tier.AMBER)

        assert graph.around("n2.md", 2).distances == {"n2.md": 0, "n1.md": 1, "n3.md": 1, "n0.md": 2, "n4.md": 2}
        assert graph.around("n2.md", 2, "out").distances == {"n2.md": 0, "n3.md": 1, "n4.md": 2}
        assert graph.around("n2.md", 1, "in").distances == {"n2.md": 0, "n1.md": 1}
        assert sorted(graph.around("n2.md").graph().edges()) == [("n1.md", "n2.md"), ("n2.md", "n3.md")]


def test_a_hub_is_cut_off_and_says_so(tmp_path: Path) -> None:
    with EdgeIndex(tmp_path) as index:
        fill(index, {"hub.md": "hub"} | {f"n{each}.md": "[h](hub.md)" for each in range(30)})
        around = Graph(index, Tier.AMBER).around("hub.md", limit=10)

    assert (len(around.distances), around.truncated) == (10, True)
    assert {end for link in around.links for end in (link.source, link.target)} <= around.distances.keys()


def test_a_way_between_two_notes_gives_its_reasons_and_may_go_against_links(tmp_path: Path) -> None:
    with EdgeIndex(tmp_path) as index:
        fill(index, CHAIN | {"alone.md": "text"})
        graph = Graph(index, Tier.AMBER)

        assert [link.why for link in graph.way("n1.md", "n4.md") or ()] == ["step 1", "step 2", "step 3"]
        assert [link.why for link in graph.way("n4.md", "n2.md") or ()] == ["step 3", "step 2"]
        assert (graph.way("n0.md", "alone.md"), graph.way("n0.md", "n0.md")) == (None, ())


paths = st.sampled_from(["a.md", "x/a.md", "x/b.md", "index.md", "x/index.md", "private/a.md"])
written = st.sampled_from(["[1](a.md)", "[[b]]", "[2](..)", "[3](x)", "[4](/a.md)", "[5](T)", "[[a]]"])
texts = st.lists(written, max_size=3).map("\n\n".join)


@settings(max_examples=settings().max_examples // 2)  # each example makes a database
@given(st.dictionaries(paths, st.tuples(st.sampled_from(["", "T", "b"]), texts), max_size=6), st.sampled_from(Tier))
def test_backlinks_are_links_seen_from_the_other_end(
    tmp_path_factory: pytest.TempPathFactory, vault: dict[str, tuple[str, str]], clearance: Tier
) -> None:
    with EdgeIndex(tmp_path_factory.mktemp("i")) as index:
        fill(index, {path: f"---\ntitle: {title}\n---\n{text}" for path, (title, text) in vault.items()})
        graph = Graph(index, clearance)
        notes = [each.path for each in index.notes(clearance)]
        whole = {(link.source, link.target, link.line) for link in graph.everything() if link.target in notes}

        assert {each for each in whole if each[0] != each[1]} == {
            (link.source, link.target, link.line) for path in notes for link in graph.backlinks(path)
        }
