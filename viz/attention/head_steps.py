"""The steps of one attention head as matrices for the browser: from X to the head's part in the residual stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from model.arrays import Array
from viz.shared.panels import Scale, as_bytes
from viz.shared.payload import pack


@dataclass(frozen=True)
class Matrix:
    """One matrix of a step. `row` and `column` name its axes: query, key or feature.

    Matrices drawn `together` share one signed scale.
    """

    symbol: str
    values: Array
    row: str
    column: str
    role: str = "text"
    scale: Scale = "signed"
    together: bool = False


@dataclass(frozen=True)
class StepData:
    """One step: a b = c ("product"), a + b = c ("bias", "mask"), or c made from a cell by cell ("scale", "cap",
    "softmax", "norm", "rotate", "concat")."""

    kind: str
    matrices: Mapping[str, Matrix]  # a, b, c, and d: the sum to which c belongs
    sign: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)  # numbers for the header
    arrays: Mapping[str, Array] = field(default_factory=dict)

    def part(self, down: slice, across: slice) -> StepData:
        """The step for some queries and keys. What its sums need of the others goes along."""
        tokens = {"query": down, "key": across, "feature": slice(None)}
        shown = {
            name: replace(matrix, values=matrix.values[tokens[matrix.row], tokens[matrix.column]])
            for name, matrix in self.matrices.items()
        }
        a, arrays, extra = self.matrices["a"], dict(self.arrays), dict(self.extra)
        extra["first"] = {"query": down.start, "key": across.start}
        if self.kind == "rotate":
            arrays = {name: turns[tokens[a.row]] for name, turns in arrays.items()}
        elif self.kind == "softmax":
            rows = a.values[down]
            largest = rows.max(1, keepdims=True)
            powers = np.exp(rows - np.where(np.isfinite(largest), largest, 0))
            arrays |= {"largest": largest[:, 0], "total": powers.sum(1)}
        elif self.kind == "product" and a.column == "key":  # a sum over the keys, of which only some are shown
            arrays["beyond"] = shown["c"].values - shown["a"].values @ shown["b"].values
            extra["keys_beyond"] = a.values.shape[1] - shown["a"].values.shape[1]
        return replace(self, matrices=shown, arrays=arrays, extra=extra)


@dataclass(frozen=True)
class Projection:
    """Queries, keys or values: the symbols of their matrix and of its weights, their rows, their colour, their name."""

    symbol: str
    weight: str
    row: str
    role: str
    title: str


PROJECTIONS = {
    "q": Projection("Q", "W_Q", "query", "query", "Queries"),
    "k": Projection("K", "W_K", "key", "key_text", "Keys"),
    "v": Projection("V", "W_V", "key", "value_text", "Values"),
}


@dataclass(frozen=True)
class HeadData:
    """The data of a step: the arrays of `model.analysis.head_steps.HeadSteps` by name, and the reader's choices."""

    head: Mapping[str, Array]
    of: str  # the projection that the first two steps show: q, k or v
    number: int  # of the head
    divisor: float  # of the scores


def describe_step(step: str, data: HeadData) -> StepData:
    """The picture of one step of a head. KeyError for another step."""
    return _STEPS[step](data)


def _project(data: HeadData) -> StepData:
    head, of = data.head, data.of
    projection = PROJECTIONS[of]
    read = head["x" if of == "q" else "memory"]
    result, bias = head["v" if of == "v" else f"{of}_projected"], head[f"b_{of}"]
    return _product(
        Matrix("X" if read is head["x"] else "Z", read, projection.row, "feature", "residual_text"),
        Matrix(projection.weight, head[f"w_{of}"], "feature", "feature", "muted"),
        Matrix(projection.symbol, result, projection.row, "feature", projection.role),
        arrays={} if bias is None else {"bias": bias},
    )


def _normalise(data: HeadData) -> StepData:
    head, of = data.head, data.of
    symbol, row, role = PROJECTIONS[of].symbol, PROJECTIONS[of].row, PROJECTIONS[of].role
    before = Matrix(f"{symbol} before", head[f"{of}_projected"], row, "feature", role, together=True)
    after = Matrix(f"{symbol} normed", head[f"{of}_unrotated"], row, "feature", role, together=True)
    return StepData("norm", {"a": before, "c": after}, "÷ RMS", arrays={"gain": head[f"{of}_gain"]})


def _rotate(data: HeadData) -> StepData:
    head, of = data.head, data.of
    symbol, row, role = PROJECTIONS[of].symbol, PROJECTIONS[of].row, PROJECTIONS[of].role
    before = Matrix(f"{symbol} before", head[f"{of}_unrotated"], row, "feature", role, together=True)
    after = Matrix(f"{symbol} turned", head[of], row, "feature", role, together=True)
    speeds = [float(speed) for speed in head["speeds"]]
    angles = {"cos": head["cos"], "sin": head["sin"]}
    return StepData("rotate", {"a": before, "c": after}, "→", {"speeds": speeds}, angles)


