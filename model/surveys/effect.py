"""What one head does to the outcome of the texts of a reading, as a value of plain arrays."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import numpy as np
import torch

from model import numerals
from model.analysis.circuits.written import word_ends
from model.arrays import Array
from model.run import Model
from model.surveys.places import Kept
from model.surveys.reading import Place, Reading
from model.surveys.tally import STRONGEST
from model.tokens.tokenizer import Token

NORMAL_95 = 1.96  # standard deviations of a normal distribution, on both sides of its mean: 95% of it


@dataclass(frozen=True)
class TextHarm:
    """A text and how much is lost in it without the head. `number` is that of the text in its collection."""

    number: int
    text: str
    kind: str
    rise: float


@dataclass(frozen=True)
class TokenHarm:
    """A token of a text, and the surprise at it in nats with the head and without it."""

    number: int
    text: str
    tokens: tuple[str, ...]
    place: int
    before: float
    after: float

    @property
    def rise(self) -> float:
        """How much less it is expected without the head."""
        return self.after - self.before


@dataclass(frozen=True)
class WordRises:
    """Words and what a head gives to their logits: those that rise most, and those that fall most, outermost first."""

    most: tuple[tuple[Token, float], ...]
    least: tuple[tuple[Token, float], ...]

    def __str__(self) -> str:
        sides = (self.most, self.least)
        return " ... ".join(
            ", ".join(f"{token.text!r} {numerals.number(rise)}" for token, rise in side) for side in sides
        )


@dataclass(frozen=True, eq=False)
class HeadEffect:
    """What `model.surveys.head_effect.head_effect` gives. Its arrays change while the texts run.

    `rises` (texts,): the mean rise of the loss of a text's next tokens without the head, in nats; of an encoder, how
    far the text's vector turns, 1 - cosine. `before` and `after`: the loss of each token of the last stack, one text
    after another, not a number where there is none. `written` (d_model,): the sum over `queries` of what the head adds
    to what the output layer reads; of an encoder's head nothing. `longest`: the places where it writes most, by length.
    `done` says which texts were run.
    """

    reading: Reading
    attention: str
    layer: int
    head: int
    rises: Array
    before: Array
    after: Array
    written: Array
    queries: Array
    longest: Kept
    done: Array

    @classmethod
    def none(cls, reading: Reading, layer: int, head: int, attention: str, width: int) -> HeadEffect:
        """No text run yet. `width`: d_model. Raises `ModelMismatch` for a head that is not there."""
        name = reading.checked_name(attention, layer, head)
        texts, last = len(reading.read), reading.last_stack
        tokens = len(reading.tokens[last].ids)
        rises, before, after = (np.full(count, np.nan, np.float32) for count in (texts, tokens, tokens))
        return cls(
            reading,
            name,
            layer,
            head,
            rises,
            before,
            after,
            written=np.zeros(width),
            queries=np.zeros(1, np.int64),
            longest=Kept.none(1, STRONGEST),
            done=np.zeros(texts, bool),
        )

    def copy(self) -> HeadEffect:
        """The same with arrays of its own."""
        parts = ("rises", "before", "after", "written", "queries", "longest", "done")
        return replace(self, **{name: copy.deepcopy(getattr(self, name)) for name in parts})

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.reading, self.attention, self.layer, self.head, self.done.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeadEffect) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        where = f"{self.attention}, layer {self.layer}, head {self.head}"
        return f"HeadEffect({where}, {int(self.done.sum()):,} of {int(self.reading.read.sum()):,} texts)"

    @property
    def is_encoder(self) -> bool:
        """Whether an encoder makes the outcome, which predicts no next token."""
        return self.reading.last_stack == "encoder"

    @property
    def is_whole(self) -> bool:
        """Whether all texts of the reading were run."""
        return bool((self.done == self.reading.read).all())

    @property
    def mean(self) -> float:
        """The mean of `rises` over the texts that have one; not a number without one."""
        known = self.rises[np.isfinite(self.rises)]
        return float(known.mean(dtype=np.float64)) if len(known) else float("nan")

    @property
    def margin(self) -> float:
        """The mean of all texts of this sort is within this much of `mean`, in 95 of 100 samples of so many texts.

        It is 1.96 standard errors of the mean; not a number for fewer than two texts.
        """
        known = self.rises[np.isfinite(self.rises)].astype(np.float64)
        return NORMAL_95 * float(known.std(ddof=1)) / len(known) ** 0.5 if len(known) > 1 else float("nan")

    def texts(self, count: int = 20) -> list[TextHarm]:
        """The texts that need the head most, the most needed first."""
        found = []
        for number in _largest(self.rises, count):
            text = self.reading.collection.texts[number]
            found.append(TextHarm(number, text.content, text.kind, float(self.rises[number])))
        return found

    def tokens(self, count: int = 20) -> list[TokenHarm]:
        """The tokens that are less expected without the head, the largest rise first; none of an encoder."""
        read, found = self.reading.tokens[self.reading.last_stack], []
        for at in _largest(self.after - self.before, count):
            number = int(np.searchsorted(read.begins, at, side="right")) - 1
            losses, text = (
                (float(self.before[at]), float(self.after[at])),
                self.reading.collection.texts[number].content,
            )
            found.append(TokenHarm(number, text, read.words_of(number), at - int(read.begins[number]), *losses))
        return found

    def longest_places(self, count: int = 20) -> list[tuple[Place, float]]:
        """The places where the head writes most, and the length of what it writes there: weight x |v W_O|.

        Places are left out as in `Reading.strongest`. Kobayashi et al. (2020), arXiv:2004.10102, section 3.
        """
        places = self.reading.places(self.attention, self.longest.places[0][:count], self.longest.weights[0])
        return list(zip(places, (-self.longest.ranks[0]).tolist(), strict=False))

    def words(self, model: Model, count: int = 10) -> WordRises | None:
        """The words whose logits the head raises and lowers most, in the mean over all queries. None where its stack
        has no output layer, or nothing was run."""
        if self.attention.startswith("encoder") or not self.queries[0]:
            return None
        mean = torch.from_numpy(self.written / self.queries[0]).float()
        return word_rises(model, mean[None], count)[0]


def word_rises(model: Model, added: torch.Tensor, count: int) -> list[WordRises]:
    """The words that rise and fall most by each row of what a head adds before the output layer: (rows, d_model)."""
    ends, found = word_ends(model, added, count), []
    for row in range(len(added)):
        sides = (ends.most_ids[row], ends.most[row]), (ends.least_ids[row], ends.least[row])
        named = (_named(model, ids.tolist(), values.tolist()) for ids, values in sides)
        found.append(WordRises(*named))
    return found


def _named(model: Model, ids: list[int], values: list[float]) -> tuple[tuple[Token, float], ...]:
    return tuple(zip(model.output_tokenizer.tokens(ids), values, strict=True))


def _largest(values: Array, count: int) -> list[int]:
    """The places of the largest numbers, the largest first; those that are none are left out."""
    order = np.argsort(-np.where(np.isfinite(values), values, -np.inf), kind="stable")[:count]
    return [place for place in order.tolist() if np.isfinite(values[place])]
