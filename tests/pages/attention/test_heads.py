"""The Heads page without a browser: views, words that match the numbers, fall-backs, one message for bad input."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import Model, load
from model.analysis import head_measures
from model.tape import Trace
from tests.pages.conftest import components, figures, messages, open_link, run_sentence, tell, text
from views.attention import all_heads
from views.shared import quotes
from viz.attention.heads import pack_tiles
from viz.shared.payload import printed_codes
from viz.shared.style import number

HUNGRY = "The fox jumps over the lazy dog because it is hungry"
SENTENCE = "George drove to the bank"  # [CLS] george drove to the bank [SEP]


def visit(**url: str) -> AppTest:
    given = {"model": "minilm-l6", "text": SENTENCE, "layer": "2", "head": "4"} | url
    return open_link("attention/heads.py", **given)


@pytest.fixture(scope="module")
def weights(minilm: Model) -> Trace:
    return minilm.trace(SENTENCE, keep="*.weights")


def test_the_lines_are_the_weights_of_the_layer(weights: Trace) -> None:
    header, arrays = components(visit())["attention_lines"]
    assert (arrays["weights"] == printed_codes(weights["encoder.2.self_attn.weights"].numpy())).all()
    assert [each["label"] for each in header["queries"]] == ["[CLS]", "george", "drove", "to", "the", "bank", "[SEP]"]
    assert [each["special"] for each in header["queries"]] == [True, *[False] * 5, True]
    assert header["view"]["heads"] == [4]
    assert not header["causal"]


def test_all_layers_travel_once_beside_the_lines_of_one(weights: Trace) -> None:
    app = visit()
    whole = components(app)["stack_weights"]
    assert (whole[1]["weights"][2] == components(app)["attention_lines"][1]["weights"]).all()
    assert whole[0]["titles"][2] == components(app)["attention_lines"][0]["title"]
    assert whole[0]["id"] == components(app)["attention_lines"][0]["stack"]
    moved = components(visit(layer="5", head="0"))
    assert moved["attention_lines"][0]["view"]["query"] == 5, "the last word, in every head"
    assert moved["stack_weights"][0] == whole[0], "it changes with the run alone"


def test_the_layers_of_a_long_sentence_do_not_travel_along() -> None:
    assert "stack_weights" not in components(visit(text="the dog sees the cat and " * 16))


def test_the_caption_tells_the_strongest_key(weights: Trace) -> None:
    app = visit(query="2")
    row = weights["encoder.2.self_attn.weights"][4, 2]
    word = ["[CLS]", "george", "drove", "to", "the", "bank", "[SEP]"][int(row.argmax())]
    said = text(app).replace("\\", "")
    assert f"{quotes.quote('drove', 2)} looks most at :gray-background[**{word}** :small[{int(row.argmax())}]] " in said
    assert f"({float(row.max()):.2f})" in said


def test_the_story_tells_the_weight_of_the_chosen_pair(weights: Trace) -> None:
    app = visit(query="2", key="5")
    weight = float(weights["encoder.2.self_attn.weights"][4, 2, 5])
    assert (
        f"{quotes.quote('drove', 2, 'blue')} → {quotes.quote('bank', 5, 'orange')} :gray[weight] {number(weight, 2)}"
        in text(app)
    )
    code = "\n".join(each.value for each in app.code)
    assert f"assert abs(weight - {weight:.6f}) < 1e-4" in code


def test_without_a_query_the_page_says_how_to_get_a_story() -> None:
    assert "Click a query and then a key" in text(visit(query="-2"))


def test_the_matrix_shows_weights_or_scores(weights: Trace) -> None:
    truth = weights["encoder.2.self_attn.weights"][4].numpy()
    shown = figures(visit(heads_view="Matrix"))[0]["data"][0]
    assert (shown["zmin"], shown["zmax"]) == (0, 1)
    assert _array(shown["z"]) == pytest.approx(truth.ravel(), abs=1e-6)
    scores = _array(figures(visit(heads_view="Matrix", heads_values="Scores"))[0]["data"][0]["z"]).reshape(truth.shape)
    again = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    assert again == pytest.approx(truth, abs=1e-4)


def _array(values: Any) -> np.ndarray:
    import base64

    return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])


def test_the_products_sum_to_the_score() -> None:
    app = visit(heads_view="Query-key", query="2", key="5")
    bars, line = figures(app)[0]["data"]
    told = re.search(r"sum to ([\d.,−]+)\.", text(app))
    assert told is not None
    total = float(told[1].replace("−", "-").replace(",", ""))
    assert _array(bars["y"]).sum() == pytest.approx(total, abs=0.01)
    assert _array(line["y"])[-1] == pytest.approx(total, abs=0.01)


def test_the_atlas_has_every_head_and_its_measures() -> None:
    header, arrays = components(visit(heads_view="All heads", heads_sort="previous"))["heads_atlas"]
    assert arrays["tiles"].shape == (6, 12, 7, 7)
    assert arrays["metrics"].shape == (6, 12, 5)
    assert (header["sort"], header["layer"], header["head"]) == ("previous", 2, 4)


@pytest.fixture(scope="module")
def measured(smollm2: Model) -> np.ndarray:
    """Every measure of every head of SmolLM2 on one sentence: (layers, heads, kinds)."""
    trace, layers = smollm2.trace(HUNGRY, keep="*.weights"), range(smollm2.config.n_decoder_layers)
    ids = [token.id for token in trace.tokens]
    every = [head_measures.measure(trace[f"decoder.{layer}.self_attn.weights"], ids) for layer in layers]
    return np.stack([np.stack([found[kind.key].numpy() for kind in head_measures.KINDS], -1) for found in every])


@pytest.mark.slow
def test_heads_are_counted_ranked_and_printed_by_the_measures_themselves(measured: np.ndarray) -> None:
    first = measured[..., 1]
    assert int((first >= 0.5).sum()) == 188
    assert divmod(int(first.argmax()), 9) == (18, 8)
    url = {"model": "smollm2-135m", "text": HUNGRY, "heads_view": "All heads"}
    picture = visit(**url)
    assert "188 of 270 heads are of the kind “first token”, most of all layer 18, head 8" in text(picture)
    assert (components(picture)["heads_atlas"][1]["metrics"] == measured).all()
    table = visit(**url, depth="Numbers", heads_sort="first").dataframe[0].value
    assert tuple(table.iloc[0][["layer", "head"]]) == (18, 8)
    assert (table.sort_values(["layer", "head"]).iloc[:, 2:].to_numpy() == measured.reshape(270, -1)).all()


def test_the_files_hold_the_measures_themselves(measured: np.ndarray) -> None:
    tiles = pack_tiles(np.zeros((30, 9, 2, 2), np.float32), measured)
    table = all_heads.measures_table(tiles, head_measures.KINDS, "layer")
    assert (table.iloc[:, 2:].to_numpy() == measured.reshape(270, -1)).all()


def test_two_heads_are_subtracted(weights: Trace) -> None:
    app = visit(heads_view="Compare", heads_layer2="1", heads_head2="3")
    ours, theirs = weights["encoder.2.self_attn.weights"][4], weights["encoder.1.self_attn.weights"][3]
    first, second, difference = (_array(figure["data"][0]["z"]) for figure in figures(app))
    assert first == pytest.approx(ours.numpy().ravel(), abs=1e-6)
    assert second == pytest.approx(theirs.numpy().ravel(), abs=1e-6)
    assert difference == pytest.approx((ours - theirs).numpy().ravel(), abs=1e-6)


def test_two_sentences_of_equal_length_are_subtracted() -> None:
    app = visit(heads_view="Compare", heads_with="Another sentence", heads_text2="George drove to the park")
    assert not messages(app)
    assert len(figures(app)) == 3
    assert "bank / park" in figures(app)[2]["layout"]["xaxis"]["ticktext"]


def test_sentences_of_different_length_get_one_message_with_both_counts() -> None:
    app = visit(heads_view="Compare", heads_with="Another sentence", heads_text2="George drove")
    assert len(messages(app)) == 1
    assert "the first has 7, the second 4" in messages(app)[0].replace("\\", "")
    assert not app.exception


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("layer", "99", "Layer 99 does not exist here: it can be 0 to 5. Shown: 5."),
        ("head", "12", "Head 12 does not exist here: it can be 0 to 11. Shown: 11."),
        ("query", "50", "Query 50 does not exist here: it can be 0 to 6. Shown: 6."),
        ("layer", "two", "it is not a whole number"),
        ("heads_view", "Circles", "it can only be Lines, Matrix"),
        ("attention", "decoder.self_attn", "Attention “self-attention of the decoder” does not exist here."),
        ("heads_least", "7", "it must lie between 0 and 0.5"),
    ],
)
def test_a_bad_value_in_a_url_falls_back_and_says_so(key: str, value: str, said: str) -> None:
    app = visit(**{key: value})
    assert not app.exception
    assert len(messages(app)) == 1
    assert said in messages(app)[0].replace("\\", "")
    assert "attention_lines" in components(app)


@pytest.mark.parametrize("text", ["", "   "])
def test_a_sentence_that_cannot_run_gets_one_message_and_keeps_the_last_view(text: str) -> None:
    app = visit()
    run_sentence(app, text)
    assert len(app.error) == 1
    assert not app.exception
    header, _ = components(app)["attention_lines"]
    assert [each["label"] for each in header["queries"]][1] == "george"


@pytest.mark.slow
def test_of_a_sentence_that_is_too_long_the_part_that_fits_is_shown() -> None:
    app = visit()
    run_sentence(app, "word " * 600)
    assert not messages(app)
    assert components(app)["run_bar"][0]["limit"] == 512
    (note,) = components(app)["run_bar"][0]["notes"]
    assert note.startswith("MiniLM L6 reads 512 tokens here: your sentence up to “…")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> <b>bold</b>",
        "$x^2$ **bold** :red[red] [a](b) `code` | table |",
        "😀 👩‍👩‍👧 \u0000 \u202e \x07 tab\there",
        "میں ایک روبوٹ ہوں and English",
        "x",
    ],
)
@pytest.mark.parametrize("view", ["Lines", "Matrix", "Compare"])
def test_any_text_is_text(text: str, view: str) -> None:
    app = visit(text=text, heads_view=view)
    assert not app.exception
    assert not app.error
    assert "<script>" not in json.dumps(figures(app))


def test_changing_the_head_forgets_the_heads_that_had_lines() -> None:
    app = visit(heads_shown="1,4,7")
    assert components(app)["attention_lines"][0]["view"]["heads"] == [1, 4, 7]
    tell(app, "run_bar", "place", ["head", 5])
    assert components(app)["attention_lines"][0]["view"]["heads"] == [5]


def test_a_new_sentence_forgets_the_pair() -> None:
    app = visit(query="6", key="5")
    run_sentence(app, "Hello")
    assert not messages(app)
    assert components(app)["attention_lines"][0]["view"]["key"] is None


def test_the_formula_has_the_numbers_of_the_pair(weights: Trace) -> None:
    app = visit(depth="Formula", query="2", key="5")
    assert f"= {float(weights['encoder.2.self_attn.weights'][4, 2, 5]):.3f}" in "\n".join(x.value for x in app.latex)


def test_the_code_is_the_library_itself() -> None:
    shown = "\n".join(each.value for each in visit(depth="Code").code)
    assert "class MultiHeadAttention" in shown
    assert "from model import load" in shown


@pytest.mark.parametrize("number", range(3))
def test_every_prompt_leads_to_a_view_without_a_message(number: int) -> None:
    app = visit()
    buttons = [each for each in app.button if (each.key or "").startswith("try ")]
    buttons[number].click().run()
    assert not app.exception
    assert not messages(app)


def test_who_is_hungry_is_the_fox(smollm2: Model) -> None:
    app = visit()
    next(each for each in app.button if each.label == "Who is hungry?").click().run()
    assert f"{quotes.quote('it', 10, 'blue')} → {quotes.quote('fox', 3, 'orange')} :gray[weight] 0.35" in text(app)
    header, arrays = components(app)["attention_lines"]
    assert header["causal"]
    assert np.triu(arrays["weights"][2], 1).max() == 0


@pytest.mark.parametrize(
    ("stack", "attention", "title"),
    [
        ("encoder", "self_attn", "Encoder self-attention, layer 1, head 1"),
        ("decoder", "self_attn", "Decoder masked self-attention, layer 1, head 1"),
        ("decoder", "cross_attn", "Decoder cross-attention, layer 1, head 1"),
    ],
)
def test_every_attention_of_a_translator_is_shown(stack: str, attention: str, title: str) -> None:
    trace = load("en-ur").trace("I am a robot", keep="*.weights")
    place = {"attention": f"{stack}.{attention}", "layer": "1", "head": "1"}
    app = visit(model="en-ur", text="I am a robot", **place)
    assert not app.exception
    assert not messages(app)
    assert title in text(app)
    header, arrays = components(app)["attention_lines"]
    truth = trace[f"{stack}.1.{attention}.weights"].numpy()
    assert (arrays["weights"] == printed_codes(truth)).all()
    assert (len(header["queries"]), len(header["keys"])) == truth.shape[1:]
    assert header["causal"] is (stack == "decoder" and attention == "self_attn")
