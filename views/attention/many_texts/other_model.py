"""The model whose heads are set beside those of the page's model, on the same texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from model import Model, available, load
from model.errors import GlassformerError

WHOLE, STEP = "whole", "step "


def possible_others(model: Model) -> Mapping[str, str]:
    """The titles of the models that can be set beside a model, by their names in links: the whole one beside one with
    edits, the moments of its training, and all others that are here and read text, those of its kind first, and
    small ones before large ones. The first of all is the one that is proposed."""
    found = {WHOLE: "the whole model"} if getattr(model.network, "edits", ()) else {}
    moments = model.card.details.get("snapshots", [])[:-1]  # the last one is the model itself
    found |= {f"{STEP}{moment['step']}": f"the same at step {moment['step']:,} of its training" for moment in moments}
    others = [card for card in available() if card.ready and not card.fault and card.name != model.card.name]
    others.sort(key=lambda card: (card.kind != model.card.kind, card.parameters))
    return found | {card.name: card.title for card in others}


def open_other(model: Model, name: str, get: Callable[[str], Model] = load) -> Model:
    """The model of a name of `possible_others`. `get` gives a model by its own name.

    A moment of a training has a name and a title of its own. Raises `GlassformerError` for a name that there is not.
    """
    if name not in possible_others(model):
        raise GlassformerError(f"“{name}” cannot be set beside {model.card.title}.")
    if name == WHOLE:
        return get(model.card.name)
    if name.startswith(STEP):
        return _at_step(model.card.name, int(name.removeprefix(STEP)))
    return get(name)


@lru_cache(maxsize=4)
def _at_step(name: str, step: int) -> Model:
    """A bundled model as it was at a step of its training."""
    last = load(name)
    moments = [moment["step"] for moment in last.card.details["snapshots"]]
    then = load(name, snapshot=moments.index(step))
    card = replace(then.card, name=f"{name} at step {step}", title=f"{then.card.title}, step {step:,}")
    return replace(then, card=card)
