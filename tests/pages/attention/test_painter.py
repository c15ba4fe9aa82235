"""The painter of Masks on a long text: it gets a window of the mask, and what it tells is a whole mask."""

from __future__ import annotations

import dataclasses
from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from torch import Tensor

from model import Model, Trace, replace
from model.experiments.painted_masks import mask_from_text, mask_to_text, presets
from model.network.masks import hide
from pages.shared.session.keys import KEYS
from tests.pages.attention.test_scores import values
from tests.pages.conftest import components, messages, open_link, run_page, sent, tell
from tests.pages.conftest import text as shown_text
from tests.pages.long_model import COUNT, NAME, installed, model, text
from tests.views.heads import head_of
from views.attention.masks.sentence import alone
from views.attention.masks.two_runs import MaskedRuns
from views.run import NewRuns
from views.run_spec import RunSpec

T = 300
MOST_BYTES = 10_000  # that the painter gets of a mask with a million cells
AT = slice(64, 128), slice(192, 256)  # queries and keys of a window that is not in the corner
WINDOW: dict[str, Any] = {"window": (64, 127), "columns": (192, 255)}


@pytest.fixture(scope="module", autouse=True)
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(tmp_path_factory.mktemp("models")):
        yield


def masks(count: int = T, **given: Any) -> AppTest:
    """The page with a mask to paint on a text of so many tokens, in layer 1 and head 2."""
    return run_page("attention/masks.py", model=NAME, text=text(count), layer=1, head=2, masks_kind="painted", **given)


def paint(app: AppTest, cells: Tensor, first: tuple[int, int] | None = None, around: str = "") -> AppTest:
    """Tell of a window with these cells (rows, columns), as the component does. By default the one that it shows."""
    window = components(app)["mask_painter"][0]["window"]
    bits = b64encode(np.packbits(cells.numpy()).tobytes()).decode()
    told = {"rows": len(cells), "columns": cells.shape[1], "bits": bits}
    return tell(
        app, "mask_painter", "mask", told | {"first": first or window["first"], "around": around or window["around"]}
    )


def painted(app: AppTest) -> Tensor:
    return mask_from_text(app.session_state["masks_paint"])


def causal(count: int = T) -> Tensor:
    return presets(count, count)["causal"].clone()


@pytest.mark.slow
def test_the_painter_gets_the_window_that_the_matrices_show() -> None:
    app = masks(COUNT, **WINDOW)
    header, arrays = components(app)["mask_painter"]
    assert header["window"]["first"] == [64, 192]
    panels = components(app)["matrix_panels"][0]
    assert (header["queries"], header["keys"]) == (panels["queries"], panels["keys"])
    np.testing.assert_array_equal(arrays["mask"], causal(COUNT)[AT])
    each = presets(COUNT, COUNT)
    assert header["presets"] == list(each)
    np.testing.assert_array_equal(arrays["starts"], torch.stack([mask[AT] for mask in each.values()]))
    assert len(sent(app, "mask_painter").bytes) < MOST_BYTES


@pytest.mark.slow
def test_a_stroke_changes_the_cells_of_the_window_and_the_run() -> None:
    app = masks(**WINDOW)
    cells = causal()[AT]
    cells[5, 7:20] = True
    paint(app, cells)
    assert messages(app) == []
    expected = causal()
    expected[69, 199:212] = True
    assert torch.equal(painted(app), expected)
    np.testing.assert_array_equal(components(app)["mask_painter"][1]["mask"], cells)
    edit = replace("decoder.*.self_attn.mask", hide(expected))
    weights = model().trace(text(T), keep="decoder.1.self_attn.*", edits=[edit])["decoder.1.self_attn.weights"]
    np.testing.assert_allclose(values(app, "matrix_panels", "p3"), weights[2][AT], atol=1e-6)
    assert f"{int((~expected).sum()):,} of {T * T:,} cells are hidden" in shown_text(app)


@pytest.mark.slow
@pytest.mark.parametrize("name", presets(1, 1))
def test_a_preset_is_for_the_whole_mask(name: str) -> None:
    app = masks(**WINDOW)
    header, arrays = components(app)["mask_painter"]
    chosen = header["presets"].index(name)
    cells = torch.tensor(arrays["starts"][chosen]).bool()
    paint(app, cells, around=header["window"]["starts"][chosen])
    assert torch.equal(painted(app), presets(T, T)[name])
    window = components(app)["mask_painter"][0]["window"]
    assert window["around"] == window["starts"][chosen], "the component sees that it is what it sent"


@pytest.mark.slow
def test_what_was_painted_in_one_window_stays_when_another_is_painted() -> None:
    app = masks(**WINDOW)
    paint(app, torch.ones(64, 64, dtype=torch.bool))
    app.session_state["columns"] = (0, 63)
    app.run()
    assert components(app)["mask_painter"][0]["window"]["first"] == [64, 0]
    paint(app, torch.zeros(64, 64, dtype=torch.bool))
    expected = causal()
    expected[64:128, 192:256], expected[64:128, :64] = True, False
    assert torch.equal(painted(app), expected)
    assert app.query_params["columns"] == "0,63", "a link opens on the same window"
    again = open_link("attention/masks.py", **{name: app.query_params[name] for name in app.query_params})
    assert components(again)["mask_painter"][0]["window"]["first"] == [64, 0]


