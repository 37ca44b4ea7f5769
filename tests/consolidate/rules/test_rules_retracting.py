"""What a person takes back in words, and what only sounds like it."""

from collections.abc import Callable

import pytest

from rhizome.consolidate.distill import Known, KnownFact
from rhizome.model import Draft

Drafts = Callable[..., list[Draft]]

KNOWN = Known({
    "paperboat": [
        KnownFact("paperboat|dev_port", "8087", "The dev port is 8087."),
        KnownFact("paperboat|sync_interval", "15 minutes", "The sync interval is 15 minutes."),
        KnownFact("paperboat|deploy_day", "Thursdays", "Deploys happen on Thursdays."),
        KnownFact("paperboat|database", "Redis", "We use Redis."),
        KnownFact("paperboat|push_main_rule", "Never push to main directly", "Never push to main directly."),
        KnownFact("paperboat|generated_files_rule", "Do not commit generated files", "Do not commit generated files."),
    ],
    "user": [KnownFact("user|reply_language", "Spanish", "Answer in Spanish."),
             KnownFact("user|reply_style", "short", "Keep answers short.")],
})  # fmt: skip


@pytest.mark.parametrize(("text", "key"), [
    ("Forget the dev port.", "dev_port"),
    ("The sync interval no longer holds.", "sync_interval"),
    ("We don't use Redis any more.", "database"),
    ("Forget that we deploy on Thursdays.", "deploy_day"),
    ("Please forget the rule about pushing to main.", "push_main_rule"),
    ("The rule about generated files no longer applies.", "generated_files_rule"),
    ("Forget the reply language.", "reply_language"),
    ("You can forget what I said about short answers.", "reply_style"),
    ("Esquece a porta dev.", "dev_port"),
    ("O intervalo de sincronização não vale mais.", "sync_interval"),
    ("Não usamos mais o Redis.", "database"),
    ("Olvida el puerto de desarrollo.", "dev_port"),
    ("El intervalo de sincronización ya no vale.", "sync_interval"),
    ("Ya no usamos Redis.", "database"),
    ("開発ポートは忘れてください。", "dev_port"),
    ("同期間隔はもう有効ではありません。", "sync_interval"),
    ("Redisはもう使っていません。", "database"),
])
def test_a_person_takes_back_what_is_known(drafts: Drafts, text: str, key: str) -> None:
    [draft] = drafts(("human", text), known=KNOWN)

    assert (draft.retract, draft.attribute, draft.value) == (True, key, "")
    assert draft.quote == text


@pytest.mark.parametrize("text", [
    "Forget it.", "Forget everything.", "Forget about the tests.", "Forget about it, let's move on.",
    "Don't forget the dev port.", "I forgot the dev port.", "Did you forget the dev port?",
    "Forget the dev port for now.", "We don't use Redis.", "If the sync interval no longer holds, tell me.",
    "The docs say the sync interval no longer applies.",
    "The timeout no longer applies.", "The test no longer fails.", "We no longer need the Redis container.",
    "> Forget the dev port.", "```\nForget the dev port.\n```", "The log has “Forget the dev port, all of you” in it.",
    "Não esqueça a porta dev.", "Esquece.", "No olvides el puerto de desarrollo.", "開発ポートを忘れないでください。",
])  # fmt: skip
def test_what_only_sounds_like_it_takes_nothing_back(drafts: Drafts, text: str) -> None:
    assert [] == drafts(("human", text), known=KNOWN)


def test_nothing_is_taken_back_that_nobody_knows(drafts: Drafts) -> None:
    assert [] == drafts(("human", "Forget the dev port. We don't use Redis any more."))


def test_words_that_may_mean_two_facts_take_back_neither(drafts: Drafts) -> None:
    two = Known({"paperboat": [KnownFact("paperboat|dev_port", "8087"), KnownFact("paperboat|metric_port", "9464")]})

    assert [] == drafts(("human", "Forget the port."), known=two)


def test_an_agent_or_a_tool_takes_nothing_back(drafts: Drafts) -> None:
    said = "Forget the dev port."

    assert [] == drafts(("human", "Go on."), ("model", said), ("tool", said), known=KNOWN)


def test_whoever_says_what_holds_instead_supersedes_and_does_not_retract(drafts: Drafts) -> None:
    [draft] = drafts(("human", "We don't use Redis any more, it's SQLite now."), known=KNOWN)

    assert (draft.retract, draft.attribute, draft.value) == (False, "database", "SQLite")


def test_what_was_said_a_moment_ago_can_be_taken_back(drafts: Drafts) -> None:
    said = drafts(("human", "The upload limit is 20 MB."), ("human", "Forget the upload limit."))

    assert [("upload_limit", False), ("upload_limit", True)] == [(draft.attribute, draft.retract) for draft in said]
