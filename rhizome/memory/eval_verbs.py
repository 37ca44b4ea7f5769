"""The verbs about how well a memory answers."""

from collections.abc import Sequence
from pathlib import Path

from rhizome.memory.verbs import Answer, Verbs, healed


class EvalVerbs(Verbs):
    """To measure answers: on sets of others, on a person's own questions, and two runs side by side."""

    def eval_bench(
        self, *, folder: Path, out: Path | None = None, no_vectors: bool = False, parents: bool = False,
        settings: Sequence[str] | None = None,
    ) -> Answer:  # fmt: skip
        """Measure a memory made for it; this one is not asked, and need not be there."""
        from rhizome.memory import benching

        return benching.bench(
            self.parts.around, folder, out=out, vectors=not no_vectors, settings=settings or (), parents=parents
        )

    @healed
    def eval_add(
        self, *, question: str, expect: Sequence[str] | None = None, expect_nothing: bool = False
    ) -> Answer:
        from rhizome.memory import evaluating

        return evaluating.add(self.parts, question, expect=expect or (), nothing=expect_nothing)

    @healed
    def eval_run(self) -> Answer:
        from rhizome.memory import evaluating

        return evaluating.run(self.parts)

    def eval_compare(self, *, a: Path, b: Path, queries: Path, figure: str | None = None) -> Answer:
        from rhizome.memory import evaluating

        return evaluating.compare(a, b, queries=queries, figure=figure)
