"""What is searched of a note file, of a session and of the facts that hold, as documents."""

from collections.abc import Iterable, Iterator

from rhizome.graph.edges import blob_id
from rhizome.graph.note import parse
from rhizome.ledger.keys import statement_id
from rhizome.log.lineage import Lineage
from rhizome.memory.parts import Parts
from rhizome.model import PRIVATE, Fact, Origin, Part, Status, Tier, timestamp
from rhizome.search.documents import Document, fact_documents, note_documents, session_documents


def sections(parts: Parts, ref: str, data: bytes, mtime_ns: int) -> list[Document]:
    """The documents of one note file. A note that the log does not know yet was recorded when its file was."""
    note = parse(ref, data)
    known = parts.known.get(ref)
    logged = known is not None and known.blob == blob_id(data)
    recorded_at = known.recorded_at if known and logged else timestamp(parts.instant_of(mtime_ns))
    derived = known.derived if known else note.derived is not None
    return note_documents(
        ref, note.title, [(" › ".join(section.heading), section.line, section.text) for section in note.sections],
        tier=parts.note_tier(note), aliases=note.aliases, scope=known.scope if known else None, date=recorded_at,
        origin=Origin.MEMORY if derived else Origin.HUMAN, actor="consolidator" if derived else "human",
        recorded_at=recorded_at, source=ref,
    )  # fmt: skip


def spoken(parts: Parts, session: str, lineage: Lineage) -> Iterator[Document]:
    """The documents of one session as it is read: what was first seen in it. Copies of another's turns belong there.

    A question that an agent put to its memory is none: it would answer itself the next time.
    """
    from rhizome.log.importers.texts import remembers
    from rhizome.log.sessions import info, messages  # with every importer behind it; most readers read no session

    about = info(parts.log, session, lineage)
    recorded, sources = dict[str, str](), dict[str, str]()
    for event in parts.log.session(session):
        recorded.setdefault(event.id, event.recorded_at)
        sources.setdefault(event.id, f"{event.source.harness}:{event.source.path}" if event.source else about.path)
    heard = (each for each in messages(parts.log, session, lineage)
             if each.part is not Part.CALLED or not remembers(each.tool, each.arguments or {"command": each.text}))
    found = session_documents(
        heard, session=session, scope=about.scope, title=about.title,
        actors={}, recorded=recorded, sources=sources,
    )  # fmt: skip
    return (document for document in found if document.ref in recorded)


def current_facts(parts: Parts) -> tuple[list[Document], set[str]]:
    """Documents of the facts current for each clearance, and ids of those that an amber reader must not see as such."""
    green = list(parts.ledger(Tier.GREEN).facts(status=Status.ACTIVE))
    amber = list(parts.ledger(Tier.AMBER).facts(status=Status.ACTIVE))
    current = {fact.id for fact in amber}
    stale = [fact for fact in green if fact.id not in current]
    mine = [fact for fact in amber if fact.tier != Tier.GREEN or fact.id not in {each.id for each in green}]
    return [*fact_documents([*green, *mine])], {f"fact:{fact.id}" for fact in stale} | shadowed_notes(parts, stale)


def shadowed_notes(parts: Parts, stale: Iterable[Fact]) -> set[str]:
    """Sections of green derived notes that state what an amber fact has replaced."""
    marks = [f"[^{statement_id(fact.scope, fact.fact_key)}]" for fact in stale]
    found = set()
    for note in parts.known.derived() if marks else ():
        if note.blob and not note.ref.startswith(PRIVATE):
            sections = parse(note.ref, parts.vault.read(note.ref)).sections
            found |= {f"note:{note.ref}#{nth}" for nth, section in enumerate(sections)
                      if any(mark in section.text for mark in marks)}  # fmt: skip
    return found
