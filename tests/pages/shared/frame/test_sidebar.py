"""The sidebar: its list of models, links to models that are elsewhere, and the hand in which Urdu is written."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model import available
from pages.shared.frame import sidebar
from tests.pages.conftest import components, messages, open_link, run_page, tell


@pytest.mark.parametrize("card", available("vision"), ids=lambda card: card.name)
def test_a_vision_model_in_a_link_to_a_page_of_text_gives_one_note(card) -> None:
    app = run_page("block/block.py", model=card.name)
    (note,) = app.warning
    assert f"reads pictures, not text: it is on the page [See](see?see_model={card.name})" in note.value
    assert not app.error
    titles = [each["title"] for each in components(app)["run_bar"][0]["models"]]
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


@pytest.mark.slow
def test_a_recurrent_model_in_a_link_names_its_page_once() -> None:
    (note,) = messages(open_link("models/predict.py", model="tiny-lm-rnn"))
    assert "is no transformer: it is on the page [Before attention](before_attention)" in note
    assert messages(open_link("learning/before_attention.py", model="tiny-lm-rnn")) == []


def style(app: AppTest) -> str:
    return "".join(each.proto.body for each in app.get("html"))


def test_the_hand_of_urdu_is_chosen_beside_a_translator_and_kept_in_the_url() -> None:
    app = run_page("models/translate.py", model="en-ur")
    assert "NotoNastaliqUrdu" not in style(app)
    tell(app, "run_bar", "hand", "nastaliq")
    assert not app.exception
    assert "font-family: Urdu; src: url(fonts/NotoNastaliqUrdu-Regular.woff2)" in style(app)
    assert app.query_params["urdu"] == "nastaliq"
    tell(app, "run_bar", "hand", "naskh")
    assert "NotoNastaliqUrdu" not in style(app)
    assert "urdu" not in app.query_params


def test_a_link_chooses_the_hand_on_every_page() -> None:
    app = open_link("attention/heads.py", model="tiny-lm", urdu="nastaliq")
    assert "NotoNastaliqUrdu" in style(app)
    assert components(app)["run_bar"][0]["hands"] == [], "no Urdu is read here"
    assert messages(open_link("attention/heads.py", model="tiny-lm", urdu="thuluth")) == [
        "The link asks for the writing of Urdu “thuluth”, but it can only be naskh, nastaliq. Shown: “naskh”."
    ]


def test_the_hand_has_the_letters_that_the_theme_gives_to_its_own() -> None:
    (face,) = (each for each in st.get_option("theme.fontFaces") if each["family"] == "Urdu")
    assert f"unicode-range: {face['unicodeRange']};" in sidebar.NASTALIQ
