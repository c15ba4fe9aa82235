"""Fill the blank: from the words before it, from the words after it, and from both.

The sentences are those of a tiny language. Sometimes the words before the blank fix the answer, and sometimes only
words far after it do. All its sentences can be listed, so the right shares are known exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import MappingProxyType

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model import work_bound
from model.errors import EmptyText, GlassformerError
from model.recurrent.cells import GRUCell
from model.seeding import seeded
from model.tokens.padding import pad_rows, real_places

BLANK = "___"
START, END = "<start>", "<end>"  # read where there is no word
MARKS = (START, END, BLANK, ",")
STATES = {  # state -> a reason for it, a reason against it
    "tired": ("I didn't sleep last night", "I slept well"),
    "happy": ("I won the game", "I lost the game"),
    "hungry": ("I didn't eat today", "I ate a lot"),
    "cold": ("I lost my coat", "I have my coat"),
}
VERB_OF_SUBJECT = {"I": "am", "we": "are"}
SIDES = ("forward", "backward", "both")


class BlankError(GlassformerError):
    """A text without exactly one blank, or with a word that the tiny language does not have."""


def sentences() -> Iterator[tuple[str, str]]:
    """Every sentence of the tiny language, with its blank, and the missing word.

    Without a reason, every state is possible. "very" or "not" stands before a state, and the reason tells which of the
    two. The word directly before a state may also be the verb; then only the other side of the blank tells.
    """
    for (who, verb), state in product(VERB_OF_SUBJECT.items(), STATES):
        yield f"{who} {verb} {BLANK}", state
        yield f"{who} {BLANK} {state}", verb
        for word, reason in zip(("very", "not"), STATES[state], strict=True):
            yield f"{who} {verb} {BLANK} {state}", word
            yield f"{who} {verb} {BLANK} {state}, because {reason}", word
            yield f"{who} {verb} {word} {BLANK}, because {reason}", state
            yield f"{BLANK} {verb} {word} {state}", who


def split(text: str) -> list[str]:
    """The words of a text in lower case, with the comma and the blank. Raises `BlankError`, `EmptyText`."""
    if not text.strip():
        raise EmptyText(f"Type a sentence with a blank, {BLANK}, in it.")
    words = text.lower().replace(",", " , ").replace(".", " ").replace("’", "'").split()
    if words.count(BLANK) != 1:
        raise BlankError(f"Write one blank, {BLANK}, where a word is to be found; here are {words.count(BLANK)}.")
    known = vocabulary()
    unknown = [word for word in words if word not in known]
    if unknown:
        raise BlankError(
            f"This small model does not know {', '.join(unknown[:4])}. It knows: "
            f"{', '.join(word for word in known if word not in MARKS)}."
        )
    return words


@cache
def vocabulary() -> Mapping[str, int]:
    """The words of the tiny language and their ids."""
    words = {
        word for text, answer in sentences() for word in (*text.lower().replace(",", " , ").split(), answer.lower())
    }
    return MappingProxyType({word: number for number, word in enumerate((START, END, *sorted(words)))})


def shares(before: list[str] | None, after: list[str] | None) -> dict[str, float]:
    """The share of sentences of the tiny language in which each word fills the blank.

    Counted are the sentences with these words before and after the blank. None: any words stand on that side. The
    result is empty if the language has no such sentence.
    """
    counts: Counter[str] = Counter()
    for text, answer in sentences():
        words = split(text)
        place = words.index(BLANK)
        if before in (None, words[:place]) and after in (None, words[place + 1 :]):
            counts[answer.lower()] += 1
    total = sum(counts.values())
    return {word: count / total for word, count in counts.most_common()}


class BlankReader(nn.Module):
    """A recurrent reader of one side of the blank, or a pair of readers for both sides: h = [forward, backward]."""

    def __init__(self, side: str, words: int, width: int = 24) -> None:
        super().__init__()
        self.side = side
        self.embed = nn.Embedding(words, width)
        self.ahead = GRUCell(width, width) if side != "backward" else None
        self.back = GRUCell(width, width) if side != "forward" else None
        self.out = nn.Linear(width * (2 if side == "both" else 1), words)

    def forward(self, before: Tensor, before_real: Tensor, after: Tensor, after_real: Tensor) -> Tensor:
        """The scores of every word for the blank: (rows, words). `after` goes from the last word to the first."""
        states = []
        if self.ahead is not None:
            _, (h, *_) = self.ahead(self.embed(before), is_real=before_real)
            states.append(h)
        if self.back is not None:
            _, (h, *_) = self.back(self.embed(after), is_real=after_real)
            states.append(h)
        return self.out(torch.cat(states, dim=-1))


@dataclass(frozen=True)
class TrainedReaders:
    """The three trained readers, and the loss of each over training."""

    networks: dict[str, BlankReader]
    losses: dict[str, tuple[float, ...]]

    @torch.inference_mode()
    def probabilities(self, text: str) -> dict[str, dict[str, float]]:
        """Each reader's words for the blank: side -> word -> probability, the likeliest first. Raises like `split`."""
        names = list(vocabulary())
        rows = _rows([split(text)])
        answers = {}
        for side, network in self.networks.items():
            p = network(*rows)[0].softmax(-1)
            answers[side] = {names[i]: float(p[i]) for i in p.argsort(descending=True).tolist()}
        return answers


def train_readers(steps: int = 250, seed: int = 0) -> TrainedReaders:
    """Trains the three readers on all sentences of the tiny language at once. Every call gives the same weights."""
    words = vocabulary()
    pairs = list(sentences())
    rows = _rows([split(text) for text, _ in pairs])
    answers = torch.tensor([words[answer.lower()] for _, answer in pairs])
    networks, losses = {}, {}
    with torch.inference_mode(False), torch.enable_grad():
        for side in SIDES:
            with seeded(seed):
                network = BlankReader(side, len(words))
            optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
            curve = []
            for _ in range(steps):
                work_bound.check()
                loss = F.cross_entropy(network(*rows), answers)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                curve.append(float(loss.detach()))
            networks[side], losses[side] = network.eval().requires_grad_(False), tuple(curve)
    return TrainedReaders(networks, losses)


def _rows(texts: list[list[str]]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Ids of the words before each blank, and False for padding; then the same for the words after it.

    The words after the blank go from the last to the first. Marks stand for the sentence's start and end.
    """
    words = vocabulary()
    before, after = [], []
    for text in texts:
        place = text.index(BLANK)
        before.append([words[word] for word in (START, *text[:place])])
        after.append([words[word] for word in (END, *reversed(text[place + 1 :]))])
    return pad_rows(before, 0), real_places(before), pad_rows(after, 0), real_places(after)
