"""Where one weight comes from, beside the picture of its head: numbers, words, code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.analysis.weight_story import Story, snippet
from views.attention.head_words import describe_weight, pair_names
from views.head_of_run import HeadOfRun
from views.parts import Action
from views.shared import run_code
from views.view import View
from viz.documents.page_parts import Code, Group, Text
from viz.shared.style import number


@dataclass(frozen=True)
class WeightStory(View):
    """The sum behind the weight of the singled-out pair, or how to single one out.

    `has_products`: the products behind its score stand beside it.
    """

    head: HeadOfRun
    has_products: bool = False

    def picture_parts(self) -> Sequence[Any]:
        return [Group(self._parts(), is_framed=True)]

    number_parts = picture_parts

    def _parts(self) -> list[Any]:
        story = self.head.story
        if story is None:
            text = ":gray[Click a query and then a key, or a cell of the matrix, for the sum behind its weight.]"
            return [Text(text)]
        query, key = pair_names(self.head)
        products = Action(
            f"See its {story.d_head} products",
            {"heads_view": "Query-key", "query": story.query, "key": story.key},
            key="heads products",
            icon=":material/bar_chart:",
        )
        return [
            Text(f"#### {query} → {key} :gray[weight] {number(story.weight, 2)}"),
            Text(describe_weight(self.head)),
            Text(_sum_table(self.head, story)),
            *([] if self.has_products else [products]),
            weight_code(self.head),
        ]


def weight_code(head: HeadOfRun) -> Code:
    """Python that computes the weight again from the sentence. The head must have a pair."""
    assert head.story is not None
    run = head.run
    return Code(run_code.as_run(run, snippet(head.story, run.name, run.text, run.target)), "python")


def _sum_table(head: HeadOfRun, story: Story) -> str:
    """The table from the dot product to the weight. Markdown."""
    query, key = pair_names(head)
    mask = "+ 0" if story.mask == 0 else f"+ {number(story.mask)}"
    rows = [
        (f"query of {query} times key of {key}", number(story.raw_score)),
        (f"÷ √{story.d_head}" if story.scaled else "not scaled", number(story.unbiased)),
        *([] if story.bias is None else [("bias of their distance", f"+ {number(story.bias)}")]),
        ("mask", mask),
        (f"exp(score − {number(story.shift)})" if story.shift else "exp(score)", number(story.exponential)),
        ("÷ sum of the row", number(story.total)),
        ("**weight**", f"**{number(story.weight, 2)}**"),
    ]
    first, *others = [f"| {name} | {value} |" for name, value in rows]
    return "\n".join([first, "|:--|--:|", *others])
