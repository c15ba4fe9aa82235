from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
import torch
from sklearn.datasets import load_sample_image
from torch.nn import functional as F

from model import GlassformerError
from model.errors import DamagedWeights
from model.vision.model import VisionModel, load_vision
from model.zoo import cards, dinov2, vit
from model.zoo.opening import open_card
from tests.model.zoo.onnx_reference import NAMES, Reference

pytestmark = pytest.mark.usefixtures("inference")

PICTURES = ("china.jpg", "flower.jpg", "noise")

# Both sides compute in float32. The largest difference that was measured is 1.6e-4, in norms whose numbers reach 150;
# the states of the residual stream reach 34 and differ by at most 7.5e-5, the weights of attention by at most 3.7e-5.
TOLERANCE = 1e-3
OF_WEIGHTS = 1e-4


@pytest.fixture(scope="module")
def model() -> VisionModel:
    try:
        return load_vision("dinov2-s")
    except GlassformerError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="module")
def reference(model: VisionModel) -> Reference:
    return Reference(model.card.require(), NAMES)


def picture(name: str) -> np.ndarray:
    if name == "noise":
        return np.random.default_rng(0).integers(0, 256, (300, 400, 3)).astype(np.uint8)
    return load_sample_image(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_every_tensor_equals_onnxruntimes(name: str, model: VisionModel, reference: Reference) -> None:
    pixels = model.preparation.prepare(picture(name))
    trace, expected = model.trace_image(pixels), reference(pixels.numpy())
    assert model.saliency is not None
    saliency = model.saliency(trace["final_norm"][1:])
    assert len(expected) == 3 + 12 * 11 + 2
    for path, theirs in expected.items():
        ours = saliency[None] if path == "saliency" else trace[path]
        tolerance = OF_WEIGHTS if path.endswith("weights") or path == "saliency" else TOLERANCE
        assert ours.shape == theirs.shape, path
        difference = float((ours - torch.from_numpy(theirs)).abs().max())
        assert difference <= tolerance, (path, difference)


def test_the_flower_stands_out(model: VisionModel) -> None:
    trace = model.trace_picture(picture("flower.jpg"), keep="final_norm")
    assert model.saliency is not None
    drawn = model.saliency(trace["final_norm"][1:])
    assert float(drawn[80:150, 70:145].mean()) > 0.9  # where the flower is
    assert float(drawn[45:140, 160:].mean()) < 0.4  # leaves, out of focus


def test_the_card_is_right(model: VisionModel) -> None:
    card, config = model.card, model.config
    assert card.parameters == sum(weights.numel() for weights in model.network.parameters())
    assert card.size == card.require().stat().st_size
    assert (card.layers, card.heads, card.max_length) == (str(config.n_encoder_layers), config.n_heads, 257)
    assert (config.d_model, config.patch_size, config.patches_a_side) == (384, 14, 16)
    assert card.details["known"]
    assert card.details["unknown"]


def test_positions_that_keep_their_number_stay_as_they_are() -> None:
    positions = torch.randn(1 + 9, 6, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(vit.resize_positions(positions, 3), positions)


def test_resized_positions_are_the_resized_picture_of_each_feature() -> None:
    positions = torch.randn(1 + 25, 4, generator=torch.Generator().manual_seed(0))
    smaller = vit.resize_positions(positions, 3)
    feature = positions[1:, 2].view(1, 1, 5, 5)
    assert torch.equal(smaller[0], positions[0])
    torch.testing.assert_close(smaller[1:, 2].view(3, 3), F.interpolate(feature, (3, 3), mode="bicubic")[0, 0])


def test_where_the_package_is_missing_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "_folders", lambda package, moment: ())
    with pytest.raises(GlassformerError, match=r"not installed\. To get it, run: make models"):
        load_vision("dinov2-s")


def test_a_damaged_file_is_named(tmp_path: Any) -> None:
    path = tmp_path / "vit_s_focus.onnx"
    path.write_bytes(b"\x08\x07 no graph")
    with pytest.raises(DamagedWeights, match=r"vit_s_focus\.onnx"):
        open_card(cards.card("dinov2-s", "vision"), path)


def test_a_graph_of_another_family_is_named(tmp_path: Any) -> None:
    path = tmp_path / "other.onnx"
    onnx.save(onnx.helper.make_model(onnx.helper.make_graph([], "empty", [], [])), path)
    with pytest.raises(DamagedWeights, match=r"other\.onnx has not the tensors of this family"):
        open_card(cards.card("dinov2-s", "vision"), path)


def test_a_linear_layer_bears_the_path_of_the_node_that_uses_it() -> None:
    weight = np.arange(6, dtype=np.float32).reshape(2, 3)
    stored = [onnx.numpy_helper.from_array(weight, "onnx::MatMul_1")]
    stored += [onnx.numpy_helper.from_array(np.zeros((1, n, 3), np.float32), f"onnx::{n}") for n in (1, 4)]
    at = "/backbone/embeddings/"
    nodes = [
        onnx.helper.make_node("MatMul", ["x", "onnx::MatMul_1"], ["y"], "/backbone/encoder/layer.0/mlp/fc1/MatMul"),
        onnx.helper.make_node("Concat", ["onnx::1", "z"], ["p"], at + "Concat_6", axis=1),
        onnx.helper.make_node("Reshape", ["onnx::4", "s"], ["z"], at + "Reshape_1"),
    ]
    named = dinov2.tensors(onnx.helper.make_graph(nodes, "small", [], [], stored))
    assert torch.equal(named["backbone.encoder.layer.0.mlp.fc1.weight"], torch.from_numpy(weight.T.copy()))
    assert named["backbone.embeddings.position_embeddings"].shape == (1, 5, 3)
