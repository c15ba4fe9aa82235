"""What a reader can train in the page, in a minute: three tasks for an encoder-decoder, with switches that break them.

Reverse the digits and sort them: every example is new, and one in ten is held out. A hundred pairs of English and Urdu
are learnt by heart; pairs of the same words that are not among them show what that is worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, get_args

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.device import PLAIN
from model.network.transformer import Transformer
from model.tokens.padding import pad_rows
from model.tokens.word_vocabulary import SPECIAL
from model.train.corpora.en_ur import Example, training_examples
from model.train.greedy import cut_at_end, write
from model.train.task import IGNORE, Batch, Recipe, Task, shift_right, token_loss

Name = Literal["reverse", "sort", "pairs"]
NAMES: tuple[Name, ...] = get_args(Name)
DIGITS = (*SPECIAL, *"0123456789")
SHORTEST, LONGEST = 3, 6  # digits
ROWS = 64  # examples a step
HELD_OUT = 64  # examples that are measured
PAIRS, LONGEST_PAIR = 100, 7  # words of a sentence at most


@dataclass(frozen=True)
class Switches:
    """What a lecture can turn off to show what it is for."""

    teacher_forcing: bool = True  # the decoder reads the true tokens; off: those that it wrote itself
    shifted: bool = True  # off: every position reads the token that it is asked for
    positions: bool = True
    scale_scores: bool = True  # q.k / sqrt(d_k)


@dataclass(frozen=True)
class Setup:
    """All that decides a live run: the same setup gives the same run."""

    task: Name = "reverse"
    switches: Switches = Switches()
    learning_rate: float = 3e-3
    warmup: int = 50
    steps: int = 1500
    seed: int = 0


class LiveTask(Task):
    """The parts that the three share. `words` are the vocabulary, by id."""

    words: tuple[str, ...]
    tokenizer = None
    pad_id, start, end = range(len(SPECIAL))

    def __init__(self, setup: Setup, words: tuple[str, ...], longest: int, d_model: int) -> None:
        self.name, self.setup, self.words, self.longest = setup.task, setup, words, longest
        self.recipe = Recipe(setup.steps, setup.learning_rate, setup.warmup, weight_decay=0.0)
        self.config = TransformerConfig(
            vocab_size=len(words),
            d_model=d_model,
            n_heads=2,
            d_ff=2 * d_model,
            max_length=longest + 2,
            n_encoder_layers=1,
            n_decoder_layers=1,
            positions="sinusoidal" if setup.switches.positions else "none",
            scale_scores=setup.switches.scale_scores,
        )

    def encoded(self, pairs: list[tuple[list[int], list[int]]]) -> Batch:
        """Ids of sources and of what is to be written, as a batch: with the target shifted right, or not."""
        pushed = [shift_right(target, self.start, self.end) for _, target in pairs]
        read = [inputs if self.setup.switches.shifted else labels for inputs, labels in pushed]
        return Batch(
            inputs=pad_rows([source for source, _ in pairs], self.pad_id),
            labels=pad_rows([labels for _, labels in pushed], IGNORE),
            targets=pad_rows(read, self.pad_id),
        )

    @cached_property
    def held_out(self) -> Batch:
        """Examples that are never trained on."""
        raise NotImplementedError

    def logits(self, network: nn.Module, batch: Batch) -> Tensor:
        """(batch, tokens, vocabulary). Without teacher forcing the decoder reads what it has just written itself."""
        assert batch.targets is not None
        real = batch.inputs != self.pad_id
        return network(self.decoder_inputs(network, batch), batch.inputs, source_is_real=real)

    def decoder_inputs(self, network: nn.Module, batch: Batch) -> Tensor:
        """What the decoder reads in training: (batch, tokens)."""
        assert batch.targets is not None
        if self.setup.switches.teacher_forcing:
            return batch.targets
        assert isinstance(network, Transformer)
        own = write(network, batch.inputs, batch.inputs != self.pad_id, self.start, batch.labels.shape[-1])
        if not self.setup.switches.shifted:
            return own
        first = torch.full_like(own[:, :1], self.start)
        return torch.cat((first, own[:, :-1]), dim=-1)

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """Of held-out examples: the loss as in training, the share of tokens that are right as in training, the share
        of examples written without a mistake when the model reads its own words, and the share of positions that
        repeat what is read there when that is chosen by chance."""
        assert isinstance(network, Transformer)
        batch = self.held_out
        logits = PLAIN.take(self.logits(network, batch))
        total, count = token_loss(logits, batch.labels)
        asked = batch.labels != IGNORE
        return {
            "loss": float(total.detach()) / count,
            "tokens": float((logits.argmax(-1) == batch.labels)[asked].float().mean()),
            "exact": sum(self.right(network, batch)) / len(batch.inputs),
            "copied": self.copied(network, batch),
        }

    def written(self, network: Transformer, batch: Batch) -> list[list[int]]:
        """What the model writes when it reads its own words, up to <EOS>."""
        return cut_at_end(
            write(network, batch.inputs, batch.inputs != self.pad_id, self.start, self.longest + 1), self.end
        )

    def right(self, network: Transformer, batch: Batch) -> list[bool]:
        """Which rows are written without a mistake."""
        return [mine == true for mine, true in zip(self.written(network, batch), self.truths(batch), strict=True)]

    def truths(self, batch: Batch) -> list[list[int]]:
        """What should be written, without <EOS>."""
        return [[id for id in row if id not in (IGNORE, self.end)] for row in batch.labels.tolist()]

    def copied(self, network: Transformer, batch: Batch) -> float:
        """The share of positions at which the likeliest token is the one that is read there, for random tokens."""
        chance = torch.Generator().manual_seed(0)
        read = torch.randint(len(SPECIAL), len(self.words), batch.labels.shape, generator=chance)
        said = network(read, batch.inputs, source_is_real=batch.inputs != self.pad_id).argmax(-1)
        return float((PLAIN.take(said) == read)[batch.labels != IGNORE].float().mean())

    def texts(self, ids: list[int]) -> list[str]:
        """The words of ids, for a picture's axis."""
        return [self.words[id] for id in ids]

    def describe(self) -> dict[str, Any]:
        return {"title": self.name}


