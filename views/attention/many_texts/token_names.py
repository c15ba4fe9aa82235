"""Tokens of a reading as labels: a reading has their ids, and what their bytes are only the tokenizer knows."""

from __future__ import annotations

from collections.abc import Mapping

from model import Model
from model.surveys.reading import Place, Reading
from viz.shared.tokens import labels


def names_of(model: Model, reading: Reading, stack: str) -> Mapping[int, str]:
    """The label of each token that a stack has read, by its id."""
    ids = list(reading.tokens[stack].spelled)
    tokenizer = model.output_tokenizer if stack == model.config.stacks[-1] else model.tokenizer
    return dict(zip(ids, labels(tokenizer.tokens(ids)), strict=True))


def sides_of(model: Model, reading: Reading, attention: str, place: Place) -> tuple[str, str]:
    """The labels of the query and the key of a place."""
    stack, part = attention.split(".")
    of_keys = "encoder" if part == "cross_attn" else stack
    found = []
    for name, at in ((stack, place.query), (of_keys, place.key)):
        tokenizer = model.output_tokenizer if name == model.config.stacks[-1] else model.tokenizer
        found += labels([tokenizer.token(reading.tokens[name].ids_of(place.number)[at])])
    return found[0], found[1]
