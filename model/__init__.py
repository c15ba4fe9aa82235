"""Glassformer's library: run a transformer and look at every tensor inside it.

from model import available, load, ablate
trace = load("smollm2-135m").trace("I am a robot", keep="*.weights")
trace["decoder.3.self_attn.weights"]  # (heads, queries, keys)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_FROM = {
    "model.errors": ("GlassformerError",),
    "model.run": ("Model", "load", "load_tokenizer"),
    "model.tape": ("Edit", "Trace", "ablate", "replace"),
    "model.zoo.cards": ("Card", "available"),
}


def __getattr__(name: str) -> Any:
    """The names of `__all__`, each imported when it is first asked for: torch comes with most, and takes a second,
    which an app that only needs the errors would wait for before it serves its first page."""
    for module, names in _FROM.items():
        if name in names:
            found = globals()[name] = getattr(import_module(module), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
