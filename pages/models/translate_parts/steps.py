"""The translation step by step: the player, or its numbers as a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from pages.components import inference_mounts
from pages.models.translate_parts.pair import Pair
from pages.shared.elements import claims, control_tokens, figures, layout
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.shared import quotes
from viz.models.translate import pack_translation, whole_words
from viz.print import translation_pictures
from viz.print.files import npz, rows_csv
from viz.shared.style import count_noun, isolate, markdown_text, percent
from viz.shared.tokens import words

CROSSINGS = "the number of pairs of lines that cross"


def show(pair: Pair, depth: str) -> None:
    view = read_view(pair)
    probabilities = _probabilities(pair)
    looks = _cross_attention(pair, view["layer"], view["head"]).argmax(-1)  # (target tokens,)
    claims.tell(CROSSINGS, int((looks[:, None] > looks).triu().sum()))
    rows = _rows(pair, view["layer"], view["head"], probabilities)
    if depth == "Numbers":
        st.dataframe(rows, hide_index=True)
        where = f"layer {view['layer']}" if view["layer"] >= 0 else "the mean of all layers"
        layout.caption(f"Cross-attention in {where}: each row sums to 1 over the source tokens.")
        _export(pair, view, rows)
        return
    inference_mounts.translation(
        pack_translation(
            pair.source,
            pair.written,
            words(pair.source),
            words(pair.written),
            pair.weights("encoder", "self_attn").numpy(),
            pair.weights("decoder", "self_attn").numpy(),
            pair.weights("decoder", "cross_attn").numpy(),
            identity=repr((pair.run.name, pair.run.text, pair.run.target)),
            given=pair.given,
            probabilities=probabilities,
            view=view,
            start=words(pair.run.model.output_tokenizer.tokens([pair.start]))[0],
        ),
        key="translate player",
        on_view=_take_view,
    )
    layout.caption(_what_to_see(pair, probabilities))
    control_tokens.explain((pair.run.model.output_tokenizer.token(pair.start), *pair.written))
    _export(pair, view, rows)


def _export(pair: Pair, view: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    row = _cross_attention(pair, view["layer"], view["head"]).numpy()
    where = f"layer {view['layer']}" if view["layer"] >= 0 else "mean of all layers"
    title = f"{pair.run.model.card.title}, cross-attention, {where}, after step {view['step']}"
    picture = partial(
        translation_pictures.lines_picture, pair.source, pair.written, row, view["step"], title,
        leftwards=view["order"] != "time",
    )  # fmt: skip
    figures.files("translation", picture, CSV=partial(rows_csv, rows), NPZ=partial(npz, weights=row))


def _cross_attention(pair: Pair, layer: int, head: int) -> Any:
    """The cross-attention of a layer and head: (target tokens, source tokens). -1 is the mean of all."""
    weights = pair.weights("decoder", "cross_attn")
    weights = weights.mean(0) if layer < 0 else weights[layer]
    return weights.mean(0) if head < 0 else weights[head]


def read_view(pair: Pair) -> dict[str, Any]:
    """The player's view with impossible values mended. It has the keys, order and form that the player sends back."""
    config = pair.run.model.config
    _mend_step(pair)
    if state.get("translate_layer") < -1:
        state.put(translate_layer=aligned_layer(pair))
    layer = state.checked_number("translate_layer", -1, config.n_decoder_layers - 1, "Layer")
    head = state.checked_number("translate_head", -1, config.n_heads - 1, "Head")
    return {"step": state.get("translate_step"), "layer": layer, "head": head, "order": state.get("translate_order")}


@dataclass
class TranslationSession:
    """The two sentences of the last run, and its step."""

    sentences: tuple[str, str | None] | None = None
    step: int = -1


def _mend_step(pair: Pair) -> None:
    """Mends the step. A new sentence is shown to its end, unless its step changed at the same time."""
    now, step = (pair.run.text, pair.run.target), state.get("translate_step")
    session = of_session(TranslationSession)
    if step < 0 or (session.sentences not in (None, now) and step == session.step):
        step = max(len(pair.written) - 1, 1)
    step = min(step, len(pair.written))
    state.put(translate_step=step)
    session.sentences, session.step = now, step


def aligned_layer(pair: Pair) -> int:
    """The decoder layer whose cross-attention aligns words best, by the model's card. -1 if the card has no measure."""
    metrics = pair.run.model.card.details.get("metrics", {})
    accuracies = {l: metrics.get(f"alignment_layer_{l}", 0.0) for l in range(pair.run.model.config.n_decoder_layers)}
    best = max(accuracies, key=accuracies.__getitem__)
    return best if accuracies[best] else -1


def _take_view() -> None:
    view = st.session_state["translate player"]["view"]
    state.put(
        translate_step=int(view["step"]),
        translate_layer=int(view["layer"]),
        translate_head=int(view["head"]),
        translate_order="time" if view["order"] == "time" else "reading",
    )


def _probabilities(pair: Pair) -> list[float]:
    """The model's probability of each token of the translation."""
    p = pair.run.trace.logits.softmax(-1)
    return [float(p[step, id]) for step, id in enumerate(pair.written_ids)]


def _rows(pair: Pair, layer: int, head: int, probabilities: list[float]) -> list[dict[str, Any]]:
    """Every step: its token, its probability, and the cross-attention to each source token."""
    row = _cross_attention(pair, layer, head)
    columns = [f"{i} {word}" for i, word in enumerate(words(pair.source))]
    return [
        {"step": step + 1, "token": word, "probability": p}
        | dict(zip(columns, (float(w) for w in row[step]), strict=True))
        for step, (word, p) in enumerate(zip(words(pair.written), probabilities, strict=True))
    ]


def _what_to_see(pair: Pair, probabilities: list[float]) -> str:
    spoken = [word["text"] for word in whole_words(pair.written) if not word["special"]]
    if not spoken:
        return "The model ended the sentence at once, without a word."
    unsure = min(range(len(probabilities)), key=probabilities.__getitem__)
    translation = markdown_text(pair.text(pair.written_ids))
    verb = "was given" if pair.given else "wrote"
    size = f"{count_noun(len(spoken), 'word')} in {count_noun(len(pair.written), 'step')}"
    text = f"The model {verb} **{isolate(translation)}**: {size}. "
    if probabilities[unsure] > 0.95:
        floor = math.floor(1000 * probabilities[unsure]) / 10
        text += f"It was sure of every one: each had at least {floor:g}%."
    else:
        unsure_word = quotes.quote(words(pair.written)[unsure], unsure)
        text += f"It was least sure of {unsure_word}, {percent(probabilities[unsure])}."
    if not pair.given and pair.written_ids[-1] not in pair.run.model.output_tokenizer.ends:
        text += " It reached its limit before it ended the sentence."
    return text
