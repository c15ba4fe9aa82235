"""Questions about training, translators, loops and parts: by hand, and never without one right answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as anything

from model import load, questions
from model.experiments.broken_parts import text_loss, whole_answer
from model.experiments.surgery import edit_model, parts_of
from model.questions import NoQuestion
from tests.model.test_questions import right, sound

STEPS = (0, 10, 20, 40, 80, 160)
LOSSES = (8.0, 6.0, 4.5, 3.9, 1.0, 0.0)


def test_the_first_snapshot_below_the_half_way() -> None:
    question = questions.first_below(STEPS, LOSSES, 0)
    sound(question)
    assert right(question) == "40 steps"  # 3.9 is the first below 4
    assert {choice.label for choice in question.choices} <= {f"{step} steps" for step in STEPS[1:]}
    assert "after 20, it was still 4.5" in question.explanation
    assert right(questions.first_below(STEPS, LOSSES, 2)) == "80 steps"  # half of 4.5 is 2.25


@pytest.mark.parametrize(
    ("losses", "start", "why"),
    [
        (LOSSES, 3, "Too little"),
        ((1.0, 2.0, 3.0, 4.0, 5.0, 6.0), 0, "does not fall"),
        ((8.0, 6.0, 4.0, 3.0, 1.0, 0.0), 0, "just at the half"),
        ((float("nan"),) * 6, 0, "does not fall"),
    ],
)
def test_a_loss_that_poses_no_question(losses: tuple[float, ...], start: int, why: str) -> None:
    with pytest.raises(NoQuestion, match=why):
        questions.first_below(STEPS, losses, start)


@settings(max_examples=60)
@given(anything.lists(anything.floats(0, 9), min_size=6, max_size=6), anything.integers(0, 2))
def test_the_first_below_is_below_and_all_before_are_not(losses: list[float], start: int) -> None:
    try:
        question = questions.first_below(STEPS, losses, start)
    except NoQuestion:
        return
    sound(question)
    half = round((losses[start] + losses[-1]) / 2, 2)
    place = [f"{step} steps" for step in STEPS].index(right(question))
    assert losses[place] < half
    assert all(loss > half for loss in losses[start + 1 : place])


@pytest.mark.parametrize(
    ("truth", "label"),
    [
        ((True, True, True), "All 3"),
        ((False, False, False), "None of them"),
        ((False, True, True), "Only Bahdanau and Transformer"),
        ((True, False, False), "Only seq2seq"),
    ],
)
def test_which_translators_are_right(truth: tuple[bool, ...], label: str) -> None:
    names = ("seq2seq", "Bahdanau", "Transformer")
    translated = dict(zip(names, truth, strict=True))
    question = questions.right_translators("The dog eats", translated, dict.fromkeys(names, "کتا"))
    sound(question)
    assert right(question) == label
    assert [choice.value for choice in question.choices].count(0) == 1


def test_a_loop_takes_a_step_for_each_token() -> None:
    question = questions.steps_in_a_row(7, 6)
    sound(question)
    assert right(question) == "7"
    assert {choice.label for choice in question.choices} == {"7", "49", "1", "13"}
    with pytest.raises(NoQuestion):
        questions.steps_in_a_row(2, 3)


# What a part is worth on a text


def test_the_loss_on_a_text_is_the_mean_surprise_of_its_tokens() -> None:
    model, text = load("tiny-lm"), "The dog is hungry"
    trace = model.trace(text, keep="logits")
    p = trace.logits.double().softmax(-1)
    surprises = [-p[i, token.id].log() for i, token in enumerate(trace.tokens[1:])]
    assert text_loss(model, text) == pytest.approx(float(sum(surprises)) / len(surprises), rel=1e-5)


@pytest.mark.parametrize(("name", "text"), [("en-ur", "The girl reads the book"), ("tiny-encoder", "I love this film")])
def test_what_a_model_gives_surprises_it_less_than_it_does_without_a_part(name: str, text: str) -> None:
    model = load(name)
    answer = whole_answer(model, text)
    whole = text_loss(model, text, answer)
    part = next(part for part in parts_of(model.config) if part.name == "feed-forward")
    assert 0 <= whole < 0.5
    assert text_loss(edit_model(model, (part,)), text, answer) > whole
