"""Training throughput: our blocks against torch's own transformer layers of the same size, in the same run.

Each pair has the same embedding and output tables around layers of the same sizes, and takes the same steps of the same
optimiser in the same precision, in turns. The medians are compared.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.transformer import Transformer
from model.train.registry import make_task
from model.train.task import Batch, token_loss
from tests.benchmarks.row import Row

TURNS, WARM_UP = 15, 3
Answer = Callable[[Batch], Tensor]  # logits of a batch's labels


class TorchLanguageModel(nn.Module):
    """`tiny-lm` from `torch.nn.TransformerEncoderLayer` with a causal mask."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        self.positions = nn.Embedding(config.max_length, config.d_model)
        layer = nn.TransformerEncoderLayer(
            config.d_model, config.n_heads, config.d_ff, 0.0, config.activation, batch_first=True, norm_first=True
        )
        norm = nn.LayerNorm(config.d_model)
        self.layers = nn.TransformerEncoder(layer, config.n_decoder_layers, norm, enable_nested_tensor=False)

    def forward(self, batch: Batch) -> Tensor:
        length = batch.inputs.shape[-1]
        mask = nn.Transformer.generate_square_subsequent_mask(length)
        x = self.tokens(batch.inputs) + self.positions.weight[:length]
        return self.layers(x, mask=mask, is_causal=True) @ self.tokens.weight.T


class TorchTranslator(nn.Module):
    """`en-ur` from `torch.nn.Transformer`."""

    def __init__(self, config: TransformerConfig, pad_id: int) -> None:
        super().__init__()
        self.pad_id = pad_id
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        self.positions = nn.Embedding(config.max_length, config.d_model)
        self.layers = nn.Transformer(
            config.d_model, config.n_heads, config.n_encoder_layers, config.n_decoder_layers, config.d_ff, 0.0,
            batch_first=True,
        )  # fmt: skip

    def embed(self, ids: Tensor) -> Tensor:
        return self.tokens(ids) + self.positions.weight[: ids.shape[-1]]

    def forward(self, batch: Batch) -> Tensor:
        assert batch.targets is not None
        mask = nn.Transformer.generate_square_subsequent_mask(batch.targets.shape[-1])
        hidden = batch.inputs == self.pad_id
        source, target = self.embed(batch.inputs), self.embed(batch.targets)
        out = self.layers(
            source, target, tgt_mask=mask, tgt_is_causal=True,
            src_key_padding_mask=hidden, memory_key_padding_mask=hidden,
        )  # fmt: skip
        return out @ self.tokens.weight.T


def stepper(network: nn.Module, answer: Answer, batch: Batch) -> Callable[[], float]:
    """A function that takes one training step and gives its seconds."""
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-4, fused=True)

    def step() -> float:
        started = time.perf_counter()
        with torch.autocast("cpu", torch.bfloat16):
            total, count = token_loss(answer(batch), batch.labels)
        (total / count).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        return time.perf_counter() - started

    return step


def row(name: str) -> Row:
    """Microseconds for each trained label."""
    task = make_task(name)
    batch = task.batch(0, 0)
    torch.manual_seed(0)
    network = Transformer(task.config)
    both = task.config.kind == "encoder-decoder"
    other = TorchTranslator(task.config, task.pad_id) if both else TorchLanguageModel(task.config)
    ours = stepper(network, lambda batch: task.logits(network, batch), batch)
    theirs = stepper(other, other, batch)
    turns = [(ours(), theirs()) for _ in range(WARM_UP + TURNS)][WARM_UP:]
    _, labels = token_loss(torch.zeros(*batch.labels.shape, task.config.vocab_size), batch.labels)
    own, reference = (statistics.median(times) / labels * 1e6 for times in zip(*turns, strict=True))
    return Row(f"one trained token, {name}", own, reference, "torch.nn.Transformer layers", "us")


def main() -> list[Row]:
    return [row("tiny-lm"), row("en-ur")]
