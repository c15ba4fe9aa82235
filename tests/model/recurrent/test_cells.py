"""The cells equal those of torch.nn, alone, in both directions and over padding."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from model.recurrent.cells import CELLS, Bidirectional, Cell, GRUCell, LSTMCell, RNNCell

THEIRS = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}
INPUTS, WIDTH = 5, 7


def copy_weights(cell: Cell, layer: nn.Module, suffix: str = "") -> None:
    for kind, part in (("ih", cell.from_input), ("hh", cell.from_state)):
        getattr(layer, f"weight_{kind}_l0{suffix}").data.copy_(part.weight.data)
        getattr(layer, f"bias_{kind}_l0{suffix}").data.copy_(part.bias.data)


def pair(name: str, seed: int = 0) -> tuple[Cell, nn.Module]:
    torch.manual_seed(seed)
    cell, layer = CELLS[name](INPUTS, WIDTH), THEIRS[name](INPUTS, WIDTH, batch_first=True)
    copy_weights(cell, layer)
    return cell.eval(), layer.eval()


@pytest.mark.parametrize("name", CELLS)
@settings(max_examples=15)
@given(seed=st.integers(0, 999), rows=st.integers(1, 3), tokens=st.integers(1, 9))
def test_every_state_is_that_of_torch(name: str, seed: int, rows: int, tokens: int) -> None:
    cell, layer = pair(name, seed)
    x = torch.randn(rows, tokens, INPUTS)
    with torch.no_grad():
        ours, last = cell(x)
        theirs, state = layer(x)
    torch.testing.assert_close(ours, theirs, atol=1e-6, rtol=1e-5)
    state = state if isinstance(state, tuple) else (state,)
    assert len(last) == len(state) == cell.memories
    for mine, other in zip(last, state, strict=True):
        torch.testing.assert_close(mine, other[0], atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("name", CELLS)
def test_the_gradients_are_those_of_torch(name: str) -> None:
    cell, layer = pair(name)
    x = torch.randn(2, 6, INPUTS)
    for network in (cell, layer):
        network(x)[0].square().sum().backward()
    torch.testing.assert_close(cell.from_input.weight.grad, layer.weight_ih_l0.grad, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(cell.from_state.weight.grad, layer.weight_hh_l0.grad, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", CELLS)
def test_one_sentence_needs_no_batch_axis_and_can_be_read_in_two_parts(name: str) -> None:
    cell, _ = pair(name)
    x = torch.randn(6, INPUTS)
    with torch.no_grad():
        whole, last = cell(x)
        begun, state = cell(x[:2])
        rest, end = cell(x[2:], state)
    torch.testing.assert_close(whole, torch.cat((begun, rest)))
    torch.testing.assert_close(last, end)


@pytest.mark.parametrize("name", CELLS)
def test_both_directions_over_padding_are_those_of_torch_packed(name: str) -> None:
    torch.manual_seed(1)
    ours = Bidirectional(name, INPUTS, WIDTH).eval()
    theirs = THEIRS[name](INPUTS, WIDTH, batch_first=True, bidirectional=True).eval()
    copy_weights(ours.ahead, theirs)
    copy_weights(ours.back, theirs, "_reverse")
    lengths = torch.tensor([6, 4, 1])
    x = torch.randn(3, 6, INPUTS)
    real = torch.arange(6) < lengths[:, None]
    with torch.no_grad():
        mine = ours(x, real)
        packed, _ = theirs(pack_padded_sequence(x, lengths, batch_first=True))
    other, _ = pad_packed_sequence(packed, batch_first=True)
    torch.testing.assert_close(mine[real], other[real], atol=1e-6, rtol=1e-5)
    # A state passes over padding unchanged: the last column of the forward half is the last word's.
    for row, length in enumerate(lengths.tolist()):
        assert torch.equal(mine[row, -1, :WIDTH], mine[row, length - 1, :WIDTH])


def set_all(cell: Cell, weight: float, recurrent: float) -> None:
    for part, value in ((cell.from_input, weight), (cell.from_state, recurrent)):
        nn.init.constant_(part.weight, value)
        nn.init.zeros_(part.bias)


def sigmoid(x: float) -> Tensor:
    return torch.sigmoid(torch.tensor(x))


@torch.no_grad()
def test_a_step_by_hand() -> None:
    x, h = torch.tensor([1.0]), torch.tensor([0.5])
    cells: tuple[Cell, ...] = (RNNCell(1, 1), LSTMCell(1, 1), GRUCell(1, 1))
    for cell in cells:
        set_all(cell, 1.0, 2.0)  # every sum is 1 + 2 * 0.5 = 2
    rnn, lstm, gru = cells
    (new,) = rnn.step(rnn.from_input(x), (h,))
    assert float(new) == pytest.approx(0.96403, abs=1e-5)  # tanh 2
    new, c = lstm.step(lstm.from_input(x), (h, torch.tensor([0.25])))
    assert float(c) == pytest.approx(float(sigmoid(2.0)) * (0.25 + 0.964028), abs=1e-5)
    assert float(new) == pytest.approx(float(sigmoid(2.0) * torch.tanh(c)), abs=1e-6)
    (new,) = gru.step(gru.from_input(x), (h,))
    z = float(sigmoid(2.0))
    n = float(torch.tanh(torch.tensor(1 + z * 1.0)))  # W x + r (U h)
    assert float(new) == pytest.approx((1 - z) * n + z * 0.5, abs=1e-6)
