"""Concat and W_O on a page: links, and the translations that are made for it."""

import pytest
from streamlit.testing.v1 import AppTest

from model import Model, ablate, load
from model.analysis.head_steps import Attention
from model.experiments.surgery import edit_model
from pages.attention.combine_parts.translations import translate_twice
from tests.pages.conftest import open_link, run_page, text
from views.run import make_run

SENTENCE = "The capital of France is"
SENTENCES = ("The weather is cool", "I am a robot", "George drove to the bank")
PLACES = ("encoder.self_attn", "decoder.cross_attn", "decoder.self_attn")


def open_page(**state: object) -> AppTest:
    return run_page("attention/combine.py", **({"model": "smollm2-135m", "text": SENTENCE} | state))


def test_a_layer_of_another_model_is_mended_and_said() -> None:
    app = open_page(model="minilm-l6", layer=29)
    assert any("Layer 29 does not exist here" in each.value for each in app.warning)


def test_a_link_to_no_silent_head_still_shows_that() -> None:
    for muted in ("-1", ""):  # an older link or lecture file says it by an empty choice
        link = {"model": "minilm-l6", "text": SENTENCE, "combine_view": "Mute heads", "combine_muted": muted}
        app = open_link("attention/combine.py", **link)
        assert "Choose the heads that should fall silent." in app.info[0].value
        assert app.query_params["combine_muted"] == "-1"


def test_the_reader_silences_another_head() -> None:
    app = open_page(model="tiny-lm", combine_view="Mute heads", layer=1)
    assert "**Without head 0 in layer 1**" in text(app)
    app.pills(key="muted heads").set_value([1, 3]).run()
    assert app.query_params["combine_muted"] == "1,3"
    assert "**Without heads 1, 3 in layer 1**" in text(app)


def telling_mute(model: Model) -> tuple[str, str, tuple[int, ...], str, str]:
    """The first sentence, attention and heads, one if one is enough, whose muting in every layer changes the
    translation; and the two translations. Searched, so that the test holds for a newly trained model too."""
    one_or_all = [(head,) for head in range(model.config.n_heads)] + [tuple(range(model.config.n_heads))]
    for heads in one_or_all:
        for sentence in SENTENCES:
            source = model.tokens_of(sentence)
            whole = model.output_tokenizer.decode(list(model.translate_ids(source)))
            for place in PLACES:
                stack, part = place.split(".")
                muted = edit_model(model, edits=[ablate(f"{stack}.*.{part}", heads)])
                without = model.output_tokenizer.decode(list(muted.translate_ids(source)))
                if without != whole:
                    return sentence, place, heads, whole, without
    raise AssertionError("No head of en-ur changes any of the translations.")


@pytest.mark.slow
def test_muting_a_head_changes_the_translation() -> None:
    model = load("en-ur")
    said, place, heads, whole, without = telling_mute(model)
    stack, part = place.split(".")
    attention = Attention(stack, 0, part)
    assert translate_twice(make_run(model, said, ()), attention, heads, True) == (whole, without)
    app = open_page(model="en-ur", text=said, attention=place, combine_scope="every layer", combine_view="Mute heads")
    assert "**Without head 0 in every layer**" in text(app)
    app.session_state["combine_muted"] = heads
    app.run()
    assert not app.exception
    written = [each.value for each in app.markdown]
    assert whole in written
    assert without in written
