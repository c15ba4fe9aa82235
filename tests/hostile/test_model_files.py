"""Files beside the weights that are wrong in one place: each ends in `DamagedWeights`, at once, or is loaded."""

from __future__ import annotations

import json
import struct
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from onnx import GraphProto, ModelProto

from model import available, load, load_tokenizer
from model.errors import DamagedWeights
from model.vision.model import load_vision
from model.vision.preparation import Preparation
from model.zoo import cards, gguf_file
from model.zoo.onnx_model import open_onnx
from model.zoo.opening import open_checkpoint
from tests.hostile.model_files import (
    FAMILIES,
    MILLION_MILLION,
    NOT_AN_OBJECT,
    PROJECTION,
    WRONG,
    WRONG_TENSORS,
    keys_of,
    keys_read,
    onnx_file,
    recurrent_folder,
    shared_out,
    tensor,
    transformer_folder,
)
from tests.model import networks
from tests.model.zoo import tiny
from tests.model.zoo.tiny_gguf import write_gguf

MAX_SECONDS = 10.0  # of the processor
CARD = {
    "title": "A small model",
    "kind": "decoder",
    "layers": "2",
    "heads": 4,
    "positions": "sinusoidal",
    "parameters": 1234,
    "max_length": 32,
    "licence": "MIT",
    "source": "trained here",
    "about": "for tests",
    "sha256": "",
    "data": "none",
    "limits": "many",
    "known": "all",
    "unknown": "nothing",
    "measures": {},
    "metrics": {"loss": 1.0},
    "training": {"steps": 1},
    "pixels": {},
    "curve": [],
    "by_length": [],
    "snapshots": [{"step": 1, "file": "model.safetensors"}],
}


@contextmanager
def quickly(case: str) -> Iterator[None]:
    began = time.process_time()
    yield
    assert time.process_time() - began < MAX_SECONDS, case


# -- config.json -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("family")
    return request.param, FAMILIES[request.param][0](folder)


@contextmanager
def changed(config: Path, text: bytes | str) -> Iterator[None]:
    sound = config.rename(config.with_name("sound.json"))
    config.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))  # To overwrite a file is slow.
    try:
        yield
    finally:
        sound.replace(config)


