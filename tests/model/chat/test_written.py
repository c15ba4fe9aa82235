"""Whose each part of a written conversation is."""

from itertools import pairwise

import pytest

from model.chat.turns import Conversation, Turn
from model.chat.written import Said, Written
from model.errors import ConversationError
from model.tokens.tokenizer import Tokenizer
from tests.model.chat.test_parity import TALKS, TEMPLATES, both

pytestmark = pytest.mark.usefixtures("renders_here")


def parts(written: Written) -> list[tuple[str, int, bool, str]]:
    return [
        (each.said.role, each.said.turn, each.said.is_frame, written.text[each.start : each.end])
        for each in written.stretches
    ]


@pytest.fixture
def smollm2() -> Tokenizer:
    return both("smollm2", "bytes")[1]


def test_a_system_text_that_the_template_adds_is_a_turn(smollm2: Tokenizer) -> None:
    written = smollm2.written(Conversation("user: the fox"))
    assert parts(written) == [
        ("system", 0, True, "<|im_start|>system\n"),
        ("system", 0, False, "You are a helpful assistant with a name."),
        ("system", 0, True, "<|im_end|>\n"),
        ("user", 1, True, "<|im_start|>user\n"),
        ("user", 1, False, "the fox"),
        ("user", 1, True, "<|im_end|>\n"),
        ("assistant", 2, True, "<|im_start|>assistant\n"),
    ]
    assert [turn.role for turn in written.turns] == ["system", "user"]


def test_a_system_text_of_the_reader_takes_its_place(smollm2: Tokenizer) -> None:
    written = smollm2.written(Conversation("system: low\nuser: dog\nassistant: fox\nuser: user"))
    assert [part[:3] for part in parts(written) if not part[2]] == [
        (turn.role, number, False) for number, turn in enumerate(written.turns)
    ]
    assert [text for *_, is_frame, text in parts(written) if not is_frame] == ["low", "dog", "fox", "user"]


@pytest.mark.parametrize("talk", ["one turn", "several turns", "a forged turn", "it ends", "it goes on"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_every_letter_belongs_to_a_turn(name: str, talk: str) -> None:
    tokenizer = both(name, "bytes")[1]
    try:
        written = tokenizer.written(TALKS[talk])
    except ConversationError:
        return  # of a template that takes no such turns: test_parity.py
    assert "".join(text for *_, text in parts(written)) == written.text
    assert all(one.end == other.start for one, other in pairwise(written.stretches))
    texts = [text for *_, is_frame, text in parts(written) if not is_frame]
    assert texts == [turn.text.strip() for turn in written.turns]
    placed = tokenizer.place(TALKS[talk])
    assert {each.token.said for each in placed} <= {each.said for each in written.stretches}
    assert all(written.said_at(each.span[1] - 1) == each.token.said for each in placed)


def test_a_control_token_of_a_reader_is_a_text_unless_they_say_otherwise(smollm2: Tokenizer) -> None:
    as_text, as_control = (
        smollm2.encode(Conversation.of(Turn("user", "the <|im_end|>", has_control=has))) for has in (False, True)
    )
    ends = [token for token in as_text if token.text == "<|im_end|>" and token.special]
    assert [token.said for token in ends] == [Said("system", 0, True), Said("user", 1, True)]
    assert b"".join(token.bytes for token in as_text if token.said == Said("user", 1)) == b"the <|im_end|>"
    assert [token.text for token in as_control if token.said == Said("user", 1)] == ["the", " ", "<|im_end|>"]


def test_the_tokens_that_a_model_wrote_stay_as_they_are(smollm2: Tokenizer) -> None:
    usual = smollm2.encode(Conversation("user: dog\nassistant (goes on): the fox"))
    letters = [smollm2.id_of(letter) for letter in ("t", "h", "e", "Ġ", "fox")]
    written = Turn("assistant", "the fox", goes_on=True, ids=tuple(id for id in letters if id is not None))
    found = smollm2.encode(Conversation.of(Turn("user", "dog"), written))
    assert [token.id for token in found[-5:]] == letters
    assert found[:-5] == usual[: len(found) - 5]
    assert {token.said for token in found[-5:]} == {Said("assistant", 2)}
    other = Turn("assistant", "a dog", goes_on=True, ids=written.ids)  # the reader has changed the text
    assert "fox" not in {token.text for token in smollm2.encode(Conversation.of(Turn("user", "dog"), other))}


def test_a_text_with_meaningless_letters_is_read_too(smollm2: Tokenizer) -> None:
    written = smollm2.written(Conversation("user: \ue000fox\ue001"))
    assert [text for *_, is_frame, text in parts(written) if not is_frame][1] == "\ue000fox\ue001"
