"""Measures a language model's skills by its next token at places where the text decides it."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from corpora.lines import Probe
from model.tape import SILENT, Tape
from model.tokens.padding import pad_rows

PROBES_AT_ONCE = 256


@torch.no_grad()
def answers(
    network: nn.Module, tokenizer: Tokenizer, probes: Sequence[Probe], pad_id: int, tape: Tape = SILENT
) -> Tensor:
    """Whether the model answers each probe rightly: (probes,) of bool.

    If a probe has one right answer, each of its tokens must be the likeliest of the whole vocabulary, given those
    before it. If it has several (any plural verb, any word of the river), the likeliest token must be one of them.
    """
    right = [
        chunk
        for start in range(0, len(probes), PROBES_AT_ONCE)
        for chunk in _ask(network, tokenizer, probes[start : start + PROBES_AT_ONCE], pad_id, tape)
    ]
    return torch.tensor(right, dtype=torch.bool)


def _ask(network: nn.Module, tokenizer: Tokenizer, probes: Sequence[Probe], pad_id: int, tape: Tape) -> list[bool]:
    prefixes = [encoding.ids for encoding in tokenizer.encode_batch_fast([probe.prefix for probe in probes])]
    answer_ids = [[tokenizer.encode(text).ids for text in sorted(probe.right)] for probe in probes]
    rows = [prefix + options[0][:-1] for prefix, options in zip(prefixes, answer_ids, strict=True)]
    predictions = network(pad_rows(rows, pad_id), tape=tape).argmax(-1).tolist()  # (probes, tokens)
    results = []
    for prefix, options, row in zip(prefixes, answer_ids, predictions, strict=True):
        if len(options) == 1:
            results.append(row[len(prefix) - 1 :][: len(options[0])] == options[0])
        else:
            results.append([row[len(prefix) - 1]] in options)
    return results


def accuracy(
    network: nn.Module, tokenizer: Tokenizer, probes: Sequence[Probe], pad_id: int, tape: Tape = SILENT
) -> float:
    """The share of probes that `answers` counts as right."""
    return int(answers(network, tokenizer, probes, pad_id, tape).sum()) / len(probes)
