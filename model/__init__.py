"""Glassformer's library: run a transformer and look at every tensor inside it.

from model import available, load, ablate
trace = load("smollm2-135m").trace("I am a robot", keep="*.weights")
trace["decoder.3.self_attn.weights"]  # (heads, queries, keys)
"""

from model.errors import GlassformerError
from model.run import Model, load, load_tokenizer
from model.tape import Edit, Trace, ablate, replace
from model.zoo.cards import Card, available

__all__ = [
    "Card",
    "Edit",
    "GlassformerError",
    "Model",
    "Trace",
    "ablate",
    "available",
    "load",
    "load_tokenizer",
    "replace",
]
