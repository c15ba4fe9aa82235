"""Concat and W_O: what the page says is what the tensors say."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from model import Model, ablate
from tests.pages.conftest import run_page, text

SENTENCE = "The capital of France is"


def open_page(**state: object) -> AppTest:
    return run_page("attention/combine.py", **({"model": "smollm2-135m", "text": SENTENCE} | state))


@pytest.mark.parametrize("view", ["Side by side", "Each head's part", "Mute heads"])
@pytest.mark.parametrize("depth", ["Picture", "Numbers", "Formula", "Code"])
def test_every_view_at_every_depth(view: str, depth: str) -> None:
    assert not open_page(combine_view=view, depth=depth).error


def test_the_parts_sum_to_the_output_as_said() -> None:
    said = text(open_page(combine_view="Each head's part", combine_layer=9))
    difference = re.search(r"differ by at most ([\d.]+\d)", said)
    assert difference is not None
    assert float(difference[1]) < 1e-4


def test_muting_heads_shows_the_distribution_of_the_edited_run(smollm2: Model) -> None:
    state = {"combine_view": "Mute heads", "combine_layer": 9, "combine_muted": (0, 2), "depth": "Numbers"}
    table = open_page(**state, combine_scope="every layer").dataframe[0].value
    edited = smollm2.trace(SENTENCE, keep="logits", edits=[ablate("decoder.*.self_attn", (0, 2))])
    assert max(table["muted"]) == pytest.approx(float(edited.logits[-1].softmax(-1).max()), abs=1e-5)
    whole = smollm2.trace(SENTENCE, keep="logits").logits[-1].softmax(-1)
    assert max(table["whole"]) == pytest.approx(float(whole.max()), abs=1e-5)


def test_an_encoder_says_how_far_its_states_turned() -> None:
    state = {"model": "minilm-l6", "text": "I am a robot", "combine_view": "Mute heads", "combine_muted": (1,)}
    app = open_page(**state, combine_layer=2)
    assert "An encoder has no next token" in text(app)


def test_everything_muted_is_said() -> None:
    app = open_page(combine_view="Mute heads", combine_muted=tuple(range(9)))
    assert "All heads are muted" in text(app)


def test_a_layer_of_another_model_is_mended_and_said() -> None:
    app = open_page(model="minilm-l6", combine_layer=29)
    assert any("Layer 29 does not exist here" in each.value for each in app.warning)
