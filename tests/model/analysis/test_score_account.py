"""The account of a score sums to it, for every model, and its pairs are those of the reference's own tensors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model import Model, Trace, account_of_score
from model.analysis.head_steps import Attention, kinds
from model.analysis.score_account import (
    Against,
    NoSuchScore,
    ScoreAccount,
    keep_for_score,
    score_account,
    weights_without,
)
from model.analysis.stream_parts import parts_before
from model.edits.edit import Change
from model.edits.parts import ablate
from model.errors import ModelMismatch
from model.loading import read_checkpoint
from tests.conftest import loaded
from tests.model.analysis import expansion
from tests.model.analysis.expansion import Stack, pairs_of
from tests.model.networks import VARIANTS, small_model
from tests.model.zoo import reference, tiny_families, tiny_t5

WORDS = ("I", "am", "a", "robot", "you", "like", "the", "dog", "is", "cool", "what", "time")  # of every vocabulary
BUNDLED = ("tiny-lm", "tiny-lm-concat", "tiny-lm-learned", "tiny-lm-none", "tiny-lm-rotary", "en-ur", "tiny-encoder")
TEXT = "I am a robot and the weather is cool"
CLOSE = 1e-4


def visible_pair(trace: Trace, at: Attention, data: st.DataObject) -> tuple[int, int]:
    """A query, and a key that it may see."""
    seen = trace[f"{at.path}.mask"].isfinite()
    query, key = data.draw(st.sampled_from(seen.nonzero().tolist()))
    return query, key


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@settings(max_examples=12)
def test_the_pairs_sum_to_the_score(name: str, data: st.DataObject) -> None:
    model = small_model(name)
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
    target = data.draw(words) if model.config.kind == "encoder-decoder" else None
    stack, part = data.draw(st.sampled_from(kinds(model.config)))
    at = Attention(stack, data.draw(st.integers(0, model.config.n_layers(stack) - 1)), part)
    trace = model.trace(data.draw(words), target=target, keep=keep_for_score(model.config, at))
    query, key = visible_pair(trace, at, data)
    against: Against = data.draw(st.sampled_from((None, key, "mean")))
    account = score_account(model, trace, at, data.draw(st.integers(0, 3)), query, key, against)
    assert account.difference < CLOSE * max(1.0, float(account.pairs.abs().max()))
    if against == key:
        assert account.value == 0
        assert not account.pairs.any()


@pytest.mark.parametrize("name", BUNDLED)
def test_the_pairs_sum_to_the_score_of_every_bundled_model(name: str) -> None:
    model = loaded(name)
    trace = model.trace("the dog sees the cat", target="" if name == "en-ur" else None)
    for stack, part in kinds(model.config):
        layer = model.config.n_layers(stack) - 1
        query = len(trace[f"{stack}.{layer}.{part}.mask"]) - 1
        account = account_of_score(trace, f"{stack}.{part}", layer, 1, query, 0, against="mean")
        assert account.difference < CLOSE


def weights_of(theirs: Any, trace: Trace, layer: int, watch: Stack) -> torch.Tensor:
    """The weights of the reference's attention over the same tokens: (heads, queries, keys)."""
    ids = torch.tensor([[token.id for token in trace.tokens]])
    with watch.watching():
        weights: torch.Tensor = theirs(ids, output_attentions=True).attentions[layer][0]
    return weights


def assert_parity(
    stack: Stack, trace: Trace, at: Attention, weights: torch.Tensor, scale: float, memory: Any = None
) -> None:
    """The pairs are those of the reference, and the softmax of the totals of all keys is its row of weights."""
    head, query = 1, min(4, weights.shape[-2] - 1)
    visible = trace[f"{at.path}.mask"][query].isfinite()
    totals = torch.full(visible.shape, -torch.inf)
    for key in visible.nonzero().flatten().tolist():
        account = account_of_score(trace, f"{at.stack}.{at.part}", at.layer, head, query, key)
        totals[key] = account.total
        wanted = pairs_of(stack, at.path, head, query, key, memory)
        found = found_pairs(account)
        assert found.keys() == wanted.keys()
        assert found == pytest.approx({pair: value * scale for pair, value in wanted.items()}, abs=CLOSE)
    torch.testing.assert_close(totals.softmax(-1), weights[head, query], atol=CLOSE, rtol=0)


def found_pairs(account: ScoreAccount) -> dict[tuple[str, str], float]:
    by_query, by_key = account.parts
    return {(a, b): float(account.pairs[i, j]) for i, a in enumerate(by_query) for j, b in enumerate(by_key)}


