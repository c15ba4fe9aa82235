"""The code of each step of attention: the library's own line, and a snippet that repeats one number and asserts it."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from textwrap import dedent

from model.analysis.head_steps import Attention, input_name, keep_for, memory_name
from model.config import TransformerConfig
from model.network.attention import MultiHeadAttention

# What each step computes. The statement of `MultiHeadAttention` that holds this expression is the step's code.
EXPRESSIONS = {
    "project q": "self.query(x)",
    "project k": "self.key(x)",
    "project v": "self.value(x)",
    "normalise q": 'self.normalise(self.query_norm, tape("q_unnormed", q))',
    "normalise k": 'self.normalise(self.key_norm, tape("k_unnormed", k))',
    "rotate": 'rotate(tape("q_unrotated", q), rotation)',
    "scores": "q @ k.mT",
    "scale": "raw_scores * self.scale",
    "bias": 'tape("position_bias", bias)',
    "cap": 'torch.tanh(tape("scores_uncapped", scores) / self.cap)',
    "mask": 'add_mask(scores, mask, overwrite=tape.may_overwrite("scores"))',
    "softmax": "masked_softmax(masked)",
    "mix": "weights @ v",
    "concat": "heads.transpose(-2, -3).flatten(-2)",
    "output": "self.out(concat)",
}


def own_line(step: str, of: str = "q") -> str:
    """The code of `MultiHeadAttention` that does a step, as it runs here. `of`: the projection that is shown."""
    expression = EXPRESSIONS.get(step) or EXPRESSIONS[f"{step} {of}"]
    lines, statements = _statements_of_attention()
    found = statements[ast.unparse(ast.parse(expression))]
    return dedent("\n".join(lines[found.lineno - 1 : found.end_lineno])).strip()


@cache
def _statements_of_attention() -> tuple[list[str], dict[str, ast.stmt]]:
    """The lines of the class, and the statement that holds each expression. Python searches the whole file: once."""
    source = inspect.getsource(MultiHeadAttention)
    statements = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Assign | ast.Return)]
    return source.splitlines(), {
        ast.unparse(part): statement
        for statement in statements
        for part in ast.walk(statement)
        if isinstance(part, ast.expr)
    }


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
from glassformer import load

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
    of_layer = config.of_layer(at.stack, at.layer)
    root = "d_k" if of_layer.score_width is None else f"{of_layer.score_width:g}"
    scale = f"1 / sqrt({root})" if of_layer.scale_scores else "1: this model does not scale"
    return {
        "project": f"""\
x = trace["{source}"]  # (tokens, d_model)
cell = attention.{layer}(x)[row, {own} * {d} + column]""",
        "normalise": f"""\
x = trace["{at.path}.{of}_unnormed"]  # (heads, tokens, d_k)
cell = attention.normalise(attention.{layer}_norm, x)[{own}, row, column]""",
        "rotate": f"""\
from glassformer.model.network.positions import rotary_gains, rotary_speeds, rotate, rotation
x = trace["{at.path}.{of}_unrotated"][{own}]  # (tokens, d_k)
config = model.config.of_layer("{at.stack}", {at.layer})  # layers may turn at speeds of their own
turn = rotation(torch.arange(len(x)), rotary_speeds(config), x.dtype, rotary_gains(config))
cell = rotate(x, turn)[row, column]""",
        "scores": f"""\
q, k = trace["{at.path}.q"][{head}], trace["{at.path}.k"][{shared}]
cell = q[row] @ k[column]""",
        "scale": f"""\
cell = trace["{at.path}.raw_scores"][{head}, row, column] * attention.scale  # {scale}""",
        "bias": f"""\
here = "{at.path}."
cell = trace[here + "scores_unbiased"][{head}, row, column] + trace[here + "position_bias"][{head}, row, column]""",
        "cap": f"""\
cell = attention.cap * torch.tanh(trace["{at.path}.scores_uncapped"][{head}, row, column] / attention.cap)""",
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
