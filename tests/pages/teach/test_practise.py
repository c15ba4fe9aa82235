"""Practise: a question of the reader's own sentence, its answer, the score, and a link that brings the same one."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from pages.catalogue import PAGES
from pages.shared.session.question_kinds import QUESTION_TITLES
from pages.teach import questions
from pages.teach.questions import View
from tests.pages.conftest import run_page, text

TEXT = "Anna is happy, Tom is sad and the dog is hungry. He is"
SENTENCES = {"tiny-lm": TEXT, "en-ur": "The girl reads the book", "tiny-encoder": "I love this film"}


def open_page(**state: object) -> AppTest:
    return run_page("teach/practise.py", **{"model": "tiny-lm", "text": TEXT, **state})


def choices(app: AppTest) -> list[str]:
    return [button.label for button in app.button if button.key and button.key.startswith("choice ")]


def answer(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def drawn(kind: str, model: str, seed: int = 0) -> questions.Question:
    return questions.draw(kind, View("practise", {"model": model, "text": SENTENCES[model]}), seed)[0]


def test_every_kind_has_a_name_a_page_and_makes_questions() -> None:
    assert set(QUESTION_TITLES) == set(questions.KINDS)
    assert set(QUESTION_TITLES) == {kind for entry in PAGES for kind in entry.question_kinds}


def test_a_wrong_answer_is_put_right_with_its_numbers() -> None:
    app = open_page(practise_kind="next token")
    logits = load("tiny-lm").trace(TEXT, keep="logits").logits[-1].softmax(-1)
    assert "What will the next token be" in app.subheader[0].value
    assert "sad" in choices(app)
    assert not app.success
    assert "99.6%" not in text(app), "the answer is not on the page before"
    answer(app, next(label for label in choices(app) if label != "sad"))
    assert "The answer is **sad**" in app.error[0].value
    assert f"{100 * float(logits.max()):.1f}".replace(".", "\\.") in text(app)
    assert "(your answer)" in text(app)
    assert "**0 of 1** right" in text(app)
    assert not choices(app), "only the first answer counts"


def test_right_answers_are_counted_and_can_be_forgotten() -> None:
    app = answer(open_page(practise_kind="next token"), "sad")
    assert app.success[0].value == "Right: **sad**"
    assert "**1 of 1** right" in text(app)
    app.button(key="start again").click().run()
    assert "right in this session" not in text(app)
    assert choices(app)


@pytest.mark.parametrize("model", SENTENCES)
def test_questions_follow_one_another_and_none_comes_twice(model: str) -> None:
    app = open_page(model=model, text=SENTENCES[model])
    asked = set()
    for _ in range(8):
        title = app.subheader[0].value
        assert title not in asked
        asked.add(title)
        answer(app, choices(app)[0])
        app.button(key="next question").click().run()
        assert not app.exception


def test_a_seed_is_a_question() -> None:
    for kind in ("attention", "hand", "part"):
        first, again = (open_page(practise_kind=kind, practise_seed=7) for _ in range(2))
        assert (first.subheader[0].value, choices(first)) == (again.subheader[0].value, choices(again))
        assert drawn(kind, "tiny-lm", 7).text == drawn(kind, "tiny-lm", 7).text
    assert len({drawn("attention", "tiny-lm", seed).text for seed in range(8)}) > 4


def test_the_view_that_shows_the_answer_is_one_press_away() -> None:
    app = open_page(practise_kind="attention", practise_seed=3)
    question, shown = questions.draw("attention", View("practise", {"model": "tiny-lm", "text": TEXT}), 3)
    answer(app, choices(app)[question.answer])
    app.button(key="see it").click().run()
    assert not app.exception
    assert app.title[0].value == "Heads"
    for name in ("layer", "head", "query", "key"):
        assert app.session_state[name] == shown[name]
    assert app.session_state["text"] == TEXT


def test_what_poses_no_question_says_why() -> None:
    app = open_page(model="tiny-encoder", text="I love this film", practise_kind="next token")
    assert "predicts no next token" in app.info[0].value
    app = open_page(text="robot", practise_kind="visible keys")
    assert "longer sentence" in app.info[0].value


def test_a_sentence_of_one_word_still_poses_something() -> None:
    app = open_page(text="robot")
    assert choices(app)


def test_tokens_are_shown_as_they_are_written() -> None:
    app = open_page(text="<b>Anna</b> is *happy* and :red[Tom] is", practise_kind="next token")
    assert "\\<b\\>Anna" in app.subheader[0].value
    assert "\\:red\\[Tom\\]" in app.subheader[0].value


@pytest.mark.parametrize("words", ["", "   "])
def test_a_sentence_that_cannot_be_run_is_one_message(words: str) -> None:
    app = open_page(text=words)
    assert len(app.error) == 1
    assert not choices(app)
