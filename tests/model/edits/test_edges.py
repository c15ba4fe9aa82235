"""An edge that is dropped is missing from the run: against hooks in transformers, and against the sums."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers.models.llama import modeling_llama

from model import ablate, load
from model.analysis.flow_routes import keep_for_routes
from model.analysis.stage_sum import FFN, StageSum
from model.config import TransformerConfig
from model.edits.edges import DropEdge, parse_edges, write_edges
from model.errors import EditError
from model.experiments.surgery import with_edits
from model.loading import read_checkpoint
from tests.conftest import loaded
from tests.model.networks import config, small_model
from tests.model.zoo import tiny_families

TEXT = "I am a robot and the weather is cool"


@torch.no_grad()
def reference_logits(reference: Any, ids: list[int], edges: tuple[DropEdge, ...], patch: Any) -> torch.Tensor:
    """The last logits of a Llama of transformers. What an edge gives is taken off the mixed values, or a hook's row."""
    eager = modeling_llama.eager_attention_forward

    def attend(module: Any, query: Any, key: Any, value: Any, *more: Any, **named: Any) -> Any:
        mixed, weights = eager(module, query, key, value, *more, **named)  # (1, queries, heads, d_head)
        values = modeling_llama.repeat_kv(value, module.num_key_value_groups)
        for edge in edges:
            if edge.path == f"decoder.{module.layer_idx}.self_attn":
                given = weights[0, edge.head, edge.token, edge.key] * values[0, edge.head, edge.key]
                mixed[0, edge.token, edge.head] -= given
        return mixed, weights

    def transform(path: str, result: torch.Tensor) -> torch.Tensor:
        for edge in edges:
            if edge.path == path:
                result[0, edge.token] = 0
        return result

    for number, layer in enumerate(reference.model.layers):
        layer.mlp.register_forward_hook(lambda _, __, result, path=f"decoder.{number}.ffn": transform(path, result))
    patch.setattr(modeling_llama, "eager_attention_forward", attend)
    reference.set_attn_implementation("eager")
    return reference(torch.tensor([ids])).logits[0, -1]


@pytest.mark.parametrize("name", ["llama", "llama, biases"])
@pytest.mark.parametrize(
    "names",
    [
        "decoder.0.self_attn.1@0>4",
        "decoder.1.ffn@6",
        "decoder.0.self_attn.1@0>4,decoder.0.ffn@4,decoder.1.self_attn.3@4>8,decoder.1.self_attn.2@8>8",
    ],
)
def test_the_run_without_edges_is_that_of_hooks_in_transformers(
    name: str, names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = tiny_families.make(name, tmp_path)
    model = read_checkpoint(tmp_path)
    ids = [token.id for token in model.tokens_of(TEXT)]
    edges = parse_edges(names)
    found = model.trace(TEXT, keep="logits", edits=edges).logits[-1]
    wanted = reference_logits(reference, ids, edges, monkeypatch)
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-3)
    whole = model.trace(TEXT, keep="logits").logits[-1]
    assert float((found - whole).abs().max()) > 1e-3, "the edges matter"


@pytest.mark.parametrize("model_name", ["tiny-lm", "tiny-lm-rotary"])
def test_the_node_lacks_just_that_part(model_name: str) -> None:
    model = loaded(model_name)
    keep = keep_for_routes(model.config)
    text = "the dog sees the cat"
    whole = model.trace(text, keep=keep)
    for edge in (DropEdge("decoder.1.self_attn", 3, 2, 1), DropEdge("decoder.1.ffn", 3)):
        without = model.trace(text, keep=keep, edits=[edge])
        name = "resid_out" if edge.head < 0 else "resid_mid"
        part = StageSum(model, whole, edge.path).vector(edge.token, FFN if edge.head < 0 else edge.head, edge.key)
        change = whole[f"decoder.1.{name}"] - without[f"decoder.1.{name}"]
        torch.testing.assert_close(change[edge.token], part, atol=1e-5, rtol=1e-4)
        others = [row for row in range(len(change)) if row != edge.token]
        assert not change[others].any()


def test_all_edges_of_a_head_are_the_head() -> None:
    model = load("tiny-lm")
    text = "the dog sees the cat"
    count = len(model.tokens_of(text))
    edges = [DropEdge("decoder.1.self_attn", token, 2, key) for token in range(count) for key in range(token + 1)]
    without = model.trace(text, keep="logits", edits=edges).logits
    torch.testing.assert_close(without, model.trace(text, edits=[ablate("decoder.1.self_attn", 2)]).logits)


@pytest.mark.parametrize(
    "names",
    ["decoder.0.self_attn.1@0>2", "decoder.1.self_attn.2@1>5", "decoder.0.ffn@2", "decoder.1.ffn@5", "decoder.1.ffn@3"],
)
def test_writing_with_a_cache_is_writing_without(names: str) -> None:
    """Of four tokens of the prompt and those that are written behind it; an edge of the prompt is in no later step."""
    model = small_model("Llama")
    edited = with_edits(model, list(parse_edges(names)))
    late = int(names[-1]) > 3

    def logits(writer: Any, cache: bool) -> torch.Tensor:
        steps = writer.generate("I am a robot", max_new_tokens=4, cache=cache)
        return torch.stack([step.logits for step in steps])

    if late:  # the first step has no such token
        with pytest.raises(EditError, match="This run has no"):
            logits(edited, True)
        return
    torch.testing.assert_close(logits(edited, True), logits(edited, False), atol=1e-4, rtol=1e-4)
    assert not logits(edited, True)[0].allclose(logits(model, True)[0], atol=1e-4)


def test_names_are_read_as_they_are_written() -> None:
    text = "decoder.1.cross_attn.2@7>9,decoder.3.ffn@4,decoder.10.self_attn.0@0>0"
    assert set(write_edges(parse_edges(text)).split(",")) == set(text.split(","))
    assert parse_edges("decoder.3.ffn@4,decoder.3.ffn@4") == (DropEdge("decoder.3.ffn", 4),)
    assert parse_edges("") == ()


@pytest.mark.parametrize(
    "name",
    ["x", "decoder.1.ffn", "decoder.1.ffn.2@3>4", "decoder.1.self_attn@3", "decoder.1.self_attn.2@3", "a.1.ffn@2"],
)
def test_what_is_no_edge_is_refused(name: str) -> None:
    with pytest.raises(EditError, match="is no edge that can be dropped"):
        parse_edges(name)


@pytest.mark.parametrize("name", ["decoder.1.self_attn.2@3>99", "decoder.1.self_attn.99@0>1", "decoder.1.ffn@99"])
def test_an_edge_that_the_run_lacks_is_named(name: str) -> None:
    model = small_model("Llama")
    edge = DropEdge.parse(name)
    assert not edge.exists_in(model.config, 4)
    with pytest.raises(EditError, match="This run has no decoder"):
        model.trace("I am a robot", edits=[edge])


def test_which_edges_exist() -> None:
    translator: TransformerConfig = config("encoder-decoder")
    decoder = config("decoder")
    crossing = DropEdge("decoder.0.cross_attn", 2, 0, 5)
    assert crossing.exists_in(translator, 3, 6)
    assert not crossing.exists_in(translator, 3, 5)
    assert not crossing.exists_in(decoder, 9, 9)
    assert not DropEdge("encoder.0.ffn", 2).exists_in(decoder, 9)
    assert DropEdge("encoder.0.ffn", 2).exists_in(translator, 1, 3)
    assert not DropEdge("decoder.99.ffn", 0).exists_in(decoder, 9)
