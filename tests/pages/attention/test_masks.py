"""The Masks page without a browser: the runs that it makes, painted masks, padded batches, what leaks, bad input."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import Model, load, replace
from model.experiments.padded_batch import fill_up, padding_token
from model.experiments.painted_masks import mask_to_text, presets
from model.network.masks import hide
from pages.shared.session import state
from tests.pages.attention.test_scores import HEAD, LAYER, TEXT, values, visit
from tests.pages.conftest import components, figures, messages, text
from views.shared import quotes

PARTS = state.KEYS["masks_part"].choices
PATH = f"decoder.{LAYER}.self_attn"
ALL = "decoder.*.self_attn.mask"
T = len(TEXT.split())


def masks(model: str = "tiny-lm", **url: str) -> AppTest:
    return visit("masks", model, **url)


def shown(app: AppTest) -> dict[str, np.ndarray]:
    return {f"p{i}": values(app, "matrix_panels", f"p{i}") for i in range(4)}


@pytest.fixture(scope="module")
def tiny_lm() -> Model:
    return load("tiny-lm")


@pytest.mark.parametrize("kind", ["none", "causal", "painted"])
@pytest.mark.parametrize("where", ["every layer", "this layer"])
def test_the_four_panels_hold_the_very_tensors_of_the_traces(tiny_lm: Model, kind: str, where: str) -> None:
    visible = {
        "none": torch.ones(T, T, dtype=torch.bool),
        "causal": presets(T, T)["causal"],
        "painted": presets(T, T)["last 3 only"],
    }[kind]
    app = masks(masks_kind=kind, masks_where=where, masks_paint=mask_to_text(visible))
    name = ALL if where == "every layer" else f"{PATH}.mask"
    keep = f"{PATH}.*"  # what is not recorded may take a fused kernel, which rounds otherwise
    with_mask = tiny_lm.trace(TEXT, keep=keep, edits=[replace(name, hide(visible))])
    without = tiny_lm.trace(TEXT, keep=keep, edits=[replace(name, torch.zeros(T, T))])
    found = shown(app)
    np.testing.assert_array_equal(found["p0"], without[f"{PATH}.scores"][HEAD].numpy())
    np.testing.assert_array_equal(found["p1"], with_mask[f"{PATH}.masked"][HEAD].numpy())
    np.testing.assert_array_equal(found["p2"], without[f"{PATH}.weights"][HEAD].numpy())
    np.testing.assert_array_equal(found["p3"], with_mask[f"{PATH}.weights"][HEAD].numpy())


def test_painting_a_causal_mask_by_hand_gives_the_causal_result_exactly(tiny_lm: Model) -> None:
    painted = masks(masks_kind="painted", masks_paint=mask_to_text(presets(T, T)["causal"]))
    causal = masks(masks_kind="causal")
    for name, panel in shown(causal).items():
        np.testing.assert_array_equal(shown(painted)[name], panel)
    own = tiny_lm.trace(TEXT)[f"{PATH}.weights"][HEAD]
    np.testing.assert_array_equal(shown(painted)["p3"], own.numpy())
    assert figures(painted) == figures(causal), "the same predictions to the last digit"


def test_a_window_of_a_chosen_width_is_run_in_every_layer(tiny_lm: Model) -> None:
    app = masks(masks_kind="window", masks_width="2")
    visible = presets(T, T, 2)["last 2 only"]
    with_mask = tiny_lm.trace(TEXT, keep=f"{PATH}.*", edits=[replace(ALL, hide(visible))])
    np.testing.assert_array_equal(shown(app)["p3"], with_mask[f"{PATH}.weights"][HEAD].numpy())
    layers = tiny_lm.config.n_decoder_layers
    assert f"Each of the {layers} layers looks 1 token back, so after the last one a word knows of {layers}" in text(
        app
    )
    app.number_input(key="masks keys").set_value(3).run()
    assert app.session_state["masks_width"] == 3
    assert (shown(app)["p3"] > 0).sum() == int(presets(T, T)["last 3 only"].sum())


def test_an_encoders_window_reaches_to_both_sides() -> None:
    app = masks("minilm-l6", masks_kind="window", masks_width="2")
    seen = shown(app)["p3"] > 0
    places = np.arange(len(seen))
    np.testing.assert_array_equal(seen, np.abs(places[:, None] - places) < 2)
    assert "looks 1 token to either side" in text(app)


def test_the_painter_gets_the_mask_and_the_models_own_to_start_with() -> None:
    app = masks(masks_kind="painted")
    header, arrays = components(app)["mask_painter"]
    np.testing.assert_array_equal(arrays["mask"], np.tril(np.ones((T, T))))
    assert header["queries"] == TEXT.split()
    np.testing.assert_array_equal(arrays["starts"][header["presets"].index("only itself")], np.eye(T))


def test_a_hidden_key_changes_the_next_token(tiny_lm: Model) -> None:
    visible = presets(T, T)["causal"].clone()
    visible[-1, 1] = False
    app = masks(masks_kind="painted", masks_paint=mask_to_text(visible))
    changed = tiny_lm.trace(TEXT, edits=[replace(ALL, hide(visible))]).logits[-1].softmax(-1)
    bars = figures(app)[-1]["data"][1]
    assert bars["name"] == "with mask"
    assert f"{float(changed.max()):.0%}" in text(app)
    assert not torch.equal(changed, tiny_lm.trace(TEXT).logits[-1].softmax(-1))


def test_a_damaged_or_outgrown_mask_says_so_and_shows_the_models_own() -> None:
    app = masks(masks_kind="painted", masks_paint="5x5.rubbish")
    assert not app.exception
    assert any("damaged" in message for message in messages(app))
    app = masks(masks_kind="painted", masks_paint=mask_to_text(presets(3, 3)["only itself"]))
    assert not app.exception
    assert any("painted for 3 × 3" in message for message in messages(app))
    expected = np.tril(np.ones((T, T)))
    expected[:3, :3] = np.eye(3)
    np.testing.assert_array_equal(components(app)["mask_painter"][1]["mask"], expected)


def test_a_mask_that_hides_a_whole_row_is_reported() -> None:
    visible = presets(T, T)["causal"].clone()
    visible[2] = False
    app = masks(masks_kind="painted", masks_paint=mask_to_text(visible))
    assert not app.exception
    assert f"The whole row of {quotes.quote('sees', 2)} is hidden" in text(app)
    assert (shown(app)["p3"][2] == 0).all()
    assert np.isfinite(shown(app)["p3"]).all()


def test_a_padded_batch_is_as_long_as_its_longest_sentence(tiny_lm: Model) -> None:
    others = "the dog\n\n" + "the dog sees the cat . " * 6
    app = masks(masks_kind="causal and padding", masks_batch=others)
    assert not app.exception
    rows = [tiny_lm.tokens_of(text) for text in (TEXT, "the dog", others.splitlines()[-1].strip())]
    batch = fill_up(rows, padding_token(tiny_lm.tokenizer))
    length = len(batch.tokens[0])
    header = components(app)["matrix_panels"][0]
    assert len(header["keys"]) == length == max(len(row) for row in rows)
    weights = shown(app)["p3"]
    assert (weights[:, T:] == 0).all(), "nobody looks at padding"
    assert "Run as one batch of 3 sentences" in text(app)
    alone = tiny_lm.trace(TEXT)[f"{PATH}.weights"][HEAD].numpy()
    np.testing.assert_allclose(weights[:T, :T], alone, atol=1e-5)


def test_a_line_that_cannot_be_read_is_left_out_of_the_batch() -> None:
    app = masks(masks_kind="padding", masks_batch="the dog\n" + "dog " * 400)
    assert not app.exception
    assert any(message.startswith("Sentence 3 of the batch is left out") for message in messages(app))
    assert len(components(app)["matrix_panels"][0]["keys"]) == T


def test_three_ways_show_their_sums() -> None:
    app = masks(masks_part="ways")
    header = components(app)["matrix_panels"][0]
    assert header["sums"]
    right, scores, weights = (values(app, "matrix_panels", f"p{i}") for i in range(3))
    np.testing.assert_allclose(right.sum(-1), 1, atol=1e-6)
    np.testing.assert_allclose(scores.sum(-1), 1, atol=1e-6)
    assert (scores[np.triu_indices(T, 1)] > 0).all()
    assert (weights.sum(-1)[:-1] < 1).all()


def test_the_decoder_cheats_only_without_its_mask() -> None:
    app = masks(masks_part="cheat", masks_place="3", masks_word="dog")
    assert "the 3 predictions before it change by exactly 0" in text(app)
    app.session_state["masks_word"] = "extraordinarily unlikely"
    app.run()
    assert not app.exception
    assert any("tokens for this model" in message for message in messages(app))


def test_the_formula_of_three_ways_has_the_numbers_of_a_row() -> None:
    said = text(masks(masks_part="ways", query="0", depth="Formula"))
    assert f"{T - 1} of its {T} keys hidden: add −∞ before: hidden keys get 0, the row sums to 1.000" in said


def test_three_ways_of_hiding_nothing_are_the_same() -> None:
    assert "Nothing is hidden here" in text(masks(masks_part="ways", text="."))


def test_a_word_changed_into_itself_says_nothing_of_cheating() -> None:
    app = masks(masks_part="cheat", text="the dog sees the cat", masks_place="5", masks_word="cat")
    assert "is the word that stands there" in text(app)
    assert "In training" not in text(app)


def test_one_hidden_cell_is_said_in_the_singular() -> None:
    app = masks(text="hello")
    assert "1 of 4 cells is hidden" in text(app)


def test_a_mask_that_hides_nothing_changes_nothing() -> None:
    app = masks(masks_kind="none")
    assert "The mask changes no output here." in text(app)


def test_a_hidden_row_is_zeros_where_the_plain_softmax_is_undefined() -> None:
    app = masks(masks_part="row", masks_row="2")
    plain, ours = (values(app, "matrix_panels", f"p{i}") for i in range(2))
    assert np.isnan(plain[2]).all()
    assert (ours[2] == 0).all()
    assert "Every number of the run stays finite" in text(app)


def test_one_pass_is_compared_with_a_pass_for_every_prefix() -> None:
    app = masks(masks_part="passes")
    table = app.dataframe[0].value
    assert len(table) == T
    assert float(table["largest difference"].max()) < 1e-4
    assert f"{T} of {T} next tokens are the same" in text(app)
    long = masks(masks_part="passes", text="the cat sees the dog . " * 3)
    assert "Measured: the first 12 of " in text(long), "more of a long sentence is measured when the reader asks"
    assert len(long.dataframe[0].value) == 12
    count = len(load("tiny-lm").tokens_of("the cat sees the dog . " * 3))
    next(button for button in long.button if button.label == f"Run {count} passes").click().run()
    assert len(long.dataframe[0].value) == count
    assert "Measured: the first" not in text(long)


@pytest.mark.parametrize("part", PARTS)
def test_an_encoder_has_every_part(part: str) -> None:
    app = masks("minilm-l6", masks_part=part)
    assert not app.exception
    assert not messages(app)
    if part in ("cheat", "passes"):
        assert "no decoder" in app.info[0].value


def test_the_code_repeats_the_run() -> None:
    app = masks(masks_kind="painted", masks_paint=mask_to_text(presets(T, T)["only itself"]))
    app.session_state["depth"] = "Code"
    app.run()
    printed = StringIO()
    with redirect_stdout(printed):
        exec(app.code[-1].value, {})
    assert float(printed.getvalue()) == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.parametrize("attention", ["encoder.self_attn", "decoder.self_attn", "decoder.cross_attn"])
def test_a_translator_is_masked_in_every_attention(attention: str) -> None:
    others = "I like you\nThe dog sees the cat in the house"
    app = masks("en-ur", attention=attention, text="I am a robot", masks_batch=others)
    kinds = ["none", "padding", "painted"] + (
        [] if "cross" in attention else ["causal", "window", "causal and padding"]
    )
    translator = load("en-ur")
    lengths = [len(translator.tokens_of(text)) for text in ("I am a robot", *others.splitlines())]
    for kind in kinds:
        app.session_state["masks_kind"] = kind
        app.run()
        assert not app.exception, (attention, kind, [each.value for each in app.exception])
        weights = shown(app)["p3"]
        assert np.isfinite(weights).all()
        if kind == "padding" and "decoder.self" not in attention:
            assert weights.shape[1] == max(lengths)
            assert (weights[:, lengths[0] :] == 0).all(), "nobody looks at padding"
    for part in PARTS[1:]:
        app.session_state["masks_part"] = part
        app.run()
        assert not app.exception, (attention, part)


def test_each_panel_and_each_number_names_its_run() -> None:
    panels = components(masks(masks_kind="causal"))["matrix_panels"][0]["panels"]
    runs = [panel["short"].split("run ")[1] for panel in panels]
    assert runs == ["without", "with", "without", "with"]
    assert [panel["title"].split(":")[0] for panel in panels] == [f"Run {run}" for run in runs]
    columns = masks(masks_kind="causal", depth="Numbers").dataframe[0].value.columns
    assert [column for column in columns if "run" in column] == [panel["short"] for panel in panels]


def test_a_hidden_row_is_compared_with_the_run_with_the_causal_mask() -> None:
    app = masks(masks_part="row", masks_row="2")
    assert [bars["name"] for bars in figures(app)[-1]["data"]] == ["with the causal mask", "with the row hidden"]
    assert "without mask" not in text(app) + json.dumps(figures(app))
