"""A network from a configuration and weights. It makes no random weights first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import torch
from torch import Tensor, nn

from model.config import TransformerConfig
from model.network.transformer import Transformer
from model.recurrent.config import RecurrentConfig
from model.zoo.files import check_complete

Network = TypeVar("Network", bound=nn.Module)
Config = TypeVar("Config", TransformerConfig, RecurrentConfig)


def build(
    config: Config,
    weights: Mapping[str, Tensor],
    make: Callable[[Config], Network] = Transformer,  # type: ignore[assignment]
) -> Network:
    """The network with exactly these weights, in evaluation mode.

    Tied tables are given once, under their first name. Raises `DamagedWeights`, which names the tensors that do not
    fit.
    """
    with torch.device("meta"):
        network = make(config)
    expected = {name: tuple(parameter.shape) for name, parameter in network.named_parameters()}
    check_complete({name: tuple(tensor.shape) for name, tensor in weights.items()}, expected)
    network.load_state_dict(dict(weights), strict=False, assign=True)
    if isinstance(network, Transformer):
        _tie(network)
    return network.eval().requires_grad_(False)


def _tie(network: Transformer) -> None:
    """Gives both stacks the same embedding table if they share a vocabulary."""
    if network.encoder is not None and network.decoder is not None and network.config.target_vocab_size is None:
        network.decoder.embed.tokens = network.encoder.embed.tokens
