"""How often each file of a model is parsed from a look at it to its first run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.adding.add import add, look
from model.loading import gives_answer, load
from model.zoo import files, gguf_file, weight_files
from tests.model.zoo import tiny, tiny_families, tiny_readers
from tests.model.zoo.tiny_gguf import write_gguf


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was parsed, by its name: JSON files, headers of safetensors, and GGUF files."""
    times: Counter[str] = Counter()

    def count(function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(path: Path, *rest: Any, **named: Any) -> Any:
            times[Path(path).name] += 1
            return function(path, *rest, **named)

        return counted

    monkeypatch.setattr(files, "read_json", count(files.read_json))
    monkeypatch.setattr(weight_files, "read_header", count(weight_files.read_header))
    monkeypatch.setattr(gguf_file, "QuickReader", count(gguf_file.QuickReader))
    return times


def test_a_look_opens_the_files_for_the_card_that_is_added(parsed: Counter[str], empty_machine: Path) -> None:
    tiny.llama(empty_machine)
    (empty_machine / "generation_config.json").write_text("{}")
    found = look(str(empty_machine))
    names = ("config.json", "tokenizer.json", "generation_config.json", "model.safetensors")
    assert {name: parsed[name] for name in names} == dict.fromkeys(names, 1)
    before = dict(parsed)
    card = add(found)
    assert {name: parsed[name] for name in before} == before, "adding opens nothing anew"
    load(card.name)
    assert {name: parsed[name] for name in names} == dict.fromkeys(names, 2)


def test_the_card_of_an_encoder_says_whether_it_answers(parsed: Counter[str], empty_machine: Path) -> None:
    """A page that asks opens nothing; only the files of a card that was added by an earlier version are asked."""
    tiny_readers.make("masked bert", empty_machine / "reader")
    tiny_families.make_encoder("bert", empty_machine / "vectors")
    reader, vectors = (add(str(empty_machine / name)) for name in ("reader", "vectors"))
    before = Counter(parsed)
    assert (gives_answer(reader), gives_answer(vectors)) == (True, False)
    assert parsed["model.safetensors"] == before["model.safetensors"] == 2
    assert gives_answer(replace(reader, answers=None))
    assert parsed["model.safetensors"] == 3


def test_both_tokenizers_of_a_translator_come_of_one_reading(parsed: Counter[str], empty_machine: Path) -> None:
    tiny_families.make_translator("marian", empty_machine)
    look(str(empty_machine))
    assert parsed["vocab.json"] == 1


def test_a_gguf_file_is_parsed_once_for_its_look_and_once_to_load_it(parsed: Counter[str], empty_machine: Path) -> None:
    path = write_gguf(tiny.llama(empty_machine)[1])
    card = add(str(path))
    assert parsed[path.name] == 1
    load(card.name)
    assert parsed[path.name] == 2
