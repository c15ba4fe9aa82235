"""Notebooks of views: each runs, passes its own checks, and draws what its page draws."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import plotly.graph_objects as go
import pytest
from nbclient import NotebookClient
from streamlit.testing.v1 import AppTest

from pages.shared import notebooks
from pages.shared.keys import KEYS
from tests.pages.conftest import run_page
from viz.documents.notebook import cells_of
from viz.shared.payload import unpack

ROOT = Path(__file__).resolve().parents[2]
ENGLISH = {"model": "tiny-lm", "text": "the dog sees the cat"}
URDU = {"model": "en-ur", "text": "I am a robot"}


def view(page: str, key: str, part: str, **state: object) -> Any:
    return pytest.param(page, {**ENGLISH, key: part, **state}, id=f"{Path(page).stem}-{part}")


# What of a notebook is on its page: "figures", all its pictures; "numbers", the arrays `shows` in what a component
# draws; "checks", its own ones alone, where the page shows a table or times that are measured.
FIGURES = [
    *(view("attention/scores.py", "scores_part", part) for part in ("scale", "temperature", "geometry")),
    *(view("attention/heads.py", "heads_view", part) for part in ("Matrix", "Query-key", "Compare")),
    *(view("attention/heads.py", "heads_work", part, heads_view="What they do") for part in ("measures", "rollout")),
    view("attention/heads.py", "heads_view", "Matrix", **URDU, heads_attention="cross_attn", heads_values="Scores"),
    view("attention/masks.py", "masks_part", "cheat"),
    *(view("attention/combine.py", "combine_view", part) for part in ("Side by side", "Each head's part")),
    view("attention/combine.py", "combine_view", "Mute heads", combine_muted=(1,)),
    *(view("inputs/positions.py", "positions_part", part) for part in ("join", "order", "requirements")),
    view("inputs/positions.py", "positions_part", "rotary", model="tiny-lm-rotary"),
    *(view("block/block.py", "block_part", part) for part in ("flow", "stream", "norm", "ffn", "skips", "orders")),
    view("block/block.py", "block_part", "norm", block_factor=3.0, block_token=1),
    view("models/predict.py", "predict_view", "attention", depth="Numbers", predict_tokens=3),
    *(view("models/predict.py", "predict_view", part, predict_tokens=3) for part in ("lens", "surprise", "branches")),
    *(view("models/translate.py", "translate_view", part, **URDU) for part in ("wiring", "beam", "forcing")),
    *(view("models/classify.py", "classify_part", part) for part in ("kinds", "labels", "words", "sentences")),
    *(view("models/see.py", "see_part", part, see_model="digits-vit")
      for part in ("patches", "attention", "answer", "place", "cost")),
    *(view("learning/cost.py", "cost_view", part) for part in ("Parts", "Growth", "Memory")),
    view("learning/bench.py", "bench_heads", "one", bench_items="20"),
    view("learning/training.py", "training_part", "replay", training_snapshot=3),
    view("learning/training.py", "training_part", "forcing"),
    *(view("learning/before_attention.py", "before_attention_part", part, text="I am a robot")
      for part in ("sentence", "length", "memory", "order", "both", "shapes")),
    view("inputs/tokens.py", "tokens_part", "embedding"),
    view("inputs/tokens.py", "tokens_rung", "factorisation", tokens_part="ladder"),
]  # fmt: skip
NUMBERS = [
    *(view("attention/scores.py", "scores_part", part) for part in ("steps", "similarity", "table")),
    view("attention/scores.py", "scores_part", "steps", scores_step="softmax"),
    *(view("attention/masks.py", "masks_part", part) for part in ("panels", "ways", "row")),
    view("attention/masks.py", "masks_kind", "causal and padding"),
    view("attention/masks.py", "masks_kind", "padding", **URDU, masks_attention="decoder.cross_attn"),
    view("attention/masks.py", "masks_kind", "painted"),
    *(view("inputs/positions.py", "positions_part", part) for part in ("heatmap", "circles", "distance")),
    view("models/translate.py", "translate_view", "steps", **URDU),
]
CHECKS = [
    view("attention/heads.py", "heads_view", "All heads"),
    view("attention/masks.py", "masks_part", "passes"),
    view("inputs/positions.py", "positions_part", "table"),
    view("models/predict.py", "predict_view", "cache", predict_tokens=3),
    view("models/see.py", "see_part", "kinds", see_model="digits-vit"),
    view("learning/cost.py", "cost_view", "Time"),
    view("learning/training.py", "training_part", "live", training_steps=10),
    view("inputs/tokens.py", "tokens_part", "tokeniser"),
    view("inputs/tokens.py", "tokens_rung", "one-hot", tokens_part="ladder"),
    pytest.param("home/home.py", ENGLISH, id="home"),
]


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """`figure.show()` opens no browser here."""
    monkeypatch.setattr(go.Figure, "show", lambda figure: None)


def written(app: AppTest, page: str) -> str:
    """The notebook of what a page shows."""
    values = {name: app.session_state[name] for name in KEYS}
    return notebooks.make_notebook(Path(page).stem, "A view", values, "http://localhost:8501/")


def executed(text: str) -> dict[str, Any]:
    """What the cells of a notebook leave behind; they are run one after the other, as Jupyter does."""
    made = nbformat.reads(text, as_version=4)
    nbformat.validate(made)
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in made.cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, cell.id, "exec"), names)
    return names


def sent(app: AppTest, kind: str) -> list[Any]:
    return [each.proto for each in app.main.get(kind)]


def rounded(value: Any) -> Any:
    """A figure's data with three digits, whether a number travels as text or as bytes."""
    if isinstance(value, dict) and "bdata" in value:
        value = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).tolist()
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        flat = [rounded(each) for each in value]
        return [one for each in flat for one in (each if isinstance(each, list) else [each])]
    return float(f"{value:.3g}") if isinstance(value, int | float) and not isinstance(value, bool) else value


