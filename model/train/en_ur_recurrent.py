"""en-ur-seq2seq and en-ur-bahdanau: recurrent translators, with the sentences and words of en-ur."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from model.device import to_cpu
from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import Seq2Seq, make_recurrent
from model.tape import Tape
from model.train.en_ur import HELD_OUT_SENTENCES, EnglishUrdu
from model.train.task import Batch, Recipe, Task

ABOUT = {
    "en-ur-seq2seq": (
        "English to Urdu, without attention",
        "A recurrent translator: one vector carries the whole sentence from its encoder to its decoder.",
    ),
    "en-ur-bahdanau": (
        "English to Urdu, Bahdanau attention",
        "A recurrent translator whose decoder looks back at every word of the sentence.",
    ),
}

# en-ur-bahdanau takes as many steps as en-ur, over the same sentences. Without attention, learning is slower: twice as
# many.
STEPS = {"en-ur-bahdanau": 3600, "en-ur-seq2seq": 7200}


def task(name: str) -> RecurrentEnglishUrdu:
    """The task of this name, for `model.train.registry`."""
    return RecurrentEnglishUrdu(name)


class RecurrentEnglishUrdu(EnglishUrdu):
    """A bidirectional GRU reads, and a GRU writes. Nothing teaches the alignment: it is learnt from the words alone."""

    config: RecurrentConfig  # type: ignore[assignment]

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.config = RecurrentConfig(
            kind="encoder-decoder",
            cell="gru",
            vocab_size=self.tokenizer.get_vocab_size(),
            d_embed=128,
            width=128,
            max_length=128,
            attention=name == "en-ur-bahdanau",
        )
        self.recipe = Recipe(steps=STEPS[name], learning_rate=2e-3, warmup=100, weight_decay=0.01, checkpoint_every=200)

    def make(self, config: RecurrentConfig) -> nn.Module:  # type: ignore[override]
        return make_recurrent(config)

    def shape(self) -> dict[str, Any]:
        return {"kind": "recurrent", "layers": "1 + 1", "heads": int(self.config.attention), "positions": "none"}

    def loss(self, network: nn.Module, batch: Batch) -> tuple[Tensor, int]:
        return Task.loss(self, network, batch)

    def evaluate(self, network: nn.Module, limit: int | None = None) -> dict[str, float]:
        """Loss, greedy translations and, with attention, the alignment of held-out sentences."""
        metrics = dict(self.measures(network, limit or HELD_OUT_SENTENCES))
        if self.config.attention:
            metrics["alignment"] = self.alignment(network, min(limit or HELD_OUT_SENTENCES, HELD_OUT_SENTENCES))
        return metrics

    def measures(self, network: nn.Module, limit: int) -> Iterator[tuple[str, float]]:
        assert isinstance(network, Seq2Seq)
        yield from super().measures(network, limit)
        yield "hand_made", self.share_right(network, self.by_hand())

    def alignment(self, network: nn.Module, limit: int) -> float:
        """The share of content words for which the largest attention weight is on a right English word."""
        batch = self.encode_batch(self.corpus.held_out_examples(limit))
        tape = Tape(keep="decoder.*.attention.weights")
        with torch.no_grad():
            network(batch.targets, batch.inputs, tape, source_is_real=batch.inputs != self.pad_id)
        assert batch.targets is not None
        steps = range(batch.targets.shape[1])
        records = to_cpu(tape.records)
        weights = torch.stack([records[f"decoder.{step}.attention.weights"] for step in steps], dim=1)
        best = weights.argmax(-1, keepdim=True)  # (sentences, targets, 1)
        right = batch.extras["alignment"].gather(-1, best)[..., 0] > 0
        content = batch.extras["content"]
        return float((right & content).sum() / content.sum())

    def finish(self, network: nn.Module) -> dict[str, Any]:
        assert isinstance(network, Seq2Seq)
        return {"by_length": self.by_length(network)}

    def describe(self) -> dict[str, Any]:
        title, about = ABOUT[self.name]
        inherited = super().describe()
        names = ("loss", "exact_match", "hand_made", *(("alignment",) if self.config.attention else ()))
        measures = inherited["measures"] | {
            "alignment": (
                "Share of content words at whose prediction the attention is largest on a right English word. "
                "Nothing but the words taught it where to look."
            ),
        }
        return {
            "title": title,
            "about": about,
            "data": inherited["data"],
            "measures": {name: measures[name] for name in names},
            "by_length_means": inherited["by_length_means"],
            "choices": inherited["choices"],
            "limits": "It knows only the words of its vocabulary and the sentence patterns of its grammar.",
        }
