"""What pages show of classifiers whose labels do not exclude one another, or that give numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from model import load
from model.run import ids_of
from model.zoo import cards
from pages.models.why import PARTS
from tests.model.zoo import tiny_readers
from tests.model.zoo.opened import card_of_files
from tests.model.zoo.tiny_readers import LABELS, SCORED
from tests.pages.conftest import components, messages, run_page, text
from viz.shared.style import number, percent

SENTENCE = "The weather is cool"


@pytest.fixture(scope="module")
def logits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[float]]]:
    """The logits of the references by name; their checkpoints are among the models that the app offers."""
    folder = tmp_path_factory.mktemp("models")
    for bundled in cards.ASSETS.iterdir():
        (folder / bundled.name).symlink_to(bundled)
    made: dict[str, Any] = {name: tiny_readers.make(name, folder / name) for name in SCORED}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "ASSETS", Path(folder))
        patch.setattr(cards, "REAL", cards.REAL + tuple(card_of_files(folder / name) for name in SCORED))
        with torch.inference_mode():
            yield {
                name: theirs(ids_of(load(name).tokens_of(SENTENCE))[None]).logits[0].tolist()
                for name, theirs in made.items()
            }


def shown(name: str, logit: float) -> str:
    return number(logit) if "numbers" in name else percent(1 / (1 + math.exp(-logit)))


@pytest.mark.parametrize("name", SCORED)
def test_classify_shows_each_label_by_itself_or_the_number(name: str, logits: dict[str, list[float]]) -> None:
    state = {"model": name, "text": SENTENCE, "classify_part": "labels"}
    app = run_page("models/classify.py", **state, depth="Numbers")
    assert not messages(app)
    table, is_number = app.dataframe[0].value, "numbers" in name
    wanted = [each if is_number else 1 / (1 + math.exp(-each)) for each in logits[name]]
    assert table["number" if is_number else "probability"].tolist() == pytest.approx(wanted, abs=1e-5)
    assert shown(name, max(logits[name])) in text(app)
    assert ("trained to give numbers" if is_number else "By the sigmoid, not the softmax") in text(app)
    formula = run_page("models/classify.py", **state, depth="Formula")
    assert not any("softmax" in each.value for each in formula.latex)
    assert any(r"\sigma(W_" in each.value for each in formula.latex) != is_number


@pytest.mark.parametrize("name", SCORED)
def test_home_and_heads_tell_the_same(name: str, logits: dict[str, list[float]]) -> None:
    best = max(logits[name])
    app = run_page("home/home.py", model=name, text=SENTENCE, depth="Formula")
    assert not messages(app)
    assert shown(name, best) in text(app)
    assert not any("class" in each.value and "softmax" in each.value for each in app.latex)
    app = run_page("attention/heads.py", model=name, text=SENTENCE)
    data = components(app)["next_words"][0]
    is_number = "numbers" in name
    assert (data["kind"] == "none") == is_number
    wanted = best if is_number else 1 / (1 + math.exp(-best))
    assert data["rows"][0]["share"] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["bert of labels", "distilbert of numbers"])
def test_every_part_of_why_opens(name: str, part: str, logits: dict[str, list[float]]) -> None:
    app = run_page("models/why.py", model=name, text=SENTENCE, why_part=part)
    assert not messages(app)
    best = max(range(len(LABELS)), key=logits[name].__getitem__)
    assert app.selectbox(key="why token").options[0] == f"{LABELS[best]} {shown(name, logits[name][best])}"
    said = text(app)
    if part == "patching":
        assert "The logit of **" in said
        assert " leads " not in said
    if part == "cause":
        assert "the logit of **" in said
        score = "number" if "numbers" in name else "probability"
        assert f"the {score} of **{LABELS[best]}** goes from" in said
