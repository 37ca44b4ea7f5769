"""Random lives of a whole memory: sessions, corrections, people's notes and edits, removals, nights, lost indexes."""

import shutil
from pathlib import Path
from random import Random

from tests.memory.living import Living

SAYINGS = (
    "The dev server runs on port {}.", "The metrics port is {}.", "Batch size is {} rows.",
    "Uploads are limited to {} MB.", "The session timeout should be {} minutes.", "Backups are kept for {} days.",
)  # fmt: skip
PROJECTS = ("tidepool", "mossbridge")


class Life:
    """What happens to one memory, drawn from a seed."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.memory, self.random = Living(folder, zone="Europe/Lisbon").begins(), random
        self.count = 0

    def goes_on(self, steps: int) -> "Life":
        for _ in range(steps):
            self.random.choice((self.agent, self.agent, self.person, self.edit, self.remember, self.sleep, self.loss))()
        self.memory.sleeps()
        return self

    def number(self) -> int:
        self.count += 1
        return 1000 + self.count

    def agent(self) -> None:
        text = self.random.choice(SAYINGS).format(self.number())
        project = self.random.choice(PROJECTS)
        self.memory.hears(text, session=f"{project}-{self.random.randint(1, 2)}", project=project)

    def remember(self) -> None:
        value = str(self.number())
        self.memory.memory.remember(key="deploy|floor", statement=f"We deploy from floor {value}.", value=value)

    def person(self) -> None:
        name = self.random.choice(("a.md", "topic/b.md", "tidepool.md", "private/c.md"))
        if name.startswith("private/") and not (self.memory.home / "private" / ".git").exists():
            return
        self.memory.writes(name, f"# A note\n\nMine, the {self.number()}th, about [tidepool](tidepool.md): because\n")

    def edit(self) -> None:
        derived = sorted(self.memory.derived())
        if derived:
            ref = self.random.choice(derived)
            text = self.memory.text(ref)
            dice = self.random.random()
            if dice < 0.1:
                self.memory.path(ref).unlink()
            elif dice < 0.5:
                self.memory.writes(ref, text + f"\nmine {self.number()}\n")
            else:
                self.memory.writes(ref, text.replace("port 1", "port 7", 1))

    def sleep(self) -> None:
        self.memory.sleeps()

    def loss(self) -> None:
        shutil.rmtree(self.memory.home / "index", ignore_errors=True)
