"""The Ladder: the same two words as vectors of six kinds, from one-hot to a transformer's."""

from __future__ import annotations

import streamlit as st

from model.vectors import cosines, counts, factorisation, glove
from pages.inputs.tokens_parts import (
    ladder_context,
    ladder_factorisation,
    ladder_glove,
    ladder_sums,
    ladder_words,
)
from pages.inputs.tokens_parts.ladder_words import Rung
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import bar_notes, state
from viz.inputs.ladder import similarity_figure
from viz.shared.style import markdown_text, number, percent

RUNGS = {
    "one-hot": "One-hot",
    "presence": "Presence",
    "tf-idf": "TF-IDF",
    "factorisation": "Matrix factorisation",
    "glove": "GloVe",
    "context": "In context",
}
UNTRAINED_RUNGS = ("one-hot", "presence", "tf-idf", "factorisation")  # they need no training on the page
EXPLANATIONS = {
    "one-hot": "One number for each word of the vocabulary: 1 for the word itself, 0 for all others. Every two words "
    "are at right angles.",
    "presence": "One number for each line of the small world: 1 if the word stands in it, however often, and 0 if not. "
    "Palaskos calls this one-hot. Words that share lines are a little alike.",
    "tf-idf": "One number for each line: the word's count in it. The count weighs less if many lines have the word.",
}
COSINE = "the cosine of both words on this rung"
PROMPTS = (
    layout.Prompt(
        "No relation at all",
        "One-hot words are all at right angles.",
        {"tokens_rung": "one-hot", "tokens_word1": "fox", "tokens_word2": "dog"},
        claim=Claim(COSINE, "is", 0.0),
        at="tokens rungs",
    ),
    layout.Prompt(
        "Animals gather",
        "GloVe brings words of one kind together. Train it and watch them settle.",
        {"tokens_rung": "glove", "tokens_word1": "fox", "tokens_word2": "dog"},
        claim=Claim(COSINE, "over", 0.2),
    ),
    layout.Prompt(
        "Two banks",
        "In context, one word has two vectors.",
        {
            "tokens_rung": "context",
            "tokens_word1": "bank",
            "tokens_word2": "bank",
            "tokens_sentence1": "I swam across the river to get to the other bank",
            "tokens_sentence2": "I walked across the road to get cash from the bank",
        },
        claim=Claim(COSINE, "under", 0.9),
        at="tokens rungs",
    ),
)


def show(depth: str) -> None:
    bar_notes.say_nothing_taken("It compares the two words below. A button puts the word of the bar's token there.")
    if depth == "Formula":
        _show_formula()
    elif depth == "Code":
        _show_code()
    else:
        _show_rungs(depth == "Numbers")
    layout.try_this(*PROMPTS)


def _choose_words() -> tuple[str, str]:
    """Draw the fields of the two words. Returns the words."""
    st.text_input("First word", key="tokens_word1", max_chars=60, width=150)
    st.text_input("Second word", key="tokens_word2", max_chars=60, width=150)
    ladder_words.offer_word_of_bar()
    return state.get("tokens_word1").strip().lower(), state.get("tokens_word2").strip().lower()


