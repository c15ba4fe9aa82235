"""The map of a run that needs no server: its numbers are those of the run, and stand in it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conftest import loaded
from views.map.look import Look
from views.map.map_on_screen import map_run
from views.run import Run, make_run
from viz.home.layout.places import name_place, parse_place

AT = "decoder.1/head 2"


@pytest.fixture(scope="module")
def run() -> Run:
    return make_run(loaded("tiny-lm"), "the dog sees the cat")


@pytest.fixture(scope="module")
def look(run: Run) -> Look:
    return Look(run, "decoder", "self_attn", 1, 2, 5, 3)


def test_the_map_has_the_numbers_of_the_run(run: Run, look: Look) -> None:
    numbers = map_run(run, look).find()
    name = "decoder.1.self_attn.weights"
    np.testing.assert_allclose(numbers.values(name), run.trace[name].numpy(), atol=1e-6)
    np.testing.assert_allclose(numbers.tile(name, 2, 0, 0, 0).cells[5], look.row.numpy(), atol=1e-6)


def test_what_is_in_sight_stands_in_the_map(run: Run, look: Look) -> None:
    shown = map_run(run, look, AT)
    frozen = shown.freeze()
    assert frozen is not None
    assert any(address.startswith("decoder.1.self_attn.weights/2/") for address in frozen.addresses)
    assert shown.now.at == AT
    place = parse_place(AT)
    assert place is not None
    assert shown.title.endswith(f"“the dog sees the cat” · {name_place(place, shown.layout)}")
    assert map_run(run, look, "no such place").place is None


def test_a_look_has_the_words_of_its_attention() -> None:
    run = make_run(loaded("en-ur"), "I am a robot")
    across = Look(run, "decoder", "cross_attn", 0, 0, 1, 2)
    assert (len(across.queries), len(across.keys)) == (len(run.trace.tokens), len(run.trace.source_tokens))
    assert across.keys[2] == "a"
    assert len(across.row) == len(across.keys)
