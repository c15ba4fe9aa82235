"""What is said in place of a view that needs a decoder, where the model has none."""

from __future__ import annotations

from typing import Any

from model import available
from views.parts import Action
from views.run import Run
from viz.documents.page_parts import Text


def has_decoder(run: Run) -> bool:
    return "decoder" in run.config.stacks


def say_no_decoder(run: Run, reason: str) -> list[Any]:
    """That the model has no decoder, the `reason` for which one is needed, and the way to a model that has one."""
    message = f"{run.model.card.title} has no decoder: every token may see every other. {reason}"
    other = next((card for card in available() if card.kind == "decoder" and card.ready), None)
    change = [] if other is None else [Action(f"Change to {other.title}", {"model": other.name}, key="masks model")]
    return [Text(message, "info", ":material/info:"), *change]
