"""Templates as cells, the reader's settings in them, and a notebook that Jupyter's own reader accepts."""

from __future__ import annotations

import ast

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.documents.notebook import Cell, cells_of, with_settings, write_notebook

TEMPLATE = '''"""Not a cell."""
# %% [markdown]
# Two lines
# of text.

# %% settings
text = "the dog"  # what is read
layer = 3
shown = (
    1,
    2,
)

# %%
print(text, layer)
'''


def test_a_template_becomes_cells() -> None:
    told, settings, code = cells_of(TEMPLATE)
    assert told == Cell("markdown", "Two lines\nof text.", "[markdown]")
    assert settings.kind == "code"
    assert settings.source.startswith('text = "the dog"')
    assert code.source == "print(text, layer)"


def test_settings_take_the_readers_values_and_keep_their_remarks() -> None:
    _, settings, code = with_settings(cells_of(TEMPLATE), {"text": "a cat", "layer": 0, "shown": ()})
    assert settings.source == "text = 'a cat'  # what is read\nlayer = 0\nshown = ()"
    assert code.source == "print(text, layer)"


def test_a_setting_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="layer"):
        with_settings(cells_of(TEMPLATE), {"text": "a cat", "shown": ()})


@given(st.text(max_size=60), st.integers(), st.lists(st.integers(), max_size=4).map(tuple))
def test_whatever_is_typed_stays_a_value(text: str, layer: int, shown: tuple[int, ...]) -> None:
    values = {"text": text, "layer": layer, "shown": shown}
    source = with_settings(cells_of(TEMPLATE), values)[1].source
    statements = ast.parse(source).body
    assert {each.targets[0].id: ast.literal_eval(each.value) for each in statements} == values


def test_the_notebook_is_a_notebook() -> None:
    made = nbformat.reads(write_notebook(cells_of(TEMPLATE)), as_version=4)
    nbformat.validate(made)
    assert [cell.cell_type for cell in made.cells] == ["markdown", "code", "code"]
    assert made.cells[2].source == "print(text, layer)"
