"""The parts of Positions: their numbers against the library, on models with each kind of positions."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from model.network.positions import sinusoidal
from tests.conftest import loaded
from tests.views.shown import ends, equations, files, messages, parts, said, tables
from views.inputs.joined_positions import JoinedPositions
from views.inputs.learned_table import LearnedTable
from views.inputs.placed_sentence import NEEDS, PlacedSentence
from views.inputs.position_circles import PositionCircles
from views.inputs.position_distance import SPREAD, PositionDistance
from views.inputs.position_heatmap import PositionHeatmap
from views.inputs.position_variants import PositionVariants
from views.inputs.requirements import FAILS, SHORT_NAMES, Requirements
from views.inputs.rotary_turn import PEAK, RotaryHead, RotaryTurn
from views.inputs.word_order import Shuffled, WordOrder, shuffle
from views.inputs.worked_positions import WorkedPositions
from views.parts import Canvas, Chart
from views.plain import plain_view
from views.run import make_run
from views.view import DEPTHS, View
from viz.documents.page_parts import Code, Text

SENTENCE = "the dog bites the man"
MODELS = ("minilm-l6", "tiny-lm", "tiny-lm-rotary", "tiny-lm-concat", "tiny-lm-none", "en-ur")
MISSING = Text("Get a model.", "warning")


def sentence(model: str = "minilm-l6", token: int = 1) -> PlacedSentence:
    return PlacedSentence(make_run(loaded(model), SENTENCE, NEEDS), token)


def table() -> LearnedTable:
    return LearnedTable.of(loaded("minilm-l6"))


def rotary(model: str = "smollm2-135m", layer: int = 16, head: int = 0, t: int = 4, s: int = 3) -> RotaryTurn:
    run = make_run(loaded(model), SENTENCE, f"decoder.{layer}.self_attn.*")
    return RotaryTurn(RotaryHead(run, layer, head, t, s), 2)


def shuffled(model: str = "minilm-l6") -> Shuffled:
    found = shuffle(loaded(model), SENTENCE, 1)
    assert isinstance(found, Shuffled)
    return found


def cards() -> PositionVariants:
    return PositionVariants((loaded("tiny-lm").card, loaded("tiny-lm-rotary").card))


def views(model: str) -> list[View]:
    """Each part that takes the sentence of a model, in its variants."""
    placed = sentence(model)
    return [
        *(PositionHeatmap(placed, of_model, 9, 6, 50.0, (1,)) for of_model in (False, True)),
        *(PositionCircles(placed, drawn, 64, 100.0, 2.5) for drawn in ("clocks", "plane", "space")),
        *(PositionDistance(placed, scheme, 7, True, 8, 100.0, table() if scheme == "learned" else None, (4, 1))
          for scheme in ("sinusoidal", "learned", "rotary")),
        *(JoinedPositions(placed, of_paper, 16) for of_paper in (False, True)),
    ]  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_each_part_shows_each_kind_of_positions(model: str) -> None:
    for view in views(model):
        for depth in DEPTHS:
            assert plain_view(view, depth), view


@pytest.mark.slow
def test_the_parts_without_a_sentence_show_something_too() -> None:
    for view in (WorkedPositions(("a", "fox"), 4, 100.0), Requirements(8, 100.0, 16, table(), "rotary"), rotary(),
                 WordOrder(shuffled(), cards())):  # fmt: skip
        for depth in DEPTHS:
            assert plain_view(view, depth), view


def test_the_worked_table_is_the_notes() -> None:
    shown = said(WorkedPositions(("I", "am", "a", "robot"), 4, 100.0))
    notes = "0.8415 0.5403 0.0998 0.9950 0.9093 -0.4161 0.1987 0.9801 0.1411 -0.9900 0.2955 0.9553"
    for entry in notes.split():
        assert entry in shown


def test_the_worked_table_takes_the_readers_words() -> None:
    view = WorkedPositions(("x", "|", "$y$", "<b>z"), 2, 100.0)
    assert list(tables(view)[0]["word"]) == ["x", "|", "$y$", "<b>z"]
    assert "<b>z" not in said(view), "it is no HTML"
    ((kind, says),) = messages(WorkedPositions((), 2, 100.0))
    assert (kind, "at least one word" in says) == ("error", True)
    many = WorkedPositions(tuple("abcdefghijklm"), 2, 100.0)
    assert "you typed 13" in messages(many)[0][1]
    assert len(tables(many)[0]) == 12


def test_the_code_of_the_worked_table_runs() -> None:
    view = WorkedPositions(("I", "am", "a", "robot"), 4, 100.0)
    snippet = next(part.text for part in parts(view, "Code") if isinstance(part, Code))
    values: dict[str, object] = {}
    exec(snippet, values)
    assert tuple(values["P"].shape) == (4, 4)  # type: ignore[attr-defined]


def test_the_numbers_of_the_heatmap_are_the_librarys() -> None:
    shown = tables(PositionHeatmap(sentence(), False, 9, 6, 50.0))[0].drop(columns="token").to_numpy()
    assert np.allclose(shown, sinusoidal(torch.arange(9), 6, 50).numpy(), atol=1e-6)


def test_a_model_without_positions_has_none_to_show() -> None:
    view = PositionHeatmap(sentence("tiny-lm-none"), True, 9, 6, 50.0)
    assert "was trained without positions" in messages(view)[0][1]
    assert not view.told()


def test_a_shift_is_checked_pair_by_pair() -> None:
    shown = tables(PositionCircles(sentence(), "clocks", 64, 10000.0, 2.5))[0]
    assert np.allclose(shown["T(φ) p(t): sin"], shown["p(t + φ): sin"], atol=1e-12)
    assert np.allclose(shown["T(φ) p(t): cos"], shown["p(t + φ): cos"], atol=1e-12)


def test_what_is_dragged_in_a_picture_sets_keys() -> None:
    picks = PositionCircles(sentence(), "clocks", 64, 10000.0, 2.5).picture().picks
    assert picks["phi"](3) == {"positions_phi": 3.0}
    assert picks["token"](2) == {"query": 2}
    distances = [PositionDistance(sentence(), "rotary", 7, own, 8, 100.0, None, (4, 1)) for own in (True, False)]
    assert [each.picture().picks["pair"]([3, 2]) for each in distances] == [
        {"positions_places": (3, 2), "query": 3},
        {"positions_places": (3, 2)},
    ]
    heatmap = PositionHeatmap(sentence(), False, 9, 6, 50.0).picture()
    assert isinstance(heatmap, Canvas)
    assert heatmap.picks["pairs"]([0, 2]) == {"positions_pairs": (0, 2)}


def test_a_distance_adds_up_feature_by_feature_and_pair_by_pair() -> None:
    view = PositionDistance(sentence(), "sinusoidal", 5, True, 8, 100.0, None, (1, 3))
    by_feature, by_pair = equations(view)[-2:]
    expected = sum(math.cos(2 * 100.0 ** (-2 * k / 8)) for k in range(4))
    assert ends(by_feature, expected)
    assert ends(by_pair, expected)
    assert view.told()[SPREAD] == pytest.approx(0, abs=1e-9)
    waves = equations(PositionHeatmap(sentence(token=3), False, 5, 8, 100.0))
    assert ends(waves[-1], math.cos(3 * 100.0 ** (-2 / 8)))


def test_without_a_trained_table_the_message_stands_in_its_place() -> None:
    view = PositionDistance(sentence(), "learned", 5, True, 8, 100.0, MISSING, (1, 3))
    for depth in ("Picture", "Numbers", "Formula"):
        assert messages(view, depth) == [("warning", "Get a model.")]  # type: ignore[arg-type]
    checks = Requirements(8, 100.0, 16, MISSING, "sinusoidal")
    assert messages(checks) == [("warning", "Get a model.")]
    assert "learned" not in checks.schemes


def test_the_rotary_sums_are_the_models_score() -> None:
    view = rotary()
    assert isinstance(view.head, RotaryHead)
    score = float(view.head.run.trace["decoder.16.self_attn.scores"][0, 4, 3])
    assert float(tables(view)[0]["adds to the score"].sum()) == pytest.approx(score, abs=1e-3)
    assert view.told()[PEAK] == 1, "this head looks one token back"


def test_order_matters_only_with_positions() -> None:
    view = WordOrder(shuffled(), cards())
    shown = tables(view)[0]
    assert shown["without positions"].max() < 1e-4
    assert shown["with positions"].min() > 0.01
    assert sorted(shown["was at"]) == list(range(len(shown)))
    assert sorted(shown["token"]) == sorted(view.shuffled.labels)  # type: ignore[union-attr]


def test_the_models_that_are_missing_have_the_commands_that_train_them() -> None:
    shown = list(parts(cards()))
    (commands,) = [part.text for part in shown if isinstance(part, Code)]
    assert commands.splitlines() == [f"python -m model.train tiny-lm-{name}" for name in ("concat", "learned", "none")]
    assert sum(isinstance(part, Chart) for part in shown) == 1


def test_the_requirements_table_has_all_five() -> None:
    view = Requirements(64, 10000.0, 16, table(), "counter")
    shown = next(text for text in said(view).split("\n\n") if "Deterministic" in text)
    for name in ("Plain counter", "Normalised counter", "Sinusoidal", "Learned table", "Rotary"):
        assert f"**{name}**" in shown
    lines = [line for line in shown.splitlines() if line.startswith("| **")]
    assert sum(line.count(":material/check:") + line.count(":material/close:") for line in lines) == 25
    assert view.told()[SHORT_NAMES["bounded"]] == FAILS


def test_requirements_say_the_same_as_picture_and_as_rows() -> None:
    menu = files(Requirements(64, 10000.0, 16, table(), "counter"), "Numbers")["positions-requirements"]
    assert menu.arrays is not None
    assert menu.rows is not None
    rows = menu.rows()
    assert [row["holds"] for row in rows] == menu.arrays()["holds"].ravel().tolist()
    holds = {(row["scheme"], row["requirement"]): row["holds"] for row in rows}
    assert not holds["Plain counter", "Bounded"]
    assert holds["Sinusoidal", "Bounded"]


def test_one_word_has_no_other_order() -> None:
    found = shuffle(loaded("minilm-l6"), "robot", 0)
    assert isinstance(found, Text)
    assert "at least two words" in found.text
