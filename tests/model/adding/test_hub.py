"""Models of the hub, by its real client against a hub on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file, save_file

from model import GlassformerError, available, load
from model.adding import download
from model.adding import hub as hub_module
from model.adding.add import add, look, remove
from model.errors import DiskFull, HubError, ModelMissing, NotEnoughMemory, UnsupportedFamily, UnusableFiles
from model.loading import load_here
from model.zoo.hub_names import HubName, read_name
from tests.model.adding.hub_server import TOKEN, HubServer, Repository, repository_of
from tests.model.zoo import tiny
from tests.model.zoo.tiny_gguf import write_gguf

NAME = "someone/tiny-llama"


class Cancelled(Exception):
    pass


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Llama, large enough to come in several pieces."""
    folder = tmp_path_factory.mktemp("llama")
    tiny.llama(folder, hidden_size=128, intermediate_size=512)
    return folder


@pytest.fixture
def repository(hub: HubServer, checkpoint: Path) -> Repository:
    hub.repositories[NAME] = made = repository_of(checkpoint)
    return made


def weights(repository: Repository) -> bytes:
    return repository.files["model.safetensors"]


def parts(machine: Path) -> list[Path]:
    return list((machine / "hub").rglob("*.part"))


def test_a_look_says_what_it_is_and_fetches_no_weights(repository: Repository, empty_machine: Path) -> None:
    found = look(NAME)
    assert found.name == f"{NAME}@{repository.commit[:8]}"
    assert (found.family, found.licence) == ("Llama", "apache-2.0")
    assert found.size == sum(map(len, repository.files.values()))
    stored = load_file(Path(look_at(repository, empty_machine)))
    assert found.memory == sum(4 * tensor.numel() for tensor in stored.values())
    assert found.missing == len(weights(repository)), "the small files are here, since they decide whether it loads"
    assert not (empty_machine / "hub").exists(), "a look writes nothing"
    assert all(file.path.endswith((".json", ".safetensors")) for file in found.files)


def look_at(repository: Repository, folder: Path) -> Path:
    path = folder / "copy.safetensors"
    path.write_bytes(weights(repository))
    return path


def test_a_model_of_the_hub_is_added_and_loaded_by_its_name(repository: Repository, checkpoint: Path) -> None:
    told: list[tuple[str, float]] = []
    card = add(NAME, lambda step, share: told.append((step, share)))
    assert card.name == f"{NAME}@c0ffee00"
    assert (card.title, card.kind, card.licence, card.layers) == ("tiny-llama", "decoder", "apache-2.0", "3")
    assert repository.commit in card.source
    assert card in available()
    assert told[0][0].startswith("Downloading ")
    shares = [share for step, share in told if step.startswith("Downloading")]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    expected = load(str(checkpoint)).trace("I am a robot")
    for name in (card.name, NAME, f"{NAME}@c0ffee", f"{NAME}@main"):
        assert torch.equal(load(name).trace("I am a robot").logits, expected.logits)


def test_what_a_look_has_read_is_not_fetched_again(repository: Repository) -> None:
    found = look(NAME)
    repository.asked.clear()
    add(found)
    assert repository.asked == ["GET model.safetensors"]


def test_a_sharded_model_comes_with_its_index(hub: HubServer, checkpoint: Path, tmp_path: Path) -> None:
    tensors = load_file(checkpoint / "model.safetensors")
    names, files = sorted(tensors), {}
    shards = {"model-00001-of-00002.safetensors": names[:9], "model-00002-of-00002.safetensors": names[9:]}
    for file, held in shards.items():
        save_file({name: tensors[name] for name in held}, tmp_path / file)
        files[file] = (tmp_path / file).read_bytes()
    place_of = {name: file for file, held in shards.items() for name in held}
    files["model.safetensors.index.json"] = json.dumps({"metadata": {}, "weight_map": place_of}).encode()
    files |= {name: (checkpoint / name).read_bytes() for name in ("config.json", "tokenizer.json")}
    hub.repositories[NAME] = Repository(files)
    card = add(NAME)
    assert torch.equal(load(card.name).trace("I am").logits, load(str(checkpoint)).trace("I am").logits)


def test_what_is_no_model_is_not_fetched(repository: Repository) -> None:
    repository.files |= {"modeling_llama.py": b"raise SystemExit", "pytorch_model.bin": b"\x80\x04.", "README.md": b"#"}
    add(NAME)
    assert not [line for line in repository.asked if ".py" in line or ".bin" in line or "README" in line]


def test_a_download_that_breaks_goes_on_where_it_was(repository: Repository, empty_machine: Path) -> None:
    size = len(weights(repository))
    repository.breaks_after = size // 3
    add(NAME)  # the client asks again by itself as long as bytes come
    ranges = [line for line in repository.asked if line.startswith("GET model.safetensors bytes=") and line[-1] == "-"]
    assert ranges[0] == f"GET model.safetensors bytes={size // 3}-"
    assert not parts(empty_machine)


