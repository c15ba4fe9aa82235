"""A model that is not on this machine, asked for by its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from huggingface_hub import constants

from model import load
from model.engine import choice
from model.errors import HubError, ModelMissing, UnsupportedFamily
from tests.model.adding.hub_server import HubServer, Repository, repository_of
from tests.model.zoo import tiny

NAME = "someone/tiny-llama"


@pytest.fixture
def repository(hub: HubServer, tmp_path: Path) -> Repository:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    tiny.llama(folder)
    hub.repositories[NAME] = made = repository_of(folder)
    return made


def test_load_says_what_it_would_fetch_and_fetches_no_weights(repository: Repository, empty_machine: Path) -> None:
    with pytest.raises(ModelMissing) as told:
        load(NAME)
    said = str(told.value)
    for fact in (
        f"{NAME} is not on this machine. It is:\nName         {NAME}@c0ffee00",
        "Family       Llama",
        "Model        decoder, 3 layers of 4 heads",
        "To download  ",
        "Weights      model.safetensors",
        "Licence      apache-2.0",
        f'To fetch it, write load("{NAME}", add=True), or in a terminal: python -m glassformer add {NAME}',
    ):
        assert fact in said, said
    assert not (empty_machine / "hub").exists()


def test_with_add_it_is_fetched_once(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    model = load(NAME, add=True)
    assert model.card.name == f"{NAME}@c0ffee00"
    assert "100%" in capsys.readouterr().err
    repository.asked.clear()
    again = load(NAME, add=True)
    assert not repository.asked
    assert again.trace("I am").logits.equal(model.trace("I am").logits)


def test_a_program_may_show_the_progress_itself(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[str] = []
    load(NAME, lambda step, _: told.append(step), add=True)
    assert told[0].startswith("Downloading")
    assert not capsys.readouterr().err


def test_without_a_connection_it_says_so_with_the_ways(empty_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelMissing, match=r"not on this machine, and nobody can be asked .*HF_HUB_OFFLINE.* add=True"):
        load(NAME)
    with pytest.raises(HubError, match="HF_HUB_OFFLINE forbids"):
        load(NAME, add=True)


def test_what_cannot_be_had_or_read_is_said_instead(hub: HubServer, repository: Repository) -> None:
    with pytest.raises(HubError, match="The hub has no model nobody/nothing"):
        load("nobody/nothing")
    repository.files["config.json"] = repository.files["config.json"].replace(b'"llama"', b'"mamba"')
    with pytest.raises(UnsupportedFamily):
        load(NAME, add=True)


def test_a_page_asks_no_hub(repository: Repository) -> None:
    with pytest.raises(ModelMissing, match=f"To get it, run: python -m glassformer add {NAME}$"):
        choice.load(NAME)
    assert not repository.asked
    assert not repository.refs_asked
