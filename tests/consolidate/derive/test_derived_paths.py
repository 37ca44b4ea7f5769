"""Where derived notes stand, and that they never take a place a person has."""

import pytest

from rhizome.consolidate.addresses import AMBER, GREEN, Addresses, Place, between
from rhizome.store.paths import safe_path
from tests.consolidate.derive.desk import Desk


@pytest.mark.parametrize(("scope", "key", "tier", "path"), [
    ("tidepool", "tidepool|language", "green", "tidepool.md"),
    ("tidepool", "deploy|branch", "green", "tidepool/deploy.md"),
    ("Tide Pool", "tide-pool|language", "green", "tide-pool.md"),
    ("tidepool", "Deploy Branch|name", "green", "tidepool/deploy-branch.md"),
    ("tidepool", "設定|値", "green", "tidepool/設定.md"),
    ("tidepool", "salary|amount", "amber", "private/tidepool/salary.md"),
    ("tidepool", "tidepool|price", "amber", "private/tidepool.md"),
    ("user:ines", "tea|kind", "amber", "private/me/tea.md"),
    ("user:ines", "tea|kind", "green", "private/me/tea.md"),
    ("user:bo", "tea|kind", "amber", "private/people/bo/tea.md"),
    ("tidepool", "con|what", "green", "tidepool/con-f5b0.md"),
    ("private", "deploy|branch", "green", "private-715d/deploy.md"),
    ("tidepool", "../../etc|x", "green", "tidepool/etc.md"),
])
def test_notes_are_foldered_by_scope(desk: Desk, scope: str, key: str, tier: str, path: str) -> None:
    desk.hears(key, "x", scope=scope, tier=tier)
    desk.night()

    assert [path] == desk.subjects()
    assert path == safe_path(path)


def test_an_adopted_vault_has_its_derived_notes_in_their_own_folder() -> None:
    desk = Desk(derive_folder="derived")
    desk.hears("deploy|branch", "main")
    desk.hears("tea|kind", "sencha", scope="user:ines", tier="amber")
    desk.night()

    assert ["derived/tidepool/deploy.md", "private/me/tea.md"] == desk.subjects()


def person(desk: Desk, path: str) -> None:
    desk.put("note.saved", {"path": path, "blob": "b" * 40, "derived": False}, actor="human")


@pytest.mark.parametrize("taken", ["tidepool/deploy.md", "tidepool/Deploy.md", "Tidepool/deploy.md"])
def test_a_path_that_a_persons_note_has_is_never_written(desk: Desk, taken: str) -> None:
    person(desk, taken)
    desk.hears("deploy|branch", "main")
    desk.night()

    assert [f"{taken.partition('/')[0]}/deploy-414e.md"] == desk.subjects()


def test_a_derived_note_gives_way_to_a_person_and_takes_its_links_along(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.hears("ship|day", "Friday", links=[{"target": "deploy", "label": "deploy", "why": "what"}])
    desk.night()
    person(desk, "tidepool/deploy.md")
    desk.night()

    assert ["tidepool/deploy-414e.md", "tidepool/ship.md"] == desk.subjects()
    assert "- [deploy](deploy-414e.md): what" in desk.lines("tidepool/ship.md")


def test_a_path_is_free_again_when_the_persons_note_is_gone(desk: Desk) -> None:
    person(desk, "tidepool/deploy.md")
    desk.removes("tidepool/deploy.md")
    desk.hears("deploy|branch", "main")
    desk.night()

    assert ["tidepool/deploy.md"] == desk.subjects()


def test_a_person_may_have_the_path_of_a_derived_note_they_deleted(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.night()
    desk.removes("tidepool/deploy.md")
    body = desk.saves(("tidepool/deploy.md", "My own.\n"))[0]
    desk.hears("deploy|branch", "release")
    desk.night()

    assert not body["derived"]
    assert ["tidepool/deploy-414e.md"] == desk.subjects()


def test_subjects_that_share_a_slug_have_paths_of_their_own(desk: Desk) -> None:
    desk.hears("c#|version", "14")
    desk.hears("c++|version", "23")
    desk.night()
    desk.hears("c|version", "99")
    desk.night()

    assert 3 == len(desk.subjects())
    assert "tidepool/c.md" in desk.subjects()
    assert desk.rebuilt() == desk.derived.files


def test_a_folder_stays_small() -> None:
    addresses = Addresses()

    paths = {addresses.give(Place(GREEN, "tidepool", f"subject {number}")) for number in range(5_000)}

    folders = [path.rpartition("/")[0] for path in paths]
    assert 5_000 == len(paths)
    assert max(folders.count(folder) for folder in set(folders)) < 2_000


def test_a_path_once_given_is_kept() -> None:
    addresses = Addresses()
    place = Place(AMBER, "tidepool", "deploy")
    given = addresses.give(place)
    for number in range(10):
        addresses.give(Place(AMBER, "tidepool", f"deploy {number}"))

    assert given == addresses.give(place)


@pytest.mark.parametrize(("source", "target", "path"), [
    ("tidepool/deploy.md", "tidepool/ship.md", "ship.md"),
    ("tidepool/deploy.md", "tidepool.md", "../tidepool.md"),
    ("tidepool.md", "tidepool/deploy.md", "tidepool/deploy.md"),
    ("private/days/2026/2026-10-14.md", "private/me/tea.md", "../../me/tea.md"),
    ("private/me/tea.md", "tidepool.md", "/tidepool.md"),
])
def test_links_are_relative_but_from_private_notes_to_the_others(source: str, target: str, path: str) -> None:
    assert path == between(source, target)
