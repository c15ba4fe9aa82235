"""The attention of some queries, summed by the turns of a conversation or by the roles of those who speak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.cached_property import cached_property
from viz.shared.style import count_noun, percent

if TYPE_CHECKING:
    from torch import Tensor

    from model.analysis.turns import TokenGroup
    from model.arrays import Array
    from model.tokens.tokenizer import Token

ASKED = ALL, QUESTION, ANSWER = ("all", "question", "answer")
SUMMED = BY_TURN, BY_ROLE = ("turn", "role")
ASKED_HELP = 'the queries: all, or those of the last "question" or "answer"'
SUMMED_HELP = "what the weights are summed by"


@dataclass(frozen=True)
class TurnShares:
    """The weights (queries, keys) of a head, summed by the groups of its keys.

    `asked`: the queries, one of `ASKED`. `summed`: by one of `SUMMED`.
    """

    queries: Sequence[Token]
    keys: Sequence[Token]
    weights: Tensor
    asked: str = ALL
    summed: str = BY_TURN

    @cached_property
    def groups(self) -> tuple[TokenGroup, ...]:
        from model.analysis.turns import groups_of  # torch is not loaded before a run is made

        return groups_of(self.keys, self.summed == BY_ROLE)

    @cached_property
    def has_asked(self) -> bool:
        """Whether the text has the turn whose queries are asked."""
        return bool(self._places_of(self.asked))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The places of the queries; all where the text has no such turn."""
        return self._places_of(self.asked if self.has_asked else ALL)

    def _places_of(self, asked: str) -> tuple[int, ...]:
        from model.analysis.turns import queries_from

        return queries_from(self.queries, asked)

    @cached_property
    def shares(self) -> Array:
        """The share of each query's attention that each group gets: (queries, groups)."""
        return self.sum(self.weights[list(self.places)])

    def sum(self, weights: Tensor) -> Array:
        """Weights (..., keys) summed by group: (..., groups)."""
        from model.analysis.turns import sum_groups

        return sum_groups(weights, self.groups).numpy()

    @property
    def asked_words(self) -> str:
        """ "8 places that write the answer"."""
        said = {ALL: "", QUESTION: " of the question", ANSWER: " that write the answer"}[self.asked]
        return f"{count_noun(len(self.places), 'place')}{said if self.has_asked else ''}"

    def say(self, shares: Array) -> str:
        """Shares (groups,), the largest first: “60% of its attention to user, 30% to template”."""
        first, *others = sorted(range(len(self.groups)), key=lambda at: (-shares[at], at))
        said = f"{percent(float(shares[first]))} of its attention to {self.groups[first].title}"
        return ", ".join([said, *(f"{percent(float(shares[at]))} to {self.groups[at].title}" for at in sorted(others))])
