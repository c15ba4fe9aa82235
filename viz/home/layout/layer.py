"""One layer as a template: its heads above, the residual stream in the middle, feed-forward below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from viz.home.layout.boxes import Box, flow
from viz.home.layout.facts import ModelFacts, TensorFacts
from viz.home.layout.head import INSIDE_FROM_PX, HeadPlace, place_head
from viz.home.layout.sheet import Sheet

HEAD = 100.0  # world units: the side of a head
GAP = 10.0  # between heads, and between layers
READABLE_PX = 70  # width of a matrix on screen from which it is worth drawing
STEP_NEARER = 1.6  # how much larger than on the first picture a part is when its inside appears
PARTS = {"self_attn": ("self-attention", "head"), "cross_attn": ("cross-attention", "cross head")}


@dataclass(frozen=True)
class Bands:
    """Where the bands of a stack lie. Heads are `columns` beside each other in a layer. y from the stack's top."""

    columns: int
    attentions: Sequence[Box]  # of self-attention, and of cross-attention where the stack has it
    residual: Box
    feed_forward: Box
    height: float

    @property
    def width(self) -> float:
        return self.residual.w


def place_layer(
    model: ModelFacts, kinds: Mapping[str, Any], stack: str, layer: int, bands: Bands, first_px: float
) -> Sheet:
    """The template of a layer of a stack, and of those like it. `kinds`: those of its matrices. `first_px`: pixels of a
    layer on the picture of the whole model."""
    sheet, tensors = Sheet(kinds), model.of_layer(stack, layer)
    box = Box(0, 0, bands.width, bands.height)
    sheet.group("{id}", "{title}", "layer", "{parent}", box, {"part": "stream", "stack": stack})
    attentions = [part for part in PARTS if f"{part}.weights" in tensors]
    for part, band in zip(attentions, bands.attentions, strict=True):
        _place_heads(sheet, model, stack, part, band, bands.columns, first_px, tensors)
    inside = {name: facts for name, facts in tensors.items() if not _is_of_head(name)}
    stream = [name for name in inside if not name.startswith("ffn.")]
    network = [name for name in inside if name.startswith("ffn.")]
    _place_band(sheet, stack, ("residual stream", "stream"), bands.residual, stream, "resid_in", tensors, first_px)
    far = "ffn.activated" if "ffn.activated" in tensors else "ffn.gates"
    _place_band(sheet, stack, ("feed-forward", "ffn"), bands.feed_forward, network, far, tensors, first_px)
    _link(sheet, bands)
    return sheet


def _is_of_head(name: str) -> bool:
    """Whether the head has it: all of attention but what is made of all heads together."""
    part, _, rest = name.partition(".")
    return part in PARTS and rest not in ("memory", "concat", "out", "out.bias")


def _place_heads(
    sheet: Sheet,
    model: ModelFacts,
    stack: str,
    part: str,
    band: Box,
    columns: int,
    first_px: float,
    tensors: dict[str, TensorFacts],
) -> None:
    title, noun = PARTS[part]
    go = {"stack": stack, "attention": part}
    group = sheet.group(f"{{id}}/{title}", title.capitalize(), "part", "{id}", band, {"part": "head", **go})
    from_px = max(INSIDE_FROM_PX, STEP_NEARER * first_px * HEAD / band.w)
    top = band.y + band.h + GAP - -(-model.n_heads // columns) * (HEAD + GAP)
    for number in range(model.n_heads):
        row, column = divmod(number, columns)
        box = Box(band.x + column * (HEAD + GAP), top + row * (HEAD + GAP), HEAD, HEAD)
        more = {"part": "head", **go, "head": number}
        head = sheet.group(f"{{id}}/{noun} {number}", f"{noun.capitalize()} {number}", "head", group, box, more)
        place_head(sheet, HeadPlace(model, stack, part, number, head, box, from_px), tensors)


def _place_band(
    sheet: Sheet,
    stack: str,
    what: tuple[str, str],
    band: Box,
    names: list[str],
    far: str,
    tensors: dict[str, TensorFacts],
    first_px: float,
) -> None:
    """One matrix that stands for the band from afar, and all its matrices when it is near."""
    title, page = what
    group = sheet.group(f"{{id}}/{title}", title.capitalize(), "part", "{id}", band, {"part": page, "stack": stack})
    placed = [(name, number) for name in names for number in range(prod(tensors[name].shape[:-2]))]
    boxes = flow(band, [tensors[name].matrix for name, _ in placed])
    widest = max(box.w for box in boxes)
    from_px = round(max(READABLE_PX * band.w / widest, STEP_NEARER * first_px), 1)
    sheet.matrix(f"{stack} {far}", f"{{tensors}}{far}", group, band, until=from_px)
    for (name, number), box in zip(placed, boxes, strict=True):
        prefix = "{weights}" if tensors[name].is_weight else "{tensors}"
        sheet.matrix(f"{stack} {name}", prefix + name, group, box, number=number, nearer_than=from_px)


def _link(sheet: Sheet, bands: Bands) -> None:
    """The stream runs through; every band reads from it, and adds to it."""
    stream, network = bands.residual, bands.feed_forward
    middle, left, right = stream.y + stream.h / 2, stream.w * 0.25, stream.w * 0.75
    sheet.link("residual", (0, middle), (stream.w + GAP, middle))
    for band in bands.attentions:
        sheet.link("reads", (left, stream.y), (left, band.y + band.h))
        sheet.link("adds", (right, band.y + band.h), (right, stream.y))
    sheet.link("reads", (left, stream.y + stream.h), (left, network.y))
    sheet.link("adds", (right, network.y), (right, stream.y + stream.h))
