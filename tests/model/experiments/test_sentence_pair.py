"""The runs of a pair of sentences: made for it, or beside a run that is there already."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch

from model.experiments.layerwise_gradient import record_streams
from model.experiments.sentence_pair import Prompt, SentencePair, UnequalPrompts, record_beside, record_pair
from model.experiments.surgery import without
from model.graph.network_graph import make_graph
from model.network.transformer import Transformer
from tests.model.experiments.pairs import CLEAN, CORRUPTED, EDITS, NETWORKS, make, prompts_of
from tests.model.networks import variant


@pytest.mark.parametrize(("layers", "turns"), [((0, 3), 3), ((2, 2), 3)])
def test_each_run_of_a_pair_waits_for_a_turn(layers: tuple[int, int], turns: int) -> None:
    """The shared tokens, and each run. No layer is run outside of a turn."""
    network, taken, holds = make(*layers), list[bool](), list[bool]()
    for stack in (network.encoder, network.decoder):
        if stack is not None:
            stack.blocks[0].register_forward_hook(lambda *_: holds.append(taken[-1]))

    @contextmanager
    def take_turn() -> Iterator[None]:
        taken.append(True)
        yield
        taken.append(False)

    record_pair(network, *prompts_of(network), take_turn=take_turn)
    assert taken.count(True) == turns
    assert holds
    assert all(holds)


def beside(network: Transformer, clean: Prompt, corrupted: Prompt, more: int = 0) -> SentencePair:
    """The pair beside a clean run that is there already. It has read `more` tokens behind those of the prompt."""
    own = record_streams(network, torch.cat([clean.ids, torch.arange(more)]), clean.source)
    with torch.inference_mode():
        hidden = own[make_graph(network.config).outputs[network.config.stacks[-1]]]  # (tokens, d_model)
        logits = network.answer(hidden[: len(clean.ids)], clean.from_end)
    return record_beside(network, clean, corrupted, own, logits)


def check_same(found: SentencePair, expected: SentencePair) -> None:
    assert found.shared == expected.shared
    for run, wanted in zip(found.runs, expected.runs, strict=True):
        assert set(run) == set(wanted)
        for name, tensor in run.items():
            torch.testing.assert_close(tensor, wanted[name], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", NETWORKS)
def test_beside_a_recorded_run_the_pair_is_the_same(kind: str) -> None:
    encoder, decoder, values = NETWORKS[kind]
    network = make(encoder, decoder, **values)
    prompts = prompts_of(network)
    check_same(beside(network, *prompts), record_pair(network, *prompts))


@pytest.mark.parametrize("edits", EDITS)
def test_beside_a_run_of_an_edited_network_the_pair_is_the_same(edits: str) -> None:
    network = without(make(0, 3), (), EDITS[edits])
    prompts = prompts_of(network)
    check_same(beside(network, *prompts), record_pair(network, *prompts))


@pytest.mark.parametrize("changed", [0, 2, 5])
@pytest.mark.parametrize("name", ["Llama", "GPT-2", "GPT-NeoX", "Qwen3"])
def test_beside_a_longer_run_the_pair_of_a_decoder_is_the_same(name: str, changed: int) -> None:
    network, corrupted = variant(name), CLEAN.clone()
    corrupted[changed] = 7
    prompts = Prompt(CLEAN), Prompt(corrupted)
    check_same(beside(network, *prompts, more=3), record_pair(network, *prompts))


def test_an_encoder_without_classes_is_refused() -> None:
    with pytest.raises(UnequalPrompts, match="neither a word nor a class"):
        record_pair(make(2, 0), Prompt(CLEAN), Prompt(CORRUPTED))


def test_where_both_predict_the_same_the_token_that_gains_most_is_taken() -> None:
    network = make(0, 2)
    pair = record_pair(network, *prompts_of(network))
    likeliest = int(pair.logits[1].argmax())
    answer, against = pair.telling_tokens(likeliest)
    rises = pair.logits[1].log_softmax(-1) - pair.logits[0].log_softmax(-1)
    likely = set(pair.logits[1].topk(10).indices.tolist()) - {likeliest}
    assert answer == likeliest
    assert against == max(likely, key=lambda id: float(rises[id]))