def test_after_a_broken_download_the_next_try_goes_on(repository: Repository, empty_machine: Path) -> None:
    def cancel_at_half(step: str, share: float) -> None:
        if share > 0.5:
            repository.breaks_after = 0

    repository.breaks_after = len(weights(repository)) // 4
    with pytest.raises(HubError, match=r"broke off at .* MB .*What has come is kept"):
        add(NAME, cancel_at_half)
    (part,) = parts(empty_machine)
    held = part.stat().st_size
    assert 0 < held < len(weights(repository))
    assert not available_names()
    repository.breaks_after = None
    repository.asked.clear()
    add(NAME)
    assert f"GET model.safetensors bytes={held}-" in repository.asked


def available_names() -> list[str]:
    return [card.name for card in available() if card.is_added]


def test_a_cancelled_download_goes_on_where_it_was(repository: Repository, empty_machine: Path) -> None:
    def cancel(step: str, share: float) -> None:
        if share > 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        add(NAME, cancel)
    (part,) = parts(empty_machine)
    assert 0.2 * len(weights(repository)) < part.stat().st_size < len(weights(repository))
    assert not available_names()
    add(NAME)
    assert available_names() == [f"{NAME}@c0ffee00"]


def test_other_bytes_than_the_hub_states_are_thrown_away(repository: Repository, empty_machine: Path) -> None:
    found = look(NAME)
    repository.tampers = True
    with pytest.raises(HubError, match="another hash than the hub states"):
        add(found)
    assert not parts(empty_machine)
    assert not list((empty_machine / "hub").rglob("*.safetensors"))
    repository.tampers = False
    assert add(NAME).ready


def test_a_file_that_changes_later_is_noticed(repository: Repository) -> None:
    card = add(NAME)
    (card.require() / "model.safetensors").resolve().write_bytes(bytes(100))
    with pytest.raises(GlassformerError, match=r"model\.safetensors is damaged or is another file"):
        load(card.name)


def test_an_unknown_name(hub: HubServer) -> None:
    with pytest.raises(HubError, match="The hub has no model nobody/nothing, or it is private"):
        add("nobody/nothing")


def test_an_unknown_revision(repository: Repository) -> None:
    with pytest.raises(HubError, match=f"no revision of the name in {NAME}@v2"):
        add(f"{NAME}@v2")


