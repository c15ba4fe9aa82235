"""The same word in several sentences: its vector layer by layer, in a plane, and how alike the vectors are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from model.analysis import word_in_context
from model.analysis.word_in_context import layer_names, planes, word_layers, word_places
from model.vectors.cosines import cosine_table
from model.vectors.principal_components import principal_components
from pages.models.classify_parts import lines
from pages.shared import figures, layout, state, sums, traces
from viz.models.classify import plane_figure, planes_figure, word_cosines_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import markdown_text, number

PLANE = 165  # pixels: two fit across a phone
MODELS = ("minilm-l6", "tiny-encoder")
COOL = (
    "The Transformer model is cool\nThe weather is cool\nIt is a cool evening by the sea\n"
    "Your new bike looks really cool\nThat is a very cool idea"
)
PROMPTS = (
    layout.Prompt(
        "Two banks",
        "Rivers and money part from layer to layer.",
        {"classify_word": "bank", "classify_sentences": state.KEYS["classify_sentences"].default},
    ),
    layout.Prompt("Two kinds of cool", "Weather, or praise?", {"classify_word": "cool", "classify_sentences": COOL}),
    layout.Prompt("A small model", "Does the tiny encoder tell them apart?", {"classify_model": "tiny-encoder"}),
)


@dataclass(frozen=True)
class WordOccurrences:
    """Every time the word stands in a sentence: the sentence, from 0, and the vectors (layers + 1, times, d_model)."""

    sentences: list[int]
    vectors: Tensor

    @property
    def names(self) -> list[str]:
        """ "1", "2", and "2 b" for the second time in sentence 2."""
        names = []
        for place, sentence in enumerate(self.sentences):
            before = self.sentences[:place].count(sentence)
            names.append(f"{sentence + 1}" + (f" {chr(ord('a') + before)}" if before else ""))
        return names


def show(depth: str) -> None:
    if depth == "Code":
        layout.code(
            word_in_context.word_places, word_in_context.word_layers, word_in_context.plane, word_in_context.planes,
            principal_components, cosine_table,
        )  # fmt: skip
    else:
        left, right = st.columns([3, 2], gap="large")
        with left:
            typed = lines.read_lines("classify_sentences")
        with right:
            st.text_input("Word", key="classify_word", max_chars=60)
            st.segmented_control(
                "Model", MODELS, key="classify_model", format_func=_title, required=True, width="content"
            )
        found = _found(typed)
        if depth == "Formula":
            _formula(found, typed)
        elif found is not None:
            _shown(found, typed, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _title(name: str) -> str:
    return next((card.title for card in traces.cards() if card.name == name), name)


def _found(typed: list[str]) -> WordOccurrences | None:
    """The word in the sentences, or None below one message that says what to do."""
    word, name = state.get("classify_word").strip(), state.get("classify_model")
    if not word:
        st.info("Type a word that stands in the sentences.")
        return None
    try:
        model = traces.model(name)
    except traces.errors() as error:
        traces.complain(error)
        return None
    shown = markdown_text(word)
    places = [word_places(model.tokenizer, line, word) for line in typed]
    without = [str(i + 1) for i, each in enumerate(places) if not each]
    if sum(map(len, places)) < 2:
        st.warning(
            f"“{shown}” stands {'once' if any(places) else 'nowhere'} in these sentences. Two places are needed to "
            "compare it: write another sentence with it, or choose another word.",
            icon=":material/info:",
        )
        return None
    if without:
        some = f"sentences {', '.join(without)}" if len(without) > 1 else f"sentence {without[0]}"
        st.info(f"“{shown}” is not in {some}; the others are compared.")
    having = [line for line, each in zip(typed, places, strict=True) if each]
    traced = lines.run(name, having, layer_names(model.config))
    if traced is None:
        return None
    by_line = dict(zip([i for i, each in enumerate(places) if each], traced, strict=True))
    at = [(i, each) for i, found in enumerate(places) for each in found]
    vectors = [word_layers(model.config, by_line[i], each) for i, each in at]
    return WordOccurrences([i for i, _ in at], torch.stack(vectors, dim=1))


def _shown(found: WordOccurrences, typed: list[str], numbers: bool) -> None:
    drawn = planes(found.vectors)
    cosines = cosine_table(found.vectors)  # (layers + 1, times, times)
    if not numbers:
        with st.container(horizontal=True, gap="small"):
            for layer, (places, shares) in enumerate(drawn):
                figure = plane_figure(places.numpy(), shares.tolist(), layer, found.sentences, state.theme())
                alt = f"The word's vectors in a plane, {layer} layers passed"
                figures.chart(figure, key=f"classify plane {layer}", width=PLANE, alt=alt)
        layout.caption(
            "Each number is the word in the sentence of that number. A picture shows the two directions in which the "
            "vectors of that layer differ most (PCA); above it, their share of the variance. Scales differ."
        )
    every = [(places.numpy(), shares.tolist()) for places, shares in drawn]
    arrays = {f"layer_{layer}": places for layer, (places, _) in enumerate(every)}
    figures.export(
        "word-planes", partial(planes_figure, every, found.sentences), partial(_places, found, drawn, typed), **arrays
    )
    _cosines(found, cosines, typed, numbers)


def _places(found: WordOccurrences, drawn: list[tuple[Tensor, Tensor]], typed: list[str]) -> list[dict[str, Any]]:
    """One row a layer and occurrence: where it stands in the layer's plane."""
    return [
        {"layers passed": layer, "in": name, "sentence": typed[sentence], "x": x, "y": y}
        | {"share of variance": float(shares.sum())}
        for layer, (places, shares) in enumerate(drawn)
        for name, sentence, (x, y) in zip(found.names, found.sentences, places.tolist(), strict=True)
    ]


