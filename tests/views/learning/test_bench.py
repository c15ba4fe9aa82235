"""A model without some parts, as a view: what both models write, their attention, and what was measured."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import pytest

from model import ablate
from model.analysis.scores import entropy
from model.experiments.broken_parts import MeasureComparison, compare
from model.experiments.surgery import edit_model, parts_of
from tests.conftest import loaded
from tests.views.shown import equations, parts, said
from views.learning.bench.both_models import BothModels, Removal, take_away
from views.learning.bench.broken_parts import BrokenParts
from views.learning.bench.entropies import CHANGE, Entropies
from views.learning.bench.measures import Measures, measure
from views.parts import Chart, Controls, Files, Source
from views.view import DEPTHS

TEXTS = {"en-ur": "I am a robot", "tiny-lm": "the dog sees the cat", "tiny-encoder": "the film is good"}
MEASURED = (
    MeasureComparison("loss", 1.0, 2.0),
    MeasureComparison("sentiment", 0.9, 0.5),
    MeasureComparison("topic", 0.8, 0.7),
)


def removal_of(name: str, *found: str) -> Removal:
    available = {part.name: part for part in parts_of(loaded(name).config)}
    return Removal(tuple(available[part] for part in found))


def view_of(name: str, removal: Removal, measures: Measures | None = None) -> BrokenParts:
    model = loaded(name)
    return BrokenParts(model, removal, BothModels(model, removal, TEXTS[name]), measures)


def measures_of(name: str, comparisons: Sequence[MeasureComparison], is_whole: bool = True) -> Measures:
    return Measures(loaded(name), Removal(()), tuple(comparisons), "60", is_whole)


def test_the_translation_before_and_after() -> None:
    words = said(view_of("en-ur", removal_of("en-ur", "cross-attention")))
    assert words.count("میں ایک روبوٹ ہوں") == 1, "the whole model's; the other one writes something else"
    assert "the decoder does not see the source" in words
    assert r"**Without cross\-attention**" in words


@pytest.mark.parametrize("name", TEXTS)
def test_the_entropies_are_those_of_the_runs(name: str) -> None:
    model, text, removal = loaded(name), TEXTS[name], removal_of(name, "norms")
    both = BothModels(model, removal, text)
    target = both.outputs[0] if name == "en-ur" else None
    rows = Entropies(both).rows()
    for column, each in (("whole", model), ("without", edit_model(model, removal.parts))):
        trace = each.trace(text, keep="*.weights", target=target)
        weights = [trace[path] for path in trace.tensors if path.endswith(".weights")]
        assert [row[column] for row in rows] == pytest.approx([float(entropy(each).mean()) for each in weights])
    changes = [abs(row["whole"] - row["without"]) for row in rows]
    assert Entropies(both).told()[CHANGE] == max(changes)
    assert f"changes most in {rows[int(np.argmax(changes))]['attention']}" in Entropies(both).caption()


@pytest.mark.slow
def test_what_takes_long_is_made_once_for_the_same_models_and_sentence() -> None:
    made: list[tuple[str, object]] = []
    kept: dict[object, object] = {}

    def keep(what, key, make):
        if (what, key) not in kept:
            made.append((what, key))
            kept[what, key] = make()
        return kept[what, key]

    model = loaded("tiny-lm")
    for removal in (removal_of("tiny-lm", "norms"), removal_of("tiny-lm", "norms"), removal_of("tiny-lm", "residuals")):
        view = BrokenParts(model, removal, BothModels(model, removal, TEXTS["tiny-lm"], keep), None)
        for depth in DEPTHS:
            said(view, depth)
            for part in parts(view, depth):
                if isinstance(part, Chart):
                    part.draw()
    assert [what for what, _ in made] == ["outputs", "entropies", "traces"] * 2


def test_a_silent_head_is_named_and_changes_the_run() -> None:
    silent = Removal((), (ablate("decoder.*.self_attn", 1),), ("head 1 of self-attention in every layer",))
    view = view_of("tiny-lm", silent)
    assert r"**Without head 1 of self\-attention in every layer**" in said(view)
    assert Entropies(view.both).told()[CHANGE] > 0


def test_views_of_other_models_differ() -> None:
    removal = removal_of("tiny-lm", "residuals")
    assert view_of("tiny-lm", removal) == view_of("tiny-lm", removal)
    assert view_of("tiny-lm", removal) != view_of("en-ur", removal)


def test_without_a_choice_there_is_nothing_to_see() -> None:
    view = view_of("tiny-lm", Removal(()))
    assert "Choose what to take away." in said(view)
    assert not any(isinstance(part, Chart | Files) for part in parts(view))


def test_both_sublayers_gone_is_said() -> None:
    words = "every token stays its own embedding"
    assert words in said(view_of("tiny-lm", removal_of("tiny-lm", "self-attention", "feed-forward")))
    assert words not in said(view_of("tiny-lm", removal_of("tiny-lm", "feed-forward")))


def test_the_losses_and_a_row_are_worked_out_with_and_without() -> None:
    view = view_of("tiny-lm", removal_of("tiny-lm", "residuals"))
    losses = [each for each in equations(view) if r"\text{loss} = \frac" in each]
    ends = [float(re.search(r"([\d.]+)$", each)[1]) for each in losses]
    assert view.both is not None
    for end, trace in zip(ends, view.both.traces, strict=True):
        shares = trace.logits.log_softmax(-1)
        mean = -float(np.mean([shares[place, token.id] for place, token in enumerate(trace.tokens[1:])]))
        assert math.isclose(end, mean, rel_tol=1e-3)


def test_what_was_measured_is_said() -> None:
    whole = measures_of("tiny-encoder", MEASURED)
    assert whole.caption().startswith("Loss 1.000 → 2.000 nats. Lost most: sentiment, 90% → 50%. 60 held-out items")
    assert [row["measure"] for row in whole.rows()] == ["loss", "sentiment", "topic"]
    assert "Partial" not in said(whole)
    assert "Partial: it was stopped" in said(measures_of("tiny-encoder", MEASURED[:2], is_whole=False), "Numbers")
    assert parts(measures_of("tiny-encoder", ())) == [Controls("measure")]


def test_a_model_trained_elsewhere_has_no_held_out_sentences_here() -> None:
    removal = removal_of("tiny-encoder", "norms")
    assert "was trained elsewhere" in said(view_of("tiny-encoder", removal))
    measured = view_of("tiny-encoder", removal, measures_of("tiny-encoder", MEASURED))
    assert "was trained elsewhere" not in said(measured)


def test_the_code_is_what_takes_parts_away() -> None:
    sources = [part.of.__name__ for part in parts(view_of("tiny-lm", Removal(())), "Code") if isinstance(part, Source)]
    assert sources == ["without", "EditedTransformer", "compare"]


def test_parts_are_taken_away_by_their_names() -> None:
    removal = take_away(["norms", "feed-forward"])
    assert removal == removal_of("tiny-lm", "norms", "feed-forward")
    assert take_away(*removal.made_by().arguments) == removal


def test_as_many_measures_are_made_as_are_asked_for() -> None:
    model, removal = loaded("tiny-lm"), take_away(["residuals"])
    view = measure(model, removal, "4", most=1)
    assert view.comparisons == (next(compare(model, removal.of(model), 4)),)
    assert not view.is_whole
    assert view.made_by().named == {"most": 1}
