"""One sentence in three translators: seq2seq with one vector, Bahdanau's attention, and a transformer."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from torch import Tensor

from model.recurrent import bahdanau, cells
from model.recurrent import networks as seq2seq
from model.recurrent.networks import stack_steps
from pages.learning.before_attention_parts import told
from pages.learning.before_attention_parts.translators import Answer, answers, say_translators
from pages.shared.elements import autoplay, claims, figures, fragments, layout, lecture_screen
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from views.models.translate.pair import Pair
from views.shared import quotes
from views.shared.matrix_tables import named_rows
from viz.learning.before_attention import alignment_figure, bottleneck_figure, heads_figure
from viz.shared.style import count_noun, isolate, markdown_text, number, percent
from viz.shared.tokens import words

WORD_SECONDS = 1.0  # from one word to the next while it plays
PROMPTS = (
    layout.Prompt(
        "The verb goes last",
        "The alignment jumps: Urdu has its verb at the end.",
        {
            "before_attention_part": "sentence",
            "before_attention_step": -1,
            "text": "The quick brown fox jumps over the lazy dog",
        },
        claim=Claim(told.JUMP, "over", 2),
        at="before attention alignment",
    ),
    layout.Prompt(
        "Longer",
        "A held-out sentence of 14 words and marks: the one vector loses its end.",
        {"before_attention_part": "sentence", "before_attention_step": -1}
        | {"text": "The soldiers want to throw this ball but a guest broke the toy."},
        claim=Claim(told.SEQ2SEQ, "is", "not the translation"),
        at="before attention outputs",
    ),
    layout.Prompt(
        "Does it matter?",
        "With length seq2seq loses most.",
        {"before_attention_part": "length"},
        claim=Claim(told.LOSES_MOST, "is", "seq2seq"),
    ),
)


def show(depth: str) -> None:
    if depth == "Formula":
        _formula()
    translations = answers()
    _read_places(translations)
    if depth == "Formula":
        _work_out_weight(translations)
    elif depth == "Code":
        _code()
    else:
        every = autoplay.redraw_seconds("before_attention_step", WORD_SECONDS)
        fragments.alone(_compare, every=every)(translations, depth == "Numbers")
    say_translators()
    layout.try_this(*PROMPTS)


def _read_places(answers: list[Answer]) -> None:
    """Corrects the number of words and the layer that the matrices show. At first they are all words, and layer 1."""
    longest, layers = _longest(answers), answers[-1].pair.run.model.config.n_decoder_layers
    if not 0 < state.get("before_attention_step") <= longest:
        state.put(before_attention_step=longest)
    if state.get("before_attention_layer") < 0:
        state.put(before_attention_layer=min(1, layers - 1))
    state.checked_number("before_attention_layer", 0, layers - 1, "Layer")


def _longest(answers: list[Answer]) -> int:
    """The number of words of the longest translation."""
    return max(len(answer.pair.written) for answer in answers)


def _compare(answers: list[Answer], numbers: bool) -> None:
    if lecture_screen.present_screen() is not None:
        _present(answers, numbers)
        return
    seq2seq, bahdanau, transformer = (answer.pair for answer in answers)
    claims.tell(told.TRANSLATORS, len(answers))
    judged = {True: "right", False: "not the translation", None: "not judged"}
    claims.tell(told.SEQ2SEQ, judged[answers[0].right])
    with st.container(key="before attention outputs"):
        for column, answer in zip(st.columns(3), answers, strict=True):
            with column:
                _output(answer)
    step = _choose_step(_longest(answers))
    _bottleneck(seq2seq, numbers)
    left, right = st.columns(2, gap="medium")
    with left, st.container(key="before attention alignment"):
        _alignment(bahdanau, step, numbers)
    with right:
        _heads(transformer, step, numbers)
    state.finish()


def _present(answers: list[Answer], numbers: bool) -> None:
    """In a lecture the translations stand beside what the words look at, so that a low screen shows both."""
    seq2seq, bahdanau, transformer = (answer.pair for answer in answers)
    step = _choose_step(_longest(answers))
    with st.container(key="before attention alignment"):
        left, right = st.columns((3, 2), gap="medium", vertical_alignment="center")
        with left:
            _alignment(bahdanau, step, numbers)
        with right:
            for answer in answers:
                _output(answer)
    _heads(transformer, step, numbers)
    _bottleneck(seq2seq, numbers)
    state.finish()


def _output(answer: Answer) -> None:
    verdict = {True: ":green[:material/check: right]", False: ":orange[:material/close: not the translation]", None: ""}
    st.markdown(f"**{answer.title}** {verdict[answer.right]}")
    st.markdown(isolate(markdown_text(answer.text)) or "(nothing)")
    if answer.right is None:
        layout.caption("No translation of this sentence is stored, so it cannot be judged.")


def _choose_step(longest: int) -> int:
    """Draws the choice of the number of words that the matrices show. It grows by itself while the page plays."""
    if longest > 1:
        autoplay.advance("before_attention_step", longest, WORD_SECONDS)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            autoplay.play_button("before_attention_step", 1, longest)
            st.slider("Words written", 1, longest, key="before_attention_step")
    return state.get("before_attention_step")


def _bottleneck(pair: Pair, numbers: bool) -> None:
    vector = pair.run.trace["bottleneck"]
    st.markdown(f"**seq2seq**: all that the decoder gets of the sentence is this vector of {len(vector)} numbers")
    figure = bottleneck_figure(vector.numpy(), state.theme())
    rows = partial(_vector_rows, vector)
    figures.show_or_list(numbers, figure, f"The encoder's last state, {len(vector)} numbers between -1 and 1", rows)
    source = len(pair.source)
    layout.caption(
        f"Your sentence has {count_noun(source, 'token')}: {number(len(vector) / source, 1)} numbers for each. For ten "
        f"times as many it would be {number(len(vector) / source / 10, 1)}. Strongest: feature "
        f"{int(vector.abs().argmax())}, {number(float(vector[vector.abs().argmax()]))}."
    )
    figures.export("bottleneck", figure, rows, bottleneck=vector.numpy())


def _vector_rows(vector: Tensor) -> list[dict[str, Any]]:
    return [{"feature": i, "value": float(value)} for i, value in enumerate(vector)]


def _alignment(pair: Pair, step: int, numbers: bool) -> None:
    st.markdown("**Bahdanau**: for every word the decoder weighs all states of the encoder anew")
    weights = stack_steps(pair.run.trace, "attention.weights")  # (targets, sources)
    step = min(step, len(weights))
    source, written = words(pair.source), words(pair.written)
    figure = alignment_figure(weights.numpy(), step, source, written, state.theme())
    rows = partial(_weight_rows, weights[:step], source, written)
    figures.show_or_list(numbers, figure, "Alignment: weights of the English tokens (columns) for each word", rows)
    looks = weights[:step].argmax(-1)  # (targets,)
    claims.tell(told.JUMP, int(looks.diff().abs().max()) if step > 1 else 0)
    best = int(looks[-1])
    layout.caption(
        f"Writing {quotes.quote(written[step - 1])}, it looks most at {quotes.quote(source[best], best)}, "
        f"{percent(float(weights[step - 1, best]))}. Each row sums to 1. Nobody told it where to look."
    )
    figures.export("alignment", figure, rows, ("before attention alignment",), weights=weights.numpy())


def _weight_rows(weights: Tensor, source: list[str], written: list[str]) -> list[dict[str, Any]]:
    columns = [f"{i} {word}" for i, word in enumerate(source)]
    table = pd.DataFrame(weights.numpy(), index=written[: len(weights)], columns=columns)
    return named_rows(table, "word")


def _heads(pair: Pair, step: int, numbers: bool) -> None:
    config, layer = pair.run.model.config, state.get("before_attention_layer")
    st.markdown("**Transformer**: several heads look at once, in every layer")
    weights = pair.run.trace[f"decoder.{layer}.cross_attn.weights"]  # (heads, targets, sources)
    step = min(step, weights.shape[1])
    source, written = words(pair.source), words(pair.written)
    figure = heads_figure(weights.numpy(), step, source, written, state.theme())
    rows = partial(_weight_rows, weights.mean(0)[:step], source, written)
    figures.show_or_list(numbers, figure, f"Cross-attention of {config.n_heads} heads of decoder layer {layer}", rows)
    st.segmented_control("Decoder layer", range(config.n_decoder_layers), key="before_attention_layer", required=True)
    strongest = [int(head[step - 1].argmax()) for head in weights]
    names = ", ".join(quotes.quote(source[best], best) for best in strongest)
    prefix = "the mean of the heads is listed. " if numbers else ""
    layout.caption(
        f"Layer {layer}: {prefix}At {quotes.quote(written[step - 1])} heads 0 to {len(strongest) - 1} look "
        f"most at {names}. Layer 1 was taught the alignment during training; Bahdanau's was not."
    )
    figures.export("cross-attention", figure, rows, weights=weights.numpy())


def _formula() -> None:
    layout.equation(
        r"h_t = [\overrightarrow{h}_t, \overleftarrow{h}_t], \qquad "
        r"s_0 = \tanh(W\,[\overrightarrow{h}_S, \overleftarrow{h}_1])",
        "Palaskos (2022), sections 2.2-2.3; Sutskever et al. (2014)",
        {
            "h_t": "the encoder's state after reading token $t$ from the left, and from the right",
            "s_0": "where the decoder starts: without attention, all it knows of the sentence",
        },
    )
    layout.equation(
        r"\alpha(t,t') = \operatorname{softmax}_{t'}\; v^\top\tanh(W s_{t-1} + U h_{t'}), \qquad "
        r"c_t = \sum_{t'} \alpha(t,t')\, h_{t'}",
        "Palaskos (2022), eqs. 2.2-2.4; Bahdanau et al. (2015), section 3.1",
        {r"\alpha(t,t')": "how much source token $t'$ matters for word $t$", "c_t": "the context of word $t$"},
    )
    layout.equation(
        r"s_t = (1 - z_t)\odot s_{t-1} + z_t\odot\tilde s_t, \qquad "
        r"\tilde s_t = \tanh(W e_t + U(r_t\odot s_{t-1}) + C c_t)",
        "Palaskos (2022), eqs. 2.6-2.7; Bahdanau et al. (2015), appendix A.2.2",
        {
            "e_t": "the embedding of the word before",
            "z_t, r_t": r"the update and reset gates, $\sigma(W e_t + U s_{t-1} + C c_t)$ each with its own matrices",
        },
    )
    layout.equation(
        r"A = \mathrm{softmax}\!\left(\frac{(Y W_Q)(M W_K)^\top}{\sqrt{d_k}}\right), \qquad H = A\,M W_V",
        "The transformer's cross-attention: a dot product in place of the small network, and no state to wait for. "
        "Palaskos (2022), eq. 3.54",
    )


def _work_out_weight(answers: list[Answer]) -> None:
    """The largest weight of the chosen step. The largest score is subtracted, so that no exponential overflows."""
    pair, tex = answers[1].pair, quotes.tex
    scores = stack_steps(pair.run.trace, "attention.scores")  # (targets, sources)
    step = min(state.get("before_attention_step"), len(scores))
    row, writing = scores[step - 1], quotes.quote(words(pair.written)[step - 1])
    best, total = int(row.argmax()), float((row - row.max()).exp().sum())
    layout.work_out(
        f"Writing {writing} (t = {step}), the largest score is that of "
        f"{quotes.quote(words(pair.source)[best])} (t′ = {best}):",
        rf"\alpha({step},{best}) = \frac{{1}}{{\sum_{{t'}} e^{{e({step},t') - {tex(float(row[best]))}}}}} = "
        rf"\frac{{1}}{{{tex(total)}}} = {tex(1 / total)}",
    )


def _code() -> None:
    layout.code(cells.GRUCell, cells.Bidirectional, bahdanau.Alignment, bahdanau.BahdanauCell, seq2seq.Seq2Seq)
