"""Values that are secret by their name: assignments, options of commands, members of JSON, lines of an `.env` file.

A name is not enough: what a program computes, a path, a number or a word of one's own has the same names. The value
has to look drawn, or, after a name for passwords, to be of three sorts of characters.
"""

import re
from collections.abc import Iterable

from rhizome.log.secrets.rule import Rule, unslashed, word_start
from rhizome.log.secrets.strength import drawn, password

_NAME_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_BEFORE = 48
_TAKEN_OUT = b"[secret:"

PASSWORDS = (b"assword", b"ASSWORD", b"asswd", b"ASSWD", b"assphrase", b"ASSPHRASE", b"pwd", b"PWD", b"Pwd", b"_PASS")
TOKENS = (
    b"ecret", b"ECRET", b"pi_key", b"pi-key", b"pi-Key", b"piKey", b"pikey", b"PI_KEY", b"PIKEY",
    b"ccess_key", b"ccess-key", b"ccessKey", b"CCESS_KEY", b"rivate_key", b"rivateKey", b"RIVATE_KEY", b"igning_key",
    b"IGNING_KEY", b"ncryption_key", b"NCRYPTION_KEY", b"redential", b"REDENTIAL", b"auth_key", b"authKey", b"AUTH_KEY",
)  # fmt: skip
ENV_KEYS = (b"_KEY",)
COUNTED = tuple(word + bytes([sign]) for word in (b"oken", b"OKEN") for sign in b"\"'`\\=: _-]")
"""A token with what follows it: every answer of a model says how many `input_tokens` it took, and is not looked at."""

TOKEN_MIN = 16
KEY_MIN = 20

_OTHER = re.compile(
    rb"(?i)hash|sha\d|digest|checksum|file|path|url|uri|type|count|limit|length|size|budget|page|next|cursor|sync"
    rb"|continu|public|csrf|xsrf|cache|sort|foreign|primary|partition|index|group|expir|ttl|tokens\b|regex|pattern"
    rb"|pubkey|resum|cancel|fingerprint|_at$|_?name$|[_-]?id$|Id$")
"""Names with a secret's word in them that name something else: a hash of it, where it lies, how long it lasts."""

_QUOTE = rb"\\{0,7}[\"'`]"
_SIGN = rb"(?:" + _QUOTE + rb"\]?)?[ \t]{0,4}(?:=>|:=|={1,3}|:)[ \t]{0,4}"
_VALUE = (
    rb"(?:[bfru]{0,2}" + _QUOTE + rb"(?P<quoted>(?:[^\s\"'`\\<>{}\[\]$]|\\{1,7}/){8,512}+)" + _QUOTE +
    rb"|(?P<bare>(?!=)(?:[A-Za-z0-9_.~+/=!@#%^*-]|\\{1,7}/){8,512}+)(?=[\x00-\x20\"'`\\,;&)}\]|<]|$))")
_ASSIGNED = re.compile(rb"(?P<rest>[A-Za-z0-9_-]{0,24})" + _SIGN + _VALUE)
_OPTION = re.compile(rb"(?P<rest>[A-Za-z0-9_-]{0,24}) {1,4}" + _VALUE)

_AWS_NAME = re.compile(rb"(?i)aws[_-]?secret[_-]?key|secret[_-]?access[_-]?key")
_AWS_VALUE = re.compile(rb"[\s\"'\\:=>]{1,12}((?:[A-Za-z0-9+/]|\\{1,7}/){40})(?![A-Za-z0-9+/=])")
_REST = re.compile(rb"[A-Za-z0-9_-]{0,24}")
_HEROKU = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _aws(text: bytes, start: int, end: int) -> Iterable[tuple[int, int]]:
    """The 40 letters after a name of an AWS secret, whatever stands between."""
    match = _REST.match(text, end)
    stop = match.end() if match else end
    if not _AWS_NAME.search(text, max(0, start - _BEFORE), stop):
        return ()
    match = _AWS_VALUE.match(text, stop)
    return () if match is None else (match.span(1),)


def _assigned(text: bytes, start: int, end: int) -> tuple[bytes, re.Match[bytes]] | None:
    """The whole name around a mark and what is assigned to it; nothing where a secret has already been taken out."""
    match = _ASSIGNED.match(text, end) or _OPTION.match(text, end)
    if match is None:
        return None
    begin = word_start(text, start, _NAME_BYTES, _BEFORE)
    if text.startswith(_TAKEN_OUT, max(0, begin - len(_TAKEN_OUT))):
        return None
    if match.re is _OPTION and not text.startswith(b"--", begin):
        return None
    return text[begin:end] + match["rest"], match


def _value(match: re.Match[bytes]) -> tuple[bytes, tuple[int, int]]:
    group = "quoted" if match["quoted"] is not None else "bare"
    return unslashed(match[group]), match.span(group)


def _password(text: bytes, start: int, end: int) -> Iterable[tuple[int, int]]:
    found = _assigned(text, start, end)
    if found is None or _OTHER.search(found[0]):
        return ()
    value, span = _value(found[1])
    return (span,) if password(value, quoted=found[1]["quoted"] is not None) else ()


def _token(text: bytes, start: int, end: int) -> Iterable[tuple[int, int]]:
    found = _assigned(text, start, end)
    if found is None or _OTHER.search(found[0]):
        return ()
    value, span = _value(found[1])
    heroku = b"heroku" in found[0].lower() and _HEROKU.fullmatch(value)
    return (span,) if heroku or drawn(value, TOKEN_MIN) else ()


def _counted(text: bytes, start: int, end: int) -> Iterable[tuple[int, int]]:
    return _token(text, start, end - 1)


def _env_key(text: bytes, start: int, end: int) -> Iterable[tuple[int, int]]:
    """`SOME_KEY=value`, as environment files have it: nothing but the name in capitals and the value."""
    found = _assigned(text, start, end)
    if found is None or not found[0].isupper() or found[1]["rest"] or _OTHER.search(found[0]):
        return ()
    value, span = _value(found[1])
    return (span,) if drawn(value, KEY_MIN) else ()


NAMED = (
    Rule("aws_secret_access_key", (b"ecret", b"ECRET"), _aws),
    Rule("password", PASSWORDS, _password),
    Rule("secret_by_name", TOKENS, _token),
    Rule("secret_by_name", COUNTED, _counted),
    Rule("secret_by_name", ENV_KEYS, _env_key),
)
