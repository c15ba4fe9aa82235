"""The head on screen: what is left open or does not exist is chosen, and all pages and questions choose alike."""

from __future__ import annotations

import pytest

from model import load
from model.analysis.head_steps import Attention
from model.analysis.telling import last_word, telling_head_at, telling_key
from pages.shared.model_runs.head_on_screen import NO_PAIR
from pages.shared.session.keys import KEYS
from pages.teach.questions.view import View, head_of
from tests.pages.conftest import components, run_page
from views.head_of_run import KEEP, HeadOfRun, attention_titles
from views.run import Run
from views.run_spec import RunSpec
from views.usual_head import choose_head

COMPONENTS = {"heads": "attention_lines", "scores": "matrix_steps", "masks": "matrix_panels"}
TEXT = "The girl eats the apple because she is hungry"


def run_of(name: str, text: str = TEXT) -> Run:
    model = load(name)
    return Run(RunSpec.of(model, *model.tokens_to_run(text)), model, model.trace(text, keep=KEEP), text)


@pytest.fixture(scope="module")
def run() -> Run:
    return run_of("tiny-lm")


@pytest.fixture(scope="module")
def translation() -> Run:
    return run_of("en-ur", "The dog is hungry")


def in_layer(layer: int) -> Attention:
    return Attention("decoder", layer, "self_attn")


def test_a_head_that_is_left_open_tells_most_at_the_last_word_of_a_layer_a_third_of_the_way_up(run: Run) -> None:
    weights, last = run.trace["decoder.1.self_attn.weights"], last_word(run.trace.tokens)
    chosen = choose_head(run, in_layer(-1), -1)
    assert (chosen.at, chosen.head) == (in_layer(1), telling_head_at(weights, last))
    assert (chosen.query, chosen.key) == (last, telling_key(weights[chosen.head, last], last))
    assert choose_head(run, in_layer(99), 99) == chosen
    assert choose_head(run, in_layer(2), -1).at.layer == 2
    assert choose_head(run, in_layer(-1), 3).head == 3


def test_a_pair_is_taken_as_it_is_filled_up_or_replaced(run: Run) -> None:
    weights, last = run.trace["decoder.2.self_attn.weights"][2], last_word(run.trace.tokens)
    usual, of_query = (last, telling_key(weights[last], last)), (5, telling_key(weights[5], 5))
    pairs = {(5, 3): (5, 3), (5, -1): of_query, (5, 99): of_query, (-1, 3): usual, (99, 3): usual}
    pairs |= {(NO_PAIR, -1): (-1, -1)}
    for (query, key), expected in pairs.items():
        chosen = choose_head(run, in_layer(2), 2, query, key)
        assert (chosen.query, chosen.key) == expected, (query, key)


def test_a_head_knows_its_words_weights_and_place(run: Run) -> None:
    screen = HeadOfRun(run, in_layer(2), 3)
    assert screen.queries == screen.keys
    assert screen.queries[1] == "girl"
    assert screen.weights.equal(run.trace["decoder.2.self_attn.weights"][3])
    assert screen.layer_weights(0).equal(run.trace["decoder.0.self_attn.weights"])
    assert screen.hidden[0].tolist() == [False] + [True] * (len(screen.keys) - 1)
    assert screen.place == "layer 2, head 3"
    assert screen.file_name == "tiny-lm-decoder-2-self_attn-head3"
    assert screen.story is None


def test_in_cross_attention_the_keys_are_of_the_source(translation: Run) -> None:
    screen = HeadOfRun(translation, Attention("decoder", 1, "cross_attn"), 0)
    assert screen.query_tokens == translation.trace.tokens
    assert screen.key_tokens == translation.trace.source_tokens
    assert screen.place == "Decoder cross-attention, layer 1, head 0"
    assert attention_titles(screen.config) == {
        "encoder.self_attn": "Encoder self-attention",
        "decoder.self_attn": "Decoder masked self-attention",
        "decoder.cross_attn": "Decoder cross-attention",
    }


@pytest.mark.parametrize("page", ["heads", "scores", "masks"])
@pytest.mark.parametrize("places", [{}, {"layer": 1, "head": 3, "query": 4}], ids=["open", "given"])
def test_a_question_is_about_the_head_and_the_pair_of_the_page(page: str, places: dict[str, int]) -> None:
    values = {"model": "tiny-lm", "text": TEXT} | places
    app = run_page(f"attention/{page}.py", **values)
    shown = {name: app.session_state[name] for name in KEYS}
    asked = head_of(View(page, values))
    assert (shown["layer"], shown["head"]) == (asked.at.layer, asked.head)
    again = head_of(View(page, shown))
    assert (again.at, again.head, again.query, again.key) == (asked.at, asked.head, asked.query, asked.key)
    header = components(app)[COMPONENTS[page]][0]
    query = header["selected"][0] if page == "masks" else header.get("view", header)["query"]
    assert query == asked.query
