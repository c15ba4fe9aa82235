"""Every control token of a model that the app ships or offers at once has a meaning, and no other token has one."""

from __future__ import annotations

import pytest

from model import available
from model.bibliography import find_citations
from model.tokens.control_tokens import CHAT, CONTROL_TOKENS, OF_NAME, known_among
from tests.conftest import loaded

MODELS = [card.name for card in available("decoder", "encoder", "encoder-decoder") if card.ready and not card.is_added]


@pytest.mark.parametrize("name", MODELS)
def test_every_control_token_of_a_model_has_a_meaning(name: str) -> None:
    tokenizer = loaded(name).tokenizer
    special = [token.text for token in map(tokenizer.token, range(tokenizer.size)) if token.special]
    assert special
    assert list(known_among(special)) == special


def test_a_meaning_stands_once_and_has_a_source() -> None:
    assert len(OF_NAME) == sum(len(each.names) for each in CONTROL_TOKENS)
    for each in CONTROL_TOKENS:
        assert each.source == CHAT or list(find_citations(each.source)), each.names


def test_the_file_of_smollm2_says_that_turns_of_a_conversation_end_with_it() -> None:
    tokenizer = loaded("smollm2-135m").tokenizer
    assert tokenizer.token(tokenizer.end or 0).text == "<|im_end|>"
    assert "turn in a conversation" in OF_NAME["<|im_end|>"].meaning


def test_only_known_names_are_told_each_once() -> None:
    assert list(known_among(["dog", "[SEP]", "[CLS]", "[SEP]", "<nobody knows>"])) == ["[SEP]", "[CLS]"]
