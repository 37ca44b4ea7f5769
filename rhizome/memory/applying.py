"""The notes as the log has them, committed: what a night decided, and what one that was cut off left undone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rhizome.config import LOCK_SECONDS
from rhizome.consolidate.derive import Derived
from rhizome.consolidate.plan import diff
from rhizome.errors import Conflict, Refused
from rhizome.memory.alone import notes_alone
from rhizome.memory.outages import WHY, emptied, remember, under
from rhizome.memory.parts import Parts


@dataclass(slots=True)
class Applied:
    """What the log says (`derived`), how many commits that took, and which refs wait (ref -> why)."""

    derived: Derived
    commits: int = 0
    waiting: dict[str, str] = field(default_factory=dict)


def apply(parts: Parts) -> Applied:
    """Commit what the log says and the notes do not have yet: one commit a note, one index write a repository."""
    with notes_alone(parts.home, LOCK_SECONDS):
        applied = Applied(parts.known.replay(parts.log, parts.heads()))
        have, applied.waiting = committed(parts, applied.derived)
        wanted = {ref: data for ref, data in applied.derived.files.items() if ref not in applied.waiting}
        plan = diff(wanted, have)
        changes = {note.path: note.data for note in plan.write} | dict.fromkeys(plan.drop)
        subjects = {note.path: note.subject for note in plan.write}
        calls = {note.ref: note.call for note in parts.known.derived()}
        with parts.vault.batch(changes):
            for nth, (ref, data) in enumerate(changes.items(), 1):
                call = f"{calls[ref]}/{nth}" if calls[ref].startswith("consolidate/") else calls[ref]
                commit(parts, applied, ref, data, call=call, subject=subjects.get(ref, f"remove {ref}"))
        remember(parts, [note.path for note in plan.write])
    return applied


def restore(parts: Parts, derived: Derived, missing: Mapping[str, str]) -> list[str]:
    """Write back derived notes that are `missing`, under the call that made each; which were written."""
    with notes_alone(parts.home, LOCK_SECONDS):
        applied, busy = Applied(derived), parts.vault.busy()
        out = emptied(parts, missing, unknown=False)
        free = [ref for ref in missing if parts.vault.prefix(ref) not in busy and not under(ref, out)]
        with parts.vault.batch(free):
            for ref in free:
                known = parts.known.get(ref)
                call = known.call if known else f"consolidate/{parts.home.id}"
                commit(parts, applied, ref, derived.files[ref], call=call, subject=f"restore {ref}")
    return [ref for ref in free if ref not in applied.waiting]


def commit(parts: Parts, applied: Applied, ref: str, data: bytes | None, *, call: str, subject: str) -> None:
    """One commit; a note with text that no commit has waits for its person."""
    try:
        parts.vault.commit(ref, data, call=call, subject=subject, head=parts.where())
        applied.commits += 1
    except (Conflict, Refused) as wrong:
        applied.waiting[ref] = wrong.message


def committed(parts: Parts, derived: Derived) -> tuple[dict[str, bytes], dict[str, str]]:
    """The derived notes at the tips and in the work trees, and those that must wait, with why."""
    have, waiting = dict[str, bytes](), dict[str, str]()
    busy, tips = parts.vault.busy(), parts.vault.tip_blobs()
    refs = [note.ref for note in parts.known.derived()]
    for ref in refs:
        why = busy.get(parts.vault.prefix(ref)) if busy else None
        if why is not None:
            if ref in derived.files or ref in tips:
                waiting[ref] = why
        elif ref in tips and (parts.vault.stands(ref) or ref not in derived.files):
            have[ref] = parts.vault.committed(ref)
    out = emptied(parts, [ref for ref in derived.files if not parts.vault.stands(ref)], unknown=False)
    waiting |= {ref: WHY for ref in derived.files if under(ref, out)}
    return have, waiting
