"""The drift of the residual stream, by hand and on the bundled model."""

from __future__ import annotations

import pytest
import torch

from model.analysis.logit_lens import lens_names
from model.analysis.stream_drift import stream_drift, stream_rows
from model.config import TransformerConfig
from model.tape import Trace
from tests.conftest import loaded

CONFIG = TransformerConfig(vocab_size=20, d_model=8, n_heads=2, d_ff=16, max_length=16, n_decoder_layers=3)
ROWS = [[3.0, 0.0, 1.0], [0.0, 3.0, 1.0], [0.0, 6.0, 2.0], [0.0, -6.0, -2.0]]  # after 0 to 3 layers


def test_a_turn_a_stretch_and_a_reversal_by_hand() -> None:
    trace = Trace((), {name: torch.tensor([row]) for name, row in zip(lens_names(CONFIG), ROWS, strict=True)})
    drift = stream_drift(CONFIG, trace, 0)
    assert drift.lengths.tolist() == pytest.approx([10**0.5, 10**0.5, 40**0.5, 40**0.5])
    assert drift.cosines.tolist() == pytest.approx([0.1, 1.0, -1.0])
    assert drift.places.shape == (4, 2)
    assert 0.99 < float(drift.shares.sum()) <= 1.0


def test_the_way_keeps_the_distances_that_its_two_components_hold() -> None:
    model = loaded("tiny-lm")
    trace = model.trace("the dog sees the cat", keep=lens_names(model.config))
    rows = stream_rows(model.config, trace, 3)
    drift = stream_drift(model.config, trace, 3)
    assert rows.shape == (model.config.n_decoder_layers + 1, model.config.d_model)
    torch.testing.assert_close(drift.lengths, rows.norm(dim=-1))
    centred = rows - rows.mean(0)
    held = drift.places.square().sum() / centred.square().sum()
    assert float(held) == pytest.approx(float(drift.shares.sum()), abs=1e-4)
    assert (torch.cdist(drift.places, drift.places) <= torch.cdist(rows, rows) + 1e-3).all()


def test_a_stream_that_stays_takes_no_way() -> None:
    trace = Trace((), {name: torch.ones(1, 3) for name in lens_names(CONFIG)})
    drift = stream_drift(CONFIG, trace, 0)
    assert drift.cosines.tolist() == pytest.approx([1.0] * 3)
    assert not drift.places.any()
    assert not drift.shares.any()