@pytest.fixture(scope="module")
def read_by_family(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The keys that each family reads."""
    return {name: keys_read(name, tmp_path_factory.mktemp("sound")) for name in FAMILIES}


def cases(read_by_family: dict[str, list[str]], name: str, thorough: bool) -> Iterator[tuple[str, str, Any]]:
    """(key, kind, value) for a family. Each key has each wrong value in one of its families, or here if `thorough`."""
    for key in read_by_family[name]:
        readers = [family for family in FAMILIES if key in read_by_family[family]]
        for kind, value in (WRONG if thorough else shared_out(name, key, readers)).items():
            yield key, kind, value


def test_each_family_and_each_key_meet_each_wrong_value(read_by_family: dict[str, list[str]]) -> None:
    met = {(name, key, kind) for name in FAMILIES for key, kind, _ in cases(read_by_family, name, False)}
    assert {(name, kind) for name, _, kind in met} == {(name, kind) for name in FAMILIES for kind in WRONG}
    assert {(name, key) for name, key, _ in met} == {(name, key) for name in FAMILIES for key in read_by_family[name]}
    keys = set().union(*read_by_family.values())
    assert {(key, kind) for _, key, kind in met} == {(key, kind) for key in keys for kind in WRONG}


@pytest.mark.slow
def test_a_key_of_a_configuration_with_a_wrong_value_is_damage_or_loads(
    family: tuple[str, Path], read_by_family: dict[str, list[str]], pytestconfig: pytest.Config
) -> None:
    (name, path), messages = family, [""]
    config, read = path.with_name("config.json"), FAMILIES[name][1]
    sound = json.loads(config.read_text(encoding="utf-8"))
    for key, kind, value in cases(read_by_family, name, pytestconfig.getoption("thorough")):
        with changed(config, json.dumps({**sound, key: value})), quickly(f"{key} is {kind}"):
            try:
                read(path)
            except DamagedWeights as error:
                messages.append(str(error))
            except Exception as error:
                pytest.fail(f"{key} is {kind}: {error!r}")
    assert len(messages) > 2 * len(WRONG)
    assert max(map(len, messages)) < 1000


def test_keys_that_no_reader_looks_at_may_have_any_value(
    family: tuple[str, Path], read_by_family: dict[str, list[str]]
) -> None:
    """They are wrong together: the model is the sound one."""
    name, path = family
    config, read = path.with_name("config.json"), FAMILIES[name][1]
    sound, built = json.loads(config.read_text(encoding="utf-8")), read(path).config
    unread = set(keys_of(name, path.parent)) - set(read_by_family[name])
    for kind, value in WRONG.items():
        with changed(config, json.dumps({**sound, **dict.fromkeys(unread, value)})), quickly(kind):
            assert read(path).config == built


@pytest.mark.parametrize("kind", NOT_AN_OBJECT)
def test_a_configuration_that_holds_no_values_by_name_is_damage(kind: str, family: tuple[str, Path]) -> None:
    name, path = family
    with changed(path.with_name("config.json"), NOT_AN_OBJECT[kind]), quickly(kind), pytest.raises(DamagedWeights):
        FAMILIES[name][1](path)


@pytest.mark.parametrize(
    ("name", "key"),
    [("bundled decoder", "n_decoder_layers"), ("bert", "num_hidden_layers"), ("llama", "num_hidden_layers")],
)
@pytest.mark.parametrize("layers", [100_000, 2**31 - 1, MILLION_MILLION, 2**80])
def test_a_million_million_layers_end_at_once(name: str, key: str, layers: int, tmp_path: Path) -> None:
    make, read = FAMILIES[name]
    path = make(tmp_path)
    config = path.with_name("config.json")
    sound = json.loads(config.read_text(encoding="utf-8"))
    with (
        changed(config, json.dumps({**sound, key: layers})),
        quickly(f"{layers} layers"),
        pytest.raises(DamagedWeights, match=r"names .* layers, but the file has|must be a whole number up to"),
    ):
        read(path)


# -- card.json ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two bundled models, of which "other" stays sound."""
    monkeypatch.setattr(cards, "ASSETS", tmp_path)
    for name in ("small", "other"):
        transformer_folder(tmp_path / name, "decoder")
        (tmp_path / name / "card.json").write_text(json.dumps(CARD), encoding="utf-8")
    return tmp_path


def listed(name: str = "small") -> cards.Card:
    """The card of a model in the list of all; the other model is there, and loads."""
    found = {card.name: card for card in cards.bundled_cards()}
    assert found["other"].ready
    assert set(found) == {"small", "other"}
    return found[name]


@pytest.mark.parametrize("kind", NOT_AN_OBJECT)
def test_a_card_that_cannot_be_read_is_listed_as_damaged(kind: str, assets: Path) -> None:
    (assets / "small" / "card.json").write_bytes(NOT_AN_OBJECT[kind])
    with quickly(kind):
        card = listed()
    assert (card.ready, card.state, card.title, card.kind) == (False, "damaged", "small", "decoder")
    assert "small/card.json" in card.fault
    assert "get the repository's files again" in card.fault
    assert card in available()
    for read in (load, load_tokenizer):
        with pytest.raises(DamagedWeights, match=r"small/card\.json"):
            read("small")
    assert load("other").card.title == "A small model"


def test_a_card_that_is_a_folder_or_leads_nowhere_is_listed_as_damaged(assets: Path) -> None:
    path = assets / "small" / "card.json"
    path.unlink()
    path.mkdir()
    assert listed().state == "damaged"
    path.rmdir()
    path.symlink_to(assets / "nowhere")
    assert {card.name for card in cards.bundled_cards() if card.ready} == {"other"}


@pytest.mark.parametrize("key", CARD)
def test_every_key_of_a_card_with_every_wrong_value_is_damage_or_stands(key: str, assets: Path) -> None:
    path = assets / "small" / "card.json"
    for kind, value in WRONG.items():
        path.write_text(json.dumps({**CARD, key: value}), encoding="utf-8")
        cards._read_card.cache_clear()
        with quickly(kind):
            card = listed()
        assert card.state in ("ready", "damaged")
        f"{card.title} {card.about} {card.source} {card.licence} {card.fault}".encode()  # a browser can be sent it
        f"{card.parameters:,} {card.max_length:,} {card.heads:,}"


@pytest.mark.parametrize("file", ["../other/model.safetensors", "/etc/passwd", "", ".", 7, None])
def test_a_snapshot_stays_in_the_folder_of_its_model(file: Any, assets: Path) -> None:
    snapshots = [{"step": 1, "file": file}]
    (assets / "small" / "card.json").write_text(json.dumps({**CARD, "snapshots": snapshots}), encoding="utf-8")
    assert "snapshots" in listed().fault


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda folder: FAMILIES["bundled vision"][0](folder), "vision"),
        (recurrent_folder, "recurrent"),
        (lambda folder: transformer_folder(folder, "encoder-decoder"), "encoder-decoder"),
        (lambda folder: transformer_folder(folder, "encoder"), "encoder"),
    ],
)
def test_a_model_whose_card_is_damaged_keeps_its_kind(make: Any, kind: str, assets: Path) -> None:
    make(assets / "small")
    (assets / "small" / "card.json").write_bytes(b"")
    assert listed().kind == kind
    if kind == "vision":
        with pytest.raises(DamagedWeights, match=r"small/card\.json"):
            load_vision("small")


