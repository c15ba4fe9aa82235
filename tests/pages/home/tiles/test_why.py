"""Where a number comes from, as JSON: the same as `explain` and `uses`, within bounds."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from model import explain, uses
from model.graph.nodes import PIXELS
from pages.home.tiles import routes
from pages.home.tiles.store import RunStore
from tests.model.graph.runs import SMALL, random_cell, run
from views.map.tiles.run import TiledRun
from views.map.tiles.why import MAX_TERMS, MAX_USES, describe_number, explain_number
from viz.shared.tiles import NoTile

SHARES = "decoder.1.self_attn.weights"
NAME = re.compile(r"[a-z]\w*(\.\w+)+|[a-z]{2}_[a-z]")  # of a tensor or a weight in code; "W_Q" is a symbol


@pytest.fixture(scope="module")
def client() -> Iterator[tuple[TestClient, str]]:
    with pytest.MonkeyPatch.context() as patch:
        store = RunStore()
        patch.setattr(routes, "RUNS", store)
        handle = store.handle("run", lambda: TiledRun(run("tiny-lm")))
        with TestClient(Starlette(routes=routes.routes())) as made:
            yield made, f"{routes.PATH}/{handle}/why"


@pytest.mark.parametrize("name", [*SMALL, "tiny-lm", "en-ur", "digits-vit"])
def test_any_number_of_any_tensor_has_a_small_account_in_plain_json(name: str) -> None:
    trace = run(name)
    tiled = TiledRun(trace)
    listed = tiled.describe()
    for tensor, _, shape, _ in [*listed["tensors"], *listed["weights"]]:
        index = random_cell(shape, tensor, 1)
        told = tiled.why(tensor, index)
        text = json.dumps(told, allow_nan=False)
        assert len(text) < 30_000
        found = explain(trace, tensor, index)
        assert told["value"] == (found.value if math.isfinite(found.value) else None)
        assert not NAME.search(told["words"]), told["words"]
        assert told["words"].startswith("This number is ")
        assert told["count"] == len(found.terms)
        assert len(told["uses"]) == min(MAX_USES, told["use_count"])
        assert told["use_count"] == len(uses(trace, tensor, index))
        if told["is_sum"] and math.isfinite(found.total):
            parts = [term["value"] * term.get("factor", {"value": 1.0})["value"] for term in told["terms"]]
            assert math.fsum([*parts, told["rest"]]) == pytest.approx(found.total, rel=1e-9, abs=1e-12)


def test_the_largest_terms_of_a_long_sum_are_told() -> None:
    trace = run("tiny-lm")
    told = describe_number(explain_number(trace, "logits", (2, 7)))
    assert told["count"] > MAX_TERMS == len(told["terms"])
    sizes = [abs(term["value"] * term["factor"]["value"]) for term in told["terms"]]
    left_out = sorted(abs(term.part) for term in explain(trace, "logits", (2, 7)).terms)[:-MAX_TERMS]
    assert min(sizes) >= max(left_out)


def test_a_hidden_score_is_null_and_says_that_it_is_minus_infinity() -> None:
    told = describe_number(explain_number(run("tiny-lm"), "decoder.0.self_attn.masked", (0, 0, 1)))
    assert told["value"] is None
    assert told["not_finite"] == "-inf"
    shares = describe_number(explain_number(run("tiny-lm"), "decoder.0.self_attn.weights", (0, 0, 1)))
    assert shares["value"] == 0.0
    assert [term["not_finite"] for term in shares["terms"] if term["index"] == [0, 0, 1]] == ["-inf"]


def test_a_share_names_the_sum_of_its_row() -> None:
    told = describe_number(explain_number(run("tiny-lm"), SHARES, (2, 3, 1)))
    assert not told["is_sum"]
    assert told["rest"] is None
    assert [term["name"] for term in told["terms"] if not term["index"]] == ["shift", "sum"]
    assert told["cells"] == 4  # query 3 sees four keys: what is hidden, the shift and the sum are no terms


def test_a_use_of_every_place_says_null() -> None:
    told = describe_number(explain_number(run("tiny-lm"), "decoder.1.self_attn.masked", (2, 3, 1)))
    assert told["uses"] == [{"name": SHARES, "index": [2, 3, None]}]


def test_the_route_gives_it_and_browsers_keep_it(client: tuple[TestClient, str]) -> None:
    session, root = client
    answer = session.get(f"{root}/{SHARES}/2,3,1")
    assert answer.json() == describe_number(explain_number(run("tiny-lm"), SHARES, (2, 3, 1)))
    assert answer.headers["Cache-Control"] == routes.FOR_GOOD


WRONG = [
    "",
    "2,3",
    "2,3,99",
    "-1,0,0",
    "2,3,1,",
    "2,3,1,0",
    "2,3,1,0,0",
    "a,b,c",
    "2, 3,1",
    "1e1,0,0",
    "٣,0,0",
    "0," * 300,
]


@pytest.mark.parametrize("index", WRONG)
def test_a_number_that_there_is_not_is_a_plain_404(client: tuple[TestClient, str], index: str) -> None:
    session, root = client
    answer = session.get(f"{root}/{SHARES}/{index}")
    assert (answer.status_code, answer.text) == (404, "Not Found")


@pytest.mark.parametrize("name", ["x", PIXELS, "decoder.9.self_attn.weights", "__class__", "x" * 5000])
def test_a_tensor_that_there_is_not_is_the_same_answer(client: tuple[TestClient, str], name: str) -> None:
    session, root = client
    answer = session.get(f"{root}/{name}/0,0,0")
    assert (answer.status_code, answer.text) == (404, "Not Found")
    with pytest.raises(NoTile):
        TiledRun(run("tiny-lm")).why(name, (0, 0, 0))


@given(st.text(max_size=30))
def test_any_text_is_an_index_or_none(text: str) -> None:
    found = routes.read_index(text)
    assert found is None or ",".join(map(str, found)) == text
