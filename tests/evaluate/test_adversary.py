"""What may never be answered wrongly, tried in a home made for it; and the cases see a wrong answer."""

from pathlib import Path

from rhizome.memory import adversary
from rhizome.memory.surroundings import Surroundings


def test_every_case_holds(around: Surroundings) -> None:
    cases = adversary.matrix(around)

    assert [case for case in cases if case.wrong] == []
    assert {case.kind for case in cases} == {"superseded", "absent", "uncleared", "corrupt"}


def test_a_memory_that_answers_anything_fails_them(around: Surroundings, tmp_path: Path) -> None:
    memory = adversary._lived(around, tmp_path / "lived")
    note = memory.parts.home.notes / "orchard.md"
    note.write_text(adversary.AMBER.replace("tier: amber", "tier: green") + "\n".join(adversary.NEVER_SAID) + "\n")

    wrong = {(case.kind, case.asked) for kind, asked in (
        ("absent", adversary._absent(memory)), ("uncleared", adversary._uncleared(memory)),
        ("corrupt", adversary._corrupt(memory))) for case in adversary._held(kind, asked) if case.wrong}

    assert len(wrong) >= 15
    assert {kind for kind, _ in wrong} == {"absent", "uncleared", "corrupt"}
