"""From what a model has written back to what it reads."""

from __future__ import annotations

import pytest

from model.chat.turns import Conversation, Turn
from tests.conftest import loaded
from views.models.predict import answer
from views.models.predict.continuation import Continuation, continue_run
from views.run import make_run

ASKED = Conversation("user: What is the capital of France?")
ENDED = Conversation("user: What is the capital of France?\nassistant: The capital of France is Paris.")


def written(text: str, path: tuple[int, ...], name: str = "smollm2-135m") -> Continuation:
    return continue_run(make_run(loaded(name), text, "embed.out"), path)


def ids_of(text: str, name: str = "smollm2-135m") -> tuple[int, ...]:
    return tuple(token.id for token in loaded(name).tokenizer.encode(text))


@pytest.mark.slow
def test_an_answer_is_a_turn_that_is_read_as_it_was_written() -> None:
    path = ids_of("The capital of France is Paris.<|im_end|>")
    found = written(ASKED, path)
    talk = answer.with_answer(found)
    assert talk == ENDED
    read = loaded("smollm2-135m").tokens_of(talk)
    assert tuple(token.id for token in read[: len(found.ids)]) == found.ids
    assert {(token.said.role, token.said.turn) for token in found.tokens if token.said} == {("assistant", 2)}
    action = answer.look_inside(found)
    assert action is not None
    assert (action.keys["turns"], action.keys["predict_path"]) == (str(ENDED), ())


@pytest.mark.slow
def test_one_that_was_stopped_goes_on() -> None:
    begun = answer.with_answer(written(ASKED, ids_of("The capital")))
    assert begun == ASKED.and_then(Turn("assistant", "The capital", goes_on=True))
    again = answer.with_answer(written(begun, ids_of(" of France is Paris.<|im_end|>")))
    assert again == ENDED


@pytest.mark.slow
def test_tokens_that_no_text_is_cut_into_stay_as_they_were_written() -> None:
    letters = tuple(id for letter in "Paris" for id in ids_of(letter))
    talk = answer.with_answer(written(ASKED, letters))
    assert talk.last == Turn("assistant", "Paris", goes_on=True, ids=letters)
    read = loaded("smollm2-135m").tokens_of(talk)
    assert tuple(token.id for token in read[-5:]) == letters


def test_a_text_is_taken_into_the_sentence() -> None:
    text, path = "the dog", ids_of(" sees the cat", "tiny-lm")
    found = written(text, path, "tiny-lm")
    action = answer.look_inside(found)
    assert action is not None
    assert action.keys["text"] == "the dog sees the cat"
    assert answer.say_other_cut(found) == []
    nothing = written(text, (), "tiny-lm")
    assert (answer.look_inside(nothing), answer.say_other_cut(nothing)) == (None, [])
    assert answer.other_reading(nothing.run) is None


def test_a_text_that_is_cut_anew_says_what_differs() -> None:
    """The tokens up to where both cuts come to the same letter again; what follows is the same."""
    letters = [id for letter in " sees" for id in ids_of(letter, "tiny-lm")]
    found = written("the dog", (*letters, *ids_of(" the cat", "tiny-lm")), "tiny-lm")
    action = answer.look_inside(found)
    assert action is not None
    assert action.keys["text"] == "the dog sees the cat"
    (said,) = answer.say_other_cut(found)
    assert said.text.endswith("where the model wrote “**·**” **s** **e** **e** **s**, it then reads **·sees**.]")


def test_the_end_of_a_text_is_no_word_of_the_sentence() -> None:
    (end,) = loaded("tiny-lm").tokenizer.ends[:1]
    found = written("the dog", (*ids_of(" sees", "tiny-lm"), end), "tiny-lm")
    action = answer.look_inside(found)
    assert action is not None
    assert action.keys["text"] == "the dog sees"
    assert answer.say_other_cut(found) == []


def test_how_much_is_written() -> None:
    model = loaded("smollm2-135m")
    asked, ended, text = (make_run(model, each, "embed.tokens") for each in (ASKED, ENDED, "I am"))
    lengths = [answer.written_length(run, 8) for run in (asked, ended, text)]
    assert lengths == [answer.MOST_WRITTEN, 0, 8]
    assert [answer.is_answered(run) for run in (asked, ended, text)] == [False, True, False]
    other = answer.other_reading(text)
    assert other is not None
    assert other.keys["turns"] == "user: I am"
    assert answer.other_reading(asked) is None
