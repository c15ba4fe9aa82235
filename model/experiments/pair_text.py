"""Pairs of prompts as a text, as a spreadsheet copies them: a pair a line, and a tab between its four cells."""

from __future__ import annotations

from collections.abc import Iterable

from model.experiments.prompt_pairs import EXAMPLE_PAIRS, PromptPair

CELLS = ("clean", "changed", "answer", "against")


def read_pairs(text: str) -> tuple[PromptPair, ...]:
    """The pairs of a text, or of the task that it names. A cell that a line lacks is "". An empty line is no pair."""
    if text in EXAMPLE_PAIRS:
        return EXAMPLE_PAIRS[text]
    lines = (line.split("\t") for line in text.split("\n") if line.strip())
    missing = [""] * len(CELLS)
    return tuple(PromptPair(*[*cells, *missing][: len(CELLS)]) for cells in lines)


def write_pairs(pairs: Iterable[PromptPair]) -> str:
    """The text of some pairs: the name of their task, where they are those of one. Tabs and line breaks are spaces."""
    written = tuple(pairs)
    name = next((name for name, known in EXAMPLE_PAIRS.items() if known == written), "")
    return name or "\n".join("\t".join(_one_cell(getattr(pair, cell)) for cell in CELLS) for pair in written)


def _one_cell(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " ")
