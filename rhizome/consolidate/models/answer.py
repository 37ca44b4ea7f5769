"""The form of an answer: the schema a model is asked for, and the strict reader of what came back."""

import re
from typing import Any, Literal

import msgspec

from rhizome.config import DRAFTS_PER_TURN
from rhizome.model import FACT_TYPES

_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n```", re.DOTALL)


class LinkForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    target: str
    label: str
    why: str


class DraftForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One draft as a model writes it: nothing is checked yet but its form."""

    type: Literal["fact", "preference", "decision", "lesson", "norm", "profile"]
    subject: str
    attribute: str
    statement: str
    event: str
    quote: str
    value: str = ""
    scope: str = ""
    detail: str = ""
    inferred: bool = False
    aliases: list[str] = []
    links: list[LinkForm] = []


class AnswerForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    drafts: list[DraftForm]


_decode = msgspec.json.Decoder(AnswerForm).decode

_TEXT: dict[str, Any] = {"type": "string"}
_LINK: dict[str, Any] = {
    "type": "object", "properties": dict.fromkeys(("target", "label", "why"), _TEXT),
    "required": ["target", "label", "why"], "additionalProperties": False,
}  # fmt: skip
_DRAFT: dict[str, Any] = {
    "type": {"type": "string", "enum": list(FACT_TYPES)},
    **dict.fromkeys(("subject", "attribute", "value", "scope", "statement", "detail", "event", "quote"), _TEXT),
    "inferred": {"type": "boolean"},
    "aliases": {"type": "array", "items": _TEXT},
    "links": {"type": "array", "items": _LINK},
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"drafts": {"type": "array", "items": {
        "type": "object", "properties": _DRAFT, "required": list(_DRAFT), "additionalProperties": False}}},
    "required": ["drafts"], "additionalProperties": False,
}  # fmt: skip
"""What endpoints that can hold a model to a form are given; every member is required, as they demand."""


def drafts(text: str, turns: int) -> list[DraftForm] | str:
    """The drafts in an answer's text, or why it is no answer. JSON alone counts, or one code fence around it."""
    text = text.strip()
    if not text:
        return "the answer is empty"
    fenced = _FENCED.fullmatch(text)
    text = fenced[1].strip() if fenced else text
    if not text.startswith("{"):
        return "the answer is prose and no JSON object"
    try:
        found = _decode(text.encode("utf-8", "replace")).drafts
    except msgspec.ValidationError as wrong:
        return f"the answer has another form: {wrong}"
    except (msgspec.DecodeError, RecursionError) as wrong:
        return f"the answer is not JSON: {wrong}"
    if len(found) > turns * DRAFTS_PER_TURN:
        return f"the answer has {len(found)} drafts, and {turns * DRAFTS_PER_TURN} are the most"
    return found
