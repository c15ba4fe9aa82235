"""The routes: every node is the sum of its parts, importances sum to 1, and edges lead back from the asked token."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from model import Model, Trace
from model.analysis import stage_sum
from model.analysis.attribution import NoSuchAnswer
from model.analysis.flow_routes import (
    NOWHERE,
    SOURCE,
    edges_by_stage,
    edges_into,
    flow_routes,
    join_stages,
    keep_for_routes,
    stages_of,
)
from model.analysis.stage_sum import BIAS, FFN, STREAM, StageSum, proximity
from model.edits.edges import DropEdge
from model.edits.edit import Edit
from model.edits.parts import ablate, scale
from model.graph.on_demand import kept_bytes
from model.network.transformer import Transformer
from tests.conftest import loaded
from tests.model.networks import VARIANTS, config, small_model

WORDS = ("I", "am", "a", "robot", "you", "like", "the", "dog", "is", "cool")
BUNDLED = ("tiny-lm", "tiny-lm-concat", "tiny-lm-learned", "tiny-lm-none", "tiny-lm-rotary", "en-ur", "tiny-encoder")
TEXT = "I am a robot you like the dog"
CLOSE = 1e-4


def run(model: Model, text: str = TEXT, target: str | None = None, edits: tuple[Edit, ...] = ()) -> Trace:
    translates = model.config.kind == "encoder-decoder"
    return model.trace(text, keep=keep_for_routes(model.config), target=target if translates else None, edits=edits)


def head_vectors(summed: StageSum, token: int) -> torch.Tensor:
    """What each head gives one token from each token that it reads: (heads, keys, d_model)."""
    every = slice(None)
    return summed.weights(every, torch.tensor([token]))[:, 0, :, None] * summed.written(every)


def difference(model: Model, trace: Trace, stage: str, token: int) -> float:
    """How far the sum of a node's parts is from the node, against the size of its largest number."""
    summed = StageSum(model, trace, stage)
    total = torch.stack([vectors[0] for vectors in summed.whole_parts(torch.tensor([token])).values()]).sum(0)
    if not stage.endswith("ffn"):
        total = total + head_vectors(summed, token).sum((0, 1))
    whole = summed.whole[token]
    return float((total - whole).abs().max() / whole.abs().max().clamp_min(1))


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@settings(max_examples=10)
def test_the_parts_of_each_node_sum_to_it(name: str, data: st.DataObject) -> None:
    model = small_model(name)
    text = " ".join(data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)))
    trace = run(model, text, " ".join(data.draw(st.lists(st.sampled_from(WORDS), max_size=4))))
    token = data.draw(st.integers(0, len(trace.tokens) - 1))
    for stage in stages_of(model.config)[1:]:
        assert difference(model, trace, stage.name, token) < CLOSE, stage.name


@pytest.mark.parametrize("name", BUNDLED)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), place=st.integers(0, 9))
@settings(max_examples=5)
def test_the_parts_of_each_node_sum_to_it_in_every_bundled_model(name: str, words: list[str], place: int) -> None:
    model = loaded(name)
    trace = run(model, " ".join(words), "")
    for number, stage in enumerate(stages_of(model.config)[1:], start=1):
        token = place % len(trace.tokens)
        assert difference(model, trace, stage.name, token) < CLOSE, stage.name
        assert float(edges_into(model, trace, number, token).importance.sum()) == pytest.approx(1, abs=1e-5)


def test_a_hand_worked_example() -> None:
    """y = (3, 1): the stream (2, 2), a head that gives (1, 0) and (-1, -1), a feed-forward that gives (1, 0).

    |y| = 4; |(2, 2) - y| = 2, so the stream's proximity is 2; |(1, 0) - y| = 3, so it is 1; (-1, -1) is further from y
    than the zero vector: 0.
    """
    whole = torch.tensor([3.0, 1.0])
    parts = torch.tensor([[2.0, 2.0], [1.0, 0.0], [-1.0, -1.0], [1.0, 0.0]])
    assert parts.sum(0).tolist() == whole.tolist()
    assert proximity(parts, whole).tolist() == [2.0, 1.0, 0.0, 1.0]
    assert proximity(whole, whole) == 4


