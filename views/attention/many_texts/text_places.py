"""Places of the chosen head as lines of a list: each in its text, with the weights of its query."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from model.arrays import Array
from model.cached_property import cached_property
from model.surveys.places import Kept
from model.surveys.reading import Place
from model.surveys.rows import TextRow
from model.surveys.runs import rows_again
from model.surveys.survey import survey
from model.tokens.tokenizer import Token
from views.attention.many_texts.head_view import ViewOfOneHead
from views.parts import Canvas, DataTable, Files, OtherPage
from views.shared.quotes import quote, tex
from views.view import equation, grey, work_out
from viz.attention.many_texts_places import PlaceGroup, PlaceLine, pack_places
from viz.print import place_pictures
from viz.shared.payload import pack, unpack
from viz.shared.style import Theme
from viz.shared.tokens import labels

HOW_TO_READ = (
    "Blue frame: the query. Orange: the keys, as deep as it looks there. Click a text: it becomes the sentence, at "
    "this query and key."
)


@dataclass(frozen=True)
class PlacesOfHead(ViewOfOneHead):
    """Places of the head, in one group or in several. A click makes a text the sentence, at its query and key."""

    def groups(self) -> Sequence[tuple[str, Sequence[Place]]]:
        """The places below their titles; "" for none."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """What the places are, for a title and the name of a file: "strongest places"."""
        raise NotImplementedError

    def picture(self) -> Canvas:
        return Canvas("attention/head_texts", self._pack, "heads places", picks={"open": self._open})

    def picture_parts(self) -> Sequence[Any]:
        first, *others = super().picture_parts()
        return [first, *grey(HOW_TO_READ), *others]

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()), 2, height=560)

    def files(self) -> Files:
        return Files(f"{self.head.file_name}-{self.name.replace(' ', '-')}", rows=self._rows, print=self._print)

    def formula(self) -> Sequence[Any]:
        at, left_out = self.head.at, "" if self.head.at.is_cross else r", \; j \neq 0, \; j \neq i"
        said = "" if at.is_cross else "; those of the first token and of the query itself are left out"
        return [
            *equation(
                rf"\sum_j A_{{ij}} = 1, \qquad \mathrm{{places}} = \{{(i, j) : A_{{ij}} > 0{left_out}\}}",
                "Vaswani et al. (2017), eq. 1: a softmax makes the weights of a query.",
                {
                    "A": f"the weights of {self.head.place} on a text, a row for each query",
                    "(i, j)": f"a query and a key of any text{said}",
                },
            ),
            *(self._worked_row() if self.places else []),
        ]

    def _worked_row(self) -> list[Any]:
        """Where the whole weight of the first place's query goes."""
        place, looks = self.places[0], self.lines[0].looks
        queries, keys = self.sides(place)
        query = quote(labels(queries)[place.query], place.query, "blue")
        key = quote(labels(keys)[place.key], place.key, "orange")
        shown = dict.fromkeys([place.key] if self.head.at.is_cross else [place.key, 0, place.query])
        weights = [float(looks[at]) for at in shown]
        names = " + ".join(f"A_{{{place.query},{at}}}" for at in shown)
        numbers = " + ".join(map(tex, [*weights, float(looks.sum()) - sum(weights)]))
        return work_out(
            f"In the first text, {query} looks at {key}, and at all else that it sees:",
            rf"{names} + \text{{the rest}} = {numbers} = {tex(float(looks.sum()))}",
        )

    def code(self) -> Sequence[Any]:
        return [Kept, survey]

    def _pack(self) -> bytes:
        return pack_places(self.line_groups, title=f"{self.name} of {self.head.place}")

    def _open(self, picked: Sequence[Any]) -> OtherPage:
        group, place = map(int, picked)
        chosen, at = self.groups()[group][1][place], self.head.at
        keys = {"text": chosen.text, "target": "", "query": chosen.query, "key": chosen.key}
        keys |= {"attention": self.attention, "layer": at.layer, "head": self.head.head}
        return OtherPage("heads", keys | {"heads_view": "Lines", "heads_shown": ()})

    @cached_property
    def places(self) -> list[Place]:
        """Those of all groups."""
        return [place for _, places in self.groups() for place in places]

    @cached_property
    def lines(self) -> list[PlaceLine]:
        """The lines of all groups, with the weights of each query: the texts run once more for these."""
        is_cross = self.head.at.is_cross
        return [
            PlaceLine(place.weight, place.kind, *self.sides(place), place.query, place.key, looks, is_cross, length)
            for place, looks, length in zip(self.places, self._looks(), self.lengths, strict=True)
        ]

    @property
    def lengths(self) -> Sequence[float | None]:
        """The lengths of what the head writes at the places, where these are in that order."""
        return [None] * len(self.places)

    @property
    def line_groups(self) -> list[PlaceGroup]:
        """The lines below the titles of their groups."""
        lines = iter(self.lines)
        return [PlaceGroup(title, [next(lines) for _ in places]) for title, places in self.groups()]

    def sides(self, place: Place) -> tuple[Sequence[Token], Sequence[Token]]:
        """The tokens among which the query of a place stands, and those of its key."""
        row, config, at = self._text_rows[place.number], self.head.config, self.head.at
        queries = row.read_by(at.stack, config)
        return queries, row.read_by("encoder", config) if at.is_cross else queries

    @cached_property
    def _text_rows(self) -> dict[int, TextRow]:
        """The texts of the places, by their numbers."""
        numbers = dict.fromkeys(place.number for place in self.places)
        return {row.number: row for row in rows_again(self.head.run.model, self.reading, numbers)}

    def _looks(self) -> list[Array]:
        """The weights of each place's query on all keys: (keys,) each."""
        if not self.places:
            return []
        queries = [(place.number, place.query) for place in self.places]
        asked = repr((self.reading.made_of, self.head.at.path, self.head.head, queries))
        what = f"looks {hashlib.sha256(asked.encode()).hexdigest()}"
        packed = self.head.run.pack(what, self._pack_looks, runs=len(self._text_rows))
        ends = np.cumsum([len(self.sides(place)[1]) for place in self.places])
        return np.split(unpack(packed)[1]["looks"], ends[:-1])

    def _pack_looks(self) -> bytes:
        """The texts run together, up to the layer of the head, and one after another is looked at."""
        name, texts = f"{self.head.at.path}.weights", self._text_rows
        rows = [(row.tokens, row.source) for row in texts.values()]
        traces = self.head.run.model.trace_tokens_each(rows, keep=name, edits=self.reading.edits)
        looks: dict[int, Array] = {}  # of each place in the list: (keys,)
        for number, trace in zip(texts, traces, strict=True):
            weights = trace[name][self.head.head]  # (queries, keys)
            looks |= {i: weights[place.query].numpy() for i, place in enumerate(self.places) if place.number == number}
        return pack({}, looks=np.concatenate([looks[i] for i in range(len(self.places))]))

    def _print(self, theme: Theme = "light") -> Figure:
        title = f"{self.head.run.model.card.title}, {self.head.place}: {self.name}"
        return place_pictures.places_picture(self.line_groups, title, theme)

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each place."""
        rows = []
        for title, places in self.groups():
            for place in places:
                queries, keys = self.sides(place)
                (query,), (key,) = labels([queries[place.query]]), labels([keys[place.key]])
                said: dict[str, Any] = {"tenth": title} if title else {}
                said |= {"weight": place.weight, "query": query, "key": key, "query_index": place.query}
                rows.append(said | {"key_index": place.key, "kind": place.kind, "text": place.text})
        return rows
