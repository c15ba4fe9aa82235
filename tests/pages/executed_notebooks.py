"""The notebook of a view: written as its page offers it, run as Jupyter runs it, compared with what the page draws."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from model.run import load
from pages.shared.session.keys import KEYS
from pages.shared.sharing import notebooks
from tests.conftest import loaded
from viz.attention.heads import NUMBERS_FAMILY
from viz.shared.payload import unpack

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")


def written(app: AppTest, page: str) -> str:
    """The notebook of what a page shows."""
    values = {name: app.session_state[name] for name in KEYS}
    return notebooks.make_notebook(Path(page).stem, "A view", values, "http://localhost:8501/")


def executed(text: str) -> dict[str, Any]:
    """What the cells of a notebook leave behind; they are run one after the other, as Jupyter does.

    They get the models of this process: to open one takes as long as all cells of most notebooks.
    """
    made = nbformat.reads(text, as_version=4)
    nbformat.validate(made)
    names: dict[str, Any] = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.load", lambda name, **how: load(name, **how) if how else loaded(name))
        for cell in made.cells:
            if cell.cell_type == "code":
                exec(compile(cell.source, cell.id, "exec"), names)
    return names


def sent(app: AppTest, kind: str) -> list[Any]:
    return [each.proto for each in app.main.get(kind)]


def drawn_on(app: AppTest, figure: Any) -> bool:
    """Whether a chart of the page has the data of a figure, to three digits."""
    mine = _data(figure.to_json())
    return any(_alike(mine, _data(proto.spec)) for proto in sent(app, "plotly_chart"))


def _data(figure: str) -> list[Any]:
    """The traces of a figure. The numbers in cells say a matrix again where a column of the page has room for them."""
    traces: list[dict[str, Any]] = json.loads(figure)["data"]
    return [trace for trace in traces if trace.get("textfont", {}).get("family") != NUMBERS_FAMILY]


def numbers_on(app: AppTest) -> list[np.ndarray]:
    """The arrays of numbers that the components of a page got."""
    protos = [proto for proto in sent(app, "bidi_component") if proto.WhichOneof("data") == "bytes"]
    return [array for proto in protos for array in _arrays_of(proto.bytes)]


def _alike(mine: Any, theirs: Any) -> bool:
    """Whether two parts of a figure say the same, to three digits: numbers, those within texts, pixels of pictures.
    They are compared, not rounded and compared: two equal numbers can lie on both sides of a rounding."""
    mine, theirs = _unpacked(mine), _unpacked(theirs)
    if isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray):
        return mine.shape == theirs.shape and np.allclose(mine, theirs, rtol=2e-3, atol=1e-6, equal_nan=True)
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return mine.keys() == theirs.keys() and all(_alike(mine[key], theirs[key]) for key in mine)
    if isinstance(mine, list) and isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(_alike, mine, theirs))
    if isinstance(mine, str) and isinstance(theirs, str):
        return _alike_texts(mine, theirs)
    return bool(mine == theirs)


def _unpacked(value: Any) -> Any:
    """Numbers as an array, whether they travel as text, as bytes or alone."""
    if isinstance(value, dict) and "bdata" in value:
        return np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).astype(float)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return np.array(value, float)
    if isinstance(value, list) and value and all(isinstance(each, int | float | None) for each in value):
        return np.array(value, float)  # None, a gap, is NaN
    return value


def _alike_texts(mine: str, theirs: str) -> bool:
    if mine == theirs:
        return True
    if mine.startswith("data:image") and theirs.startswith("data:image"):
        ours, others = _pixels(mine), _pixels(theirs)
        return ours.shape == others.shape and bool(np.abs(ours - others).mean() < 0.5)  # of 255: rounding of a JPEG
    if NUMBER.sub("", mine) != NUMBER.sub("", theirs):
        return False
    ours, others = (np.array(NUMBER.findall(text), float) for text in (mine, theirs))
    return np.allclose(ours, others, rtol=2e-3, atol=1e-3)


def _pixels(source: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(source.split(",", 1)[1]))).convert("RGB"), float)


def _arrays_of(data: bytes) -> Iterator[np.ndarray]:
    """Lists of numbers in the header of what a component got; float32 among its arrays or bytes."""
    header, arrays = unpack(data)
    yield from _lists_of(header)
    for array in arrays.values():
        if array.dtype == np.float32:
            yield array.ravel()
        elif array.size % 4 == 0:
            yield np.frombuffer(array.tobytes(), "<f4")


def _lists_of(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, list) and value and np.issubdtype(np.asarray(value, object).dtype, np.object_):
        with_numbers = np.array(value, dtype=object).ravel()
        if all(isinstance(each, int | float) for each in with_numbers):
            yield with_numbers.astype(float)
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _lists_of(each)