@pytest.mark.parametrize("name", [*VARIANTS, "blocks"])
def test_the_importances_are_those_of_the_vectors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where long texts go in blocks of heads and nodes."""
    if name == "blocks":
        monkeypatch.setattr(stage_sum, "BLOCK", 1)
    model = small_model("Llama" if name == "blocks" else name)
    trace = run(model, target="the dog")
    tokens = torch.arange(len(trace.tokens))
    for stage in stages_of(model.config)[1:]:
        summed = StageSum(model, trace, stage.name)
        found, parts = summed.importances(tokens), summed.whole_parts(tokens)
        for token in tokens.tolist():
            vectors = [each[token] for each in parts.values()]
            heads = [] if stage.part == "ffn" else list(head_vectors(summed, token).flatten(0, 1))
            near = torch.stack([proximity(each, summed.whole[token]) for each in (*vectors, *heads)])
            shares = [float(each[token]) for each in found.whole.values()]
            if found.heads is not None:
                shares += found.heads[:, token].flatten().tolist()
            total = float(near.sum()) or 1.0  # 0 where every part is further from the node than the zero vector
            assert shares == pytest.approx((near / total).tolist(), abs=1e-5)
            assert sum(shares) == pytest.approx(1 if near.any() else 0, abs=1e-5)


def test_a_head_gives_nothing_from_a_token_that_it_must_not_read() -> None:
    model = small_model("Llama")
    heads = StageSum(model, run(model), "decoder.1.self_attn").importances(torch.tensor([2])).heads
    assert heads is not None
    assert not heads[:, 0, 3:].any()
    assert heads[:, 0, :3].any()


def test_the_edges_lead_back_from_the_asked_token() -> None:
    model = small_model("GPT-2")
    trace = run(model)
    routes = flow_routes(model, trace, position=4, least=0.02)
    reached = {(len(routes.stages) - 1, 4)}
    for stage, token, part, from_stage, from_token in routes.edges.tolist():
        assert (stage, token) in reached, "a node is told of before its edges"
        assert from_token <= token <= 4
        if part == BIAS:
            assert from_stage == NOWHERE
            continue
        assert from_stage == stage - 1
        assert part == STREAM or (part == FFN) == routes.stages[stage].name.endswith("ffn")
        reached.add((from_stage, from_token))
    assert (0, 4) in reached, "the stream leads down to the embedding"
    assert float(routes.importance.min()) >= 0.02


@given(low=st.floats(0.01, 0.2), more=st.floats(0, 0.3))
@settings(max_examples=20)
def test_a_higher_threshold_is_the_walk_at_that_threshold(low: float, more: float) -> None:
    model = loaded("tiny-lm")
    trace = run(model)
    few, many = flow_routes(model, trace, least=low + more), flow_routes(model, trace, least=low)
    kept = many.above(low + more)
    assert sorted(kept.edges.tolist()) == sorted(few.edges.tolist())
    assert len(kept) <= len(many)
    assert float(kept.importance.sum()) == pytest.approx(float(few.importance.sum()), abs=1e-4)


def test_a_parallel_block_reads_the_stream_that_it_finds() -> None:
    stages = stages_of(config("decoder", **VARIANTS["GPT-NeoX"][1]))
    assert [(stage.name, stage.reads) for stage in stages[:4]] == [
        ("decoder.embed", 0), ("decoder.0.self_attn", 0), ("decoder.0.ffn", 0), ("decoder.1.self_attn", 2),
    ]  # fmt: skip
    model = small_model("GPT-NeoX")
    edges = flow_routes(model, run(model), least=0).edges
    assert {stage - origin for stage, _, part, origin, _ in edges.tolist() if part == FFN} == {2}


def test_cross_attention_comes_from_the_source() -> None:
    model = small_model("paper")
    trace = run(model, "I am a robot you like", "the dog")
    routes = flow_routes(model, trace, least=0)
    crossing = {stage.name.endswith("cross_attn"): set() for stage in routes.stages}
    for stage, _, part, origin, token in routes.edges.tolist():
        if part >= 0:
            crossing[routes.stages[stage].part == "cross_attn"].add((origin == SOURCE, token))
    assert {token for inside, token in crossing[True] if inside} == set(range(len(trace.source_tokens)))
    assert not any(inside for inside, _ in crossing[False])


@pytest.mark.parametrize("edit", [ablate("decoder.1.self_attn", 2), scale("decoder.1.self_attn.heads.2", -1.5)])
def test_an_edited_head_counts_as_it_is_edited(edit: Edit) -> None:
    model = small_model("Llama")
    trace = run(model, edits=(edit,))
    assert difference(model, trace, "decoder.1.self_attn", 5) < CLOSE


def test_without_a_dropped_edge_it_is_no_part() -> None:
    model = small_model("Llama")
    edge = DropEdge("decoder.1.self_attn", 5, 2, 3)
    summed = StageSum(model, run(model, edits=(edge,)), edge.path)
    assert not summed.vector(5, 2, 3).any()
    assert summed.vector(5, 2, 4).any()
    assert difference(model, summed.trace, edge.path, 5) < CLOSE


def test_one_part_is_that_of_all() -> None:
    model = small_model("Qwen2")
    summed = StageSum(model, run(model), "decoder.1.self_attn")
    torch.testing.assert_close(summed.vector(4, 3, 2), head_vectors(summed, 4)[3, 2])
    whole = summed.whole_parts(torch.tensor([4]))
    torch.testing.assert_close(summed.vector(4, STREAM, 0), whole[STREAM][0])


def test_the_heads_together_are_the_sum_of_their_vectors() -> None:
    summed = StageSum(small_model("Qwen3"), run(small_model("Qwen3")), "decoder.0.self_attn")
    torch.testing.assert_close(summed.head_sum(5), head_vectors(summed, 5).sum((0, 1)))


def test_no_large_tensor_is_made_of_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """All vectors of the heads of one layer would be more than five times as large as the largest that is made."""
    model = loaded("tiny-lm")
    trace, sizes = run(model, "the dog sees the cat " * 18), []

    def measured(part: torch.Tensor, whole: torch.Tensor) -> torch.Tensor:
        sizes.append(part.numel())
        return proximity(part, whole)

    monkeypatch.setattr(stage_sum, "proximity", measured)
    tokens = len(trace.tokens)
    StageSum(model, trace, "decoder.0.self_attn").importances(torch.arange(tokens))
    every = model.config.n_heads * tokens * tokens * model.config.d_model
    assert tokens > 80
    assert max(sizes) <= stage_sum.BLOCK < every / 5


def test_each_layer_of_a_long_text_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model, made, run_layer = loaded("tiny-lm"), list[int](), Transformer.run_layer
    text = "the dog sees the cat " * 5

    def count(network: Transformer, stack: str, layer: int, *rest: Any) -> Tensor:
        made.append(layer)
        return run_layer(network, stack, layer, *rest)

    monkeypatch.setattr(Transformer, "run_layer", count)
    keep, layers = keep_for_routes(model.config), model.config.n_decoder_layers
    one_layer = kept_bytes(model.config, keep, len(model.tokens_of(text))) // layers
    trace = model.trace_on_demand(text, max_bytes=one_layer).keeping(keep)
    routes = flow_routes(model, trace, least=0.05)
    assert made == list(reversed(range(layers)))
    kept = flow_routes(model, run(model, text), least=0.05)
    assert routes.names == kept.names
    torch.testing.assert_close(routes.importance, kept.importance)


def test_the_search_may_end_at_any_stage() -> None:
    model = loaded("tiny-lm")
    trace = run(model)
    whole, found = flow_routes(model, trace, 3, 0.02), list(edges_by_stage(model, trace, 3, 0.02))
    assert len(found) == len(whole.stages) - 1
    for count in range(1, len(found) + 1):
        some = join_stages(model, trace, 3, found[:count])
        here = whole.edges[:, 0] >= len(whole.stages) - count
        assert torch.equal(some.edges, whole.edges[here])
        assert torch.equal(some.importance, whole.importance[here])
        assert (some.position, some.tokens) == (3, whole.tokens)


def test_the_highest_edge_of_a_head_reads_another_token_if_it_can() -> None:
    model = loaded("tiny-lm")
    routes = flow_routes(model, run(model), least=0.05)
    edge = DropEdge.parse(routes.highest_head)
    heads = [row for row in routes.edges.tolist() if row[2] >= 0 and row[1] != row[4]]
    assert edge.key != edge.token
    assert routes.stages[max(row[0] for row in heads)].name == edge.path
    assert flow_routes(model, run(model), least=2.0).highest_head == f"{routes.stages[-1].name}@{routes.position}"


def test_a_position_that_is_not_there_is_named() -> None:
    model = small_model("Llama")
    with pytest.raises(NoSuchAnswer, match="There is no position 99: the text has 8 tokens"):
        flow_routes(model, run(model), position=99)