def test_a_gated_model_asks_for_a_token(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.gated = True
    with pytest.raises(HubError, match=r"is gated.*set HF_TOKEN"):
        add(NAME)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert add(NAME).ready


def test_pickles_alone_are_refused(hub: HubServer) -> None:
    hub.repositories[NAME] = Repository({"config.json": b"{}", "pytorch_model.bin": b"\x80\x04."})
    with pytest.raises(UnusableFiles, match=r"weights only as pytorch_model\.bin.*never read"):
        add(NAME)
    assert hub.repositories[NAME].asked == []


def test_a_family_that_is_not_supported_is_named(repository: Repository) -> None:
    values = json.loads(repository.files["config.json"]) | {"model_type": "mamba", "auto_map": {"AutoModel": "x.py"}}
    repository.files["config.json"] = json.dumps(values).encode()
    with pytest.raises(UnsupportedFamily, match=r"'mamba'.*Llama"):
        add(NAME)
    assert not [line for line in repository.asked if "GET model.safetensors" in line]


def test_too_little_memory(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = look(NAME).memory
    assert memory is not None
    monkeypatch.setattr(hub_module, "free_memory", lambda: memory)  # as much as the weights, and nothing to run them
    with pytest.raises(NotEnoughMemory, match="are free here"):
        add(NAME)
    assert not [line for line in repository.asked if line == "GET model.safetensors"]


def test_too_little_disk(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "SPARE_BYTES", 1 << 60)
    with pytest.raises(DiskFull, match="Make room there, or name another folder in HF_HOME"):
        add(NAME)


def test_a_disk_that_fills_up(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(url: str, part: Path, size: int, report: object) -> None:
        with Path("/dev/full").open("wb") as out:
            out.write(bytes(size))

    monkeypatch.setattr(download, "_stream", fill)
    with pytest.raises(DiskFull, match="is full"):
        add(NAME)


def test_offline_takes_what_the_cache_has(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(HubError, match="HF_HUB_OFFLINE forbids"):
        add(NAME)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    remove_entry_only = add(NAME)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    found = look(NAME)
    assert (found.name, found.missing) == (remove_entry_only.name, 0)
    assert add(NAME).ready


def test_no_network(hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(HubError, match=r"The hub at http://127\.0\.0\.1:9 does not answer"):
        add(NAME)


def test_a_model_that_is_not_here_says_how_to_get_it(empty_machine: Path) -> None:
    with pytest.raises(ModelMissing, match=f"To get it, run: python -m glassformer add {NAME}@c0ffee00"):
        load_here(f"{NAME}@c0ffee00")


def test_a_removed_model_leaves_nothing(repository: Repository, empty_machine: Path) -> None:
    card = add(NAME)
    assert remove(card.name).name == card.name
    assert not available_names()
    assert not list((empty_machine / "hub").rglob("*.safetensors"))
    with pytest.raises(ModelMissing, match="These were: none"):
        remove(card.name)


def test_removing_keeps_what_others_have_downloaded(repository: Repository, empty_machine: Path) -> None:
    add(NAME)
    again = add(NAME)  # all of it was there
    remove(again.name)
    assert list((empty_machine / "hub").rglob("model.safetensors"))


@pytest.mark.parametrize(
    ("licence", "shown"), [(None, "not stated"), (["mit", "apache-2.0"], "mit, apache-2.0"), (7, "not stated")]
)
def test_the_licence_of_the_card(repository: Repository, licence: object, shown: str) -> None:
    repository.licence = licence
    assert look(NAME).licence == shown


def test_an_address_of_a_browser_is_a_name() -> None:
    assert read_name("https://huggingface.co/openai-community/gpt2/") == HubName("openai-community/gpt2")
    assert read_name("a/b@refs/pr/3") == HubName("a/b", "refs/pr/3")


@pytest.mark.parametrize("text", ["a/b:m.Q4_0.gguf", "a/b@main:m.Q4_0.gguf"])
def test_a_file_of_a_repository_has_a_name(text: str) -> None:
    name = read_name(text)
    assert isinstance(name, HubName)
    assert (name.repository, name.file, str(name)) == ("a/b", "m.Q4_0.gguf", text)


@pytest.mark.parametrize("text", ["./a/b:m.gguf", "m.gguf", "a/b.gguf", "C:/a/b:m.gguf", "/a:m.gguf"])
def test_a_path_is_no_file_of_a_repository(text: str) -> None:
    assert read_name(text) == Path(text)


def test_one_gguf_file_of_several_is_chosen_by_name(hub: HubServer, tmp_path: Path) -> None:
    folder = tmp_path / "gguf"
    folder.mkdir()
    _, weights = tiny.llama(folder)
    content = write_gguf(weights).read_bytes()
    hub.repositories[NAME] = Repository(
        {"tiny-Q8_0.gguf": b"other", "tiny-Q4_0.gguf": content, "tiny-f16.gguf": content}
    )
    assert look(NAME).others == ("tiny-Q4_0.gguf", "tiny-f16.gguf")
    with pytest.raises(UnusableFiles, match=r"The repository has tiny-Q4_0\.gguf, tiny-Q8_0\.gguf, tiny-f16\.gguf"):
        look(f"{NAME}:tiny-Q2_K.gguf")
    names = [f"{NAME}:tiny-{kind}.gguf" for kind in ("Q4_0", "f16")]
    first, second = (add(name) for name in names)
    assert (first.title, second.title) == ("tiny-Q4_0", "tiny-f16")
    assert [load(name).card for name in names] == [first, second]
    remove(first.name)
    assert load(second.name).trace("ab").logits.shape == (1, 23), "its file is of the same commit"


def test_a_gguf_file_of_the_hub(hub: HubServer, checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "gguf"
    folder.mkdir()
    _, weights = tiny.llama(folder)
    content = write_gguf(weights).read_bytes()
    hub.repositories[NAME] = Repository({"tiny-Q8_0.gguf": content, "tiny-Q4_0.gguf": b"other", "README.md": b"#"})
    found = look(NAME)
    assert (found.family, found.gguf, found.memory) == ("to be seen in the file", "tiny-Q8_0.gguf", None)
    hub.repositories[NAME].gguf = {"architecture": "mamba", "total": 1}
    with pytest.raises(UnsupportedFamily, match="'mamba'"):
        look(NAME)
    hub.repositories[NAME].gguf = {"architecture": "llama", "total": 1000}
    found = look(NAME)
    assert (found.family, found.memory) == ("Llama", 4000)
    card = add(NAME)
    assert "tiny-Q8_0.gguf" in card.source
    assert load(NAME).trace("ab").logits.shape == (1, 23)


def test_two_commits_of_a_model_have_their_own_titles(repository: Repository) -> None:
    first = add(NAME)
    repository.commit = "deadbeef" + "0" * 32
    second = add(NAME)
    assert (first.title, second.title) == ("tiny-llama", f"{NAME}@deadbeef")
    assert load(NAME).card == second
    assert load(f"{NAME}@c0ffee").card == first
