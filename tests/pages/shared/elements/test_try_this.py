"""The prompts of a page, what they say that they changed, and the way back from them."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.elements.lecture_screen import Presentation, ScreenSession
from pages.shared.elements.prompts import ROW_WIDTH, count_in_row
from tests.pages.conftest import go, messages, run_page, run_sentence, text


def press(app: AppTest, label: str) -> None:
    app.button(key=f"try {label}").click().run()
    assert not app.exception
    assert messages(app) == []


def test_the_way_back_from_prompts_restores_what_the_reader_had() -> None:
    app = run_page("home/home.py", model="tiny-lm", text="I am a robot")
    assert "Back to my sentence" not in [button.label for button in app.button]
    app.button(key="try End on a capital city").click().run()
    app.button(key="try Look at the first layer").click().run()
    assert app.session_state["text"] == "The capital of France is"
    app.button(key="back to my sentence").click().run()
    assert not app.exception
    assert app.session_state["text"] == "I am a robot"
    assert "Back to my sentence" not in [button.label for button in app.button]


def test_a_sentence_of_the_readers_own_ends_the_way_back() -> None:
    app = run_page("home/home.py", model="tiny-lm", text="I am a robot")
    app.button(key="try End on a capital city").click().run()
    run_sentence(app, "What time is it?")
    assert "Back to my sentence" not in [button.label for button in app.button]


def test_the_prompts_stand_above_the_picture_and_below_the_title() -> None:
    app = run_page("home/home.py", model="tiny-lm", text="I am a robot")
    names = [getattr(each.proto, "component_name", "") or each.type for each in app.main]
    assert names.index("title") < names.index("button") < names.index("glassformer_model_map")


def test_a_press_names_what_it_changed_and_what_to_see() -> None:
    app = run_page("attention/heads.py", model="minilm-l6", text="I am a robot", layer=3, head=1)
    press(app, "Who is hungry?")
    said = text(app)
    assert "Model: MiniLM L6 → SmolLM2 135M; sentence → “The quick brown fox jumps over the lazy" in said
    assert "layer 3 → 9; head 1 → 2" in said
    assert "looks from “it” back to “fox”" in said


def test_what_a_press_did_not_change_is_not_named() -> None:
    app = run_page("home/home.py", model="tiny-lm", text="I am a robot", layer=0)
    press(app, "Look at the first layer")
    assert "This was on screen already" in text(app)


def test_the_line_about_a_press_stays_on_its_page() -> None:
    app = run_page("home/home.py", model="tiny-lm", text="I am a robot")
    press(app, "End on a capital city")
    assert "Every number on the map is worked out anew" in text(app)
    go(app, "heads")
    assert "Every number on the map is worked out anew" not in text(app)
    assert "Back to my sentence" in [button.label for button in app.button]


@pytest.mark.slow
def test_a_prompt_keeps_the_readers_model_where_it_can_show_the_thing() -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm-rotary", text="I am a robot", tokens_part="embedding")
    press(app, "Rotated instead")
    assert app.session_state["model"] == "tiny-lm-rotary"
    press(app, "Added positions")
    assert app.session_state["model"] == "tiny-lm"
    press(app, "Rotated instead")
    assert app.session_state["model"] == "smollm2-135m"


def test_a_prompt_of_a_page_with_its_own_model_leaves_the_readers_choice() -> None:
    app = run_page("models/translate.py", model="tiny-lm", text="I am a robot")
    press(app, "The verb moves")
    assert app.session_state["model"] == "en-ur-everyday"
    go(app, "heads")
    assert app.session_state["model"] == "tiny-lm"


def test_text_in_the_line_is_no_markdown() -> None:
    app = run_page("models/classify.py", classify_part="words", classify_word="**x**")
    press(app, "Two banks")
    assert "Word “\\*\\*x\\*\\*” → “bank”" in text(app)


def test_a_vision_model_is_named_by_its_title() -> None:
    app = run_page("models/see.py", see_model="digits-vit-nopos", see_part="patches")
    press(app, "Far smaller patches")
    assert "Model: Digits ViT without positions → Digits ViT" in text(app)


def test_a_lecture_keeps_prompts_and_what_they_show_at_the_foot() -> None:
    presented = Presentation(which="positions", scene=0)
    app = run_page("home/home.py", ScreenSession(presented=presented), model="tiny-lm", text="I am a robot")
    assert [each.value for each in app.subheader][-1] == "Try this"
    assert "Every number on the map is worked out anew" in text(app)


@pytest.mark.slow
def test_of_many_prompts_the_first_stand_in_the_row_and_the_others_in_a_menu_at_its_end() -> None:
    assert [count_in_row(labels) for labels in ([], ["Short"], ["Short"] * 3)] == [0, 1, 3]
    many = ["A prompt of some length"] * 11
    assert 3 < count_in_row(many) < 11
    assert count_in_row(["W" * ROW_WIDTH]) == 0
    app = run_page("models/why.py", model="tiny-lm", text="I am a robot")
    labels = [button.label for button in app.button if str(button.key).startswith("try ")]
    menu = next(each for each in app.get("popover") if str(each.proto.popover.label).endswith(" more"))
    hidden = [button.label for button in menu.button]
    assert menu.proto.popover.label == f"{len(hidden)} more"
    assert labels[-len(hidden) :] == hidden
    press(app, hidden[0])
