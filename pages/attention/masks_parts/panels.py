"""Scores and weights without and with a mask, and what the mask does to the output and to the next token."""

from __future__ import annotations

import base64
import binascii
import json
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch
from numpy.typing import NDArray

from pages.attention.masks_parts import chosen, outcome
from pages.attention.masks_parts.chosen import MaskChoice
from pages.components import matrix_mounts
from pages.shared import figures, head_controls, layout, state, sums, traces
from viz.attention.masks import pack_painter
from viz.print import head_pictures, panel_pictures
from viz.print.files import npz
from viz.shared.panels import Panel, pack_panels
from viz.shared.style import markdown_text, number, percent

FOX = "The quick brown fox jumps over the lazy dog because it is hungry"
PROMPTS = (
    layout.Prompt(
        "Hide the fox from “it”",
        "One painted cell, in every layer: the key “fox” is gone for the query “it”.",
        {"model": "smollm2-135m", "text": FOX, "masks_attention": "decoder.self_attn", "masks_kind": "painted"}
        | {"masks_paint": "13x13.eNprYGOwYHzA31DH_EP-wf_2f9Y__7__3wAAZ4ULzA==", "masks_layer": 9, "masks_head": 2},
    ),
    layout.Prompt(
        "Without any mask",
        "The first words suddenly see the whole sentence: the scores change too, because every layer below did.",
        {"masks_kind": "none", "masks_where": "every layer"},
    ),
    layout.Prompt(
        "A padded batch",
        "Padding fills the shorter sentence, and the mask hides it from every query.",
        {"text": "I am a robot", "masks_kind": "padding"}
        | {"masks_batch": "The quick brown fox jumps over the lazy dog\nWhat time is it?"},
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
    shown = head_controls.choose("masks", row=depth == "Formula")
    kind = chosen.controls(shown)
    sentence = chosen.read_sentence(shown, "padding" in kind)
    found = chosen.run(shown, kind, sentence)
    if depth in ("Formula", "Code"):
        _worked(found) if depth == "Formula" else _code(found)
        return
    if kind == "painted" and depth == "Picture":
        _paint(found)
    if depth == "Numbers":
        st.dataframe(_table(found), height=420)
    else:
        _panels(found)
    layout.caption(_what_to_see(found) + (" Point at a cell to read it in all four." if depth == "Picture" else ""))
    if found.sentence.batch is not None:
        layout.caption(_real_batch(found))
    _export(found)
    outcome.show(found, depth == "Numbers")
    layout.try_this(*PROMPTS)


def matrices(found: MaskChoice) -> dict[str, NDArray[Any]]:
    """The very tensors of the two traces: scores and weights without the mask, masked scores and weights with it."""
    path, head = found.shown.at.path, found.shown.head
    return {
        "scores": found.without[f"{path}.scores"][head].numpy(),
        "masked": found.with_mask[f"{path}.masked"][head].numpy(),
        "weights_without": found.without[f"{path}.weights"][head].numpy(),
        "weights_with": found.with_mask[f"{path}.weights"][head].numpy(),
    }


def _panels(found: MaskChoice) -> None:
    matrix_mounts.panels(
        pack_panels(
            panels(found),
            found.queries,
            found.keys,
            identity=f"{found.shown.identity} {len(found.queries)}",
            title="Scores and weights without and with the mask",
            selected=(found.shown.query, found.shown.key),
        ),
        key="masks panels",
        on_cell=_take_cell,
    )


def panels(found: MaskChoice) -> list[Panel]:
    """What the page shows, with and without the mask."""
    held = matrices(found)
    return [
        Panel("Scores", "Q Kᵀ ÷ √d_k, nothing hidden", "score", held["scores"], "signed"),
        Panel("Scores + mask", "hidden cells are −∞", "score + mask", held["masked"], "signed"),
        Panel("Weights without mask", "softmax of the first", "weight without", held["weights_without"]),
        Panel("Weights with mask", "softmax of the second", "weight with", held["weights_with"]),
    ]


def _take_cell() -> None:
    query, key = st.session_state["masks panels"]["cell"]
    state.put(masks_query=int(query), masks_key=int(key))


def _paint(found: MaskChoice) -> None:
    from model.experiments.painted_masks import presets

    queries, keys = found.queries, found.keys
    ready = presets(len(queries), len(keys))
    if found.shown.at.part == "cross_attn":
        ready = {name: mask for name, mask in ready.items() if name in ("all visible", "no first token")}
    matrix_mounts.painter(
        pack_painter(
            found.visible.numpy(),
            queries,
            keys,
            {name: mask.numpy() for name, mask in ready.items()},
            identity=repr((queries, keys)),
        ),
        key="masks painter",
        on_mask=_take_mask,
    )


def _take_mask() -> None:
    from model.experiments.painted_masks import mask_from_bytes, mask_to_text

    painted = st.session_state["masks painter"]["mask"]
    try:
        bits = base64.b64decode(painted["bits"], validate=True)
        visible = mask_from_bytes(bits, int(painted["rows"]), int(painted["columns"]))
    except (KeyError, TypeError, ValueError, binascii.Error):
        return  # not what the painter sends
    state.put(masks_kind="painted", masks_paint=mask_to_text(visible))


def _what_to_see(found: MaskChoice) -> str:
    held = matrices(found)
    hidden = ~found.visible.numpy()
    shown = found.shown
    if not hidden.any():
        return "Nothing is hidden: the mask is 0 everywhere, so both runs are the same."
    taken = float((held["weights_without"] * hidden).sum(-1).mean())
    told = (
        f"{hidden.sum()} of {hidden.size} cells {'is' if hidden.sum() == 1 else 'are'} hidden in {shown.place}. "
        f"Without the mask a query would give {percent(taken)} of its attention to what is hidden, on average; with it "
        f"exactly {held['weights_with'][hidden].max():g}."
    )
    rows = np.flatnonzero(hidden.all(-1))
    if len(rows):
        names = ", ".join(f"**{markdown_text(found.queries[i])}**" for i in rows[:3])
        told += f" The whole row of {names} is hidden: its weights are 0, not undefined."
    moved = np.abs(held["masked"] - held["scores"])[~hidden]
    if moved.size and moved.max() > 1e-4:
        told += (
            f" The visible scores differ by up to {number(float(moved.max()))} between the runs, because the layers "
            "below ran with the mask too."
        )
    return told


def _real_batch(found: MaskChoice) -> str:
    """The reader's sentence in the whole batch, run at once, against the same sentence alone."""
    run, batch, source = found.shown.run, found.sentence.batch, found.sentence.source_batch
    assert batch is not None

    def measure() -> bytes:
        from model.experiments.padded_batch import run_alone, run_batch

        with traces.forward_pass():
            alone = run_alone(run.model, run.trace.tokens, run.trace.source_tokens)
            ways = [run_batch(run.model, batch, source, masked=way) for way in (True, False)]
        return json.dumps([float((each[0, : len(alone)] - alone).abs().max()) for each in ways]).encode()

    rows = [[token.id for token in row] for row in (*batch.tokens, found.sentence.source)]
    masked, unmasked = json.loads(traces.pack(run, f"padded batch {rows}", measure))
    told = (
        f"Run as one batch of {len(rows) - 1} sentences, the model's answer for yours differs from the sentence alone "
        f"by {number(masked)} at most with the padding hidden, and by {number(unmasked)} without."
    )
    if run.model.config.kind == "decoder":
        told += " A causal mask already hides padding that stands behind the words."
    return told


def _table(found: MaskChoice) -> pd.DataFrame:
    """One row a cell, as the four panels show it."""
    held = matrices(found)
    rows, columns = np.indices(held["scores"].shape)
    flat = {
        "query": [f"{i} {found.queries[i]}" for i in rows.flat],
        "key": [f"{j} {found.keys[j]}" for j in columns.flat],
    }
    return pd.DataFrame(
        flat
        | {
            "score": held["scores"].ravel().round(4),
            "score + mask": np.where(np.isfinite(held["masked"]), held["masked"], np.nan).ravel().round(4),
            "weight without": held["weights_without"].ravel().round(4),
            "weight with": held["weights_with"].ravel().round(4),
        }
    )


def _formula() -> None:
    layout.equation(
        r"A = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}} + M\right), \qquad M_{ij} \in \{0, -\infty\}",
        "Slides, “Masked Attention”; Vaswani et al. (2017), section 3.2.3; Palaskos (2022), fig. 3.6",
    )
    layout.equation(
        r"M^{\text{causal}}_{ij} = \begin{cases} 0 & j \le i \\ -\infty & j > i \end{cases} \qquad "
        r"M^{\text{padding}}_{ij} = \begin{cases} 0 & \text{key } j \text{ is a word} \\ -\infty & \text{it is "
        r"padding} "
        r"\end{cases}",
        "Palaskos (2022), eq. 3.52, with 0 and −∞ for his 1 and 0",
    )
    layout.caption("Masks add up: a key is hidden if any of them hides it.")


def _worked(found: MaskChoice) -> None:
    """The query's row, hidden scores and all: the weight of its strongest key, and of one that is hidden."""
    held, row = matrices(found), min(found.shown.query, len(found.queries) - 1)
    masked, best = held["masked"][row], int(held["weights_with"][row].argmax())
    if not np.isfinite(masked).any():
        layout.caption(f"The whole row of {layout.quote(found.queries[row])} is hidden: its weights are defined as 0.")
        return
    hidden = np.flatnonzero(np.isneginf(masked))
    for key in (best, *hidden[-1:].tolist()):
        told = "which is hidden" if key in hidden else "its strongest key"
        layout.work_out(
            f"The weight of {layout.quote(found.keys[key])} (j = {key}), {told}, in the row of "
            f"{layout.quote(found.queries[row])} (i = {row}) in {found.shown.place}:",
            rf"A_{{{row},{key}}} = {sums.softmax(masked, key)}",
        )


def _code(found: MaskChoice) -> None:
    from model.network import masks

    layout.code(masks.causal_mask, masks.padding_mask, masks.combine, masks.masked_softmax)
    if found.sentence.batch is None:
        st.caption("The run with this mask again")
        st.code(snippet(found), language="python", wrap_lines=True)


def snippet(found: MaskChoice) -> str:
    """Python that repeats the run with the mask, and asserts one weight of it."""
    from model.experiments.painted_masks import mask_to_text

    shown, run = found.shown, found.shown.run
    given = repr(run.text) if run.target is None else f"{run.text!r}, target={run.target!r}"
    path = shown.at.path
    row = min(shown.query, len(found.queries) - 1)
    weights = found.with_mask[f"{path}.weights"][shown.head, row]
    best = int(weights.argmax())
    return f"""\
from model import load, replace
from model.network.masks import hide
from model.experiments.painted_masks import mask_from_text

visible = mask_from_text({mask_to_text(found.visible)!r})  # (queries, keys)
edit = replace("{shown.at.every_layer if found.everywhere else path}.mask", hide(visible))
trace = load({run.name!r}).trace({given}, keep="{path}.*", edits=[edit])

weight = trace["{path}.weights"][{shown.head}, {row}, {best}].item()
assert abs(weight - {float(weights[best]):.6f}) < 1e-4
print(weight)
"""


def _export(found: MaskChoice) -> None:
    held = matrices(found)
    name = f"{found.shown.file_name}-{found.kind.replace(' ', '-')}"
    queries, keys = found.queries, found.keys
    title = f"{found.shown.run.model.card.title}, {found.shown.place}"
    mask = found.visible.to(torch.uint8).numpy()
    code = snippet(found) if found.sentence.batch is None else None
    figures.files(
        name,
        partial(panel_pictures.panels_picture, panels(found), queries, keys, title, across=2),
        CSV=partial(head_pictures.matrix_csv, mask, queries, keys),
        NPZ=partial(npz, visible=mask, queries=queries, keys=keys, **held),
        **({} if code is None else {"PY": lambda: code}),
    )
