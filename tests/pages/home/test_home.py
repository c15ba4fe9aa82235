"""The shell and Home without a browser: messages, fall-backs, and words that match the numbers."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import available, load
from model.zoo import cards
from tests.pages.conftest import components, go, messages, open_link, run_sentence, sent, tell, text
from views.map import run_answers
from views.shared import quotes
from views.shared.examples import EXAMPLES

SENTENCE = "George drove to the bank"


def visit(**url: str) -> AppTest:
    return open_link("home/home.py", **({"model": "minilm-l6", "text": SENTENCE} | url))


@pytest.fixture
def another_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """`another_model(content)`: MiniLM's card, but its file has this content (None: there is no file)."""
    real = next(card for card in cards.REAL if card.name == "minilm-l6")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def make(content: bytes | None, name: str = "spoilt") -> str:
        values = {
            **real.__dict__,
            "name": name,
            "title": "Spoilt model",
            "package": f"gf_{name}",
            "file": "m.safetensors",
        }
        folder = tmp_path / f"gf_{name}"
        folder.mkdir()
        (folder / "__init__.py").touch()
        if content is not None:
            (folder / "m.safetensors").write_bytes(content)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(cards, "REAL", (*cards.REAL, cards.Card(**values)))
        return name

    return make


def test_home_says_which_words_an_encoder_brings_closest() -> None:
    app = visit()
    assert not app.exception
    assert messages(app) == []
    found = re.search(r"\*\*(\w+)\*\* and \*\*(\w+)\*\* have the output vectors .*cosine ([\d.]+)", text(app))
    assert found is not None
    trace = load("minilm-l6").trace(SENTENCE, keep="encoder.5.ffn_norm")
    words = [token.text.strip() for token in trace.tokens]
    vectors = trace["encoder.5.ffn_norm"][[words.index(found[1]), words.index(found[2])]]
    assert abs(float(torch.cosine_similarity(vectors[0], vectors[1], dim=0)) - float(found[3])) < 0.006


def test_the_token_count_is_the_models_own() -> None:
    app = visit()
    count = len(load("minilm-l6").tokens_of(SENTENCE))
    header, _ = components(app)["run_bar"]
    assert (header["count"], header["limit"]) == (count, 512)


@pytest.mark.parametrize("depth", ["Picture", "Numbers", "Formula", "Code"])
def test_every_depth_of_home_runs(depth: str) -> None:
    app = visit(depth=depth)
    assert not app.exception
    assert messages(app) == []
    if depth == "Code":
        assert any("class Block" in shown.value for shown in app.code)
    if depth == "Numbers":
        names = list(app.dataframe[0].value["Tensor"])
        assert "encoder.2.self_attn.weights" in names


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_runs(example: str) -> None:
    app = visit(text=example)
    assert not app.exception
    assert messages(app) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Type a sentence"),
        (" \n\t ", "Type a sentence"),
    ],
)
def test_a_text_that_cannot_be_run_gets_one_message(text: str, message: str) -> None:
    app = visit(text=text)
    assert not app.exception
    assert len(messages(app)) == 1
    assert message in messages(app)[0]


@pytest.mark.parametrize(
    "text",
    [
        "\x00\x07\x1b bell",
        "fine 👩‍👩‍👧 family",
        "میں ایک روبوٹ ہوں",
        "abc میں def",
        "<script>alert(1)</script>",
        "**b** _i_ $x^2$ `code` :red[x] [a](http://b)",
        "ﷺ ё 漢字 ☃",
    ],
)
def test_unusual_text_is_run_and_never_breaks_the_page(text: str) -> None:
    app = visit()
    run_sentence(app, text)
    assert not app.exception
    assert messages(app) == []


@pytest.mark.slow
def test_the_last_good_view_stays_below_the_message() -> None:
    app = visit()
    before = sent(app, "model_map").bytes
    run_sentence(app, "  ")
    assert len(app.error) == 1
    assert any("last sentence that could be run" in each.value for each in app.caption)
    assert sent(app, "model_map").bytes == before
    run_sentence(app, "Hello I like you")
    assert not app.error


@pytest.mark.slow
def test_the_part_of_a_long_sentence_that_was_run_stays_below_the_message() -> None:
    app = visit()
    run_sentence(app, "the cat sat " * 200)
    before = sent(app, "model_map").bytes
    run_sentence(app, "  ")
    assert len(app.error) == 1
    assert any("last sentence that could be run" in each.value for each in app.caption)
    assert sent(app, "model_map").bytes == before


