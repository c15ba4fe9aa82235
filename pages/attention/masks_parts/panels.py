"""Scores and weights without and with a mask, and the effect of the mask on the output and the next token."""

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

from pages.attention.examples import FOX
from pages.attention.masks_parts import mask_choice, outcome
from pages.attention.masks_parts.mask_choice import MaskChoice
from pages.attention.tables import number_words
from pages.components import matrix_mounts
from pages.shared import figures, head_controls, layout, state, sums, traces
from viz.attention.masks import pack_painter
from viz.print import head_pictures, panel_pictures
from viz.print.files import npz
from viz.shared.panels import Panel, pack_panels
from viz.shared.style import markdown_text, number, percent

PROMPTS = (
    layout.Prompt(
        "Hide the fox from “it”",
        "One painted cell, in every layer: the key “fox” is gone for the query “it”.",
        {**FOX, "masks_attention": "decoder.self_attn", "masks_kind": "painted", "masks_layer": 9, "masks_head": 2}
        | {"masks_paint": "13x13.eNprYGOwYHzA31DH_EP-wf_2f9Y__7__3wAAZ4ULzA=="},
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
        _show_equations()
    screen = head_controls.choose("masks", row=depth == "Formula")
    kind = mask_choice.choose_kind(screen)
    sentence = mask_choice.read_sentence(screen, "padding" in kind)
    choice = mask_choice.run_twice(screen, kind, sentence)
    if depth == "Formula":
        _work_out_weights(choice)
        return
    if depth == "Code":
        _show_code(choice)
        return
    if kind == "painted" and depth == "Picture":
        _show_painter(choice)
    if depth == "Numbers":
        st.dataframe(_table(choice), height=420)
    else:
        _show_panels(choice)
    layout.caption(_describe(choice) + (" Point at a cell to read it in all four." if depth == "Picture" else ""))
    if choice.sentence.batch is not None:
        layout.caption(_describe_batch(choice))
    _export(choice)
    outcome.show(choice, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _matrices(choice: MaskChoice) -> dict[str, NDArray[Any]]:
    """Tensors of the two runs: scores and weights without the mask, masked scores and weights with it."""
    path, head = choice.screen.at.path, choice.screen.head
    return {
        "scores": choice.without[f"{path}.scores"][head].numpy(),
        "masked": choice.with_mask[f"{path}.masked"][head].numpy(),
        "weights_without": choice.without[f"{path}.weights"][head].numpy(),
        "weights_with": choice.with_mask[f"{path}.weights"][head].numpy(),
    }


def _show_panels(choice: MaskChoice) -> None:
    matrix_mounts.panels(
        pack_panels(
            _panels(choice),
            choice.queries,
            choice.keys,
            identity=f"{choice.screen.identity} {len(choice.queries)}",
            title="Scores and weights without and with the mask",
            selected=(choice.screen.query, choice.screen.key),
        ),
        key="masks panels",
        on_cell=_take_cell,
    )


def _panels(choice: MaskChoice) -> list[Panel]:
    """The scores and the weights, without the mask and with it."""
    matrices = _matrices(choice)
    return [
        Panel("Scores", "Q Kᵀ ÷ √d_k, nothing hidden", "score", matrices["scores"], "signed"),
        Panel("Scores + mask", "hidden cells are −∞", "score + mask", matrices["masked"], "signed"),
        Panel("Weights without mask", "softmax of the first", "weight without", matrices["weights_without"]),
        Panel("Weights with mask", "softmax of the second", "weight with", matrices["weights_with"]),
    ]


def _take_cell() -> None:
    query, key = st.session_state["masks panels"]["cell"]
    state.put(masks_query=int(query), masks_key=int(key))


def _show_painter(choice: MaskChoice) -> None:
    from model.experiments.painted_masks import presets

    queries, keys = choice.queries, choice.keys
    starts = presets(len(queries), len(keys))
    if choice.screen.at.is_cross:
        starts = {name: mask for name, mask in starts.items() if name in ("all visible", "no first token")}
    matrix_mounts.painter(
        pack_painter(
            choice.visible.numpy(),
            queries,
            keys,
            {name: mask.numpy() for name, mask in starts.items()},
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
        return  # the message does not come from the painter
    state.put(masks_kind="painted", masks_paint=mask_to_text(visible))


def _describe(choice: MaskChoice) -> str:
    matrices = _matrices(choice)
    hidden = ~choice.visible.numpy()
    screen = choice.screen
    if not hidden.any():
        return "Nothing is hidden: the mask is 0 everywhere, so both runs are the same."
    taken = float((matrices["weights_without"] * hidden).sum(-1).mean())
    sentences = (
        f"{hidden.sum()} of {hidden.size} cells {'is' if hidden.sum() == 1 else 'are'} hidden in {screen.place}. "
        f"Without the mask a query would give {percent(taken)} of its attention to what is hidden, on average; with it "
        f"exactly {matrices['weights_with'][hidden].max():g}."
    )
    whole_rows = np.flatnonzero(hidden.all(-1))
    if len(whole_rows):
        names = ", ".join(f"**{markdown_text(choice.queries[i])}**" for i in whole_rows[:3])
        sentences += f" The whole row of {names} is hidden: its weights are 0, not undefined."
    moved = np.abs(matrices["masked"] - matrices["scores"])[~hidden]
    if moved.size and moved.max() > 1e-4:
        sentences += (
            f" The visible scores differ by up to {number(float(moved.max()))} between the runs, because the layers "
            "below ran with the mask too."
        )
    return sentences


def _describe_batch(choice: MaskChoice) -> str:
    """Compares the reader's sentence in the batch, all of it run at once, with the same sentence alone."""
    run, batch, source = choice.screen.run, choice.sentence.batch, choice.sentence.source_batch
    assert batch is not None

    def measure() -> bytes:
        from model.experiments.padded_batch import run_alone, run_batch

        with traces.forward_pass():
            alone = run_alone(run.model, run.trace.tokens, run.trace.source_tokens)
            ways = [run_batch(run.model, batch, source, masked=way) for way in (True, False)]
        return json.dumps([float((each[0, : len(alone)] - alone).abs().max()) for each in ways]).encode()

    rows = [[token.id for token in row] for row in (*batch.tokens, choice.sentence.source)]
    masked, unmasked = json.loads(traces.pack(run, f"padded batch {rows}", measure))
    sentences = (
        f"Run as one batch of {len(rows) - 1} sentences, the model's answer for yours differs from the sentence alone "
        f"by {number(masked)} at most with the padding hidden, and by {number(unmasked)} without."
    )
    if run.model.config.kind == "decoder":
        sentences += " A causal mask already hides padding that stands behind the words."
    return sentences


def _table(choice: MaskChoice) -> pd.DataFrame:
    """One row for each cell of the four panels."""
    matrices = _matrices(choice)
    rows, columns = np.indices(matrices["scores"].shape)
    queries, keys = number_words(choice.queries), number_words(choice.keys)
    return pd.DataFrame(
        {
            "query": [queries[i] for i in rows.flat],
            "key": [keys[j] for j in columns.flat],
            "score": matrices["scores"].ravel().round(4),
            "score + mask": np.where(np.isfinite(matrices["masked"]), matrices["masked"], np.nan).ravel().round(4),
            "weight without": matrices["weights_without"].ravel().round(4),
            "weight with": matrices["weights_with"].ravel().round(4),
        }
    )


def _show_equations() -> None:
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


def _work_out_weights(choice: MaskChoice) -> None:
    """The weights of two keys in the query's row, with all its scores: of the strongest key, and of a hidden one."""
    matrices, row = _matrices(choice), min(choice.screen.query, len(choice.queries) - 1)
    masked, best = matrices["masked"][row], int(matrices["weights_with"][row].argmax())
    if not np.isfinite(masked).any():
        layout.caption(f"The whole row of {layout.quote(choice.queries[row])} is hidden: its weights are defined as 0.")
        return
    hidden = np.flatnonzero(np.isneginf(masked))
    for key in (best, *hidden[-1:].tolist()):
        role = "which is hidden" if key in hidden else "its strongest key"
        layout.work_out(
            f"The weight of {layout.quote(choice.keys[key])} (j = {key}), {role}, in the row of "
            f"{layout.quote(choice.queries[row])} (i = {row}) in {choice.screen.place}:",
            rf"A_{{{row},{key}}} = {sums.softmax(masked, key)}",
        )


def _show_code(choice: MaskChoice) -> None:
    from model.network import masks

    layout.code(masks.causal_mask, masks.padding_mask, masks.combine, masks.masked_softmax)
    if choice.sentence.batch is None:
        st.caption("The run with this mask again")
        st.code(_snippet(choice), language="python", wrap_lines=True)


def _snippet(choice: MaskChoice) -> str:
    """Python that repeats the run with the mask, and asserts one weight of it."""
    from model.experiments.painted_masks import mask_to_text

    screen, run = choice.screen, choice.screen.run
    given = repr(run.text) if run.target is None else f"{run.text!r}, target={run.target!r}"
    path = screen.at.path
    row = min(screen.query, len(choice.queries) - 1)
    weights = choice.with_mask[f"{path}.weights"][screen.head, row]
    best = int(weights.argmax())
    return f"""\
from model import load, replace
from model.network.masks import hide
from model.experiments.painted_masks import mask_from_text

visible = mask_from_text({mask_to_text(choice.visible)!r})  # (queries, keys)
edit = replace("{screen.at.every_layer if choice.everywhere else path}.mask", hide(visible))
trace = load({run.name!r}).trace({given}, keep="{path}.*", edits=[edit])

weight = trace["{path}.weights"][{screen.head}, {row}, {best}].item()
assert abs(weight - {float(weights[best]):.6f}) < 1e-4
print(weight)
"""


def _export(choice: MaskChoice) -> None:
    matrices = _matrices(choice)
    name = f"{choice.screen.file_name}-{choice.kind.replace(' ', '-')}"
    queries, keys = choice.queries, choice.keys
    title = f"{choice.screen.run.model.card.title}, {choice.screen.place}"
    mask = choice.visible.to(torch.uint8).numpy()
    code = _snippet(choice) if choice.sentence.batch is None else None
    figures.files(
        name,
        partial(panel_pictures.panels_picture, _panels(choice), queries, keys, title, across=2),
        CSV=partial(head_pictures.matrix_csv, mask, queries, keys),
        NPZ=partial(npz, visible=mask, queries=queries, keys=keys, **matrices),
        **({} if code is None else {"PY": lambda: code}),
    )
