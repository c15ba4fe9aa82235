"""What a mask changes after the scores: each token's output, and the next token or the sentence's vectors."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch
from numpy.typing import NDArray

from pages.attention.masks_parts.chosen import MaskChoice
from pages.shared import figures, layout, state
from viz.attention.masks import change_figure, predictions_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import isolate, markdown_text, number, percent
from viz.shared.tokens import words

SHOWN = 6  # likeliest tokens


def show(found: MaskChoice, numbers: bool) -> None:
    """Two pictures side by side: the output of the attention, and what the model makes of it at the end."""
    left, right = st.columns(2, gap="large")
    with left:
        _output(found, numbers)
    with right:
        if "decoder" in found.shown.config.stacks:
            _predictions(found, numbers)
        else:
            _final_states(found, numbers)


def relative_change(before: torch.Tensor, after: torch.Tensor) -> NDArray[Any]:
    """|after - before| / |before| of every token's vector: (tokens, features) -> (tokens,)."""
    return ((after - before).norm(dim=-1) / before.norm(dim=-1).clamp_min(1e-12)).numpy()


def _output(found: MaskChoice, numbers: bool) -> None:
    path = found.shown.at.path
    change = relative_change(found.without[f"{path}.out"], found.with_mask[f"{path}.out"])
    st.markdown(f"**What attention adds in layer {found.shown.at.layer}**")
    table = pd.DataFrame({"relative change": change.round(4)}, index=_numbered(found.queries))
    figure = change_figure(found.queries, change, "relative change", state.theme())
    if numbers:
        st.dataframe(table)
    else:
        alt = describe_figure("How much each token's output changes", figure)
        figures.chart(figure, key="masks output", alt=alt)
    most = int(change.argmax())
    layout.caption(
        f"The mask changes the output most at **{isolate(markdown_text(found.queries[most]))}**: by "
        f"{percent(float(change[most]))} of its length."
        if change[most]
        else "The mask changes no output here."
    )
    figures.export("mask-output", figure, partial(figures.named_rows, table, "token"), change=change)


def next_token(found: MaskChoice, position: int) -> tuple[list[str], NDArray[Any], NDArray[Any]]:
    """The likeliest next tokens after `position` in either run, and their probabilities without and with the mask."""
    without, with_mask = (found.logits(trace, position).softmax(-1) for trace in (found.without, found.with_mask))
    best = torch.maximum(without, with_mask).topk(min(SHOWN, len(without))).indices
    writer = found.shown.run.model.output_tokenizer
    names = words(writer.tokens(best.tolist()))
    return names, without[best].numpy(), with_mask[best].numpy()


def _predictions(found: MaskChoice, numbers: bool) -> None:
    real = int(found.sentence.batch.is_real[0].sum()) if found.sentence.batch is not None else len(found.written)
    position = state.get("masks_position")
    if not 0 <= position < len(found.written):
        position = real - 1
    st.session_state["masks after"] = position
    st.selectbox(
        "Next token after",
        range(len(found.written)),
        key="masks after",
        format_func=lambda i: f"{i}  {found.written[i]}",
        on_change=_take_position,
        width=260,
    )
    names, without, with_mask = next_token(found, position)
    table = pd.DataFrame({"next token": names, "without mask": without, "with mask": with_mask})
    groups = (("without mask", without), ("with mask", with_mask))
    figure = predictions_figure(names, groups, state.theme())
    if numbers:
        st.dataframe(table.round(5), hide_index=True)
    else:
        alt = describe_figure("The next token without and with the mask", figure)
        figures.chart(figure, key="masks next", alt=alt)
    first, second = (layout.quote(names[int(values.argmax())]) for values in (without, with_mask))
    told = f"both expect {first}" if first == second else f"without the mask {first}, with it {second}"
    layout.caption(
        f"After {layout.quote(found.written[position])}: {told} "
        f"({percent(float(without.max()))} and {percent(float(with_mask.max()))}). "
        f"The logits there differ by up to {number(_largest(found, position))}."
    )
    figures.export("mask-next-token", figure, lambda: table.to_dict("records"))


def _largest(found: MaskChoice, position: int) -> float:
    return float((found.logits(found.with_mask, position) - found.logits(found.without, position)).abs().max())


def _take_position() -> None:
    state.put(masks_position=st.session_state["masks after"])


def _final_states(found: MaskChoice, numbers: bool) -> None:
    change = relative_change(found.final(found.without), found.final(found.with_mask))
    st.markdown("**The last layer's vectors**")
    table = pd.DataFrame({"relative change": change.round(4)}, index=_numbered(found.written))
    figure = change_figure(found.written, change, "relative change", state.theme())
    if numbers:
        st.dataframe(table)
    else:
        alt = describe_figure("How much each token's last vector changes", figure)
        figures.chart(figure, key="masks final", alt=alt)
    most = int(change.argmax())
    told = (
        f"Its vectors change most at **{markdown_text(found.written[most])}**, by {percent(float(change[most]))}, and "
        f"by {percent(float(np.mean(change)))} on average."
    )
    layout.caption(f"An encoder predicts no next token. {told if change[most] else 'Its vectors stay as they are.'}")
    figures.export("mask-last-layer", figure, partial(figures.named_rows, table, "token"), change=change)


def _numbered(labels: list[str]) -> list[str]:
    return [f"{i} {label}" for i, label in enumerate(labels)]
