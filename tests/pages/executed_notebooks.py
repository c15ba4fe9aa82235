"""The notebook of a view: written as its page offers it, run as Jupyter runs it, compared with what the page draws."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from streamlit.testing.v1 import AppTest

from pages.shared import notebooks
from pages.shared.keys import KEYS
from viz.shared.payload import unpack


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


def drawn_on(app: AppTest, figure: Any) -> bool:
    """Whether a chart of the page has the data of a figure, to three digits."""
    return _data_of(figure.to_json()) in [_data_of(proto.spec) for proto in sent(app, "plotly_chart")]


def numbers_on(app: AppTest) -> list[np.ndarray]:
    """The arrays of numbers that the components of a page got."""
    protos = [proto for proto in sent(app, "bidi_component") if proto.WhichOneof("data") == "bytes"]
    return [array for proto in protos for array in _arrays_of(proto.bytes)]


def _data_of(figure: str) -> str:
    return json.dumps(_rounded(json.loads(figure)["data"]))  # as text, in which NaN is NaN


def _rounded(value: Any) -> Any:
    """A figure's data with three digits, whether a number travels as text or as bytes."""
    if isinstance(value, dict) and "bdata" in value:
        value = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).tolist()
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        flat = [_rounded(each) for each in value]
        return [one for each in flat for one in (each if isinstance(each, list) else [each])]
    return float(f"{value:.3g}") if isinstance(value, int | float) and not isinstance(value, bool) else value


def _arrays_of(data: bytes) -> Iterator[np.ndarray]:
    """Lists of numbers in the header of what a component got; float32 or steps among its bytes."""
    header, arrays = unpack(data)
    yield from _lists_of(header)
    for array in arrays.values():
        if array.size % 4 == 0:
            yield np.frombuffer(array.tobytes(), "<f4")


def _lists_of(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, list) and value and np.issubdtype(np.asarray(value, object).dtype, np.object_):
        with_numbers = np.array(value, dtype=object).ravel()
        if all(isinstance(each, int | float) for each in with_numbers):
            yield with_numbers.astype(float)
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _lists_of(each)
