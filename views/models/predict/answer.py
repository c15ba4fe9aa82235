"""From what a model has written back to what it reads: an answer as a turn of its conversation, a text as a longer one.

"Look inside" takes what was written into the sentence, so that every page shows its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from model.chat.turns import Conversation, Turn
from model.tokens.tokenizer import Token
from views.models.predict.continuation import Continuation
from views.parts import Action
from views.run import Run
from views.shared import quotes
from viz.documents.page_parts import Text
from viz.shared.tokens import labels

MOST_WRITTEN = 128  # tokens of an answer: it ends with its own end token, or here
MOST_QUOTED = 6  # tokens of a cut
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
    """The button that takes what was written into the sentence; None where nothing was. `say_other_cut` says where
    other tokens are read there."""
    if not written.path:
        return None
    fresh = {"predict_path": (), "predict_step": 0, "predict_cell": ()}
    if isinstance(written.run.text, Conversation):
        turns = str.__str__(with_answer(written))
        words = "Every page then shows the tokens of the answer, after a mark where reading ended and writing began."
        return Action("Look inside the answer", {"turns": turns, **fresh}, "predict inside", ICON, help=words)
    words = "The sentence of all pages is then this longer one."
    keys = {"text": _longer_text(written), **fresh}
    return Action("Take it into the sentence", keys, "predict inside", ICON, help=words)


def say_other_cut(written: Continuation) -> list[Text]:
    """A line about a text that has other tokens when it is read as a sentence than when it was written."""
    if not written.path or isinstance(written.run.text, Conversation):
        return []
    ends = written.run.model.tokenizer.ends
    wrote = [*written.prompt, *(token for token in written.tokens if token.id not in ends)]
    read = written.run.model.tokenizer.encode(_longer_text(written))
    if [token.id for token in wrote] == [token.id for token in read]:
        return []
    pairs = zip(wrote, read, strict=False)
    first = next((at for at, (one, other) in enumerate(pairs) if one.id != other.id), min(len(wrote), len(read)))
    before, after = (_quote_cut(tokens, others, first) for tokens, others in ((wrote, read), (read, wrote)))
    said = f"Taken into the sentence, the text is cut into other tokens: where the model wrote {before}, it then reads"
    return [Text(f":gray[{said} {after}.]")]


def _longer_text(written: Continuation) -> str:
    """The sentence with what was written, without the token that ends it."""
    ends = written.run.model.tokenizer.ends
    return written.run.text + "".join(token.text for token in written.tokens if token.id not in ends)


def _quote_cut(tokens: Sequence[Token], others: Sequence[Token], first: int) -> str:
    """The tokens from the `first` one on up to where both cuts of a text come to the same byte again."""
    ends, other_ends = ({*accumulate(len(token.bytes) for token in each[first:])} for each in (tokens, others))
    common = min(ends & other_ends, default=max(ends, default=0))
    count = sum(end < common for end in ends) + 1
    words = [quotes.quote(label) for label in labels(tokens[first : first + min(count, MOST_QUOTED)])]
    return " ".join([*words, *["…"] * (count > MOST_QUOTED)]) or "nothing"


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
