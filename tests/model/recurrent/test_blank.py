"""Fill the blank: readers that come near the shares counted in the tiny language, and bad sentences."""

from __future__ import annotations

import pytest
import torch

from model.errors import EmptyText
from model.recurrent.blank import (
    BLANK,
    SIDES,
    BlankError,
    TrainedReaders,
    sentences,
    shares,
    split,
    train_readers,
    vocabulary,
)


@pytest.fixture(scope="module")
def readers() -> TrainedReaders:
    return train_readers()


def test_shares_by_hand() -> None:
    before = ["i", "am"]
    assert shares(before, []) == dict.fromkeys(("tired", "happy", "hungry", "cold"), 0.25)
    assert shares(before, ["tired"]) == {"very": 0.5, "not": 0.5}
    assert shares(before, split("___ tired, because I didn't sleep last night")[1:]) == {"very": 1.0}
    assert shares(before, split("___ tired, because I slept well")[1:]) == {"not": 1.0}
    assert shares(["you"], None) == {}


@pytest.mark.slow
def test_three_examples_need_more_and_more_of_what_is_behind(readers: TrainedReaders) -> None:
    open_end = readers.probabilities("I am ___")
    assert open_end["both"]["tired"] == pytest.approx(0.25, abs=0.06)
    tired = readers.probabilities("I am ___ tired")
    assert tired["forward"]["tired"] > 0.02
    assert tired["both"]["very"] + tired["both"]["not"] > 0.95
    long = readers.probabilities("I am ___ tired, because I didn't sleep last night")
    assert long["both"]["very"] > 0.95
    assert long["backward"]["very"] > 0.95
    assert long["forward"]["very"] < 0.6  # it cannot know: it reads the same two words each time
    assert long["forward"] == open_end["forward"] == tired["forward"]


def test_the_verb_is_known_from_the_left(readers: TrainedReaders) -> None:
    found = readers.probabilities("we ___ tired")
    assert found["both"]["are"] > 0.9
    assert found["forward"]["are"] > 0.9
    assert found["backward"]["are"] < 0.6


def test_every_reader_comes_near_what_its_side_can_tell(readers: TrainedReaders) -> None:
    for text in ("I am ___", "we are ___ cold", "I am ___ happy, because I won the game"):
        words = split(text)
        place = words.index(BLANK)
        seen = {"forward": (words[:place], None), "backward": (None, words[place + 1 :])}
        seen["both"] = (words[:place], words[place + 1 :])
        found = readers.probabilities(text)
        for side in SIDES:
            true = shares(*seen[side])
            gap = sum(abs(found[side][word] - true.get(word, 0.0)) for word in vocabulary()) / 2
            assert gap < 0.12, (text, side)


def test_the_loss_of_two_sides_is_lowest_and_training_is_repeatable(readers: TrainedReaders) -> None:
    last = {side: curve[-1] for side, curve in readers.losses.items()}
    assert last["both"] < last["backward"] < last["forward"]
    again, other = train_readers(steps=3), train_readers(steps=3)
    assert again.losses == other.losses


def test_training_leaves_the_random_numbers_of_others_alone() -> None:
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    train_readers(steps=1)
    assert torch.equal(torch.rand(3), wanted)


def test_every_sentence_of_the_language_can_be_read() -> None:
    for text, answer in sentences():
        assert split(text).count(BLANK) == 1
        assert answer.lower() in vocabulary()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("  ", EmptyText, "Type a sentence"),
        ("I am tired", BlankError, "here are 0"),
        ("___ am ___", BlankError, "here are 2"),
        ("I am ___ Zaphod", BlankError, "does not know zaphod"),
    ],
)
def test_a_sentence_that_cannot_be_filled_is_named(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        split(text)
