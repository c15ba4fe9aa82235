"""What all parts of Translate have: how sure the translation is, and five equations with their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from model.cached_property import cached_property
from model.graph.explain import explain
from views.models.translate import trust, unknown_words
from views.models.translate.decoder import Decoder
from views.models.translate.pair import Pair
from views.models.translate.trust import Assessment
from views.models.translate.truth import Truth, read_truth
from views.parts import PART_CHOICE, Controls
from views.shared import quotes, score_formula, sums
from views.view import Depth, Needs, View, equation, work_out
from viz.shared.style import number
from viz.shared.tokens import words


@dataclass(frozen=True)
class Choice:
    """What the reader has chosen on the page. `step`: 0 before anything is written; -1 the last word.

    `layer` and `head`: -1 the mean of all. `width`, `alpha` and `has_pruned` are of the beam search. `truth`: the true
    translation as it was typed, "" for the suggested one.
    """

    step: int = -1
    layer: int = -1
    head: int = -1
    order: str = "reading"
    width: int = 4
    alpha: float = 1.0
    has_pruned: bool = False
    truth: str = ""


@dataclass(frozen=True)
class Translation(View):
    """A part of Translate: of a pair, as the reader has chosen. `decoder` makes what it takes beside the run."""

    pair: Pair
    choice: Choice = Choice()
    decoder: Decoder = field(default=Decoder(), compare=False, repr=False)

    needs: ClassVar[Needs] = ("*.weights", "logits")

    def at(self, depth: Depth) -> Sequence[Any]:
        above = [*unknown_words.notes(self.pair.run), *self._say_trust(), *self.above()]
        return [*above, PART_CHOICE, *super().at(depth), Controls("translators")]

    @cached_property
    def assessed(self) -> Assessment | None:
        """How sure the translation is; None where nobody can say."""
        return trust.assess(self.pair, self.decoder)

    def _say_trust(self) -> list[Any]:
        return [] if self.assessed is None else trust.notes(self.pair, self.assessed)

    def above(self) -> list[Any]:
        """What else stands above the choice of the part."""
        return []

    def told(self) -> Mapping[str, float | str]:
        return {} if self.assessed is None else {trust.HOW_SURE: self.assessed.sure}

    @property
    def at_step(self) -> int:
        """The place of the word that the equations are about, from 0."""
        step, count = self.choice.step, len(self.pair.written)
        return (step if 0 < step <= count else max(count - 1, 1)) - 1

    @cached_property
    def truth(self) -> Truth:
        return read_truth(self.pair, self.choice.truth)

    def formula(self) -> Sequence[Any]:
        return [*self.work_out_translation(), *trust.formula(self.assessed)]

    def work_out_translation(self) -> list[Any]:
        """The next word, the look back, the beam and the loss."""
        return [*_next_word(self.pair, self.at_step), *self._cross_attention(), *self._beam(), *self._forcing()]

    def _cross_attention(self) -> list[Any]:
        pair, run, config, at = self.pair, self.pair.run, self.pair.config, self.at_step
        layer = min(max(self.choice.layer, 0), config.n_decoder_layers - 1)
        head = min(max(self.choice.head, 0), config.n_heads - 1)
        path = f"decoder.{layer}.cross_attn"
        trace = run.again((f"{path}.masked", f"{path}.weights")).with_network(run.model.network)
        best = int(trace[f"{path}.weights"][head, at].argmax())
        made = explain(trace, f"{path}.weights", (head, at, best))
        scores = [term.value for term in made.terms if term.index]  # the shift and the sum are no cells
        worked = work_out(
            f"Writing {quotes.quote(words(pair.written)[at])}, head {head} of layer {layer} gives most to "
            f"{quotes.quote(words(pair.source)[best], best)}:",
            rf"A_{{{at},{best}}} = {sums.softmax(scores, best)}",
        )
        return [*_look_back(pair), *worked]

    def _beam(self) -> list[Any]:
        width, alpha = self.choice.width, self.choice.alpha
        score = equation(
            r"\mathrm{score}(y) = \frac{\log p(y \mid x)}{|y|^{\alpha}}",
            "Beam search with length normalisation; compare Wu et al. (2016), eq. 14",
            {r"\alpha": f"{alpha:g} here; 0 favours short translations"},
        )
        tree = self.decoder.search(self.pair, width, alpha)
        path = tree.path(tree.best)
        before = (0.0, *(node.log_probability for node in path))
        gains = [node.log_probability - earlier for node, earlier in zip(path, before, strict=False)]
        best = tree.best
        worked = work_out(
            f"The best of a beam of {width}, {quotes.quote(self.pair.text(best.ids))}: ln p of its {best.step} "
            "tokens, one after the other, then over its length:",
            rf"\ln p(y \mid x) = {sums.total(gains)}",
            rf"\mathrm{{score}}(y) = \frac{{{quotes.tex(best.log_probability)}}}{{{best.step}^{{{alpha:g}}}}} = "
            f"{quotes.tex(best.score)}",
        )
        return [*score, *worked]

    def _forcing(self) -> list[Any]:
        pair = self.pair
        loss = equation(
            r"\mathrm{loss} = -\frac1n \sum_t \ln p(y_t \mid y_{<t}, x), \quad y_{<t}\ \text{true, not written}",
            "Shamsi (2024), section 2.4; Palaskos (2022), section 3.11",
        )
        asked = [*loss, Controls("truth"), *self.truth.notes]
        if self.truth.ids is None:
            return asked
        forced = self.decoder.force(pair, self.truth.ids)
        worst = max(range(len(forced.losses)), key=forced.losses.__getitem__)
        label = quotes.quote(words(pair.run.model.output_tokenizer.tokens([forced.labels[worst]]))[0])
        count = len(forced.losses)
        worked = work_out(
            f"The losses of all {count} positions, and their mean. Hardest is position {worst}, {label}, with "
            f"{number(forced.losses[worst])} nats:",
            rf"\frac{{{sums.plus(forced.losses, quotes.tex)}}}{{{count}}} = {quotes.tex(forced.loss)}",
        )
        return [*asked, *worked]


def _next_word(pair: Pair, at: int) -> list[Any]:
    config, id = pair.config, pair.written_ids[at]
    start, end = words(pair.run.model.output_tokenizer.tokens([pair.start, pair.end]))
    named = "the embedding table" if config.shares_output_table else "the output layer"
    shared = "shared by both languages" if config.target_vocab_size is None else "of the language that is written"
    bias = r" + b" if config.output_bias else ""
    table = r"E^\top" if config.shares_output_table else "W"
    divided = r"\,/\sqrt{d_{\mathrm{model}}}" if config.scale_logits else ""
    parts = equation(
        r"p(y_t \mid y_{<t}, x) = \mathrm{softmax}\big(\mathrm{Dec}(y_{<t}, \mathrm{Enc}(x))\,"
        + f"{table}{divided}{bias}"
        + r"\big)",
        "Shamsi (2024), section 2.5; Vaswani et al. (2017), section 3.1",
        {
            "x": f"the sentence, here {len(pair.source)} tokens",
            "y": f"its translation after {start}, fed back one token a step until {end}",
            table[0]: f"{named}, {config.target_vocab_size or config.vocab_size:,} × {config.d_model}, {shared}",
        }
        | ({"b": "a learnt number for each token of the vocabulary"} if bias else {}),
    )
    ordered, order = pair.run.trace.logits[at].sort(descending=True)
    worked = work_out(
        f"{quotes.quote(words(pair.written)[at])} at step {at + 1}, over all tokens from the likeliest on:",
        f"p = {sums.softmax(ordered, order.tolist().index(id))}",
    )
    return [*parts, *worked]


def _look_back(pair: Pair) -> list[Any]:
    config, product = pair.config, r"(Y W_Q)(M W_K)^\top"
    return equation(
        rf"H = \mathrm{{softmax}}\!\left({score_formula.in_latex(config, True, product)}\right) M W_V",
        "Palaskos (2022), eq. 3.54" + score_formula.source(config, True),
        {
            "Y": "the decoder's stream: it asks",
            "M": "the final encoder output, the same for every decoder layer: it answers",
            "d_k": f"{config.head_width} features a head",
        },
    )
