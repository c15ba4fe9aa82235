from __future__ import annotations

import pytest
import torch

from model import available
from model.config import TransformerConfig
from model.names import TABLE, describe
from model.tape import Tape
from tests.conftest import loaded
from tests.model.networks import PICTURES, VARIANTS, inputs, small_network

pytestmark = pytest.mark.usefixtures("inference")

WRITTEN, SOURCE = 7, 5


def recorded(name: str) -> tuple[TransformerConfig, dict[str, torch.Tensor]]:
    made, tape = small_network(name), Tape("*")
    written, source = inputs(made, WRITTEN, SOURCE)
    made(written, source, tape)
    return made.config, tape.records


def sizes(config: TransformerConfig, name: str, written: int = WRITTEN, source: int = SOURCE) -> dict[str, int]:
    """The length of every axis of one tensor."""
    in_source = config.kind == "encoder-decoder" and name.startswith("encoder")
    tokens = config.max_length if config.image_size else source if in_source else written
    of_pictures = ("class_logits", "distillation_logits", "image_logits")
    labels = {"text_logits": config.text_labels} | dict.fromkeys(of_pictures, config.image_labels)
    vocabulary = config.target_vocab_size or config.vocab_size
    of_probe = name.startswith("probe.")
    asking = 1 if of_probe else tokens
    return {
        "one": 1,
        "shared_width": config.shared_width,
        "tokens": asking,
        "queries": asking,
        "keys": source if "cross_attn" in name and not of_probe else tokens,
        "heads": config.n_heads,
        "kv_heads": config.kv_heads,
        "d_head": config.head_width,
        "heads x d_head": config.n_heads * config.head_width,
        "d_model": config.d_model,
        "d_ff": config.d_ff,
        "experts": config.n_experts,
        "taken": config.n_taken,
        "d_shared": config.d_shared,
        "token_width": config.token_width,
        "embedding_width": config.embedding_width,
        "transform_width": config.transform_width,
        "position_width": config.position_width,
        "vocabulary": vocabulary,
        "classes": len(labels.get(name, config.token_labels)),
        **({"patches": config.n_patches, "patch_width": config.patch_width} if config.image_size else {}),
    }


@pytest.mark.parametrize("name", [*VARIANTS, *PICTURES])
def test_every_recorded_tensor_has_its_entry_and_its_axes(name: str) -> None:
    config, records = recorded(name)
    for path, tensor in records.items():
        entry = describe(path)
        expected = [sizes(config, path)[axis] for axis in entry.axes]
        assert list(tensor.shape) == expected, (path, entry.axes)


@pytest.mark.parametrize("name", [card.name for card in available()])
def test_so_has_every_tensor_of_every_model_that_there_is(name: str) -> None:
    model = loaded(name)
    trace = model.trace("The dog is here")
    lengths = len(trace.tokens), len(trace.source_tokens)
    for path, tensor in trace.tensors.items():
        expected = [sizes(model.config, path, *lengths)[axis] for axis in describe(path).axes]
        assert list(tensor.shape) == expected, path


def test_every_entry_is_recorded_by_some_model_and_stands_once() -> None:
    patterns = [entry.pattern for entry in TABLE]
    assert len(patterns) == len(set(patterns))
    found = {describe(path).pattern for name in (*VARIANTS, *PICTURES) for path in recorded(name)[1]}
    assert found == set(patterns)


def test_gated_networks_record_a_product_under_the_name_of_the_activation() -> None:
    config, records = recorded("Llama")
    assert config.gated
    hidden, up, activated = (records[f"decoder.0.ffn.{name}"] for name in ("hidden", "up", "activated"))
    torch.testing.assert_close(activated, torch.nn.functional.silu(hidden) * up)
    entries = {name: describe(f"decoder.0.ffn.{name}", config.gated) for name in ("hidden", "up", "activated")}
    assert entries["hidden"].symbol == "W_{gate} x"
    assert entries["activated"].symbol == r"\sigma(W_{gate} x) \odot W_{up} x"
    assert "times ffn.up" in entries["activated"].meaning
    assert "gate multiplies" in entries["up"].meaning
    assert describe("decoder.0.ffn.activated").symbol == r"\sigma(W_1 x + b_1)"
    assert describe("logits", gated=True) == describe("logits")


def test_names_come_in_the_order_of_the_computation() -> None:
    _, records = recorded("paper")
    order = list(records)
    first = [name for name in order if name.startswith("decoder.0.self_attn.")]
    parts = ["q", "k", "v", "raw_scores", "scores", "mask", "masked", "weights", "heads", "concat", "out"]
    assert first == [f"decoder.0.self_attn.{part}" for part in parts]
    assert order.index("encoder.1.ffn_norm") < order.index("decoder.embed.tokens") < order.index("logits")


def test_every_entry_has_a_meaning() -> None:
    assert all(entry.meaning and not entry.meaning.endswith(".") for entry in TABLE)


@pytest.mark.parametrize("name", ["decoder.0.self_attn.weigths", "decoder.0", "nothing", "decoder.x.resid_in"])
def test_another_name_is_an_error(name: str) -> None:
    with pytest.raises(KeyError):
        describe(name)
