"""The map of a picture's run on See: its tiles are those of the run, and a reader's own picture has none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pages.home.tiles import routes
from pages.models.see_parts import source
from tests.pages.conftest import components, messages, open_link, tell, text

WEIGHTS = "encoder.2.self_attn.weights"


def visit(**url: str) -> AppTest:
    return open_link("models/see.py", **({"see_model": "digits-vit", "see_part": "map"} | url))


def read(app: AppTest) -> dict[str, Any]:
    """What the map receives."""
    shown = components(app)
    return shown["model_map"][0] | shown["map_place"][0]


def test_the_map_of_a_picture_has_the_numbers_of_its_run() -> None:
    data = read(visit(see_example="digit 5"))
    assert data["layout"]["tokens"]["source"][:2] == ["[CLS]", "r1 c1"]
    assert data["outcome"]["title"] == "Class of the picture"
    assert data["outcome"]["bars"][0]["label"] == "5"
    model = source.vision("digits-vit")
    pixels = model.preparation.normalise(source.example(model, "digit 5").square)
    expected = model.trace_image(pixels, keep=WEIGHTS)[WEIGHTS][3]
    with TestClient(Starlette(routes=routes.routes())) as client:
        answer = client.get(f"{data['root']}/{data['handle']}/{WEIGHTS}/3/0/0/0")
        assert client.get(f"{data['root']}/{data['handle']}/pixels/0/0/0/0").status_code == 200
        why = client.get(f"{data['root']}/{data['handle']}/why/{WEIGHTS}/3,2,1").json()
    np.testing.assert_allclose(np.frombuffer(answer.content, "<f4").reshape(expected.shape), expected, atol=1e-6)
    assert why["value"] == pytest.approx(float(expected[2, 1]), abs=1e-6)


def test_the_place_on_the_map_stands_in_the_url() -> None:
    app = tell(visit(), "model_map", "at", "encoder.1/head 2")
    assert "encoder.1/head 2" in app.query_params["see_at"]
    assert read(visit(see_at=f"{WEIGHTS}:1,2,3"))["at"] == f"{WEIGHTS}:1,2,3"


def test_a_place_that_the_map_lacks_is_said_in_one_line() -> None:
    app = visit(see_at="decoder.1/head 2")
    assert len(messages(app)) == 1
    assert read(app)["at"] == ""


@pytest.mark.slow
def test_a_model_without_classes_has_no_bars() -> None:
    assert read(visit(see_model="dinov2-s", see_example="shapes"))["outcome"]["bars"] == []


def test_a_picture_of_the_readers_own_has_no_map(monkeypatch: pytest.MonkeyPatch) -> None:
    example = source.example
    monkeypatch.setattr(source, "example", lambda model, name: replace(example(model, "digit 5"), name=""))
    app = visit()
    assert "model_map" not in components(app)
    assert "stays in this session" in text(app)
