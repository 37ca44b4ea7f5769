"""Whether words claim anything: a question, a doubt and a word or two by themselves are nothing to hold."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from rhizome.consolidate.word_lists import listed
from rhizome.ledger.keys import folded

_QUOTED = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』")
_ASKS = re.compile(r"\?(?=[\s)\]*_]|$)|(?:です|ます|せん|した|た|る|い|の|だろう|でしょう)か[なね]?[。\s]*$")
_WORD = re.compile(r"\S*\w\S*")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_MIN_WORDS, _MIN_SIGNS = 2, 4


def claimless(text: str) -> str:
    """Why `text` claims nothing, in a few words, or nothing where it does. What it quotes is not its own doubt."""
    own = folded(_QUOTED.sub(" ", text))
    if _ASKS.search(own):
        return "it is a question"
    if found := _doubts().search(own):
        return f"it is in doubt (“{found[0]}”)"
    if len(_WORD.findall(text)) < _MIN_WORDS and len(_UNSPACED.findall(text)) < _MIN_SIGNS:
        return "it says nothing by itself"
    return ""


@cache
def _doubts() -> re.Pattern[str]:
    return listed(tomllib.loads(files("rhizome.consolidate").joinpath("doubts.toml").read_text(encoding="utf-8")))
