"""The snapshots of two bundled models. One slider moves all figures."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from model.analysis.scores import entropy
from model.experiments import snapshots as replay
from model.train import schedule
from model.zoo.cards import Card
from pages.learning.training_parts import frames, player
from pages.shared.elements import claims, figures, fragments, layout
from pages.shared.elements.claims import Claim
from pages.shared.elements.model_text import show_text
from pages.shared.model_runs import model_choice, traces
from pages.shared.session import state
from views.shared import quotes, sums
from views.shared.measure_words import compare_with_even, say_meanings
from viz.learning.training import loss_figure, measures_figure, scores_figure
from viz.shared.sheet import grid_figure
from viz.shared.style import isolate, markdown_text, measure_name, number, percent

TITLES = {"tiny-lm": "Language model", "en-ur": "English to Urdu"}
SCORES = {"tiny-lm": "induction", "en-ur": "alignment"}
MAX_TOKENS = 40  # on one side of a map
SCORE = "the best head's score"
ABOVE = "the loss, over that of an even guess,"
PROMPTS = (
    layout.Prompt(
        "When does copying begin?",
        "In a few hundred steps one head of layer 2 learns to look at what came next the last time.",
        {"training_part": "replay", "training_of": "tiny-lm", "training_snapshot": 8, "training_layer": -1},
        claim=Claim(SCORE, "over", 0.3),
        at="training scores",
    ),
    layout.Prompt(
        "The alignment appears",
        "The cross-attention finds the right English word before the translation is right.",
        {"training_part": "replay", "training_of": "en-ur", "training_snapshot": 6, "text": "The weather is cool"}
        | {"training_layer": -1},
        claim=Claim(SCORE, "over", 0.5),
        at="training heads",
    ),
    layout.Prompt(
        "Before the first step",
        "Noise: it guesses, and a little worse than one who holds all words for equally likely.",
        {"training_part": "replay", "training_snapshot": 0},
        claim=Claim(ABOVE, "over", 1.0),
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
    name = _model()
    _say_model(name)
    try:
        card = traces.model(name).card
    except traces.errors() as error:
        traces.complain(error)
    else:
        _show_course(card, depth)
    layout.try_this(*PROMPTS)


def _show_course(card: Card, depth: str) -> None:
    _read_places(card)
    if depth == "Formula":
        _work_out_loss(card)
    elif depth == "Code":
        layout.code(schedule.snapshot_steps, replay.attention, replay.induction, replay.alignment)
    else:
        every = player.redraw_seconds("training_snapshot")
        fragments.alone(_view, every=every)(card, depth == "Numbers")


def _read_places(card: Card) -> None:
    """Corrects the snapshot and the layer. At first they are the last one, and that of the best head."""
    last = len(card.details["snapshots"]) - 1
    if state.get("training_snapshot") == -1:
        state.put(training_snapshot=last)
    state.checked_number("training_snapshot", 0, last, "Snapshot")
    _read_layer(frames.scores(card.name, last))


def _model() -> str:
    choice = state.get("training_of") or state.get("model")
    name = choice if choice in TITLES else "tiny-lm"
    if state.get("training_of") != name:
        state.put(training_of=name)
    layout.beside_parts().segmented_control(
        "Model", tuple(TITLES), key="training_of", format_func=TITLES.__getitem__, required=True,
        label_visibility="collapsed", width="content",
    )  # fmt: skip
    return state.get("training_of")


def _say_model(name: str) -> None:
    """Name the model that reads the sentence below the run bar, unless it is the bar's. Its error is the page's."""
    with suppress(*traces.errors()):
        model_choice.say_other_models([name], "snapshots of its training are kept")


def _view(card: Card, numbers: bool) -> None:
    snapshots = card.details["snapshots"]
    last = len(snapshots) - 1
    player.advance("training_snapshot", last)
    snapshot = state.get("training_snapshot")
    player.show("training_snapshot", [entry["step"] for entry in snapshots])
    step = snapshots[snapshot]["step"]
    left, right = st.columns(2, gap="large")
    with left:
        _loss(card, step, numbers)
    with right:
        _measures(card, snapshot, numbers)
    frame = _answer(card.name, snapshot)
    scores = frames.all_scores(card.name, len(snapshots))
    if frame is not None:
        _heads(card, snapshot, frame, scores, numbers)
    _scores(card, snapshot, scores, numbers)
    state.finish()


def _loss(card: Card, step: int, numbers: bool) -> None:
    snapshots = card.details["snapshots"]
    held_out = {entry["step"]: entry["metrics"]["loss"] for entry in snapshots}
    figure = loss_figure(card.details["curve"], held_out, step, state.theme())
    rows = partial(_loss_rows, snapshots)
    even = float(np.log(traces.model(card.name).config.vocab_size))
    claims.tell(ABOVE, held_out[step] / even)
    figures.show_or_list(numbers, figure, f"Loss over training, marked at step {step}", rows)
    layout.caption(
        f"After {step:,} of {card.details['training']['steps']:,} steps the loss on held-out text is "
        f"**{number(held_out[step])}** nats a token; {compare_with_even(held_out[step], even)}"
    )
    figures.export(f"{card.name}-loss", figure, rows)


def _loss_rows(snapshots: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"step": each["step"], "loss of the batch": each["loss"], "loss, held out": each["metrics"]["loss"]}
        for each in snapshots
    ]


def _measures(card: Card, snapshot: int, numbers: bool) -> None:
    snapshots = card.details["snapshots"]
    now, end = (shares(snapshots[place]["metrics"]) for place in (snapshot, -1))
    figure = measures_figure(now, end, state.theme())
    rows = [{"step": each["step"], **shares(each["metrics"])} for each in snapshots]
    figures.show_or_list(numbers, figure, "Held-out measures at this snapshot and at the end", lambda: rows)
    figures.export(f"{card.name}-measures", figure, lambda: rows)
    sample = card.details["training"]["recipe"]["evaluate_sample"]
    learnt = [name for name, value in now.items() if value >= 0.9]
    layout.caption(
        f"Measured at each snapshot on about {sample} held-out items. "
        + (f"At 90% or more: {', '.join(map(measure_name, learnt))}. " if learnt else "Nothing is at 90%. ")
        + say_meanings(card, now)
    )


def shares(metrics: dict[str, float]) -> dict[str, float]:
    """The measures that are shares, without losses and variants of a measure. chrF, 0..100, becomes a share."""
    measures = {
        name: value
        for name, value in metrics.items()
        if not name.startswith("loss") and not name.endswith("_shuffled") and "_layer_" not in name
    }
    return {name: value / 100 if name == "chrf" else value for name, value in measures.items()}


def _answer(name: str, snapshot: int) -> frames.Frame | None:
    """The reader's sentence at this snapshot. None, after a message, if it cannot be run."""
    try:
        text = traces.fitting_sentence(name)
        frame = frames.frame(name, snapshot, text)
    except traces.errors() as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return None
    with st.container(key="training answer"):
        st.markdown(f"**What it makes of your sentence**  \n{markdown_text(text)}")
        show_text("Its answer", frame.answer)
    return frame


