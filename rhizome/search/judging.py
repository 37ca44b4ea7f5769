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


def judge(ranked: Ranked, k: int, floors: Sequence[Threshold]) -> Found | InsufficientEvidence:
    """The hits that reach the floor, or why none does, with the nearest ones."""
    question = ranked.question
    if not question.asked:
        return InsufficientEvidence("off_topic", "the question holds no word to look for")
    threshold = floor.strictest(floors)
    scored = [each for each in ranked.scored if each.document]
    strengths = {each.order: _strength(each, ranked, threshold) for each in scored}
    if (best := max(strengths.values(), default=0.0)) >= 1:
        least = min(1.0, max(BESIDE, THIRD * best))
        shown = [each for each in scored if strengths[each.order] >= least]
        return Found(tuple(hit(each, question, strengths[each.order]) for each in shown[: max(k, 1)]))
    nearest = scored[:NEAREST]
    hits = tuple(hit(each, question, strengths[each.order]) for each in nearest)
    numbers = _numbers(nearest[0] if nearest else None, threshold, ranked.vectors)
    if not nearest or question.only_stops or nearest[0].coverage < ABOUT:
        return InsufficientEvidence("off_topic", f"nothing here is about this ({numbers})", hits)
    name = f"{hits[0].title} ({hits[0].ref})" if hits[0].title else hits[0].ref
    alias = " ".join(missing(question, nearest[0].candidate) or (each.word.surface for each in question.content))
    return InsufficientEvidence(
        "near_miss", f"nearest is {name}, which does not say “{alias}”; with that as an alias it would be found "
        f"({numbers})", hits)


def confidence(ranked: Ranked, floors: Sequence[Threshold]) -> float:
    """The best evidence as a multiple of the floor: how sure it is that there is an answer. 1 and more is one."""
    threshold = floor.strictest(floors)
    return max((_strength(each, ranked, threshold) for each in ranked.scored), default=0.0)


def _strength(scored: Scored, ranked: Ranked, threshold: Threshold) -> float:
    """Evidence as a multiple of the floor; for a question of stop words alone, whether they make up a name."""
    question = ranked.question
    if question.only_stops:
        return float({each.word.term for each in question.asked} <= set(scored.candidate.unit.head.split()))
    only_numbers = all(any(map(str.isdigit, each.word.term)) for each in question.content)
    vectors = ranked.vectors and not only_numbers  # what is near a number is another number
    return floor.strength(scored, threshold, vectors=vectors)


def _numbers(best: Scored | None, threshold: Threshold, vectors: bool) -> str:
    coverage, cosine = (best.coverage, best.cosine) if best else (0.0, 0.0)
    if not vectors:
        return f"covers {coverage:.2f} of {threshold.coverage:.2f}"
    return f"covers {coverage:.2f}, cosine {cosine:.2f}, together {coverage + cosine:.2f} of {threshold.together:.2f}"
