"""Lists of words and phrases by language, as one pattern over folded text."""

import re
from collections.abc import Mapping, Sequence

from rhizome.ledger.keys import folded


def listed(table: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """Whole words where the script has them, anywhere in Japanese; a trailing * stands for any ending."""
    spaced, unspaced = [], []
    for language, words in table.items():
        for word in map(folded, words):
            if language == "ja":
                unspaced.append(re.escape(word))
            else:
                spaced.append(re.escape(word.rstrip("*")) + (r"\w*" if word.endswith("*") else ""))
    return re.compile(rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)|{'|'.join(unspaced)}")
