"""What of a document gets a vector: its names and each of its sentences; the best one is what a hit shows."""

from rhizome.graph.segments import sentences as spans
from rhizome.patterns import late
from rhizome.search.documents import Document

SENTENCES = 64
"""A document's first sentences have vectors; a longer one is a listing, and its words are found without."""

SENTENCE_CHARS = 600

MOSTLY = 0.4
_UNCOVERED = late("[\u0370-\u03ff\u0530-\u10ff\u1200-\u1fff]")
"""Greek, Armenian, Hebrew, Arabic, Indic, Thai and their neighbours: the model knows too few of their words."""


def sentences(text: str) -> list[str]:
    """The sentences, list items and lines of a text in order; a very long one is cut into pieces."""
    found = (" ".join(text[span.start : span.end].split()) for span in spans(text))
    return [part[at : at + SENTENCE_CHARS] for part in found for at in range(0, len(part), SENTENCE_CHARS)]


def chunks(document: Document) -> list[tuple[int, str]]:
    """(place, text) of what gets a vector: 0 is the document's names, n its nth sentence; none in uncovered scripts.

    A call is a command or code, which is no sentence.
    """
    if document.role == "call":
        return []
    names = "" if document.layer == "history" else ", ".join(
        filter(None, (document.title.replace("|", " "), document.heading, *document.aliases)))
    parts = [(0, names), *enumerate(sentences(document.text)[:SENTENCES], 1)]
    return [(place, text) for place, text in parts if text.strip() and covered(text) and (place or _says(text))]


def _says(names: str) -> bool:
    """Whether a name is more than a number or a date, which say nothing that words would not find."""
    return any(map(str.isalpha, names))


def covered(text: str) -> bool:
    """Whether the model can say something about a text: most of its letters are of scripts that it knows."""
    if text.isascii():
        return True
    letters = sum(map(str.isalpha, text))
    return len(_UNCOVERED.findall(text)) <= MOSTLY * max(letters, 1)
