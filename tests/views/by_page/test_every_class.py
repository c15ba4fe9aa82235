"""Every view that notebooks call by the name of its page. Its choices have the names, defaults and ranges of the app's
keys, and it is the view that the app makes of them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from traitlets import Enum

import views
from pages.catalogue import BY_URL
from pages.shared.session.keys import KEYS, belongs
from tests.conftest import loaded
from tests.pages.views import View as Link
from tests.views.opened import shown
from views.by_page.find import classes_of
from views.by_page.live_view import LiveView
from views.by_page.of_run import LiveViewOfRun
from views.notebook.numbers import check_numbers, numbers_of
from views.view import View

CLASSES = [each for page in sorted(views.__all__) for each in classes_of(page)]
PAIR = {"layer": 1, "head": 2, "query": 4, "key": 1}
# Choices beside the defaults, which another picture follows.
CHOICES: dict[str, list[dict[str, Any]]] = {
    "heads.Lines": [PAIR | {"shown": (0, 2), "least": 0.1, "hide": "sink", "layout": "across"}],
    "heads.Matrix": [PAIR | {"values": "Scores"}],
    "heads.AllHeads": [{"sort": "previous"}],
    "heads.Compare": [{"beside": "Another sentence", "text2": "the cat sees the dog"}, {"layer2": 0, "head2": 3}],
    "heads.Rollout": [{"hide": "sink"}],
    "heads.Sweep": [{"sweep": "the examples"}],
    "scores.Steps": [PAIR | {"step": "softmax"}, {"of": "k"}],
    "scores.Scale": [{"width": 100, "seed": 3}],
    "scores.Temperature": [{"temperature": 2.0}],
    "scores.Table": [{"table": ",".join(["0.25"] * 16)}],
    "masks.Panels": [PAIR | {"kind": "window", "width": 2, "where": "this layer"}, {"kind": "padding", "position": 1}],
    "masks.Cheat": [{"place": 1, "word": "dog"}],
    "masks.Row": [{"row": 2, "where": "this layer", "position": 3}],
    "combine.MutedHeads": [{"muted": (1, 3), "scope": "every layer"}],
    "block.Flow": [{"layer": 2, "step": "ffn.out"}],
    "block.Norm": [{"layer": 2, "query": 1, "norm": "ffn_norm", "factor": 3.0, "shift": 1.0}],
    "block.FeedForward": [{"neuron": 7}],
    "block.SkipConnections": [{"depth": 4}],
    "block.NormOrders": [{"depth": 4}],
}


def name_of(cls: type[LiveView]) -> str:
    return f"{cls.page}.{cls.__name__}"


def key_of(cls: type[LiveView], name: str) -> str:
    """The key of the app that a trait stands for."""
    own = cls.class_traits()[name].metadata.get("key", f"{cls.page}_{name}")
    return own if own in KEYS else name


@pytest.mark.parametrize("cls", CLASSES, ids=name_of)
def test_choices_are_those_of_the_app(cls: type[LiveView]) -> None:
    keys = BY_URL[cls.page].part_keys
    assert all(part in KEYS[key].choices for key, part in zip(keys, cls.parts, strict=False))
    for name, trait in cls.class_traits().items():
        key = KEYS[key_of(cls, name)]
        assert belongs(key_of(cls, name), cls.page)
        assert trait.default() == key.default
        assert trait.help
        low, high = getattr(trait, "min", None), getattr(trait, "max", None)
        if not isinstance(key.default, tuple):
            assert (low, high) == tuple(each if math.isfinite(each) else None for each in (key.low, key.high)), name
        assert (tuple(trait.values) if isinstance(trait, Enum) else ()) == key.choices, name


CASES = [(each, choices) for each in CLASSES for choices in ({}, *CHOICES.get(name_of(each), []))]


@pytest.mark.parametrize(("cls", "choices"), CASES, ids=str)
def test_a_class_makes_the_view_of_the_app(cls: type[LiveView], choices: dict[str, Any]) -> None:
    parts = dict(zip(BY_URL[cls.page].part_keys, cls.parts, strict=False))
    link = Link(cls.page, parts | {key_of(cls, name): value for name, value in choices.items()})
    made = live_view(cls, link, choices)
    assert_equal(made.view(), shown(link).view, with_numbers=not choices)


def live_view(cls: type[LiveView], link: Link, choices: dict[str, Any]) -> LiveView:
    if issubclass(cls, LiveViewOfRun):
        return cls(loaded(link.values["model"]).trace(link.values["text"]), **choices)
    return cls(**choices)


def assert_equal(made: View, of_app: View, with_numbers: bool) -> None:
    """Equal values; where a value holds tensors, equal numbers."""
    assert type(made) is type(of_app)
    if made.is_timed:
        return
    try:
        assert made == of_app
    except (RuntimeError, ValueError):  # of tensors and of arrays, which have several cells
        with_numbers = True
    if with_numbers:
        check_numbers(made, numbers_of(of_app))
