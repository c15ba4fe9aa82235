"""What the fuzzer tries: each target draws an input for one reader, and raises for anything but the reader's own error.

A target is a function of Hypothesis' `data`. Its name, with spaces, is the name of the reader.
"""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import onnx
from hypothesis import note
from hypothesis import strategies as some

from model import available, load
from model.errors import DamagedWeights, PictureError, TextsError
from model.texts.complaints import fault_of
from model.texts.reading import MAX_TEXTS, read_upload
from model.vision.headers import read_header
from model.vision.preparation import Preparation
from model.zoo import card_values
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from model.zoo.files import read_object
from model.zoo.onnx_model import open_onnx
from pages.catalogue import PAGES
from pages.shared.session import key_texts
from pages.shared.session.keys import KEYS
from pages.teach.lectures import lecture_file
from pages.teach.rooms import routes
from pages.teach.rooms.room import Hub, RoomError
from tests.hostile.model_files import FAMILIES, MORE_KEYS, PROJECTION, WRONG, tensor
from tests.hostile.pictures import animated_webp, encode, jpeg_of_scans, plain, png
from tests.hostile.text_corpus import TEXTS, run
from tests.hostile.url_values import all_links, find_fault, keys_of, start
from tests.model import networks
from tests.model.zoo import tiny
from tests.model.zoo.tiny_gguf import write_gguf

MAX_SECONDS = 10.0  # of the processor, for one input
MAX_EDITS = 4

Data = Any  # what `some.data()` gives
numbers = some.integers() | some.floats() | some.sampled_from((-1, 0, 1, 10**12, 2**63, 2**80, 10**400, 10**4000))
values = some.recursive(
    some.none() | some.booleans() | numbers | some.text(max_size=8) | some.sampled_from(tuple(WRONG.values())),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=4), inner, max_size=4),
    max_leaves=6,
)
edits = some.lists(
    some.tuples(some.integers(0, 2**20), some.integers(0, 8), some.binary(max_size=8)), min_size=1, max_size=MAX_EDITS
)


@contextmanager
def quickly() -> Iterator[None]:
    began = time.process_time()
    yield
    assert time.process_time() - began < MAX_SECONDS, "it took too long"


def edited(data: Data, sound: bytes) -> bytes:
    """A sound file with a few bytes put in place of others, and perhaps cut off."""
    made = bytearray(sound)
    for place, length, put in data.draw(edits, label="at, bytes taken out, bytes put in"):
        at = place % (len(made) + 1)
        made[at : at + length] = put
    return bytes(made[: data.draw(some.just(len(made)) | some.integers(0, len(made)), label="bytes kept")])


