"""Block: what one layer does to the words. Six parts; only the open one computes."""

from __future__ import annotations

from pages.block.block_parts import feed_forward, flow, norm, orders, skips, stream
from pages.shared import lesson

PARTS: lesson.Parts = {
    "flow": ("The layer", flow.show),
    "stream": ("Residual stream", stream.show),
    "norm": ("Norm", norm.show),
    "ffn": ("Feed-forward", feed_forward.show),
    "skips": ("Skip connections", skips.show),
    "orders": ("Post-norm, pre-norm", orders.show),
}

depth = lesson.begin("Block", "Each layer reads the stream, and adds to it: first attention, then feed-forward.")
lesson.parts("block_part", PARTS, depth)
lesson.try_this(
    lesson.Prompt(
        "Who writes most?",
        "In many models the first token's stream grows far longer than the others'.",
        {"block_part": "stream"},
    ),
    lesson.Prompt(
        "Scale the input",
        "The norm takes a factor away again.",
        {"block_part": "norm", "block_factor": 4.0},
    ),
    lesson.Prompt(
        "Go deep without skips",
        "Compare the lines: what is left of the gradient at the first layer?",
        {"block_part": "skips", "block_depth": 24},
    ),
)
