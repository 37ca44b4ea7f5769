r"""The door of the log: secrets stay outside, and what is kept says which one stood there.

A secret becomes `[secret:RULE:fingerprint]`, the same for the same secret and key, so that two mentions can be told
to be one. The door reads raw lines of JSON as harnesses write them: a value may follow an escape (`\nAKIA...`), a
private key may be one line with `\n` in it, and what comes out is as valid as what went in. Rules aim at precision:
a provider's own prefix and length, or the name of the secret right before it. Quantifiers are bounded throughout.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4}))"
_END = r"(?![A-Za-z0-9])"
_URL_END = r"(?![A-Za-z0-9_-])"

_SECRET, _ACCESS = "(?:[Ss]ecret|SECRET)[_-]?", "(?:[Aa]ccess|ACCESS)[_-]?"
_AWS_NAME = f"(?:(?:[Aa]ws|AWS)[_-]?{_SECRET}(?:{_ACCESS})?|{_SECRET}{_ACCESS})(?:[Kk]ey|KEY)"
_PEM = r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_END = r"-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BODY = r'(?:[^"\\-]|\\.|-(?!----BEGIN)){0,20000}?'  # stays inside one JSON string, and short of the next key
_PEM_CUT = r"(?:[A-Za-z0-9+/=:,\s→]|\\{1,8}[nrt]){40,20000}"  # a key whose end was cut off


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` finds the secret as its group 1, or as the whole match where it has no group."""

    name: str
    pattern: re.Pattern[str]


RULES = tuple(Rule(name, re.compile(pattern, re.DOTALL)) for name, pattern in (
    ("private_key", f"{_PEM}(?:{_PEM_BODY}{_PEM_END}|{_PEM_CUT})"),
    ("aws_access_key_id", rf"{_START}(?:AKIA|ASIA)[A-Z2-7]{{16}}{_END}"),
    ("aws_secret_access_key",
     rf"""{_AWS_NAME}[\s"'\\:=>]{{1,12}}((?:[A-Za-z0-9+/]|\\/){{40}})(?![A-Za-z0-9+/=])"""),
    ("github_token",
     rf"{_START}(?:gh[pousr]_[A-Za-z0-9]{{36,255}}|github_pat_[A-Za-z0-9]{{16}}[A-Za-z0-9_]{{20,239}}){_END}"),
    ("gitlab_token", rf"{_START}glpat-[A-Za-z0-9_-]{{20,300}}(?:\.[0-9a-z]{{2}}\.[0-9a-z]{{9}})?{_URL_END}"),
    ("anthropic_key", rf"{_START}sk-ant-[A-Za-z0-9_-]{{20,300}}{_URL_END}"),
    ("openai_key",
     rf"{_START}sk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{{20,300}}|[A-Za-z0-9]{{32,128}}){_URL_END}"),
    ("google_api_key", rf"{_START}AIza[A-Za-z0-9_-]{{35}}{_URL_END}"),
    ("slack_token", rf"{_START}xox[a-z](?:\.xox[bp])?-[0-9]{{1,16}}-[A-Za-z0-9-]{{8,250}}{_URL_END}"),
    ("stripe_key", rf"{_START}[rs]k_live_[A-Za-z0-9]{{16,250}}{_END}"),
    ("npm_token", rf"{_START}npm_[A-Za-z0-9]{{36}}{_END}"),
    ("hugging_face_token", rf"{_START}hf_[A-Za-z0-9]{{34}}{_END}"),
))

# Nearly every line is clean, and these say so at a few hundred megabytes a second. Each pattern begins with one letter
# that is rare in what harnesses write: the engine finds it with memchr, and looks around from there.
_ENDS_IN_UNDERSCORE = re.compile(
    r"_(?=[A-Za-z0-9]{16})(?:(?<=gh[pousr]_)|(?<=github_pat_)|(?<=hf_)|(?<=npm_)|(?<=_live_))").search
_BEGINS_WITH_A = re.compile(r"A(?:[KS]IA[A-Z2-7]|Iza)").search
_SECRET_OR_PRIVATE_KEY = re.compile(r"E(?=CRET| KEY)").search
_SK = re.compile(r"k(?=-)(?<=sk)").search
_XOX = re.compile(r"x(?=ox)").search


def suspicious(text: str) -> bool:
    """Whether any rule could match. True may be wrong, False never is."""
    return ("ecret" in text or "glpat-" in text or _ENDS_IN_UNDERSCORE(text) is not None or _SK(text) is not None
            or _XOX(text) is not None or _SECRET_OR_PRIVATE_KEY(text) is not None or _BEGINS_WITH_A(text) is not None)


class Cleaned(msgspec.Struct, frozen=True):
    """A text without its secrets, how many places were replaced, and how many by each rule."""

    text: str
    redacted: int = 0
    rules: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Door:
    """The judge of what may enter the log. `allow` names values that look like secrets and are none."""

    key: bytes = field(repr=False)
    allow: Sequence[str] = ()

    def clean(self, text: str) -> Cleaned:
        """`text` with each secret replaced, wherever in the text it occurs. Cleaning twice changes nothing."""
        if not suspicious(text):
            return Cleaned(text)
        rules: Counter[str] = Counter()
        for name, secret in _secrets(text, self.allow):
            if places := text.count(secret):
                rules[name] += places
            text = text.replace(secret, f"[secret:{name}:{self.fingerprint(secret)}]")
        return Cleaned(text, sum(rules.values()), rules)

    def fingerprint(self, secret: str) -> str:
        """Eight hex digits that name a secret to whoever has the key, and to nobody else."""
        plain = secret.replace("\\/", "/").encode("utf-8", "surrogatepass")
        return hashlib.blake2b(plain, key=self.key, digest_size=16).hexdigest()[:8]


def _secrets(text: str, allow: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each distinct secret once, with its rule, longest first: one may be part of another."""
    found: dict[str, str] = {}
    for rule in RULES:
        for match in rule.pattern.finditer(text):
            secret = match[match.lastindex or 0]
            if secret not in allow:
                found.setdefault(secret, rule.name)
    return ((found[secret], secret) for secret in sorted(found, key=len, reverse=True))
