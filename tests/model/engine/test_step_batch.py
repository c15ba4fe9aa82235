"""Steps of several generations that are read together give the numbers that each gives alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch

from model.engine.step_batch import read_together
from model.generation.sampling import Sampling
from model.generation.steps import GenerationStep, Join, NewToken, Read, StepsRequest
from model.network.transformer import Transformer
from model.run import Model
from tests.model.networks import VARIANTS, variant

STEPS = 4
WRITERS = [name for name in VARIANTS if variant(name).config.n_decoder_layers]


class Meeting:
    """Generations that wait for each other before every step but the first."""

    def __init__(self, network: Transformer, count: int) -> None:
        self.network, self.batches = network, 0
        self._tokens: dict[int, NewToken] = {}
        self._reads: dict[int, Read] = {}
        self._all_came = Barrier(count, self._read)

    def _read(self) -> None:
        self.batches += 1
        self._reads = dict(zip(self._tokens, read_together(self.network, list(self._tokens.values())), strict=True))

    def joins(self, number: int) -> Join:
        def join(token: NewToken) -> Read:
            self._tokens[number] = token
            self._all_came.wait(60)
            return self._reads[number]

        return join


def write_together(network: Transformer, requests: Sequence[StepsRequest]) -> list[list[GenerationStep]]:
    meeting = Meeting(network, len(requests))
    with ThreadPoolExecutor(len(requests)) as writers:
        works: list[Callable[[], list[GenerationStep]]] = [
            lambda request=request, number=number: list(request.steps(network, meeting.joins(number)))  # type: ignore[misc]
            for number, request in enumerate(requests)
        ]
        written = [future.result() for future in [writers.submit(work) for work in works]]
    assert meeting.batches == STEPS - 1
    return written


def check_same(network: Transformer, requests: Sequence[StepsRequest]) -> None:
    for found, request in zip(write_together(network, requests), requests, strict=True):
        alone = list(request.steps(network))
        assert [step.chosen for step in found] == [step.chosen for step in alone]
        for step, expected in zip(found, alone, strict=True):
            check_close(step.logits, expected.logits)
            assert set(step.tensors) == set(expected.tensors)
            for name, tensor in expected.tensors.items():
                check_close(step.tensors[name], tensor)


def check_close(found: torch.Tensor, expected: torch.Tensor) -> None:
    """Up to a hundred thousandth of the largest number. What is hidden is minus infinity in both."""
    largest = float(expected[expected.isfinite()].abs().max())
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5 * max(1.0, largest))


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_texts_of_other_lengths_are_written_on_as_alone_with_every_tensor(name: str) -> None:
    network = variant(name).double()  # random and sharp: the rounding of float32 would grow in it
    sources = ((1, 2, 3), (4,), (5, 6, 7, 1, 2)) if network.config.kind == "encoder-decoder" else ((),) * 3
    requests = [
        StepsRequest(ids, STEPS, Sampling(0.8), source, seed=number, keep=("*",))
        for number, (ids, source) in enumerate(zip(((1, 2, 3, 4), (2,), (3, 1)), sources, strict=True))
    ]
    check_same(network, requests)


def test_who_keeps_other_tensors_is_read_apart() -> None:
    network = variant("Llama").double()
    keeps: tuple[tuple[str, ...], ...] = (("*.weights",), (), ("*.weights",), ("logits",))
    texts = (1,), (1, 2), (1, 2, 3), (2, 1)
    check_same(network, [StepsRequest(ids, STEPS, keep=keep) for ids, keep in zip(texts, keeps, strict=True)])


@pytest.mark.slow
def test_a_deep_model_writes_the_same_words(smollm2: Model) -> None:
    texts = ("The capital of France is", "Once upon a time there was a", "I")
    ids = [tuple(token.id for token in smollm2.tokens_of(text)) for text in texts]
    check_same(smollm2.network, [StepsRequest(each, STEPS, keep=("*.resid_out",)) for each in ids])


def test_without_a_cache_nothing_is_joined() -> None:
    def refuse(_: NewToken) -> Read:
        raise AssertionError("joined")

    network = variant("Llama")
    assert len(list(StepsRequest((1, 2), STEPS, cache=False).steps(network, refuse))) == STEPS
    assert len(list(StepsRequest((1, 2), 1).steps(network, refuse))) == 1, "the first step reads the whole text"
