"""A trace knows where it comes from, and tells when that is no longer so."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import PreTrainedTokenizerFast

from model import GlassformerError, Model, Trace, ablate, adopt, attribute, explain, load
from model.adopted import release
from model.analysis.attribution import account_of
from model.engine.remote_model import RemoteModel
from model.errors import ModelMismatch
from model.vision.model import load_vision
from tests.model.engine.test_choice import CountingEngine
from tests.model.networks import word_tokenizer
from tests.model.zoo import tiny
from views.run import run_of

TEXT = "the dog sees the cat"
CELL = "decoder.1.self_attn.raw_scores", (0, 3, 1)


@pytest.fixture(scope="module")
def lm() -> Model:
    return load("tiny-lm")


def check_origin(trace: Trace, model: object, text: str | None, keep: tuple[str, ...] = ("*",)) -> None:
    assert trace.origin is not None
    assert trace.origin.model is model
    assert (trace.origin.text, trace.origin.keep) == (text, keep)


def test_every_way_to_make_a_trace_tells_the_model_and_the_text(lm: Model) -> None:
    check_origin(lm.trace(TEXT, keep="logits"), lm, TEXT, ("logits",))
    check_origin(lm.trace_on_demand(TEXT), lm, TEXT)
    check_origin(lm.trace_tokens(lm.tokens_of(TEXT)), lm, None)
    check_origin(lm.trace_batch([TEXT], keep=["logits"])[0], lm, TEXT, ("logits",))
    recurrent = load("tiny-lm-lstm")
    check_origin(recurrent.trace(TEXT), recurrent, TEXT)
    remote = RemoteModel(lm.network, lm.tokenizer, lm.card, whole=lm.network, engine=CountingEngine())
    check_origin(remote.trace(TEXT), remote, TEXT)


def test_a_trace_of_a_picture_tells_it_too() -> None:
    model = load_vision("digits-vit")
    picture = np.zeros((28, 28, 3), np.uint8)
    trace = model.trace_picture(picture, keep="image_logits")
    check_origin(trace, model, None, ("image_logits",))
    assert trace.origin is not None
    assert trace.origin.pixels is not None
    check_origin(model.trace_image_on_demand(trace.origin.pixels), model, None)
    with pytest.raises(GlassformerError, match="takes a run of a transformer that reads text"):
        run_of(trace, "*.weights")


def test_a_recurrent_run_is_no_run_of_these_views() -> None:
    with pytest.raises(GlassformerError, match="takes a run of a transformer that reads text"):
        run_of(load("tiny-lm-lstm").trace(TEXT), "*.weights")


@pytest.mark.parametrize("cache", [True, False])
def test_a_step_of_writing_is_explained_by_a_whole_run_of_its_tokens(lm: Model, cache: bool) -> None:
    """With a cache its tensors have one row, which explains nothing."""
    for step in lm.generate(TEXT, max_new_tokens=2, keep="*", cache=cache):
        assert step.trace is not None
        check_origin(step.trace, lm, None, ())
        whole = lm.trace_tokens(step.trace.tokens)
        assert explain(step.trace, *CELL).value == explain(whole, *CELL).value
        assert account_of(lm, step.trace).value == pytest.approx(float(step.logits.max()), abs=1e-4)
        run = run_of(step.trace, ("*.weights", "logits"))
        assert run.trace["logits"].shape == whole.logits.shape
        assert run.trace["decoder.0.self_attn.weights"].shape == whole["decoder.0.self_attn.weights"].shape


def test_a_trace_says_that_its_model_has_learnt_since(tmp_path: Path) -> None:
    network, _ = tiny.llama(tmp_path)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=word_tokenizer().backend, pad_token="<PAD>")
    adopted = adopt(network, tokenizer)
    text, weight = "I am a robot", "decoder.blocks.1.self_attn.query.weight"
    frozen = adopted.freeze()
    trace, lazy, kept = adopted.trace(text), adopted.trace_on_demand(text), frozen.trace(text)
    value, q = explain(trace, weight, (0, 0)).value, explain(trace, "decoder.1.self_attn.q_unrotated", (0, 1, 0))
    assert q.total == pytest.approx(q.value, abs=1e-5)
    with torch.no_grad():
        for each in network.parameters():
            each.mul_(1.5)
    weights = "decoder.1.self_attn.weights"
    assert explain(trace, weights, (0, 1, 0)).value == float(trace[weights][0, 1, 0]), "no weight takes part"
    for ask in (
        lambda: explain(trace, "decoder.1.self_attn.q_unrotated", (0, 1, 0)),
        lambda: account_of(adopted, trace),
        lambda: run_of(trace, "*.weights"),
        lambda: lazy["decoder.1.self_attn.weights"],
    ):
        with pytest.raises(ModelMismatch, match="Model in memory have changed since this run was made"):
            ask()
    assert explain(kept, weight, (0, 0)).value == value
    assert explain(kept, "decoder.1.self_attn.q_unrotated", (0, 1, 0)).total == pytest.approx(q.total)
    assert explain(adopted.trace(text), weight, (0, 0)).value == pytest.approx(1.5 * value)
    assert attribute(adopted, text).difference < 1e-3
    assert adopted.trace_batch([text], keep="logits")[0].logits.allclose(adopted.trace(text).logits, atol=1e-4)
    release(adopted)


def test_copies_of_a_trace(lm: Model) -> None:
    trace = lm.trace(TEXT, edits=[ablate("decoder.1.self_attn", 0)])
    assert copy.copy(trace) is trace
    deep = copy.deepcopy(trace)
    assert deep.origin is trace.origin
    read = pickle.loads(pickle.dumps(trace))
    assert read.origin is None, "a file of numbers holds no network"
    for made in (deep, read):
        assert made.tokens == trace.tokens
        assert list(made.tensors) == list(trace.tensors)
        for name, tensor in trace.tensors.items():
            assert torch.equal(made[name], tensor)
            assert made[name].data_ptr() != tensor.data_ptr(), name
    with pytest.raises(ModelMismatch, match="does not say which model"):
        explain(read, *CELL)
    assert explain(read.with_network(lm.network), "decoder.1.self_attn.weights", (1, 3, 1)).total > 0
    assert torch.equal(pickle.loads(pickle.dumps(lm.trace_on_demand(TEXT))).logits, lm.trace(TEXT).logits)
