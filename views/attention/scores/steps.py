"""One head from X to its part of the residual stream, a matrix at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch

from model.analysis.step_code import own_line, snippet
from model.cached_property import cached_property
from model.network.attention import MultiHeadAttention
from model.network.positions import rotary_gains, rotary_speeds, rotation
from views.attention.scores import step_sums
from views.attention.scores.step_texts import STEPS
from views.attention.scores.step_words import MUTED, describe_step
from views.attention.view_of_head import ViewOfHead
from views.head_of_run import HeadOfRun
from views.parts import Canvas, Controls, DataTable, Files, Pick
from views.shared import run_code, windows
from views.shared.matrix_tables import number_words
from views.shared.windows import MatrixPart
from views.view import equation, grey
from viz.attention.head_steps import PROJECTIONS, HeadData, Matrix, StepData, pack_step
from viz.attention.head_steps import describe_step as lay_out_step
from viz.documents.page_parts import Code, Text
from viz.print import head_pictures, panel_pictures

PRODUCTS = "the number of products in a score"
LARGEST = "what the two largest weights of the row have together"
PART = "the length of this head's part"
SENTENCE = "the sentence"
CHOICES = {"project": "qkv", "normalise": "qk", "rotate": "qk"}  # what a step may be shown of; the others of one thing


@dataclass(frozen=True)
class HeadStep(ViewOfHead):
    """A step of a head, by its `name` in `STEPS`. `of`: "q", "k" or "v", where it is one of `CHOICES`. `part`: the
    queries and the keys that are shown."""

    name: str
    of: str
    part: MatrixPart

    @cached_property
    def names(self) -> list[str]:
        return steps_of(self.head)

    @cached_property
    def arrays(self) -> Mapping[str, Any]:
        return arrays(self.head)

    @cached_property
    def whole(self) -> StepData:
        """The step for all queries and keys."""
        head, by_name = self.head, self.arrays
        if self.name == "mix" and head.is_muted:
            by_name = {**by_name, "mixed": by_name["weights"] @ by_name["v"]}  # the run has 0 in its place
        divisor = head.config.of_layer(head.at.stack, head.at.layer).score_divisor
        return lay_out_step(self.name, HeadData(by_name, self.of, head.head, divisor))

    @cached_property
    def shown(self) -> StepData:
        return self.whole.part(*self.part) if windows.is_long(self.head.hidden.shape) else self.whole

    def told(self) -> Mapping[str, float | str]:
        row, by_name = self.head.query, self.arrays
        return {
            PRODUCTS: by_name["q"].shape[-1],
            LARGEST: float(np.sort(by_name["weights"][row])[-2:].sum()),
            PART: float(np.linalg.norm(by_name["part"][row])),
            SENTENCE: self.head.run.text,
        }

    def picture_parts(self) -> Sequence[Any]:
        step = STEPS[self.name]
        title = Text(f"**{self.names.index(self.name) + 1}. {step.title}** :gray[{step.idea}]")
        return self._in_frame(title, self.picture(), hint=" Point at a cell for its sum, click to keep it.")

    def number_parts(self) -> Sequence[Any]:
        return self._in_frame(*self._choice(), self.table())

    def formula_parts(self) -> Sequence[Any]:
        return self._in_frame(*self._choice(), *self.formula())

    def code_parts(self) -> Sequence[Any]:
        return self._in_frame(*self._choice(), *super().code_parts())

    def _in_frame(self, *parts: Any, hint: str = "") -> list[Any]:
        """Parts, with what stands around them at each depth."""
        muted = grey(MUTED.get(self.name, "")) if self.head.is_muted else []
        said = self.caption() + hint + windows.say_part(self.part, self.head.hidden.shape)
        return [Controls("window"), *muted, *parts, *grey(said), self.files()]

    def _choice(self) -> list[Any]:
        """What the picture has itself: the choice of the step, and its idea."""
        return [Controls("step"), *grey(STEPS[self.name].idea)]

    def picture(self) -> Canvas:
        cell: Pick = partial(windows.pick_cell, self.part)
        picks: dict[str, Pick] = {"step": self._pick_step, "of": _pick_projection, "cell": cell}
        return Canvas("attention/matrix_steps", self._pack, key="scores steps", picks=picks)

    def _pack(self) -> bytes:
        head, (down, across) = self.head, self.part
        return pack_step(
            self.shown,
            head.queries[down],
            head.keys[across],
            identity=f"{head.identity} {down.start} {across.start}",
            step=self.names.index(self.name),
            steps=[STEPS[each].title for each in self.names],
            of=self.of,
            choices=tuple(CHOICES.get(self.name, "")),
            head=head.head,
            selected=windows.nearest_in(self.part, (head.query, head.key)),
        )

    def _pick_step(self, place: int) -> dict[str, str]:
        return {"scores_step": self.names[min(max(int(place), 0), len(self.names) - 1)]}

    def table(self) -> DataTable:
        return DataTable(self._table, has_index=True, height=440, missing="−∞")  # of hidden scores

    def _table(self) -> pd.DataFrame:
        """The result of the step with its tokens. Cells that the mask hides have no value."""
        matrix = self.shown.matrices["c"]
        values = np.where(np.isfinite(matrix.values), matrix.values, np.nan).astype(np.float32)
        return pd.DataFrame(values, *self._names_of(matrix))

    def _names_of(self, matrix: Matrix) -> tuple[list[str], list[str]]:
        """The names of the rows and of the columns of a matrix that is shown: tokens, or the numbers of features."""
        rows, columns = matrix.values.shape
        return self._names_axis(matrix.row, rows), self._names_axis(matrix.column, columns)

    def _names_axis(self, axis: str, count: int) -> list[str]:
        if axis == "feature":
            return [str(place) for place in range(count)]
        words, tokens = (self.head.queries, self.part[0]) if axis == "query" else (self.head.keys, self.part[1])
        return number_words(words[tokens], tokens.start)

    def formula(self) -> Sequence[Any]:
        step = STEPS[self.name]
        written = equation(step.latex, step.source, self._describe_symbols())
        return [*written, *step_sums.worked(self.head, self.name, self.of)]

    def _describe_symbols(self) -> dict[str, str]:
        """The matrices of the step with their shapes in this run."""
        latex = {"Kᵀ": r"K^\top", "Q Kᵀ": r"QK^\top", "H = A V": "H"}
        shapes, config = {}, self.head.config
        for matrix in self.whole.matrices.values():
            symbol = latex.get(matrix.symbol, matrix.symbol)
            if len(symbol) > 8 or " " in symbol.replace(" + ", ""):  # words
                symbol = rf"\text{{{symbol}}}".replace("_", r"\_")
            rows, columns = matrix.values.shape
            shapes[symbol] = f"{rows} × {columns} here"
        return shapes | {"d_k": f"{config.head_width}, the width of a head", "h": f"{config.n_heads} heads"}

    def code(self) -> Sequence[Any]:
        (row, column), head, run = self._cell(), self.head, self.head.run
        value = float(self.whole.matrices["c"].values[row, column])
        again = snippet(
            *(self.name, self.of, head.config, head.at, head.head),
            *((row, column), value, run.name, run.text, run.target),
        )
        return [
            Text("`model.network.attention`: the line that does this step", "caption"),
            Code(own_line(self.name, self.of), "python"),
            Text(f"The number in row {row}, column {column} again, from your sentence", "caption"),
            Code(run_code.as_run(run, again), "python"),
            MultiHeadAttention,
        ]

    def _cell(self) -> tuple[int, int]:
        """The cell of the result that belongs to the singled-out pair. With features as columns, the largest of its
        row."""
        matrix, head = self.whole.matrices["c"], self.head
        row = head.key if matrix.row == "key" else head.query
        return row, head.key if matrix.column == "key" else int(np.abs(matrix.values[row]).argmax())

    def caption(self) -> str:
        return describe_step(self.head, self.arrays, self.name, self.of)

    def files(self) -> Files:
        """The pictures and the table hold what is shown, the archive holds the whole matrices."""
        head, (down, across), result = self.head, self.part, self.shown.matrices["c"]
        title = f"{head.run.model.card.title}, {head.place}: {STEPS[self.name].title}"
        draw = partial(
            panel_pictures.matrices_picture,
            *(self.shown, head.queries[down], head.keys[across], title),
            selected=windows.nearest_in(self.part, (head.query, head.key)),
            head=head.head,
        )
        return Files(
            f"{head.file_name}-{self.name}",
            draw,
            arrays=lambda: {name: matrix.values for name, matrix in self.whole.matrices.items()},
            others={"CSV": partial(head_pictures.matrix_csv, result.values, *self._names_of(result))},
        )


def _pick_projection(of: str) -> dict[str, str]:
    return {"scores_of": of} if of in PROJECTIONS else {}


def open_step(head: HeadOfRun, name: str, of: str, part: MatrixPart) -> HeadStep:
    """A step of a head, of which the matrices of `of` are shown, or the queries where the step has no such choice."""
    return HeadStep(head, name, of if of in CHOICES.get(name, of) else "q", part)


def steps_of(head: HeadOfRun) -> list[str]:
    """The names of the steps that a head has."""
    steps = head.steps
    present = {
        "rotate": steps.rotated,
        "normalise": steps.q_gain is not None,
        "bias": steps.position_bias is not None,
        "cap": steps.scores_uncapped is not None,
    }
    return [name for name in STEPS if present.get(name, True)]


def arrays(head: HeadOfRun) -> Mapping[str, Any]:
    """The matrices of a head as NumPy arrays by name, with the rotary angles where the model has some."""
    steps = head.steps
    by_name: dict[str, Any] = {"cap": head.config.score_cap}
    for each in fields(steps):
        value = getattr(steps, each.name)
        by_name[each.name] = value.numpy() if isinstance(value, torch.Tensor) else value
    if steps.memory is steps.x:
        by_name["memory"] = by_name["x"]
    if steps.rotated:
        config = head.config.of_layer(head.at.stack, head.at.layer)
        speeds = rotary_speeds(config)
        turn = rotation(torch.arange(len(steps.q)), speeds, torch.float32, rotary_gains(config))
        by_name |= {"cos": turn.real.numpy(), "sin": turn.imag.numpy(), "speeds": speeds.tolist()}
    return by_name
