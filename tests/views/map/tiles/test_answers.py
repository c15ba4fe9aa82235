"""What the map asks of its run, answered without a server."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.conftest import loaded
from views.by_page.home import Map
from views.map.tiles.answers import answer_of
from views.map.tiles.many import pack_tiles
from views.map.tiles.run import TiledRun
from views.notebook.live_picture import LivePicture

KEYS = "decoder.1.self_attn.k"


@pytest.fixture(scope="module")
def run() -> TiledRun:
    return TiledRun(loaded("tiny-lm").trace("the dog sees the cat"))


def test_tiles_are_those_of_a_server(run: TiledRun) -> None:
    asked = f"//many?t={KEYS}/2/0/0/0&t={KEYS}/9/0/0/0&t=nothing"
    assert answer_of(run, asked) == pack_tiles(run, [(KEYS, 2, 0, 0, 0), (KEYS, 9, 0, 0, 0), None])[0]


def test_a_number_says_where_it_comes_from(run: TiledRun) -> None:
    answer = answer_of(run, f"//why/{quote(KEYS)}/2,3,26")
    assert answer is not None
    assert json.loads(answer) == run.why(KEYS, (2, 3, 26))


@pytest.mark.parametrize("address", ["//why/nothing/1", f"//why/{KEYS}/99,0,0", f"//why/{KEYS}/x", "//other", ""])
def test_there_is_no_answer_to_anything_else(run: TiledRun, address: str) -> None:
    assert answer_of(run, address) is None


def test_the_map_of_a_notebook_answers_by_its_messages() -> None:
    view = Map(loaded("tiny-lm").trace("the dog sees the cat"))
    picture = LivePicture("name", view.view, view.choose)
    picture.write()

    def ask(address: str) -> Any:
        return picture.take({"does": "asks", "question": "7", "address": address})

    answer = ask(f"//many?t={KEYS}/2/0/0/0")
    assert (answer["question"], answer["status"]) == ("7", 200)
    assert len(answer["bytes"]) > 100
    assert ask("//many/nothing") == {"question": "7", "status": 404}
