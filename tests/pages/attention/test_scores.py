"""The Scores page without a browser: what a reader chooses, edits and takes back, and bad links."""

from __future__ import annotations

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import load
from pages.attention.scores_parts import prompts
from tests.pages.conftest import components, messages, open_link, tell, text
from tests.views.heads import head_of
from views.attention.scores.temperature import Temperature

TEXT = "The cat sees the dog"
LAYER, HEAD = 1, 2


def visit(page: str = "scores", model: str = "tiny-lm", **url: str) -> AppTest:
    given = {"model": model, "text": TEXT, "layer": str(LAYER), "head": str(HEAD)} | url
    return open_link(f"attention/{page}.py", **given)


def values(app: AppTest, component: str, name: str) -> np.ndarray:
    """The float32 matrix of that name which a component got."""
    raw = np.ascontiguousarray(components(app)[component][1][name])
    return raw.view("<f4")


def edit_table(app: AppTest, row: int, cells: dict[str, float | None]) -> AppTest:
    """Run the page again with cells that the reader has typed into the editor of the table."""
    states = app._tree.get_widget_states()
    (editor,) = (each.proto for each in app.dataframe if each.proto.editing_mode)
    edits = {"edited_rows": {row: cells}, "added_rows": [], "deleted_rows": []}
    states.widgets.add(id=editor.id, string_value=json.dumps(edits))
    return app._run(states)


def test_a_click_on_the_rail_goes_to_the_url() -> None:
    app = visit(scores_step="softmax", query="3", key="1")
    tell(app, "matrix_steps", "step", 1)
    assert app.query_params["scores_step"] == "scores"
    header = components(app)["matrix_steps"][0]
    assert header["steps"][header["step"]] == "Q Kᵀ"
    tell(app, "matrix_steps", "cell", [4, 2])
    assert (app.query_params["query"], app.query_params["key"]) == ("4", "2")


def test_values_are_not_rotated() -> None:
    app = visit(model="smollm2-135m", scores_step="rotate", scores_of="v", depth="Numbers")
    assert not app.exception
    assert app.session_state["scores_of"] == "q"


@pytest.mark.slow
@pytest.mark.parametrize(("model", "width"), [("tiny-lm", "1/√32 = 0.177"), ("smollm2-135m", "1/√64 = 0.125")])
def test_the_scale_is_taken_back_at_the_width_of_this_models_heads(model: str, width: str) -> None:
    view = Temperature(head_of(load(model), TEXT, "decoder.1.self_attn", 0, 2, 1), 1.0, slice(0, 5))
    assert width in prompts.of_temperature(view)[-1].see


def test_a_link_with_no_table_says_so() -> None:
    app = visit(scores_part="table", scores_table="1,2,3")
    assert any("not sixteen numbers" in message for message in messages(app))
    assert "**like** becomes 0.65 like" in text(app)
    app = visit(scores_part="table", scores_table=",".join(["nan"] + ["0.25"] * 15))
    assert not app.exception
    assert any("cell without a number" in message for message in messages(app))


def test_the_readers_table_can_be_had_again_after_a_reset() -> None:
    mine = ",".join(["0.25"] * 16)
    app = visit(scores_part="table", scores_table=mine)
    next(button for button in app.button if button.label == "Back to Shamsi's table").click().run()
    assert "**like** becomes 0.65 like + 0.20 I" in text(app)
    next(button for button in app.button if button.label.startswith("Undo")).click().run()
    assert app.session_state["scores_table"] == mine
    assert "**like** becomes 0.25 Hello" in text(app)


def test_an_edited_row_counts_once_it_is_weights() -> None:
    app = edit_table(visit(scores_part="table"), 2, {"like": None})
    assert any("cell without a number" in message for message in messages(app))
    assert app.session_state["scores_table"] == ""
    edit_table(app, 2, {"like": 0.75, "I": 0.1})
    assert not messages(app)
    assert "**like** becomes 0.75 like + 0.10 I" in text(app)
    assert app.query_params["scores_table"].split(",")[8:12] == ["0.05", "0.1", "0.75", "0.1"]
    edit_table(app, 2, {"like": 5.0})
    assert any("sums to" in message for message in messages(app))
    next(button for button in app.button if button.label == "Back to Shamsi's table").click().run()
    assert not messages(app)
    assert "**like** becomes 0.65 like + 0.20 I" in text(app)


def test_a_bad_link_falls_back_and_says_so() -> None:
    app = visit(scores_part="nothing", layer="99", scores_step="rotate", query="5000")
    assert not app.exception
    assert any("the part “nothing”" in message for message in messages(app))
    assert any("Layer 99" in message for message in messages(app))
    assert app.session_state["scores_part"] == "steps"
