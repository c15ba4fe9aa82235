"""The files of the map: the picture of what is seen, and every number of the tensor that one looks at."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from pages.shared.elements import layout
from tests.conftest import loaded
from tests.pages.conftest import open_link

SENTENCE = "The <b>dog</b> $sees$ it"
WEIGHTS = "decoder.2.self_attn.weights"

Makers = Mapping[str, Callable[..., Any]]


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Makers, Makers]]:
    """The pictures and the other files of the Export menu of each run of Home."""
    found: list[tuple[Makers, Makers]] = []
    monkeypatch.setattr(layout, "export", lambda _, pictures=None, **makers: found.append((pictures or {}, makers)))
    return found


def visit(**url: str) -> None:
    assert not open_link("home/home.py", **({"model": "tiny-lm", "text": SENTENCE} | url)).exception


def test_the_csv_of_a_head_has_every_number_with_its_axes_and_tokens(offered: list[tuple[Makers, Makers]]) -> None:
    visit(home_at="decoder.2/head 3")
    _, makers = offered[-1]
    rows = list(csv.DictReader(io.StringIO(makers[f"CSV of {WEIGHTS}"]().decode("utf-8-sig"))))
    trace = loaded("tiny-lm").trace(SENTENCE, keep=WEIGHTS)
    heads, queries, keys = trace[WEIGHTS].shape
    assert len(rows) == heads * queries
    assert list(rows[0])[:3] == ["head", "query", "text"]
    assert list(rows[0])[3] == "key 0 The"
    row = rows[3 * queries + 4]
    assert (row["head"], row["query"]) == ("3", "4")
    np.testing.assert_allclose([float(row[name]) for name in list(row)[3:]], trace[WEIGHTS][3, 4], atol=1e-6)
    assert len(row) == 3 + keys


def test_the_npz_has_the_whole_tensor(offered: list[tuple[Makers, Makers]]) -> None:
    name = "decoder.blocks.0.ffn.expand.weight"
    visit(home_at=f"{name}:3,5")
    made = offered[-1][1][f"NPZ of {name}"]()
    with np.load(io.BytesIO(made), allow_pickle=False) as found:
        assert found["axes"].tolist() == ["outputs", "inputs"]
        np.testing.assert_array_equal(found[name], loaded("tiny-lm").network.get_parameter(name).detach())


def test_a_tensor_that_is_too_long_for_a_table_is_offered_as_npz_alone(
    offered: list[tuple[Makers, Makers]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("views.map.map_files.MAX_CSV_CELLS", 100)
    visit(home_at="decoder.blocks.0.ffn.expand.weight:3,5")
    assert [label.split()[0] for label in offered[-1][1]] == ["NPZ"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("", "Tiny"),
        ("decoder.2/head 3", "Layer 2 › Self-attention › Head 3"),
        (f"{WEIGHTS}:3,2,1", f"{WEIGHTS}[3, 2, 1]"),
    ],
)
def test_the_picture_is_what_is_seen_and_says_so(offered: list[tuple[Makers, Makers]], place: str, words: str) -> None:
    visit(home_at=place)
    pictures, makers = offered[-1]
    drawn = pictures["SVG"]("light").decode()
    assert words in drawn
    assert "&lt;b&gt;dog" in drawn
    assert "<b>" not in drawn
    assert pictures["PNG"]("dark").startswith(b"\x89PNG")
    assert bool(place) != ("CSV" in makers)


@pytest.mark.slow
def test_the_numbers_come_with_the_picture_of_the_whole_map(offered: list[tuple[Makers, Makers]]) -> None:
    words = []
    for depth in ("Picture", "Numbers"):
        visit(depth=depth)
        words.append(re.findall("<!-- (.*?) -->", offered[-1][0]["SVG"]("light").decode()))
    assert words[0] == words[1]
    assert any(word.startswith("Layer") for word in words[1])
