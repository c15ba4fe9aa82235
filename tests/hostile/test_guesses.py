"""Who guesses a sentence learns nothing of others from what a page says: it says the same whoever has run it before."""

from __future__ import annotations

import itertools

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import components, run_page, text

NEW = itertools.count()
PAGES = {
    "attention/heads.py": {"model": "tiny-lm"},
    "block/block.py": {"model": "tiny-lm"},
    "models/predict.py": {"model": "tiny-lm", "predict_tokens": 3},
    "models/translate.py": {"model": "en-ur"},
    "models/why.py": {"model": "tiny-lm", "why_part": "patching"},
    "inputs/tokens.py": {"model": "tiny-lm"},
}


def all_that_it_says(app: AppTest) -> dict[str, object]:
    """The texts, the fields and buttons, and what the run bar got."""
    bar, _ = components(app)["run_bar"]
    return {
        "texts": text(app),
        "captions": [each.value for each in app.caption],
        "buttons": [each.label for each in app.button],
        "messages": [each.value for each in (*app.info, *app.warning, *app.error)],
        "bar": bar,
    }


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_the_same_to_the_first_and_the_second_who_runs_a_sentence(page: str) -> None:
    sentence = f"the doctor writes letter {next(NEW)}"  # another one where the test is tried once more
    first, second = (all_that_it_says(run_page(page, text=sentence, **PAGES[page])) for _ in range(2))
    assert second == first
    assert first["texts"]
