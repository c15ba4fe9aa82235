"""Models of `transformers` in memory, while they are trained."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from transformers import MambaConfig, MambaForCausalLM, PreTrainedTokenizerFast

from model import ablate, adopt, available, load
from model.adopted import AdoptedModel, release
from model.errors import ModelMismatch, UnsupportedFamily
from model.experiments.surgery import edit_model
from model.generation import half_width
from model.loading import load_tokenizer
from tests.model.networks import word_tokenizer
from tests.model.zoo import tiny, tiny_families

TEXT = "I am a robot"
IDS = torch.tensor([word_tokenizer().backend.encode(TEXT).ids])


def tokenizer_of_transformers() -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(tokenizer_object=word_tokenizer().backend, pad_token="<PAD>", eos_token="<EOS>")


@pytest.fixture(params=["llama", "tied llama"])
def network(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    made, _ = tiny.llama(tmp_path, tie_word_embeddings=request.param.startswith("tied"))
    return made.requires_grad_(True)


@pytest.fixture
def adopted(network: Any) -> Iterator[AdoptedModel]:
    model = adopt(network, tokenizer_of_transformers())
    yield model
    release(model)


def expected(network: Any) -> torch.Tensor:
    with torch.no_grad():
        return network(IDS).logits[0]


def test_it_computes_what_the_network_computes(network: Any, adopted: AdoptedModel) -> None:
    trace = adopted.trace(TEXT)
    torch.testing.assert_close(trace.logits, expected(network), atol=1e-4, rtol=1e-4)
    assert [token.text for token in trace.tokens] == ["I", "am", "a", "robot"]


@pytest.mark.parametrize("name", tiny_families.VARIATIONS)
def test_every_family_is_followed(name: str, tmp_path: Path) -> None:
    network = tiny_families.make(name, tmp_path)
    model = adopt(network, PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json")))
    ids = torch.tensor([[token.id for token in model.tokens_of(TEXT)]])
    for _ in range(2):
        with torch.no_grad():
            torch.testing.assert_close(model.trace(TEXT).logits, network(ids).logits[0], atol=1e-4, rtol=1e-4)
            for weight in network.parameters():
                weight.mul_(-0.9)
    assert model.adopted.shared() > 0.5 * sum(weight.nbytes for weight in model.network.parameters())
    release(model)


def test_weights_are_shared_except_those_in_another_order(network: Any, adopted: AdoptedModel) -> None:
    places = {weight.data_ptr() for weight in network.parameters()}
    copied = {name for name, weight in adopted.network.named_parameters() if weight.data_ptr() not in places}
    assert copied == {f"decoder.blocks.{i}.self_attn.{part}.weight" for i in range(3) for part in ("query", "key")}
    assert adopted.adopted.shared() == sum(
        weight.nbytes for name, weight in adopted.network.named_parameters() if name not in copied
    )


def test_it_follows_the_training(network: Any, adopted: AdoptedModel) -> None:
    before, version = adopted.trace(TEXT).logits, adopted.version
    optimiser = torch.optim.SGD(network.parameters(), lr=0.5)
    network(IDS, labels=IDS).loss.backward()
    optimiser.step()
    assert adopted.version == version + 1
    after = adopted.trace(TEXT).logits
    torch.testing.assert_close(after, expected(network), atol=1e-4, rtol=1e-4)
    assert (after - before).abs().max() > 0.01
    assert all(weight.requires_grad for weight in network.parameters())
    assert next(iter(adopted.generate(TEXT, max_new_tokens=1))).chosen == int(expected(network)[-1].argmax())
    assert adopted.version == version + 1
    network.load_state_dict({name: weight * 0.5 for name, weight in network.state_dict().items()})
    torch.testing.assert_close(adopted.trace_on_demand(TEXT).logits, expected(network), atol=1e-4, rtol=1e-4)


def test_it_follows_inside_the_runs_of_the_app(network: Any, adopted: AdoptedModel, inference: None) -> None:
    with torch.inference_mode(False), torch.no_grad():
        for weight in network.parameters():
            weight.mul_(0.5)
    torch.testing.assert_close(adopted.trace(TEXT).logits, expected(network), atol=1e-4, rtol=1e-4)


def test_it_writes_with_the_weights_of_now(
    network: Any, adopted: AdoptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-width weights, which greedy steps of a shape like SmolLM2's use, would be those of an earlier moment."""
    config = adopted.config
    monkeypatch.setattr(half_width, "GAINS", True)
    monkeypatch.setattr(half_width, "MEASURED", (config.n_decoder_layers, config.d_model, config.vocab_size))
    edited = edit_model(adopted, edits=[ablate("decoder.1.self_attn", 0)])
    for _ in range(2):
        for model in (adopted, edited):
            steps = list(model.generate(TEXT, max_new_tokens=3))
            read = (*model.tokens_of(TEXT), *(step.token for step in steps[:-1]))
            whole = model.trace_tokens(read, keep="logits").logits[-len(steps) :]
            torch.testing.assert_close(torch.stack([step.logits for step in steps]), whole, atol=1e-4, rtol=1e-4)
        with torch.no_grad():
            for weight in network.parameters():
                weight.mul_(-0.9)


def test_it_is_in_the_list_of_models_until_it_is_released(adopted: AdoptedModel) -> None:
    assert adopted.card in available()
    assert load(adopted.card.name) is adopted
    assert load_tokenizer(adopted.card.name) is adopted.tokenizer
    assert adopted.card.ready
    release(adopted)
    assert adopted.card not in available()


def test_what_is_no_network_of_a_known_family() -> None:
    with pytest.raises(ModelMismatch, match="This is a Linear"):
        adopt(nn.Linear(2, 2), word_tokenizer())
    mamba = MambaForCausalLM(MambaConfig(vocab_size=23, hidden_size=8, num_hidden_layers=1, state_size=4))
    with pytest.raises(UnsupportedFamily, match="'mamba'"):
        adopt(mamba, word_tokenizer())
