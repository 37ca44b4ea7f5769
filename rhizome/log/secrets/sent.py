"""Values that are secret by how they are sent: headers of HTTP, cookies, and passwords in connection strings."""

import base64
import binascii
import re
from collections.abc import Iterable

from rhizome.log.secrets.rule import Rule, unslashed
from rhizome.log.secrets.strength import drawn, meant

BEARER_MIN = 20
COOKIE_MIN = 16
WORD = 8
"""A password of letters only that is shorter is a word of an example."""

_BEARER = re.compile(rb"[ \t]{1,4}((?:[A-Za-z0-9_.~+/=-]|\\{1,7}/){16,4096}+)(?![A-Za-z0-9_~+/-])")
_BASIC = re.compile(rb"[ \t]{1,4}((?:[A-Za-z0-9+/]|\\{1,7}/){8,800}+={0,2}+)(?![A-Za-z0-9+/=])")
_SENT = re.compile(rb"(?i)authorization\\{0,7}[\"']?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,7}[\"']?[Bb]?$")
_CREDENTIALS = re.compile(rb"[\x20-\x39\x3b-\x7e]{1,128}:[\x20-\x7e]{1,512}")

_COOKIES = re.compile(rb"2?\\{0,7}[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}[\"']?([^\r\n\"\\]{1,4096}+)")
_COOKIE = re.compile(rb"[ \t]{0,4}[^=\s]{1,64}=([A-Za-z0-9%_.~+/=|-]{16,4096}+)[ \t']{0,4}(?:$|\s)")
_NEXT = re.compile(rb"ookie|OOKIE")
_USERINFO = re.compile(
    rb"([^\s:@/\"'\\<>?#\[\]{}()`|]{0,128}+):([^\s:@/\"'\\<>?#\[\]{}()`|]{3,256}+)@(?=[A-Za-z0-9\[_])")
_WEAK = frozenset(
    b"pass passwd password passw0rd pw pwd secret user username usr admin root test guest postgres mysql redis mongo "
    b"rabbit rabbitmq token anonymous example foo bar baz qux spam eggs xyz abc abcd 123 1234 12345 123456 "
    b"none null undefined localhost port p@ss pswd key apikey api_key mypassword mypass yourpassword dbpassword dbpass "
    b"letmein hello world changeit credential credentials login demo dev local default oauth2 x-oauth-basic "
    b"x-token-auth".split())


def _bearer(text: bytes, _start: int, end: int) -> Iterable[tuple[int, int]]:
    match = _BEARER.match(text, end)
    return (match.span(1),) if match and drawn(unslashed(match[1]), BEARER_MIN) else ()


def _basic(text: bytes, start: int, end: int) -> Iterable[tuple[int, int]]:
    """A name and a password in base64, after the name of the header or where nothing weak is in it."""
    match = _BASIC.match(text, end)
    if match is None:
        return ()
    try:
        plain = base64.b64decode(unslashed(match[1]), validate=True)
    except binascii.Error:
        return ()
    if not _CREDENTIALS.fullmatch(plain) or not _SENT.search(text[max(0, start - 40) : start]):
        return ()
    user, _, word = plain.partition(b":")
    return () if weak(user, word) else (match.span(1),)


def _cookies(text: bytes, _start: int, end: int) -> Iterable[tuple[int, int]]:
    match = _COOKIES.match(text, end)
    if match is None:
        return ()
    found, at = [], match.start(1)
    for cookie in _NEXT.split(match[1], 1)[0].split(b";"):  # up to the next header: each byte is read once
        pair = _COOKIE.match(cookie)
        if pair is not None and drawn(pair[1], COOKIE_MIN):
            found.append((at + pair.start(1), at + pair.end(1)))
        at += len(cookie) + 1
    return found


def _userinfo(text: bytes, _start: int, end: int) -> Iterable[tuple[int, int]]:
    match = _USERINFO.match(text, end)
    return () if match is None or weak(match[1], match[2]) else (match.span(2),)


def weak(user: bytes, word: bytes) -> bool:
    """Whether a password is an example's: one of the words that stand for a password, or the name once more."""
    plain = word.lower()
    return (plain in _WEAK or plain == user.lower() or plain[:1] in b"$%*" or len(set(plain)) < 3 or meant(plain)
            or (plain.isalpha() and len(plain) < WORD))


SENT = (
    Rule("bearer_token", (b"earer", b"EARER"), _bearer),
    Rule("basic_credentials", (b"asic", b"ASIC"), _basic),
    Rule("cookie", (b"ookie", b"OOKIE"), _cookies),
    Rule("url_password", (b"://", b":\\/\\/", b":\\\\/\\\\/"), _userinfo),
)
