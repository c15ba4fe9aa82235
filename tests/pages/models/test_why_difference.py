"""The part Steer of Why this word: the difference of two sentences' streams, added to the reader's run."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.experiments.activation_edits import add_difference
from tests.pages.conftest import components, go, messages, open_link, run_page, run_sentence, tell

TEXT = "the dog sees the cat"
PLUS, MINUS = "the happy dog", "the sad cat"
ADDED = f"decoder.2.resid_in*2@all|{PLUS}|{MINUS}"


def visit(**state: object) -> AppTest:
    values = {"model": "tiny-lm", "text": TEXT, "why_part": "steer", "why_steered": "decoder.2.resid_in@all"}
    return run_page("models/why.py", **values | {"why_plus": PLUS, "why_minus": MINUS} | state)


def edits(app: AppTest) -> list[str]:
    return [f"{each['title']} {each['how']}" for each in components(app)["run_bar"][0]["edits"]]


def test_the_slider_adds_the_difference_of_the_library_and_zero_takes_it_back() -> None:
    app = visit(depth="Numbers")
    assert app.slider(key="why strength").value == 0.0
    app.slider(key="why strength").set_value(2.0).run()
    assert not app.exception
    assert app.session_state["edits"] == ADDED
    assert edits(app) == [f"Layer 2, stream + 2 × (“{PLUS}” − “{MINUS}”)"]
    model = load("tiny-lm")
    edit = add_difference(model, "decoder.2.resid_in", PLUS, MINUS, 2.0)
    shares = model.trace(TEXT, keep="logits", edits=[edit]).logits[-1].softmax(-1)
    table = app.dataframe[0].value
    assert max(table["edited"]) == pytest.approx(float(shares.max()), abs=1e-5)
    assert max(table["the whole model"]) != pytest.approx(max(table["edited"]))
    app.slider(key="why strength").set_value(0.0).run()
    assert app.session_state["edits"] == ""
    assert edits(app) == []


def test_both_models_write() -> None:
    said = [each.value for each in visit(edits=ADDED).markdown]
    whole, edited = (said[said.index(f"**The {name} writes**") + 1] for name in ("whole model", "edited one"))
    assert whole != edited


@pytest.mark.slow
def test_the_kind_leads_to_the_difference_and_back() -> None:
    app = visit(why_steered="decoder.1.ffn")
    app.selectbox(key="why kind").set_value("decoder.resid_in").run()
    assert app.session_state["why_steered"] == "decoder.1.resid_in@all"
    app.selectbox(key="why kind").set_value("decoder.ffn").run()
    assert app.session_state["why_steered"] == "decoder.1.ffn"
    assert not app.exception


@pytest.mark.slow
def test_what_is_added_moves_with_layer_tokens_and_sentence() -> None:
    app = visit(edits=ADDED)
    app.number_input(key="why layer").set_value(3).run()
    app.selectbox(key="why where").set_value("first").run()
    app.text_input(key="why_minus").set_value("the dog, cat|%").run()
    assert not app.exception
    assert not messages(app)
    assert app.session_state["edits"] == f"decoder.3.resid_in*2@first|{PLUS}|the dog%2C cat%7C%25"
    assert edits(app) == [f"Layer 3, stream, first tokens + 2 × (“{PLUS}” − “the dog, cat|%”)"]
    app.selectbox(key="why where").set_value(4).run()
    assert app.session_state["edits"].startswith("decoder.3.resid_in*2@4|")
    assert not app.exception


@pytest.mark.slow
def test_a_link_opens_the_difference_and_every_page_shows_it() -> None:
    app = open_link("models/why.py", model="tiny-lm", text=TEXT, why_part="steer", edits=ADDED)
    assert not messages(app)
    sign = f"Layer 2, stream + 2 × (“{PLUS}” − “{MINUS}”)"
    assert edits(app) == [sign]
    for page in ("home", "block", "heads", "predict"):
        go(app, page)
        assert not app.exception
        assert not messages(app)
        assert edits(app) == [sign]
        assert components(app)["run_bar"][0]["is_edited"]
    tell(app, "run_bar", "mute", "decoder.2.resid_in*@all")
    assert edits(app) == []


def test_the_account_of_the_edited_run_has_it_as_a_part_and_sums() -> None:
    app = visit(why_part="account", edits=ADDED, depth="Numbers")
    table = app.dataframe[0].value
    assert "layer 2, edit of the stream" in set(table["part"])
    logits = (
        load("tiny-lm")
        .trace(TEXT, keep="logits", edits=[add_difference(load("tiny-lm"), "decoder.2.resid_in", PLUS, MINUS, 2.0)])
        .logits[-1]
    )
    assert sum(table["adds"]) == pytest.approx(float(logits.max()), abs=1e-3)


def test_a_sentence_that_cannot_be_read_is_said_and_not_added() -> None:
    app = visit(why_plus="x" * 180 + " ĸ" * 9, why_minus="x" * 180 + " ĸ" * 9)
    assert app.slider(key="why strength").disabled
    assert any("the same" in each.value or "cannot read" in each.value for each in app.caption)


def test_a_shorter_sentence_lacks_the_token_and_the_bar_says_so() -> None:
    app = visit(edits=f"decoder.2.resid_in*2@5|{PLUS}|{MINUS}")
    assert components(app)["run_bar"][0]["notes"] == []
    run_sentence(app, "the dog")
    assert not app.exception
    assert any("no such token" in note for note in components(app)["run_bar"][0]["notes"])


@pytest.mark.slow
def test_a_translator_adds_it_in_its_encoder() -> None:
    app = visit(model="en-ur", text="I am a robot", why_steered="encoder.1.resid_in@all", why_plus="I am a girl",
                why_minus="I am a boy")  # fmt: skip
    app.slider(key="why strength").set_value(1.5).run()
    assert not app.exception
    assert not messages(app)
    assert edits(app) == ["Encoder, layer 1, stream + 1.5 × (“I am a girl” − “I am a boy”)"]
    assert visit(why_steered="encoder.1.resid_in@all").selectbox(key="why kind").value == "decoder.ffn"


@pytest.mark.parametrize(
    "value",
    ["decoder.2.resid_in*9@all|a|b", "decoder.2.resid_in*1@all|a", "decoder.2.resid_in*1@all|a|b|c",
     "decoder.2.resid_in*1@x|a|b", "decoder.2.ffn*1@all|a|b", "decoder.99.resid_in*1@all|a|b",
     "encoder.0.resid_in*1@all|a|b", "decoder.2.resid_in*1@all| |b", "|", "decoder.2.resid_in@all|a",
     "decoder.2.resid_in*1@all|" + "dog " * 300 + "|b"],
)  # fmt: skip
def test_a_hostile_link_gets_one_message_and_the_whole_model(value: str) -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text=TEXT, edits=value)
    assert not app.exception
    assert len(messages(app)) == 1
    assert edits(app) == []


@pytest.mark.slow
def test_an_opened_part_that_is_edited_says_so() -> None:
    for opened, added in (
        ("decoder.2.self_attn.heads.1", "decoder.2.self_attn.1*3"),
        ("decoder.3.ffn", "decoder.3.ffn*2"),
    ):
        app = visit(why_part="account", why_opened=opened, edits=added)
        assert any("an edit of the run makes it" in each.value for each in app.markdown)
        app = visit(why_part="account", why_opened=opened)
        assert not any("an edit of the run makes it" in each.value for each in app.markdown)
