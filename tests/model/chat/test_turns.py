"""A conversation as a text, and back."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.chat.turns import MAX_TURNS, ROLES, Conversation, Turn, as_text
from model.errors import ConversationError

LINES = st.sampled_from(
    ["user: hi", "\\system: x", "assistant (goes on): y", " user:", "user:", "plain", "", "\\\\user: z"]
)
TEXTS = st.one_of(st.text(max_size=20), st.lists(LINES, max_size=4).map("\n".join))
TURNS = st.builds(
    Turn,
    st.sampled_from(ROLES),
    TEXTS,
    st.booleans(),
    st.booleans(),
    st.lists(st.integers(0, 99), max_size=3).map(tuple),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(TURNS, min_size=1, max_size=4))
def test_turns_are_read_as_they_were_written(turns: list[Turn]) -> None:
    talk = Conversation.of(*turns)
    assert talk.turns == tuple(turns)
    assert Conversation(str(talk)) == talk
    assert eval(repr(talk)) == talk
    assert pickle.loads(pickle.dumps(talk)).turns == talk.turns


def test_it_is_no_plain_text() -> None:
    talk = Conversation("user: hi")
    assert talk != "user: hi"
    assert len({talk, "user: hi", Conversation("user: hi")}) == 2
    assert as_text(talk.turns) == talk
    assert as_text("user: hi") == "user: hi"
    assert talk.and_then(Turn("assistant", "hello")) == Conversation("user: hi\nassistant: hello")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with who speaks"),
        ("hello", "begins with who speaks"),
        ("tool: hello", "These speak: system, user, assistant"),
        ("user (loud): hello", "“loud” says nothing of a turn"),
        ("user (tokens x): hello", "“tokens x” says nothing of a turn"),
        ("\n".join(["user: a"] * (MAX_TURNS + 1)), f"at most {MAX_TURNS}"),
    ],
)
def test_what_is_no_conversation_is_refused(text: str, words: str) -> None:
    with pytest.raises(ConversationError, match=words):
        Conversation(text)


def test_another_role_is_refused() -> None:
    with pytest.raises(ConversationError, match="“narrator” speaks in no conversation here"):
        Turn("narrator", "once")
