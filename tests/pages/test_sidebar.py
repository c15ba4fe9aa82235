"""The sidebar's list of models: those that read text, and nothing else. A link to another model finds its page."""

from __future__ import annotations

import pytest

from model import available
from tests.pages.conftest import messages, open_link, run_page


@pytest.mark.parametrize("card", available("vision"), ids=lambda card: card.name)
def test_a_vision_model_in_a_link_to_a_page_of_text_gives_one_note(card) -> None:
    app = run_page("block/block.py", model=card.name)
    (note,) = app.warning
    assert f"reads pictures, not text: it is on the page [See](see?see_model={card.name})" in note.value
    assert not app.error
    titles = [option for box in app.sidebar.selectbox for option in box.options]
    assert card.title not in titles
    assert "SmolLM2 135M" in titles


def test_see_opens_the_vision_model_that_a_link_names_as_the_model() -> None:
    app = open_link("models/see.py", model="digits-vit")
    assert messages(app) == []
    assert app.session_state["see_model"] == "digits-vit"
    assert app.query_params["see_model"] == "digits-vit"
    both = open_link("models/see.py", model="digits-vit", see_model="digits-vit-nopos")
    assert messages(both) == []
    assert both.session_state["see_model"] == "digits-vit-nopos"


def test_a_recurrent_model_in_a_link_names_its_page_once() -> None:
    (note,) = messages(open_link("models/predict.py", model="tiny-lm-rnn"))
    assert "is no transformer: it is on the page [Before attention](before_attention)" in note
    assert messages(open_link("learning/before_attention.py", model="tiny-lm-rnn")) == []
