from dataclasses import replace

import pytest
import torch

from model.config import TransformerConfig
from model.edits.edit import Change
from model.experiments import gradients
from model.experiments.gradients import (
    derivative_of_sum,
    fresh,
    gradient_by_depth,
    lone_encoder,
    narrow,
    track_gradient,
)
from model.experiments.head_ablation import next_token_loss
from model.experiments.layerwise_gradient import record_streams
from model.experiments.surgery import without
from model.network.transformer import Transformer
from model.tape import Tape
from tests.model.networks import VARIANTS, inputs, variant

SHAPE = TransformerConfig(vocab_size=20, d_model=12, n_heads=3, d_ff=16, max_length=32, n_decoder_layers=2)
IDS = torch.tensor([3, 1, 4, 1, 5])


def norms_of(network: Transformer, source: torch.Tensor | None = None) -> torch.Tensor:
    return gradient_by_depth(network, IDS, record_streams(network, IDS, source))


def test_the_gradient_is_that_of_a_small_step() -> None:
    """Moving the first layer's input by a small step along the gradient raises the loss by step * |gradient|."""
    network = fresh(SHAPE, depth=2, residual=True, norm=True).double()

    def loss_moved_by(step: torch.Tensor) -> torch.Tensor:
        tape = Tape(edits=(Change("decoder.0.resid_in", lambda x: x + step),))
        return next_token_loss(network, network.decode(IDS, tape=tape), IDS)

    start = torch.zeros(5, 12, dtype=torch.float64, requires_grad=True)
    gradient = torch.autograd.grad(loss_moved_by(start), start)[0]
    along = 1e-5 * gradient / gradient.norm()
    slope = (loss_moved_by(along) - loss_moved_by(-along)) / 2e-5
    found = norms_of(network)
    assert found.shape == (2,)
    torch.testing.assert_close(found[0].double(), slope, rtol=1e-6, atol=0)


def test_without_skips_the_gradient_of_a_deep_network_vanishes() -> None:
    def reaching_the_first_layer(residual: bool) -> float:
        norms = norms_of(fresh(SHAPE, 12, residual, norm=True))
        return float(norms[0] / norms[-1])

    assert reaching_the_first_layer(residual=True) > 0.1
    assert reaching_the_first_layer(residual=False) < 0.01


@pytest.mark.parametrize(("encoder", "decoder"), [(2, 0), (2, 3)])
def test_every_kind_of_model(encoder: int, decoder: int) -> None:
    config = TransformerConfig(
        vocab_size=20,
        d_model=12,
        n_heads=3,
        d_ff=16,
        max_length=32,
        n_encoder_layers=encoder,
        n_decoder_layers=decoder,
    )
    with torch.inference_mode():  # as on a page
        network = fresh(config, 4, residual=True, norm=True)
        norms = norms_of(network, IDS if encoder and decoder else None)
    assert norms.shape == (4,)
    assert (norms > 0).all()


def test_a_narrow_model_is_of_the_same_kind() -> None:
    config = narrow(replace(SHAPE, position_mix="concat", d_position=4, n_kv_heads=1), 64)
    assert (config.kind, config.d_model, config.head_width, config.d_ff) == (SHAPE.kind, 64, 16, 256)
    assert (config.kv_heads, config.d_position) == (4, 16)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_kind_of_model_has_a_narrow_one_of_any_depth(name: str) -> None:
    config = narrow(variant(name).config, 64)
    assert fresh(config, 1, residual=True, norm=True).config.n_layers(config.stacks[-1]) == 1
    assert fresh(lone_encoder(config), 5, residual=False, norm=True).encode(IDS).shape == (5, 64)


@pytest.mark.parametrize(
    "answer", [{"text_labels": ("a", "b")}, {"masked_words": True, "transform": "gelu", "output_bias": True}]
)
def test_a_lone_encoder_is_of_any_model_and_has_no_answer(answer: dict[str, object]) -> None:
    of_encoder = replace(SHAPE, n_encoder_layers=2, n_decoder_layers=0, **answer)  # type: ignore[arg-type]
    for config in (SHAPE, of_encoder):
        found = lone_encoder(config)
        assert (found.kind, found.has_answer, found.d_ff) == ("encoder", False, SHAPE.d_ff)
        assert fresh(found, 3, residual=True, norm=True).encode(IDS).shape == (5, 12)


@pytest.mark.parametrize("at_once", [2, 3, 128])
@pytest.mark.parametrize("name", ["GPT-2", "T5", "plain decoder"])
def test_the_loss_of_some_tokens_at_a_time_has_the_gradient_of_all(
    name: str, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven tokens have six next ones. The reference is autograd over the whole run."""
    network = variant(name).double()
    ids, source = inputs(network)
    tape = Tape("decoder.*.resid_in", (Change("decoder.0.resid_in", track_gradient),))
    hidden = network.decode(ids, None if source is None else network.encode(source), tape)
    whole = torch.autograd.grad(next_token_loss(network, hidden, ids), list(tape.records.values()))
    monkeypatch.setattr(gradients, "AT_ONCE", at_once)
    found = gradient_by_depth(network, ids, record_streams(network, ids, source))
    torch.testing.assert_close(found, torch.stack([each.norm() for each in whole]).float())


def test_one_token_has_no_next_one_and_no_gradient() -> None:
    network = fresh(SHAPE, 2, residual=True, norm=True)
    assert gradient_by_depth(network, IDS[:1], record_streams(network, IDS[:1], None)).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("Llama", "decoder.1"),
        ("GPT-NeoX", "decoder.0"),
        ("paper", "decoder.2"),
        ("paper", "encoder.1"),
        ("BERT", "encoder.0"),
    ],
)
@pytest.mark.parametrize("edited", [False, True])
def test_a_layer_alone_has_the_derivative_that_it_has_in_the_run(name: str, place: str, edited: bool) -> None:
    """The reference: a run whose tensor of the layer is moved by a small step."""
    network, resid_in, out = variant(name).double(), f"{place}.resid_in", f"{place}.self_attn.out"
    if edited:
        changes = Change(resid_in, lambda x: 2 * x), Change(out, lambda x: 3 * x)
        network = without(network, (), changes)

    def run(step: float) -> dict[str, torch.Tensor]:
        move = torch.zeros(1, 16, dtype=torch.float64)
        move[0, 3] = step
        shift = Change(resid_in, lambda x: torch.cat((x[:2], x[2:3] + move, x[3:])))
        tape = Tape((resid_in, out), (shift,))
        network(*inputs(network), tape)
        return tape.records

    inner, outer = derivative_of_sum(network, place, run(0)[resid_in], 2, 3)
    slope = float(run(1e-5)[out][2, 3] - run(-1e-5)[out][2, 3]) / 2e-5
    assert inner == pytest.approx(slope, rel=1e-5, abs=1e-8)
    assert outer == pytest.approx(inner + 1, abs=1e-12)
