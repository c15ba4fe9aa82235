"""Many texts at once give the traces that each gives alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from model import Edit, Model, Trace, ablate, load
from model.engine.remote_model import RemoteModel
from model.errors import EmptyText
from model.graph import batch
from model.network.transformer import Transformer
from tests.model.engine.test_choice import CountingEngine

TEXTS = (
    "the dog sees the cat",
    "a cat",
    "the dog is hungry because it sees the small cat",
    "the",
    "a dog sees the cat",
)
ENGLISH = ("I am a robot", "it", "the weather is cool today", "we are here")


def check_same(found: Trace, alone: Trace) -> None:
    """Equal up to rounding, with the same shapes and in memory of its own."""
    assert (found.tokens, found.source_tokens) == (alone.tokens, alone.source_tokens)
    assert list(found.tensors) == list(alone.tensors)
    for name, tensor in alone.tensors.items():
        assert found[name].shape == tensor.shape, name
        finite = tensor.isfinite()
        assert found[name].isfinite().equal(finite), name
        difference = (found[name] - tensor)[finite].abs().max() if finite.any() else 0.0
        assert float(difference) <= 1e-5 * max(1.0, float(tensor[finite].abs().max())), name
    assert found.origin is not None
    assert alone.origin is not None
    assert (found.origin.model, found.origin.text, found.origin.keep) == (
        alone.origin.model,
        alone.origin.text,
        alone.origin.keep,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "texts"), [("tiny-lm", TEXTS), ("tiny-encoder", TEXTS), ("en-ur", ENGLISH), ("tiny-lm-lstm", TEXTS)]
)
def test_every_tensor_is_that_of_the_text_alone(name: str, texts: tuple[str, ...]) -> None:
    model = load(name)
    traces = model.trace_batch(texts)
    assert len(traces) == len(texts)
    for text, found in zip(texts, traces, strict=True):
        check_same(found, model.trace(text))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["smollm2", "minilm"])
def test_so_it_is_of_real_models(name: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(name)
    keep = ("*.weights", "*.masked", "*.resid_out", "*.q", "logits", "embed.positions")
    for text, found in zip(ENGLISH, model.trace_batch(ENGLISH, keep=keep), strict=True):
        check_same(found, model.trace(text, keep=keep))


def test_a_batch_is_one_pass_that_ends_with_the_last_tensor_that_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    model, passes = load("tiny-lm"), []
    decode, logits = Transformer.decode, Transformer.logits
    monkeypatch.setattr(Transformer, "decode", lambda *asked: passes.append(asked[1].shape[0]) or decode(*asked))
    monkeypatch.setattr(Transformer, "logits", lambda *asked: passes.append("logits") or logits(*asked))
    model.trace_batch(TEXTS, keep="*.0.self_attn.weights")
    assert passes == [len(TEXTS)]
    assert [dict(trace.tensors) for trace in model.trace_batch(TEXTS, keep=())] == [{}] * len(TEXTS)
    assert passes == [len(TEXTS)]


def test_a_trace_holds_no_memory_of_the_others() -> None:
    model = load("tiny-lm")
    for text, found in zip(TEXTS, model.trace_batch(TEXTS, keep="*.weights"), strict=True):
        assert found.nbytes == sum(tensor.nbytes for tensor in found.tensors.values()), text


def test_texts_are_taken_as_traces_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []

    def texts() -> Iterator[str]:
        for text in TEXTS:
            taken.append(text)
            yield text

    monkeypatch.setattr(batch, "MAX_WINDOW", 2)
    traces = load("tiny-lm").trace_each(texts(), keep="logits")
    first = next(traces)
    assert taken == list(TEXTS[:3]), "the third text ends the window of the first two"
    rest = list(traces)
    assert [each.origin.text for each in (first, *rest) if each.origin] == list(TEXTS)


def test_a_window_has_few_bytes_and_at_least_one_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MAX_WINDOW_BYTES", 10)
    assert list(batch.windows([3, 6, 2, 20, 1], lambda size: size)) == [[3, 6], [2], [20], [1]]


def test_edits_are_those_of_each_text() -> None:
    model, edit = load("tiny-lm"), ablate("decoder.1.self_attn", 0)
    for text, found in zip(TEXTS, model.trace_batch(TEXTS, keep="logits", edits=[edit]), strict=True):
        alone = model.trace(text, keep="logits", edits=[edit])
        assert torch.equal(found.logits, alone.logits)
        assert found.origin is not None
        assert found.origin.edits == (edit,)


@pytest.mark.parametrize("edits", [(), (ablate("decoder.1.self_attn", 0),)], ids=["", "edited"])
def test_tokens_run_together_as_their_texts_do(edits: tuple[Edit, ...]) -> None:
    model, keep = load("tiny-lm"), "*.weights"
    found = model.trace_tokens_each(map(model.tokens_to_run, TEXTS), keep=keep, edits=edits)
    for text, together in zip(TEXTS, found, strict=True):
        check_same(together.of_text(text), model.trace(text, keep=keep, edits=edits))


def test_a_translator_reads_both_its_sentences_in_a_batch() -> None:
    model, keep = load("en-ur"), "decoder.1.cross_attn.weights"
    rows = [model.tokens_to_run(text, target) for text, target in (("I am a robot", "میں ہوں"), ("it", "یہ"))]
    for row, together in zip(rows, model.trace_tokens_each(rows, keep=keep), strict=True):
        check_same(together, model.trace_tokens(*row, keep=keep))


def test_an_engine_is_asked_for_each_text() -> None:
    model, engine = load("tiny-lm"), CountingEngine()
    remote = RemoteModel(model.network, model.tokenizer, model.card, whole=model.network, engine=engine)
    traces = remote.trace_batch(TEXTS[:2], keep="logits")
    assert engine.asked == ["record tiny-lm"] * 2
    assert traces[0].logits.allclose(model.trace(TEXTS[0], keep="logits").logits, atol=1e-5)


def test_a_text_without_a_token_is_an_error_as_alone() -> None:
    with pytest.raises(EmptyText):
        load("tiny-lm").trace_batch([TEXTS[0], " "])
