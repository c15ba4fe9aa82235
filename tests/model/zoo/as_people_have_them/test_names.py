"""Names of models as people type and paste them: understood, or refused with the reason and the names near to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.adding.add import add, look
from model.errors import UnknownModel, UnusableFiles
from model.loading import load
from model.zoo.hub_names import HubName, read_name
from tests.model.adding.hub_server import HubServer, Repository
from tests.model.zoo import tiny
from tests.model.zoo.tiny_gguf import write_gguf

GPT2 = HubName("openai-community/gpt2")
PLAIN = HubName("owner/name")
QUANTISED = HubName("owner/name", file="Q4_K_M")
UNDERSTOOD: dict[str, HubName] = {
    "gpt2": GPT2,
    "GPT2 ".lower(): GPT2,
    "bert-base-uncased": HubName("google-bert/bert-base-uncased"),
    "distilbert-base-uncased-finetuned-sst-2-english": HubName(
        "distilbert/distilbert-base-uncased-finetuned-sst-2-english"
    ),
    "roberta-base": HubName("FacebookAI/roberta-base"),
    "t5-small": HubName("google-t5/t5-small"),
    "  owner/name/ ": PLAIN,
    '"owner/name"': PLAIN,
    "`owner/name`": PLAIN,
    "huggingface.co/owner/name": PLAIN,
    "www.huggingface.co/owner/name": PLAIN,
    "hf.co/owner/name": PLAIN,
    "hf://owner/name": PLAIN,
    "http://huggingface.co/owner/name": PLAIN,
    "https://huggingface.co/owner/name?library=transformers": PLAIN,
    "https://huggingface.co/owner/name#usage": PLAIN,
    "https://huggingface.co/owner/name/": PLAIN,
    "https://huggingface.co/owner/name.git": PLAIN,
    "git clone https://huggingface.co/owner/name": PLAIN,
    "https://huggingface.co/owner/name/tree/main": PLAIN,
    "owner/name/tree/main": PLAIN,
    "https://huggingface.co/owner/name/tree/v1.0": HubName("owner/name", "v1.0"),
    "https://huggingface.co/owner/name/tree/mainline": HubName("owner/name", "mainline"),
    "https://huggingface.co/owner/name/commit/e7da7f2": HubName("owner/name", "e7da7f2"),
    "https://huggingface.co/owner/name/tree/refs%2Fpr%2F3": HubName("owner/name", "refs/pr/3"),
    "https://huggingface.co/owner/name/blob/main/config.json": PLAIN,
    "https://huggingface.co/owner/name/blob/main/x.gguf": HubName("owner/name", file="x.gguf"),
    "https://huggingface.co/owner/name/resolve/main/x.gguf?download=true": HubName("owner/name", file="x.gguf"),
    "https://huggingface.co/owner/name/resolve/v2/x.gguf": HubName("owner/name", "v2", "x.gguf"),
    "https://huggingface.co/owner/name/discussions/3": PLAIN,
    "https://huggingface.co/gpt2": GPT2,
    "https://huggingface.co/gpt2/tree/main": GPT2,
    "owner/name:Q4_K_M": QUANTISED,
    "hf.co/owner/name:Q4_K_M": QUANTISED,
    "ollama run hf.co/owner/name:Q4_K_M": QUANTISED,
    "ollama pull hf.co/owner/name:latest": PLAIN,
    "hf download owner/name": PLAIN,
    "huggingface-cli download owner/name --local-dir x": PLAIN,
    'AutoModel.from_pretrained("owner/name")': PLAIN,
    "model = AutoModelForCausalLM.from_pretrained('owner/name', dtype='auto')": PLAIN,
    'AutoTokenizer.from_pretrained("gpt2")': GPT2,
}


@pytest.mark.parametrize("text", UNDERSTOOD)
def test_a_name_is_understood(text: str) -> None:
    assert read_name(text) == UNDERSTOOD[text]


PATHS = {
    "./my-model/": "my-model",
    ".\\my-model": "my-model",
    "models\\my model\\": "models/my model",
    "C:\\models\\my-model": "C:\\models\\my-model",
    "file:///models/my%20model": "/models/my model",
    '"/models/my-model"': "/models/my-model",
    "models/x.gguf": "models/x.gguf",
}


@pytest.mark.parametrize("text", PATHS)
def test_a_path_is_understood(text: str) -> None:
    assert read_name(text) == Path(PATHS[text])


REFUSED = {
    "https://huggingface.co/datasets/squad": "is a data set of the hub, not a model",
    "https://huggingface.co/datasets/owner/name/tree/main": "is a data set of the hub",
    "huggingface.co/spaces/owner/name": "is an app of the hub",
    "https://huggingface.co/papers/1706.03762": "is a paper of the hub",
    "https://huggingface.co/": "names no model",
    "https://example.com/owner/name": "names no model",
    "a b/c": "names no model",
    "owner/name/tree/../x": "names no model",
    "my-model": "names no model",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_text_that_names_no_model_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(UnknownModel, match=REFUSED[text]):
        read_name(text)


NEAR = {
    "gpt-2": "openai-community/gpt2",
    "bert-base-uncase": "google-bert/bert-base-uncased",
    "distilbert-base": "distilbert/distilbert-base-cased",
    "T5-small": "google-t5/t5-small",
}


@pytest.mark.parametrize("text", NEAR)
def test_names_near_to_it_are_offered(text: str) -> None:
    with pytest.raises(UnknownModel) as told:
        read_name(text)
    assert NEAR[text] in told.value.instead
    assert all(isinstance(read_name(name), HubName) for name in told.value.instead)


def test_the_kind_of_numbers_chooses_the_file(hub: HubServer, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    content = write_gguf(tiny.llama(folder)[1]).read_bytes()
    files = ("tiny-Q4_K_M.gguf", "tiny-Q4_K_S.gguf", "tiny-Q4_0.gguf", "other-Q4_0.gguf")
    hub.repositories["owner/name"] = Repository(dict.fromkeys(files, content))
    assert look("owner/name:q4_k_m").name == "owner/name@c0ffee00:tiny-Q4_K_M.gguf"
    card = add("hf.co/owner/name:Q4_K_M")
    assert load("owner/name:Q4_K_M").card == card
    with pytest.raises(UnusableFiles, match=r"may be other-Q4_0\.gguf or tiny-Q4_0\.gguf") as told:
        look("owner/name:Q4_0")
    assert told.value.instead == ("owner/name:other-Q4_0.gguf", "owner/name:tiny-Q4_0.gguf")
    with pytest.raises(UnusableFiles, match=r"The repository has other-Q4_0\.gguf, .*tiny-Q4_K_S\.gguf") as told:
        look("owner/name:Q2_K")
    assert "owner/name:tiny-Q4_K_S.gguf" in told.value.instead


def test_a_name_without_its_owner_is_fetched_under_its_whole_name(hub: HubServer, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    tiny.llama(folder)
    hub.repositories["openai-community/gpt2"] = Repository({each.name: each.read_bytes() for each in folder.iterdir()})
    card = add("gpt2")
    assert card.name == "openai-community/gpt2@c0ffee00"
    assert load("gpt2").card == card == load("https://huggingface.co/openai-community/gpt2/tree/main").card
