"""The part Patching of Why this word: its cells are those of the library, and it says why sentences do not fit."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair
from model.run import ids_of
from pages.shared.model_runs import measurements
from tests.pages.conftest import messages, run_page

TEXT, OTHER = "the dog sees the cat", "the bird sees the cat"


def visit(**state: object) -> AppTest:
    values = {"model": "tiny-lm", "text": TEXT, "why_part": "patching", "why_text2": OTHER} | state
    return run_page("models/why.py", **values)


@pytest.mark.parametrize("part", ["resid_in", "self_attn.heads"])
def test_the_table_has_the_shares_of_the_library(part: str) -> None:
    app = visit(why_site=f"decoder.{part}", depth="Numbers")
    model = load("tiny-lm")
    pair = record_pair(model.network, *(Prompt(ids_of(model.tokens_of(text))) for text in (TEXT, OTHER)))
    patching = Patching(model.network, pair, *pair.telling_tokens())
    site = Site("decoder", part)
    table = app.dataframe[0].value
    shares = [share for layer in patching.run(site) for share in layer.tolist()]
    assert table["measured"].tolist() == pytest.approx(shares, abs=1e-4)
    assert table["estimated"].tolist() == pytest.approx(patching.estimates[site].flatten().tolist(), abs=1e-4)


def test_a_translator_is_patched_in_its_encoder() -> None:
    app = visit(model="en-ur", text="I am a robot", why_text2="I am a girl", why_site="encoder.resid_in", query=3)
    assert not messages(app)
    assert any("Most comes back by" in text.value for text in app.markdown)


def test_without_a_second_sentence_the_part_opens_on_an_example() -> None:
    app = visit(why_text2="")
    assert not messages(app)
    assert app.text_input(key="why_text2").placeholder == "the dog sees the dog"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("the dog sees the big cat", "the first has 6, the second 7"),
        (TEXT, "the same tokens"),
        ("x" * 900, "tokens"),
    ],
)
def test_a_sentence_that_does_not_fit_is_refused_in_words(other: str, said: str) -> None:
    app = visit(why_text2=other)
    assert not app.exception
    assert any(said in message for message in messages(app))


def test_a_site_that_the_model_lacks_gives_way() -> None:
    app = visit(why_site="decoder.cross_attn.heads")
    assert app.session_state["why_site"] == "decoder.resid_in"
    assert any("lacks" in message for message in messages(app))


def test_a_cell_outside_of_the_picture_gives_way_to_the_largest() -> None:
    app = visit(why_cell=(90, 90))
    assert not messages(app)
    assert any("layer 0, at" in text.value for text in app.markdown)


def test_measured_layers_stay_while_the_reader_looks_at_another_site() -> None:
    app = visit()
    kept = next(iter(app.session_state["_why_patched"].values()))
    first = kept[Site("decoder", "resid_in")]
    app.session_state["why_site"] = "decoder.ffn.out"
    app.run()
    assert not app.exception
    again = next(iter(app.session_state["_why_patched"].values()))
    assert again[Site("decoder", "resid_in")] is first
    assert len(again[Site("decoder", "ffn.out")]) == 4


def test_a_large_model_shows_the_estimate_until_the_reader_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "QUICK_PRODUCTS", 0.0)
    app = visit(depth="Numbers")
    assert any("estimates from one gradient" in each.value for each in app.markdown)
    assert app.dataframe[0].value["measured"].isna().all()
    next(button for button in app.button if button.label == "Patch all layers").click().run()
    assert not app.exception
    assert not app.dataframe[0].value["measured"].isna().any()
