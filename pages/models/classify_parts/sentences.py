"""How alike sentences are, by the vectors that MiniLM makes of them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from model.analysis.head_steps import final_name
from model.vectors.cosines import cosine_table
from model.vectors.sentences import sentence_vector
from pages.models.classify_parts import lines
from pages.shared import figures, layout, state, sums, traces
from viz.models.classify import similarity_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import number

EMBEDDER = "minilm-l6"
OTHER_WORDS = "The doctor cured the patient\nA physician healed the sick man\nThe patient doctor waited for the cure"
PROMPTS = (
    layout.Prompt("Other words, same meaning", "Does meaning count, or the words?", {"classify_texts": OTHER_WORDS}),
    layout.Prompt(
        "Turned round",
        "The same words in another order: how much is it worth?",
        {"classify_texts": "The dog bites the man\nThe man bites the dog\nThe man is bitten by the dog"},
    ),
    layout.Prompt(
        "Back to the first ones",
        "Bank, cool, dog: sentences that share a word.",
        {"classify_texts": state.KEYS["classify_texts"].default},
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
        _worked(lines.read_lines("classify_texts"))
    elif depth == "Code":
        layout.code(sentence_vector, cosine_table)
    else:
        typed = lines.read_lines("classify_texts")
        if len(typed) < 2:
            st.info("Write at least two sentences, one a line, to compare them.")
        else:
            _compare(typed, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _compare(typed: list[str], numbers: bool) -> None:
    vectors = _vectors(typed)
    if vectors is None:
        return
    table = cosine_table(vectors)
    named = pd.DataFrame(table.numpy(), index=typed, columns=[str(i + 1) for i in range(len(typed))])
    figure = similarity_figure(table.numpy(), state.theme())
    if numbers:
        st.dataframe(named)
    else:
        left, right = st.columns([3, 2], gap="large", vertical_alignment="center")
        with left:
            alt = "Cosine similarity of every sentence with every other"
            figures.chart(figure, key="classify similar", alt=describe_figure(alt, figure))
        right.markdown(lines.number_lines(typed))
    pairs = torch.triu_indices(len(typed), len(typed), offset=1)
    values = table[pairs[0], pairs[1]]
    most, least = (
        (tuple((pairs[:, int(i)] + 1).tolist()), float(values[int(i)])) for i in (values.argmax(), values.argmin())
    )
    told = f"Most alike are sentences {most[0][0]} and {most[0][1]}, {number(most[1], 2)}"
    if len(values) > 1:
        told += f"; least {least[0][0]} and {least[0][1]}, {number(least[1], 2)}"
    layout.caption(
        f"{told}. Vectors of {vectors.shape[1]} numbers by {_title()}: the mean of the last hidden states of all "
        "tokens, scaled to length 1."
    )
    figures.export("similarity", figure, partial(figures.named_rows, named, "sentence"), vectors=vectors.numpy())


def _vectors(typed: list[str]) -> Tensor | None:
    """One a sentence: (sentences, d_model)."""
    found = _hidden(typed)
    return None if found is None else torch.stack([sentence_vector(each) for each in found])


def _hidden(typed: list[str]) -> list[Tensor] | None:
    """The last hidden states of each sentence: (tokens, d_model)."""
    try:
        name = final_name(traces.model(EMBEDDER).config, "encoder")
    except traces.errors() as error:
        traces.complain(error)
        return None
    found = lines.run(EMBEDDER, typed, (name,))
    return None if found is None else [trace[name] for trace in found]


def _title() -> str:
    return next(card.title for card in traces.cards() if card.name == EMBEDDER)


def _worked(typed: list[str]) -> None:
    """One feature of the first sentence, from its tokens to its vector; then the first two sentences."""
    hidden = _hidden(typed[:2])
    if not hidden:
        return
    mean, count = hidden[0].mean(dim=0), len(hidden[0])
    feature = int(mean.abs().argmax())
    value = layout.tex(float(mean[feature]))
    layout.work_out(
        f"Feature {feature} of sentence 1, the largest of its mean over {count} tokens, then with the vector scaled to "
        "length 1:",
        rf"\bar h = \frac{{{sums.plus(hidden[0][:, feature].tolist(), layout.tex)}}}{{{count}}} = {value}, \qquad "
        rf"s = \frac{{{value}}}{{{layout.tex(float(mean.norm()))}}} = {layout.tex(float(mean[feature] / mean.norm()))}",
    )
    if len(hidden) == 2:
        first, second = (sentence_vector(each) for each in hidden)
        layout.work_out("Sentences 1 and 2, feature by feature:", rf"s_1 \cdot s_2 = {sums.product(first, second)}")


def _formula() -> None:
    layout.equation(
        r"s = \frac{\bar h}{|\bar h|}, \quad \bar h = \frac{1}{T} \sum_{t=1}^{T} h_t, \qquad "
        r"\text{similarity}(a, b) = s_a \cdot s_b",
        "Mean pooling, as MiniLM's card says; Reimers and Gurevych (2019), arXiv:1908.10084.",
        {
            "h_t": "the last hidden state of token t; all tokens of the sentence, [CLS] and [SEP] too, no padding",
            "s": "a vector of length 1, so that the product of two is their cosine",
        },
    )
