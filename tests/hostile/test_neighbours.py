"""Every kind of long work lets others go first between its steps: none holds the processor for itself until its end.

That a turn is then handed on: tests/pages/shared/model_runs/test_processor_turns.py. How long a visitor waits beside
such work, on the real server: `python -m tests.benchmarks neighbours`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from model import Model, load, work_bound
from model.analysis.attribution import keep_for_account
from model.analysis.circuits.direct_path import key_reader, vocabulary
from model.analysis.flow_routes import flow_routes, keep_for_routes
from model.analysis.head_steps import Attention
from model.cost.cache_race import time_steps
from model.cost.timing import measure
from model.experiments.causality import separate_passes
from model.experiments.gradient_by_distance import gradient_by_distance
from model.experiments.head_ablation import AblationSweep, next_token_loss
from model.experiments.layerwise_gradient import layer_gradients, record_streams
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, record_pair, sites_of
from model.generation import surprise
from model.generation.beam import beam_search
from model.generation.steps import generate
from model.recurrent.blank import train_readers
from model.run import ids_of
from model.work_bound import WorkBound

TEXT = "The dog is hungry because it is here and the cat is not"


def patching(model: Model) -> Patching:
    ids = ids_of(model.tokens_of(TEXT))
    other = ids.clone()
    other[1] = ids[3]
    return Patching(model.network, record_pair(model.network, Prompt(ids), Prompt(other)), 5, 9)


def patch_a_layer(model: Model) -> None:
    (site, *_), found = sites_of(model.network), patching(model)
    for cells in found.batches(site):
        found.shares(site, 0, cells)


def go_back(model: Model) -> None:
    ids = ids_of(model.tokens_of(TEXT))
    list(layer_gradients(model.network, record_streams(model.network, ids, None), torch.ones_like))


def read_layers(model: Model) -> None:
    made = model.trace_on_demand(TEXT)
    for layer in range(model.config.n_decoder_layers):
        _ = made[f"decoder.{layer}.ffn.out"]


@torch.inference_mode()
def lose(model: Model) -> None:
    network, ids = model.network, ids_of(model.tokens_of(TEXT))
    next_token_loss(network, torch.zeros(len(ids), network.config.d_model), ids)


WORKS: dict[str, Callable[[Model], object]] = {
    "a run": lambda model: model.trace(TEXT, keep=keep_for_account(model.config)),
    "layers that are made again": read_layers,
    "each head taken away": lambda model: list(AblationSweep(model.network, ids_of(model.tokens_of(TEXT))).run()),
    "the loss of a long text": lose,
    "patching": patch_a_layer,
    "the estimate of patching": lambda model: list(patching(model).estimate_layers()),
    "a gradient": go_back,
    "a gradient by distance": lambda model: gradient_by_distance(model.network, ids_of(model.tokens_of(TEXT))[None]),
    "writing": lambda model: list(model.generate(TEXT, max_new_tokens=5)),
    "writing without a cache": lambda model: list(generate(model.network, torch.tensor([1, 2]), 5, cache=False)),
    "a race": lambda model: list(time_steps(model.network, [1, 2, 3], 5, cache=False)),
    "a measurement of time": lambda model: list(measure(model.network, [8], repeats=3)),
    "separate passes": lambda model: list(separate_passes(model, model.tokens_of(TEXT))),
    "the routes of a word": lambda model: flow_routes(model, model.trace(TEXT, keep=keep_for_routes(model.config))),
    "a head's words": lambda model: list(vocabulary(key_reader(model, Attention("decoder", 0, "self_attn")))),
    "readers that are trained": lambda _: train_readers(steps=5),
}


@pytest.mark.parametrize("name", WORKS)
def test_a_long_work_lets_others_go_first(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_bound, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(surprise, "AT_ONCE", 2)
    model, waits = load("tiny-lm"), list[bool]()
    assert_asked(lambda: WORKS[name](model), waits, 1 if name == "a head's words" else 4)


def test_a_translator_that_searches_with_a_beam_lets_others_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_bound, "LOOK_SECONDS", 0.0)
    translator = load("en-ur")
    start = torch.tensor([translator.output_tokenizer.sequence_start])
    source = ids_of(translator.tokens_of("I am here"))
    search = lambda: beam_search(translator.network, start, 4, (), source=source, width=3)  # noqa: E731
    assert_asked(search, [], 4)


def assert_asked(work: Callable[[], object], asked: list[bool], least: int) -> None:
    with work_bound.within(WorkBound(60, 10**9, hand_on=lambda: asked.append(True))):
        work()
    assert len(asked) >= least
