"""Concat and W_O: what the page says is what the tensors say."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from model import Model, ablate, load
from model.experiments.surgery import edit_model
from model.numerals import split_power
from tests.pages.conftest import open_link, run_page, text

SENTENCE = "The capital of France is"
SENTENCES = ("The weather is cool", "I am a robot", "George drove to the bank")
PLACES = ("encoder.self_attn", "decoder.cross_attn", "decoder.self_attn")


def open_page(**state: object) -> AppTest:
    return run_page("attention/combine.py", **({"model": "smollm2-135m", "text": SENTENCE} | state))


def test_the_parts_sum_to_the_output_as_said() -> None:
    said = text(open_page(combine_view="Each head's part", layer=9))
    difference = re.search(r"differ by at most (.+)\.\]", said)
    assert difference is not None
    mantissa, power = split_power(difference[1])
    assert float(f"{mantissa}e{power}") < 1e-4


@pytest.mark.slow
def test_muting_heads_shows_the_distribution_of_the_edited_run(smollm2: Model) -> None:
    state = {"combine_view": "Mute heads", "layer": 9, "combine_muted": (0, 2), "depth": "Numbers"}
    table = open_page(**state, combine_scope="every layer").dataframe[0].value
    edited = smollm2.trace(SENTENCE, keep="logits", edits=[ablate("decoder.*.self_attn", (0, 2))])
    assert max(table["muted"]) == pytest.approx(float(edited.logits[-1].softmax(-1).max()), abs=1e-5)
    whole = smollm2.trace(SENTENCE, keep="logits").logits[-1].softmax(-1)
    assert max(table["whole"]) == pytest.approx(float(whole.max()), abs=1e-5)


def test_an_encoder_says_how_far_its_states_turned() -> None:
    state = {"model": "minilm-l6", "text": "I am a robot", "combine_view": "Mute heads", "combine_muted": (1,)}
    app = open_page(**state, layer=2)
    assert "An encoder has no next token" in text(app)


def test_everything_muted_is_said() -> None:
    app = open_page(combine_view="Mute heads", combine_muted=tuple(range(9)))
    assert "All heads are muted" in text(app)


def test_a_layer_of_another_model_is_mended_and_said() -> None:
    app = open_page(model="minilm-l6", layer=29)
    assert any("Layer 29 does not exist here" in each.value for each in app.warning)


def test_a_link_to_no_silent_head_still_shows_that() -> None:
    for muted in ("-1", ""):  # an older link or lecture file says it by an empty choice
        link = {"model": "minilm-l6", "text": SENTENCE, "combine_view": "Mute heads", "combine_muted": muted}
        app = open_link("attention/combine.py", **link)
        assert "Choose the heads that should fall silent." in app.info[0].value
        assert app.query_params["combine_muted"] == "-1"


def telling_mute() -> tuple[str, str, tuple[int, ...], str, str]:
    """The first sentence, attention and heads, one if one is enough, whose muting in every layer changes the
    translation; and the two translations. Searched, so that the test holds for a newly trained model too."""
    model = load("en-ur")
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
    said, place, heads, whole, without = telling_mute()
    state = {"model": "en-ur", "text": said, "attention": place, "combine_scope": "every layer"}
    app = open_page(**state, combine_view="Mute heads")
    assert "**Without head 0 in every layer**" in text(app)
    app.session_state["combine_muted"] = heads
    app.run()
    assert not app.exception
    written = [each.value for each in app.markdown]
    assert whole in written
    assert without in written
