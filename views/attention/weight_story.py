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

    `beside`: the part of Heads that stands beside it.
    """

    head: HeadOfRun
    beside: str = ""

    def picture_parts(self) -> Sequence[Any]:
        return [Group(self._parts(), is_framed=True)]

    number_parts = picture_parts

    def _parts(self) -> list[Any]:
        story = self.head.story
        if story is None:
            text = ":gray[Click a query and then a key, or a cell of the matrix, for the sum behind its weight.]"
            return [Text(text)]
        query, key = pair_names(self.head)
        return [
            Text(f"#### {query} → {key} :gray[weight] {number(story.weight, 2)}"),
            Text(describe_weight(self.head)),
            Text(_sum_table(self.head, story)),
            Group([self._lead(story, *each) for each in _leads(story) if each[0] != self.beside], "row"),
            weight_code(self.head),
        ]

    def _lead(self, story: Story, part: str, label: str, icon: str) -> Action:
        """A button to another part of Heads."""
        keys = {"heads_view": part, "query": story.query, "key": story.key}
        return Action(label, keys, key=f"heads to {part}", icon=f":material/{icon}:")


def _leads(story: Story) -> tuple[tuple[str, str, str], ...]:
    """The parts of Heads that say more of a weight: each with the words and the icon of its button."""
    return (
        ("Query-key", f"See its {story.d_head} products", "bar_chart"),
        ("Why there", "Why there?", "account_tree"),
    )


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
        (f"÷ √{number(story.root)}" if story.scaled else "not scaled", number(story.unbiased)),
        *([] if story.bias is None else [("bias of their distance", f"+ {number(story.bias)}")]),
        *([] if story.cap is None else [(f"{number(story.cap)} × tanh(… ÷ {number(story.cap)})", number(story.score))]),
        ("mask", mask),
        (f"exp(score − {number(story.shift)})" if story.shift else "exp(score)", number(story.exponential)),
        ("÷ sum of the row", number(story.total)),
        ("**weight**", f"**{number(story.weight, 2)}**"),
    ]
    first, *others = [f"| {name} | {value} |" for name, value in rows]
    return "\n".join([first, "|:--|--:|", *others])
