"""Half-width weights for one token at a time.

A step of generation multiplies every weight matrix by one vector. Most of its time goes into reading the weights from
memory. Half-width weights are read in half the time or less, but they are rounded, and so are the keys and values that
such a step leaves in the cache. `generate` uses them for greedy steps only. Where the rounding could have changed the
winner, and after every `MOST_STEPS` steps, the network itself reads all tokens since its last step again, in one go.
"""

from __future__ import annotations

import copy
from threading import Lock
from weakref import WeakKeyDictionary, WeakValueDictionary

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.config import TransformerConfig
from model.device import PLAIN, Placement
from model.network.kv_cache import KVCache
from model.network.linear import ON_INTEL
from model.network.transformer import Transformer
from model.recurrent.config import RecurrentConfig
from model.tape import Tape

# In logits. A winner that leads by more than this at half width also leads at full width. In SmolLM2, the lead over any
# of the ten likeliest tokens differed by at most 0.040 between the widths, with up to eight half-width steps in a row
# (32 tokens after "The moon" and six of the benchmark's prompts).
CERTAIN_LEAD = 0.1
MOST_STEPS = 8  # in a row. Their rounding adds up: with 32 in a row a lead differed by up to 0.047
MEASURED = (30, 576, 49_152)  # layers, width and vocabulary of SmolLM2 135M. Other models may round more.
SHORTLIST_TOKENS = 20
# On an Intel processor, a step took 32.6 ms with half-width weights, and 30.6 without. On an AMD one, 32 tokens took
# 0.78 to 0.93 of the processor's time after six prompts, what is read again included.
GAINS = not ON_INTEL


class HalfLinear(nn.Module):
    """W x + b for one vector x, with W in float16: (..., 1, inputs) -> (..., 1, outputs), both in float32."""

    weight: Tensor

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        super().__init__()
        self.register_buffer("weight", _halved(weight), persistent=False)
        self.bias = bias

    def forward(self, x: Tensor) -> Tensor:
        """x (..., 1, inputs) -> (..., 1, outputs), float32."""
        product = F.linear(x.half(), self.weight).float()
        return product if self.bias is None else product + self.bias


class HalfWidthSteps:
    """The steps of one generation, one new token each, as `network` would take them; `narrow` is `halve(network)`."""

    def __init__(self, network: Transformer, narrow: Transformer) -> None:
        self._network, self._narrow = network, narrow
        self._rounded: list[Tensor] = []  # the tokens whose keys and values in the cache are of half width

    @property
    def n_rounded(self) -> int:
        """How many tokens at the end of the cache have keys and values of half width."""
        return len(self._rounded)

    def next_logits(self, new: Tensor, memory: Tensor | None, tape: Tape, cache: KVCache) -> Tensor:
        """The logits after one new token (1,): (V,). Where they are of half width, their winner is certain."""
        if len(self._rounded) < MOST_STEPS:
            hidden = self._narrow.decode(new, memory, tape, cache=cache)[-1]
            self._rounded.append(new)
            logits = step_logits(self._network, self._narrow, hidden)
            if is_certain(logits):
                return logits
            new = new[:0]  # it is among the rounded ones now
        cache.forget(len(self._rounded))
        unread = torch.cat((*self._rounded, new))
        self._rounded.clear()
        return self._network.logits(self._network.decode(unread, memory, tape, cache=cache)[-1])


def half_width_steps(network: Transformer) -> HalfWidthSteps | None:
    """The half-width steps of one generation with this network; None where `halve` makes none."""
    narrow = halve(network)
    return None if narrow is None else HalfWidthSteps(network, narrow)


def step_logits(network: Transformer, narrow: Transformer, hidden: Tensor) -> Tensor:
    """Logits of a half-width hidden state (d_model,): (V,). Those of the likeliest tokens are computed at full width.

    In float16, a logit around 20 is a multiple of 1/64: too coarse to compare two close winners.
    """
    logits = narrow.logits(hidden)
    top = logits.topk(SHORTLIST_TOKENS).indices
    exact = network.output_table[top] @ (hidden * network.config.logit_factor)
    return logits.index_copy(0, top, exact if network.output_bias is None else exact + network.output_bias[top])


def is_certain(logits: Tensor) -> bool:
    """Whether the likeliest token of half-width logits (V,) is also the likeliest at full width."""
    first, second = logits.topk(2).values.tolist()
    return first - second > CERTAIN_LEAD  # false where float16 overflowed: inf - inf is not a number


def is_measured(config: TransformerConfig | RecurrentConfig) -> bool:
    """Whether `CERTAIN_LEAD` is known to hold for networks of this shape."""
    if not isinstance(config, TransformerConfig):
        return False
    return (config.n_decoder_layers, config.d_model, config.vocab_size) == MEASURED


def halve(network: Transformer) -> Transformer | None:
    """The same network with half-width matrices. It is made once and kept as long as `network`.

    None for a network of another shape than SmolLM2's, since nobody has measured how much it rounds. None too for one
    that is not in float32, on a GPU or on a processor of Intel, where no gain was measured. Norms, biases and embedding
    tables are shared with `network`, not copied.
    """
    if not GAINS or Placement.of(network) != PLAIN or not is_measured(network.config):
        return None
    with _halving_lock:
        if network not in _halved_networks:
            _halved_networks[network] = _halve_weights(network)
        return _halved_networks[network]


def _halved(weight: Tensor) -> Tensor:
    """The weights in float16. Networks that share weights, as a network and its edited ones do, share these, too."""
    place = (weight.data_ptr(), weight.shape, weight.stride())
    found = _halved_weights.get(place)
    if found is None:
        _halved_weights[place] = found = weight.half().contiguous()
    return found


_halved_networks: WeakKeyDictionary[Transformer, Transformer] = WeakKeyDictionary()
# By where the weights lie in memory. They stay there as long as a half-width network lives, since its network does.
_halved_weights: WeakValueDictionary[tuple[int, torch.Size, tuple[int, ...]], Tensor] = WeakValueDictionary()
_halving_lock = Lock()


@torch.no_grad()
def _halve_weights(network: Transformer) -> Transformer:
    shared = {id(weights): weights for weights in network.parameters()}
    narrow = copy.deepcopy(network, shared)
    for module in list(narrow.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                setattr(module, name, HalfLinear(child.weight, child.bias))
    if narrow.unembed is None and narrow.decoder is not None:
        narrow.unembed = HalfLinear(narrow.decoder.embed.tokens.weight)  # type: ignore[assignment]
    return narrow
