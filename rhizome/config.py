"""Policy numbers, each with its reason, and what a home's `rhizome.toml` may set."""

SEGMENT_BYTES = 64 * 1024 * 1024
"""Where a log segment ends. Large enough that a year is a few hundred files, small enough to verify in a second."""

TURN_IDLE_HOURS = 6
"""A turn without a successor counts as closed this long after its session's last record (rules of turns)."""

TEXT_SETTLES_HOURS = 24
"""The end of a text file (an answer that may still be growing) counts when the file stood still this long."""

WHOLE_CHECK_DAYS = 7
"""How long a session file may be believed by its size, time and edges before all of it is hashed again."""

SOON_DAYS = 7
"""An import names the sessions that their harness will delete within so many days."""

DRAFTS_PER_TURN = 5
"""At most this many drafts are taken from one turn; a model asked for five says what matters."""

PROPOSALS_PER_TURN = 5
PROPOSALS_PER_SESSION = 20
PROPOSAL_CHARS = 2_000
"""What one agent may propose, so that a loop cannot fill a memory."""

EXPIRE_DAYS = {"fact": 180, "lesson": 365, "preference": 365}
"""Days without confirmation after which a fact of a type is no longer current. Types not named never expire: what a
person ruled or decided holds until a person says otherwise. `[ledger] expire` of a home says other numbers."""

QUOTE_MIN_CHARS = 12
"""A quote this short or shorter proves nothing unless it is the whole text."""

ADOPT_RECORDS = 8
"""A file without any id inside is a renamed copy when it shares this many leading records (below: a duplicate is
better than a loss)."""

LOOK_SECONDS = 0.2
"""How long an answering process that cannot watch the notes may rely on its last look at them. Shorter than a person
needs to switch windows; a look at 10,000 notes costs up to a tenth of a second."""

LOCK_SECONDS = 10.0
"""How long a writing verb waits for another one before it says who holds the lock."""

STALE_LOCK_SECONDS = 60.0
"""A lock file of git's that is older and that no living git can own is moved aside; younger ones are waited for."""

DISTILL_BUDGET_TOKENS = 200_000
"""What a model may be asked in one day, in tokens of questions and answers; `[distill] budget_tokens` sets it."""

QUESTION_TURNS = 8
QUESTION_CHARS = 24_000
"""What one question to a model holds: about 7,000 tokens, which small local models still read to the end."""

FACTS_SHOWN = 40
"""So many known facts of a project stand beside its turns, so that the same thing gets the same key."""

ANSWER_BYTES = 2 * 1024 * 1024
ANSWER_TOKENS = 8_192
"""What an answer may come to. Forty drafts are about 6,000 tokens and 30 kB."""

VAIN_NIGHTS = 3
"""A turn that was asked about so often without a usable answer waits for a person or another model."""

DUE_MINUTES = 15
"""How often `rhizome up` asks whether a day that is over waits, and looks for new sessions: cheap, and a laptop that
slept is caught up soon after it wakes."""

SWEEP_MINUTES = 5
"""How often `rhizome up` looks at the notes without having heard of a change: file events are hints and get lost."""

QUIET_SECONDS = 2.0
LONGEST_SECONDS = 30.0
"""A save is taken in after so much quiet, and at the latest so long after it: editors write a file several times."""

LOOKING = 0.05
"""The share of its time that `rhizome up` reads sessions at most while they are written: a database of a gigabyte that
changes all day would else be read all day."""

LOOSE_OBJECTS = 5_000
"""So many of git's objects with a file each are packed by the next night: a thousand commits, 25 MB."""

NIGHTLY = "03:30"
"""When a schedule of the operating system asks, in its own time zone; a missed night is caught up."""

DEPTH = "RHIZOME_DEPTH"
"""The environment variable that a program which is asked finds set: a hook of its own must not set off another run."""
