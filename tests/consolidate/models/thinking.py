"""A memory whose nights ask a model, and what can be seen of that from outside."""

from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from rhizome.memory.memory import Memory
from rhizome.model import Event
from tests.memory.living import Living


@dataclass
class Thinking(Living):
    waited: list[float] = field(default_factory=list)

    def begins(self) -> "Thinking":
        super().begins()
        self.around = replace(self.around, wait=self.waited.append)
        self.again()
        return self

    def asks(self, distill: str) -> "Thinking":
        """Sets what `[distill]` says."""
        marker = self.home / "rhizome.toml"
        before = marker.read_text(encoding="utf-8").partition("\n[distill]")[0]
        marker.write_text(f"{before}\n[distill]\n{distill}\n", encoding="utf-8")
        self.again()
        return self

    def under(self, **environment: str) -> "Thinking":
        self.around = replace(self.around, environment=environment)
        self.again()
        return self

    def answers(self) -> list[Event]:
        return list(self.memory.parts.log.history(("model.answered",)))

    def statements(self, *, status: str = "active") -> list[str]:
        return sorted(fact["statement"] for fact in self.memory.facts(status=status)["facts"])

    def rebuilds(self) -> dict[str, Any]:
        """From nothing: index and derived notes deleted, the log replayed."""
        self.memory.parts.forget_index()
        self.memory = Memory(self.around)
        return self.memory.rebuild(verify=True)
