"""The verbs about what awaits a person."""

from typing import Any

from rhizome.memory.verbs import Answer, Verbs, healed


class ReviewVerbs(Verbs):
    """To look at what awaits a person, and to decide it."""

    @healed
    def review(self) -> Answer:
        """What awaits a person; nothing of it happens by itself."""
        from rhizome.memory import reviewing

        self.parts.sound()
        return {"items": [reviewing.told(item) for item in reviewing.items(self.parts)]}

    @healed
    def review_accept(self, *, id: str, yes: bool = False) -> Answer:  # noqa: A002
        return self._decide(id, "accept", yes=yes)

    @healed
    def review_reject(self, *, id: str, yes: bool = False) -> Answer:  # noqa: A002
        return self._decide(id, "reject", yes=yes)

    @healed
    def review_edit(self, *, id: str, statement: str, value: str | None = None, yes: bool = False) -> Answer:  # noqa: A002
        return self._decide(id, "edit", yes=yes, statement=statement, value=value)

    @healed
    def review_supersede(
        self, *, id: str, statement: str | None = None, value: str | None = None, yes: bool = False  # noqa: A002
    ) -> Answer:
        return self._decide(id, "supersede", yes=yes, statement=statement or "", value=value)

    @healed
    def review_merge(self, *, id: str, into: str | None = None, yes: bool = False) -> Answer:  # noqa: A002
        return self._decide(id, "merge", yes=yes, into=into)

    def _decide(self, name: str, decision: str, **how: Any) -> Answer:
        from rhizome.memory import reviewing, saves

        self.parts.sound()
        saves.take_saves(self.parts)
        item, events = reviewing.decide(self.parts, name, decision, **how)
        return {"item": reviewing.told(item), "decision": decision, "events": [event.id for event in events]}
