"""One sentence in three translators: seq2seq with one vector, Bahdanau's attention, and a transformer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.recurrent.bahdanau import Alignment as AlignmentNetwork
from model.recurrent.bahdanau import BahdanauCell
from model.recurrent.cells import Bidirectional, GRUCell
from model.recurrent.networks import Seq2Seq, stack_steps
from views.learning.before_attention import told
from views.learning.before_attention.translators import Answer
from views.learning.before_attention.vectors import Alignment, Bottleneck, CrossAttention
from views.models.translate import unknown_words
from views.parts import Controls
from views.shared.quotes import quote, tex
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.shared.style import isolate, markdown_text
from viz.shared.tokens import words

JUDGED = {True: "right", False: "not the translation", None: "not judged"}
VERDICTS = {True: ":green[:material/check: right]", False: ":orange[:material/close: not the translation]", None: ""}


@dataclass(frozen=True)
class OneSentence(View):
    """Three translations, and what each decoder has of the sentence after `step` words.

    `layer`: of the transformer. `is_presented`: the translations stand beside what the words look at, so that the low
    screen of a lecture shows both.
    """

    answers: tuple[Answer, Answer, Answer]
    step: int
    layer: int
    is_presented: bool = False

    @property
    def longest(self) -> int:
        """The number of words of the longest translation."""
        return max(len(answer.pair.written) for answer in self.answers)

    def told(self) -> Mapping[str, float | str]:
        return {told.TRANSLATORS: len(self.answers), told.SEQ2SEQ: JUDGED[self.answers[0].right]}

    def picture_parts(self) -> Sequence[Any]:
        seq2seq, bahdanau, transformer = (answer.pair for answer in self.answers)
        bottleneck = Bottleneck(seq2seq)
        alignment = Alignment(bahdanau, self.step)
        heads = CrossAttention(transformer, self.step, self.layer)
        outputs = [_show_output(answer) for answer in self.answers]
        if self.is_presented:
            beside = [part for output in outputs for part in output]
            columns = [Group([alignment], "column", 3), Group(beside, "column", 2)]
            row = Group(columns, "row", gap="medium", is_centred=True)
            return [*self._notes(), Controls("step"), Group([row], key="before attention alignment"), heads, bottleneck]
        row = Group([Group(output, "column") for output in outputs], "row")
        left = Group([alignment], key="before attention alignment")
        columns = [Group([left], "column"), Group([heads], "column")]
        return [
            *self._notes(),
            Group([row], key="before attention outputs"),
            Controls("step"),
            bottleneck,
            Group(columns, "row", gap="medium"),
        ]

    number_parts = picture_parts

    def _notes(self) -> list[Any]:
        """The words that no translator knows: all three have one vocabulary."""
        return unknown_words.notes(self.answers[-1].pair.run)

    def formula_parts(self) -> Sequence[Any]:
        return [*_equations(), *self._notes(), *self._work_out_weight()]

    def _work_out_weight(self) -> list[Any]:
        """The largest weight of the step. The largest score is subtracted, so that no exponential overflows."""
        pair = self.answers[1].pair
        scores = stack_steps(pair.run.trace, "attention.scores")  # (targets, sources)
        step = min(self.step, len(scores))
        row, writing = scores[step - 1], quote(words(pair.written)[step - 1])
        best, total = int(row.argmax()), float((row - row.max()).exp().sum())
        return work_out(
            f"Writing {writing} (t = {step}), the largest score is that of {quote(words(pair.source)[best])} "
            f"(t′ = {best}):",
            rf"\alpha({step},{best}) = \frac{{1}}{{\sum_{{t'}} e^{{e({step},t') - {tex(float(row[best]))}}}}} = "
            rf"\frac{{1}}{{{tex(total)}}} = {tex(1 / total)}",
        )

    def code_parts(self) -> Sequence[Any]:
        return [*self._notes(), *super().code_parts()]

    def code(self) -> Sequence[Any]:
        return [GRUCell, Bidirectional, AlignmentNetwork, BahdanauCell, Seq2Seq]


def _show_output(answer: Answer) -> list[Any]:
    is_judged = answer.right is not None
    return [
        Text(f"**{answer.title}** {VERDICTS[answer.right]}"),
        Text(isolate(markdown_text(answer.text)) or "(nothing)"),
        *grey("" if is_judged else "No translation of this sentence is stored, so it cannot be judged."),
    ]


def _equations() -> list[Any]:
    return [
        *equation(
            r"h_t = [\overrightarrow{h}_t, \overleftarrow{h}_t], \qquad "
            r"s_0 = \tanh(W\,[\overrightarrow{h}_S, \overleftarrow{h}_1])",
            "Palaskos (2022), sections 2.2-2.3; Sutskever et al. (2014)",
            {
                "h_t": "the encoder's state after reading token $t$ from the left, and from the right",
                "s_0": "where the decoder starts: without attention, all it knows of the sentence",
            },
        ),
        *equation(
            r"\alpha(t,t') = \operatorname{softmax}_{t'}\; v^\top\tanh(W s_{t-1} + U h_{t'}), \qquad "
            r"c_t = \sum_{t'} \alpha(t,t')\, h_{t'}",
            "Palaskos (2022), eqs. 2.2-2.4; Bahdanau et al. (2015), section 3.1",
            {r"\alpha(t,t')": "how much source token $t'$ matters for word $t$", "c_t": "the context of word $t$"},
        ),
        *equation(
            r"s_t = (1 - z_t)\odot s_{t-1} + z_t\odot\tilde s_t, \qquad "
            r"\tilde s_t = \tanh(W e_t + U(r_t\odot s_{t-1}) + C c_t)",
            "Palaskos (2022), eqs. 2.6-2.7; Bahdanau et al. (2015), appendix A.2.2",
            {
                "e_t": "the embedding of the word before",
                "z_t, r_t": r"the update and reset gates, $\sigma(W e_t + U s_{t-1} + C c_t)$ each with its own "
                "matrices",
            },
        ),
        *equation(
            r"A = \mathrm{softmax}\!\left(\frac{(Y W_Q)(M W_K)^\top}{\sqrt{d_k}}\right), \qquad H = A\,M W_V",
            "The transformer's cross-attention: a dot product in place of the small network, and no state to wait for. "
            "Palaskos (2022), eq. 3.54",
        ),
    ]
