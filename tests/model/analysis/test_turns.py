"""Weights summed by turn and by role."""

import pytest
import torch

from model.analysis.turns import TokenGroup, groups_of, queries_from, sum_groups
from model.chat.written import Said
from model.tokens.tokenizer import Token

SYSTEM, USER, ANSWER, NEXT, LAST = (
    Said(role, turn) for turn, role in enumerate(("system", *("user", "assistant") * 2))
)


def token(said: Said | None, special: bool = False) -> Token:
    return Token(0, "a", b"a", special, said)


def frame(said: Said) -> Token:
    return token(Said(said.role, said.turn, is_frame=True))


TALK = [
    *(frame(SYSTEM), token(SYSTEM)),
    *(frame(USER), token(USER), token(USER), frame(USER)),
    *(frame(ANSWER), token(ANSWER), frame(ANSWER)),
    *(frame(NEXT), token(NEXT), frame(NEXT), frame(LAST)),
]


def test_each_turn_is_a_group_and_what_stands_around_them_another() -> None:
    frames = TokenGroup("template", "", (0, 2, 5, 6, 8, 9, 11, 12))
    assert groups_of(TALK) == (
        TokenGroup("system", "system", (1,)),
        TokenGroup("user 1", "user", (3, 4)),
        TokenGroup("assistant", "assistant", (7,)),
        TokenGroup("user 2", "user", (10,)),
        frames,
    )
    assert groups_of(TALK, by_role=True) == (
        TokenGroup("system", "system", (1,)),
        TokenGroup("user", "user", (3, 4, 10)),
        TokenGroup("assistant", "assistant", (7,)),
        frames,
    )


def test_a_text_is_cut_at_its_control_tokens() -> None:
    pair = [token(None, True), token(None), token(None), token(None, True), token(None), token(None, True)]
    assert groups_of(pair) == (
        TokenGroup("text 1", "", (1, 2)),
        TokenGroup("text 2", "", (4,)),
        TokenGroup("control tokens", "", (0, 3, 5)),
    )
    assert groups_of(pair, by_role=True)[0] == TokenGroup("text", "", (1, 2, 4))
    assert groups_of([token(None)] * 2) == (TokenGroup("text", "", (0, 1)),)


@pytest.mark.parametrize(
    ("which", "places"),
    [("all", tuple(range(13))), ("question", (10,)), ("answer", (12,))],
)
def test_the_queries_of_the_last_question_and_answer(which: str, places: tuple[int, ...]) -> None:
    assert queries_from(TALK, which) == places


def test_an_answer_is_asked_where_its_tokens_were_written() -> None:
    assert queries_from([*TALK, token(LAST), token(LAST), frame(LAST)], "answer") == (12, 13, 14)
    assert queries_from(TALK[:6], "answer") == ()
    assert queries_from([token(None)], "question") == ()


def test_the_sums_of_a_query_are_its_whole_attention() -> None:
    weights = torch.rand(2, 13, 13).softmax(-1)
    sums = sum_groups(weights, groups_of(TALK))
    assert sums.shape == (2, 13, 5)
    torch.testing.assert_close(sums.sum(-1), torch.ones(2, 13))
    torch.testing.assert_close(sums[..., 1], weights[..., 3] + weights[..., 4])
