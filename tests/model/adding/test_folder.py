"""Models of folders and GGUF files of this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from model import available, load
from model.adding.add import add, look, remove
from model.errors import DamagedWeights, UnknownModel, UnsupportedFamily, UnusableFiles
from model.loading import load_tokenizer
from model.vision.model import load_vision
from tests.model.zoo import tiny, tiny_families
from tests.model.zoo.tiny_gguf import write_gguf

TEXT = "I am a robot"


@pytest.fixture
def folder(empty_machine: Path) -> Path:
    made = empty_machine / "my-model"
    made.mkdir()
    tiny.llama(made)
    return made


def test_load_takes_a_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(str(folder))
    assert (model.card.name, model.card.kind) == ("my-model", "decoder")
    monkeypatch.chdir(folder.parent)
    assert torch.equal(load("./my-model").trace(TEXT).logits, model.trace(TEXT).logits)
    assert load_tokenizer("./my-model").encode(TEXT) == model.tokenizer.encode(TEXT)
    with pytest.raises(UnknownModel, match="no snapshot 3"):
        load("./my-model", snapshot=3)


def test_an_added_folder_is_found_by_its_name(folder: Path) -> None:
    found = look(str(folder))
    assert (found.family, found.memory) == ("Llama", sum(4 * p.numel() for p in load(str(folder)).network.parameters()))
    card = add(str(folder))
    assert card.name == "folder:my-model"
    assert str(folder) not in card.source, "other visitors need not know the folders of this machine"
    assert card in available()
    assert torch.equal(load(card.name).trace(TEXT).logits, load(str(folder)).trace(TEXT).logits)
    remove(card.name)
    assert card not in available()
    assert (folder / "model.safetensors").exists()


def test_two_folders_of_one_name_keep_their_names(folder: Path, empty_machine: Path) -> None:
    other = empty_machine / "other" / "my-model"
    other.mkdir(parents=True)
    tiny.llama(other, num_hidden_layers=1)
    assert [add(str(path)).name for path in (folder, other, folder)] == [
        "folder:my-model",
        "folder:my-model-2",
        "folder:my-model",
    ]


def test_a_folder_that_is_gone_is_not_installed(folder: Path) -> None:
    card = add(str(folder))
    (folder / "config.json").unlink()
    assert (card.ready, card.state) == (False, "not installed")


@pytest.mark.parametrize("ask", [look, load])
def test_what_is_no_model(ask: Callable[[str], object], empty_machine: Path) -> None:
    with pytest.raises(UnusableFiles, match="There is nothing at"):
        ask(str(empty_machine / "nothing"))
    (empty_machine / "notes.txt").write_text("hello")
    with pytest.raises(UnusableFiles, match="is no GGUF file"):
        ask(str(empty_machine / "notes.txt"))
    with pytest.raises(UnusableFiles, match=r"has no model\.safetensors and no GGUF file"):
        ask(str(empty_machine))
    (empty_machine / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(UnusableFiles, match="weights only as"):
        ask(str(empty_machine))
    (empty_machine / "bad.gguf").write_bytes(b"GGUF")
    with pytest.raises(DamagedWeights, match="not a whole GGUF file"):
        ask(str(empty_machine / "bad.gguf"))


def test_a_checkpoint_that_does_not_fit_is_not_added(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    for change, error in (({"model_type": "mamba"}, UnsupportedFamily), ({"num_hidden_layers": 10**9}, DamagedWeights)):
        (folder / "config.json").write_text(json.dumps(config | change))
        with pytest.raises(error):
            add(str(folder))
    assert not [card for card in available() if card.is_added]


@pytest.mark.parametrize("text", ["", "a-model", "a/b/c", "-/x", "a b/c", "a/b@", "a/..", "a/b@x..y"])
def test_a_text_that_names_no_model(text: str) -> None:
    with pytest.raises(UnknownModel, match="names no model"):
        look(text)


def test_a_folder_without_a_tokenizer_is_not_added(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    with pytest.raises(DamagedWeights, match="tokenizer"):
        add(str(folder))
    assert not [card for card in available() if card.is_added]


def test_a_gguf_file_is_added(folder: Path, empty_machine: Path) -> None:
    alone = empty_machine / "alone"
    alone.mkdir()
    write_gguf(folder / "model.safetensors").rename(alone / "tiny.gguf")
    for place in (alone / "tiny.gguf", alone):
        card = add(str(place))
        assert (card.name, card.place) == ("folder:tiny", str(alone / "tiny.gguf"))
    assert load(card.name).trace("ab").logits.shape == (1, 23)


def test_a_folder_that_reads_pictures_is_added_with_their_preparation(empty_machine: Path) -> None:
    folder = empty_machine / "my-vit"
    tiny_families.make_vision("vit", folder, resample=2)
    card = add(str(folder))
    assert (card.name, card.kind, look(str(folder)).family) == ("folder:my-vit", "vision", "ViT")
    assert card in available("vision")
    assert card not in available()
    model = load_vision(card.name)
    assert model.preparation == load_vision(str(folder)).preparation
    assert model.preparation.resampling == 2


def test_a_folder_of_a_translator_is_added_with_both_tokenizers(empty_machine: Path) -> None:
    folder = empty_machine / "opus-mt-en-ur"
    tiny_families.make_translator("marian", folder)
    card = add(str(folder))
    assert (card.kind, look(str(folder)).family) == ("encoder-decoder", "Marian")
    assert load(card.name).target_tokenizer is not None
    (folder / "source.spm").unlink()
    with pytest.raises(DamagedWeights, match="no SentencePiece file"):
        add(str(folder))