def _scores(data: HeadData) -> StepData:
    head = data.head
    return _product(
        Matrix("Q", head["q"], "query", "feature", "query"),
        Matrix("Kᵀ", head["k"].T, "feature", "key", "key_text"),
        Matrix("Q Kᵀ", head["raw_scores"], "query", "key"),
    )


def _scale(data: HeadData) -> StepData:
    raw = Matrix("Q Kᵀ", data.head["raw_scores"], "query", "key", together=True)
    scaled = Matrix("S", data.head["scores_unbiased"], "query", "key", together=True)
    sign = "÷ " + (f"√{data.divisor**2:g}" if data.divisor != 1 else "1")
    return StepData("scale", {"a": raw, "c": scaled}, sign, {"divisor": data.divisor})


def _bias(data: HeadData) -> StepData:
    unbiased = Matrix("S", data.head["scores_unbiased"], "query", "key", together=True)
    bias = Matrix("B", data.head["position_bias"], "query", "key", together=True)
    scores = Matrix("S + B", data.head["scores"], "query", "key", together=True)
    return StepData("bias", {"a": unbiased, "b": bias, "c": scores}, "+")


def _cap(data: HeadData) -> StepData:
    uncapped = Matrix("S", data.head["scores_uncapped"], "query", "key", together=True)
    scores = Matrix("c tanh(S / c)", data.head["scores"], "query", "key", together=True)
    return StepData("cap", {"a": uncapped, "c": scores}, "tanh", {"cap": data.head["cap"]})


def _mask(data: HeadData) -> StepData:
    scores = Matrix("S", data.head["scores"], "query", "key", together=True)
    mask = Matrix("M", data.head["mask"], "query", "key", "masked_text", together=True)
    masked = Matrix("S + M", data.head["masked"], "query", "key", together=True)
    return StepData("mask", {"a": scores, "b": mask, "c": masked}, "+")


def _softmax(data: HeadData) -> StepData:
    masked = Matrix("S + M", data.head["masked"], "query", "key")
    return StepData("softmax", {"a": masked, "c": _weights(data)}, "softmax")


def _mix(data: HeadData) -> StepData:
    values = Matrix("V", data.head["v"], "key", "feature", "value_text")
    mixed = Matrix("H = A V", data.head["mixed"], "query", "feature", "value_text")
    return _product(_weights(data), values, mixed)


def _concat(data: HeadData) -> StepData:
    mixed = replace(_mix_matrix(data), together=True)
    every = Matrix("all heads", data.head["concat"], "query", "feature", "value_text", together=True)
    return StepData("concat", {"a": mixed, "c": every}, "→")


def _output(data: HeadData) -> StepData:
    head = data.head
    return _product(
        _mix_matrix(data),
        Matrix(f"W_O, rows of head {data.number}", head["w_o"], "feature", "feature", "muted"),
        Matrix("what this head adds", head["part"], "query", "feature", "residual_text", together=True),
        Matrix("attention output", head["out"], "query", "feature", "residual_text", together=True),
        extra={"others": "the other heads" + ("" if head["b_o"] is None else " and the bias")},
    )


_STEPS = {
    "project": _project,
    "normalise": _normalise,
    "rotate": _rotate,
    "scores": _scores,
    "scale": _scale,
    "bias": _bias,
    "cap": _cap,
    "mask": _mask,
    "softmax": _softmax,
    "mix": _mix,
    "concat": _concat,
    "output": _output,
}


def _weights(data: HeadData) -> Matrix:
    return Matrix("A", data.head["weights"], "query", "key", scale="sequential")


def _mix_matrix(data: HeadData) -> Matrix:
    return Matrix(f"H, head {data.number}", data.head["mixed"], "query", "feature", "value_text")


def _product(*matrices: Matrix, **more: Any) -> StepData:
    """a b = c, and d if it is given."""
    return StepData("product", dict(zip("abcd", matrices, strict=False)), **more)


def pack_step(
    picture: StepData,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    identity: str,
    step: int,
    steps: Sequence[str],
    of: str,
    choices: Sequence[str],
    head: int,
    selected: tuple[int, int],
) -> bytes:
    """A step for the component matrix_steps. `steps` are the titles on the rail.

    `choices` are the projections (q, k, v) that a reader can choose.
    """
    arrays = {name: as_bytes(matrix.values) for name, matrix in picture.matrices.items()}
    arrays |= {name: as_bytes(values) for name, values in picture.arrays.items()}
    about = {
        name: {
            "symbol": matrix.symbol,
            "role": matrix.role,
            "row": matrix.row,
            "column": matrix.column,
            "scale": matrix.scale,
            "together": matrix.together,
        }
        for name, matrix in picture.matrices.items()
    }
    header = {
        "id": identity,
        "kind": picture.kind,
        "matrices": about,
        "sign": picture.sign,
        "tokens": {"query": list(queries), "key": list(keys)},
        "step": step,
        "steps": list(steps),
        "of": of,
        "choices": [
            {"key": of, "symbol": projection.symbol, "role": projection.role, "title": projection.title}
            for of, projection in ((each, PROJECTIONS[each]) for each in choices)
        ],
        "head": head,
        "query": selected[0],
        "key": selected[1],
        **picture.extra,
    }
    return pack(header, **arrays)