def _heads(card: Card, snapshot: int, frame: frames.Frame, scores: NDArray[np.float32], numbers: bool) -> None:
    layer = choose_layer(scores)
    weights = np.asarray(frame.weights[layer, :, :MAX_TOKENS, :MAX_TOKENS], np.float32)  # (heads, queries, keys)
    queries, keys = ([isolate(label) for label in labels[:MAX_TOKENS]] for labels in (frame.queries, frame.keys))
    titles = [f"head {head}: {percent(float(score))}" for head, score in enumerate(scores[snapshot, layer])]
    figure = grid_figure(weights, titles, queries, keys, state.theme())
    rows = partial(weight_rows, frame, layer)
    with st.container(key="training heads"):
        figures.show_or_list(numbers, figure, f"Attention of the heads of layer {layer} at this snapshot", rows)
    meaning = (
        "Cross-attention while each snapshot reads the translation that the trained model gives: rows are Urdu words, "
        "columns English ones."
        if card.name == "en-ur"
        else "Self-attention on your sentence: rows are queries, columns keys."
    )
    note = f" The first {MAX_TOKENS} tokens are drawn." if max(len(frame.queries), len(frame.keys)) > MAX_TOKENS else ""
    bits = float(entropy(torch.from_numpy(weights)).mean())
    layout.caption(
        f"{meaning} Above each head stands its {SCORES[card.name]} score. The rows' mean entropy is "
        f"{number(bits, 2)} bits: less is more decided.{note}"
    )
    figures.export(f"{card.name}-heads-{snapshot}", figure, rows, weights=frame.weights)


