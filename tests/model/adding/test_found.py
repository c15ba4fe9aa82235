"""Which files of a repository make a model, and what is said of them."""

from __future__ import annotations

import pytest
import torch

from model.adding.found import Found, HubFile, choose_files
from model.errors import NotEnoughMemory, UnusableFiles
from model.zoo.memory import check_memory, free_memory

ONE = ("config.json", "model.safetensors", "tokenizer.json")
SHARDS = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "model.safetensors.index.json")


def chosen(*paths: str) -> list[str]:
    shards = [path for path in paths if "-of-" in path]
    return [file.path for file in choose_files("a/b", [HubFile(path, 1) for path in paths], listed=lambda: shards)]


def test_configuration_tokenizer_and_weights_are_taken() -> None:
    others = (
        "README.md",
        "modeling.py",
        "pytorch_model.bin",
        "onnx/model.onnx",
        "sub/model.safetensors",
        ".gitattributes",
    )
    assert chosen(*others, *ONE) == ["config.json", "tokenizer.json", "model.safetensors"]
    assert chosen("config.json", "vocab.json", "merges.txt", *SHARDS) == [
        "config.json",
        "vocab.json",
        "merges.txt",
        "model.safetensors.index.json",
        *SHARDS[:2],
    ]


def test_a_whole_file_is_taken_before_its_shards() -> None:
    assert chosen(*ONE, *SHARDS)[-1] == "model.safetensors"


def test_of_several_gguf_files_one_is_taken() -> None:
    assert chosen("m-Q4_0.gguf", "m-Q8_0.gguf", "m-f16.gguf", "README.md") == ["m-Q8_0.gguf"]
    assert chosen("m-Q2_K.gguf", "m-Q4_K_M.gguf") == ["m-Q4_K_M.gguf"]
    assert chosen("m-00001-of-00002.gguf", "m.gguf") == ["m.gguf"]


def test_the_parts_of_a_gguf_file_are_taken_together() -> None:
    parts = [f"m-Q8_0-0000{number}-of-00003.gguf" for number in (1, 2, 3)]
    assert chosen("m-Q2_K.gguf", *reversed(parts)) == parts
    files = [HubFile(path, 1) for path in ("m-Q2_K.gguf", *parts)]
    for wanted in (parts[0], parts[2], "Q8_0"):
        assert [file.path for file in choose_files("a/b", files, wanted)] == parts
    assert chosen("m-00001-of-00000.gguf") == ["m-00001-of-00000.gguf"], "no part has such a name"
    with pytest.raises(UnusableFiles, match=r"1 of them are not beside it, such as m-Q8_0-00002-of-00003\.gguf"):
        choose_files("a/b", [files[0], files[1], files[3]], parts[0])


def test_a_gguf_file_is_taken_by_its_name() -> None:
    files = [HubFile(path, 1) for path in ("m-Q4_0.gguf", "m-Q8_0.gguf", *ONE)]
    assert [file.path for file in choose_files("a/b:m-Q4_0.gguf", files, "m-Q4_0.gguf")] == ["m-Q4_0.gguf"]
    with pytest.raises(UnusableFiles, match=r"a/b:none\.gguf is not there\..* has m-Q4_0\.gguf, m-Q8_0\.gguf\."):
        choose_files("a/b:none.gguf", files, "none.gguf")
    with pytest.raises(UnusableFiles, match="has no GGUF file"):
        choose_files("a/b:none.gguf", [HubFile("config.json", 1)], "none.gguf")


def test_the_files_that_are_left_are_named() -> None:
    found = Found("Llama", 1, 1, 1, "?", "a/b", "c" * 40, (HubFile("m-Q8_0.gguf", 1),), others=("m-Q4_0.gguf",))
    assert found.name == "a/b@cccccccc"
    assert dict(found.facts())["Other files"] == "m-Q4_0.gguf. To take another one, name it, as in a/b:m-Q4_0.gguf"


@pytest.mark.parametrize(
    ("paths", "why"),
    [
        (("config.json", "pytorch_model.bin"), r"only as pytorch_model\.bin"),
        (("config.json", "tf_model.h5"), r"only as tf_model\.h5"),
        (("model.safetensors",), r"has no config\.json"),
        (("config.json", *SHARDS[:2]), r"has model-00001-of-00002\.safetensors, but no model\.safetensors and no"),
        (("adapter_config.json", "adapter_model.safetensors"), "is an adapter"),
        (("README.md",), "no model to read"),
        ((), "no model to read"),
    ],
)
def test_what_makes_no_model_is_refused_in_words(paths: tuple[str, ...], why: str) -> None:
    with pytest.raises(UnusableFiles, match=why):
        chosen(*paths)


def test_twenty_gigabytes_on_a_machine_of_twenty_four() -> None:
    with pytest.raises(NotEnoughMemory, match=r"takes 20 GB of memory in float32, and 25 GB while"):
        check_memory("a/b", 20_000_000_000, 24_000_000_000)
    check_memory("a/b", 19_000_000_000, 24_000_000_000)
    check_memory("a/b", 20_000_000_000, None)


def test_what_fits_in_half_width_alone_is_refused_with_the_way_to_have_it_so() -> None:
    with pytest.raises(NotEnoughMemory, match=r"DTYPE=bfloat16: it then takes 12\.5 GB, and .* off by up to 15%"):
        check_memory("a/b", 20_000_000_000, 24_000_000_000)
    with pytest.raises(NotEnoughMemory, match=r"are free here\. Take a smaller model"):
        check_memory("a/b", 20_000_000_000, 12_000_000_000)
    check_memory("a/b", 20_000_000_000, 24_000_000_000, torch.bfloat16)
    with pytest.raises(NotEnoughMemory, match=r"takes 20 GB of memory in float16, and 25 GB while"):
        check_memory("a/b", 40_000_000_000, 24_000_000_000, torch.float16)


def test_free_memory_is_that_of_the_machine() -> None:
    free = free_memory()
    assert free is None or 50_000_000 < free < 1 << 50


def test_facts_of_what_is_not_known_yet() -> None:
    facts = dict(Found("Llama", 10_000_000, None, None, "mit", repository="a/b", commit="0123456789").facts())
    assert facts["To download"] == "nothing: all of it is here"
    assert facts["Memory"] == "not known yet"
    assert facts["Commit"] == "01234567"
