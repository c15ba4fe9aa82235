"""What the part Many texts says before the texts are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model import Model
from model.surveys import measures
from model.surveys.survey import survey
from model.texts.collection import Collection
from views.attention.view_of_head import ViewOfHead
from views.parts import Action, Source
from viz.documents.page_parts import Text
from viz.shared.style import count_noun, markdown_text

PRODUCTS_A_SECOND = 1e11  # of weights with tokens, on two cores
TOKEN_SECONDS = 1e-4  # to count what the heads do on one token
CHARACTERS_A_TOKEN = 3.5


@dataclass(frozen=True)
class NotRead(ViewOfHead):
    """Texts that are not read yet. `collection`: None where they are a reader's own, which no link has. `fault`: why
    the model can read none of them."""

    collection: Collection | None
    fault: str = ""

    def picture_parts(self) -> Sequence[Any]:
        if self.collection is None:
            return [
                Text(
                    "These texts are a reader's own, and they are not in this window: no link has them. Paste texts "
                    "or give a file, in the menu above. Or read those of the project.",
                    "info",
                ),
                Action("Read the project's texts", {"heads_texts": ""}, "read built-in texts"),
            ]
        if self.fault:
            return [Text(f"This model can read none of these texts. {markdown_text(self.fault)}", "info")]
        count = count_noun(len(self.collection.texts), "text")
        title = markdown_text(self.head.run.model.card.title)
        return [
            Text(
                f"One sentence says little about a head. Here {title} reads {count} once. For each of its heads it is "
                "counted where it looks: how strongly, how far and at which words, and how far a rule explains it. "
                f"That takes {say_time(reading_seconds(self.head.run.model, self.collection))}, and is kept.",
                "info",
            )
        ]

    number_parts = picture_parts
    formula_parts = picture_parts

    def code_parts(self) -> Sequence[Any]:
        return [*self.picture_parts(), Source(survey), Source(measures.measure)]


def reading_seconds(model: Model, collection: Collection) -> float:
    """About how long a model reads texts."""
    tokens = sum(len(text.content) for text in collection.texts) / CHARACTERS_A_TOKEN
    return tokens * (model.card.parameters / PRODUCTS_A_SECOND + TOKEN_SECONDS)


def say_time(seconds: float) -> str:
    """A time as somebody would say it who cannot know it exactly."""
    if seconds < 8:
        return "a few seconds"
    if seconds < 20:
        return "about a quarter of a minute"
    if seconds < 40:
        return "about half a minute"
    minutes = max(1, round(seconds / 60))
    return "about a minute" if minutes == 1 else f"about {minutes:,} minutes"
