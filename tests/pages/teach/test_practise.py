"""Practise: a question of the reader's own sentence, its answer, the score, and a link that brings the same one."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from pages.catalogue import PAGES
from pages.shared.session.keys import KEYS
from pages.shared.session.question_kinds import LEVELS, QUESTION_KINDS, QUESTION_TITLES, kinds_of_level
from pages.teach import questions
from pages.teach.practise_progress import PracticeSession
from pages.teach.questions import View
from tests.pages.conftest import run_page, session_of, text

TEXT = "Anna is happy, Tom is sad and the dog is hungry. He is"
SENTENCES = {"tiny-lm": TEXT, "en-ur": "The girl reads the book", "tiny-encoder": "I love this film"}


def open_page(**state: object) -> AppTest:
    return run_page("teach/practise.py", **{"model": "tiny-lm", "text": TEXT, **state})


def choices(app: AppTest) -> list[str]:
    return [button.label for button in app.button if button.key and button.key.startswith("choice ")]


def levels(app: AppTest) -> list[str]:
    return list(app.button_group[0].options)


def practise_progress_of(app: AppTest) -> dict[str, tuple[int, int]]:
    return dict(session_of(app, PracticeSession).scores)


def answer(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def drawn(kind: str, model: str, seed: int = 0) -> questions.Question:
    return questions.draw(kind, View("practise", {"model": model, "text": SENTENCES[model]}), seed)[0]


def test_every_kind_has_a_name_a_page_and_makes_questions() -> None:
    assert set(QUESTION_TITLES) == set(questions.KINDS)
    assert set(QUESTION_TITLES) == {kind for entry in PAGES for kind in entry.question_kinds}


def test_every_kind_has_a_level_and_a_beginner_is_told_what_to_know() -> None:
    by_level = [kinds_of_level(level) for level in LEVELS]
    assert sorted(kind for kinds in by_level for kind in kinds) == sorted(QUESTION_KINDS)
    assert min(map(len, by_level)) >= 5
    assert {name for name, kind in QUESTION_KINDS.items() if kind.help} == set(kinds_of_level("beginner"))
    for kind in ("next token", "attention", "temperature", "scale", "part", "layer"):
        assert drawn(kind, "tiny-lm").kind == kind


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
    assert "right at this level" not in text(app)
    assert choices(app)


@pytest.mark.slow
def test_each_level_asks_its_own_kinds_and_counts_by_itself() -> None:
    app = answer(open_page(practise_kind="next token"), "sad")
    assert "Beginner · 1 of 1" in levels(app)
    app.session_state["practise_level"] = "researcher"
    app.session_state["practise_kind"] = ""
    app.run()
    assert LEVELS["researcher"].about in text(app)
    box = app.selectbox[0]
    assert box.options == ["One thing after another", *(QUESTION_TITLES[kind] for kind in kinds_of_level("researcher"))]
    for seed in range(6):
        app.session_state["practise_seed"] = seed
        app.run()
        assert not app.exception
        assert not app.subheader[0].value.startswith(("What will the next token", "Which word does", "Which head does"))
    assert practise_progress_of(app) == {"beginner": (1, 1)}
    answer(app, choices(app)[0])
    assert set(practise_progress_of(app)) == {"beginner", "researcher"}
    app.button(key="start again").click().run()
    assert practise_progress_of(app) == {"beginner": (1, 1)}


def test_a_link_to_a_kind_shows_its_level_and_a_level_is_in_the_link() -> None:
    app = open_page(practise_kind="temperature")
    assert app.session_state["practise_level"] == "student"
    assert "At temperature 1" in app.subheader[0].value
    app = open_page(practise_level="researcher")
    assert app.session_state["practise_level"] == "researcher"
    assert KEYS["practise_level"].choices == tuple(LEVELS)


def test_what_the_browser_kept_is_taken_back_and_what_is_impossible_is_not() -> None:
    kept = {"beginner": [2, 3], "student": [4, 3], "researcher": [1], "magic": [1, 1], "": [True, True]}

    def restore(kept: object) -> None:
        from pages.teach import practise_progress

        practise_progress.restore(kept)
        practise_progress.restore("no table")

    script = AppTest.from_function(restore, kwargs={"kept": kept}).run()
    assert not script.exception
    assert dict(session_of(script, PracticeSession).scores) == {"beginner": (2, 3)}


@pytest.mark.slow
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
