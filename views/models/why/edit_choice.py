"""Steer: the edit that a name and two sentences stand for. It may be there already, with a strength."""

from __future__ import annotations

import re
from collections.abc import Iterable

from model.config import TransformerConfig
from model.edits.activations import ALL, FIRST, Add, Where
from model.edits.parts import Scale
from model.edits.text import WrittenEdit
from model.errors import EditError

KIND = "resid_in"  # of a difference of two sentences
PLUS, MINUS = "I love the dog", "I hate the dog"  # where no sentence is given
PLACE = re.compile(r"(encoder|decoder)\.([0-9]{1,5})\.resid_in@(all|first|[0-9]{1,5})")


def read_edit(
    config: TransformerConfig, name: str, plus: str, minus: str, made: Iterable[WrittenEdit] = ()
) -> Scale | Add:
    """The difference of two sentences of a name such as "decoder.20.resid_in@all"; or the part "decoder.23.ffn"; or
    else the last layer's feed-forward. `made`: the edits of the run, of which one may be this difference."""
    return _read_difference(config, name, plus, minus, made) or _read_part(config, name)


def _read_difference(
    config: TransformerConfig, name: str, plus: str, minus: str, made: Iterable[WrittenEdit]
) -> Add | None:
    found = PLACE.fullmatch(name)
    if found is None:
        return None
    stack, layer, at = found.groups()
    where: Where = int(at) if at.isdigit() else ALL if at == ALL else FIRST
    texts = plus.strip() or PLUS, minus.strip() or MINUS
    asked = Add(f"{stack}.{layer}.{KIND}", where, *texts, factor=0.0, target="")
    if stack != config.stacks[0] or not asked.exists_in(config):
        return None
    return next((each for each in made if isinstance(each, Add) and each.place == asked.place), asked)


def _read_part(config: TransformerConfig, name: str) -> Scale:
    try:
        part = Scale.parse(name)
    except EditError:
        part = None
    if part is not None and part.exists_in(config):
        return part
    stack = config.stacks[-1]
    return Scale(f"{stack}.{config.n_layers(stack) - 1}.ffn")
