"""Block: the work of one layer. Six parts, of which only the open one computes."""

from __future__ import annotations

from pages.block.block_parts import feed_forward, flow, norm, orders, skips, stream
from pages.shared.elements import layout
from pages.shared.elements.claims import Claim

PARTS: layout.Parts = {
    "flow": ("The layer", flow.show),
    "stream": ("Residual stream", stream.show),
    "norm": ("Norm", norm.show),
    "ffn": ("Feed-forward", feed_forward.show),
    "skips": ("Skip connections", skips.show),
    "orders": ("Post-norm, pre-norm", orders.show),
}

depth = layout.begin("Block", "Each layer reads the stream, and adds to it: first attention, then feed-forward.")
layout.parts("block_part", PARTS, depth)
layout.try_this(
    layout.Prompt(
        "Who writes most?",
        "In many models a layer adds far more to the first token than to any other.",
        {"block_part": "stream"},
        claim=Claim(stream.AT_FIRST, "over", 2.0),
    ),
    layout.Prompt(
        "Scale the input",
        "The norm takes a factor away again.",
        {"block_part": "norm", "block_factor": 4.0, "block_shift": 0.0},
        claim=Claim(norm.CHANGE, "under", 0.05),
    ),
    layout.Prompt(
        "Go deep without skips",
        "Without skips the tokens become nearly the same.",
        {"block_part": "skips", "block_depth": 24},
        claim=Claim(skips.DIFFERENCE, "under", 0.1),
    ),
)
