"""Three tasks that an encoder-decoder learns in the page in a minute, with switches that break the learning.

Two tasks reverse or sort digits: every example is new, and one in ten is held out. The third learns a hundred pairs of
English and Urdu by heart. Other pairs of the same words show whether it learnt more than these.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, get_args

import torch
from torch import Tensor, nn

from corpora.en_ur import Example, training_examples
from model.config import TransformerConfig
from model.device import PLAIN
from model.network.transformer import Transformer
from model.tokens.padding import pad_rows
from model.tokens.word_vocabulary import SPECIAL
from model.train.greedy import cut_at_end, write_greedily
from model.train.task import IGNORE, Batch, Recipe, Task, shift_right, token_loss

Name = Literal["reverse", "sort", "pairs"]
NAMES: tuple[Name, ...] = get_args(Name)
DIGITS = (*SPECIAL, *"0123456789")
MIN_DIGITS, MAX_DIGITS = 3, 6  # in a row
BATCH_ROWS = 64
HELD_OUT_EXAMPLES = 64
TRAINING_PAIRS, MAX_PAIR_WORDS = 100, 7  # words of one sentence, in either language


@dataclass(frozen=True)
class Switches:
    """Parts of training and of the network. A lecture turns one off to show what it is for."""

    teacher_forcing: bool = True  # on: the decoder reads the true tokens; off: its own
    shifted: bool = True  # off: every position reads its own answer
    positions: bool = True
    scale_scores: bool = True  # q.k / sqrt(d_k)


@dataclass(frozen=True)
class Setup:
    """The setup of a live run. The same setup gives the same run."""

    task: Name = "reverse"
    switches: Switches = Switches()
    learning_rate: float = 3e-3
    warmup: int = 50
    steps: int = 1500
    seed: int = 0


class LiveTask(Task):
    """The common part of the three tasks. `words[id]` is the token of an id."""

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

    def encode_pairs(self, pairs: list[tuple[list[int], list[int]]]) -> Batch:
        """The ids of sources and targets as a batch. Without `shifted`, the decoder's input is the labels."""
        shifted = [shift_right(target, self.start, self.end) for _, target in pairs]
        decoder_inputs = [inputs if self.setup.switches.shifted else labels for inputs, labels in shifted]
        return Batch(
            inputs=pad_rows([source for source, _ in pairs], self.pad_id),
            labels=pad_rows([labels for _, labels in shifted], IGNORE),
            targets=pad_rows(decoder_inputs, self.pad_id),
        )

    @cached_property
    def held_out(self) -> Batch:
        """Examples that are never trained on."""
        raise NotImplementedError

    def logits(self, network: nn.Module, batch: Batch) -> Tensor:
        """The scores in training: (batch, tokens, vocabulary). Without teacher forcing the decoder reads its own."""
        assert batch.targets is not None
        real = batch.inputs != self.pad_id
        return network(self.decoder_inputs(network, batch), batch.inputs, source_is_real=real)

    def decoder_inputs(self, network: nn.Module, batch: Batch) -> Tensor:
        """The decoder's input in training: (batch, tokens)."""
        assert batch.targets is not None
        if self.setup.switches.teacher_forcing:
            return batch.targets
        assert isinstance(network, Transformer)
        own = write_greedily(network, batch.inputs, batch.inputs != self.pad_id, self.start, batch.labels.shape[-1])
        if not self.setup.switches.shifted:
            return own
        first = torch.full_like(own[:, :1], self.start)
        return torch.cat((first, own[:, :-1]), dim=-1)

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """Measures of held-out examples.

        "loss" and "tokens", the share of right tokens, are computed as in training. "exact" is the share of examples
        without a mistake when the model reads its own tokens. "copied" is that of `copy_share`.
        """
        assert isinstance(network, Transformer)
        batch = self.held_out
        logits = PLAIN.take(self.logits(network, batch))
        total, count = token_loss(logits, batch.labels)
        labelled = batch.labels != IGNORE
        return {
            "loss": float(total.detach()) / count,
            "tokens": float((logits.argmax(-1) == batch.labels)[labelled].float().mean()),
            "exact": sum(self.right_rows(network, batch)) / len(batch.inputs),
            "copied": self.copy_share(network, batch),
        }

    def write(self, network: Transformer, batch: Batch) -> list[list[int]]:
        """The targets that the model writes when it reads its own tokens, up to <EOS>."""
        return cut_at_end(
            write_greedily(network, batch.inputs, batch.inputs != self.pad_id, self.start, self.longest + 1), self.end
        )

    def right_rows(self, network: Transformer, batch: Batch) -> list[bool]:
        """Whether the model writes each row without a mistake."""
        return [own == true for own, true in zip(self.write(network, batch), self.truths(batch), strict=True)]

    def truths(self, batch: Batch) -> list[list[int]]:
        """The right targets, without <EOS>."""
        return [[id for id in row if id not in (IGNORE, self.end)] for row in batch.labels.tolist()]

    def copy_share(self, network: Transformer, batch: Batch) -> float:
        """The share of positions at which the model only repeats its input: the decoder reads random tokens."""
        chance = torch.Generator().manual_seed(0)
        random_tokens = torch.randint(len(SPECIAL), len(self.words), batch.labels.shape, generator=chance)
        likeliest = network(random_tokens, batch.inputs, source_is_real=batch.inputs != self.pad_id).argmax(-1)
        return float((PLAIN.take(likeliest) == random_tokens)[batch.labels != IGNORE].float().mean())

    def texts(self, ids: list[int]) -> list[str]:
        """The words of ids, for the axis of a figure."""
        return [self.words[id] for id in ids]

    def describe(self) -> dict[str, Any]:
        return {"title": self.name}


