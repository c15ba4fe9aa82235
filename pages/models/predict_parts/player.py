"""The growing sentence with its playhead, and the candidates at every step after the reader's filters."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np
import streamlit as st

from model.analysis.scores import entropy
from model.generation.sampling import Sampling, stages
from model.generation.surprise import surprise
from pages.components import inference_mounts
from pages.models.predict_parts import writing
from pages.models.predict_parts.writing import Continuation
from pages.shared.elements import claims, control_tokens, layout
from pages.shared.session import state
from views.shared import quotes
from viz.models.predict import candidates, pack_player
from viz.shared.style import count_noun, number, percent
from viz.shared.tokens import chips, labels, words

MAX_CANDIDATES = 12  # a step
LARGEST = "the largest bar after the filters, over the model's own,"


def controls(written: Continuation) -> None:
    """The filters, in the order in which they act, and the button that writes again."""
    vocabulary = written.run.model.config.vocab_size
    state.checked_number("predict_k", 0, vocabulary, "Top-k")
    with layout.settings("predict"):
        st.slider(
            "Temperature", 0.0, 3.0, step=0.05, key="predict_temperature", width=170,
            help="Logits are divided by it before the softmax. 0 is greedy: always the likeliest token.",
        )  # fmt: skip
        st.number_input(
            "Top-k (0: all)", 0, vocabulary, key="predict_k", width=130, help="Then only the k likeliest tokens stay."
        )
        st.slider(
            "Top-p", 0.0, 1.0, step=0.01, key="predict_p", width=170,
            help="Then only the likeliest tokens stay that together reach p; 0 keeps one.",
        )  # fmt: skip
        st.slider(
            "Min-p", 0.0, 1.0, step=0.01, key="predict_min_p", width=170,
            help="Then only tokens with at least this share of the likeliest one's probability stay; 0 keeps all.",
        )  # fmt: skip
        st.number_input("New tokens", 0, 64, key="predict_tokens", on_change=writing.change_length, width=130)
        st.number_input(
            "Seed",
            0,
            9999,
            key="predict_seed",
            width=110,
            help="The same seed draws the same tokens. Write again takes the next one.",
        )
        st.button("Write again", icon=":material/edit:", on_click=writing.start_again, type="primary")
    if others := writing.other_settings(written.path):
        st.info(
            f"**This text was written with other settings**: {'; then '.join(others)}. Write again to use those above.",
            icon=":material/tune:",
        )


def show(written: Continuation, layer: int, head: int) -> None:
    """The player, and a caption of the step at its playhead."""
    inference_mounts.player(
        pack_player(
            chips(written.prompt),
            chips(written.tokens),
            _kept_rows(_writing_key(written), written),
            attention_rows(written, layer, head),
            identity=repr((written.run.name, written.run.text, written.path)),
            step=state.get("predict_step"),
            place=f"layer {layer}, " + (f"head {head}" if head >= 0 else "mean of all heads"),
            ended=written.ended,
        ),
        key="predict player",
        on_step=_take_step,
        on_branch=_take_branch,
        on_more=_take_more,
    )
    step = state.get("predict_step")
    filtered = stages(written.logits[step], writing.sampling())
    claims.tell(LARGEST, float(filtered.min_p.max() / filtered.model.max()))
    layout.caption(_what_to_see(_writing_key(written), step, written))
    likeliest = written.run.model.tokenizer.token(int(written.logits[step].argmax()))
    control_tokens.explain((*written.trace.tokens, likeliest))


def _writing_key(written: Continuation) -> tuple[Any, ...]:
    """All that the steps of a continuation depend on."""
    run = written.run
    return run.spec, written.path, astuple(writing.sampling())


@st.cache_data(show_spinner=False, max_entries=64)
def _kept_rows(key: tuple[Any, ...], _written: Continuation) -> list[dict[str, Any]]:
    """The rows, kept: the filters go through the whole vocabulary at every step. A move of the playhead changes none.

    `key` is read by Streamlit's cache.
    """
    return step_rows(_written)


def step_rows(written: Continuation) -> list[dict[str, Any]]:
    """For every step: the likeliest tokens before and after the filters, and the chosen token."""
    logits = written.logits
    stage = stages(logits, writing.sampling())
    best = logits.topk(min(MAX_CANDIDATES, logits.shape[-1])).indices  # (steps, candidates)
    ranks = surprise(logits[: len(written.path)], written.path).rank  # (chosen tokens,)
    rows = []
    for step in range(written.steps):
        chosen = written.path[step] if step < len(written.path) else None
        ids = best[step].tolist()
        if chosen is not None and chosen not in ids:
            ids.append(chosen)
        names = labels(written.run.model.tokenizer.tokens(ids))
        scores, model, filtered = (values[step][ids].numpy() for values in (logits, stage.model, stage.min_p))
        row: dict[str, Any] = {"candidates": candidates(names, ids, scores, model, filtered, chosen)}
        if chosen is not None:
            row["p"] = float(stage.model[step, chosen])
            row["rank"] = int(ranks[step])
        rows.append(row)
    return rows


def attention_rows(written: Continuation, layer: int, head: int) -> np.ndarray:
    """Where the token read last looks at each step, in one head or on average: (steps, tokens)."""
    weights = written.trace[f"decoder.{layer}.self_attn.weights"]
    chosen = weights.mean(0) if head < 0 else weights[head]
    return chosen[len(written.prompt) - 1 :].numpy()


def table(written: Continuation, step: int, rows: int = 20, sampling: Sampling | None = None) -> list[dict[str, Any]]:
    """The likeliest tokens of a step after every filter. The filters are those of `sampling`, or else the reader's."""
    logits = written.logits[step]
    stage = stages(logits, sampling or writing.sampling())
    ids = logits.topk(min(rows, len(logits))).indices.tolist()
    return [
        {
            "token": label,
            "id": id,
            "logit": float(logits[id]),
            "model": float(stage.model[id]),
            "after temperature": float(stage.temperature[id]),
            "after top-k": float(stage.top_k[id]),
            "after top-p": float(stage.top_p[id]),
            "after min-p": float(stage.min_p[id]),
        }
        for id, label in zip(ids, labels(written.run.model.tokenizer.tokens(ids)), strict=True)
    ]


def _take_step() -> None:
    state.put(predict_step=int(st.session_state["predict player"]["step"]))


def _take_branch() -> None:
    wish = st.session_state["predict player"]["branch"]
    writing.branch(int(wish["step"]), int(wish["id"]))


def _take_more() -> None:
    wish = st.session_state["predict player"]["more"]
    state.put(predict_step=int(wish["step"]))
    writing.want(len(state.get("predict_path")) + int(wish["count"]))


@st.cache_data(show_spinner=False, max_entries=256)
def _what_to_see(key: tuple[Any, ...], step: int, _written: Continuation) -> str:
    """A caption of one step, in Markdown. `key` is read by Streamlit's cache."""
    logits, filters = _written.logits[step], writing.sampling()
    stage = stages(logits, filters)
    best = int(logits.argmax())
    n_left = int((stage.min_p > 0).sum())
    bits = float(entropy(stage.model))
    (token,) = words(_written.run.model.tokenizer.tokens([best]))
    text = (
        f"After {count_noun(_written.query(step) + 1, 'token')} {quotes.quote(token)} is likeliest, "
        f"{percent(float(stage.model[best]))}. The model is as uncertain as among "
        f"{number(2**bits, 1)} equally likely tokens. "
    )
    if filters.greedy:
        return text + "Temperature 0 takes the likeliest one, always."
    return text + f"The filters leave {n_left:,} of {len(logits):,} tokens to draw from."