def _cosines(found: WordOccurrences, cosines: Tensor, typed: list[str], numbers: bool) -> None:
    names, reference = found.names, _reference(found, typed)
    others = [i for i in range(len(names)) if i != reference]
    rows = {f"in {names[i]}": cosines[:, reference, i].tolist() for i in others}
    layers = ["embedding", *(f"after layer {layer}" for layer in range(len(cosines) - 1))]
    table = pd.DataFrame(rows, index=layers)
    figure = word_cosines_figure(rows, [found.sentences[i] for i in others], state.theme())
    if numbers:
        st.dataframe(table)
    else:
        alt = describe_figure("Cosine of the word's vectors by layer", figure)
        figures.chart(figure, key="classify cosines", alt=alt)
    rows_of = partial(figures.named_rows, table, "where")
    figures.export("word-cosines", figure, rows_of, vectors=found.vectors.numpy())
    last = cosines[-1, reference].clone()
    last[reference] = float("nan")
    near, far = max(others, key=lambda i: float(last[i])), min(others, key=lambda i: float(last[i]))
    start = [float(cosines[0, reference, i]) for i in others]
    told = f"it is nearest to that in {names[near]} ({number(float(last[near]), 2)})"
    if near != far:
        told += f" and farthest from that in {names[far]} ({number(float(last[far]), 2)})"
    layout.caption(
        f"Before the first layer the word differs by little but its position: cosines {number(min(start), 2)} to "
        f"{number(max(start), 2)}. After the last, the word in {names[reference]} has taken up its sentence: {told}."
    )


def _reference(found: WordOccurrences, typed: list[str]) -> int:
    """Which time that the word stands there is compared with the others."""
    reference = state.within("classify_reference", 0, len(found.names) - 1, "Sentence")
    st.selectbox(
        "Compared with the word in",
        range(len(found.names)),
        key="classify_reference",
        format_func=lambda i: f"{found.names[i]}  {typed[found.sentences[i]]}",
    )
    return reference


def _formula(found: WordOccurrences | None, typed: list[str]) -> None:
    layout.equation(
        r"\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}",
        "How alike two vectors are, whatever their lengths: 1 the same direction, 0 at right angles.",
        {"a, b": "vectors of the word after the same layer, in two sentences; of several tokens, their mean"},
    )
    if found is not None:
        reference, last = _reference(found, typed), found.vectors[-1]  # (times, d_model)
        other = 0 if reference else 1
        layout.work_out(
            f"The word in {found.names[reference]} and in {found.names[other]}, behind the last layer:",
            rf"\cos(a, b) = {sums.cosine(last[reference], last[other])}",
        )
    layout.equation(
        r"X - \bar X = U \Sigma V^\top, \qquad \text{places} = U_{1:2}\,\Sigma_{1:2}, \qquad "
        r"\text{share}_k = \sigma_k^2 \Big/ \sum_j \sigma_j^2",
        "Principal components of the word's vectors (rows of X), made anew for each layer.",
    )
    if found is None:
        return
    last = found.vectors[-1]
    squares = torch.linalg.svdvals(last - last.mean(dim=0))[: len(last) - 1].square()
    if squares.any():
        layout.work_out(
            "The shares of the two directions that are drawn, behind the last layer:",
            *(rf"\text{{share}}_{k + 1} = {sums.share(squares, k)}" for k in range(min(2, len(squares)))),
        )