class DigitTask(LiveTask):
    """The decoder writes the digits of the source, from the last to the first or sorted."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, DIGITS, MAX_DIGITS, d_model=32)

    def batch(self, seed: int, step: int) -> Batch:
        return self.draw_rows(seed * 1_000_003 + step, held_out=False, rows=BATCH_ROWS)

    @cached_property
    def held_out(self) -> Batch:
        # The first row of this seed has six different digits.
        return self.draw_rows(16, held_out=True, rows=HELD_OUT_EXAMPLES, length=MAX_DIGITS)

    def draw_rows(self, seed: int, held_out: bool, rows: int, length: int | None = None) -> Batch:
        """Draws rows of digits of one length. Held out are those whose sum of digits times places ends in 3."""
        chance = torch.Generator().manual_seed(seed)
        if length is None:
            length = int(torch.randint(MIN_DIGITS, MAX_DIGITS + 1, (), generator=chance))
        digits = torch.randint(10, (20 * rows, length), generator=chance)
        in_split = ((digits * torch.arange(1, length + 1)).sum(-1) % 10 == 3) == held_out
        source = digits[in_split][:rows]
        target = source.flip(-1) if self.name == "reverse" else source.sort(-1).values
        edge = torch.ones(len(source), 1, dtype=torch.long)
        labels = torch.cat((target + len(SPECIAL), edge * self.end), dim=-1)
        shifted = torch.cat((edge * self.start, target + len(SPECIAL)), dim=-1)
        return Batch(source + len(SPECIAL), labels, shifted if self.setup.switches.shifted else labels)


class PairTask(LiveTask):
    """The decoder translates short sentences: a hundred pairs are for training."""

    def __init__(self, setup: Setup) -> None:
        self.known, self.new = pairs()
        used = [word for pair in self.known for word in (*pair.english, *pair.urdu)]
        words = (*SPECIAL, *dict.fromkeys(used))
        self.id_of = {word: id for id, word in enumerate(words)}
        longest = max(max(len(pair.english), len(pair.urdu)) for pair in (*self.known, *self.new))
        super().__init__(setup, words, longest, d_model=64)
        self.everything = self.encode_pairs([self.ids(pair) for pair in self.known])

    def ids(self, pair: Example) -> tuple[list[int], list[int]]:
        """The ids of a pair's English words and of its Urdu words."""
        return [self.id_of[word] for word in pair.english], [self.id_of[word] for word in pair.urdu]

    def batch(self, seed: int, step: int) -> Batch:
        """Half of the pairs, drawn anew for each step."""
        chance = torch.Generator().manual_seed(seed * 1_000_003 + step)
        rows = torch.randperm(TRAINING_PAIRS, generator=chance)[: TRAINING_PAIRS // 2]
        whole = self.everything
        assert whole.targets is not None
        return Batch(whole.inputs[rows], whole.labels[rows], whole.targets[rows])

    @cached_property
    def held_out(self) -> Batch:
        return self.encode_pairs([self.ids(pair) for pair in self.new])

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        assert isinstance(network, Transformer)
        known = self.right_rows(network, self.everything)
        return {**super().evaluate(network), "known": sum(known) / len(known)}


@cache
def pairs() -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """A hundred short sentence pairs for training, and other pairs that have no other words."""
    known: dict[str, Example] = {}
    new: dict[str, Example] = {}
    words: set[str] = set()
    for pair in training_examples("live"):
        text = " ".join(pair.english)
        if max(len(pair.english), len(pair.urdu)) > MAX_PAIR_WORDS or text in known:
            continue
        if len(known) < TRAINING_PAIRS:
            known[text] = pair
            words |= {*pair.english, *pair.urdu}
        elif words >= {*pair.english, *pair.urdu}:
            new[text] = pair
        if len(new) == HELD_OUT_EXAMPLES // 2:
            break
    return tuple(known.values()), tuple(new.values())


def make(setup: Setup) -> LiveTask:
    """The task of a setup."""
    return PairTask(setup) if setup.task == "pairs" else DigitTask(setup)