def data_of(figure: str) -> str:
    return json.dumps(rounded(json.loads(figure)["data"]))  # as text, in which NaN is NaN


def drawn(data: bytes) -> Iterator[np.ndarray]:
    """The arrays of numbers in what a component got: lists of its header, float32 or steps among its bytes."""
    header, arrays = unpack(data)

    def lists(value: Any) -> Iterator[np.ndarray]:
        if isinstance(value, list) and value and np.issubdtype(np.asarray(value, object).dtype, np.object_):
            with_numbers = np.array(value, dtype=object).ravel()
            if all(isinstance(each, int | float) for each in with_numbers):
                yield with_numbers.astype(float)
        for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from lists(each)

    yield from lists(header)
    for array in arrays.values():
        if array.size % 4 == 0:
            yield np.frombuffer(array.tobytes(), "<f4")


@pytest.mark.parametrize(("page", "state"), FIGURES)
def test_a_notebook_draws_what_its_page_draws(page: str, state: dict[str, object]) -> None:
    app = run_page(page, **state)
    on_page = [data_of(proto.spec) for proto in sent(app, "plotly_chart")]
    names = executed(written(app, page))
    figures = names.get("figures") or [names["figure"]]
    assert all(data_of(figure.to_json()) in on_page for figure in figures)


@pytest.mark.parametrize(("page", "state"), NUMBERS)
def test_a_notebook_has_the_numbers_that_its_page_draws(page: str, state: dict[str, object]) -> None:
    app = run_page(page, **state)
    on_page = [
        array
        for proto in sent(app, "bidi_component")
        if proto.WhichOneof("data") == "bytes"
        for array in drawn(proto.bytes)
    ]
    shows = executed(written(app, page))["shows"]
    assert shows
    for name, values in shows.items():
        mine = np.asarray(values).ravel()
        assert any(
            each.size == mine.size and np.allclose(each, mine, rtol=1e-3, atol=2e-4, equal_nan=True) for each in on_page
        ), f"{name} is not on the page"


@pytest.mark.parametrize(("page", "state"), CHECKS)
def test_a_notebook_passes_its_own_checks(page: str, state: dict[str, object]) -> None:
    executed(written(run_page(page, **state), page))


def test_jupyter_runs_a_notebook() -> None:
    app = run_page("attention/heads.py", **ENGLISH, heads_view="Matrix")
    made = nbformat.reads(written(app, "attention/heads.py"), as_version=4)
    NotebookClient(made, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output for cell in made.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in shown if output.output_type == "error"]
    assert any("application/vnd.plotly.v1+json" in output.get("data", {}) for output in shown)


@pytest.mark.parametrize("template", sorted(notebooks.TEMPLATES.glob("*.py")), ids=lambda path: path.stem)
def test_every_template_belongs_to_a_view(template: Path) -> None:
    """Its page exists, and so does each key that its settings name."""
    page = template.stem.split("-")[0]
    cells = cells_of(template.read_text(encoding="utf-8"))
    assert page in {*notebooks.PARTS, "bench", "home", "any"}
    assert cells[0].kind == "markdown"
    settings = next(cell for cell in cells if cell.name == "settings")
    for name in notebooks.assigned_names(settings):
        assert notebooks.key_of(name, page) in KEYS, name


def test_a_view_without_a_template_gets_the_run_it_draws_from() -> None:
    assert notebooks.template_of("follow", {}).name == "any.py"
    assert notebooks.template_of("see", {"see_part": "patches"}).name == "see.py"


def test_a_hostile_sentence_stays_text() -> None:
    hostile = '"); import os; os.abort()  # <script>alert(1)</script> `$x$` \n """'
    app = run_page("attention/heads.py", model="tiny-lm", text=hostile, heads_view="Matrix")
    text = written(app, "attention/heads.py")
    made = nbformat.reads(text, as_version=4)
    assert all("script" not in cell.source for cell in made.cells if cell.cell_type == "markdown")
    assert executed(text)["text"] == hostile
