"""What one night took in and another day's words decide: agreement to an earlier proposal, and taking back."""

from tests.memory.living import Living


def test_a_yes_of_today_agrees_to_what_the_agent_proposed_before_the_last_night(memory: Living) -> None:
    memory.hears("Which test runner fits?", reply="I looked around. I suggest vitest as the test runner.")
    memory.sleeps()
    assert memory.value("tidepool|test_runner") is None

    memory.hears("Yes, go with that.")
    memory.sleeps()
    assert memory.value("tidepool|test_runner") == "vitest"
    assert memory.proven() == []


def test_a_yes_in_another_session_agrees_to_nothing(memory: Living) -> None:
    memory.hears("Which test runner fits?", reply="I suggest vitest as the test runner.")
    memory.sleeps()

    memory.hears("Yes, go with that.", session="s2")
    memory.sleeps()
    assert memory.value("tidepool|test_runner") is None


def test_what_a_person_takes_back_in_words_holds_no_more_and_stands_in_no_note_as_current(memory: Living) -> None:
    memory.hears("Deploys happen on Thursdays. The dev port is 8087.")
    memory.sleeps()

    memory.hears("Forget the deploy day.")
    report = memory.sleeps()
    assert memory.value("tidepool|deploy_day") is None
    assert memory.history("tidepool|deploy_day") == [("Thursdays", "retracted")]
    assert memory.value("tidepool|dev_port") == "8087"
    assert "Deploys happen on Thursdays.[^" not in memory.text("tidepool.md")
    assert (report["retracted"], report["identical"], memory.proven()) == (1, True, [])


def test_it_can_be_said_anew_afterwards(memory: Living) -> None:
    memory.hears("Deploys happen on Thursdays.")
    memory.sleeps()
    memory.hears("Forget the deploy day.")
    memory.sleeps()

    memory.hears("Deploys happen on Mondays.")
    memory.sleeps()
    assert memory.value("tidepool|deploy_day") == "Mondays"
