"""The run with a mask as a program that a reader can run."""

from __future__ import annotations

from model.experiments.painted_masks import mask_to_text
from views.attention.masks.two_runs import MaskedRuns


def snippet(runs: MaskedRuns) -> str:
    """Python that repeats the run with the mask, and asserts one weight of it."""
    head, run = runs.head, runs.head.run
    given = repr(run.text) if run.target is None else f"{run.text!r}, target={run.target!r}"
    path = head.at.path
    row = min(head.query, len(runs.queries) - 1)
    weights = runs.effect.weights_with[row]  # (keys,)
    best = int(weights.argmax())
    return f"""\
from glassformer import load
from glassformer.model.edits.tensors import paint_mask
from glassformer.model.experiments.painted_masks import mask_from_text

visible = mask_from_text({mask_to_text(runs.visible)!r})  # (queries, keys)
edit = paint_mask("{head.at.every_layer if runs.everywhere else path}", visible)
trace = load({run.name!r}).trace({given}, keep="{path}.*", edits=[edit])

weight = trace["{path}.weights"][{head.head}, {row}, {best}].item()
assert abs(weight - {float(weights[best]):.6f}) < 1e-4
print(weight)
"""
