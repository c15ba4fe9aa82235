"""The whole map of a model: its stacks one below the other, the layers from left to right.

The size of a layer follows from its heads, which are squares. All else follows from the shape of the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from viz.home.layout.boxes import Box
from viz.home.layout.ends import place_embedding, place_output
from viz.home.layout.facts import ModelFacts, TensorFacts
from viz.home.layout.layer import GAP, HEAD, PARTS, Bands, place_layer
from viz.home.layout.rows import rows_of
from viz.home.layout.sheet import Sheet, describe_kind
from viz.home.layout.titles import title_of, weight_title

SCREEN_PX = (1180, 610)  # that the whole model fills: the width of a page beside the list of pages
ASPECT = SCREEN_PX[0] / SCREEN_PX[1]
# Shares of the width, left to right: tokens, embedding, names of heads and of other rows, layers, output.
LABELS, EMBEDDING, ROW_NAMES, LAYERS, OUTPUT = 0.065, 0.085, 0.08, 0.66, 0.08
BETWEEN, MARGIN = 0.02, 0.01  # after the layers, and at the right edge
HEADS_SHARE = 0.52  # of the height, which the heads of a well filled map take
MOST_HEADS_SHARE = 0.66
TOP, BAND_GAP = 0.05, 0.035  # of the height: labels stand there
OUTCOME_SHARE = 0.16  # of the height, at least, that the bars of the outcome have
STREAM_SHARE = 0.45  # of what the heads leave, the rest has feed-forward


def make_layout(model: ModelFacts) -> dict[str, Any]:
    """The layout as JSON has it: `kinds` of matrices, and `groups`, `matrices` and `links` (`viz.home.layout.sheet`).

    Those of layers that are alike stand once, in `templates`, with the `rows` of their names; `placed` has the layers
    themselves.
    """
    columns = _choose_columns(model)
    layer_width = columns * (HEAD + GAP) - GAP
    width = max(model.layers.values()) * (layer_width + GAP) / LAYERS
    heads = columns_rows(model.n_heads, columns) * (HEAD + GAP)
    height = max(width / ASPECT, heads * _count_bands(model) / MOST_HEADS_SHARE)
    first_px = layer_width * min(SCREEN_PX[0] / width, SCREEN_PX[1] / height)
    kinds = _kinds(model)
    sheet = Sheet(kinds)
    root = sheet.group("model", "The whole model", "model", None, Box(0, 0, width, height))
    templates, placed, outcome, y = {}, [], None, 0.0
    for stack, n_layers in model.layers.items():
        bands = _make_bands(model, stack, columns, layer_width, height)
        here = Box(0, y, width, bands.height)
        parent = _stack_group(sheet, model, stack, here) if model.has_two_stacks else root
        left = width * (LABELS + EMBEDDING + ROW_NAMES)
        for template, layers in _alike(model, stack).items():
            sheet_of_layer = place_layer(model, kinds, stack, layers[0], bands, first_px)
            templates[template] = sheet_of_layer.as_json() | {"rows": rows_of(sheet_of_layer.groups)}
        placed += _place_layers(model, stack, parent, left, Box(0, y, bands.width, bands.height))
        stream = Box(0, y + bands.residual.y, width, bands.residual.h)
        top = height * TOP
        side = Box(width * LABELS, y + top, width * EMBEDDING, bands.height - top)
        place_embedding(sheet, model, stack, parent, side, stream)
        side = Box(width * (1 - OUTPUT - MARGIN), y + top, width * OUTPUT, bands.height - top)
        outcome = _beside(side, stream, height)
        place_output(sheet, model, stack, parent, side, outcome)
        middle = stream.y + stream.h / 2
        sheet.link("residual", (width * (LABELS + EMBEDDING), middle), (left, middle))
        sheet.link("residual", (left + n_layers * (layer_width + GAP), middle), (width * (1 - OUTPUT - MARGIN), middle))
        y += bands.height
    if model.has_two_stacks:
        _link_memory(sheet, placed, templates)
    assert outcome is not None, "a model has a stack"
    return {
        "size": [round(width, 3), round(height, 3)],
        "kinds": kinds,
        **sheet.as_json(),
        "templates": templates,
        "placed": placed,
        "outcome": {"box": outcome.rounded()},
        "tokens": {"source": list(model.source_tokens), "target": list(model.target_tokens) or None},
    }


def columns_rows(heads: int, columns: int) -> int:
    """Rows of a grid of heads."""
    return -(-heads // columns)


def _count_bands(model: ModelFacts) -> int:
    """Bands of heads, one above the other, of all stacks."""
    return sum(f"{part}.weights" in model.of_layer(stack) for stack in model.layers for part in PARTS)


def _choose_columns(model: ModelFacts) -> int:
    """Heads beside each other in a layer, so that the heads of all stacks take about half of the height."""

    def share(columns: int) -> float:
        width = max(model.layers.values()) * columns * (HEAD + GAP) / LAYERS
        return columns_rows(model.n_heads, columns) * (HEAD + GAP) * _count_bands(model) / (width / ASPECT)

    whole = [columns for columns in range(1, model.n_heads + 1) if model.n_heads % columns == 0]
    return min(whole, key=lambda columns: abs(share(columns) - HEADS_SHARE))


def _make_bands(model: ModelFacts, stack: str, columns: int, layer_width: float, height: float) -> Bands:
    tensors = model.of_layer(stack)
    heads_height = columns_rows(model.n_heads, columns) * (HEAD + GAP) - GAP
    gap = height * BAND_GAP
    y, attentions = height * TOP, []
    for part in PARTS:
        if f"{part}.weights" in tensors:
            attentions.append(Box(0, y - gap / 2, layer_width, heads_height + gap / 2))  # its title stands above heads
            y += heads_height + gap
    count, n_stacks = _count_bands(model), len(model.layers)
    left = height * (1 - n_stacks * TOP) - count * (heads_height + gap) - n_stacks * 2 * gap
    stream = Box(0, y, layer_width, left / n_stacks * STREAM_SHARE)
    network = Box(0, y + stream.h + gap, layer_width, left / n_stacks * (1 - STREAM_SHARE))
    return Bands(columns, attentions, stream, network, network.y + network.h + gap)


def _beside(side: Box, stream: Box, height: float) -> Box:
    """The place of the outcome, beside the residual stream. It reaches above a low one, since its bars need room."""
    high = max(stream.h, OUTCOME_SHARE * height)
    return Box(side.x, stream.y + stream.h - high, side.w, high)


def _place_layers(model: ModelFacts, stack: str, parent: str, left: float, first: Box) -> list[dict[str, Any]]:
    """The layers of a stack from left to right, each with its template. `first`: the box of a layer at x = 0."""
    template_of = {layer: template for template, layers in _alike(model, stack).items() for layer in layers}
    boxes = (Box(left + layer * (first.w + GAP), first.y, first.w, first.h) for layer in range(model.layers[stack]))
    return [_placed(model, template_of[layer], stack, layer, parent, box) for layer, box in enumerate(boxes)]


def _alike(model: ModelFacts, stack: str) -> dict[str, list[int]]:
    """The layers that have the same tensors, by the name of their template."""
    alike: dict[frozenset[str], list[int]] = {}
    for layer in range(model.layers[stack]):
        alike.setdefault(frozenset(model.of_layer(stack, layer)), []).append(layer)
    return {f"{stack} layer" + (f" like {n[0]}" if n[0] else ""): n for n in alike.values()}


def _stack_group(sheet: Sheet, model: ModelFacts, stack: str, box: Box) -> str:
    return sheet.group(stack, stack.capitalize(), "stack", "model", box)


def _placed(model: ModelFacts, template: str, stack: str, layer: int, parent: str, box: Box) -> dict[str, Any]:
    return {
        "template": template,
        "id": f"{stack}.{layer}",
        "title": f"Layer {layer}",
        "layer": layer,
        "tensors": f"{stack}.{layer}.",
        "weights": model.weights_of(stack, layer),
        "parent": parent,
        "box": box.rounded(),
    }


def _link_memory(sheet: Sheet, placed: list[dict[str, Any]], templates: Mapping[str, Any]) -> None:
    """The encoder's result goes to the cross-attention of every layer of the decoder."""
    encoder = next(link for link in templates["encoder layer"]["links"] if link["kind"] == "residual")
    last = [each for each in placed if each["id"].startswith("encoder.")][-1]
    start_x, start_y = last["box"][0] + encoder["points"][1][0], last["box"][1] + encoder["points"][1][1]
    groups = templates["decoder layer"]["groups"]
    band = next(group["box"] for group in groups if group["id"].endswith("cross-attention"))
    for each in placed:
        if each["id"].startswith("decoder."):
            x, y = each["box"][0] + band[0] + band[2] / 2, each["box"][1] + band[1]
            turn = last["box"][1] + last["box"][3]
            sheet.link("reads", (start_x, start_y), (start_x, turn), (x, turn), (x, y))


