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

ABOUT = 0.2
"""A document that holds this share of a question's content is a near miss: the subject is known, the answer is not."""


def judge(ranked: Ranked, k: int, floors: Sequence[Threshold]) -> Found | InsufficientEvidence:
    """The hits that reach the floor, or why none does, with the nearest ones."""
    question = ranked.question
    if not question.asked:
        return InsufficientEvidence("off_topic", "the question holds no word to look for")
    threshold = floor.strictest(floors) if floors else floor.UNFITTED
    strong = [each for each in ranked.scored if _is_evidence(each, ranked, threshold)]
    if strong:
        return Found(tuple(hit(each, question) for each in strong[:k]))
    nearest = sorted(ranked.scored, key=lambda each: (-floor.strength(each, threshold), each.order))[:NEAREST]
    hits = tuple(hit(each, question) for each in nearest)
    if not nearest or nearest[0].coverage < ABOUT:
        return InsufficientEvidence("off_topic", f"nothing here is about this ({_numbers(nearest, threshold)})", hits)
    alias = " ".join(missing(question, nearest[0].candidate))
    return InsufficientEvidence(
        "near_miss", f"nearest is {hits[0].title or hits[0].ref} ({hits[0].ref}), which does not say “{alias}”; "
        f"with that as an alias it would be found ({_numbers(nearest, threshold)})", hits)


def _is_evidence(scored: Scored, ranked: Ranked, threshold: Threshold) -> bool:
    """Whether a hit reaches the floor; for one of stop words alone, whether they make its name."""
    if ranked.question.only_stops:
        return {each.word.term for each in ranked.question.asked} <= set(scored.candidate.row.head)
    if all(any(map(str.isdigit, each.word.term)) for each in ranked.question.content):
        return scored.coverage >= threshold.coverage  # what is near a number is another number
    return floor.strength(scored, threshold) >= 1


def _numbers(nearest: Sequence[Scored], threshold: Threshold) -> str:
    best = nearest[0] if nearest else None
    return (f"covers {best.coverage if best else 0:.2f} of {threshold.coverage:.2f}, "
            f"cosine {best.cosine if best else 0:.2f} of {threshold.cosine:.2f}")
