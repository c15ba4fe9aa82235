"""A control token that a page names is explained there, with its source."""

from __future__ import annotations

import pytest

from tests.conftest import loaded
from tests.pages.conftest import components, open_link, run_page
from viz.shared.tokens import chips


def captions(app: object) -> str:
    return "\n".join(each.value for each in app.caption)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("page", "values", "name"),
    [
        ("home/home.py", {"model": "smollm2-135m", "text": "What is 2+2?<|im_end|>"}, "<|im_end|>"),
        ("inputs/tokens.py", {"model": "minilm-l6", "text": "a dog"}, "[SEP]"),
        ("inputs/tokens.py", {"model": "minilm-l6", "text": "a dog", "tokens_part": "embedding", "query": 0}, "[CLS]"),
        ("models/predict.py", {"model": "smollm2-135m", "text": "Yes.<|im_end|>", "predict_tokens": 0}, "<|im_end|>"),
        ("models/translate.py", {"model": "en-ur", "text": "I am a robot"}, "<EOS>"),
        ("models/why.py", {"model": "tiny-lm", "text": "the dog sees the cat", "why_answer": 1}, "<EOS>"),
    ],
)
def test_a_page_explains_what_it_names(page: str, values: dict[str, object], name: str) -> None:
    said = captions(run_page(page, **values)).replace("\\", "")
    assert f"**{name}**" in said
    assert "**dog**:" not in said


def test_a_chip_has_the_meaning_of_a_control_token_alone() -> None:
    tokens = loaded("minilm-l6").tokens_of("a dog")
    assert ["meaning" in each for each in chips(tokens)] == [token.special for token in tokens]


def test_the_bar_has_it_too() -> None:
    app = open_link("inputs/tokens.py", model="minilm-l6", text="a dog")
    first, second = components(app)["run_bar"][0]["groups"][0]["tokens"][:2]
    assert "before every text" in first["meaning"]
    assert "meaning" not in second
