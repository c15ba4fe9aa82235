"""From what a model has written back to what it reads: an answer as a turn of its conversation, a text as a longer one.

"Look inside" takes what was written into the sentence, so that every page shows its tokens.
"""

from __future__ import annotations

from model.chat.turns import Conversation, Turn
from model.tokens.tokenizer import Token
from views.models.predict.continuation import Continuation
from views.parts import Action
from views.run import Run
from viz.documents.page_parts import Text

MOST_WRITTEN = 128  # tokens of an answer: it ends with its own end token, or here
ICON = ":material/visibility:"


def answers(run: Run) -> bool:
    """Whether the model is to answer: it reads a conversation that is not at the end of an answer."""
    return isinstance(run.text, Conversation) and (run.text.last.role != "assistant" or run.text.last.goes_on)


def is_answered(run: Run) -> bool:
    """Whether the model reads a conversation that ends with an answer."""
    return isinstance(run.text, Conversation) and not answers(run)


def written_length(run: Run, usual: int) -> int:
    """How many tokens are to be written: those of an answer, none after one, or else the usual number."""
    if not isinstance(run.text, Conversation):
        return usual
    return MOST_WRITTEN if answers(run) else 0


def with_answer(written: Continuation) -> Conversation:
    """The conversation with the answer as its last turn. Raises ValueError for a run of no conversation."""
    talk = written.run.text
    if not isinstance(talk, Conversation):
        raise ValueError("The model has read no conversation.")
    tokenizer, ends = written.run.model.tokenizer, written.run.model.tokenizer.ends
    said = tuple(token for token in written.tokens if token.id not in ends)
    before = talk.turns
    if talk.last.goes_on:
        said, before = (*_tokens_of_last(written), *said), before[:-1]
    text = b"".join(token.bytes for token in said).decode("utf-8", "replace")
    is_open = not (written.path and written.path[-1] in ends)
    answer = Turn("assistant", text, goes_on=is_open)
    ids = tuple(token.id for token in said)
    cut = tokenizer.encode(Conversation.of(*before, answer))
    is_same = ids == tuple(token.id for token in cut if _is_of_answer(token, cut))
    return Conversation.of(*before, answer if is_same else Turn("assistant", text, is_open, ids=ids))


def _tokens_of_last(written: Continuation) -> tuple[Token, ...]:
    return tuple(token for token in written.prompt if _is_of_answer(token, written.prompt))


def _is_of_answer(token: Token, tokens: tuple[Token, ...]) -> bool:
    last = max(each.said.turn for each in tokens if each.said is not None)
    return token.said is not None and token.said.turn == last and not token.said.is_frame


def look_inside(written: Continuation) -> Action | None:
    """The button that takes what was written into the sentence; None where nothing was, or where other tokens would be
    read there."""
    if not written.path:
        return None
    fresh = {"predict_path": (), "predict_step": 0, "predict_cell": ()}
    if isinstance(written.run.text, Conversation):
        turns = str.__str__(with_answer(written))
        words = "Every page then shows the tokens of the answer, after a mark where reading ended and writing began."
        return Action("Look inside the answer", {"turns": turns, **fresh}, "predict inside", ICON, help=words)
    text = written.run.text + "".join(token.text for token in written.tokens)
    read = written.run.model.tokenizer.encode(text)
    if tuple(token.id for token in read) != written.ids:
        return None
    words = "The sentence of all pages is then this longer one."
    return Action("Take it into the sentence", {"text": text, **fresh}, "predict inside", ICON, help=words)


def other_reading(run: Run) -> Action | None:
    """The button that lets a model answer what it continues; None where it has no chat template."""
    if not run.model.converses or isinstance(run.text, Conversation):
        return None
    turns = str.__str__(Conversation.of(Turn("user", run.text)))
    keys = {"turns": turns, "predict_path": (), "predict_step": 0, "predict_cell": ()}
    words = "The model then reads your sentence as what a user says, written by its own chat template."
    return Action("Answer it as a message", keys, "predict answer", ":material/forum:", help=words)


def say_state(written: Continuation) -> list[Text]:
    """A line about an answer that is at its end, or that was cut off."""
    if is_answered(written.run):
        return [Text(":gray[The answer is at its end, and the conversation waits for its next turn.]")]
    if isinstance(written.run.text, Conversation) and len(written.path) >= MOST_WRITTEN and not written.ended:
        return [Text(f":gray[The answer has {MOST_WRITTEN} tokens, and no end yet.]")]
    return []
