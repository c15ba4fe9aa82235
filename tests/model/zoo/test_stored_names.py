from __future__ import annotations

import pytest

from model.errors import DamagedWeights
from model.zoo.stored_names import rename

TABLE = {"layer.{}.w": "blocks.{}.weight", "old.ids": None}


def test_names_are_translated_and_dropped_on_purpose() -> None:
    assert rename("Llama", TABLE, ["layer.12.w", "old.ids"]) == {"layer.12.w": "blocks.12.weight"}


def test_one_number_of_a_name_is_the_layer_and_a_whole_name_comes_first() -> None:
    table = {"block.{}.part.1.w2": "blocks.{}.w", "block.0.part.1.w2": "first"}
    assert rename("Llama", table, ["block.0.part.1.w2", "block.1.part.1.w2"]) == {
        "block.0.part.1.w2": "first",
        "block.1.part.1.w2": "blocks.1.w",
    }


def test_unknown_names_are_named() -> None:
    with pytest.raises(DamagedWeights, match=r"family Llama does not know: layer\.x\.w, layer\.1\.w\.b, a and 1 more"):
        rename("Llama", TABLE, ["layer.x.w", "layer.1.w.b", "a", "b", "layer.0.w"])
