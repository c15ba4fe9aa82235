"""An Urdu word does not turn round the number that stands behind it in a caption."""

import re

import pytest

from tests.pages.conftest import run_page, text

# An Arabic letter, then signs alone, then a digit: without the end of an isolate between them the digit moves.
TURNED = re.compile(r"[\u0620-\u064a\u0671-\u06d3][^\w\u2069]*\d")


@pytest.mark.parametrize(
    ("page", "state"),
    [
        ("attention/scores.py", {"scores_step": "scores"}),
        ("attention/scores.py", {"scores_step": "softmax"}),
        ("attention/scores.py", {"scores_part": "temperature"}),
        ("attention/masks.py", {}),
        ("attention/heads.py", {}),
        ("attention/heads.py", {"heads_view": "What they do", "heads_work": "rollout"}),
        ("block/block.py", {"block_part": "flow"}),
        ("block/block.py", {"block_part": "ffn"}),
        ("inputs/tokens.py", {"tokens_part": "embedding"}),
        ("models/translate.py", {}),
        ("home/home.py", {}),
    ],
)
def test_numbers_stay_behind_urdu_words(page: str, state: dict[str, str]) -> None:
    said = text(run_page(page, model="en-ur", text="the dog sees the cat", **state))
    assert not TURNED.findall(said)
