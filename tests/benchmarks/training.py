"""Training throughput: our blocks against torch's own transformer layers of the same size, in the same run.

Both are four causal pre-norm layers between the same embedding and the same output table, both take the same steps of
the same optimiser in the same precision. They take turns, and the medians are compared.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.train.registry import make_task
from model.train.task import Task
from model.transformer import Transformer
from tests.benchmarks.row import Row

TURNS, WARM_UP = 15, 3


class TorchLanguageModel(nn.Module):
    """The same language model from `torch.nn.TransformerEncoderLayer` with a causal mask."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        config = task.config
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        self.positions = nn.Embedding(config.max_length, config.d_model)
        layer = nn.TransformerEncoderLayer(
            config.d_model, config.n_heads, config.d_ff, 0.0, config.activation, batch_first=True, norm_first=True
        )
        norm = nn.LayerNorm(config.d_model)
        self.layers = nn.TransformerEncoder(layer, config.n_decoder_layers, norm, enable_nested_tensor=False)

    def forward(self, ids: Tensor) -> Tensor:
        length = ids.shape[-1]
        mask = nn.Transformer.generate_square_subsequent_mask(length)
        x = self.tokens(ids) + self.positions.weight[:length]
        return self.layers(x, mask=mask, is_causal=True) @ self.tokens.weight.T


def stepper(network: nn.Module, ids: Tensor) -> Callable[[], float]:
    """A function that takes one training step and gives its seconds."""
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-4, fused=True)

    def step() -> float:
        started = time.perf_counter()
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(ids[:, :-1])
        F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten()).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        return time.perf_counter() - started

    return step


def main() -> list[Row]:
    task = make_task("tiny-lm")
    batch = task.batch(0, 0)
    ids = torch.cat((batch.inputs, batch.labels[:, -1:]), dim=1)
    torch.manual_seed(0)
    ours = stepper(Transformer(task.config), ids)
    theirs = stepper(TorchLanguageModel(task), ids)
    turns = [(ours(), theirs()) for _ in range(WARM_UP + TURNS)][WARM_UP:]
    tokens = batch.labels.numel()
    own, other = (statistics.median(times) / tokens * 1e6 for times in zip(*turns, strict=True))
    return [Row("one trained token (tiny-lm)", own, other, "torch.nn.TransformerEncoder", "us")]
