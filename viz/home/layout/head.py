"""The inside of one head: from the weights that make queries, keys and values to what the head hands on."""

from __future__ import annotations

import math
from dataclasses import dataclass

from viz.home.layout.boxes import Box, flow
from viz.home.layout.facts import ModelFacts, TensorFacts
from viz.home.layout.sheet import Sheet, Span

INSIDE_FROM_PX = 220  # width of a head on screen from which its inside can be read
MARGIN = 0.02  # of the side of a head
TITLE = 0.05


@dataclass(frozen=True)
class HeadPlace:
    """One head of an attention ("self_attn") of a layer: its group, its box, and where its inside appears."""

    model: ModelFacts
    stack: str
    part: str
    number: int
    group: str
    box: Box
    from_px: float

    @property
    def kv_number(self) -> int:
        return self.model.kv_head_of(self.number)

    def features(self, kv: bool = False) -> Span:
        """The rows of W_Q of this head; with `kv`, those of W_K and W_V, which query heads may share."""
        width, number = self.model.head_width, self.kv_number if kv else self.number
        return number * width, (number + 1) * width


def place_head(sheet: Sheet, place: HeadPlace, tensors: dict[str, TensorFacts]) -> None:
    """Everything of one head. From afar, its attention weights fill the box. `tensors` are those of the layer."""
    far = place.box.inset(place.box.w * MARGIN, place.box.h * MARGIN)
    _tensor(sheet, place, tensors, "weights", _square(far, tensors[f"{place.part}.weights"]), is_far=True)
    side = place.box.h * TITLE
    inside = Box(far.x, far.y + side, far.w, far.h - side)
    cells = inside.grid(4, 4, gap=side / 2)
    biased = f"{place.part}.position_bias" in tensors
    for row, letter in enumerate("qkv"):
        _projection(sheet, place, tensors, letter, cells[4 * row])
        has_bias_beside = letter == "k" and biased
        room = cells[4 * row + 1] if letter == "v" or has_bias_beside else cells[4 * row + 1].cover(cells[4 * row + 2])
        _steps(sheet, place, tensors, letter, room, side / 2)
    capped = [name for name in ("scores_uncapped",) if f"{place.part}.{name}" in tensors]
    names = ("raw_scores", *(("scores_unbiased",) if biased else ()), *capped, "scores", "masked", "weights")
    for name, slot in zip(names, cells[3].cover(cells[15]).grid(1, len(names), gap=side / 2), strict=True):
        _tensor(sheet, place, tensors, name, slot)
    if biased:
        _tensor(sheet, place, tensors, "position_bias", cells[6])
    _tensor(sheet, place, tensors, "mask", cells[10])
    _tensor(sheet, place, tensors, "heads", cells[14])
    _weight(sheet, place, tensors, "out.weight", cells[12].cover(cells[13]), columns=place.features())


def _steps(sheet: Sheet, place: HeadPlace, tensors: dict[str, TensorFacts], letter: str, room: Box, gap: float) -> None:
    """Queries, keys or values: before their norm and before rotation, where the model has these, and as they are."""
    steps = [f"{letter}{end}" for end in ("_unnormed", "_unrotated", "") if f"{place.part}.{letter}{end}" in tensors]
    for name, slot in zip(steps, room.grid(len(steps), 1, gap=gap), strict=True):
        if not name.endswith("_unnormed"):
            _tensor(sheet, place, tensors, name, slot)
            continue
        above, below = slot.split(0.8)
        _tensor(sheet, place, tensors, name, above)
        gain = {"q": "query_norm.gain", "k": "key_norm.gain"}[letter]
        of_all_heads = tensors[f"{place.part}.{gain}"].matrix[1] > place.model.head_width
        columns = place.features(kv=letter == "k") if of_all_heads else None
        _weight(sheet, place, tensors, gain, below, columns=columns)


def _projection(sheet: Sheet, place: HeadPlace, tensors: dict[str, TensorFacts], letter: str, slot: Box) -> None:
    """W_Q of this head with its bias below it; or W_K or W_V."""
    module = {"q": "query", "k": "key", "v": "value"}[letter]
    span = place.features(kv=letter != "q")
    if f"{place.part}.{module}.bias" not in tensors:
        _weight(sheet, place, tensors, f"{module}.weight", slot, rows=span)
        return
    above, below = slot.split(0.8)
    _weight(sheet, place, tensors, f"{module}.weight", above, rows=span)
    _weight(sheet, place, tensors, f"{module}.bias", below, columns=span)


def _weight(
    sheet: Sheet,
    place: HeadPlace,
    tensors: dict[str, TensorFacts],
    name: str,
    slot: Box,
    rows: Span | None = None,
    columns: Span | None = None,
) -> None:
    key = f"{place.part}.{name}"
    size = tensors[key].matrix
    size = (rows[1] - rows[0] if rows else size[0], columns[1] - columns[0] if columns else size[1])
    (box,) = flow(slot, [size])
    kind, tensor = f"{place.stack} {key}", f"{{weights}}{key}"
    sheet.matrix(kind, tensor, place.group, box, rows=rows, columns=columns, nearer_than=place.from_px)


def _tensor(
    sheet: Sheet, place: HeadPlace, tensors: dict[str, TensorFacts], name: str, slot: Box, is_far: bool = False
) -> None:
    key = f"{place.part}.{name}"
    facts = tensors[key]
    number = {"heads": place.number, "kv_heads": place.kv_number}.get(facts.axes[0], 0)
    box = slot if is_far else flow(slot, [facts.matrix])[0]
    near, until = (0.0, place.from_px) if is_far else (place.from_px, math.inf)
    kind, tensor = f"{place.stack} {key}", f"{{tensors}}{key}"
    sheet.matrix(kind, tensor, place.group, box, number=number, nearer_than=near, until=until)


def _square(box: Box, facts: TensorFacts) -> Box:
    """The whole box for self-attention; of cross-attention the part with cells that are not too long."""
    rows, columns = facts.matrix
    long = max(rows, columns)
    least = 0.3
    return Box(box.x, box.y, box.w * max(columns / long, least), box.h * max(rows / long, least))
