"""What the lines of all heads weigh, against BertViz's head view of the same attentions.

Ours is one message of bytes for each layer, and beside it the same with the component's code and styles, which are sent
once. The reference is the HTML of `bertviz.head_view(..., html_action="return")`, which loads D3, jQuery and
RequireJS from a CDN on top of what is counted here.
"""

from __future__ import annotations

import contextlib
import io

import torch

from model import Model, Trace, load
from tests.benchmarks.row import Row
from viz.attention.heads import pack_lines
from viz.shared.tokens import chips

LENGTHS = (16, 32, 64, 128)
LIMIT = 1 / 40
CODE_LIMIT = 1 / 20  # the code is sent once for all sentences
TEXT = (
    "The quick brown fox jumps over the lazy dog because it is hungry and the river was wide so George drove to the "
    "bank to get cash while the weather stayed cool and nobody at the other side of the road knew what time it was "
    "when a small robot walked across the bridge looking for the children who had lost their red kite in the old "
    "garden behind the school where the teacher read stories about kings and queens and ships that sailed far away "
    "to find an island full of gold and birds with green feathers that sang every morning before the sun came up over "
    "the hills and the farmers went out to feed their horses and cows in the fields near the lake"
)


def main() -> list[Row]:
    model = load("minilm-l6")
    code = len(code_of_the_component())
    rows = []
    for length in LENGTHS:
        trace = trace_of(model, length)
        data = sum(len(message) for message in messages(trace, model.config.n_encoder_layers))
        html = len(bertviz_html(trace, model.config.n_encoder_layers).encode())
        rows += [
            Row(f"lines, {length} tokens: data", data / 1000, html / 1000, "BertViz HTML", "kB", LIMIT),
            Row(
                f"lines, {length} tokens: and code", (data + code) / 1000, html / 1000, "BertViz HTML", "kB", CODE_LIMIT
            ),
        ]
    return rows


def trace_of(model: Model, length: int) -> Trace:
    """A run over exactly `length` tokens, [CLS] and [SEP] counted."""
    words = TEXT.split()
    for count in range(1, len(words) + 1):
        text = " ".join(words[:count])
        if len(model.tokens_of(text)) == length:
            return model.trace(text, keep="*.weights")
    raise ValueError(f"No start of the text has {length} tokens.")


def messages(trace: Trace, layers: int) -> list[bytes]:
    """What the component gets for each layer."""
    tokens = chips(trace.tokens)
    view = {"heads": [0], "head": 0, "least": 0.03, "hide": [], "layout": "down", "query": None, "key": None}
    return [
        pack_lines(
            trace[f"encoder.{layer}.self_attn.weights"].numpy(),
            tokens,
            tokens,
            identity=str(layer),
            title=f"layer {layer}",
            causal=False,
            view=view,
        )
        for layer in range(layers)
    ]


def code_of_the_component() -> bytes:
    from viz.shared.component_files import module_of
    from viz.shared.component_script import join_script, join_styles, pack_script

    module = module_of("attention/attention_lines")
    return (pack_script(join_script(module)) + join_styles(module)).encode()


def bertviz_html(trace: Trace, layers: int) -> str:
    from bertviz import head_view

    attentions = [trace[f"encoder.{layer}.self_attn.weights"][None] for layer in range(layers)]
    with torch.inference_mode(), contextlib.redirect_stdout(io.StringIO()):
        page = head_view(attentions, [token.text for token in trace.tokens], html_action="return")
    return str(page.data)
