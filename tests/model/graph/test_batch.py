"""Runs that are made together give the numbers that each gives alone."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.graph.batch import MAX_BATCH_TOKENS, fill_up, group, record_together
from model.graph.run_request import RunRequest
from model.network.transformer import Transformer
from model.run import Model
from model.tape import Tape
from tests.model.networks import VARIANTS, variant

lengths = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=2, max_size=5)


def request(made: Transformer, length: int, source_length: int, keep: tuple[str, ...] = ("*",)) -> RunRequest:
    """Ids that differ from place to place."""
    written = made.config.target_vocab_size or made.config.vocab_size
    ids = tuple((3 * place + length) % written for place in range(length))
    source = tuple((5 * place + length) % made.config.vocab_size for place in range(source_length))
    return RunRequest(ids, source if made.config.kind == "encoder-decoder" else (), keep)


def run_alone(made: Transformer, asked: RunRequest) -> dict[str, torch.Tensor]:
    tape = Tape(asked.keep)
    with torch.inference_mode():
        made(torch.tensor(asked.ids), torch.tensor(asked.source) if asked.source else None, tape)
    return dict(tape.records)


def check_same(found: dict[str, torch.Tensor], alone: dict[str, torch.Tensor]) -> None:
    assert set(found) == set(alone)
    for name, tensor in alone.items():
        assert found[name].shape == tensor.shape, name
        torch.testing.assert_close(found[name], tensor.float(), rtol=1e-5, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=4)
@given(sizes=lengths)
def test_every_tensor_of_a_batch_is_that_of_a_run_alone(name: str, sizes: list[tuple[int, int]]) -> None:
    made = variant(name).double()  # these networks are random and sharp: the rounding of float32 would grow in them
    asked = [request(made, *size) for size in sizes]
    for found, each in zip(record_together(made, asked), asked, strict=True):
        check_same(found, run_alone(made, each))


@pytest.mark.slow
def test_real_sentences_of_a_deep_model_agree_to_a_hundred_thousandth(smollm2: Model) -> None:
    texts = ("The dog is hungry because it", "I", "The animal did not cross the street because it was too tired")
    traces = [smollm2.trace(text, keep=("*.weights", "*.resid_out", "logits")) for text in texts]
    asked = [RunRequest(tuple(token.id for token in trace.tokens), (), tuple(trace.tensors)) for trace in traces]
    for found, trace in zip(record_together(smollm2.network, asked), traces, strict=True):
        for name, tensor in trace.tensors.items():
            assert float((found[name] - tensor).abs().max()) <= 1e-5 * max(1.0, float(tensor.abs().max())), name


def test_runs_that_keep_other_tensors_go_apart_and_come_back_in_their_order() -> None:
    made = variant("Llama")
    asked = [request(made, 3, 0), request(made, 4, 0, ("logits",)), request(made, 2, 0)]
    assert sorted(map(sorted, group(asked))) == [[0, 2], [1]]
    found = record_together(made, asked)
    assert set(found[1]) == {"logits"}
    for tensors, each in zip(found, asked, strict=True):
        check_same(tensors, run_alone(made, each))


@given(st.lists(st.integers(1, MAX_BATCH_TOKENS + 9), min_size=1, max_size=20))
def test_no_batch_of_several_is_larger_than_its_bound(sizes: list[int]) -> None:
    asked = [RunRequest((0,) * size, (), ("*",)) for size in sizes]
    batches = list(group(asked))
    assert sorted(place for batch in batches for place in batch) == list(range(len(sizes)))
    for batch in batches:
        longest = max(sizes[place] for place in batch)
        assert len(batch) == 1 or longest * len(batch) <= MAX_BATCH_TOKENS


def test_a_batch_is_filled_up_behind_its_sentences() -> None:
    ids, is_real = fill_up([(5, 6, 7), (8,)])
    assert ids.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert is_real.tolist() == [[True, True, True], [True, False, False]]
