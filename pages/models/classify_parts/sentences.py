"""How alike sentences are, by the vectors that MiniLM makes of them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from model.analysis.head_steps import final_name
from model.vectors.cosines import cosine_table, extreme_pairs
from model.vectors.sentences import sentence_vector
from pages.models.classify_parts import lines
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.session import bar_notes, state
from views.shared import quotes, sums
from views.shared.matrix_tables import named_rows
from viz.models.classify import similarity_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import number

EMBEDDER = "minilm-l6"
OTHER_WORDS = "The doctor cured the patient\nA physician healed the sick man\nThe patient doctor waited for the cure"
MOST_ALIKE = "the pair of sentences that is most alike"
LEAST = "the least cosine"
PROMPTS = (
    layout.Prompt(
        "Other words, same meaning",
        "The second says what the first says, in other words. The third has its words, and is most alike to it.",
        {"classify_texts": OTHER_WORDS},
        claim=Claim(MOST_ALIKE, "is", "1 and 3"),
    ),
    layout.Prompt(
        "Turned round",
        "The same words in another order: to this model they are nearly the same sentence.",
        {"classify_texts": "The dog bites the man\nThe man bites the dog\nThe man is bitten by the dog"},
        claim=Claim(LEAST, "over", 0.8),
    ),
    layout.Prompt(
        "Back to the first ones",
        "Bank, cool, dog: sentences that share a word.",
        {"classify_texts": state.KEYS["classify_texts"].default},
        claim=Claim(MOST_ALIKE, "is", "5 and 6"),
    ),
)


def show(depth: str) -> None:
    title = _embedder_title()
    bar_notes.say_nothing_taken(f"{title} reads the sentences that you write below.", models=[title])
    if depth == "Formula":
        _formula()
        _work_out_vectors(lines.read_lines("classify_texts"))
    elif depth == "Code":
        layout.code(sentence_vector, cosine_table)
    else:
        texts = lines.read_lines("classify_texts")
        if len(texts) < 2:
            st.info("Write at least two sentences, one a line, to compare them.")
        else:
            _compare(texts, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _compare(texts: list[str], numbers: bool) -> None:
    vectors = _vectors(texts)
    if vectors is None:
        return
    table = cosine_table(vectors)
    similarities = pd.DataFrame(table.numpy(), index=texts, columns=[str(i + 1) for i in range(len(texts))])
    figure = similarity_figure(table.numpy(), state.theme())
    if numbers:
        st.dataframe(similarities)
    else:
        left, right = st.columns([3, 2], gap="large", vertical_alignment="center")
        with left:
            alt = "Cosine similarity of every sentence with every other"
            figures.chart(figure, key="classify similar", alt=describe_figure(alt, figure))
        right.markdown(lines.number_lines(texts))
    most, least = extreme_pairs(table)
    claims.tell(MOST_ALIKE, f"{most[0] + 1} and {most[1] + 1}")
    claims.tell(LEAST, float(table[least]))
    text = f"Most alike are sentences {most[0] + 1} and {most[1] + 1}, {number(float(table[most]), 2)}"
    if len(texts) > 2:
        text += f"; least {least[0] + 1} and {least[1] + 1}, {number(float(table[least]), 2)}"
    layout.caption(
        f"{text}. Vectors of {vectors.shape[1]} numbers by {_embedder_title()}: the mean of the last hidden states of "
        "all tokens, scaled to length 1."
    )
    figures.export("similarity", figure, partial(named_rows, similarities, "sentence"), vectors=vectors.numpy())


def _vectors(texts: list[str]) -> Tensor | None:
    """One vector for each sentence: (sentences, d_model)."""
    hidden = _hidden(texts)
    return None if hidden is None else torch.stack([sentence_vector(each) for each in hidden])


def _hidden(texts: list[str]) -> list[Tensor] | None:
    """The last hidden states of each sentence: (tokens, d_model)."""
    try:
        model = traces.model(EMBEDDER)
    except traces.errors() as error:
        traces.complain(error)
        return None
    name = final_name(model.config, "encoder")
    runs = lines.trace_all(model, texts, (name,))
    return None if runs is None else [trace[name] for trace in runs]


def _embedder_title() -> str:
    return next(card.title for card in traces.cards() if card.name == EMBEDDER)


def _work_out_vectors(texts: list[str]) -> None:
    """One feature of the first sentence, from its tokens to its vector. Then the product of the first two vectors."""
    hidden = _hidden(texts[:2])
    if not hidden:
        return
    mean, count = hidden[0].mean(dim=0), len(hidden[0])
    feature = int(mean.abs().argmax())
    value = quotes.tex(float(mean[feature]))
    layout.work_out(
        f"Feature {feature} of sentence 1, the largest of its mean over {count} tokens, then with the vector scaled to "
        "length 1:",
        rf"\bar h = \frac{{{sums.plus(hidden[0][:, feature].tolist(), quotes.tex)}}}{{{count}}} = {value}, \qquad "
        rf"s = \frac{{{value}}}{{{quotes.tex(float(mean.norm()))}}} = {quotes.tex(float(mean[feature] / mean.norm()))}",
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
