"""What readers call the keys of the state."""

from __future__ import annotations

import re

import pytest

from pages.shared.session.key_texts import parse
from pages.shared.session.key_titles import is_code, title_of, value_title, write_values
from pages.shared.session.keys import KEYS
from tests.pages.conftest import messages, open_link
from tests.views.reader_words import KEY, TENSOR
from viz.shared.style import plain_text


@pytest.mark.parametrize("name", KEYS)
def test_a_title_is_no_name_of_code(name: str) -> None:
    assert not KEY.search(title_of(name))
    assert not re.search(r"_(?!k\b)", title_of(name)), "√d_k is a symbol"


@pytest.mark.parametrize("name", [name for name, key in KEYS.items() if key.choices])
def test_what_a_choice_can_be_is_said_in_words(name: str) -> None:
    with pytest.raises(ValueError, match="it can only be"):
        parse(KEYS[name], "no such choice")
    assert [each for each in KEYS[name].choices if TENSOR.search(value_title(each))] == []


def test_a_message_names_a_dozen_choices_and_counts_the_others() -> None:
    with pytest.raises(ValueError, match=r"^it can only be residual stream, .* or one of \d+ others$"):
        parse(KEYS["why_site"], "no such choice")


def test_values_of_a_view_in_words() -> None:
    values = {"heads_layer2": "3", "why_site": "decoder.resid_in", "edits": "decoder.1.self_attn.2", "slide_shown": "1"}
    assert write_values(values) == (
        "second layer: 3, patched part: residual stream, edits: changed, paragraphs on the screen: 1"
    )
    assert write_values({"layer": ""}) == "layer: chosen by the page"
    assert write_values({"text": "x" * 99}, 10) == "sentence: xxxxxxxxx…"


def test_a_name_that_is_no_key_and_a_value_that_is_no_choice_stay() -> None:
    assert title_of("heads_flavour") == "heads_flavour"
    assert value_title("anything") == "anything"
    assert value_title("") == ""


def test_a_place_that_a_model_lacks_is_told_in_words() -> None:
    app = open_link("block/block.py", model="tiny-lm", text="the dog", block_part="norm", block_norm="cross_norm")
    assert [plain_text(each) for each in messages(app)] == ["Norm “norm of the cross-attention” does not exist here. "
                             "Shown: “norm of the self-attention”."]  # fmt: skip
    app = open_link("models/why.py", model="tiny-lm", text="the dog", why_opened="decoder.99.self_attn.heads.1")
    assert plain_text(messages(app)[0]).startswith("Part “layer 99, head 1” does not exist here. Shown: “layer ")
    assert not is_code("layer")


def test_a_message_about_a_link_names_the_control() -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text="the dog", heads_layer2="many")
    assert messages(app) == ["The link asks for the second layer “many”, but it is not a whole number. "
                             "The default is shown."]  # fmt: skip
