"""What people do to notes: it is seen at once, kept to the byte, and never mistaken."""

import shutil
from pathlib import Path

import pytest

from rhizome.errors import Refused
from tests.memory.living import Living

SEASICK = "# Diary\n\nI felt seasick.\n"
PORT = "The dev server runs on port {}."


def test_a_note_is_found_before_anything_is_committed(memory: Living) -> None:
    memory.writes("lighthouse.md", "# Lighthouse\n\nThe lamp is a Fresnel lens of the first order.\n")

    assert ["lighthouse.md:1"] == memory.found("fresnel lens of the lighthouse", layer="notes")
    assert "" == memory.git("log", "--format=%s", "--", "lighthouse.md")


def test_the_next_writing_verb_commits_what_was_saved_with_its_own_call(memory: Living) -> None:
    memory.writes("a.md", "# A\n\nOne.\n")
    memory.writes("b.md", "# B\n\nTwo.\n")

    memory.imports_nothing()

    assert 2 == sum(call.startswith("human/") for call in memory.calls())
    assert "" == memory.git("status", "--porcelain")


def test_a_note_that_a_person_committed_needs_no_second_commit(memory: Living) -> None:
    memory.writes("a.md", "# A\n\nOne.\n")
    memory.git("add", "a.md")
    memory.git("commit", "-q", "-m", "mine")

    memory.imports_nothing()

    assert "" == memory.calls()[0]
    assert 1 == memory.saves_of("a.md")