class DigitTask(LiveTask):
    """Digits in, the same digits out, from the last to the first or sorted."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, DIGITS, LONGEST, d_model=32)

    def batch(self, seed: int, step: int) -> Batch:
        return self.drawn(seed * 1_000_003 + step, held_out=False, rows=ROWS)

    @cached_property
    def held_out(self) -> Batch:
        return self.drawn(16, held_out=True, rows=HELD_OUT, length=LONGEST)  # the first has six different digits

    def drawn(self, seed: int, held_out: bool, rows: int, length: int | None = None) -> Batch:
        """Rows of digits of one length. A row is held out if the sum of its digits, weighted by place, ends in 3."""
        chance = torch.Generator().manual_seed(seed)
        if length is None:
            length = int(torch.randint(SHORTEST, LONGEST + 1, (), generator=chance))
        digits = torch.randint(10, (20 * rows, length), generator=chance)
        kept = ((digits * torch.arange(1, length + 1)).sum(-1) % 10 == 3) == held_out
        source = digits[kept][:rows]
        target = source.flip(-1) if self.name == "reverse" else source.sort(-1).values
        edge = torch.ones(len(source), 1, dtype=torch.long)
        labels = torch.cat((target + len(SPECIAL), edge * self.end), dim=-1)
        shifted = torch.cat((edge * self.start, target + len(SPECIAL)), dim=-1)
        return Batch(source + len(SPECIAL), labels, shifted if self.setup.switches.shifted else labels)


class PairTask(LiveTask):
    """A hundred short sentences and their translations."""

    def __init__(self, setup: Setup) -> None:
        self.known, self.new = pairs()
        used = [word for pair in self.known for word in (*pair.english, *pair.urdu)]
        words = (*SPECIAL, *dict.fromkeys(used))
        self.id_of = {word: id for id, word in enumerate(words)}
        longest = max(max(len(pair.english), len(pair.urdu)) for pair in (*self.known, *self.new))
        super().__init__(setup, words, longest, d_model=64)
        self.everything = self.encoded([self.ids(pair) for pair in self.known])

    def ids(self, pair: Example) -> tuple[list[int], list[int]]:
        """The ids of a pair's English and of its Urdu."""
        return [self.id_of[word] for word in pair.english], [self.id_of[word] for word in pair.urdu]

    def batch(self, seed: int, step: int) -> Batch:
        """Half of the pairs, in another draw each step."""
        chance = torch.Generator().manual_seed(seed * 1_000_003 + step)
        rows = torch.randperm(PAIRS, generator=chance)[: PAIRS // 2]
        whole = self.everything
        assert whole.targets is not None
        return Batch(whole.inputs[rows], whole.labels[rows], whole.targets[rows])

    @cached_property
    def held_out(self) -> Batch:
        return self.encoded([self.ids(pair) for pair in self.new])

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        assert isinstance(network, Transformer)
        known = self.right(network, self.everything)
        return {**super().evaluate(network), "known": sum(known) / len(known)}


@cache
def pairs() -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """A hundred short sentence pairs to train on, and others of the same words only."""
    known: dict[str, Example] = {}
    new: dict[str, Example] = {}
    words: set[str] = set()
    for pair in training_examples("live"):
        text = " ".join(pair.english)
        if max(len(pair.english), len(pair.urdu)) > LONGEST_PAIR or text in known:
            continue
        if len(known) < PAIRS:
            known[text] = pair
            words |= {*pair.english, *pair.urdu}
        elif words >= {*pair.english, *pair.urdu}:
            new[text] = pair
        if len(new) == HELD_OUT // 2:
            break
    return tuple(known.values()), tuple(new.values())


def make(setup: Setup) -> LiveTask:
    """The task of a setup."""
    return PairTask(setup) if setup.task == "pairs" else DigitTask(setup)
