"""The map of a vocabulary: its tokens in the plane of largest variance, with those of the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from model.arrays import Array
from model.cached_property import cached_property
from views.inputs.vocabulary import NewVocabulary, Plane, Vocabulary, table_of, tokens_of
from views.parts import Chart, Draw, Files
from views.run import Run
from views.view import View, grey
from viz.documents.page_parts import Group, Heading
from viz.inputs.vocabulary import vocabulary_figure
from viz.shared.style import percent
from viz.shared.tokens import labels

MAX_TOKENS = 1200  # of the vocabulary; a map of all 49,152 of SmolLM2 would be a megabyte
MAP = "tokens map"  # the key of the picture


@dataclass(frozen=True)
class VocabularyMap(View):
    """The tokens of a sentence among those of the vocabulary, with the neighbours of the one at the place `token`."""

    run: Run
    token: int
    vocabulary: Vocabulary = field(default=NewVocabulary(), compare=False)

    @cached_property
    def plane(self) -> Plane:
        """The place of each token, and the share of the variance that the plane holds."""
        return self.vocabulary.plane(self.run)

    @property
    def places(self) -> Array:
        """The place of each token: (V, 2)."""
        return self.plane[0]

    @cached_property
    def sample(self) -> Array:
        """The ids of the tokens that are drawn."""
        count = len(self.places)
        return np.unique(np.linspace(0, count - 1, min(MAX_TOKENS, count)).astype(int))

    def picture_parts(self) -> Sequence[Any]:
        heading = Heading("The map of the vocabulary", 3)
        return [heading, Group([self.picture()], key=MAP), *grey(self.caption()), self.files()]

    number_parts = picture_parts

    def picture(self) -> Chart:
        alt = "Tokens in the plane of largest variance; those of the sentence in blue, neighbours in orange"
        return Chart(self._draw(), alt)

    def _draw(self) -> Draw:
        run = self.run
        near = [id for id, _ in self.vocabulary.nearest(run, tokens_of(run)[self.token].id)]
        others, sentence = self._place(self.sample.tolist()), self._place(self._ids())
        return partial(vocabulary_figure, others, self._place(near), sentence, self.token)

    def _place(self, ids: list[int]) -> tuple[Array, list[str]]:
        """The places of tokens, and their names."""
        return self.places[ids], self._names(ids)

    def _ids(self) -> list[int]:
        return [token.id for token in tokens_of(self.run)]

    def _names(self, ids: Sequence[int]) -> list[str]:
        tokenizer = self.run.model.tokenizer
        return labels([tokenizer.token(id) for id in ids])

    def caption(self) -> str:
        count, drawn = len(self.places), len(self.sample)
        number_drawn = "all" if drawn == count else f"{drawn:,} of the"
        share, features = percent(self.plane[1]), table_of(self.run).shape[1]
        return (
            f"Grey: {number_drawn} {count:,} tokens. Blue: your sentence. Orange: the nearest to the chosen token in "
            f"all {features} dimensions. The two dimensions of the map hold {share} of the variance."
        )

    def files(self) -> Files:
        return Files(f"{self.run.name}-vocabulary", self._draw(), self._draw(), self._rows, focus=(MAP,))

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each token that is drawn, first those of the vocabulary."""
        ids = [*self.sample.tolist(), *self._ids()]
        return [
            {"token": name, "x": float(x), "y": float(y)}
            for name, (x, y) in zip(self._names(ids), self.places[ids], strict=True)
        ]
