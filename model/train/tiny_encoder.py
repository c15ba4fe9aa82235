"""The task of `tiny-encoder`: the feeling of a sentence from its first token, the part of speech of every word."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random
from typing import Any

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from tokenizers.processors import TemplateProcessing
from torch import Tensor, nn

from corpora.feelings import FEELINGS, PARTS, TaggedSentence, cut, held_out_sentences, training_sentence
from model.config import TransformerConfig
from model.device import PLAIN
from model.tape import Tape
from model.tokens.padding import pad_rows
from model.train.bpe import special_id, train_bpe
from model.train.task import IGNORE, Batch, Recipe, Task, token_loss

ROWS = 96
HELD_OUT = 3000  # sentences
TEXT_WEIGHT = 8.0  # one feeling counts as much as so many parts of speech
PAD, FIRST = "<PAD>", "<CLS>"


@cache
def feelings_tokenizer() -> Tokenizer:
    """The BPE of the encoder's sentences. It puts `<CLS>` before each: the token that the feeling is read from."""
    rng = Random("tokenizer")
    texts = [training_sentence(rng).text for _ in range(20_000)]
    tokenizer = train_bpe(texts, vocab_size=1200, special=[PAD, FIRST])
    tokenizer.post_processor = TemplateProcessing(
        single=f"{FIRST} $A", special_tokens=[(FIRST, special_id(tokenizer, FIRST))]
    )
    return tokenizer


class TinyEncoder(Task):
    """Text classification and token classification together, as in the paper: post-norm, ReLU, sinusoidal."""

    name = "tiny-encoder"
    tokenizer: Tokenizer

    def __init__(self) -> None:
        self.tokenizer = feelings_tokenizer()
        self.pad_id, self.first_id = (special_id(self.tokenizer, token) for token in (PAD, FIRST))
        self.config = TransformerConfig(
            vocab_size=self.tokenizer.get_vocab_size(),
            d_model=96,
            n_heads=4,
            d_ff=384,
            n_encoder_layers=3,
            max_length=128,
            text_labels=FEELINGS,
            token_labels=PARTS,
        )
        self.recipe = Recipe(steps=1500, learning_rate=2e-3)

    def encode(self, sentence: TaggedSentence) -> tuple[list[int], list[int]]:
        """Ids with the first token, and a label for each; no merge crosses a word, so words can be read alone."""
        ids, labels = [self.first_id], [IGNORE]
        for piece, part in zip(sentence.pieces, sentence.parts, strict=True):
            word = self.tokenizer.encode(piece, add_special_tokens=False).ids
            ids += word
            labels += [PARTS.index(part)] * len(word)
        return ids, labels

    def batch_of(self, sentences: list[TaggedSentence]) -> Batch:
        """Sentences as a batch, with their feelings beside the parts of speech."""
        rows, labels = zip(*map(self.encode, sentences), strict=True)
        feelings = torch.tensor([FEELINGS.index(sentence.feeling) for sentence in sentences])
        return Batch(pad_rows(list(rows), self.pad_id), pad_rows(list(labels), IGNORE), extras={"feelings": feelings})

    def batch(self, seed: int, step: int) -> Batch:
        rng = Random(f"{seed} {step}")
        return self.batch_of([cut(training_sentence(rng), rng) for _ in range(ROWS)])

    def classify(self, network: nn.Module, batch: Batch) -> tuple[Tensor, Tensor]:
        """Scores of each sentence's feeling (batch, feelings) and of each token's part (batch, tokens, parts)."""
        tape = Tape(("text_logits", "token_logits"))
        network(batch.inputs, tape=tape, ids_are_real=batch.inputs != self.pad_id)
        return tape.records["text_logits"], tape.records["token_logits"]

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        text, tokens = self.classify(network, batch)
        total, count = token_loss(tokens, batch.labels)
        feelings = F.cross_entropy(text.float(), batch.extras["feelings"], reduction="sum")
        return total + TEXT_WEIGHT * feelings, count

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        sentences = list(islice(held_out_sentences(), limit or HELD_OUT))
        right = dict.fromkeys(("feeling", "negated", "part_of_speech", "two_parts"), 0)
        asked = dict.fromkeys(right, 0)
        for start in range(0, len(sentences), 256):
            chunk = sentences[start : start + 256]
            self._count(network, chunk, right, asked)
        return {name: right[name] / max(1, asked[name]) for name in right}

    def _count(
        self, network: nn.Module, sentences: list[TaggedSentence], right: dict[str, int], asked: dict[str, int]
    ) -> None:
        """Adds the right answers on these sentences to `right`, and the questions to `asked`."""
        batch = self.batch_of(sentences)
        text, tokens = map(PLAIN.take, self.classify(network, batch))
        good_text = text.argmax(-1) == batch.extras["feelings"]  # (batch,)
        good_token = (tokens.argmax(-1) == batch.labels)[batch.labels != IGNORE]  # (all labelled tokens,)
        negated = torch.tensor([any(p.strip() in ("not", "never") for p in s.pieces) for s in sentences])
        ambiguous = torch.isin(batch.inputs, self.ambiguous_ids())[batch.labels != IGNORE]
        for name, good in (
            ("feeling", good_text),
            ("negated", good_text[negated]),
            ("part_of_speech", good_token),
            ("two_parts", good_token[ambiguous]),
        ):
            right[name] += int(good.sum())
            asked[name] += len(good)

    def ambiguous_ids(self) -> Tensor:
        """Tokens of the words that have two parts of speech in these sentences."""
        words = ("walk", "swim", "play", "drink", "dance", "like", "her", "that", "this", "light", "fast")
        return torch.tensor([id for w in words if (id := self.tokenizer.token_to_id(f"Ġ{w}")) is not None])

    def describe(self) -> dict[str, Any]:
        return {
            "title": "Tiny encoder",
            "about": "An encoder trained here: the feeling of a sentence, and the part of speech of each word.",
            "data": (
                "Generated sentences of the small world (corpora/feelings.py). A sentence is held out if "
                "the hash of its text falls into one tenth; the training generator discards it. The example sentences "
                "of the app, tagged by hand, are always in the training text and never measured. In training one word "
                "in ten is cut in two pieces with one part of speech, and one sentence in ten has no capital."
            ),
            "measures": {
                "feeling": "share of held-out sentences whose feeling (negative, neutral, positive) is right",
                "negated": "the same, of sentences with 'not' or 'never'",
                "part_of_speech": "share of words of held-out sentences whose part of speech is right",
                "two_parts": "the same, of words that have two parts of speech in these sentences",
            },
            "limits": "It knows a few hundred words and one clause of opinion a sentence; other English it guesses.",
        }


def task(name: str) -> TinyEncoder:
    return TinyEncoder()