@cache
def folder(name: str) -> Path:
    """A folder of this process, which goes when it ends."""
    made = Path(tempfile.mkdtemp(prefix=f"glassformer-fuzz-{name.replace(' ', '-')}-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


# -- lectures, rooms and links -----------------------------------------------------------------------------------------

LINES = (
    "format = 1\n", 'title = "a"\n', "[[scenes]]\n", "[scenes.state]\n", 'page = "heads"\n', 'model = "tiny-lm"\n',
    "a.b.c = 1\n", "x = [", "]\n", "{a = ", "}", '"""', "'''", '"', "'", "\\", "#", "\r\n", "1979-05-27T07:32:00Z",
    "0x", "inf", "nan", "\x00", "\ufeff", "\U0001f98a", "9" * 5000,
)  # fmt: skip


def lecture_files(data: Data) -> None:
    start_line = data.draw(some.sampled_from(("format = 1\n", "")))
    text = start_line + "".join(data.draw(some.lists(some.sampled_from(LINES) | some.text(max_size=6), max_size=30)))
    file = data.draw(some.just(text.encode("utf-8", "surrogatepass")) | some.binary(max_size=60))
    with quickly(), suppress(lecture_file.LectureError):
        lecture, _ = lecture_file.read(file)
        assert lecture_file.read(lecture_file.write(lecture).encode())[0] == lecture


names = some.text(max_size=130)
places = some.tuples(names, names, numbers, numbers)


def room_messages(data: Data) -> None:
    hub = Hub()
    opened = hub.open("presenter")
    seats = [hub.sit(lambda: None, key=hub.admit(opened.code, "address")), hub.sit(lambda: None, token=opened.token)]
    parts = some.fixed_dictionaries(
        {},
        optional={
            "spot": places | values,
            "scroll": places | values,
            "answer": values | some.tuples(some.just(1), some.text(max_size=60)),
            "leave_out": values,
            "aside": values,
            "reveal": values,
        },
    )
    hub.ask(opened.token, "words", "?", [], answer=None)
    texts = (parts | values).map(json.dumps)
    for text in data.draw(some.lists(texts | some.text(max_size=20), max_size=4)):
        with quickly(), suppress(RoomError):
            message = routes._read_message(text)
            if (answer := routes._read_answer(message.get("answer"))) is not None:
                hub.answer(seats[0], *answer)
            routes._obey_presenter(message, opened.token)
    for seat in seats:
        for news in hub.news(seat):
            assert not {"NaN", "Infinity", "-Infinity"} & set(constants_of(news)), news


def constants_of(text: str) -> list[str]:
    """The numbers of a JSON text that only Python writes and reads."""
    found: list[str] = []
    json.loads(text, parse_constant=found.append)
    return found


PAGE_OF_KEY = {name: entry.url for entry in PAGES for name in keys_of(entry.url)}


def url_keys(data: Data) -> None:
    name = data.draw(some.sampled_from(sorted(KEYS)))
    text = data.draw(some.text(max_size=30) | numbers.map(repr_of) | some.lists(numbers.map(repr_of)).map(",".join))
    with quickly():
        if not key_texts.find_fault(name, PAGE_OF_KEY[name], text):
            value = key_texts.parse(KEYS[name], text)
            assert type(value) is type(KEYS[name].default)
            assert key_texts.parse(KEYS[name], key_texts.to_text(value)) == value


def repr_of(number: float) -> str:
    return "9" * 4001 if isinstance(number, int) and abs(number) > 10**3000 else repr(number)


# -- files of models ---------------------------------------------------------------------------------------------------


def model_configurations(data: Data) -> None:
    family = data.draw(some.sampled_from(sorted(FAMILIES)))
    make, read = FAMILIES[family]
    path, config = sound_model(family, make)
    keys = some.sampled_from((*config, *MORE_KEYS))
    changes = data.draw(some.dictionaries(keys, values, min_size=1, max_size=3))
    path.with_name("config.json").write_text(json.dumps({**config, **changes}), encoding="utf-8")
    with quickly(), suppress(DamagedWeights):
        read(path)


@cache
def sound_model(family: str, make: Callable[[Path], Path]) -> tuple[Path, dict[str, Any]]:
    path = make(folder(family))
    return path, json.loads(path.with_name("config.json").read_text(encoding="utf-8"))


def safetensors_files(data: Data) -> None:
    path, sound = sound_weights()
    header = 8 + int.from_bytes(sound[:8], "little")
    path.write_bytes(edited(data, sound[:header]) + sound[header:])
    with quickly(), suppress(DamagedWeights):
        FAMILIES["bundled decoder"][1](path)


@cache
def sound_weights() -> tuple[Path, bytes]:
    path = FAMILIES["bundled decoder"][0](folder("safetensors"))
    return path, path.read_bytes()


def gguf_files(data: Data) -> None:
    path, sound = sound_gguf()
    header = sound.index(b"output_norm.weight") + 60
    path.write_bytes(edited(data, sound[:header]) + sound[header:])
    with quickly(), suppress(DamagedWeights):
        FAMILIES["llama"][1](path)


@cache
def sound_gguf() -> tuple[Path, bytes]:
    path = write_gguf(tiny.llama(folder("gguf"))[1])
    return path, path.read_bytes()


def onnx_files(data: Data) -> None:
    sizes = some.lists(some.integers(-(2**63), 2**63 - 1) | some.integers(-2, 20), max_size=5)
    drawn = data.draw(
        some.fixed_dictionaries(
            {"dims": sizes, "data_type": some.integers(0, 40), "raw_data": some.binary(max_size=32)},
            optional={"float_data": some.lists(some.floats(width=32), max_size=4)},
        )
    )
    made = tensor(PROJECTION, **drawn)
    file = onnx.ModelProto(ir_version=8, graph=onnx.GraphProto(name="a", initializer=[made])).SerializeToString()
    path = folder("onnx") / "vit_s_focus.onnx"
    path.write_bytes(edited(data, file))
    with quickly(), suppress(DamagedWeights):
        open_onnx(path)


def cards(data: Data) -> None:
    keys = some.sampled_from(("title", "kind", "layers", "heads", "parameters", "max_length", "pixels", "snapshots"))
    made = data.draw(some.dictionaries(keys | some.text(max_size=5), values, max_size=10))
    path = folder("card") / "card.json"
    path.write_text(json.dumps(made), encoding="utf-8")
    with quickly():
        with suppress(DamagedWeights):
            card_values.checked_values(path, read_object(path))
        card_values.values_without_card(path, made)
        with suppress(DamagedWeights):
            Preparation.of(networks.config("encoder", **networks.VISION), made)


# -- pictures ----------------------------------------------------------------------------------------------------------


@cache
def sound_pictures() -> tuple[bytes, ...]:
    return (
        png(3, 2, 8, 2, channels=3),
        encode(plain(16, 16), "JPEG"),
        jpeg_of_scans(16, 16, 12),
        encode(plain(16, 16), "WEBP"),
        animated_webp(16, 16, lossless=True),
    )


def picture_headers(data: Data) -> None:
    file = edited(data, data.draw(some.sampled_from(sound_pictures())))
    with quickly(), suppress(PictureError):
        header = read_header(file)
        assert header.width > 0
        assert header.height > 0
        assert header.decoded_bytes > 0


# -- texts -------------------------------------------------------------------------------------------------------------

SOUND_TEXTS = {
    "a.txt": "one\n\ntwo three\r\n",
    "a.csv": 'text;n\n"one; ""two""\nthree";1\nfour;2\n',
    "a.jsonl": '{"text": "one \\ud83e\\udd8a", "n": 1}\n{"text": "two"}\n',
}


def files_of_texts(data: Data) -> None:
    name, text = data.draw(some.sampled_from(tuple(SOUND_TEXTS.items())))
    file = edited(data, text.encode(data.draw(some.sampled_from(("utf-8", "utf-8-sig", "utf-16")))))
    with quickly(), suppress(TextsError):
        read = read_upload(name, file, data.draw(some.sampled_from(("", "n"))))
        assert 0 < len(read.collection.texts) <= MAX_TEXTS
        assert not any(fault_of(each.content) for each in read.collection.texts)
        assert all(1 <= each.line <= file.count(b"\n") + file.count(b"\r") + 1 for each in read.complaints)


# -- pages and models --------------------------------------------------------------------------------------------------


def pages(data: Data) -> None:
    """One link of the full product of pages, parts, depths and kinds of value."""
    page = data.draw(some.sampled_from(PAGES)).url
    link = data.draw(some.sampled_from(tuple(all_links(page))))
    note(str(link)[:2000])
    fault = find_fault(start(page), link)
    assert not fault, fault


def models(data: Data) -> None:
    """One hostile text through one model."""
    name = data.draw(some.sampled_from([card.name for card in available(*TEXT_KINDS, RECURRENT_KIND) if card.ready]))
    text = data.draw(some.sampled_from(tuple(TEXTS.values())) | some.text(max_size=40))
    run(loaded(name), text)


loaded = cache(load)

READERS = (
    lecture_files, room_messages, url_keys, model_configurations, safetensors_files, gguf_files, onnx_files, cards,
    picture_headers, files_of_texts,
)  # fmt: skip
SLOW = (pages, models)
TARGETS: dict[str, Callable[[Data], None]] = {each.__name__.replace("_", " "): each for each in READERS + SLOW}