DECODERS: dict[str, Callable[[Any], Stack]] = {
    "llama": expansion.llama,
    "llama, biases": expansion.llama,
    "llama, slower turns": expansion.llama,
    "gpt2": expansion.gpt2,
    "gpt_neox": expansion.gpt_neox,
    "gpt_neox, one after the other": expansion.gpt_neox,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DECODERS)
def test_the_pairs_are_those_of_a_decoder_of_transformers(name: str, tmp_path: Path) -> None:
    theirs = tiny_families.make(name, tmp_path)
    model, stack = read_checkpoint(tmp_path), DECODERS[name](theirs)
    trace = model.trace(TEXT)
    weights = weights_of(theirs, trace, 2, stack)
    assert_parity(stack, trace, Attention("decoder", 2, "self_attn"), weights, model.config.head_width**-0.5)


@pytest.mark.slow
def test_the_pairs_are_those_of_a_bert_of_transformers(tmp_path: Path) -> None:
    theirs = tiny_families.make_encoder("bert", tmp_path)
    model, stack = read_checkpoint(tmp_path), expansion.bert(theirs)
    trace = model.trace(TEXT)
    weights = weights_of(theirs, trace, 2, stack)
    assert_parity(stack, trace, Attention("encoder", 2, "self_attn"), weights, model.config.head_width**-0.5)


@pytest.mark.slow
def test_the_pairs_are_those_of_a_t5_of_transformers(tmp_path: Path) -> None:
    """Its scores are not scaled. The bias of relative positions is the rest; cross-attention reads the encoder."""
    theirs = tiny_t5.make("t5", tmp_path)
    model = read_checkpoint(tmp_path)
    encoder, decoder = expansion.t5(theirs, "encoder"), expansion.t5(theirs, "decoder")
    trace = model.trace(TEXT, target="I am a cat")
    ids, source = (torch.tensor([[token.id for token in each]]) for each in (trace.tokens, trace.source_tokens))
    with encoder.watching(), decoder.watching():
        made = theirs(source, decoder_input_ids=ids, output_attentions=True)
    assert_parity(encoder, trace, Attention("encoder", 2, "self_attn"), made.encoder_attentions[2][0], 1.0)
    assert_parity(decoder, trace, Attention("decoder", 1, "self_attn"), made.decoder_attentions[1][0], 1.0)
    memory = encoder.stream()
    assert_parity(decoder, trace, Attention("decoder", 2, "cross_attn"), made.cross_attentions[2][0], 1.0, memory)
    biased = account_of_score(trace, "decoder.self_attn", 1, 0, 3, 1)
    assert biased.rest == float(trace["decoder.1.self_attn.position_bias"][0, 3, 1])


@pytest.mark.slow
def test_the_pairs_are_those_of_smollm2_in_transformers(smollm2: Model) -> None:
    theirs = reference.smollm2(smollm2.card)
    stack = expansion.llama(theirs)
    trace = smollm2.trace("The cat sat. The cat")
    weights = weights_of(theirs, trace, 17, stack)
    assert_parity(stack, trace, Attention("decoder", 17, "self_attn"), weights, 1 / 8)


def test_a_lead_is_the_difference_of_two_scores() -> None:
    trace = small_model("Llama").trace("I am a robot you like the dog")
    place = "decoder.self_attn", 1, 2, 6
    each = [account_of_score(trace, *place, key) for key in range(7)]
    lead = account_of_score(trace, *place, 4, against=1)
    torch.testing.assert_close(lead.pairs, each[4].pairs - each[1].pairs)
    assert lead.value == pytest.approx(each[4].value - each[1].value, abs=1e-5)
    over_mean = account_of_score(trace, *place, 4, against="mean")
    mean = torch.stack([account.pairs for account in each]).mean(0)
    torch.testing.assert_close(over_mean.pairs, each[4].pairs - mean)
    assert over_mean.value == pytest.approx(each[4].value - sum(account.value for account in each) / 7, abs=1e-5)


def test_margins_and_the_largest_pairs_by_hand() -> None:
    at = Attention("decoder", 0, "self_attn")
    pairs = torch.tensor([[1.0, -4.0], [0.5, 2.0]])
    account = ScoreAccount(at, 0, 1, 0, None, (("a", "b"), ("c", "d")), pairs, 0.25, -0.25)
    assert account.total == -0.25
    assert account.difference == 0
    assert account.margin("query") == {"a": -3.0, "b": 2.5}
    assert account.margin("key") == {"c": 1.5, "d": -2.0}
    assert account.largest(2) == [("a", "d", -4.0), ("b", "d", 2.0)]
    assert "looks from 1 at 0: " in account._repr_html_()


