"""What a session has measured on the pages Break a part and Cost. A page's own file is run anew and keeps nothing."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from model.cost.timing import Timing
from model.experiments.broken_parts import MeasureComparison


@dataclass
class BenchSession:
    """Measures of a whole model beside those of the model without parts, by what was measured."""

    comparisons: dict[Hashable, list[MeasureComparison]] = field(default_factory=dict)
    finished: set[Hashable] = field(default_factory=set)


@dataclass
class CostSession:
    """The shape of the last model that was open, by key, and times by model: exact ones, and quick ones before."""

    shape: dict[str, int] = field(default_factory=dict)
    exact: dict[str, list[Timing]] = field(default_factory=dict)
    quick: dict[str, list[Timing]] = field(default_factory=dict)
