"""en-ur: a small transformer as in the paper. It translates the English of a generated world into Urdu.

Besides the next word, the cross-attention of one decoder layer learns the true alignment, which the generator of the
sentences knows: guided alignment, Garg et al. (2019), arXiv:1909.02074, eq. 6.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Protocol

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from corpora import en_ur
from corpora.en_ur import FIXED, HELD_OUT_SHARE, Example, join_words
from corpora.en_ur_words import vocabulary
from model.config import TransformerConfig
from model.device import PLAIN
from model.network.transformer import Transformer
from model.tape import Tape
from model.tokens.padding import pad_rows
from model.tokens.word_vocabulary import SPECIAL, word_tokenizer
from model.train.greedy import Translator, cut_at_end, write_greedily
from model.train.task import IGNORE, Batch, Recipe, Task, shift_right, token_loss

GUIDED_LAYER = 1  # the cross-attention of this decoder layer, averaged over heads, learns the alignment
GUIDED_WEIGHT = 0.1  # weight of the alignment's loss; that of the words has weight 1
BATCH_SIZE = 128  # sentences a step
POOL_BATCHES = 16  # made together, so that each batch has sentences of similar length
HELD_OUT_SENTENCES = 2000  # measured at the end
SENTENCES_OF_EACH_LENGTH = 100  # held-out sentences for each number of English words


def task(name: str) -> EnglishUrdu:
    """The task of this name, for `model.train.registry`."""
    return EnglishUrdu(name)


class Corpus(Protocol):
    """A module of sentence pairs: `corpora.en_ur`, or the everyday one."""

    def training_examples(self, seed: int | str) -> Iterator[Example]: ...

    def held_out_examples(self, count: int) -> list[Example]: ...

    def held_out_by_length(self, each: int) -> dict[int, list[Example]]: ...

    def hand_made_examples(self) -> list[Example]: ...


class EnglishUrdu(Task):
    """A translator with one vocabulary of whole words and one embedding table, as in the paper.

    Both languages and the output layer share the table.
    """

    tokenizer: Tokenizer
    corpus: Corpus = en_ur
    recipe = Recipe(steps=3600, learning_rate=2e-3, warmup=300, snapshots=12, checkpoint_every=200)

    def __init__(self, name: str = "en-ur") -> None:
        self.name = name
        self.tokenizer = word_tokenizer(vocabulary())
        self.pad_id, self.start, self.end = range(len(SPECIAL))  # <PAD>, <SOS>, <EOS>
        self.config = TransformerConfig(
            vocab_size=self.tokenizer.get_vocab_size(),
            d_model=128,
            n_heads=4,
            d_ff=256,
            max_length=128,
            n_encoder_layers=3,
            n_decoder_layers=3,
            dropout=0.0,
        )

    def batch(self, seed: int, step: int) -> Batch:
        pool = make_pool(self, f"{seed} {step // POOL_BATCHES}")
        return self.encode_batch(pool[step % POOL_BATCHES])

    def encode_batch(self, examples: Iterable[Example]) -> Batch:
        """Token ids of sentence pairs, with the alignment as a distribution over source tokens for every label."""
        pairs = list(examples)
        sources = [self.pieces(pair.english, pair.source_text) for pair in pairs]
        written = [self.pieces(pair.urdu, pair.target_text) for pair in pairs]
        shifted = [shift_right(ids, self.start, self.end) for ids, _ in written]
        inputs = pad_rows([ids for ids, _ in sources], self.pad_id)
        targets = pad_rows([row for row, _ in shifted], self.pad_id)
        cells: list[tuple[int, int, int]] = []  # of the alignment: sentence, target token, source token
        shares: list[float] = []
        content: list[list[int]] = []
        for row, (pair, (_, words_read), (_, words_written)) in enumerate(zip(pairs, sources, written, strict=True)):
            places: dict[int, list[int]] = {}
            for token, word in enumerate(words_read):
                places.setdefault(word, []).append(token)
            for token, word in enumerate(words_written):
                aligned = [place for source in pair.sources[word] for place in places[source]]
                cells += [(row, token, place) for place in aligned]
                shares += [1 / len(aligned) for _ in aligned]
            content.append([*(int(pair.content[word]) for word in words_written), 0])  # 0 of <EOS>
        alignment = torch.zeros(*targets.shape, inputs.shape[1])  # (sentences, target tokens, source tokens)
        if cells:
            alignment[torch.tensor(cells).unbind(1)] = torch.tensor(shares)
        labels = pad_rows([row for _, row in shifted], IGNORE)
        return Batch(inputs, labels, targets, {"alignment": alignment, "content": pad_rows(content, 0).bool()})

    def ids(self, text: str) -> list[int]:
        """The ids of a text's words, without <SOS> and <EOS>."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def pieces(self, words: tuple[str, ...], text: str) -> tuple[list[int], list[int]]:
        """The ids of a text's tokens, and the word that each belongs to: an unknown word has several tokens."""
        encoding = self.tokenizer.encode(text, add_special_tokens=False)
        word_ends = [len(join_words(words[: place + 1])) for place in range(len(words))]
        return encoding.ids, [bisect_left(word_ends, end) for _, end in encoding.offsets]

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        """The sum of two cross-entropies: of the words, and of the guided attention against the true alignment."""
        name = f"decoder.{GUIDED_LAYER}.cross_attn.weights"
        tape = Tape(keep=name)
        logits = network(batch.targets, batch.inputs, tape, source_is_real=batch.inputs != self.pad_id)
        total, count = token_loss(logits, batch.labels, self.recipe.label_smoothing)
        attention = tape.records[name].float().mean(-3)  # (sentences, target tokens, source tokens)
        guided = -(batch.extras["alignment"] * (attention + 1e-9).log()).sum()
        return total + GUIDED_WEIGHT * guided, count

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """Measures of held-out sentences: loss, greedy translations and alignment."""
        from sacrebleu.metrics import CHRF  # only installed for development; the app and training do without it

        assert isinstance(network, Transformer)
        examples = self.corpus.held_out_examples(min(limit or HELD_OUT_SENTENCES, HELD_OUT_SENTENCES))
        written: list[str] = []
        total, labels = 0.0, 0
        aligned = AlignmentCounts(self.config)
        for start in range(0, len(examples), 250):
            part = examples[start : start + 250]
            batch = self.encode_batch(part)
            written += self.translate(network, batch.inputs)
            tape = Tape(keep="decoder.*.cross_attn.weights")
            logits = network(batch.targets, batch.inputs, tape, source_is_real=batch.inputs != self.pad_id)
            loss, count = token_loss(logits, batch.labels)
            total, labels = total + float(loss), labels + count
            aligned.count(tape.records, batch)
        right = [text == pair.target_text for text, pair in zip(written, examples, strict=True)]
        chrf = CHRF().corpus_score(written, [[pair.target_text for pair in examples]]).score
        by_layer = aligned.by_layer()
        return {
            "loss": total / labels,
            "exact_match": sum(right) / len(right),
            "chrf": chrf,
            "hand_made": self.share_right(network, self.by_hand()),
            "alignment": max(by_layer),
            **{f"alignment_layer_{layer}": share for layer, share in enumerate(by_layer)},
        }

    def measures(self, network: nn.Module, limit: int) -> Iterator[tuple[str, float]]:
        """Loss and exact match. chrF is left out: it needs sacrebleu."""
        assert isinstance(network, Translator)
        examples = self.corpus.held_out_examples(min(limit, HELD_OUT_SENTENCES))
        batch = self.encode_batch(examples)
        with torch.no_grad():
            loss, count = token_loss(self.logits(network, batch), batch.labels)
        yield "loss", float(loss) / count
        yield "exact_match", self.share_right(network, examples)

    def share_right(self, network: Translator, examples: list[Example]) -> float:
        """The share of sentences whose greedy translation is the reference."""
        written = self.translate(network, self.encode_batch(examples).inputs)
        return sum(text == pair.target_text for text, pair in zip(written, examples, strict=True)) / len(examples)

    def translate(self, network: Translator, sources: Tensor, limit: int = 40) -> list[str]:
        """Greedy translations of a batch of source ids (sentences, tokens)."""
        ids = write_greedily(network, sources, sources != self.pad_id, self.start, limit, self.end)
        return [self.tokenizer.decode(row) for row in cut_at_end(ids, self.end)]

    def finish(self, network: nn.Module) -> dict[str, Any]:
        """Reports for the card: the alignment of each head's cross-attention, and exact match by sentence length."""
        assert isinstance(network, Transformer)
        aligned = AlignmentCounts(self.config)
        batch = self.encode_batch(self.corpus.held_out_examples(500))
        tape = Tape(keep="decoder.*.cross_attn.weights")
        with torch.no_grad():
            network(batch.targets, batch.inputs, tape, source_is_real=batch.inputs != self.pad_id)
        aligned.count(tape.records, batch)
        return {"alignment_by_head": aligned.by_head(), "by_length": self.by_length(network)}

    def by_length(self, network: Translator, each: int = SENTENCES_OF_EACH_LENGTH) -> list[dict[str, float]]:
        """Exact match of held-out sentences by their number of English words and marks.

        All translators are measured on the same sentences.
        """
        return [
            {"words": words, "sentences": len(part), "exact_match": round(self.share_right(network, part), 5)}
            for words, part in self.corpus.held_out_by_length(each).items()
        ]

    def by_hand(self) -> list[Example]:
        """The sentence pairs that were translated by hand."""
        return self.corpus.hand_made_examples()

    def describe(self) -> dict[str, Any]:
        return {
            "title": "English to Urdu",
            "about": "A small translator, built and trained as in the paper, for the English of a generated world.",
            "data": {
                "corpus": "Sentence pairs made by a grammar of English and Urdu, with their true word alignment.",
                "vocabulary": f"{len(vocabulary())} words of both languages in one table, and 256 bytes for all else.",
                "held_out": (
                    f"One sentence in {HELD_OUT_SHARE}, chosen by a hash of its English words, is never trained on, "
                    f"whatever the seed. The measures use {HELD_OUT_SENTENCES} of them, all different."
                ),
                "by_hand": f"{len(FIXED)} sentences translated by hand are always trained on and not held out.",
            },
            "measures": {
                "loss": "Cross-entropy of the held-out translations, nats a token, with the true words before it.",
                "exact_match": "Share of held-out sentences whose greedy translation is the reference, word for word.",
                "chrf": "Character n-gram F-score of sacrebleu, 0 to 100.",
                "hand_made": "Share of the sentences translated by hand that come out as they were translated.",
                "alignment": (
                    "Share of content words at whose prediction the cross-attention of the best decoder layer, "
                    "averaged over its heads, is largest on a right English word."
                ),
                **{f"alignment_layer_{layer}": f"The same for decoder layer {layer}." for layer in range(3)},
            },
            "by_length_means": (
                f"Exact match of {SENTENCES_OF_EACH_LENGTH} held-out sentences of each length, fewer of the rarest, "
                "counted in English words and marks."
            ),
            "guided_alignment": (
                f"The cross-attention of decoder layer {GUIDED_LAYER}, averaged over heads, was trained towards the "
                f"true alignment with weight {GUIDED_WEIGHT} (Garg et al. 2019); no other layer was."
            ),
            "choices": [
                "I, we, you and they are masculine, you is the polite form: English does not show what Urdu needs.",
                "An inanimate object stands in the direct case; people, names and definite animals take ko.",
                "The mark at the end is taken over from English; without one there is none.",
            ],
            "limits": (
                "It knows only the words of its vocabulary and the sentence patterns of its grammar. "
                "Where his, her or their do not mean the subject, it sometimes takes them to."
            ),
        }