@pytest.mark.slow
def test_an_undone_step_leads_back_to_its_window() -> None:
    app = masks(**WINDOW)
    before = components(app)["mask_painter"][0]["window"]
    paint(app, torch.ones(64, 64, dtype=torch.bool))
    app.session_state["window"] = (200, 239)
    app.run()
    paint(app, causal()[AT], before["first"], before["around"])
    assert components(app)["mask_painter"][0]["window"]["first"] == [64, 192]
    assert (app.session_state["window"], app.session_state["columns"]) == ((64, 127), (192, 255))
    assert torch.equal(painted(app), causal())


def noise(seed: int) -> Tensor:
    """Cells that cannot be told in fewer characters: those of one window fit into a link, and those of two do not."""
    return torch.rand(200, 200, generator=torch.Generator().manual_seed(seed)) < 0.5


@pytest.mark.slow
def test_a_mask_that_is_too_long_for_a_link_is_refused_in_words_and_the_one_before_it_stays() -> None:
    app = masks(512, window=(0, 199), columns=(0, 199))
    paint(app, noise(0))
    assert messages(app) == []
    kept = app.session_state["masks_paint"]
    app.session_state["window"] = (256, 455)
    app.run()
    for number in (1, 2):
        paint(app, noise(number))
        (said,) = messages(app)
        assert "is not kept" in said
        assert f"a link holds {KEYS['masks_paint'].max_characters:,}" in said
        assert app.session_state["masks_paint"] == kept
        header, arrays = components(app)["mask_painter"]
        assert header["window"]["refused"] == number, "the component goes back"
        np.testing.assert_array_equal(arrays["mask"], painted(app)[256:456, :200])
    paint(app, torch.zeros(200, 200, dtype=torch.bool))
    assert messages(app) == []
    assert not painted(app)[256:456, :200].any()


@pytest.mark.slow
def test_a_mask_of_a_short_text_meets_a_long_one_and_the_other_way_round() -> None:
    short = presets(5, 5)["only itself"]
    app = masks(masks_paint=mask_to_text(short), query=5)
    (said,) = messages(app)
    assert "painted for 5 × 5 tokens and this sentence has 300 × 300" in said
    cells = torch.tensor(components(app)["mask_painter"][1]["mask"]).bool()
    expected = causal()
    expected[:5, :5] = short
    assert torch.equal(cells, expected[:64, :64])
    cells[63, 0] = False
    paint(app, cells)
    expected[63, 0] = False
    assert messages(app) == [], "it is painted for this text now"
    assert torch.equal(painted(app), expected)
    back = run_page(
        "attention/masks.py", model=NAME, text=text(9), masks_kind="painted", masks_paint=mask_to_text(expected)
    )
    header, arrays = components(back)["mask_painter"]
    assert "window" not in header
    np.testing.assert_array_equal(arrays["mask"], expected[:9, :9])
    assert "painted for 300 × 300 tokens" in messages(back)[0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"around": "rubbish"},
        {"around": 5},
        {"first": [290, 0]},
        {"first": [0]},
        {"first": ["a", 0]},
        {"first": None},
        {"rows": 5},
        {"rows": float("inf")},
        {"bits": "#"},
    ],
)
def test_a_message_that_the_painter_did_not_send_changes_nothing(wrong: dict[str, Any]) -> None:
    app = masks(257)
    window = components(app)["mask_painter"][0]["window"]
    bits = b64encode(bytes(64 * 64 // 8)).decode()
    told = {"rows": 64, "columns": 64, "bits": bits, "first": window["first"], "around": window["around"]}
    tell(app, "mask_painter", "mask", told | wrong)
    assert not app.exception
    assert app.session_state["masks_paint"] == ""


class NotedRuns(NewRuns):
    """Notes what is kept of each run, and under which edits."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.edits: list[tuple[Any, ...]] = []

    def trace(self, model: Model, spec: RunSpec, keep: str | Iterable[str]) -> Trace:
        names = tuple(keep)
        self.kept += names
        self.edits.append(spec.edits)
        return super().trace(model, spec, names)


@pytest.mark.parametrize(("count", "is_long"), [(256, False), (257, True)])
def test_the_runs_of_a_long_text_keep_little_and_stand_for_one_another(count: int, is_long: bool) -> None:
    """They keep no weights of all heads, so a cache has the runs of several masks. The reader's own run stands for that
    with the model's own mask: its numbers are those of a run with the mask that is painted."""
    maker, head = NotedRuns(), head_of(model(), text(count), "decoder.1.self_attn", 2, 5, 1)
    head = dataclasses.replace(head, run=dataclasses.replace(head.run, maker=maker))
    weights = MaskedRuns(head, True, alone(head.run), "painted", 3).effect.weights_with
    assert ("decoder.1.self_attn.weights" in maker.kept) == (not is_long)
    assert "decoder.1.self_attn.q" in maker.kept
    assert sum(map(bool, maker.edits)) == (1 if is_long else 2)
    exact = model().trace(text(count), edits=[replace("decoder.*.self_attn.mask", hide(causal(count)))])
    torch.testing.assert_close(weights, exact["decoder.1.self_attn.weights"][2], atol=1e-5, rtol=0)
