"""ALBERT: one layer's weights in all layers, counted once and said; other groupings are refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.cost.formulas import parameter_counts
from model.errors import DamagedWeights
from model.graph.network_graph import make_graph
from model.loading import read_checkpoint
from model.run import Model
from tests.model.zoo import tiny_families
from tests.views.shown import said
from views.layer.excited_tokens import excite
from views.layer.feed_forward import HiddenFeatures
from views.layer.layer_of_run import LayerOfRun
from views.learning.cost.cost_view import Shape
from views.learning.cost.parts import CostParts
from views.map.model_equations import parts_of
from views.run import make_run

SENTENCE = "All 3 layers have the same weights: those of one layer, used again and again."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("albert")
    tiny_families.make_encoder("albert", folder)
    return read_checkpoint(folder)


def test_one_layer_is_stored_counted_and_named_once(model: Model) -> None:
    assert model.network.encoder is not None
    assert len(set(model.network.encoder.blocks)) == 1
    count = sum(weights.numel() for weights in model.network.parameters())
    assert parameter_counts(model.config) == (count, count)
    assert model.card.parameters == count
    query = next(
        read.name for read in make_graph(model.config)["encoder.2.self_attn.q"].inputs if read.role == "weight"
    )
    assert query == "encoder.blocks.0.self_attn.query.weight"


def test_block_cost_and_the_equations_say_so(model: Model) -> None:
    run = make_run(model, "I am a robot", "*")
    place = LayerOfRun(run, "encoder", 1)
    assert HiddenFeatures(place, excite(place, 0, ("A small world",))).caption().endswith(SENTENCE)
    assert any(SENTENCE in getattr(part, "text", "") for part in parts_of(run))
    count, config = parameter_counts(model.config)[0], model.config
    cost = said(CostParts(Shape("ALBERT", model, 8, config.d_model, config.n_heads, 3)), "Picture")
    assert f"{SENTENCE} They are counted once, among {count:,} parameters." in cost


@pytest.mark.parametrize("key", ["num_hidden_groups", "inner_group_num"])
def test_layers_of_several_weights_are_refused_by_name(key: str, tmp_path: Path) -> None:
    tiny_families.make_encoder("albert", tmp_path, **{key: 2})
    assert json.loads((tmp_path / "config.json").read_text())[key] == 2
    with pytest.raises(DamagedWeights, match=f"{key} = 2"):
        read_checkpoint(tmp_path)
