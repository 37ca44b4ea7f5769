r"""The door of the log: secrets stay outside, and what is kept says which one stood there.

A secret becomes `[secret:RULE:fingerprint]`, the same for the same secret and key, so that two mentions can be told
to be one. The door reads raw lines of JSON as harnesses write them: a value may follow an escape (`\nAKIA...`), a
private key may be one line with `\n` in it, and what comes out is as valid as what went in. Rules aim at precision
(`rhizome/log/secrets/`): a provider's own prefix and length, or a name or header for secrets before a drawn value.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from rhizome.log.secrets import matching


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
        kept, rules = self.washed(_bytes(text))
        return Cleaned(kept.decode("utf-8", "surrogatepass"), sum(rules.values()), rules) if rules else Cleaned(text)

    def washed(self, data: bytes) -> tuple[bytes, Mapping[str, int]]:
        """The same for a text's bytes, whether UTF-8 or not: what may be kept, and how many places by each rule."""
        marks = matching.marks(data)
        found = matching.secrets(data, marks, frozenset(map(_bytes, self.allow))) if marks else []
        if not found:
            return data, {}
        rules: Counter[str] = Counter()
        kept, at = [], 0
        for secret in found:
            name = matching.RULES[secret.rule].name
            rules[name] += 1
            kept += [data[at : secret.start], f"[secret:{name}:{self._fingerprint(secret.value)}]".encode()]
            at = secret.end
        kept.append(data[at:])
        return b"".join(kept), rules

    def fingerprint(self, secret: str) -> str:
        """Eight hex digits that name a secret to whoever has the key, and to nobody else."""
        return self._fingerprint(matching.plain(_bytes(secret)))

    def _fingerprint(self, plain: bytes) -> str:
        return hashlib.blake2b(plain, key=self.key, digest_size=16).hexdigest()[:8]


def suspicious(text: str) -> bool:
    """Whether the door has to look closer. True may be wrong, False never is."""
    return bool(matching.marks(_bytes(text)))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
