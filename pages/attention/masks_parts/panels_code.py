"""Choose or paint, at the depth Code: the masks, and the run with the reader's mask as a program."""

from __future__ import annotations

import streamlit as st

from model.experiments.painted_masks import mask_to_text
from model.network import masks
from pages.attention.masks_parts.masked_runs import MaskedRuns
from pages.shared.elements import layout
from views.shared import run_code


def show(runs: MaskedRuns) -> None:
    layout.code(masks.causal_mask, masks.window_mask, masks.padding_mask, masks.combine, masks.masked_softmax)
    if runs.sentence.batch is None:
        st.caption("The run with this mask again")
        run = runs.screen.run
        code = run_code.as_run(run, snippet(runs))
        st.code(code, language="python", wrap_lines=True)


def snippet(runs: MaskedRuns) -> str:
    """Python that repeats the run with the mask, and asserts one weight of it."""
    screen, run = runs.screen, runs.screen.run
    given = repr(run.text) if run.target is None else f"{run.text!r}, target={run.target!r}"
    path = screen.at.path
    row = min(screen.query, len(runs.queries) - 1)
    weights = runs.effect.weights_with[row]  # (keys,)
    best = int(weights.argmax())
    return f"""\
from model import load
from model.edits.tensors import paint_mask
from model.experiments.painted_masks import mask_from_text

visible = mask_from_text({mask_to_text(runs.visible)!r})  # (queries, keys)
edit = paint_mask("{screen.at.every_layer if runs.everywhere else path}", visible)
trace = load({run.name!r}).trace({given}, keep="{path}.*", edits=[edit])

weight = trace["{path}.weights"][{screen.head}, {row}, {best}].item()
assert abs(weight - {float(weights[best]):.6f}) < 1e-4
print(weight)
"""