def _kinds(model: ModelFacts) -> dict[str, Any]:
    """Facts that many matrices share, by the `kind` of the matrix."""
    gated = any(name.endswith(".ffn.up") for name in model.tensors)
    kinds: dict[str, Any] = {}
    for name, facts in model.tensors.items():
        if not any(name.startswith((f"{stack}.", f"{stack}.blocks.")) and _has_layer(name) for stack in model.layers):
            kinds[name] = _describe(model, name, facts, gated)
    for stack, n_layers in model.layers.items():
        of_layers = {name: facts for layer in range(n_layers) for name, facts in model.of_layer(stack, layer).items()}
        kinds |= {f"{stack} {name}": _describe(model, name, facts, gated, stack) for name, facts in of_layers.items()}
    return kinds


def _has_layer(name: str) -> bool:
    return any(part.isdigit() for part in name.split(".")[1:3])


def _describe(model: ModelFacts, name: str, facts: TensorFacts, gated: bool, stack: str = "") -> dict[str, Any]:
    stack = stack or (next(iter(model.layers)) if name.startswith("encoder.") else list(model.layers)[-1])
    whose = [_whose(model, stack, axis, name) for axis in (None, None, *facts.axes)[-2:]]
    title, meaning = weight_title(name, gated) if facts.is_weight else (title_of(name, gated), facts.meaning)
    return describe_kind(facts, title, meaning, whose)


def _whose(model: ModelFacts, stack: str, axis: str | None, name: str) -> str | None:
    """Whose tokens an axis has: of the source, which is the only text of one stack, or of the target."""
    if axis not in ("tokens", "queries", "keys"):
        return None
    is_memory = name.startswith("cross_attn.") and axis == "keys"
    return "target" if model.has_two_stacks and stack == "decoder" and not is_memory else "source"
