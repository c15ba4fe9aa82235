"""Patching of queries, keys, values and patterns, which make what a head gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from model.edits.edit import Change
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, UnequalPrompts, record_pair, sites_of
from model.experiments.surgery import without
from model.network.transformer import Transformer
from model.tape import Tape
from model.zoo.build import build
from tests.model.experiments.pairs import CLEAN, CORRUPTED, make, prompts_of
from tests.model.zoo import tiny
from tests.model.zoo.opened import read

ANSWER, AGAINST = 6, 11
FROM_THE_START = torch.tensor([7, *CLEAN[1:].tolist()])  # no token is shared


def site_of(kind: str) -> Site:
    return Site("decoder", f"self_attn.{kind}")


def patching_of(network: Transformer, corrupted: Tensor = CORRUPTED) -> Patching:
    return Patching(network, record_pair(network, Prompt(CLEAN), Prompt(corrupted)), ANSWER, AGAINST)


@torch.inference_mode()
def by_hook(theirs: Any, kind: str, layer: int, head: int, clean: Tensor, corrupted: Tensor) -> Tensor:
    """The logits of the corrupted run with the columns of one head of a projection from the clean one: (answers,)."""
    projection = getattr(theirs.model.layers[layer].self_attn, f"{kind}_proj")
    width = theirs.config.head_dim
    columns = slice(head * width, (head + 1) * width)
    found: list[Tensor] = []

    def put(_module: Any, _read: Any, given: Tensor) -> Tensor:
        found.append(given)
        patched = given.clone()
        patched[..., columns] = found[0][..., columns]
        return patched

    hook = projection.register_forward_hook(put)
    _, logits = (theirs(input_ids=ids[None]).logits[0, -1] for ids in (clean, corrupted))
    hook.remove()
    return logits


@pytest.mark.parametrize("changed", [1, 3])
def test_queries_keys_and_values_are_those_of_hooks_on_transformers(changed: int, tmp_path: Path) -> None:
    """Of a Llama whose heads share key heads. The tokens before the changed one come from the cache."""
    theirs, path = tiny.llama(tmp_path)
    network = build(*read(path))
    assert network.config.kv_heads < network.config.n_heads
    corrupted = CLEAN.clone()
    corrupted[changed] = 7
    patching = patching_of(network, corrupted)
    for kind in "qkv":
        layers, heads = patching.shape(site_of(kind))
        assert heads == (network.config.n_heads if kind == "q" else network.config.kv_heads)
        for layer in range(layers):
            for head in range(heads):
                expected = by_hook(theirs, kind, layer, head, CLEAN, corrupted)
                logits = patching.run_row(site_of(kind), layer, head)
                torch.testing.assert_close(logits, expected, atol=1e-4, rtol=1e-4)
                assert not logits.allclose(patching.pair.logits[1], atol=1e-6)


def with_clean(network: Transformer, kind: str, layer: int, head: int) -> Transformer:
    """The network whose runs have this tensor of one head as it is in the clean run."""
    name = site_of(kind).name(layer)
    tape = Tape(name)
    network(CLEAN, None, tape)
    clean, chosen = tape.records[name].detach(), torch.arange(network.config.n_heads)[:, None, None] == head
    return without(network, (), [Change(name, lambda found: torch.where(chosen, clean, found))])


@pytest.mark.parametrize(("first", "second", "both"), [("q", "k", "weights"), ("weights", "v", "heads")])
def test_what_makes_a_part_brings_back_what_the_part_does(first: str, second: str, both: str) -> None:
    """Query and key of a head make its pattern; pattern and values make what the head gives."""
    network = make(0, 2)
    plain = patching_of(network, FROM_THE_START)
    for head in range(3):
        half = patching_of(with_clean(network, first, 1, head), FROM_THE_START)
        logits = half.run_row(site_of(second), 1, head)
        torch.testing.assert_close(logits, plain.run_row(site_of(both), 1, head), atol=1e-5, rtol=1e-5)
        assert not logits.allclose(half.pair.logits[1], atol=1e-6)


def test_all_heads_together_are_the_attention_that_they_make() -> None:
    """At one token, whose query looks at the same keys and values in both runs: only the token itself is changed."""
    network = make(0, 2)
    last = CLEAN.clone()
    last[-1] = 7
    patching = patching_of(network, last)
    half = patching_of(without(network, (), [_values_of_clean(network)]), last)
    logits = half.run_row(site_of("weights.all"), 1, 5)
    torch.testing.assert_close(logits, patching.run_row(site_of("out"), 1, 5), atol=1e-5, rtol=1e-5)
    assert not logits.allclose(patching.pair.logits[1], atol=1e-6)


def _values_of_clean(network: Transformer) -> Change:
    """The values of the clean run in the last layer."""
    name = site_of("v").name(1)
    tape = Tape(name)
    network(CLEAN, None, tape)
    clean = tape.records[name].detach()
    return Change(name, lambda found: clean[..., -found.shape[-2] :, :].expand_as(found))


def test_keys_and_values_of_a_translators_decoder_have_the_tokens_of_its_source() -> None:
    network = make(2, 2)
    patching = Patching(network, record_pair(network, *prompts_of(network)), ANSWER, AGAINST)
    for kind, tokens in {"q": 6, "weights": 6, "k": 4, "v": 4}.items():
        assert patching.run_head(Site("decoder", f"cross_attn.{kind}"), 1, 0).shape == (tokens,)


def test_patterns_of_long_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.experiments.patching.LONGEST_PATTERN", 5)
    network = make(0, 2)
    patching, pattern = patching_of(network), site_of("weights")
    assert set(sites_of(network)) - set(patching.sites) == {pattern, site_of("weights.all")}
    assert set(patching.estimates) == set(patching.sites)
    with pytest.raises(UnequalPrompts, match="at most 5 tokens, and these have 6"):
        next(patching.run(pattern))
