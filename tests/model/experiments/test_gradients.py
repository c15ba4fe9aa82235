from dataclasses import replace

import pytest
import torch

from model.config import TransformerConfig
from model.experiments.gradients import fresh, gradient_by_depth, lone_encoder, narrow

SHAPE = TransformerConfig(vocab_size=20, d_model=12, n_heads=3, d_ff=16, max_length=32, n_decoder_layers=2)
IDS = torch.tensor([3, 1, 4, 1, 5])


def test_the_gradient_is_that_of_a_small_step() -> None:
    """Moving the first layer's input by a small step along the gradient raises the loss by step * |gradient|."""
    from model.experiments.head_ablation import next_token_loss
    from model.tape import Edit, Tape

    network = fresh(SHAPE, depth=2, residual=True, norm=True).double()

    def loss_moved_by(step: torch.Tensor) -> torch.Tensor:
        tape = Tape(edits=(Edit("decoder.0.resid_in", lambda x: x + step),))
        return next_token_loss(network, network.decode(IDS, tape=tape), IDS)

    start = torch.zeros(5, 12, dtype=torch.float64, requires_grad=True)
    gradient = torch.autograd.grad(loss_moved_by(start), start)[0]
    along = 1e-5 * gradient / gradient.norm()
    slope = (loss_moved_by(along) - loss_moved_by(-along)) / 2e-5
    found = gradient_by_depth(network, IDS)
    assert found.shape == (2,)
    torch.testing.assert_close(found[0].double(), slope, rtol=1e-6, atol=0)


def test_without_skips_the_gradient_of_a_deep_network_vanishes() -> None:
    def reaching_the_first_layer(residual: bool) -> float:
        norms = gradient_by_depth(fresh(SHAPE, 12, residual, norm=True), IDS)
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
        norms = gradient_by_depth(network, IDS, IDS if encoder and decoder else None)
    assert norms.shape == (4,)
    assert (norms > 0).all()


def test_a_narrow_model_is_of_the_same_kind() -> None:
    config = narrow(replace(SHAPE, position_mix="concat", d_position=4, n_kv_heads=1), 64)
    assert (config.kind, config.d_model, config.head_width, config.d_ff) == (SHAPE.kind, 64, 16, 256)
    assert (config.kv_heads, config.d_position) == (4, 16)


@pytest.mark.parametrize(
    "answer", [{"text_labels": ("a", "b")}, {"masked_words": True, "transform": "gelu", "output_bias": True}]
)
def test_a_lone_encoder_is_of_any_model_and_has_no_answer(answer: dict[str, object]) -> None:
    of_encoder = replace(SHAPE, n_encoder_layers=2, n_decoder_layers=0, **answer)  # type: ignore[arg-type]
    for config in (SHAPE, of_encoder):
        found = lone_encoder(config)
        assert (found.kind, found.has_answer, found.d_ff) == ("encoder", False, SHAPE.d_ff)
        assert fresh(found, 3, residual=True, norm=True).encode(IDS).shape == (5, 12)
