"""The Positions page: its messages, its choices and its prompts."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import run_sentence, turn_to

APP = str(Path(__file__).parents[3] / "app.py")
PARTS = ("heatmap", "table", "circles", "distance", "rotary", "join", "order", "requirements")


@pytest.fixture(scope="module")
def started() -> AppTest:
    app = AppTest.from_file(APP, default_timeout=120)
    turn_to(app.run(), "positions")
    app.query_params.clear()  # as a link of the sidebar does
    return app.run()  # arriving there sets the place of the page before aside


@pytest.fixture
def positions(started: AppTest):
    """`positions(part, **state)` opens the page on that part, with all other keys at their defaults."""

    def visit(part: str, **values: object) -> AppTest:
        from pages.shared.session.state import KEYS

        # AppTest cannot keep a selectbox at -1, for which the page chooses a token: no query and no key.
        names = [name for name in KEYS if name.startswith("positions_")]
        defaults = {name: KEYS[name].default for name in ("depth", "layer", "head", *names)}
        chosen = {"model": "minilm-l6", "text": "the dog bites the man"} | defaults | {"positions_part": part} | values
        for key, value in chosen.items():
            started.session_state[key] = value
        return started.run()

    return visit


def text(app: AppTest) -> str:
    return "\n".join(each.value for each in (*app.markdown, *app.caption))


@pytest.mark.parametrize(
    ("part", "values", "message"),
    [
        ("heatmap", {"positions_d": 7}, "must be even. Shown: 8"),
        ("heatmap", {"positions_d": 0}, "it can be 2 to 1024. Shown: 2"),
        ("heatmap", {"positions_base": 1.0}, "greater than 1"),
        ("heatmap", {"positions_base": float("nan")}, "greater than 1"),
        ("heatmap", {"positions_rows": "length", "positions_length": 0}, "1 to 512. Shown: 1"),
        ("heatmap", {"positions_rows": "length", "positions_length": 9999}, "1 to 512. Shown: 512"),
        ("circles", {"positions_d": -4}, "Shown: 2"),
        ("distance", {"positions_base": -5.0}, "greater than 1"),
        ("table", {"positions_wordwidth": 3}, "must be even. Shown: 4"),
        ("join", {"positions_joined": 9}, "must be even. Shown: 10"),
        ("requirements", {"positions_trained": 1}, "4 to 128. Shown: 4"),
    ],
)
def test_bad_input_gets_one_message_and_the_page_goes_on(positions, part, values, message):
    app = positions(part, **values)
    assert not app.exception
    assert [message in each.value for each in app.error] == [True]
    assert ":gray[Try this]" in [each.value for each in app.markdown]


@pytest.mark.parametrize(
    ("part", "values", "message"),
    [
        ("circles", {"positions_phi": 900.0}, "Shift φ 900.0 does not exist"),
        ("circles", {"query": 77}, "Token 77 does not exist"),
        ("rotary", {"model": "smollm2-135m", "layer": 99}, "Layer 99 does not exist"),
        ("distance", {"positions_places": (1, 500)}, "Positions must be two"),
    ],
)
def test_a_place_that_does_not_exist_is_corrected_with_a_message(positions, part, values, message):
    app = positions(part, **values)
    assert not app.exception
    assert any(message in each.value for each in app.warning)


def test_rotary_pairs_the_last_tokens_of_another_sentence_too(positions):
    app = positions("rotary", model="tiny-lm-rotary", text="the dog bites the man")
    run_sentence(app, "a cat")
    assert not any("Token" in each.value for each in app.warning)
    assert app.session_state["query"] == app.session_state["key"] + 1 == 1


def test_shuffle_again_draws_another_order(positions):
    app = positions("order", depth="Numbers")
    before = list(app.dataframe[0].value["was at"])
    next(button for button in app.button if button.label == "Shuffle again").click().run()
    assert list(app.dataframe[0].value["was at"]) != before


def test_one_word_cannot_be_shuffled(positions):
    app = positions("order", text="dog")
    assert not app.exception
    assert any("at least two words" in each.value for each in app.info)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_every_prompt_shows_something(positions, part):
    for number in range(len([b for b in positions(part).button if b.key and b.key.startswith("try ")])):
        app = positions(part)
        [b for b in app.button if b.key and b.key.startswith("try ")][number].click().run()
        assert not app.exception
        assert not app.error
