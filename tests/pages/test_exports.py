"""Files of views: they hold the numbers of the run that the page shows.

That every view offers files which can be made: tests/views/test_every_view.py.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.analysis.word_in_context import layer_names, planes, word_layers, word_places
from pages.shared.elements import layout
from tests.conftest import loaded
from tests.pages.conftest import run_page
from tests.pages.learning.test_training import finish, press

PAGES = Path(__file__).parents[2] / "pages"
ENGLISH = {"model": "tiny-lm", "text": "the dog sees the cat"}
URDU = {"model": "en-ur", "text": "I am a robot"}
SEE = {"see_model": "digits-vit"}


@dataclass
class Offered:
    """The Export menu of one view: its pictures by label, and its other files."""

    pictures: Mapping[str, Callable[[str], bytes]]
    makers: Mapping[str, Callable[[], bytes | str]] = field(default_factory=dict)

    def rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.text())))

    def cells(self) -> list[str]:
        return [cell for row in csv.reader(io.StringIO(self.text())) for cell in row]

    def text(self) -> str:
        made = next(make for label, make in self.makers.items() if label.startswith("CSV"))()
        assert isinstance(made, bytes), "a file that viz.files.rows_csv did not make"
        return made.decode("utf-8-sig")

    def arrays(self) -> dict[str, Any]:
        made = self.makers["NPZ"]()
        assert isinstance(made, bytes)
        with np.load(io.BytesIO(made), allow_pickle=False) as found:
            return dict(found)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Offered]:
    """What the pages of a test offer, by the name of the file."""
    found: dict[str, Offered] = {}

    def collect(name: str, pictures: Mapping[str, Any] | None = None, **makers: Any) -> None:
        found[name] = Offered(pictures or {}, makers)

    monkeypatch.setattr(layout, "export", collect)
    return found


def test_planes_are_those_of_the_library(offered: dict[str, Offered]) -> None:
    sentences = ["the cat sees the dog", "a dog is here", "the dog"]
    run_page(
        "models/classify.py", classify_part="words", classify_model="tiny-encoder", classify_word="dog",
        classify_sentences="\n".join(sentences),
    )  # fmt: skip
    model = loaded("tiny-encoder")
    vectors = []
    for sentence in sentences:
        (place,) = word_places(model.tokenizer, sentence, "dog")
        vectors.append(word_layers(model.config, model.trace(sentence, keep=layer_names(model.config)), place))
    expected = planes(torch.stack(vectors, dim=1))
    arrays, rows = offered["word-planes"].arrays(), offered["word-planes"].rows()
    assert len(arrays) == len(expected)
    for layer, (places, shares) in enumerate(expected):
        np.testing.assert_allclose(arrays[f"layer_{layer}"], places.numpy(), atol=1e-4)
        of_layer = [row for row in rows if int(row["layers passed"]) == layer]
        assert [row["sentence"] for row in of_layer] == sentences
        assert float(of_layer[0]["share of variance"]) == pytest.approx(float(shares.sum()), abs=1e-4)


def test_branches_race_and_attention_are_those_of_the_text_that_was_written(offered: dict[str, Offered]) -> None:
    path = (300, 301)
    for name in ("branches", "cache", "attention"):
        run_page("models/predict.py", **{**ENGLISH, "predict_view": name, "predict_path": path, "layer": 1})
    model = loaded("tiny-lm")
    (branch,) = offered["branches"].rows()
    assert (branch["ids"], branch["text"]) == ("300 301", model.tokenizer.decode(path))
    race = offered["cache-race"].rows()
    given = len(model.tokenizer.encode(ENGLISH["text"]))
    assert [int(row["computed, without"]) for row in race] == [given, given + 1]
    assert [int(row["computed, with the kv cache"]) for row in race] == [given, 1]
    weights = offered["prediction-attention"].arrays()["weights"]
    assert weights.shape == (model.config.n_heads, given + 2, given + 2)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    every = offered["prediction-all-heads"].arrays()["weights"]
    np.testing.assert_array_equal(every[1], weights)


def test_compared_heads_are_subtracted_cell_by_cell(offered: dict[str, Offered]) -> None:
    run_page("attention/heads.py", **ENGLISH, heads_view="Compare", layer=1, head=0, heads_head2=2)
    menu = offered["tiny-lm-decoder-1-self_attn-head0-compared"]
    trace = loaded("tiny-lm").trace(ENGLISH["text"], keep="*.weights")
    first, second = trace["decoder.1.self_attn.weights"].numpy()[[0, 2]]
    arrays = menu.arrays()
    np.testing.assert_allclose(arrays["first"], first, atol=1e-6)
    np.testing.assert_allclose(arrays["difference"], first - second, atol=1e-6)
    row = menu.rows()[-1]
    assert (int(row["query_index"]), int(row["key_index"])) == (len(first) - 1, len(first) - 1)
    assert float(row["first"]) - float(row["second"]) == pytest.approx(float(row["difference"]), abs=1e-6)


@pytest.mark.slow
def test_a_run_offers_each_of_its_curves_and_what_it_writes(offered: dict[str, Offered]) -> None:
    app = run_page("learning/training.py", training_part="live", training_steps=10)
    names = ("loss", "rate", "accuracy", "gradients", "attention", "samples")
    assert [f"training-reverse-{name}" for name in names] == list(offered), "the recorded run"
    assert len(offered["training-reverse-rate"].rows()) == 120
    offered.clear()
    finish(press(app, "Train it live"), 10)
    assert [f"training-reverse-{name}" for name in names] == list(offered)
    assert [row["source"] for row in offered["training-reverse-samples"].rows()]
    assert len(offered["training-reverse-rate"].rows()) == 10


def view(page: str, *names: str, **state: object) -> Any:
    """A page, the files that it must offer, and its state."""
    return pytest.param(page, names, {**ENGLISH, **state}, id=f"{page}-{'-'.join(map(str, state.values()))}"[:80])


FORMULA = "=1+1 @a +2 -3 =cmd"
RISKY = [
    view("home/home.py", "glassformer-run", text=FORMULA),
    view("home/home.py", "glassformer-run", text=FORMULA, model="minilm-l6"),
    view("home/home.py", "glassformer-run", text=FORMULA, home_at="decoder.1/head 2"),
    view("inputs/tokens.py", "pieces", "tokenisers", "odd-texts", text=FORMULA, tokens_part="tokeniser"),
    view("attention/heads.py", "tiny-lm-decoder-1-self_attn-head0-weights", text=FORMULA, heads_view="Matrix",
         layer=1, head=0),
    view("attention/masks.py", "tiny-lm-decoder-1-self_attn-head0-three-ways", text=FORMULA, masks_part="ways",
         layer=1, head=0),
    view("models/translate.py", "translation", text=FORMULA, model="en-ur", target=FORMULA),
]  # fmt: skip


@pytest.mark.parametrize(("page", "names", "state"), RISKY)
def test_no_cell_of_a_file_runs_as_a_formula(
    offered: dict[str, Offered], page: str, names: tuple[str, ...], state: dict[str, object]
) -> None:
    run_page(page, **state)
    assert set(names) <= set(offered)
    cells = [cell for name in names for cell in offered[name].cells()]
    assert cells
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@")) and not is_number(cell)] == []


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_what_was_written_cannot_run_as_a_formula(offered: dict[str, Offered]) -> None:
    tokenizer = loaded("tiny-lm").tokenizer
    path = tuple(token.id for token in tokenizer.encode("=1", add_special=False))
    run_page("models/predict.py", **ENGLISH, predict_path=path)
    rows = offered["prediction"].rows()
    assert [int(row["id"]) for row in rows[: len(path)]] == list(path)
    assert rows[0]["token"].startswith("'=")
    assert all(is_number(row[name]) for row in rows for name in ("logit", "probability", "rank"))
