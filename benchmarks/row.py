"""One figure of a benchmark."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Row:
    """`measured` in `unit` against `limit`, beside what a bare baseline (`beside`) gave in the same run."""

    name: str
    measured: float
    unit: str
    limit: float
    better: Literal["higher", "lower"]
    beside: str
    beside_measured: float
