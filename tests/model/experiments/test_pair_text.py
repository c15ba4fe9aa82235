"""Pairs of prompts as a text."""

from __future__ import annotations

import pytest

from model.experiments.pair_text import read_pairs, write_pairs
from model.experiments.prompt_pairs import EXAMPLE_PAIRS, PromptPair

PAIRS = (PromptPair("The keys ", "The key ", "are", "is"), PromptPair("Only this", "", "", ""))


def test_a_table_is_read_as_it_was_written() -> None:
    assert read_pairs(write_pairs(PAIRS)) == PAIRS
    assert read_pairs("The keys\tThe key\tare\tis\tmore\n\n \t\nalone") == (
        PromptPair("The keys", "The key", "are", "is"),
        PromptPair("alone", "", "", ""),
    )


@pytest.mark.parametrize("task", EXAMPLE_PAIRS)
def test_the_pairs_of_a_task_are_written_as_its_name(task: str) -> None:
    assert write_pairs(EXAMPLE_PAIRS[task]) == task
    assert read_pairs(task) == EXAMPLE_PAIRS[task]


def test_a_tab_or_a_line_break_in_a_cell_is_a_space() -> None:
    (pair,) = read_pairs(write_pairs([PromptPair("a\tb\nc", "x y z", "1", "2")]))
    assert pair.clean == "a b c"
