"""Attention before transformers: Bahdanau, Cho and Bengio (2015), arXiv:1409.0473; Palaskos (2022), section 2.4."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from model.tape import SILENT, Tape


class Alignment(nn.Module):
    """Bahdanau's attention: a small network scores how much each source word matters for the next word.

    e(t, t') = v tanh(W s(t-1) + U h(t')), alpha(t, t') = softmax over t', c(t) = sum over t' of alpha(t, t') h(t').
    """

    def __init__(self, state_width: int, memory_width: int, width: int) -> None:
        super().__init__()
        self.query = nn.Linear(state_width, width)
        self.key = nn.Linear(memory_width, width, bias=False)
        self.score = nn.Linear(width, 1, bias=False)

    def forward(
        self, s: Tensor, memory: Tensor, keys: Tensor, is_real: Tensor | None = None, tape: Tape = SILENT
    ) -> Tensor:
        """The context c(t): (..., memory_width), for s(t-1) (..., state_width) and memory (..., sources, memory_width).

        `keys` = self.key(memory) is the same at every step. So the caller computes it once.
        """
        scores = (
            self.score(torch.tanh(self.query(s).unsqueeze(-2) + keys)).squeeze(-1).to(memory.dtype)
        )  # (..., sources)
        if is_real is not None:
            scores = scores.masked_fill(~is_real, -torch.inf)
        weights = tape("weights", tape("scores", scores).softmax(-1))
        return tape("context", (weights.unsqueeze(-2) @ memory).squeeze(-2))


class BahdanauCell(nn.Module):
    """A GRU whose gates also see the context: s(t) = (1 - z) s(t-1) + z s~(t). Bahdanau et al. (2015), appendix A.2.2.

    The input word's part of the sum is computed for all tokens at once, as in `model.recurrent.cells`.
    """

    def __init__(self, inputs: int, memory_width: int, width: int) -> None:
        super().__init__()
        self.from_word = nn.Linear(inputs, 3 * width)
        self.from_context = nn.Linear(memory_width, 3 * width, bias=False)
        self.gates_from_state = nn.Linear(width, 2 * width, bias=False)
        self.candidate_from_state = nn.Linear(width, width, bias=False)

    def step(self, word: Tensor, context: Tensor, s: Tensor, tape: Tape = SILENT) -> Tensor:
        """s(t) (..., width), from the word's part (..., 3 width), c(t) and s(t-1)."""
        inputs = word + self.from_context(context)
        reset_x, update_x, candidate_x = inputs.chunk(3, dim=-1)
        reset_s, update_s = self.gates_from_state(s).chunk(2, dim=-1)
        r = tape("reset", torch.sigmoid(reset_x + reset_s))
        z = tape("update", torch.sigmoid(update_x + update_s))
        candidate = tape("candidate", torch.tanh(candidate_x + self.candidate_from_state(r * s)))
        return (1 - z) * s + z * candidate
