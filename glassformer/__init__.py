"""Glassformer: see every number in a transformer, from your own sentence.

    from glassformer import load, views

    run = load("smollm2-135m").trace("The animal was tired because it walked")
    views.heads.Lines(run, layer=9, head=2)  # as the last line of a cell: the picture, alive

The names of `model` are here, and `views`: the pictures of each page of the app.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if not (Path(__file__).parent / "model").is_dir():  # a checkout: the rooms stand beside this folder, not in it
    from glassformer.checkout import find_rooms

    find_rooms()

if TYPE_CHECKING:
    import views
    from model import (
        Card,
        Change,
        Conversation,
        Edit,
        GlassformerError,
        KeptCache,
        Model,
        Trace,
        Turn,
        ablate,
        account_of_score,
        add,
        adopt,
        attribute,
        available,
        explain,
        load,
        load_tokenizer,
        own_texts,
        read_file,
        read_pasted,
        replace,
        survey,
        uses,
    )

__version__ = "0.1.0"
__all__ = [
    "Card",
    "Change",
    "Conversation",
    "Edit",
    "GlassformerError",
    "KeptCache",
    "Model",
    "Trace",
    "Turn",
    "ablate",
    "account_of_score",
    "add",
    "adopt",
    "attribute",
    "available",
    "explain",
    "load",
    "load_tokenizer",
    "own_texts",
    "read_file",
    "read_pasted",
    "replace",
    "survey",
    "uses",
    "views",
]


def __getattr__(name: str) -> Any:
    """Imports a name of `__all__` when it is used: most of them load torch, which takes a second."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("glassformer.views") if name == "views" else getattr(import_module("glassformer.model"), name)
