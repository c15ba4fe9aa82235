"""Each part taken away, as a view: what is lost is that of runs without it."""

from __future__ import annotations

import pytest
from torch import Tensor

from model import Change, load
from model.experiments.surgery import edit_model
from tests.views import asked, shown
from tests.views.asked import CLASS_TEXT, question
from views.models.why.removals import FARTHEST
from viz.models.why import part_title


def test_a_part_is_taken_away_from_a_class() -> None:
    rows = shown.tables(asked.by_cause(question("tiny-encoder", CLASS_TEXT)))[0].set_index("name")
    model = load("tiny-encoder")
    logits = model.trace(CLASS_TEXT)["text_logits"]
    muted = edit_model(model, edits=[Change("encoder.1.ffn.out", _without_first_row)]).trace(CLASS_TEXT)["text_logits"]
    best = int(logits.argmax())
    assert rows["the logit loses"]["encoder.1.ffn"] == pytest.approx(float(logits[best] - muted[best]), abs=1e-4)
    assert rows["probability after"]["encoder.1.ffn"] == pytest.approx(float(muted.softmax(-1)[best]), abs=1e-4)


def _without_first_row(out: Tensor) -> Tensor:
    changed = out.clone()
    changed[..., 0, :] = 0
    return changed


def test_the_part_without_which_most_is_lost_is_named() -> None:
    view = asked.by_cause(question())
    worst = max(view.removals, key=lambda each: each.fall)
    assert f"Without {part_title(worst.name)} the logit of" in shown.said(view)
    assert "Partial" not in shown.said(view)
    assert float(view.told()[FARTHEST]) > 0


def test_what_is_not_measured_is_said() -> None:
    view = asked.by_cause(question(), places=1)
    assert "**Partial**: 1 of 5 places" in shown.said(view)
    assert "**Partial**: 1 of 5 places" in shown.said(view, "Formula")
    assert len(shown.tables(view)[0]) == 5


def test_with_nothing_measured_there_are_neither_picture_nor_words() -> None:
    view = asked.by_cause(question(), places=0)
    assert not shown.charts(view)
    assert not view.told()


def test_its_sum_ends_in_what_is_left() -> None:
    view = asked.by_cause(question())
    most = max(view.removals, key=lambda each: abs(each.fall))
    assert shown.ends(shown.equations(view)[-1], view.asked.account.value - most.fall)
