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
from model.vectors.principal_components import component_variances, principal_components
from pages.models.classify_parts import lines
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.session import bar_notes, state
from views.shared import sums
from views.shared.matrix_tables import named_rows
from viz.models.classify import plane_figure, planes_figure, word_cosines_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import markdown_text, number

PLANE_PIXELS = 165  # across: two planes fit on a phone
MODELS = ("minilm-l6", "tiny-encoder")
COOL = (
    "The Transformer model is cool\nThe weather is cool\nIt is a cool evening by the sea\n"
    "Your new bike looks really cool\nThat is a very cool idea"
)
LEAST = "the least cosine after the last layer"
PROMPTS = (
    layout.Prompt(
        "Two banks",
        "Rivers and money part from layer to layer.",
        {"classify_word": "bank", "classify_sentences": state.KEYS["classify_sentences"].default}
        | {"classify_model": "minilm-l6", "classify_reference": 0},
        claim=Claim(LEAST, "under", 0.85),
        at="classify cosines",
    ),
    layout.Prompt(
        "Two kinds of cool",
        "Weather and praise are two clusters of vectors.",
        {"classify_word": "cool", "classify_sentences": COOL, "classify_model": "minilm-l6", "classify_reference": 0},
        claim=Claim(LEAST, "under", 0.85),
        at="classify cosines",
    ),
    layout.Prompt(
        "A small model",
        "Does the tiny encoder tell them apart? It has read no such sentences.",
        {"classify_model": "tiny-encoder", "classify_reference": 0},
        claim=Claim(LEAST, "under", 1.0),
        at="classify cosines",
    ),
)


@dataclass(frozen=True)
class WordOccurrences:
    """All occurrences of a word: the sentence of each, from 0, and the vectors (layers + 1, occurrences, d_model)."""

    sentences: list[int]
    vectors: Tensor

    @property
    def names(self) -> list[str]:
        """The names of the occurrences: "1", "2", and "2 b" for the second one in sentence 2."""
        names = []
        for place, sentence in enumerate(self.sentences):
            n_before = self.sentences[:place].count(sentence)
            names.append(f"{sentence + 1}" + (f" {chr(ord('a') + n_before)}" if n_before else ""))
        return names


