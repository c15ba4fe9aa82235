from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from model import Model, available, load
from model.errors import DamagedWeights, ModelMissing, UnknownModel
from model.zoo import cards
from tests.conftest import loaded

CARD = {
    "title": "A small model",
    "kind": "decoder",
    "layers": "2",
    "heads": 4,
    "positions": "rotary",
    "parameters": 1234,
    "max_length": 64,
    "licence": "MIT",
    "source": "trained here",
    "about": "for tests",
}


def test_the_real_models_come_first() -> None:
    names = [card.name for card in available()]
    assert names[:2] == ["smollm2-135m", "minilm-l6"]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", [card.name for card in available()])
def test_a_card_says_what_the_model_is(name: str) -> None:
    model = loaded(name)
    card, config = model.card, model.config
    assert card.ready
    assert card.size == card.require().stat().st_size
    assert card.parameters == sum(parameter.numel() for parameter in model.network.parameters())
    assert card.layers == " + ".join(str(config.n_layers(stack)) for stack in config.stacks)
    assert (card.kind, card.heads) == (config.kind, config.n_heads)
    concatenated = " (concatenated)" if config.position_mix == "concat" else ""
    assert card.positions == config.positions + concatenated
    assert card.max_length == config.max_length
    assert all((card.title, card.licence, card.source, card.about, card.get))
    assert config.vocab_size == model.tokenizer.size
    assert card.package or card.sha256


def test_a_package_is_found_but_never_imported(smollm2: Model, minilm: Model) -> None:
    for model in (smollm2, minilm):
        assert model.card.package not in sys.modules


def test_an_unknown_name_is_an_error_with_the_known_ones() -> None:
    with pytest.raises(UnknownModel, match="Choose one of: smollm2-135m, minilm-l6"):
        cards.card("smollm2")


def test_a_missing_package_is_an_error_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "_folders", lambda package, moment: ())
    assert [card.ready for card in available()[:2]] == [False, False]
    with pytest.raises(ModelMissing, match=r"SmolLM2 135M is not installed\. To get it, run: make models"):
        load("smollm2-135m")


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cards, "ASSETS", tmp_path)
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "card.json").write_text(json.dumps(CARD))
    return tmp_path


def test_bundled_models_are_read_from_their_cards(assets: Path) -> None:
    (card,) = cards.bundled_cards()
    assert (card.name, card.title, card.bundled) == ("small", "A small model", True)
    assert not card.ready
    with pytest.raises(ModelMissing, match=r"python -m model\.train small"):
        load("small")
    (assets / "small" / "model.safetensors").write_bytes(b"12345")
    (card,) = cards.bundled_cards()
    assert card.ready
    assert card.size == 5


def test_a_bundled_file_that_is_damaged_is_an_error(assets: Path) -> None:
    (assets / "small" / "card.json").write_text(json.dumps({**CARD, "sha256": "0" * 64}))
    (assets / "small" / "model.safetensors").write_bytes(b"12345")
    with pytest.raises(DamagedWeights, match=r"model\.safetensors is damaged"):
        load("small")