def _show_rungs(numbers: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pair = _choose_words()
        st.segmented_control(
            "Rung", tuple(RUNGS), key="tokens_rung", format_func=RUNGS.__getitem__, required=True, width="content"
        )
    rung = state.get("tokens_rung")
    at = ladder_words.vocabulary_places(pair)
    if at is None and rung != "context":
        ladder_words.complain(pair)
        if rung != "factorisation":
            return
    rungs: list[tuple[str, Rung]] = []
    if at is not None:
        rungs = [(RUNGS[name], ladder_words.measure_rung(name, *at)) for name in UNTRAINED_RUNGS]
    if rung in EXPLANATIONS:
        layout.caption(EXPLANATIONS[rung])
    elif rung == "factorisation":
        ladder_factorisation.show(numbers)
    elif rung == "glove" and at is not None:
        ladder_glove.show(at, numbers)
    elif rung == "context":
        in_context = ladder_context.show(pair)
        if in_context is not None:
            rungs.append((RUNGS["context"], in_context))
    if at is not None:
        trained = ladder_glove.measure_rung(*at)
        if trained is not None:
            rungs.insert(len(UNTRAINED_RUNGS), (RUNGS["glove"], trained))
    for name, each in rungs:
        if name == RUNGS[rung]:
            claims.tell(COSINE, each.similarity)
    if rungs:
        _show_table(rungs, pair, numbers)


def _show_table(rungs: list[tuple[str, Rung]], pair: tuple[str, str], numbers: bool) -> None:
    rows = [
        {
            "rung": name,
            "numbers a word": each.size,
            "share of zeros": percent(each.zeros),
            "similarity": number(each.similarity),
            "nearest to the first word": ", ".join(f"{word} {number(cosine, 2)}" for word, cosine in each.near)
            or "none",
        }
        for name, each in rungs
    ]
    st.subheader("All rungs", anchor=False)
    with st.container(key="tokens rungs"):
        st.dataframe(rows, hide_index=True)
    (first, first_rung), (last, last_rung) = rungs[0], rungs[-1]
    layout.caption(
        f"“{markdown_text(pair[0])}” and “{markdown_text(pair[1])}”: cosine {number(first_rung.similarity)} on the "
        f"rung {first}, {number(last_rung.similarity)} on {last}. GloVe and In context have a row once their "
        "rung is open."
    )
    figure = similarity_figure({name: each.similarity for name, each in rungs}, state.theme())
    if not numbers:
        figures.show(figure, "The cosine of the two words on each rung")
    figures.export("tokens-ladder", figure, lambda: rows)


def _show_formula() -> None:
    with st.container(horizontal=True):
        pair = _choose_words()
    at = ladder_words.vocabulary_places(pair)
    if at is None:
        ladder_words.complain(pair)
    layout.equation(
        r"\text{one-hot: } w_{ij} = [\,i = j\,], \qquad \text{presence: } w_{ij} = [\,i \text{ stands in line } j\,]",
        "One-hot over the vocabulary; over the sentences it is Palaskos (2022), section 1.1.",
    )
    layout.equation(
        r"w_{ij} = \mathrm{tf}(i, j)\,\left(\ln\frac{1 + N}{1 + \mathrm{df}(i)} + 1\right)",
        "TF-IDF: Palaskos (2022), section 1.1, in the smoothed form of scikit-learn; then each line has length 1.",
        {
            r"\mathrm{tf}": "how often word i stands in line j",
            r"\mathrm{df}": "lines that have the word",
            "N": "all lines",
        },
    )
    if at is not None:
        ladder_sums.work_out_tf_idf(at[0])
    layout.equation(
        r"r_{ij} \approx w_i \cdot u_j + b_i + c_j + \mu",
        "Matrix factorisation with biases: Palaskos (2022), eq. 1.5-1.12.",
        {"w_i, u_j": "vectors of K numbers", "b_i, c_j": "biases", r"\mu": "the mean of what was observed"},
    )
    layout.equation(
        r"w_i,\,b_i \leftarrow \Bigl(\sum_j \tilde u_j \tilde u_j^\top + \lambda I\Bigr)^{-1}"
        r"\sum_j \tilde u_j\,(r_{ij} - c_j - \mu), \quad \tilde u_j = [u_j, 1]",
        "One half-step of alternating least squares. The sums run over the observed entries of row i.",
    )
    ladder_sums.work_out_half_step()
    layout.equation(
        r"\sum_{ij} f(x_{ij})\,\bigl(w_i \cdot u_j + b_i + c_j - \log(1 + x_{ij})\bigr)^2, \quad"
        r" f(x) = \min\bigl(1, (x / x_{max})^{0.75}\bigr)",
        "GloVe: Palaskos (2022), eq. 1.13-1.14; Pennington, Socher and Manning (2014).",
        {"x_{ij}": "co-occurrences, weighted 1, 1/2, 1/3 by distance", "x_{max}": "100"},
    )
    if at is not None:
        ladder_sums.work_out_glove_term(at)


def _show_code() -> None:
    layout.code(
        counts.one_hot, counts.presence, counts.tf_idf, cosines.cosines,
        factorisation.half_step, factorisation.fit, glove.cooccurrence, glove.weight, glove.fit,
    )  # fmt: skip
