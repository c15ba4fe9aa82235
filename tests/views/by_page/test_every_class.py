"""Every view that notebooks call by the name of its page. Its choices have the names, defaults and ranges of the app's
keys, and it is the view that the app makes of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from traitlets import Enum, Unicode

import views
from pages.attention.heads_parts import sweep_work
from pages.catalogue import BY_URL
from pages.learning.before_attention_parts import blank_work, memory_work
from pages.learning.training_parts import frames
from pages.shared.elements.public_view import key_of
from pages.shared.session.keys import KEYS, belongs
from tests.conftest import loaded
from tests.pages.views import View as Link
from tests.views.opened import shown
from views.attention.many_texts.effect import EffectOnTexts
from views.by_page import before_attention, bench, heads, training
from views.by_page.cost import LiveViewOfCost
from views.by_page.find import classes_of
from views.by_page.live_view import LiveView
from views.by_page.of_run import LiveViewOfRun
from views.learning.bench.broken_parts import BrokenParts
from views.notebook.numbers import check_numbers, numbers_of
from views.view import View

CLASSES = [
    each
    for page in sorted(views.__all__)
    for each in classes_of(page)
    if bool(each.part) == bool(BY_URL[page].part_key)
]
MENDED = -1_000_000  # the lowest value of a number that the page mends; a class says in words what it can be
SLOW = {  # a quarter of a second of work or more
    "before_attention.Order", "before_attention.Sentence", "before_attention.Shapes", "block.NormOrders",
    "block.SkipConnections", "classify.Kinds", "classify.Labels", "classify.Words", "classify.Sentences",
    "heads.Sweep", "positions.Rotary", "positions.Distance", "positions.Order", "positions.Requirements",
    "tokens.Ladder", "why.Tokens", "predict.Attention", "training.Replay", "cost.Time", "why.Cause",
}  # fmt: skip
MODEL = "the run's"  # not a choice, but the model of the run
PAIR = {"layer": 1, "head": 2, "query": 4, "key": 1}
# Choices beside the defaults, which another picture follows.
CHOICES: dict[str, list[dict[str, Any]]] = {
    "heads.Lines": [PAIR | {"shown": (0, 2), "least": 0.1, "hide": "sink", "layout": "across"}],
    "heads.Matrix": [PAIR | {"values": "Scores"}],
    "heads.AllHeads": [{"sort": "previous"}],
    "heads.Compare": [{"beside": "Another sentence", "text2": "the cat sees the dog"}, {"layer2": 0, "head2": 3}],
    "heads.Rollout": [{"hide": "sink"}],
    "heads.Sweep": [{"sweep": "the examples"}],
    "heads.AllHeadsOfTexts": [
        {"x": "layer", "y": "spread in bank", "text_kinds": "bank, facts", "drawn": "histograms"}
    ],
    "heads.PointsOfTexts": [{"layer": 1, "head": 2, "text_kinds": "bank", "side": "keys", "tint": "token"}],
    "heads.BesideOnTexts": [{"layer": 1, "text_kinds": "bank", "beside": "step 0", "compared": "first"}],
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
    "home.Map": [PAIR, {"place": "decoder.1/head 2"}],
    "predict.Attention": [{"temperature": 1.5, "seed": 3, "k": 40, "p": 0.9, "min_p": 0.01, "step": 1, "mean": True}],
    "predict.Lens": [{"path": (5, 7), "step": 2, "cell": (1, 1)}],
    "why.Account": [{"answer": 20, "against": 5, "query": 2, "opened": "decoder.1.self_attn.heads.2"}],
    "why.Cause": [{"without": "the mean"}, {"without": "another sentence", "text2": "the cat sees the dog"}],
    "why.Patching": [
        {"text2": "the cat sees the dog", "site": "decoder.self_attn.heads", "cell": (1, 2)},
        {"text2": "the cat sees the dog", "site": "decoder.self_attn.q.all"},
    ],
    "why.PatchingOfPairs": [
        {"pairs": "the dog\tthe bird\tsees\truns", "averaged": "queries", "mean_cell": (1, 2)},
        {"averaged": "account"},
    ],
    "why.Paths": [{"least": 0.1, "dropped": "decoder.1.self_attn.2@0>2", "route_opened": "decoder.0.ffn@1"}],
    "why.Head": [{"layer": 1, "head": 2}],
    "why.Steer": [{"steered": "decoder.1.resid_in@all", "plus": "the happy dog", "minus": "the sad cat"}],
    "positions.Heatmap": [{"source": "model", "rows": "length", "length": 20}, {"d": 16, "base": 100.0, "pairs": (1,)}],
    "positions.Table": [{"words": "the dog", "wordwidth": 6, "wordbase": 10.0}],
    "positions.Circles": [{"drawn": "plane", "clock": 2, "phi": 5.0}],
    "positions.Distance": [{"distance": "learned", "query": 3}, {"rows": "length", "length": 9, "places": (8, 1)}],
    "positions.Rotary": [{"layer": 0, "head": 1, "query": 4, "key": 2, "turned": 3, MODEL: "tiny-lm-rotary"}],
    "positions.Join": [{"of": "model"}],
    "positions.Order": [{"seed": 3, MODEL: "tiny-encoder"}],
    "positions.Requirements": [{"check": "counter", "d": 16, "trained": 8}],
    "classify.Kinds": [{MODEL: "minilm-l6"}],
    "classify.Labels": [{"token": 2, MODEL: "minilm-l6"}],
    "classify.Words": [{"model": "tiny-encoder", "word": "dog", "sentences": "the dog\na dog", "reference": 1}],
    "classify.Sentences": [{"texts": "the dog\nthe cat"}],
    "tokens.Tokeniser": [{"query": 2, "step": -1, "samples": "ok\nno"}],
    "tokens.Embedding": [{"query": 2}],
    "tokens.Ladder": [{"rung": "glove", "window": 2, "word1": "Cat"}, {"rung": "context", "word2": "fox"}],
    "cost.Parts": [{"tokens": 1000, "width": 128, "heads": 8, "layers": 3}],
    "before_attention.Sentence": [{"step": 2, "layer": 0}],
    "before_attention.Memory": [{"networks": "fresh", "relative": False}],
    "before_attention.Both": [{"blank": "I am ___ hungry"}],
    "training.Replay": [{"snapshot": 2, "layer": 0}],
    "training.Live": [{"task": "sort"}],
    "training.Forcing": [{"steps": 1000, "look": 3, "row": 1}],
    "see.Patches": [{"patch": 5, "example": "digit 7"}],
    "see.Attention": [{"layer": 0, "head": 1, "patch": 4}],
    "see.Map": [{"layer": 1}],
    "see.Place": [{"change": "blank", "seed": 3, "share": 0.5}, {"change": "shift", "right": 3, "down": -1}],
    "translate.Steps": [{"step": 2, "layer": 1, "head": 0, "order": "time"}, {"layer": -1}],
    "translate.Beam": [{"width": 2, "alpha": 0.5, "pruned": True}],
    "translate.Forcing": [{"truth": "میں ایک دریا ہوں"}],
}


def name_of(cls: type[LiveView]) -> str:
    return f"{cls.page}.{cls.__name__}"


def keys_of(cls: type[LiveView]) -> tuple[str, ...]:
    return BY_URL[cls.page].keys_of(cls.part[0] if cls.part else "")


@pytest.mark.parametrize("cls", CLASSES, ids=name_of)
def test_choices_are_those_of_the_app(cls: type[LiveView]) -> None:
    keys = keys_of(cls)
    assert all(part in KEYS[key].choices for key, part in zip(keys, cls.part, strict=False))
    for name, trait in cls.choices().items():
        key = KEYS[key_of(cls, name)]
        assert belongs(key_of(cls, name), cls.page)
        assert trait.default() == key.default
        assert trait.help
        low, high = getattr(trait, "min", None), getattr(trait, "max", None)
        if not isinstance(key.default, tuple) and not key.low <= MENDED:
            assert (low, high) == tuple(each if math.isfinite(each) else None for each in (key.low, key.high)), name
        if not isinstance(trait, Unicode):  # what a text may be depends on the run
            assert (tuple(trait.values) if isinstance(trait, Enum) else ()) == key.choices, name


def cases() -> Iterator[Any]:
    """Each class with telling choices, or with its defaults where it has none of them.

    With their defaults all are compared in tests/views/notebook/test_notebook_of_every_view.py.
    """
    for cls in CLASSES:
        name = name_of(cls)
        if name in ("bench.Broken", "heads.WritesOnTexts"):  # below: they measure what a button of the app measures
            continue
        for choices in CHOICES.get(name, [{}]):
            yield pytest.param(cls, choices, marks=[pytest.mark.slow] if name in SLOW else [])


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is trained and measured for seconds is none: it is no part of an equality, and other tests have it."""
    monkeypatch.setattr(blank_work, "train_once", lambda: None)
    monkeypatch.setattr(before_attention, "train_once", lambda: None)
    monkeypatch.setattr(memory_work, "gradients", lambda name: None)
    monkeypatch.setattr(before_attention, "measure_once", dict)
    monkeypatch.setattr(frames, "all_scores", lambda name, count: np.zeros((count, 4, 4)))
    monkeypatch.setattr(sweep_work, "OPENING_SECONDS", 60.0)  # else a busy machine measures a part
    monkeypatch.setattr(training, "score_once", lambda name, count: np.zeros((count, 4, 4)))


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(("cls", "choices"), list(cases()), ids=str)
def test_a_class_makes_the_view_of_the_app(cls: type[LiveView], choices: dict[str, Any]) -> None:
    parts = dict(zip(keys_of(cls), cls.part, strict=False))
    keys = {"model" if name == MODEL else key_of(cls, name): value for name, value in choices.items()}
    link = Link(cls.page, parts | keys)
    made = live_view(cls, link)
    assert_equal(made.view(), shown(link).view)


