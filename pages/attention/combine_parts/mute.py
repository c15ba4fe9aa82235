"""Concat and W_O, view Mute heads: the model again with some heads silent, beside the whole model."""

from __future__ import annotations

from functools import partial

import streamlit as st
from torch import Tensor

from model import Edit, ablate
from model.analysis.change import likeliest_with_new, turn
from model.analysis.head_steps import final_name
from model.experiments.surgery import edit_model
from pages.attention.combine_parts.combine_view import CombineView
from pages.attention.combine_parts.side_by_side import concat_rows
from pages.shared.elements import claims, figures, layout, lecture_screen
from pages.shared.elements.model_text import show_text
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import ablation_choice, state
from views.shared import quotes
from viz.attention.combine import before_after_figure, slices_figure
from viz.attention.masks import change_figure
from viz.shared.style import markdown_text, number, percent
from viz.shared.tokens import labels, words

FOCUS = ("combine muted",)  # the container of all pictures
LIKELIEST = 8  # next tokens of the whole model that are compared
MUTED = "muted heads"  # the name of their widget
NEW = 3  # likeliest next tokens of the muted model that are added to them

SILENT = "the number of silent heads"
CHANGE = "the largest change"  # of a probability, or of the direction of a vector


def show(view: CombineView, numbers: bool) -> None:
    n_heads = view.config.n_heads
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state[MUTED] = list(view.muted)
        st.pills("Heads to mute", tuple(range(n_heads)), selection_mode="multi", key=MUTED, on_change=_take_heads)
        st.segmented_control("Where", ("this layer", "every layer"), key="combine_scope", required=True)
    if not view.muted:
        st.info("Choose the heads that should fall silent.")
        return
    claims.tell(SILENT, len(view.muted))
    edit = _mute(view)
    concat = view.concat.numpy()
    draw = partial(slices_figure, concat, view.tokens, n_heads, view.muted)
    # A lecture shows the heads and the effect beside each other, since no screen is high enough for both.
    presented = lecture_screen.present_screen() is not None
    with st.container(key=FOCUS[0]):
        heads, effect = st.columns(2, gap="medium") if presented else (st.container(), st.container())
    with heads:
        if not numbers:
            alt = f"The outputs of {n_heads} heads side by side, the muted ones veiled"
            figures.show(draw(theme=state.theme()), alt)
        export = st.container()  # filled last: a saved view begins with the effect of the muting
    with effect:
        _show_effect(view, edit, numbers)
    with export:
        rows = partial(concat_rows, view.tokens, concat)
        figures.export(f"{view.run.name}-muted-heads", draw, rows, FOCUS, concat=concat)


def _show_effect(view: CombineView, edit: Edit, numbers: bool) -> None:
    if len(view.muted) == view.config.n_heads:
        layout.caption("All heads are muted: this attention adds nothing but its bias.")
    if view.config.kind == "encoder-decoder":
        _show_translations(view, edit)
    elif view.config.kind == "decoder":
        _show_predictions(view, edit, numbers)
    else:
        _show_turns(view, edit, numbers)


def _take_heads() -> None:
    state.put(combine_muted=ablation_choice.write_muted(st.session_state[MUTED]))


def _mute(view: CombineView) -> Edit:
    """The edit that silences the heads. Says which heads are silent."""
    every_layer = state.get("combine_scope") == "every layer"
    edit = ablate(view.at.every_layer if every_layer else view.at.path, view.muted)
    heads = ", ".join(map(str, view.muted))
    where = "every layer" if every_layer else f"layer {view.at.layer}"
    st.markdown(f"**Without head{'s' if len(view.muted) > 1 else ''} {heads} in {where}**")
    if view.run.edits:
        layout.caption("What the run bar has muted is silent on both sides of this comparison.")
    return edit


def _run_twice(view: CombineView, edit: Edit, tensor: str) -> tuple[Tensor, Tensor]:
    """One tensor of the whole model and of the muted one."""
    run = view.run
    whole = traces.trace(run.model, run.text, tensor, target=run.target)[tensor]
    muted = traces.trace(run.model, run.text, tensor, target=run.target, edits=(edit,))[tensor]
    return whole, muted


def _show_predictions(view: CombineView, edit: Edit, numbers: bool) -> None:
    """The probabilities of the next token."""
    model = view.run.model
    whole, muted = (logits[-1].softmax(-1) for logits in _run_twice(view, edit, "logits"))  # (vocabulary,)
    claims.tell(CHANGE, float((muted - whole).abs().max()))
    ids = likeliest_with_new(whole, muted, LIKELIEST, NEW)
    names, before, after = labels(model.tokenizer.tokens(ids)), whole[ids].tolist(), muted[ids].tolist()
    rows = [{"token": t, "whole": b, "muted": a} for t, b, a in zip(names, before, after, strict=True)]
    figure = before_after_figure(names, before, after, state.theme())
    alt = "The next token's probabilities with all heads and with some muted"
    figures.show_or_list(numbers, figure, alt, lambda: rows)
    figures.export(f"{view.run.name}-muted", figure, lambda: rows, FOCUS)
    likeliest = [int(probabilities.argmax()) for probabilities in (whole, muted)]
    expected, instead = words(model.tokenizer.tokens(likeliest))
    still = "still" if expected == instead else f"no longer “{markdown_text(expected)}” but"
    layout.caption(f"The likeliest next token is {still} “{markdown_text(instead)}”, {percent(float(muted.max()))}.")


def _show_turns(view: CombineView, edit: Edit, numbers: bool) -> None:
    """How far the last hidden state of every token turns, in an encoder."""
    whole, muted = _run_twice(view, edit, final_name(view.config, "encoder"))  # (tokens, d_model)
    turns = turn(whole, muted)  # (tokens,)
    claims.tell(CHANGE, float(turns.max()))
    rows = [{"token": token, "1 − cosine": value} for token, value in zip(view.tokens, turns.tolist(), strict=True)]
    figure = change_figure(view.tokens, turns.numpy(), "1 − cosine", state.theme())
    figures.show_or_list(numbers, figure, "How far each token's last hidden state turned", lambda: rows)
    figures.export(f"{view.run.name}-muted", figure, lambda: rows, FOCUS, before=whole.numpy(), after=muted.numpy())
    most = int(turns.argmax())
    layout.caption(
        f"How far each token's last hidden state turned. {quotes.quote(view.tokens[most], most)} moved most: "
        f"{number(float(turns[most]))}. An encoder has no next token to predict."
    )


def _show_translations(view: CombineView, edit: Edit) -> None:
    model = view.run.model
    source = model.tokens_of(view.run.text)
    models = {"All heads": model, "Muted": edit_model(model, edits=[edit])}
    for column, (name, each) in zip(st.columns(2), models.items(), strict=True):
        with column, model_turns.forward_pass():
            show_text(name, model.output_tokenizer.decode(list(each.translate_ids(source))))
    layout.caption("Both are greedy translations of the sentence in the bar.")
