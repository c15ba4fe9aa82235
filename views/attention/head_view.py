"""What the pictures of Heads have: the equations of a weight and its code, and what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from model.network.attention import MultiHeadAttention
from views.attention.head_words import describe_weight, pair_names
from views.attention.next_words import NextWords
from views.attention.view_of_head import ViewOfHead
from views.attention.weight_story import WeightStory, weight_code
from views.parts import Controls
from views.shared import score_formula
from views.shared.quotes import tex
from views.view import equation, grey, work_out
from viz.documents.page_parts import Group

MOST_LOOKED_AT = "the word that the query looks at most"


@dataclass(frozen=True)
class HeadView(ViewOfHead):
    """A picture of Heads. `of_page`: the part of the page that it is, where the story of a weight leads to it."""

    of_page: ClassVar[str] = ""

    def told(self) -> Mapping[str, float | str]:
        head = self.head
        return {MOST_LOOKED_AT: head.keys[int(head.weights[head.query].argmax())]} if head.query >= 0 else {}

    def formula_parts(self) -> Sequence[Any]:
        return [Controls("pair"), *self.formula()]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("pair"), *super().code_parts()]

    def formula(self) -> Sequence[Any]:
        head, config, width = self.head, self.head.config, self.head.config.head_width
        scores = score_formula.in_latex(config, head.at.is_cross, r"Q_i K_i^\top")
        whole = equation(
            rf"A_i = \mathrm{{softmax}}\!\left({scores} + M\right), \qquad "
            r"\mathrm{head}_i = A_i V_i, \qquad \mathrm{MHA} = [\mathrm{head}_0 \dots \mathrm{head}_{h-1}]\, W_O",
            "Vaswani et al. (2017), eqs. 1 and 4; encoder notes, eqs. 0.1.3-0.1.6; Palaskos (2022), eqs. 3.42-3.45"
            + score_formula.source(config, head.at.is_cross),
            {
                "A_i": f"weights of head i, {len(head.queries)} queries × {len(head.keys)} keys; each row sums to 1",
                "Q_i, K_i": f"queries and keys of the head, {width} features each",
                "d_k": score_formula.say_width(config),
                **score_formula.symbols(config, head.at.is_cross),
                "M": "0 where a query may look, minus infinity elsewhere"
                if head.hidden.any()
                else "0 everywhere: every query may look at every key",
                "h": f"{config.n_heads} heads in each of {head.n_layers} layers",
            },
        )
        return [*whole, *(self._worked_weight() if head.story is not None else [])]

    def _worked_weight(self) -> list[Any]:
        """The score and the weight of the singled-out pair, with their numbers."""
        head, story, config = self.head, self.head.story, self.head.config
        assert story is not None
        query, key = pair_names(head)
        roots = (score_formula.root_of(config), tex(story.root))
        below, its_number = (rf"\sqrt{{{root}}}" if story.scaled else "1" for root in roots)
        shift = f" - {tex(story.shift)}" if story.shift else ""
        uncapped = story.unbiased + (story.bias or 0)
        biased = "" if story.bias is None else f" + {tex(story.bias)} = {tex(uncapped)}"
        if story.cap is not None:
            c = tex(story.cap)
            biased += rf", \qquad {c} \tanh\!\left(\frac{{{tex(uncapped)}}}{{{c}}}\right) = {tex(story.score)}"
        worked = work_out(
            f"For {query} (i = {story.query}) and {key} (j = {story.key}), in {head.place}:",
            rf"\frac{{q_{{{story.query}}} \cdot k_{{{story.key}}}}}{{{below}}} = "
            rf"\frac{{{tex(story.raw_score)}}}{{{its_number}}} = {tex(story.unbiased)}{biased}, \qquad "
            rf"a_{{{story.query},{story.key}}} = \frac{{\exp({tex(story.masked)}{shift})}}"
            rf"{{{tex(story.total)}}} = {tex(story.weight)}",
        )
        return [*worked, *grey(describe_weight(head))]

    def code(self) -> Sequence[Any]:
        recomputed: list[Any] = []
        if self.head.story is not None:
            said = "This weight, recomputed from this sentence. Run it in the project's folder:"
            recomputed = [*grey(said), weight_code(self.head)]
        return [*recomputed, MultiHeadAttention]

    def beside_story(self, parts: Sequence[Any]) -> list[Any]:
        """Parts in a wide column. The outcome of the run and the story of the weight stand in the column beside it.

        They come after the picture, so that the picture is on screen first.
        """
        story = [NextWords(self.head), WeightStory(self.head, self.of_page)]
        return [Group([Group(parts, "column", 7), Group(story, "column", 5)], "row", gap="large")]

    def picture_parts(self) -> Sequence[Any]:
        return self.beside_story(super().picture_parts())

    def number_parts(self) -> Sequence[Any]:
        return self.beside_story(super().number_parts())
