"""The code of each step of attention: the library's own line, and a snippet that repeats one number and asserts it."""

from __future__ import annotations

import inspect
from functools import cache

from model.analysis.head_steps import Attention, input_name, keep_for, memory_name
from model.config import TransformerConfig
from model.network.attention import MultiHeadAttention

STEPS = ("project", "normalise", "rotate", "scores", "scale", "bias", "mask", "softmax", "mix", "concat", "output")

# The line of MultiHeadAttention that does the step begins so; for projections it depends on which is shown.
LINES = {
    "q": "q = self.split(self.query(x)",
    "k": "k, v = self.split(self.key(x)",
    "v": "k, v = self.split(self.key(x)",
    "normalise q": "q = self.query_norm(",
    "normalise k": "return k if self.key_norm",
    "rotate": "q, k = rotate(",
    "scores": "raw_scores = tape(",
    "scale": "scores = raw_scores * self.scale",
    "bias": 'scores = tape("scores_unbiased"',
    "mask": "masked = tape(",
    "softmax": "weights = tape(",
    "mix": "return weights @ v",
    "concat": "concat = tape(",
    "output": 'return tape("out"',
}


def own_line(step: str, of: str = "q") -> str:
    """The line of `MultiHeadAttention` that does a step, as it runs here. `of`: the projection that is shown."""
    if step == "normalise":
        step = f"normalise {of}"
    start = LINES[of if step == "project" else step]
    return next(line for line in _lines_of_attention() if line.startswith(start))


@cache
def _lines_of_attention() -> tuple[str, ...]:
    """Python looks for the source of a class through the whole file, so it is read once."""
    return tuple(line.strip() for line in inspect.getsource(MultiHeadAttention).splitlines())


def snippet(
    step: str,
    of: str,
    config: TransformerConfig,
    at: Attention,
    head: int,
    cell: tuple[int, int],
    value: float,
    name: str,
    text: str,
    target: str | None = None,
) -> str:
    """Python that recomputes cell (row, column) of a step's result from a sentence and asserts that it is `value`."""
    given = repr(text) if target is None else f"{text!r}, target={target!r}"
    return f"""\
import torch
from model import load

model = load({name!r})
trace = model.trace({given}, keep={keep_for(config, at)!r})
attention = model.on_cpu.network.get_submodule("{at.stack}.blocks.{at.layer}.{at.part}")
row, column = {cell[0]}, {cell[1]}

{_cell_of(step, of, config, at, head)}
torch.testing.assert_close(cell, torch.tensor({_literal(value)}), atol=1e-3, rtol=1e-3)
print(cell.item())
"""


def _cell_of(step: str, of: str, config: TransformerConfig, at: Attention, head: int) -> str:
    """The lines that compute `cell` from `trace`, `attention`, `row` and `column`."""
    d, shared = config.head_width, config.kv_head_of(head)
    own = head if of == "q" else shared
    layer = {"q": "query", "k": "key", "v": "value"}[of]
    source = input_name(config, at) if of == "q" else memory_name(config, at)
    scale = "1 / sqrt(d_k)" if config.scale_scores else "1: this model does not scale"
    return {
        "project": f"""\
x = trace["{source}"]  # (tokens, d_model)
cell = attention.{layer}(x)[row, {own} * {d} + column]""",
        "normalise": f"""\
x = trace["{at.path}.{of}_unnormed"][{own}]  # (tokens, d_k)
cell = attention.{layer}_norm(x)[row, column]""",
        "rotate": f"""\
from model.network.positions import rotary_gains, rotary_speeds, rotate, rotation
x = trace["{at.path}.{of}_unrotated"][{own}]  # (tokens, d_k)
turn = rotation(torch.arange(len(x)), rotary_speeds(model.config), x.dtype, rotary_gains(model.config))
cell = rotate(x, turn)[row, column]""",
        "scores": f"""\
q, k = trace["{at.path}.q"][{head}], trace["{at.path}.k"][{shared}]
cell = q[row] @ k[column]""",
        "scale": f"""\
cell = trace["{at.path}.raw_scores"][{head}, row, column] * attention.scale  # {scale}""",
        "bias": f"""\
here = "{at.path}."
cell = trace[here + "scores_unbiased"][{head}, row, column] + trace[here + "position_bias"][{head}, row, column]""",
        "mask": f"""\
cell = trace["{at.path}.scores"][{head}, row, column] + trace["{at.path}.mask"][row, column]""",
        "softmax": f"""\
cell = trace["{at.path}.masked"][{head}, row].softmax(-1)[column]""",
        "mix": f"""\
weights, v = trace["{at.path}.weights"][{head}], trace["{at.path}.v"][{shared}]
cell = weights[row] @ v[:, column]""",
        "concat": f"""\
cell = trace["{at.path}.heads"][column // {d}, row, column % {d}]""",
        "output": f"""\
h, w_o = trace["{at.path}.heads"][{head}], attention.out.weight.mT[{head * d}:{head * d + d}]
cell = h[row] @ w_o[:, column]""",
    }[step]


def _literal(value: float) -> str:
    """A number that Python reads as a fraction, so that its tensor is one too."""
    return str(float(f"{value:.6g}")) if abs(value) != float("inf") else "float('-inf')"
