"""The shape of a model that is made wider, or that gets other heads or layers."""

from __future__ import annotations

import pytest

from model.config import TransformerConfig
from model.cost.formulas import count_multiplications, model_costs
from model.cost.shape import layers_of, reshape
from model.errors import ConfigError
from tests.model.networks import VARIANTS, variant

WIDE = TransformerConfig(
    vocab_size=50, d_model=16, n_heads=4, n_kv_heads=2, d_head=12, d_ff=40, max_length=64, n_decoder_layers=2,
    positions="rotary", rotary_width=6, window=3, window_layers=(1,),
)  # fmt: skip


def own(config: TransformerConfig) -> tuple[int, int, int]:
    return config.d_model, config.n_heads, layers_of(config)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_model_in_its_own_shape_is_itself(name: str) -> None:
    config = variant(name).config
    assert reshape(config, *own(config)) == config


@pytest.mark.parametrize("name", VARIANTS)
def test_every_kind_of_network_can_be_wider_with_more_heads_and_deeper(name: str) -> None:
    config = variant(name).config
    width, heads, layers = own(config)
    for shape in ((2 * width, heads, layers), (width, 2 * heads, layers), (width, heads, 2 * layers)):
        other = reshape(config, *shape)
        assert own(other) == shape
        source = 5 if other.kind == "encoder-decoder" else 0
        total = sum(cost.multiplications for cost in model_costs(other, 6, source))
        assert total == count_multiplications(other, 6, source)


def test_heads_of_their_own_width_keep_it() -> None:
    assert reshape(WIDE, 32, 4, 2).head_width == 12
    assert reshape(WIDE, 16, 8, 2).head_width == 12


def test_heads_that_share_out_the_width_do_so_again_where_it_divides() -> None:
    shared = variant("plain decoder").config
    width, heads, layers = own(shared)
    assert reshape(shared, 2 * width, heads, layers).head_width == 2 * width // heads
    assert reshape(shared, width, heads + 1, layers).head_width == shared.head_width, "it does not divide"


def test_stacks_of_unlike_depth_stay_so_until_the_depth_is_chosen() -> None:
    marian = TransformerConfig(
        vocab_size=50, d_model=16, n_heads=4, d_ff=40, max_length=64, n_encoder_layers=2, n_decoder_layers=3
    )
    assert reshape(marian, 32, 4, 3).n_encoder_layers == 2
    deeper = reshape(marian, 16, 4, 5)
    assert (deeper.n_encoder_layers, deeper.n_decoder_layers) == (5, 5)


def test_a_shape_that_no_network_has_is_an_error() -> None:
    with pytest.raises(ConfigError, match="must be even"):
        reshape(TransformerConfig(50, 16, 4, 40, 64, n_decoder_layers=1), 17, 4, 1)
