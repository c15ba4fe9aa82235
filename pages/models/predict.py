"""Predict: a decoder-only model continues the reader's sentence, one token at a time."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

from model.analysis.logit_lens import logit_lens
from model.analysis.stream_drift import stream_drift
from model.generation.sampling import at_temperature, keep_min_p, keep_top_k, keep_top_p
from model.generation.steps import generate
from model.generation.surprise import surprise as surprise_of
from model.network.kv_cache import KVCache
from pages.models.predict_parts import attention, branches, formula, lens, player, race, surprise, writing
from pages.models.predict_parts.writing import Continuation
from pages.shared.elements import figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.session import state
from viz.models.predict import candidates_figure
from viz.print.files import npz, rows_csv

VIEWS = {
    "attention": ":material/timeline: Attention",
    "lens": ":material/layers: Logit lens",
    "cache": ":material/speed: KV cache race",
    "surprise": ":material/bolt: Surprise",
    "branches": ":material/account_tree: Branches",
}
PROMPTS = (
    layout.Prompt(
        "Where is Paris?",
        "The logit lens shows in which layer the answer appears.",
        {"model": "smollm2-135m", "text": "The capital of France is", "predict_view": "lens", "predict_step": 0}
        | {"predict_cell": ()},
        claim=Claim(lens.OUTPUT, "is", "Paris"),
        at="wide lens",
    ),
    layout.Prompt(
        "Loosen the filters",
        "At temperature 1.5 with top-p 0.9 the bars even out. Press Write again: each press draws another text.",
        {"predict_temperature": 1.5, "predict_p": 0.9},
        claim=Claim(player.LARGEST, "under", 1.0),
    ),
    layout.Prompt(
        "A word out of place",
        "The bar of the odd word stands out: the model did not see it coming.",
        {"text": "The quick brown fox jumps over the lazy piano", "predict_view": "surprise"},
        claim=Claim(surprise.MOST, "is", "piano"),
        at="predict surprise",
    ),
)


def main() -> None:
    depth = layout.begin("Predict", "Read everything so far, score every token, choose one, append it, and again.")
    run = _run()
    written = writing.current(run)
    layer, head = attention.place(written)
    if depth == "Formula":
        formula.show(written)
    elif depth == "Code":
        _code()
    else:
        with st.container():
            player.controls(written)
            player.show(written, layer, head)
        if depth == "Numbers":
            step = state.get("predict_step")
            st.dataframe(player.table(written, step), hide_index=True, height=245)
            layout.caption(f"Step {step + 1}: the likeliest tokens through every filter.")
        below = st.container()  # filled last, so that the first Export menu of the page is the view's
        _view(written, layer, head, depth)
        with below:
            _export(written, state.get("predict_step"))
    layout.try_this(*PROMPTS)


def _run() -> traces.Run:
    """The run of the sentence by a decoder-only model. Raises `NothingToShow` if none is installed."""
    run = traces.current(keep="embed.out")
    if run.model.config.kind != "decoder":
        st.info("No model that predicts a next token is installed: that takes a decoder-only model.")
        raise traces.NothingToShow
    return run


def _view(written: Continuation, layer: int, head: int, depth: str) -> None:
    st.segmented_control(
        "View",
        tuple(VIEWS),
        key="predict_view",
        format_func=VIEWS.__getitem__,
        required=True,
        label_visibility="collapsed",
    )
    view = state.get("predict_view")
    layout.name_part(VIEWS[view])
    if view == "attention":
        attention.show(written, layer, head, depth)
    else:
        {"lens": lens.show, "cache": race.show, "surprise": surprise.show, "branches": branches.show}[view](
            written, depth
        )


def _export(written: Continuation, step: int) -> None:
    rows = partial(player.table, written, step, player.MAX_CANDIDATES, writing.sampling())
    text_before = "".join(token.text for token in (*written.prompt, *written.tokens[:step]))
    figures.files(
        "prediction",
        lambda theme: candidates_figure(rows(), text_before, theme),
        lambda theme: candidates_figure(rows(), text_before, theme),
        ("predict player",),
        CSV=partial(_csv, written),
        NPZ=lambda: npz(logits=written.logits[step]),
    )


def _csv(written: Continuation) -> bytes:
    """One row for each written token, with the model's own logit, probability and rank, before any filter."""
    surprises = surprise_of(written.logits[:-1], written.path)
    return rows_csv(
        [
            {"step": step + 1, "id": token.id, "token": token.text, "logit": float(written.logits[step, token.id]),
             "probability": math.exp(-loss), "rank": rank}
            for step, (token, loss, rank) in enumerate(
                zip(written.tokens, surprises.loss, surprises.rank.tolist(), strict=True)
            )
        ]
    )  # fmt: skip


def _code() -> None:
    view = state.get("predict_view")
    sources = {"cache": (generate, KVCache), "lens": (logit_lens, stream_drift), "surprise": (surprise_of,)}
    layout.code(*sources.get(view, (generate, at_temperature, keep_top_k, keep_top_p, keep_min_p)))


main()
