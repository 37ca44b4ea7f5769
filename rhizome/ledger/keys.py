"""How a fact is addressed: canonical keys, slugs for paths, and the id a statement carries in a note."""

import hashlib
import unicodedata

SLUG_BYTES = 200
"""A slug with a suffix and `.md` stays a legal file name everywhere (255 bytes)."""

LABEL_CHARS = 48
"""How much of a key stays readable in a statement's id."""


def folded(text: str) -> str:
    """`text` under NFKC and case folding, without invisible characters, white space as single spaces.

    Idempotent. Dropping format characters (Cf) keeps a zero-width or bidi twin from becoming a second key.
    """
    text = unicodedata.normalize("NFD", text).casefold()
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if not text.isascii():
        text = "".join(char for char in text if unicodedata.category(char) != "Cf")
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.split())


def canonical(key: str) -> str:
    """The one spelling of a fact key: `Deploy | Branch` is `deploy|branch`. A key without attribute has no bar."""
    subject, _, attribute = folded(key).partition("|")
    return f"{subject.strip()}|{attribute.strip()}" if attribute.strip() else subject.strip()


def slug(text: str) -> str:
    """`text` as a part of a path: NFC, casefolded, runs of other than letters, marks, digits and `_` become `-`.

    Letters of every script stay. At most 200 bytes of UTF-8, never empty; different texts may share a slug.
    """
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    words = "".join(char if char == "_" or unicodedata.category(char)[0] in "LMN" else " " for char in text).split()
    return "-".join(words).encode()[:SLUG_BYTES].decode(errors="ignore").strip("-") or "untitled"


def statement_id(scope: str, fact_key: str) -> str:
    """What a statement is called in a derived note's footnotes: a readable slug and 8 hex digits of its address."""
    digest = hashlib.sha256(f"{scope}\n{fact_key}".encode()).hexdigest()
    return f"{slug(fact_key)[:LABEL_CHARS].strip('-')}-{digest[:8]}"
