"""The live map of a run: its picture, its numbers, its equations and its code, above the guided path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from views.call import Call
from views.map import map_files, model_equations, run_answers, run_words
from views.map.guided_path import GuidedPath
from views.map.look import Look
from views.map.map_on_screen import MapOnScreen, map_run, subtract
from views.map.turns_of_head import TurnsOfHead
from views.parts import Controls, DataTable, Files, Pick, Print
from views.run import Run
from views.shared import control_words, run_code
from views.shared.shapes import of_one_shape
from views.view import Depth, View, existing, grey, heading
from viz.documents.page_parts import Code, Group, Text
from viz.home.layout.places import WHOLE, keys_of, parse_place
from viz.shared.tensor_titles import path_title

if TYPE_CHECKING:
    from pandas import DataFrame

NEXT = "the likeliest next token"
CHOSEN = "the chosen word"
LAYER = "the layer"
KEY, DIFFERENCE_KEY = "home map", "home map difference"
TABLE_PIXELS = 520


@dataclass(frozen=True)
class RunMap(View):
    """The map of a run, which may be compared with another one.

    `look`: that of the head that it frames. `turns`: the same by the turns of a conversation; None for a text.
    `layers`: the one that each stack shows. `draw_whole` draws the whole map of the run alone for print. `open_part`:
    the page behind a part. `most_characters` of a place. `subtract` makes the map of the difference of two such views.
    """

    run: Run
    look: Look
    layers: tuple[tuple[str, int], ...]
    shown: MapOnScreen = field(compare=False)
    path: GuidedPath
    turns: TurnsOfHead | None = None
    draw_whole: Print | None = field(default=None, compare=False)
    open_part: Pick = field(default=lambda part: {}, compare=False)
    most_characters: int = field(default=200, compare=False)
    subtract: Callable[[RunMap, RunMap], MapOnScreen] | None = field(default=None, compare=False)

    def about(self) -> Run:
        return self.run

    def minus(self, other: RunMap) -> MapDifference | None:
        is_of_one_run = self.shown.now.compared is None
        return MapDifference(self, other) if is_of_one_run and of_one_shape(self.run, other.run) else None

    def made_by(self) -> Call:
        """Where the map is compared with that of another run, the code has the map of this run alone."""
        at = (self.shown.now.at,) if self.shown.now.at else ()
        shown = Call(map_run, (self.run, self.look, *at))
        turns = {} if self.turns is None else {"turns": self.turns}
        return Call(RunMap, (self.run, self.look, self.layers, shown, self.path), turns)

    def told(self) -> Mapping[str, float | str]:
        told: dict[str, float | str] = {LAYER: self.look.layer, CHOSEN: self.look.queries[self.look.query]}
        if self.run.config.kind == "decoder":
            told[NEXT] = run_answers.bare(run_answers.rank_next_tokens(self.run, 1)[0][0])
        return told

    def at(self, depth: Depth) -> Sequence[Any]:
        return [*super().at(depth), self.path, Controls("pages")]

    def picture_parts(self) -> Sequence[Any]:
        return [
            self.picture(),
            Controls("second run"),
            Text(run_words.prediction(self.run, self.look)),
            *grey(self.caption()),
            *existing(self.turns),
            *control_words.explain_names(run_words.named_tokens(self.run, self.look)),
            self.files(),
        ]

    def picture(self) -> Group:
        picks: dict[str, Pick] = {
            "go": self.open_part, "at": self._keep_place, "gone": lambda _: {}, "next": self._write_on,
        }  # fmt: skip
        return self.shown.picture(KEY, picks)

    def _keep_place(self, at: Any) -> dict[str, Any]:
        """The reader has moved. The layer and the head of the place become those of all pages."""
        place = parse_place(str(at)[: self.most_characters])
        if place is None or str(place) == WHOLE:
            return {"home_at": ""}
        return {"home_at": str(place), **keys_of(place)}

    def _write_on(self, _: Any) -> dict[str, Any]:
        """The run goes on with its next token, and the map stays where it is."""
        return {"text": self.shown.continued} if self.shown.continued else {}

    def caption(self) -> str:
        return run_words.strongest_look(self.run, self.look)

    def files(self) -> Files:
        rows, tensors = partial(run_answers.outcome_rows, self.run), self.run.trace.tensors
        usual = Files(map_files.NAME, rows=rows, arrays=lambda: tensors)
        shown = self.shown
        return map_files.files_of(shown.layout, shown.place, shown.title, shown.now.outcome, shown.find, usual)

    def number_parts(self) -> Sequence[Any]:
        chosen = " and ".join(path_title(f"{stack}.{layer}", len(self.layers) > 1) for stack, layer in self.layers)
        said = f"Every tensor of {chosen}, and of what stands before and after the layers, as recorded."
        return [self.table(), *grey(said), *existing(self.turns), self._files_of_numbers()]

    def table(self) -> DataTable:
        return DataTable(self._table, height=TABLE_PIXELS)

    def _table(self) -> DataFrame:
        import pandas as pd  # the first page of a server does without it

        return pd.DataFrame(self.rows())

    def rows(self) -> list[dict[str, str]]:
        return run_answers.tensor_rows(self.run, dict(self.layers))

    def _files_of_numbers(self) -> Files:
        tensors = run_answers.all_tensors(self.run, dict(self.layers)).tensors
        return Files(map_files.NAME, self.draw_whole, rows=self.rows, arrays=lambda: tensors)

    def formula(self) -> Sequence[Any]:
        return model_equations.parts_of(self.run)

    def code(self) -> Sequence[Any]:
        from model.network.block import Block  # torch is not loaded before a run is made
        from model.network.embedding import Embedding

        code = Code(run_code.as_run(self.run, run_answers.write_snippet(self.run)), "python")
        return [code, Embedding, Block, type(self.run.model.network)]


@dataclass(frozen=True)
class MapDifference(View):
    """The map of every number of one run less the same number of another model's run, at the place of the first."""

    first: RunMap
    second: RunMap

    def picture_parts(self) -> Sequence[Any]:
        return [heading(self.first.run.title, self.second.run.title), self.picture()]

    def picture(self) -> Group:
        picks: dict[str, Pick] = {"go": self.first.open_part, "at": _stay, "gone": _stay, "next": _stay}
        return self.shown.picture(DIFFERENCE_KEY, picks)

    @property
    def shown(self) -> MapOnScreen:
        if self.first.subtract is not None:
            return self.first.subtract(self.first, self.second)
        return subtract(self.first.shown, self.second.shown, (self.first.run.title, self.second.run.title))

    def number_parts(self) -> Sequence[Any]:
        return [heading(self.first.run.title, self.second.run.title), self.table()]

    def table(self) -> DataTable:
        return DataTable(self._table, height=TABLE_PIXELS)

    def _table(self) -> DataFrame:
        import pandas as pd  # as above

        return pd.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """One row for each tensor: the lengths of both, as vectors of all their numbers, and of their difference."""
        layers = dict(self.first.layers)
        traces = [run_answers.all_tensors(each.run, layers) for each in (self.first, self.second)]
        return [
            {"name": name, "first": float(first.norm()), "second": float(second.norm())}
            | {"difference": float((first - second).norm())}
            for name, first in traces[0].tensors.items()
            for second in [traces[1].tensors[name]]
            if bool(first.isfinite().all())  # a mask hides the same scores in both
        ]


def _stay(_: Any) -> dict[str, Any]:
    return {}
