"""The answer of a verb, printed."""

import sys
from collections.abc import Callable

from rhizome.render import aliases, evaluate, facts, finding, home, log, nights, review, sessions
from rhizome.render.text import Answer

VERBS: dict[str, Callable[[Answer], list[str]]] = {
    "init": home.init,
    "import": sessions.import_,
    "search": finding.search,
    "read": finding.read,
    "graph": finding.graph,
    "fact": facts.fact,
    "facts": facts.facts,
    "aliases list": aliases.listed,
    "aliases suggest": aliases.suggested,
    "review": review.review,
    "review accept": review.decision,
    "review reject": review.decision,
    "review edit": review.decision,
    "review supersede": review.decision,
    "review merge": review.decision,
    "schedule install": nights.schedule,
    "schedule status": nights.schedule,
    "schedule remove": nights.schedule,
    "why": facts.why,
    "blame": facts.blame,
    "remember": facts.remember,
    "consolidate": nights.consolidate,
    "rebuild": nights.rebuild,
    "list": finding.list_,
    "check": finding.check,
    "status": home.status,
    "doctor": home.doctor,
    "log verify": log.verify,
    "log repair": log.repair,
    "log show": log.events,
    "log tail": log.events,
    "log grep": log.events,
    "log stats": log.stats,
    "eval bench": evaluate.bench,
    "eval add": evaluate.add,
    "eval run": evaluate.run,
    "eval compare": evaluate.compare,
    "home export-key": home.export_key,
    "home import-key": home.import_key,
}


def show(verb: str, found: Answer) -> None:
    """Print the answer of a verb; `read` prints the exact bytes, unless a terminal would obey them."""
    if verb == "read" and not sys.stdout.isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(found["text"].encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
        return
    text = "\n".join(VERBS[verb](found))
    if text:
        print(text)
