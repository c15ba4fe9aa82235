"""Masked words and classes of BERT, RoBERTa and DistilBERT beside `transformers`: their account and its cause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from model import Model
from model.analysis.answers import answers
from model.analysis.attribution import account_of, attribute, keep_of
from model.analysis.frozen_norm import freeze_transform
from model.analysis.neuron_parts import keep_for_neurons, neuron_parts, written_tokens
from model.analysis.source_tokens import keep_for_sources, token_parts
from model.experiments.input_gradients import gradient_times_input
from model.experiments.layerwise_gradient import record_streams
from model.experiments.part_removal import RemovalSweep, keep_for_removal
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair
from model.loading import read_checkpoint
from model.run import ids_of
from tests.model.zoo import tiny_families

TEXT, OTHER = "I am a robot at the bank", "I am a robot at the river"
MASKED, CLASSES = "ForMaskedLM", "ForSequenceClassification"
PLACE = 2  # of the word that is asked for
CLOSE = {"atol": 1e-4, "rtol": 1e-4}
HEADS = 4


@pytest.fixture(
    params=[(name, head) for name in ("bert", "roberta", "distilbert") for head in (MASKED, CLASSES)], ids=str
)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Model, Any]:
    name, head = request.param
    theirs = tiny_families.make_encoder(name, tmp_path, head)
    return read_checkpoint(tmp_path), theirs


def theirs_of(network: Any, ids: Tensor) -> Tensor:
    """The logits of the word at the place, or of the classes: (answers,)."""
    logits = network(ids[None]).logits[0]
    return logits[PLACE] if logits.ndim == 2 else logits


def place_of(model: Model) -> int:
    return PLACE if model.config.masked_words else 0


def traced(model: Model) -> Any:
    config = model.config
    kept = (*keep_of(model), *keep_for_removal(config), *keep_for_sources(config), *keep_for_neurons(config))
    return model.trace(TEXT, keep=kept)


@contextmanager
def hooked(module: nn.Module, change: Callable[[Tensor], Tensor], before: bool) -> Iterator[None]:
    """While it lasts, what the module of `transformers` reads, or gives, is changed."""

    def read(_: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        return (change(given[0]), *given[1:])

    def made(_: nn.Module, __: object, result: Any) -> Any:
        return (change(result[0]), *result[1:]) if isinstance(result, tuple) else change(result)

    handle = module.register_forward_pre_hook(read) if before else module.register_forward_hook(made)
    try:
        yield
    finally:
        handle.remove()


def layers_of(network: Any) -> Any:
    base = network.base_model
    return base.transformer.layer if hasattr(base, "transformer") else base.encoder.layer


def output_of_attention(layer: Any) -> nn.Module:
    """Their W_O."""
    return layer.attention.out_lin if hasattr(layer.attention, "out_lin") else layer.attention.output.dense


def output_of_feed_forward(layer: Any) -> nn.Module:
    return layer.ffn.lin2 if hasattr(layer, "ffn") else layer.output.dense


@torch.inference_mode()
def test_the_parts_sum_to_the_logit_of_transformers(pair: tuple[Model, Any]) -> None:
    model, theirs = pair
    trace = traced(model)
    expected = theirs_of(theirs, ids_of(trace.tokens))
    torch.testing.assert_close(answers(model, trace, PLACE), expected, **CLOSE)
    for token, against in ((0, None), (1, None), (1, 0)):
        account = account_of(model, trace, token, against, PLACE)
        value = float(expected[token] - (0 if against is None else expected[against]))
        assert account.value == pytest.approx(value, abs=1e-4)
        assert account.total == pytest.approx(value, abs=1e-4)
        assert account.position == place_of(model)
        assert ("transform.norm.bias" in account.parts) == model.config.masked_words
        assert {"transform.bias", "logits.bias", "embed.tokens", "encoder.2.ffn"} <= account.parts.keys()


@torch.inference_mode()
def test_the_answer_is_made_again_where_the_run_lacks_it(pair: tuple[Model, Any]) -> None:
    model, _ = pair
    trace = model.trace(TEXT, keep=("*.ffn_norm", "*logits"))
    without = model.trace(TEXT, keep="*.ffn_norm")
    torch.testing.assert_close(answers(model, without, PLACE), answers(model, trace, PLACE))


@torch.inference_mode()
def test_a_part_that_is_taken_away_costs_what_it_costs_in_transformers(pair: tuple[Model, Any]) -> None:
    model, theirs = pair
    trace, place = traced(model), place_of(model)
    ids = ids_of(trace.tokens)
    account = account_of(model, trace, 1, None, PLACE)
    removals = {each.name: each for some in RemovalSweep(model, trace, account).run() for each in some}
    whole, width = theirs_of(theirs, ids), 32 // HEADS
    shares = whole.softmax(-1)
    for layer, block in enumerate(layers_of(theirs)):
        for head in range(HEADS):

            def silence(x: Tensor, head: int = head) -> Tensor:
                x = x.clone()
                x[:, place, head * width : (head + 1) * width] = 0
                return x

            with hooked(output_of_attention(block), silence, before=True):
                without = theirs_of(theirs, ids)
            removal = removals[f"encoder.{layer}.self_attn.heads.{head}"]
            assert removal.fall == pytest.approx(float(whole[1] - without[1]), abs=1e-4)
            assert removal.before == pytest.approx(float(shares[1]), abs=1e-4)
            assert removal.after == pytest.approx(float(without.softmax(-1)[1]), abs=1e-4)
            assert removal.direct == pytest.approx(account.parts[removal.name], abs=1e-4)

        def drop(x: Tensor) -> Tensor:
            x = x.clone()
            x[:, place] = 0
            return x

        with hooked(output_of_feed_forward(block), drop, before=False):
            without = theirs_of(theirs, ids)
        assert removals[f"encoder.{layer}.ffn"].fall == pytest.approx(float(whole[1] - without[1]), abs=1e-4)


def test_the_gradient_is_that_of_transformers(pair: tuple[Model, Any]) -> None:
    model, theirs = pair
    ids = ids_of(model.tokens_of(TEXT))
    ours = gradient_times_input(model.network, record_streams(model.network, ids, None), PLACE, 1, 0)
    found: list[Tensor] = []

    def watch(x: Tensor) -> Tensor:
        found.append(x.detach().requires_grad_())
        return found[-1]

    with hooked(theirs.base_model.embeddings, watch, before=False):
        logits = theirs_of(theirs, ids)
    (gradient,) = torch.autograd.grad(logits[1] - logits[0], found)
    torch.testing.assert_close(ours.tokens, (found[0] * gradient)[0].sum(-1).detach(), **CLOSE)


def test_a_patched_run_is_that_of_transformers(pair: tuple[Model, Any]) -> None:
    model, theirs = pair
    clean, other = (ids_of(model.tokens_of(text)) for text in (TEXT, OTHER))
    prompts = (Prompt(ids[: len(clean)], position=PLACE) for ids in (clean, other[: len(clean)]))
    runs = record_pair(model.network, *prompts)
    for logits, ids in zip(runs.logits, (clean, other[: len(clean)]), strict=True):
        torch.testing.assert_close(logits, theirs_of(theirs, ids).detach(), **CLOSE)
    patching, row = Patching(model.network, runs, 1, 0), 4
    from_clean: list[Tensor] = []

    def put(x: Tensor) -> Tensor:
        x = x.clone()
        x[:, row] = from_clean[0][:, row]
        return x

    layer = layers_of(theirs)[1]
    with torch.inference_mode(), hooked(layer, lambda x: from_clean.append(x) or x, before=True):
        theirs(clean[None])
    with torch.inference_mode(), hooked(layer, put, before=True):
        expected = theirs_of(theirs, other[: len(clean)])
    torch.testing.assert_close(patching.run_row(Site("encoder", "resid_in"), 1, row), expected, **CLOSE)
    assert all(estimate.isfinite().all() for estimate in patching.estimates.values())


@torch.inference_mode()
def test_neurons_and_tokens_sum_to_their_part_and_to_the_logit(pair: tuple[Model, Any]) -> None:
    model, _ = pair
    trace = traced(model)
    account = account_of(model, trace, 1, None, PLACE)
    for layer in range(3):
        found = neuron_parts(model, trace, account, f"encoder.{layer}.ffn")
        assert found.total == pytest.approx(account.parts[f"encoder.{layer}.ffn"], abs=1e-4)
        (written,) = written_tokens(model, account, found, torch.tensor([3]), len(answers(model, trace, PLACE)))
        own = float(written.rises[written.ids == 1])
        assert own == pytest.approx(float(found.parts[3]), abs=1e-4)
    assert token_parts(model, trace, account).total == pytest.approx(account.value, abs=1e-4)


@torch.inference_mode()
def test_the_ratio_of_a_run_makes_the_transform_a_linear_map(pair: tuple[Model, Any]) -> None:
    model, _ = pair
    trace = model.trace(TEXT)
    transform, x = model.network.transform, trace["encoder.2.ffn_norm"][PLACE]
    frozen, made = freeze_transform(transform, x)
    torch.testing.assert_close(made, trace["transform.activated"][PLACE])
    torch.testing.assert_close(frozen.push(x) + frozen.bias, made, atol=1e-5, rtol=1e-5)
    part, direction = torch.randn(2, 32, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(frozen.pull(direction) @ part, direction @ frozen.push(part), **CLOSE)
    assert frozen.push(torch.zeros(32)).eq(0).all()


def test_attribute_answers_for_the_likeliest_word_or_class(pair: tuple[Model, Any]) -> None:
    model, theirs = pair
    account = attribute(model, TEXT, position=PLACE)
    with torch.inference_mode():
        assert account.token == int(theirs_of(theirs, ids_of(model.tokens_of(TEXT))).argmax())
