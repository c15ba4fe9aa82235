"""Recurrent cells carry a state from token to token. Palaskos (2022), sections 2.1-2.2.

Each cell has two linear layers: one of the input, one of the state before. Their sum is cut into gates. The input's
part is computed for all tokens at once. Only the state's part has to wait for the state before.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from model import work_bound

State = tuple[Tensor, ...]  # (h,), or (h, c) of an LSTM: (..., width) each


class Cell(nn.Module):
    """The common part of the cells. The output of the two linear layers has `gates` blocks of `width` features."""

    gates: ClassVar[int]
    memories: ClassVar[int] = 1  # tensors in its state

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.width = width
        self.from_input = nn.Linear(inputs, self.gates * width)
        self.from_state = nn.Linear(width, self.gates * width)

    def start(self, like: Tensor) -> State:
        """The state before the first token, all zero, for inputs (..., tokens, inputs)."""
        zero = torch.zeros(*like.shape[:-2], self.width, dtype=self.from_state.weight.dtype, device=like.device)
        return (zero,) * self.memories

    def step(self, x: Tensor, state: State) -> State:
        """The next state. `x` is the input's part, `from_input` of a token: (..., gates * width)."""
        raise NotImplementedError

    def forward(self, x: Tensor, state: State | None = None, is_real: Tensor | None = None) -> tuple[Tensor, State]:
        """All h, (..., tokens, width), and the last state, for inputs (..., tokens, inputs).

        `is_real` (..., tokens) is False for padding. Padding does not change the state.
        """
        state = self.start(x) if state is None else state
        parts, hidden = self.from_input(x), []
        for t in range(x.shape[-2]):
            work_bound.check()
            after = self.step(parts[..., t, :], state)
            if is_real is not None:
                real = is_real[..., t, None]
                after = tuple(torch.where(real, new, old) for new, old in zip(after, state, strict=True))
            state = after
            hidden.append(state[0])
        return torch.stack(hidden, dim=-2), state


class RNNCell(Cell):
    """h(t) = tanh(W x(t) + U h(t-1)). Elman (1990)."""

    gates = 1

    def step(self, x: Tensor, state: State) -> State:
        """x (..., width), the input's part -> (h,), (..., width)."""
        return (torch.tanh(x + self.from_state(state[0])),)


class LSTMCell(Cell):
    """A cell with a second memory c. Steps add to c, so the gradient finds a way back along it.

    c(t) = f c(t-1) + i g and h(t) = o tanh(c(t)). Hochreiter and Schmidhuber (1997).
    """

    gates = 4
    memories = 2

    def step(self, x: Tensor, state: State) -> State:
        """x (..., 4 width), the input's part -> (h, c), (..., width) each."""
        h, c = state
        i, f, g, o = (x + self.from_state(h)).chunk(4, dim=-1)  # input, forget, candidate, output
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c


class GRUCell(Cell):
    """h(t) = z h(t-1) + (1 - z) n: the update gate z keeps, the reset gate r forgets. Cho et al. (2014).

    z is the share of the old state, as in torch.nn. In Bahdanau et al. (2015), z is the share of the new one.
    """

    gates = 3

    def step(self, x: Tensor, state: State) -> State:
        """x (..., 3 width), the input's part -> (h,), (..., width)."""
        (h,) = state
        reset_x, update_x, new_x = x.chunk(3, dim=-1)
        reset_h, update_h, new_h = self.from_state(h).chunk(3, dim=-1)
        r = torch.sigmoid(reset_x + reset_h)
        z = torch.sigmoid(update_x + update_h)
        n = torch.tanh(new_x + r * new_h)
        return ((1 - z) * n + z * h,)


CELLS: dict[str, type[Cell]] = {"rnn": RNNCell, "lstm": LSTMCell, "gru": GRUCell}


class Bidirectional(nn.Module):
    """One cell reads from left to right, another from right to left: h(t) = [forward(t), backward(t)]."""

    def __init__(self, cell: str, inputs: int, width: int) -> None:
        super().__init__()
        self.ahead = CELLS[cell](inputs, width)
        self.back = CELLS[cell](inputs, width)

    def forward(self, x: Tensor, is_real: Tensor | None = None) -> Tensor:
        """(..., tokens, inputs) -> (..., tokens, 2 width)"""
        ahead, _ = self.ahead(x, is_real=is_real)
        back, _ = self.back(x.flip(-2), is_real=None if is_real is None else is_real.flip(-1))
        return torch.cat((ahead, back.flip(-2)), dim=-1)
