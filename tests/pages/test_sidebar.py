"""The sidebar's list of models: those that read text, and nothing else."""

from __future__ import annotations

import pytest

from model import available
from tests.pages.conftest import run_page


@pytest.mark.parametrize("card", available("vision"), ids=lambda card: card.name)
def test_a_vision_model_in_a_link_to_a_page_of_text_gives_one_note(card) -> None:
    app = run_page("block/block.py", model=card.name)
    (note,) = app.warning
    assert "does not exist here. Shown: “smollm2" in note.value
    assert not app.error
    titles = [option for box in app.sidebar.selectbox for option in box.options]
    assert card.title not in titles
    assert "SmolLM2 135M" in titles
