"""en-ur-everyday: the translator of everyday English, on the corpus of `corpora.everyday`.

It is the same task as en-ur with more words and a wider grammar. Its run resumes from checkpoints. en-ur stays beside
it: the lectures and the snapshots of its training are of the small world.
"""

from __future__ import annotations

from typing import Any

from corpora.everyday import corpus
from corpora.everyday.lexicon import lemmas
from corpora.everyday.vocabulary import vocabulary
from model.config import TransformerConfig
from model.tokens.word_vocabulary import SPECIAL, word_tokenizer
from model.train.en_ur import EnglishUrdu
from model.train.task import Recipe


def task(name: str) -> EverydayEnglishUrdu:
    """The task of this name, for `model.train.registry`."""
    return EverydayEnglishUrdu(name)


class EverydayEnglishUrdu(EnglishUrdu):
    """A wider translator. Names outside its vocabulary are spelled in bytes."""

    corpus = corpus
    recipe = Recipe(steps=12_000, learning_rate=1.5e-3, warmup=500, checkpoint_every=500)

    def __init__(self, name: str = "en-ur-everyday") -> None:
        self.name = name
        self.tokenizer = word_tokenizer(vocabulary())
        self.pad_id, self.start, self.end = range(len(SPECIAL))  # <PAD>, <SOS>, <EOS>
        self.config = TransformerConfig(
            vocab_size=self.tokenizer.get_vocab_size(),
            d_model=192,
            n_heads=6,
            d_ff=512,
            max_length=128,
            n_encoder_layers=3,
            n_decoder_layers=3,
            dropout=0.0,
        )

    def describe(self) -> dict[str, Any]:
        words = super().describe()
        phrases = len(corpus.set_phrases())
        return words | {
            "title": "English to Urdu, everyday",
            "about": "A small translator, built and trained as in the paper, for everyday English.",
            "data": words["data"] | {
                "corpus": "Sentence pairs made by a grammar of everyday English and Urdu, with their word alignment.",
                "vocabulary": f"{len(vocabulary())} words of both languages, of {len(lemmas())} English lemmas "
                "composed by topic, and 256 bytes for all else.",
                "by_hand": f"{phrases} set phrases are memorised pairs: always trained on and not held out.",
            },
            "limits": "It knows the words of its lexicon and the patterns of its grammar. It spells names by rule.",
        }  # fmt: skip
