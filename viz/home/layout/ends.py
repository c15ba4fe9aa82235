"""What stands before the first layer and after the last one: embedding and results."""

from __future__ import annotations

from viz.home.layout.boxes import Box, flow
from viz.home.layout.facts import ModelFacts, TensorFacts
from viz.home.layout.sheet import Sheet

RESULTS = ("logits", "text_logits", "token_logits", "class_logits", "distillation_logits", "image_logits")
HEADS = ("text_head.", "token_head.", "image_head.", "distillation_head.")
SHARED_SPACE = ("probe.", "shared_vector.", "similarity.", "pooled", "projected", "shared")
RESULT_STARTS = ("final_norm", "transform.", "unembed.", "output_bias", *HEADS, *SHARED_SPACE, *RESULTS)


def embedding_tensors(model: ModelFacts, stack: str) -> list[TensorFacts]:
    """The embedding's tensors and weights of a stack, and its table of relative positions."""
    return [facts for name, facts in model.tensors.items() if _is_embedding(model, stack, name)]


def _is_embedding(model: ModelFacts, stack: str, name: str) -> bool:
    first = next(iter(model.layers))
    if name == "pixels" or name.startswith("embed."):
        return stack == first
    return name.startswith((f"{stack}.embed.", f"{stack}.relative_bias."))


def output_tensors(model: ModelFacts, stack: str) -> list[TensorFacts]:
    """What is made of the last layer of a stack, with its weights."""
    last = list(model.layers)[-1]
    starts = (f"{stack}.final_norm", *(RESULT_STARTS if stack == last else ()))
    return [facts for name, facts in model.tensors.items() if name.startswith(starts)]


def place_embedding(sheet: Sheet, model: ModelFacts, stack: str, parent: str, box: Box, stream: Box) -> None:
    """Weights above the residual stream, the embedding beside it, and the parts of the embedding below it."""
    found = embedding_tensors(model, stack)
    go = {"part": "embedding"}
    group = sheet.group(f"{stack}.embed", "Embedding", "part", parent, box, go)
    out = next(facts for facts in found if facts.name.endswith("embed.out"))
    others = [facts for facts in found if facts is not out]
    _place(sheet, group, Box(box.x, box.y, box.w, stream.y - box.y), [each for each in others if each.is_weight])
    sheet.matrix(out.name, out.name, group, Box(box.x, stream.y, box.w, stream.h))
    _place(sheet, group, _below(box, stream), [each for each in others if not each.is_weight])


def place_output(sheet: Sheet, model: ModelFacts, stack: str, parent: str, box: Box, outcome: Box) -> None:
    """The norm and weights above the outcome, and the scores below it. Some encoders have none of these.

    The outcome stands beside the residual stream: what the model expects, which is no matrix.
    """
    found = output_tensors(model, stack)
    if not found:
        return
    group = sheet.group(f"{stack}.output", "Output", "part", parent, box, {"part": "outcome"})
    results = [facts for facts in found if facts.name in RESULTS]
    others = [facts for facts in found if facts.name not in RESULTS]
    _place(sheet, group, Box(box.x, box.y, box.w, outcome.y - box.y), others)
    _place(sheet, group, _below(box, outcome), results)


def _below(box: Box, stream: Box) -> Box:
    """The part of a box below the residual stream."""
    return Box(box.x, stream.y + stream.h, box.w, box.y + box.h - stream.y - stream.h)


def _place(sheet: Sheet, group: str, box: Box, tensors: list[TensorFacts]) -> None:
    """A tensor of several matrices, such as the channels of a picture, has them all."""
    matrices = [(facts, number) for facts in tensors for number in range(_count_matrices(facts))]
    boxes = flow(box, [facts.matrix for facts, _ in matrices])
    for (facts, number), place in zip(matrices, boxes, strict=True):
        sheet.matrix(facts.name, facts.name, group, place, number=number)


def _count_matrices(facts: TensorFacts) -> int:
    count = 1
    for length in facts.shape[:-2]:
        count *= length
    return count
