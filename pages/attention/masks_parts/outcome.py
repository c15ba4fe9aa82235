"""The effect of a mask after the scores: on each token's output, and on the next token or the last vectors."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from model.analysis.change import likeliest_of_either, relative_change
from model.arrays import Array
from pages.attention.masks_parts.masked_runs import MaskedRuns
from pages.shared.elements import figures, layout
from pages.shared.session import state
from views.shared import quotes
from views.shared.matrix_tables import named_rows, number_words
from viz.attention.masks import change_figure, predictions_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import number, percent
from viz.shared.tokens import words

LIKELIEST = 6  # next tokens that are shown


def show(runs: MaskedRuns, numbers: bool) -> None:
    """Two pictures side by side: the change of the attention's output, and that of the model's."""
    left, right = st.columns(2, gap="large")
    with left:
        _show_output(runs, numbers)
    with right:
        if "decoder" in runs.screen.config.stacks:
            _show_predictions(runs, numbers)
        else:
            _show_last_vectors(runs, numbers)


def _show_output(runs: MaskedRuns, numbers: bool) -> None:
    at = runs.screen.at
    change = relative_change(runs.without[f"{at.path}.out"], runs.with_mask[f"{at.path}.out"]).numpy()
    st.markdown(f"**What attention adds in layer {at.layer}**")
    _show_change(runs.queries, change, numbers, "masks output", "How much each token's output changes")
    most = int(change.argmax())
    layout.caption(
        f"The mask changes the output most at {quotes.quote(runs.queries[most], most)}: by "
        f"{percent(float(change[most]))} of its length."
        if change[most]
        else "The mask changes no output here."
    )
    _export_change("mask-output", runs.queries, change)


def _show_last_vectors(runs: MaskedRuns, numbers: bool) -> None:
    change = relative_change(runs.final(runs.without), runs.final(runs.with_mask)).numpy()
    st.markdown("**The last layer's vectors**")
    _show_change(runs.written, change, numbers, "masks final", "How much each token's last vector changes")
    most = int(change.argmax())
    sentence = (
        f"Its vectors change most at {quotes.quote(runs.written[most], most)}, by {percent(float(change[most]))}, and "
        f"by {percent(float(change.mean()))} on average."
    )
    layout.caption(
        f"An encoder predicts no next token. {sentence if change[most] else 'Its vectors stay as they are.'}"
    )
    _export_change("mask-last-layer", runs.written, change)


def _show_change(tokens: list[str], change: Array, numbers: bool, key: str, alt: str) -> None:
    """The relative change of every token's vector: (tokens,)."""
    if numbers:
        st.dataframe(_change_table(tokens, change))
    else:
        figure = change_figure(tokens, change, "relative change", state.theme())
        figures.chart(figure, key=key, alt=describe_figure(alt, figure))


def _change_table(tokens: list[str], change: Array) -> pd.DataFrame:
    return pd.DataFrame({"relative change": change}, index=number_words(tokens))


def _export_change(name: str, tokens: list[str], change: Array) -> None:
    draw = partial(change_figure, tokens, change, "relative change")
    figures.export(name, draw, partial(named_rows, _change_table(tokens, change), "token"), change=change)


def _show_predictions(runs: MaskedRuns, numbers: bool) -> None:
    """The likeliest next tokens after a position that the reader chooses, in both runs."""
    position = _choose_position(runs)
    logits = [runs.logits(trace, position) for trace in (runs.without, runs.with_mask)]  # (vocabulary,) each
    without, with_mask = (each.softmax(-1) for each in logits)
    ids = likeliest_of_either(without, with_mask, LIKELIEST)
    names = words(runs.screen.run.model.output_tokenizer.tokens(ids))
    first_run, second_run = runs.names
    table = pd.DataFrame({"next token": names, first_run: without[ids].numpy(), second_run: with_mask[ids].numpy()})
    groups = [(name, table[name].to_numpy()) for name in runs.names]
    figure = predictions_figure(names, groups, state.theme())
    if numbers:
        st.dataframe(table, hide_index=True)
    else:
        alt = describe_figure(f"The next token {first_run} and {second_run}", figure)
        figures.chart(figure, key="masks next", alt=alt)
    first, second = (quotes.quote(names[int(values.argmax())]) for _, values in groups)
    expected = f"both expect {first}" if first == second else f"{first_run} {first}, {second_run} {second}"
    layout.caption(
        f"After {quotes.quote(runs.written[position], position)}: {expected} "
        f"({percent(float(without.max()))} and {percent(float(with_mask.max()))}). "
        f"The logits there differ by up to {number(float((logits[1] - logits[0]).abs().max()))}."
    )
    figures.export("mask-next-token", figure, lambda: table.to_dict("records"))


def _choose_position(runs: MaskedRuns) -> int:
    """Draws the choice of the position whose next token is predicted, at first the last one that is no padding."""
    batch = runs.sentence.batch
    n_real = len(runs.written) if batch is None else int(batch.is_real[0].sum())
    position = state.get("masks_position")
    if not 0 <= position < len(runs.written):
        position = n_real - 1
    st.session_state["masks after"] = position
    st.selectbox(
        "Next token after",
        range(len(runs.written)),
        key="masks after",
        format_func=lambda i: f"{i}  {runs.written[i]}",
        on_change=_take_position,
        width=260,
    )
    return position


def _take_position() -> None:
    state.put(masks_position=st.session_state["masks after"])
