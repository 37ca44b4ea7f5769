"""What can go wrong, as a tree.

    RhizomeError                 something the caller did not ask for; the message says what to do next
    ├── Refused                  the request itself is wrong (usage): exit code 2
    │   └── OutsidePath          a path that leaves the home
    ├── NotFound                 no such note, event, key or session: exit code 1
    ├── NoHome                   there is no home here: run `rhizome init`
    ├── Locked                   another process holds the lock: exit code 5
    ├── Damaged                  bytes that should never change have changed: exit code 4
    ├── Conflict                 the expected tip or head has moved; read again and retry
    ├── NotDurable               a write was not there when it was read back; nothing was acknowledged
    └── TooNew                   written by a newer rhizome; this one may only read

Outcomes a caller should think about (no evidence, a note that did not parse) are values, not exceptions.
"""


class RhizomeError(Exception):
    """A message in one line that names the thing and what was wrong, and a hint that says what to do next."""

    code = "failed"
    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Refused(RhizomeError):
    code, exit_code = "refused", 2


class OutsidePath(Refused):
    code = "outside_path"


class NotFound(RhizomeError):
    code = "not_found"


class NoHome(RhizomeError):
    code = "no_home"


class Locked(RhizomeError):
    code, exit_code = "locked", 5


class Damaged(RhizomeError):
    code, exit_code = "damaged", 4


class Conflict(RhizomeError):
    code = "conflict"


class NotDurable(RhizomeError):
    code = "not_durable"


class TooNew(RhizomeError):
    code = "too_new"
