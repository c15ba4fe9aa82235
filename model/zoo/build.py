"""A network from a configuration and weights. It makes no random weights first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.network.transformer import Transformer
from model.recurrent.config import RecurrentConfig
from model.zoo.files import check_complete

Network = TypeVar("Network", bound=nn.Module)
Config = TypeVar("Config", TransformerConfig, RecurrentConfig)
# Each is the length of one axis of some tensor, so no tensor has fewer numbers.
SIZES: tuple[str, ...] = (
    "vocab_size",
    "target_vocab_size",
    "d_model",
    "n_heads",
    "d_head",
    "d_ff",
    "d_shared",
    "n_segments",
    "channels",
    "d_embed",
    "embedding_size",
    "d_position",
    "patch_size",
    "n_registers",
    "width",
)
ROWS = {"learned": "max_length", "relative": "relative_buckets"}  # by the kind of positions: the rows of their table


def build(
    config: Config,
    weights: Mapping[str, Tensor],
    make: Callable[[Config], Network] = Transformer,  # type: ignore[assignment]
) -> Network:
    """The network with exactly these weights, in evaluation mode.

    Tied tables are given once, under their first name. Raises `DamagedWeights`, which names the tensors that do not
    fit.
    """
    check_fits(config, weights, make)
    network = make_blank(config, make)
    network.load_state_dict(dict(weights), strict=False, assign=True)
    if isinstance(network, Transformer):
        _tie(network)
    return network.eval().requires_grad_(False)


def check_fits(
    config: Config,
    weights: Mapping[str, Tensor],
    make: Callable[[Config], Network] = Transformer,  # type: ignore[assignment]
    say: Callable[[str], str] = str,
) -> None:
    """Raises `DamagedWeights` unless these weights are exactly those that the network needs.

    The weights may be without numbers, on the device "meta". `say` names a weight for the reader of the message.
    """
    check_sizes(config, weights)
    expected = {name: tuple(parameter.shape) for name, parameter in blank(config, make).named_parameters()}
    check_complete({name: tuple(tensor.shape) for name, tensor in weights.items()}, expected, say)


@lru_cache(maxsize=8)
def blank(config: Any, make: Callable[[Any], nn.Module] = Transformer) -> nn.Module:
    """A network without its weights, to be looked at: the next caller gets the same one."""
    return make_blank(config, make)


def make_blank(config: Config, make: Callable[[Config], Network]) -> Network:
    """A network whose weights are shapes alone. Raises `DamagedWeights` for sizes that no network has."""
    try:
        with torch.device("meta"):
            return make(config)
    except (RuntimeError, OverflowError) as error:  # the product of two sizes is beyond PyTorch's numbers
        raise DamagedWeights(f"The configuration describes no network that can be built: {error}") from error


def check_sizes(config: TransformerConfig | RecurrentConfig, weights: Mapping[str, Tensor]) -> None:
    """Raises `DamagedWeights` if the configuration names more layers or features than the weights can have.

    Even without weights, a network of a million layers would take minutes to make.
    """
    layers = config.n_encoder_layers + config.n_decoder_layers if isinstance(config, TransformerConfig) else 0
    if layers > len(weights):
        raise DamagedWeights(f"The configuration names {layers:,} layers, but the file has {len(weights):,} tensors.")
    experts = config.n_experts if isinstance(config, TransformerConfig) else 0
    if experts > len(weights):
        raise DamagedWeights(f"The configuration names {experts:,} experts, but the file has {len(weights):,} tensors.")
    numbers = max((tensor.numel() for tensor in weights.values()), default=0)
    rows = ROWS.get(config.positions) if isinstance(config, TransformerConfig) else None
    for name, value in config.to_dict().items():
        if (name in SIZES or name == rows) and value is not None and value > numbers:
            raise DamagedWeights(
                f"The configuration says {name} = {value:,}, but no tensor has more than {numbers:,} numbers."
            )


def _tie(network: Transformer) -> None:
    """Gives both stacks the same embedding table if they share a vocabulary."""
    if network.encoder is not None and network.decoder is not None and network.config.target_vocab_size is None:
        network.decoder.embed.tokens = network.encoder.embed.tokens
