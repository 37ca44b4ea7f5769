"""What language a text is in, from its script and its little words; enough to compare like with like, and no more."""

import re
from collections import Counter

from rhizome.search.tokens import normal

LOOKED_AT = 2_000
"""Characters of a text that are looked at."""

LITTLE_WORDS = {
    "en": "the of and to in is that it for was on are with as be this have from or by not but what which when how who "
          "where does did do you we i my",
    "pt": "o os as um uma de da do das dos em na no nas nos e que para por com nao ao foi sao qual quem quando onde "
          "como quanto quais pelo pela mais seu sua",
    "es": "el los las un una de del en y que para por con no al fue son cual quien cuando donde como cuanto cuales "
          "cuantos la lo su se es mas",
    "fr": "le les un une de du des en et que pour par avec ne pas au aux est sont quel quelle qui quand ou comment "
          "combien la dans sur ce il elle",
    "de": "der die das ein eine und ist nicht mit von zu im den dem des auf fur als auch wie was wer wann wo welche "
          "welcher welches wird wurde sich bei nach",
    "it": "il lo gli un una di del della in e che per con non al e sono quale chi quando dove come quanto la le dei "
          "delle nel nella si",
    "nl": "de het een en van in is dat niet met op te voor zijn aan er wat wie wanneer waar hoe welke door bij ook",
    "ro": "si in de la pe cu nu este sunt care ce cine cand unde cum cat din un o a al ale pentru au fost lui prin",
    "tr": "bir ve bu ne kim nasil nerede hangi kac icin ile olarak da de mi en cok olan var kadar sonra daha",
    "vi": "la cua va cac co mot trong da nhung duoc cho khong voi nguoi nao gi khi o bao nhieu ai tai",
}
_WHOSE: dict[str, list[str]] = {}
for _language, _words in LITTLE_WORDS.items():
    for _word in set(_words.split()):
        _WHOSE.setdefault(_word, []).append(_language)

LANGUAGES = ("", *LITTLE_WORDS, "ru", "ja", "zh", "ko")
"""All that are told apart; the first stands for every other one."""

_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("ja", "[\u3040-\u30ff]"),
    ("zh", "[\u4e00-\u9fff]"),
    ("ko", "[\uac00-\ud7a3]"),
    ("ru", "[\u0400-\u04ff]"),
)
_SHARE = {"ja": 0.1, "zh": 0.25, "ko": 0.25, "ru": 0.4}
"""Of the letters, so much of a script makes it the text's; kana stand among Han, and a name may be quoted anywhere."""


def language(text: str) -> str:
    """A two-letter code of `LANGUAGES`, or "" where nothing tells. About 10 µs for a hundred words."""
    some = normal(text[:LOOKED_AT])
    if not some.isascii():
        letters = max(sum(map(str.isalpha, some)), 1)
        for name, script in _SCRIPTS:
            if len(re.findall(script, some)) >= _SHARE[name] * letters:
                return name
    counts: Counter[str] = Counter()
    for word in _WORD.findall(_folded(some.lower())):
        for whose in _WHOSE.get(word, ()):
            counts[whose] += 1
    best = counts.most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else ""


def _folded(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata

    return "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))