def test_a_statement_that_a_person_changes_changes_the_fact(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()

    memory.edits("tidepool.md", "8080", "9999")
    memory.sleeps()

    assert "9999" == memory.value("tidepool|dev_port")
    assert 1.0 == memory.memory.fact(key="tidepool|dev_port")["fact"]["confidence"]


def test_a_persons_line_in_a_derived_note_stays_where_it_is(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.writes("tidepool.md", memory.text("tidepool.md") + "\nMy own words.\n")
    memory.hears(PORT.format(8087))

    report = memory.sleeps()

    assert memory.text("tidepool.md").endswith("\nMy own words.\n")
    assert "8087" in memory.text("tidepool.md")
    assert report["identical"]


def test_a_branch_switch_is_not_an_edit(memory: Living) -> None:
    memory.writes("a.md", "# A\n\nOne.\n")
    memory.imports_nothing()
    memory.git("checkout", "-q", "-b", "other")
    memory.writes("a.md", "# A\n\nOther.\n")
    memory.git("commit", "-q", "-am", "elsewhere")
    before = memory.events("note.saved", "note.removed")

    memory.imports_nothing()

    assert before == memory.events("note.saved", "note.removed")
    assert ["notes/: branch other is checked out, not main"] == memory.memory.status()["busy"]
    memory.git("checkout", "-q", "main")
    memory.imports_nothing()
    assert before == memory.events("note.saved", "note.removed")


def test_nothing_is_committed_while_head_is_detached(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.git("checkout", "-q", "--detach")

    report = memory.sleeps()

    assert not memory.path("tidepool.md").exists()
    assert any("HEAD is detached" in problem for problem in report["problems"])
    memory.git("checkout", "-q", "main")
    assert memory.sleeps()["identical"]
    assert memory.path("tidepool.md").exists()


def test_conflict_markers_wait_for_the_person(memory: Living) -> None:
    memory.writes("a.md", "<<<<<<< mine\none\n=======\ntwo\n>>>>>>> theirs\n")

    memory.imports_nothing()

    assert 0 == memory.saves_of("a.md")
    assert ["a.md: holds conflict markers; resolve them and save"] == memory.memory.status()["held"]


def test_a_vanished_folder_is_an_outage_and_no_deletion(memory: Living) -> None:
    memory.writes("a.md", "# A\n\nThe lamp burns whale oil.\n")
    memory.imports_nothing()
    aside = memory.folder / "aside"
    memory.notes.rename(aside)

    memory.imports_nothing()

    assert 0 == memory.events("note.removed")
    assert ["."] == memory.memory.status()["outages"]
    aside.rename(memory.notes)
    memory.imports_nothing()
    assert 0 == memory.events("note.removed")
    assert ["a.md:1"] == memory.found("whale oil lamp", layer="notes")


def test_an_empty_mount_point_is_an_outage_and_no_deletion(memory: Living) -> None:
    memory.imports_nothing()
    aside = memory.folder / "aside"
    memory.notes.rename(aside)
    memory.notes.mkdir()

    memory.imports_nothing()

    assert 0 == memory.events("note.removed")


def unmounted(memory: Living, folder: str) -> Path:
    """The disk at `folder` is gone, and what it was mounted on shows; where the disk is now."""
    aside = memory.folder / "aside"
    memory.path(folder).rename(aside)
    memory.path(folder).mkdir()
    return aside


def mounted(memory: Living, folder: str, aside: Path) -> None:
    memory.path(folder).rmdir()
    aside.rename(memory.path(folder))


def test_a_folder_that_an_unmounted_disk_emptied_is_an_outage_and_no_deletion(memory: Living) -> None:
    memory.writes("disk/deep/a.md", "# A\n\nThe lamp burns whale oil.\n")
    memory.writes("b.md", "# B\n")
    memory.imports_nothing()
    aside = unmounted(memory, "disk")

    memory.imports_nothing()

    assert (0, ["disk"]) == (memory.events("note.removed"), memory.memory.status()["outages"])
    mounted(memory, "disk", aside)
    memory.imports_nothing()
    assert (0, []) == (memory.events("note.removed"), memory.memory.status()["outages"])
    assert ["disk/deep/a.md:1"] == memory.found("whale oil lamp", layer="notes")


def test_derived_notes_on_an_unmounted_disk_wait_for_it(memory: Living) -> None:
    memory.memory.remember(key="deploy|branch", statement="We ship from release.", value="release", scope="tidepool")
    memory.sleeps()
    aside = unmounted(memory, "tidepool")
    memory.memory.remember(key="deploy|day", statement="We ship on Mondays.", value="Mondays", scope="tidepool")

    report = memory.sleeps()

    assert (True, []) == (report["identical"], list(memory.path("tidepool").iterdir()))
    assert ["tidepool/deploy.md"] == [each.partition(":")[0] for each in report["problems"]]
    assert ["missing"] == [each["what"] for each in memory.memory.rebuild()["differences"]]
    mounted(memory, "tidepool", aside)
    assert memory.sleeps()["identical"]
    assert "Mondays" in memory.text("tidepool/deploy.md")


def test_a_folder_that_a_person_emptied_is_a_removal(memory: Living) -> None:
    memory.writes("disk/a.md", "# A\n")
    memory.imports_nothing()
    memory.path("disk/a.md").unlink()

    memory.imports_nothing()

    assert 1 == memory.events("note.removed")


def test_a_removed_note_is_an_event_and_a_commit(memory: Living) -> None:
    memory.writes("a.md", "# A\n\nOne.\n")
    memory.imports_nothing()
    memory.path("a.md").unlink()

    memory.imports_nothing()

    assert 1 == memory.events("note.removed")
    assert "" == memory.git("ls-files", "a.md")


def test_derived_notes_that_a_reset_took_away_come_back(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    text = memory.text("tidepool.md")
    memory.git("reset", "-q", "--hard", "HEAD~1")
    assert not memory.path("tidepool.md").exists()

    report = memory.sleeps()

    assert text == memory.text("tidepool.md")
    assert report["identical"]


def test_a_name_that_is_no_text_is_named_and_left_alone(memory: Living) -> None:
    name = memory.notes / b"caf\xe9.md".decode("utf-8", "surrogateescape")
    name.write_bytes(b"# x\n")

    memory.imports_nothing()

    assert ["caf\\xe9.md: a name that is no text"] == memory.memory.status()["skipped"]
    assert b"# x\n" == name.read_bytes()


def test_a_note_that_git_would_filter_is_held_and_stops_nothing(memory: Living) -> None:
    (memory.notes / ".gitattributes").write_text("big.md filter=lfs\n")
    memory.writes("big.md", "# Big\n")
    memory.writes("small.md", "# Small\n")

    memory.imports_nothing()

    assert ["big.md", ""] == memory.git("status", "--porcelain", "--", "big.md").removeprefix("?? ").split("\n")
    assert "" == memory.git("status", "--porcelain", "--", "small.md")


def test_a_deleted_derived_note_stays_away_and_its_facts_hold(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    memory.path("tidepool.md").unlink()

    report = memory.sleeps()

    assert not memory.path("tidepool.md").exists()
    assert ("8080", True) == (memory.value("tidepool|dev_port"), report["identical"])


def test_a_renamed_derived_note_is_the_same_note(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    (memory.notes / "ops").mkdir()
    memory.path("tidepool.md").rename(memory.path("ops/the project.md"))

    memory.edits("ops/the project.md", "8080", "9999")
    memory.hears("The metrics port is 9464.")
    report = memory.sleeps()

    assert "9464" in memory.text("ops/the project.md")
    assert ("9999", True) == (memory.value("tidepool|dev_port"), report["identical"])
    assert not memory.path("tidepool.md").exists()
    assert "" == memory.git("status", "--porcelain")
    assert [] == memory.proven()


# ---------------------------------------------------------------- making a home


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("repository", [True, False])
def test_an_adopted_vault_stays_as_it_is(tmp_path: Path, repository: bool) -> None:
    vault = tmp_path / "vault"
    memory = Living(tmp_path, vault=vault)
    memory.writes("own.md", "# Own\r\n\r\nTide tables are in feet.\r\n")
    memory.writes("private/diary.md", SEASICK, root=vault)
    if repository:
        memory.git("init", "-q", "-b", "trunk")
        memory.git("add", "own.md")
        memory.git("commit", "-q", "-m", "mine")
    before = {name: data for name, data in bytes_below(vault).items() if "index" not in name}
    status = memory.git("status", "--porcelain") if repository else ""

    memory.begins()

    after = bytes_below(vault)
    assert before == {name: after[name] for name in before}
    assert not repository or status == memory.git("status", "--porcelain")
    memory.hears(PORT.format(8080))
    memory.sleeps()
    assert (vault / "derived" / "tidepool.md").exists()
    assert ["own.md:1"] == memory.found("tide tables in feet", layer="notes")
    assert ["private/diary.md:1"] == memory.found("I felt seasick", layer="notes")
    assert "private/diary.md:1" not in memory.found("I felt seasick", layer="notes", clearance="green")
    assert (vault / "private" / "diary.md").exists()
    assert [] == memory.proven()


def test_a_vaults_own_private_folder_is_never_taken_for_removed(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    memory = Living(tmp_path, vault=vault)
    diary = memory.writes("private/diary.md", SEASICK, root=vault)
    memory.begins()
    memory.hears("I prefer tea over coffee.")
    memory.sleeps()
    memory.sleeps()

    assert (0, True) == (memory.events("note.removed"), diary.exists())
    diary.unlink()
    memory.imports_nothing()
    assert 1 == memory.events("note.removed")
    assert "" == memory.git("ls-files", "private")


def test_a_home_is_not_laid_inside_the_vault_it_adopts(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()

    with pytest.raises(Refused, match="lies inside the vault"):
        Living(tmp_path, vault=tmp_path).begins()


def test_a_second_init_leaves_a_home_alone(memory: Living) -> None:
    before = bytes_below(memory.home / "log")

    memory.begins()

    assert before == bytes_below(memory.home / "log")


def test_a_folder_with_a_log_and_no_settings_is_refused(memory: Living) -> None:
    (memory.home / "rhizome.toml").unlink()
    shutil.rmtree(memory.notes)

    with pytest.raises(Refused, match="but no rhizome"):
        memory.begins()