@pytest.mark.parametrize("name", ["Llama", "GPT-2", "Qwen3", "plain decoder", "relative decoder", "Marian"])
def test_without_a_part_the_weight_is_made_again(name: str) -> None:
    """With the attention alone: its own modules read the vector without the part."""
    model = small_model(name)
    translates = model.config.kind == "encoder-decoder"
    at = Attention("decoder", 1, "self_attn")
    trace = model.trace("I am a robot you like the dog", target="I am a robot you like" if translates else None)
    query, key, head, lost = 5, 2, 2, "decoder.0.self_attn.heads.1"
    found = weights_without(model, trace, at, head, query, key)
    stream = "decoder.1.resid_in"
    written = parts_of(model, trace, at, lost)  # (tokens, d_model)
    for side, place in (("query", query), ("key", key)):
        changed = trace[stream].clone()
        changed[place] -= written[place]
        others = [each for each in range(len(changed)) if each != place]

        def swap(x: torch.Tensor, new: torch.Tensor = changed) -> torch.Tensor:
            return new

        run = model.trace_tokens(trace.tokens, trace.source_tokens, edits=[Change(stream, swap)])
        names = ("q", "k") if side == "query" else ("k", "q")
        assert torch.equal(run[f"{at.path}.{names[0]}"][..., others, :], trace[f"{at.path}.{names[0]}"][..., others, :])
        masked = run[f"{at.path}.masked"][head, query].clone()  # (keys,)
        own = trace[f"{at.path}.masked"][head, query]
        if side == "query":  # the keys stay those of the run, that of the query itself too
            q, k = run[f"{at.path}.q"][head, query], trace[f"{at.path}.k"][model.config.kv_head_of(head)]
            bias = own - (k @ trace[f"{at.path}.q"][head, query]) * scale_of(model)
            masked = (k @ q) * scale_of(model) + bias
        weight = float(masked.softmax(-1)[key])
        assert found[side][lost] == pytest.approx(weight, abs=1e-5)  # type: ignore[index]


def scale_of(model: Model) -> float:
    return 1 / model.config.score_divisor


def parts_of(model: Model, trace: Trace, at: Attention, name: str) -> torch.Tensor:
    parts = parts_before(model, trace, at, torch.arange(len(trace.tokens)))
    return parts.vectors[parts.names.index(name)]


def test_edits_of_the_run_are_parts() -> None:
    model = small_model("GPT-2")
    silent = model.trace("I am a robot you like", edits=[ablate("decoder.0.self_attn", 2)])
    account = account_of_score(silent, "decoder.self_attn", 1, 0, 4, 2)
    assert account.margin("key")["decoder.0.self_attn.heads.2"] == 0
    assert account.difference < CLOSE
    for name, part in {
        "decoder.1.resid_in": "decoder.1.resid_in.edit",
        "decoder.0.self_attn.out": "decoder.0.self_attn.edit",
        "decoder.1.self_attn.q": "decoder.1.self_attn.query.edit",
    }.items():
        account = account_of_score(
            model.trace("I am a robot you like", edits=[Change(name, lambda x: 2 * x)]), "decoder.self_attn", 1, 0, 4, 2
        )
        assert account.margin("query")[part]
        assert account.difference < CLOSE, name
    scores = Change("decoder.1.self_attn.scores", lambda x: x + 3)
    account = account_of_score(model.trace("I am a robot you like", edits=[scores]), "decoder.self_attn", 1, 0, 4, 2)
    assert account.rest == pytest.approx(3, abs=1e-5)
    assert account.difference < CLOSE


def test_what_does_not_exist_is_named() -> None:
    model = small_model("Llama")
    trace = model.trace("I am a robot")
    for asked, said in {
        ("encoder.self_attn", 0, 0, 1, 0): "no attention encoder.self_attn. It has decoder.self_attn",
        ("decoder.self_attn", 2, 0, 1, 0): "no layer 2: the decoder has 2",
        ("decoder.self_attn", 0, 4, 1, 0): "no head 4: the layer has 4",
        ("decoder.self_attn", 0, 0, 4, 0): "no query 4: the text has 4 tokens",
        ("decoder.self_attn", 0, 0, 1, 4): "no key 4",
        ("decoder.self_attn", 0, 0, 1, 3): "may not see key 3",
    }.items():
        with pytest.raises(NoSuchScore, match=said):
            account_of_score(trace, *asked)
    with pytest.raises(NoSuchScore, match="may not see key 2"):
        account_of_score(trace, "decoder.self_attn", 0, 0, 1, 0, against=2)
    with pytest.raises(ModelMismatch, match="does not hold its model"):
        account_of_score(trace.with_network(model.network), "decoder.self_attn", 0, 0, 1, 0)