class AlignmentCounts:
    """Counts how often cross-attention is largest on a right word, for each head and for each layer's mean of heads."""

    def __init__(self, config: TransformerConfig) -> None:
        self.layers, self.heads = config.n_decoder_layers, config.n_heads
        self.hits = torch.zeros(self.layers, self.heads + 1)  # last column: the average of the heads
        self.words = 0

    def count(self, records: Mapping[str, Tensor], batch: Batch) -> None:
        """Counts a batch. `records` are those of its run, with `decoder.*.cross_attn.weights`."""
        true, content = batch.extras["alignment"], batch.extras["content"]
        self.words += int(content.sum())
        for layer in range(self.layers):
            weights = PLAIN.take(records[f"decoder.{layer}.cross_attn.weights"])  # (sentences, heads, targets, sources)
            every = torch.cat((weights, weights.mean(1, keepdim=True)), dim=1)
            best = every.argmax(-1)  # (sentences, heads + 1, targets)
            right = true[:, None].expand(*best.shape, -1).gather(-1, best[..., None])[..., 0] > 0
            self.hits[layer] += (right & content[:, None]).sum((0, 2))

    def by_layer(self) -> list[float]:
        """The share of right content words for each layer's mean over heads, 0..1."""
        return [float(hits) / self.words for hits in self.hits[:, -1]]

    def by_head(self) -> list[list[float]]:
        """The share of right content words for each head of each layer, 0..1."""
        return [[round(float(hits) / self.words, 4) for hits in layer] for layer in self.hits[:, :-1]]


@lru_cache(maxsize=2)
def make_pool(task: EnglishUrdu, seed: str) -> list[list[Example]]:
    """Batches of sentences with similar numbers of Urdu tokens, in random order."""
    examples = list(islice(task.corpus.training_examples(seed), POOL_BATCHES * BATCH_SIZE))
    examples.sort(key=lambda pair: len(task.ids(pair.target_text)))
    batches = [examples[start : start + BATCH_SIZE] for start in range(0, len(examples), BATCH_SIZE)]
    random.Random(seed).shuffle(batches)
    return batches