def show(depth: str) -> None:
    title = _title(state.get("classify_model"))
    bar_notes.say_nothing_taken(f"{title} reads the sentences that you write below.", models=[title])
    if depth == "Code":
        layout.code(
            word_in_context.word_places, word_in_context.word_layers, word_in_context.plane, word_in_context.planes,
            principal_components, cosine_table,
        )  # fmt: skip
    else:
        left, right = st.columns([3, 2], gap="large")
        with left:
            texts = lines.read_lines("classify_sentences")
        with right:
            st.text_input("Word", key="classify_word", max_chars=60)
            st.segmented_control(
                "Model", MODELS, key="classify_model", format_func=_title, required=True, width="content"
            )
        occurrences = _find_word(texts)
        if depth == "Formula":
            _formula(occurrences, texts)
        elif occurrences is not None:
            _show_planes(occurrences, texts, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _title(name: str) -> str:
    return next((card.title for card in traces.cards() if card.name == name), name)


def _find_word(texts: list[str]) -> WordOccurrences | None:
    """The word in the sentences. None, after one message that says what to do, if there is nothing to compare."""
    word, name = state.get("classify_word").strip(), state.get("classify_model")
    if not word:
        st.info("Type a word that stands in the sentences.")
        return None
    try:
        model = traces.model(name)
    except traces.errors() as error:
        traces.complain(error)
        return None
    quoted = markdown_text(word)
    places = [word_places(model.tokenizer, line, word) for line in texts]
    missing = [str(i + 1) for i, each in enumerate(places) if not each]
    if sum(map(len, places)) < 2:
        st.warning(
            f"“{quoted}” stands {'once' if any(places) else 'nowhere'} in these sentences. Two places are needed to "
            "compare it: write another sentence with it, or choose another word.",
            icon=":material/info:",
        )
        return None
    if missing:
        some = f"sentences {', '.join(missing)}" if len(missing) > 1 else f"sentence {missing[0]}"
        st.info(f"“{quoted}” is not in {some}; the others are compared.")
    containing = [line for line, each in zip(texts, places, strict=True) if each]
    runs = lines.trace_all(model, containing, layer_names(model.config))
    if runs is None:
        return None
    run_of = dict(zip([i for i, each in enumerate(places) if each], runs, strict=True))
    occurrences = [(i, each) for i, in_line in enumerate(places) for each in in_line]
    vectors = [word_layers(model.config, run_of[i], each) for i, each in occurrences]
    return WordOccurrences([i for i, _ in occurrences], torch.stack(vectors, dim=1))


def _show_planes(occurrences: WordOccurrences, texts: list[str], numbers: bool) -> None:
    layer_planes = planes(occurrences.vectors)
    cosines = cosine_table(occurrences.vectors)  # (layers + 1, occurrences, occurrences)
    if not numbers:
        with st.container(horizontal=True, gap="small"):
            for layer, (places, shares) in enumerate(layer_planes):
                figure = plane_figure(places.numpy(), shares.tolist(), layer, occurrences.sentences, state.theme())
                alt = f"The word's vectors in a plane, {layer} layers passed"
                figures.chart(figure, key=f"classify plane {layer}", width=PLANE_PIXELS, alt=alt)
        layout.caption(
            "Each number is the word in the sentence of that number. A picture shows the two directions in which the "
            "vectors of that layer differ most (PCA); above it, their share of the variance. Scales differ."
        )
    plane_arrays = [(places.numpy(), shares.tolist()) for places, shares in layer_planes]
    arrays = {f"layer_{layer}": places for layer, (places, _) in enumerate(plane_arrays)}
    figures.export(
        "word-planes",
        partial(planes_figure, plane_arrays, occurrences.sentences),
        partial(_place_rows, occurrences, layer_planes, texts),
        **arrays,
    )
    _cosines(occurrences, cosines, texts, numbers)


def _place_rows(
    occurrences: WordOccurrences, layer_planes: list[tuple[Tensor, Tensor]], texts: list[str]
) -> list[dict[str, Any]]:
    """One row for each layer and occurrence: its place in the layer's plane."""
    return [
        {"layers passed": layer, "in": name, "sentence": texts[sentence], "x": x, "y": y}
        | {"share of variance": float(shares.sum())}
        for layer, (places, shares) in enumerate(layer_planes)
        for name, sentence, (x, y) in zip(occurrences.names, occurrences.sentences, places.tolist(), strict=True)
    ]


def _cosines(occurrences: WordOccurrences, cosines: Tensor, texts: list[str], numbers: bool) -> None:
    names, reference = occurrences.names, _reference(occurrences, texts)
    others = [i for i in range(len(names)) if i != reference]
    rows = {f"in {names[i]}": cosines[:, reference, i].tolist() for i in others}
    layers = ["embedding", *(f"after layer {layer}" for layer in range(len(cosines) - 1))]
    table = pd.DataFrame(rows, index=layers)
    figure = word_cosines_figure(rows, [occurrences.sentences[i] for i in others], state.theme())
    if numbers:
        st.dataframe(table)
    else:
        alt = describe_figure("Cosine of the word's vectors by layer", figure)
        figures.chart(figure, key="classify cosines", alt=alt)
    rows_of = partial(named_rows, table, "where")
    figures.export("word-cosines", figure, rows_of, vectors=occurrences.vectors.numpy())
    last = cosines[-1, reference].clone()
    last[reference] = float("nan")
    near, far = max(others, key=lambda i: float(last[i])), min(others, key=lambda i: float(last[i]))
    claims.tell(LEAST, float(last[far]))
    first_cosines = [float(cosines[0, reference, i]) for i in others]
    nearest = f"it is nearest to that in {names[near]} ({number(float(last[near]), 2)})"
    if near != far:
        nearest += f" and farthest from that in {names[far]} ({number(float(last[far]), 2)})"
    layout.caption(
        f"Before the first layer the word's vectors differ by little more than their positions: cosines "
        f"{number(min(first_cosines), 2)} to {number(max(first_cosines), 2)}. After the last, the word in "
        f"{names[reference]} has taken up its sentence: {nearest}."
    )


def _reference(occurrences: WordOccurrences, texts: list[str]) -> int:
    """The occurrence that is compared with the others."""
    reference = state.checked_number("classify_reference", 0, len(occurrences.names) - 1, "Sentence")
    st.selectbox(
        "Compared with the word in",
        range(len(occurrences.names)),
        key="classify_reference",
        format_func=lambda i: f"{occurrences.names[i]}  {texts[occurrences.sentences[i]]}",
    )
    return reference


def _formula(occurrences: WordOccurrences | None, texts: list[str]) -> None:
    layout.equation(
        r"\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}",
        "How alike two vectors are, whatever their lengths: 1 the same direction, 0 at right angles.",
        {"a, b": "vectors of the word after the same layer, in two sentences; of several tokens, their mean"},
    )
    if occurrences is not None:
        reference, last = _reference(occurrences, texts), occurrences.vectors[-1]  # (occurrences, d_model)
        other = 0 if reference else 1
        layout.work_out(
            f"The word in {occurrences.names[reference]} and in {occurrences.names[other]}, after the last layer:",
            rf"\cos(a, b) = {sums.cosine(last[reference], last[other])}",
        )
    layout.equation(
        r"X - \bar X = U \Sigma V^\top, \qquad \text{places} = U_{1:2}\,\Sigma_{1:2}, \qquad "
        r"\text{share}_k = \sigma_k^2 \Big/ \sum_j \sigma_j^2",
        "Principal components of the word's vectors (rows of X), computed for each layer by itself.",
    )
    if occurrences is None:
        return
    last = occurrences.vectors[-1]
    variances = component_variances(last)
    if variances.any():
        layout.work_out(
            "The shares of the two directions that are drawn, after the last layer:",
            *(rf"\text{{share}}_{k + 1} = {sums.share(variances, k)}" for k in range(min(2, len(variances)))),
        )
