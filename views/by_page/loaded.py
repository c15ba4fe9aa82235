"""The models that a view opens by itself, beside that of its run. The last ones stay open: a choice costs no load."""

from __future__ import annotations

from functools import lru_cache

from model import Model, load
from model.vision.model import VisionModel, load_vision


@lru_cache(maxsize=4)
def loaded(name: str) -> Model:
    """A model by its name. Raises `GlassformerError`."""
    return load(name)


@lru_cache(maxsize=2)
def loaded_vision(name: str) -> VisionModel:
    """A vision model by its name. Raises `GlassformerError`."""
    return load_vision(name)