PIXELS = {"mean": [0.5, 0.5, 0.5], "std": [0.2, 0.2, 0.2], "fit": "pad"}


@pytest.mark.parametrize("key", PIXELS)
@pytest.mark.parametrize("kind", WRONG)
def test_wrong_values_of_the_pixels_are_damage(kind: str, key: str) -> None:
    config = networks.config("encoder", **networks.VISION)
    assert Preparation.of(config, {"pixels": PIXELS}).fit == "pad"
    with pytest.raises(DamagedWeights, match="how to prepare its pictures"):
        Preparation.of(config, {"pixels": {**PIXELS, key: WRONG[kind]}})


# -- GGUF and ONNX -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return write_gguf(tiny.llama(tmp_path_factory.mktemp("gguf"))[1]).read_bytes()


@pytest.mark.parametrize(
    "text", [b"general.architecture", b"llama.block_count", b"smollm", b"abcde", b"<end>", b"token_embd.weight"]
)
def test_a_gguf_string_that_is_not_utf_8_is_damage(text: bytes, gguf: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    place = gguf.index(text if text != b"abcde" else struct.pack("<Q", 1) + b"b") + (8 if text == b"abcde" else 0)
    path.write_bytes(gguf[:place] + b"\xff" + gguf[place + 1 :])
    with pytest.raises(DamagedWeights, match=r"model\.gguf is not a whole GGUF file"):
        open_checkpoint(path)


@pytest.mark.slow
def test_any_byte_of_a_gguf_header_may_be_wrong(gguf: bytes, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Every fifth, with the lowest and the highest value by turns. If `thorough`, with both."""
    both = pytestconfig.getoption("thorough")
    for place, value in product(range(0, gguf.index(b"output_norm.weight") + 60, 5), (0x00, 0xFF)):
        if not both and place % 2 != value % 2:
            continue
        path = tmp_path / f"{place} {value}.gguf"  # To overwrite a file is slow.
        path.write_bytes(gguf[:place] + bytes([value]) + gguf[place + 1 :])
        with quickly(path.stem):
            try:
                FAMILIES["llama"][1](path)
            except DamagedWeights:
                continue
            except Exception as error:
                pytest.fail(f"byte {place} is {value}: {error!r}")


def test_tensors_that_lie_upon_each_other_are_damage(gguf: bytes, tmp_path: Path) -> None:
    """Many tensors on the same bytes: a small file that would take all memory."""
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf)
    reader, data = gguf_file.QuickReader(path), bytearray(gguf)
    for each in reader.tensors:
        at = each.field.offset + sum(part.nbytes for part in each.field.parts[:-1])
        data[at : at + 8] = bytes(8)  # where its numbers begin
    path.write_bytes(data[: reader.data_offset + max(each.n_bytes for each in reader.tensors)])
    with pytest.raises(DamagedWeights, match="its tensors have more bytes than the file"):
        open_checkpoint(path)


@pytest.mark.parametrize("kind", WRONG_TENSORS)
def test_a_tensor_of_a_tagger_of_a_wrong_size_or_type_is_damage(kind: str, tmp_path: Path) -> None:
    marks = ("distilbert.embeddings.LayerNorm.weight", "classifier.bias")
    stored = [tensor(name, dims=[1], data_type=1, float_data=[1.0]) for name in marks]
    stored.append(tensor("distilbert.embeddings.word_embeddings.weight", **WRONG_TENSORS[kind]))
    path = tmp_path / "tagger.onnx"
    path.write_bytes(ModelProto(ir_version=8, graph=GraphProto(name="a", initializer=stored)).SerializeToString())
    (tmp_path / "tag_vocab.json").write_text('{"tags": ["$KEEP"]}', encoding="utf-8")
    with quickly(kind), pytest.raises(DamagedWeights):
        open_onnx(path)


@pytest.mark.parametrize("name", [PROJECTION, "decoder.final_conv.weight"])
@pytest.mark.parametrize("kind", WRONG_TENSORS)
def test_an_onnx_tensor_of_a_wrong_size_or_type_is_damage(kind: str, name: str, tmp_path: Path) -> None:
    path = onnx_file(tmp_path, name, WRONG_TENSORS[kind])
    tracemalloc.start()
    try:
        with quickly(kind), pytest.raises(DamagedWeights, match=r"vit_s_focus\.onnx has not the tensors"):
            open_onnx(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