def live_view(cls: type[LiveView], link: Link) -> LiveView:
    """The view of a link's values."""
    values = link.values
    choices = {name: values[key_of(cls, name)] for name in cls.choices() if key_of(cls, name) in values}
    if issubclass(cls, LiveViewOfRun):
        return cls(loaded(values["model"]).trace(values["text"]), **choices)
    return cls(loaded(values["model"]), **choices) if issubclass(cls, LiveViewOfCost) else cls(**choices)


def assert_equal(made: View, of_app: View) -> None:
    """Equal values; where a value holds tensors, equal numbers."""
    assert type(made) is type(of_app)
    if not made.is_timed:
        try:
            assert made == of_app
        except (RuntimeError, ValueError):  # of tensors and of arrays, which have several cells
            check_numbers(made, numbers_of(of_app))


@pytest.mark.slow
def test_what_a_head_writes_is_that_of_the_app_with_its_measurement() -> None:
    link = Link("heads", {"heads_view": "Many texts", "heads_many": "What it writes", "heads_kinds": "bank"})
    made, of_app = live_view(heads.WritesOnTexts, link).view(), shown(link).view
    assert isinstance(made, EffectOnTexts)
    assert made.effect is not None
    assert made.effect.is_whole
    assert replace(made, effect=None) == of_app


def test_a_broken_model_is_that_of_the_app_with_its_measures() -> None:
    link = Link("bench", {"bench_parts": "norms", "bench_heads": "one", "bench_head": 2})
    made, of_app = live_view(bench.Broken, link).view(), shown(link).view
    assert isinstance(made, BrokenParts)
    assert isinstance(of_app, BrokenParts)
    assert made.removal == of_app.removal
    assert made.both is not None
    assert of_app.both is not None
    assert made.both.outputs == of_app.both.outputs
    assert made.measures is not None
    assert [(each.whole, each.without) for each in made.measures.comparisons]
