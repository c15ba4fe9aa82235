"""The texts of a survey as tokens, and the batches in which they run: texts of like length together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from model.config import TransformerConfig
from model.errors import EmptyText, TextTooLong, UnreadableText
from model.run import Model
from model.texts.collection import Collection, Text
from model.tokens.tokenizer import Token

BATCH_TOKENS = 512  # with the padding
MOST_WEIGHTS = 10_000_000  # of one attention of one text: 40 MB
MOST_TOKENS = 1024
Fault = tuple[int, str]  # the number of a text, and why it is left out


@dataclass(frozen=True)
class TextRow:
    """A text as the model reads it: `tokens` of the last stack, `source` of an encoder before it, () without one.

    `marked`: the places of the tokens that the reader has marked in the text.
    """

    number: int
    tokens: tuple[Token, ...]
    source: tuple[Token, ...] = ()
    marked: tuple[int, ...] = ()

    @property
    def length(self) -> int:
        """The tokens of the longer of the two."""
        return max(len(self.tokens), len(self.source))

    def read_by(self, stack: str, config: TransformerConfig) -> tuple[Token, ...]:
        """The tokens that a stack reads."""
        return self.source if self.source and stack != config.stacks[-1] else self.tokens


def read_rows(
    model: Model, collection: Collection, stop: Callable[[], bool]
) -> tuple[list[TextRow], tuple[Fault, ...]] | None:
    """The texts of a collection as the model cuts them into tokens, and those that are left out, with the reason.

    `stop` is asked before each. None where it says so.
    """
    rows: list[TextRow] = []
    faults: list[Fault] = []
    most = most_tokens(model.config)
    for place, text in enumerate(collection.texts):
        if stop():
            return None
        try:
            row = TextRow(place, model.tokens_of(text.content), marked=marked_places(model, text))
        except (EmptyText, TextTooLong, UnreadableText) as error:
            faults.append((place, str(error)))
            continue
        if row.length > most:
            faults.append((place, f"It has {row.length:,} tokens; a survey reads at most {most:,} of one."))
        else:
            rows.append(row)
    return rows, tuple(faults)


def marked_places(model: Model, text: Text) -> tuple[int, ...]:
    """The places of the tokens that have a marked character. Raises `UnreadableText`."""
    if not text.marked:
        return ()
    spans = [placed.span for placed in model.tokenizer.place(text.content)]
    return tuple(
        place
        for place, (begin, end) in enumerate(spans)
        if any(begin < last and first < end for first, last in text.marked)
    )


def most_tokens(config: TransformerConfig) -> int:
    """The length of the longest text that a survey of such a model reads."""
    return min(MOST_TOKENS, int((MOST_WEIGHTS / config.n_heads) ** 0.5))


def batches(rows: Sequence[TextRow]) -> Iterator[list[TextRow]]:
    """The rows by length, the shortest first, as many at once as fill `BATCH_TOKENS`; at least one."""
    batch: list[TextRow] = []
    for row in sorted(rows, key=lambda row: (row.length, row.number)):
        if batch and row.length * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
