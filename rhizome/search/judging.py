"""An answer or a refusal: the hits that reach the floor, else the reason why there is none and what came nearest."""

from collections.abc import Sequence

from rhizome.model import Found, InsufficientEvidence
from rhizome.search import floor
from rhizome.search.manifest import Threshold
from rhizome.search.ranking import Ranked
from rhizome.search.receipts import hit
from rhizome.search.rescore import Scored, missing

NEAREST = 3
"""How many weak hits go along with a refusal."""

ABOUT = 0.15
"""A document that holds this share of a question's content is a near miss: the subject is known, the answer is not."""


BESIDE = 0.6
THIRD = 1 / 3
"""Once something answers, documents with this share of the floor stand beside it, because two halves of an answer are
two documents that each cover less; but none with less than a third of the best one's evidence."""


def judge(ranked: Ranked, k: int, floors: Sequence[Threshold], sure: float) -> Found | InsufficientEvidence:
    """The hits that reach the floor, or why none does, with the nearest ones; `sure` is the `confidence`."""
    question = ranked.question
    if not question.asked:
        return InsufficientEvidence("off_topic", "the question holds no word to look for")
    least = _floor(ranked, floors)
    scored = [each for each in ranked.scored if each.document]
    strengths = {each.order: _strength(each, ranked, least) for each in scored}
    best = max(strengths.values(), default=0.0)
    if best >= 1 and (sure >= 1 or any(each.coverage >= floor.ENOUGH for each in scored)):
        shown = [each for each in scored if strengths[each.order] >= min(1.0, max(BESIDE, THIRD * best))]
        return Found(tuple(hit(each, question, strengths[each.order]) for each in shown[: max(k, 1)]))
    nearest = scored[:NEAREST]
    hits = tuple(hit(each, question, strengths[each.order]) for each in nearest)
    numbers = f"covers {nearest[0].coverage if nearest else 0.0:.2f}, evidence {sure * least:.2f} of {least:.2f}"
    if not nearest or question.only_stops or nearest[0].coverage < ABOUT:
        return InsufficientEvidence("off_topic", f"nothing here is about this ({numbers})", hits)
    name = f"{hits[0].title} ({hits[0].ref})" if hits[0].title else hits[0].ref
    alias = " ".join(missing(question, nearest[0].candidate) or (each.word.surface for each in question.content))
    return InsufficientEvidence(
        "near_miss", f"nearest is {name}, which does not say “{alias}”; with that as an alias it would be found "
        f"({numbers})", hits)


def confidence(ranked: Ranked, floors: Sequence[Threshold]) -> float:
    """How sure it is that there is an answer, as a multiple of the floor: 1 and more is one."""
    return floor.confidence(ranked.question, ranked.scored) / _floor(ranked, floors)


def _floor(ranked: Ranked, floors: Sequence[Threshold]) -> float:
    return floor.least(floor.strictest(floors), ranked.question.language, vectors=ranked.vectors)


def _strength(scored: Scored, ranked: Ranked, least: float) -> float:
    """Evidence as a multiple of the floor; for a question of stop words alone, whether they make up a name."""
    question = ranked.question
    if question.only_stops:
        return float({each.word.term for each in question.asked} <= set(scored.candidate.unit.head.split()))
    return max(scored.coverage / floor.ENOUGH, floor.evidence(question, scored) / least)
