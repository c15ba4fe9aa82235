"""Makers of model files that are wrong in one place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import onnx
import pytest
import torch
from onnx import TensorProto
from safetensors.torch import save_file

from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import make_recurrent
from model.zoo import families
from model.zoo.bundled import open_bundled
from model.zoo.opening import open_checkpoint
from tests.model import networks
from tests.model.zoo import tiny, tiny_families, tiny_t5
from tests.model.zoo.opened import built

MILLION_MILLION = 10**12
WRONG: dict[str, Any] = {
    "null": None,
    "true": True,
    "text": "many",
    "no text": "",
    "half a character": "\ud800",
    "a long text": "x" * 100_000,
    "negative": -1,
    "zero": 0,
    "one": 1,
    "a fraction": 0.5,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "huge fraction": 1e300,
    "a million": 1_000_000,
    "a million million": MILLION_MILLION,
    "minus a million million": -MILLION_MILLION,
    "beyond 64 bits": 2**80,
    "4,000 digits": 10**4000,
    "list": [1, "a"],
    "no list": [],
    "list of lists": [[[]]],
    "object": {"type": 7, "rope_type": [], "rope_theta": "x"},
    "no object": {},
}
NOT_AN_OBJECT: dict[str, bytes] = {
    "empty": b"",
    "empty list": b"[]",
    "list": b'[{"kind": "decoder"}]',
    "null": b"null",
    "number": b"7",
    "text": b'"card"',
    "cut off": b'{"kind": "deco',
    "not UTF-8": b'{"kind": "\xff\xfe"}',
    "UTF-16": '{"kind": "decoder"}'.encode("utf-16"),
    "zeros": bytes(1000),
    "deep": b'{"a":' + b"[" * 100_000,
    "many digits": b'{"heads": ' + b"9" * 100_000 + b"}",
    "too large": b'{"a": "' + b"x" * 17_000_000 + b'"}',
    "no values": b"{}",
}
# Keys that the readers of other families know, but that the tiny checkpoints may lack.
MORE_KEYS = (
    "head_dim",
    "rope_theta",
    "rope_scaling",
    "rope_parameters",
    "attention_bias",
    "mlp_bias",
    "tie_word_embeddings",
    "num_key_value_heads",
    "position_embedding_type",
    "type_vocab_size",
)

PARTS = 3  # a family that reads a key takes one of so many parts of the wrong values

Read = Callable[[Path], Any]


def transformer_folder(folder: Path, kind: str, **changes: Any) -> Path:
    """A bundled transformer of random weights, as `model.train` publishes it."""
    made = networks.network(kind, **{"vocab_size": networks.word_tokenizer().size, **changes})
    return _write(folder, made, made.config.to_dict())


def recurrent_folder(folder: Path) -> Path:
    config = RecurrentConfig("encoder-decoder", "gru", networks.word_tokenizer().size, 8, 6, 32, attention=True)
    return _write(folder, make_recurrent(config), config.to_dict())


def _write(folder: Path, network: torch.nn.Module, values: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.safetensors"
    save_file({name: weights.detach().half().contiguous() for name, weights in network.named_parameters()}, path)
    (folder / "config.json").write_text(json.dumps(values), encoding="utf-8")
    networks.word_tokenizer().backend.save(str(folder / "tokenizer.json"))
    return path


def family_folder(name: str, folder: Path) -> Path:
    make = tiny_families.make if name in tiny_families.VARIATIONS else tiny_families.make_encoder
    make = tiny_families.make_translator if name in tiny_families.TRANSLATORS else make
    (tiny_t5.make if name in tiny_t5.VARIATIONS else make)(name, folder)
    return folder / "model.safetensors"


OTHER_FAMILIES = ("gpt2", "gpt_neox", "llama, slower turns", "distilbert", "marian", "t5, v1.1")
# By family: the maker of a sound folder, and its reader.
FAMILIES: dict[str, tuple[Callable[[Path], Path], Read]] = {
    "bundled decoder": (
        lambda folder: transformer_folder(folder, "decoder", positions="learned"),
        lambda path: built(open_bundled(path, "decoder")),
    ),
    "bundled translator": (
        lambda folder: transformer_folder(folder, "encoder-decoder", target_vocab_size=19),
        lambda path: built(open_bundled(path, "encoder-decoder")),
    ),
    "bundled vision": (
        lambda folder: transformer_folder(folder, "encoder", **networks.VISION),
        lambda path: built(open_bundled(path, "vision")),
    ),
    "recurrent": (recurrent_folder, lambda path: built(open_bundled(path, "recurrent"))),
    "bert": (lambda folder: tiny.bert(folder)[1], lambda path: built(open_checkpoint(path))),
    "llama": (lambda folder: tiny.llama(folder)[1], lambda path: built(open_checkpoint(path))),
    **{name: (partial(family_folder, name), lambda path: built(open_checkpoint(path))) for name in OTHER_FAMILIES},
}


def keys_of(family: str, folder: Path) -> list[str]:
    """The keys of a sound config.json, and those that the readers look for besides."""
    FAMILIES[family][0](folder)
    values = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return list(dict.fromkeys([*values, *MORE_KEYS]))


def keys_read(family: str, folder: Path) -> list[str]:
    """Those of them that the reader of the family looks at, but for those that it knows to change no number."""
    make, read = FAMILIES[family]
    path, looked_at = make(folder), set[str]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.zoo.files.json.loads", partial(json.loads, object_hook=partial(WatchedValues, looked_at)))
        read(path)
    kind = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type")
    idle = families.FAMILIES[kind].known.without_effect if kind in families.FAMILIES else ()
    return [key for key in keys_of(family, folder) if key in looked_at and key not in idle]


def shared_out(family: str, key: str, readers: Sequence[str]) -> dict[str, Any]:
    """The wrong values of a key for one of the families that read it: a third of all, or more.

    Any three neighbours among the readers have all values. One or two readers have all between them.
    """
    parts = min(len(readers), PARTS)
    turn = readers.index(family) + len(key)
    return {kind: value for number, (kind, value) in enumerate(WRONG.items()) if (number + turn) % parts == 0}


class WatchedValues(dict[str, Any]):
    """The values of a file, which notes the keys that are looked at. Whoever takes all values looks at every key."""

    def __init__(self, looked_at: set[str], values: dict[str, Any]) -> None:
        super().__init__(values)
        self._looked_at = looked_at

    def __getitem__(self, key: str) -> Any:
        self._looked_at.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._looked_at.add(str(key))
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._looked_at.add(key)
        return super().get(key, default)

    def __iter__(self) -> Iterator[str]:
        self._looked_at.update(super().keys(), MORE_KEYS)
        return super().__iter__()

    def keys(self) -> Any:
        return list(self)

    def items(self) -> Any:
        return [(key, self[key]) for key in self]


def tensor(name: str, **fields: Any) -> TensorProto:
    """A tensor of an ONNX graph with these fields, which need not agree."""
    made = TensorProto(name=name)
    for field, value in fields.items():
        if isinstance(value, (list, tuple)):
            getattr(made, field).extend(value)
        else:
            setattr(made, field, value)
    return made


FLOAT, STRING = TensorProto.FLOAT, TensorProto.STRING
PROJECTION = "backbone.embeddings.patch_embeddings.projection.weight"
WRONG_TENSORS: dict[str, dict[str, Any]] = {
    "negative size": {"dims": [-1], "data_type": FLOAT, "raw_data": bytes(16)},
    "two negative sizes": {"dims": [-2, -2], "data_type": FLOAT, "raw_data": bytes(16)},
    "huge size": {"dims": [MILLION_MILLION], "data_type": FLOAT, "raw_data": bytes(16)},
    "huge size without numbers": {"dims": [MILLION_MILLION], "data_type": FLOAT},
    "product beyond 64 bits": {"dims": [2**62, 2**62], "data_type": FLOAT, "raw_data": bytes(16)},
    "no numbers": {"dims": [0, 3, 0, 14], "data_type": FLOAT},
    "a single number": {"dims": [], "data_type": FLOAT, "raw_data": bytes(4)},
    "strings": {"dims": [2], "data_type": STRING, "string_data": [b"a", b"\xff"]},
    "strings of four sizes": {"dims": [1, 1, 1, 2], "data_type": STRING, "string_data": [b"a", b"b"]},
    "no type": {"dims": [1], "data_type": 0, "raw_data": bytes(4)},
    "unknown type": {"dims": [1], "data_type": 99, "raw_data": bytes(4)},
    "half a number": {"dims": [1], "data_type": FLOAT, "raw_data": bytes(3)},
    "complex numbers": {"dims": [1], "data_type": TensorProto.COMPLEX64, "raw_data": bytes(8)},
    "four bits": {"dims": [3], "data_type": TensorProto.INT4, "raw_data": bytes(2)},
    "another file": {"dims": [1], "data_type": FLOAT, "data_location": TensorProto.EXTERNAL},
}


def onnx_file(folder: Path, name: str, fields: dict[str, Any]) -> Path:
    """An ONNX graph with one tensor, which may claim to lie in another file."""
    made = tensor(name, **fields)
    if made.data_location == TensorProto.EXTERNAL:
        made.external_data.add(key="location", value="secret.bin")
        (folder / "secret.bin").write_bytes(bytes(4))
    path = folder / "vit_s_focus.onnx"
    graph = onnx.GraphProto(name="wrong", initializer=[made])
    path.write_bytes(onnx.ModelProto(ir_version=8, graph=graph).SerializeToString())
    return path