def choose_layer(scores: NDArray[np.float32]) -> int:
    """Draws the choice of a layer of scores (steps, layers, heads), and returns it."""
    _read_layer(scores[-1])
    st.segmented_control(
        "Layer", range(scores.shape[1]), key="training_layer", required=True, label_visibility="collapsed",
        format_func=lambda layer: f"layer {layer}",
    )  # fmt: skip
    return state.get("training_layer")


def _read_layer(scores: NDArray[np.float32]) -> None:
    """Corrects the layer, of scores (layers, heads) at the end: that of the best head, until one is chosen."""
    if not 0 <= state.get("training_layer") < len(scores):
        state.put(training_layer=int(scores.max(-1).argmax()))


def weight_rows(frame: frames.Frame, layer: int) -> list[dict[str, Any]]:
    """The attention of the heads of a layer, a row for each query of each head."""
    return [
        {"head": head, "query": query, **{f"{i} {key}": float(row[i]) for i, key in enumerate(frame.keys)}}
        for head, rows in enumerate(frame.weights[layer])
        for query, row in zip(frame.queries, rows, strict=True)
    ]


def _scores(card: Card, snapshot: int, scores: NDArray[np.float32], numbers: bool) -> None:
    steps = [entry["step"] for entry in card.details["snapshots"]]
    layer, head = (int(place) for place in np.unravel_index(int(scores[-1].argmax()), scores.shape[1:]))
    name = SCORES[card.name]
    figure = scores_figure(steps, scores, steps[snapshot], (layer, head), name, state.theme())
    rows = partial(score_rows, steps, scores)
    with st.container(key="training scores"):
        figures.show_or_list(numbers, figure, f"The {name} score of every head over training", rows)
    line = scores[:, layer, head]
    claims.tell(SCORE, float(line[snapshot]))
    jump = int(np.diff(line).argmax())
    meaning = (
        "Induction: where a held-out line is about to repeat a name or a word, how much weight its last token gives to "
        "the earlier places of the token that comes next."
        if card.name == "tiny-lm"
        else "Alignment: how often a head's largest weight lies on a right English word, over 100 held-out sentences. "
        f"{markdown_text(card.details['guided_alignment'])}"
    )
    layout.caption(
        f"{meaning} The best head at the end is head {head} of layer {layer}: **{percent(float(line[snapshot]))}** "
        f"here, {percent(float(line[-1]))} at the end. It grows most between steps {steps[jump]:,} and "
        f"{steps[jump + 1]:,}, from {percent(float(line[jump]))} to {percent(float(line[jump + 1]))}."
    )
    figures.export(f"{card.name}-{name}", figure, rows, scores=scores)


def score_rows(steps: list[int], scores: NDArray[np.float32]) -> list[dict[str, Any]]:
    """The score of each head, a row for each step: scores (steps, layers, heads)."""
    _, layers, heads = scores.shape
    names = {f"{layer}.{head}": (layer, head) for layer in range(layers) for head in range(heads)}
    return [
        {"step": step, **{name: float(scores[k][place]) for name, place in names.items()}}
        for k, step in enumerate(steps)
    ]


def _work_out_loss(card: Card) -> None:
    """The loss of each token of the sentence at the chosen snapshot, and their mean."""
    snapshots, place = card.details["snapshots"], state.get("training_snapshot")
    try:
        losses = frames.losses(card.name, place, traces.fitting_sentence(card.name))
    except traces.errors() as error:
        traces.complain(error)
        return
    if losses:
        layout.work_out(
            f"The {len(losses)} tokens of your sentence that had one before them, after {snapshots[place]['step']:,} "
            "steps of training:",
            rf"L = \frac{{{sums.plus(losses, quotes.tex)}}}{{{len(losses)}}} = "
            f"{quotes.tex(sum(losses) / len(losses))}",
        )


def _formula() -> None:
    layout.equation(
        r"L = -\frac{1}{T} \sum_{t=1}^{T} \ln p(x_t \mid x_{<t})",
        "Cross-entropy, in nats a token. Shamsi (2024), section 2.4; for p, slides, “Language Modelling Head”.",
        {"T": "the tokens of a batch", "p": "the probability that the model gives to the token that is really there"},
    )
    layout.equation(
        r"\mathrm{induction} = \mathrm{mean} \sum_{j:\, x_j = x_{T+1}} A_{T, j}",
        "After Olsson et al. (2022), arXiv:2209.11895, “prefix matching”, on held-out lines in which a name returns.",
        {"A_{T, j}": "the weight of the last token on token j", "x_{T+1}": "the token that comes next"},
    )