def test_an_unknown_model_in_the_link_falls_back_and_says_so() -> None:
    app = visit(model="gpt-99")
    assert not app.exception
    assert len(app.warning) == 1
    assert "gpt\\-99" in app.warning[0].value


def test_a_missing_model_says_what_to_run(another_model) -> None:
    app = visit(model=another_model(None, "missing"))
    assert not app.exception
    assert len(app.error) == 1
    assert "make models" in app.error[0].value


@pytest.mark.parametrize("content", [b"", b"not a model at all" * 100])
def test_a_damaged_model_is_named_and_the_last_view_comes_back(another_model, content: bytes) -> None:
    name = another_model(content)
    app = visit()
    tell(app, "run_bar", "model", name)
    assert not app.exception
    assert len(app.error) == 1
    assert "is damaged" in app.error[0].value
    assert "predicts no next word" in text(app)


def test_another_model_takes_its_own_layer() -> None:
    app = visit(model="minilm-l6", layer="5")
    other = next(card.name for card in available() if card.ready and card.name != "minilm-l6")
    tell(app, "run_bar", "model", other)
    assert not app.exception
    assert messages(app) == []


def test_a_prompt_sets_the_sentence() -> None:
    app = visit()
    next(button for button in app.button if button.label == "End on a capital city").click().run()
    assert app.session_state["text"] == "The capital of France is"
    assert "text" in app.query_params
    assert not app.exception


def test_a_translation_longer_than_its_sentence() -> None:
    app = visit(model="en-ur", text="I am very happy now today", target="میں " * 20)
    assert not app.exception
    assert not messages(app)


@pytest.mark.parametrize(("token", "said"), [("fox", "**fox**"), (".", r"“**\.**”"), ("میں", "**\u2068میں\u2069**")])
def test_a_token_in_running_text_is_not_taken_for_the_text(token: str, said: str) -> None:
    assert quotes.quote(token) == said


def test_one_token_alone_is_not_told_to_look_past_the_first() -> None:
    said = text(visit(model="tiny-lm", text="a"))
    assert "gives itself 100% of its attention." in said
    assert "look past" not in said


def test_numbers_list_the_tensors_of_the_chosen_layer_alone() -> None:
    app = visit(layer="2", depth="Numbers")
    names = app.dataframe[0].value["Tensor"]
    assert {name.split(".")[1] for name in names if re.match(r"encoder\.\d", name)} == {"2"}
    assert "Every tensor of layer 2, and" in text(app)


def framed(app: AppTest) -> str:
    """The group of the head that is framed on the map."""
    return str(components(app)["map_place"][0]["framed"])


def test_the_map_frames_the_head_that_the_reader_has_chosen() -> None:
    own = int(framed(visit(model="tiny-lm", layer="1")).removeprefix("decoder.1/head "))
    chosen = (own + 1) % 4
    app = visit(model="tiny-lm", layer="1", head=str(chosen))
    assert framed(app) == f"decoder.1/head {chosen}"
    assert f"Layer 1's head {chosen} (framed)" in text(app)
    places = {place["name"]: place["value"] for place in components(app)["run_bar"][0]["places"]}
    assert places == {"layer": 1, "head": chosen}
    go(app, "heads")
    tell(app, "run_bar", "place", ["head", own])
    go(app, "home")
    assert framed(app) == f"decoder.1/head {own}"


def test_a_head_that_is_open_is_the_one_that_tells_most() -> None:
    own = []
    for layer in range(4):
        app = visit(model="tiny-lm", layer=str(layer))
        own.append(int(framed(app).removeprefix(f"decoder.{layer}/head ")))
        assert f"Layer {layer}'s head {own[-1]} (framed)" in text(app)
    assert len(set(own)) > 1, "each layer has its own"


def test_of_several_attentions_the_chosen_one_has_the_chosen_head() -> None:
    url = {"model": "en-ur", "text": "I am a robot", "layer": "1"}
    assert framed(visit(**url)).startswith("decoder.1/head ")
    app = visit(**url, attention="decoder.cross_attn", head="2")
    assert framed(app) == "decoder.1/cross head 2"
    assert "head 2 (framed)" in text(app)


def test_minus_infinity_counts_as_the_number_that_it_is() -> None:
    config = load("tiny-lm").config
    mask = torch.zeros(3, 3).masked_fill(torch.ones(3, 3).triu(1).bool(), -math.inf)
    (row,) = run_answers.describe_tensors([("decoder.0.self_attn.mask", mask)], config)
    assert (row["Least"], row["Mean"], row["Most"]) == ("−∞", "−∞", "0")
