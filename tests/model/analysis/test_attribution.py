"""The account of a logit sums to it, for every model, and its parts are those of the reference's hooks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model import attribute
from model.analysis.attribution import NoSuchAnswer, account_of, keep_for_account
from model.edits.parts import ablate
from model.errors import ModelMismatch
from model.loading import read_checkpoint
from tests.conftest import loaded
from tests.model.networks import VARIANTS, small_model
from tests.model.zoo import tiny_families

ACCOUNTABLE = [name for name, (kind, _) in VARIANTS.items() if kind != "encoder"] + ["classifier"]
WORDS = ("I", "am", "a", "robot", "you", "like", "the", "dog", "is", "cool", "what", "time")  # of every vocabulary
BUNDLED = ("tiny-lm", "tiny-lm-concat", "tiny-lm-learned", "tiny-lm-none", "tiny-lm-rotary", "en-ur", "tiny-encoder")
CLOSE = 1e-4
GAVE = "While Lucy and Omar walked to the park, Omar gave a box to"


@pytest.mark.slow
@pytest.mark.parametrize("name", ACCOUNTABLE)
@given(data=st.data())
@settings(max_examples=15)
def test_the_parts_sum_to_the_logit(name: str, data: st.DataObject) -> None:
    model = small_model(name)
    words = data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
    translator = model.config.kind == "encoder-decoder"
    target = " ".join(data.draw(st.lists(st.sampled_from(WORDS), max_size=4))) if translator else None
    size = len(model.config.text_labels) or 19
    token = data.draw(st.integers(0, size - 1))
    against = data.draw(st.none() | st.integers(0, size - 1))
    account = attribute(model, " ".join(words), token, against, target=target)
    assert account.token == token
    assert account.difference < CLOSE * max(1.0, *map(abs, account.parts.values()))


@pytest.mark.parametrize("name", BUNDLED)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), place=st.integers(0, 5))
@settings(max_examples=8)
def test_the_parts_sum_to_the_logit_of_every_bundled_model(name: str, words: list[str], place: int) -> None:
    model, text = loaded(name), " ".join(words)
    keep = (*keep_for_account(model.config), "logits", "text_logits")
    trace = model.trace(text, keep=keep, target="" if name == "en-ur" else None)
    logits = trace["text_logits"] if name == "tiny-encoder" else trace.logits[place % len(trace.tokens)]
    account = account_of(model, trace, position=place % len(trace.tokens))
    assert account.value == float(logits.max()), "by default the likeliest"
    assert account.token == int(logits.argmax())
    assert account.difference < CLOSE


@pytest.mark.slow
def test_the_parts_sum_to_the_logit_of_smollm2(smollm2: Any) -> None:
    account = attribute(smollm2, "The capital of France is")
    assert smollm2.tokenizer.token(account.token).text == " Paris"
    assert account.difference < CLOSE
    assert len(account.parts) == 30 * (9 + 1) + 1
    rival = int(smollm2.tokenizer.encode(" Berlin")[0].id)
    lead = attribute(smollm2, "The capital of France is", account.token, rival)
    assert lead.difference < CLOSE
    assert lead.value == pytest.approx(account.value - attribute(smollm2, "The capital of France is", rival).value)


@torch.no_grad()
def reference_parts(reference: Any, kind: str, ids: list[int], token: int) -> dict[str, float]:
    """The parts of the last position's logit by hooks on the reference: its modules' own outputs and inputs.

    Each part goes through the last norm by itself: less its own mean (LayerNorm), over the scale of the whole.
    """
    inner = reference.transformer if kind == "gpt2" else reference.model
    layers = inner.h if kind == "gpt2" else inner.layers
    seen: dict[str, torch.Tensor] = {}

    def catch(name: str, module: Any, *, output: bool) -> None:
        def hook(_: Any, inputs: Any, result: Any) -> None:
            seen[name] = (result if output else inputs[0])[0, -1].detach()

        module.register_forward_hook(hook)

    last = inner.ln_f if kind == "gpt2" else inner.norm
    catch("before", last, output=False)
    catch("embed.tokens", inner.wte if kind == "gpt2" else inner.embed_tokens, output=True)
    if kind == "gpt2":
        catch("embed.positions", inner.wpe, output=True)
    outs = [layer.attn.c_proj if kind == "gpt2" else layer.self_attn.o_proj for layer in layers]
    for number, layer in enumerate(layers):
        catch(f"heads {number}", outs[number], output=False)
        catch(f"decoder.{number}.ffn", layer.mlp, output=True)
    reference(torch.tensor([ids]))
    vectors = {name: x for name, x in seen.items() if name.startswith(("embed", "decoder"))}
    for number, out in enumerate(outs):
        weight = out.weight if kind == "gpt2" else out.weight.mT  # (heads * d_head, d_model)
        rows = zip(seen[f"heads {number}"].view(4, -1), weight.view(4, -1, weight.shape[-1]), strict=True)
        for head, (mixed, columns) in enumerate(rows):
            vectors[f"decoder.{number}.self_attn.heads.{head}"] = mixed @ columns
        if out.bias is not None:
            vectors[f"decoder.{number}.self_attn.bias"] = out.bias
    row, whole = reference.lm_head.weight[token], seen["before"]
    if kind == "gpt2":
        scale = (whole.var(correction=0) + last.eps).sqrt()
        parts = {name: float(((x - x.mean()) / scale * last.weight) @ row) for name, x in vectors.items()}
        return parts | {"final_norm.bias": float(last.bias @ row)}
    scale = (whole.square().mean() + last.variance_epsilon).sqrt()
    return {name: float((x / scale * last.weight) @ row) for name, x in vectors.items()}


@pytest.mark.parametrize("name", ["gpt2", "llama", "llama, tied", "llama, biases"])
def test_the_parts_are_those_of_hooks_in_transformers(name: str, tmp_path: Path) -> None:
    reference = tiny_families.make(name, tmp_path)
    model = read_checkpoint(tmp_path)
    text = "I am a robot and the weather is cool"
    ids = [token.id for token in model.tokens_of(text)]
    for token in (7, 260):
        account = attribute(model, text, token)
        wanted = reference_parts(reference, name.split(",")[0], ids, token)
        assert account.parts.keys() == wanted.keys()
        largest = max(map(abs, wanted.values()))
        assert account.parts == pytest.approx(wanted, abs=1e-4 * max(1.0, largest))


def test_a_silenced_head_has_no_part() -> None:
    model = small_model("GPT-2")
    keep = (*keep_for_account(model.config), "logits")
    account = account_of(model, model.trace("I am a robot", keep=keep, edits=[ablate("decoder.1.self_attn", 2)]))
    assert account.parts["decoder.1.self_attn.heads.2"] == 0
    assert account.difference < CLOSE


def test_the_logit_need_not_be_recorded() -> None:
    model = small_model("Llama")
    whole = attribute(model, "I am a robot")
    lean = account_of(model, model.trace("I am a robot", keep=keep_for_account(model.config)))
    assert (lean.token, lean.value) == (whole.token, pytest.approx(whole.value, abs=1e-5))


def test_the_largest_are_the_largest_in_size() -> None:
    account = attribute(small_model("GPT-2"), "I am a robot")
    largest = account.largest(3)
    rest = [abs(part) for name, part in account.parts.items() if name not in largest]
    assert min(map(abs, largest.values())) >= max(rest)
    assert list(largest) == sorted(largest, key=lambda name: -abs(largest[name]))


def test_what_does_not_exist_is_named() -> None:
    model = small_model("Llama")
    for token, against in ((23, None), (-1, None), (3, 99)):
        with pytest.raises(NoSuchAnswer, match="0 to 22"):
            attribute(model, "I am a robot", token, against)
    for position in (4, -5):
        with pytest.raises(NoSuchAnswer, match="4 tokens, 0 to 3"):
            attribute(model, "I am a robot", position=position)
    with pytest.raises(ModelMismatch, match="neither a word nor a class"):
        attribute(small_model("BERT"), "I am a robot")


def test_one_head_of_tiny_lm_brings_the_name_back() -> None:
    """Of all heads, head 2 of layer 2 speaks most for the name that must return."""
    model = loaded("tiny-lm")
    lucy, omar = (model.tokenizer.encode(name)[0].id for name in (" Lucy", " Omar"))
    account = attribute(model, GAVE, lucy, omar)
    heads = {name: part for name, part in account.parts.items() if ".heads." in name}
    assert account.value > 10
    assert max(heads, key=lambda name: heads[name]) == "decoder.2.self_attn.heads.2"
