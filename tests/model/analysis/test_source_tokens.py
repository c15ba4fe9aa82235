import pytest
import torch

from model.analysis.attribution import account_of, keep_for_account
from model.analysis.head_steps import Attention
from model.analysis.source_tokens import add_sources, head_sources, keep_for_sources, layer_sources, token_parts
from model.edits.edit import Change
from model.edits.parts import ablate
from tests.conftest import loaded
from tests.model.networks import VARIANTS, small_model

DECODERS = [name for name, (kind, _) in VARIANTS.items() if kind != "encoder"]
GAVE = "While Lucy and Omar walked to the park, Omar gave a box to"


def run(name, text="I am a robot you like", edits=(), position=-1):  # type: ignore[no-untyped-def]
    model = small_model(name) if name in VARIANTS else loaded(name)
    target = "I am a" if model.config.kind == "encoder-decoder" else None
    keep = (*keep_for_account(model.config), *keep_for_sources(model.config))
    trace = model.trace(text, keep=keep, edits=edits, target=target)
    return model, trace, account_of(model, trace, position=position)


@pytest.mark.parametrize("name", DECODERS)
def test_the_tokens_of_a_head_sum_to_its_part(name: str) -> None:
    model, trace, account = run(name, position=2)
    for layer in range(model.config.n_decoder_layers):
        for part in model.config.attentions("decoder"):
            at = Attention("decoder", layer, part)
            for head, sources in enumerate(head_sources(model, trace, account, at)):
                assert float(sources.sum()) == pytest.approx(account.parts[f"{at.path}.heads.{head}"], abs=1e-5)
                if part == "self_attn":
                    assert not sources[3:].any(), "no token gives what it may not be asked for"


@pytest.mark.parametrize("name", [*DECODERS, "tiny-lm", "en-ur"])
def test_all_tokens_and_the_rest_sum_to_the_logit(name: str) -> None:
    model, trace, account = run(name)
    parts = token_parts(model, trace, account)
    assert parts.total == pytest.approx(account.value, abs=1e-4)
    assert (parts.source is not None) == (model.config.kind == "encoder-decoder")
    assert parts.tokens.shape == (len(trace.tokens),)


def test_the_layers_may_come_in_any_order() -> None:
    model, trace, account = run("paper")
    whole = token_parts(model, trace, account)
    parts = add_sources(model, trace, account, [layer_sources(model, trace, account, layer) for layer in (2, 0, 1)])
    torch.testing.assert_close(parts.tokens, whole.tokens)
    torch.testing.assert_close(parts.source, whole.source)
    assert parts.rest == pytest.approx(whole.rest)


def test_a_silenced_head_gives_nothing() -> None:
    model, trace, account = run("Llama", edits=[ablate("decoder.1.self_attn", 2)])
    sources = head_sources(model, trace, account, Attention("decoder", 1, "self_attn"))
    assert not sources[2].any()
    assert sources[1].any()


def test_a_head_that_looks_at_one_token_takes_all_from_it() -> None:
    def look_at_second(weights: torch.Tensor) -> torch.Tensor:
        one = torch.zeros_like(weights)
        one[..., 1] = 1
        return one

    model, trace, account = run("GPT-2", edits=[Change("decoder.0.self_attn.weights", look_at_second)])
    sources = head_sources(model, trace, account, Attention("decoder", 0, "self_attn"))
    assert sources[:, 1].tolist() == pytest.approx(
        [account.parts[f"decoder.0.self_attn.heads.{head}"] for head in range(4)], abs=1e-5
    )
    assert not sources[:, [0, 2, 3]].any()


def test_the_head_of_tiny_lm_takes_the_name_from_the_name() -> None:
    model = loaded("tiny-lm")
    trace = model.trace(GAVE, keep=(*keep_for_account(model.config), *keep_for_sources(model.config)))
    lucy, omar = (model.tokenizer.encode(name)[0].id for name in (" Lucy", " Omar"))
    account = account_of(model, trace, lucy, omar)
    sources = head_sources(model, trace, account, Attention("decoder", 2, "self_attn"))[2]
    assert "Lucy" in trace.tokens[int(sources.argmax())].text
