"""A hub, or a mirror, that lies: each lie is one message, a look writes nothing, and nothing is written elsewhere."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import constants

from model import GlassformerError
from model.adding import asking, download, listing
from model.adding.add import add, look
from model.adding.revisions import list_revisions
from model.adding.small_files import SMALL_FILES
from model.errors import HubError
from tests.hostile.hub_lies import (
    ANSWERS,
    CHANGES,
    DOWNLOADS,
    HARMLESS,
    NAME,
    OK,
    OUT,
    REFERENCES,
    SLOW,
    SMALL,
    WEIGHTS,
    change,
    of_download,
)
from tests.hostile.lying_hub import (
    INFO,
    REFS,
    Lie,
    LyingHub,
    answer,
    dripping,
    lying_hub,
    redirect,
    telling,
)
from tests.model.adding.hub_server import Repository, git_digest

SECONDS, WAIT_SECONDS = 5.0, 0.3  # that a lie may take, and that is waited for a slow one
MOST_SENT = 20_000_000  # bytes of a lie that the app lets come: what it reads, and what lies in buffers
BLOBS = re.compile(r"hub/(\.locks|models--someone--tiny-llama)(/.*)?")


def files_of(machine: Path) -> list[str]:
    return sorted(str(path.relative_to(machine)) for path in machine.rglob("*"))


def check_told(machine: Path, liar: LyingHub, act: Callable[[], object], expected: str) -> None:
    """The act ends soon, by one message in words, and writes nothing but the parts of a download."""
    before, began = files_of(machine), time.monotonic()
    with pytest.raises(GlassformerError, match=expected) as caught:
        act()
    assert time.monotonic() - began < SECONDS
    message = str(caught.value)
    assert 20 < len(message) < 900
    assert message.isprintable()
    assert liar.sent < MOST_SENT
    assert (machine / "home" / ".bashrc").read_text() == "mine"
    new = [path for path in files_of(machine) if path not in before and path != "hub"]
    assert not [path for path in new if not BLOBS.fullmatch(path) or path.endswith(".safetensors")]


@pytest.mark.parametrize(("told", "expected"), CHANGES.values(), ids=CHANGES)
def test_a_lie_about_a_model(
    liar: LyingHub, machine: Path, told: Callable[[dict[str, Any]], Any], expected: str
) -> None:
    liar.lies[INFO] = telling(told, liar.repositories[NAME])
    check_told(machine, liar, lambda: look(NAME), expected)
    assert not (machine / "hub").exists(), "a look writes nothing"
    assert not list((machine / "tmp").iterdir())


@pytest.mark.parametrize(("lie", "expected"), ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("route", [INFO, REFS])
def test_an_answer_that_cannot_be_right(liar: LyingHub, machine: Path, route: str, lie: Lie, expected: str) -> None:
    liar.lies[route] = lie
    act: Callable[[str], object] = look if route == INFO else list_revisions
    check_told(machine, liar, lambda: act(NAME), expected)
    assert not (machine / "hub").exists()


@pytest.mark.parametrize("lie", SLOW.values(), ids=SLOW)
def test_an_answer_that_does_not_come_to_an_end(
    liar: LyingHub, machine: Path, monkeypatch: pytest.MonkeyPatch, lie: Lie
) -> None:
    monkeypatch.setattr(asking, "LOOK_SECONDS", WAIT_SECONDS)
    liar.lies[INFO] = lie
    check_told(machine, liar, lambda: look(NAME), "answers too slowly")


@pytest.mark.parametrize(("route", "lie", "expected"), SMALL.values(), ids=SMALL)
def test_a_lie_about_a_file_that_a_look_reads(
    liar: LyingHub, machine: Path, route: str, lie: Lie, expected: str
) -> None:
    liar.lies[route] = lie
    check_told(machine, liar, lambda: look(NAME), expected)
    assert not (machine / "hub").exists()
    assert not list((machine / "tmp").iterdir())


@pytest.mark.parametrize(("lie", "expected"), DOWNLOADS.values(), ids=DOWNLOADS)
def test_a_lie_about_the_weights(liar: LyingHub, machine: Path, lie: Lie, expected: str) -> None:
    liar.lies[WEIGHTS] = of_download(lie)
    found = look(NAME)
    liar.sent = 0
    with pytest.raises(HubError, match=expected):
        add(found)
    assert liar.sent < MOST_SENT
    liar.sent = 0
    check_told(machine, liar, lambda: add(found), expected)
    size = len(liar.repositories[NAME].files[WEIGHTS])
    assert all(part.stat().st_size <= size for part in (machine / "hub").rglob("*.part"))


def test_a_download_that_does_not_come_to_an_end(
    liar: LyingHub, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    liar.lies[WEIGHTS] = of_download(dripping(OK + b"\r\n", b"x"))
    found = look(NAME)
    monkeypatch.setattr(download, "PACE_SECONDS", WAIT_SECONDS)
    check_told(machine, liar, lambda: add(found), "broke off.*too slowly")


@pytest.mark.parametrize("told", HARMLESS.values(), ids=HARMLESS)
def test_no_header_says_where_a_file_is_kept(liar: LyingHub, machine: Path, told: dict[str, str]) -> None:
    repository = liar.repositories[NAME]

    def lie(handler: Any) -> None:
        content = repository.files[handler.path.rpartition("/")[2]]
        answer(content, **{name.replace("-", "_"): value for name, value in told.items()})(handler)

    liar.lies |= dict.fromkeys(repository.files, lie)
    card = add(NAME)
    assert card.ready
    assert (machine / "home" / ".bashrc").read_text() == "mine"
    assert [path for path in machine.iterdir() if path.name not in ("home", "tmp", "data", "cache", "hub")] == []
    names = {path.name for path in (machine / "hub").rglob("*") if not path.is_dir()}
    assert {name for name in names if not name.endswith(".lock")} == {
        *repository.files,
        *(file["lfs"]["sha256"] if "lfs" in file else file["blobId"] for file in repository.describe()["siblings"]),
    }


@pytest.mark.parametrize(
    "card", [None, [], "mit", {"license": {"a": 1}}, {"license": "\ud800"}, {"license": "m" * 9999}]
)
def test_whatever_a_card_says_can_be_shown(liar: LyingHub, card: object) -> None:
    liar.lies[INFO] = telling(
        change(cardData=card, gguf={"architecture": [OUT], "total": 1e99}), liar.repositories[NAME]
    )
    for _, value in look(NAME).facts():
        assert value.isprintable()
        assert len(value) < 300


@pytest.mark.parametrize("stated", [{"architecture": "\ud800" * 9999}, {"architecture": "x" * 9999}])
def test_a_hostile_word_about_a_gguf_file_is_shown_short(liar: LyingHub, machine: Path, stated: dict[str, Any]) -> None:
    liar.repositories[NAME] = Repository({"tiny-Q8_0.gguf": b"x"}, gguf=stated)
    check_told(machine, liar, lambda: look(NAME), "which cannot be read")


@pytest.mark.parametrize("total", ["9", -1, True, 1 << 90, None, [1]])
def test_a_hostile_size_of_a_gguf_file_is_not_known(liar: LyingHub, total: object) -> None:
    stated = {"architecture": "llama", "total": total}
    liar.repositories[NAME] = Repository({"tiny-Q8_0.gguf": b"x"}, gguf=stated)
    assert look(NAME).memory is None


@pytest.mark.parametrize(
    "config", [b"[]", b"7", b"{", b"[" * 99_999, b'{"model_type": "\\ud800"}', b'{"model_type": {}}']
)
def test_a_sound_hub_with_a_hostile_configuration(liar: LyingHub, machine: Path, config: bytes) -> None:
    liar.repositories[NAME].files["config.json"] = config
    check_told(machine, liar, lambda: look(NAME), "config.json|famil")


@pytest.mark.parametrize("branches", REFERENCES.values(), ids=REFERENCES)
def test_branches_that_are_none(liar: LyingHub, machine: Path, branches: object) -> None:
    liar.lies[REFS] = answer(json.dumps({"branches": branches, "tags": {}}).encode())
    check_told(machine, liar, lambda: list_revisions(NAME), "lists no branches")


def test_branches_that_lead_out_are_left_out(liar: LyingHub, machine: Path) -> None:
    names = [("step1", OUT), ("step../2", "c" * 40), ("step3", "c" * 40), (7, "c" * 40), ("step4", None)]
    branches = [{"name": name, "targetCommit": commit} for name, commit in names]
    liar.lies[REFS] = answer(json.dumps({"branches": branches, "tags": []}).encode())
    assert [each.name for each in list_revisions(NAME)] == ["step3"]
    assert (machine / "home" / ".bashrc").read_text() == "mine"


def test_the_token_stays_with_the_hub(liar: LyingHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with lying_hub() as other:
        other.repositories |= liar.repositories
        liar.lies[INFO] = redirect(f"{other.url}/api/models/{NAME}/revision/main")
        monkeypatch.setattr(asking, "check_address", lambda url: url)  # as if the other one were public
        look(NAME)
        assert other.tokens == [None]
    assert liar.tokens[0] == "Bearer hf_secret"


def test_an_endpoint_that_is_none(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for endpoint in ("", "hub", "http://", "ftp://hub", "http://a b", "http://hub:99999"):
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        with pytest.raises(HubError, match="HF_ENDPOINT"):
            look(NAME)


def test_what_a_look_keeps_in_memory_is_bounded() -> None:
    SMALL_FILES.clear()
    contents = [bytes([number]) * 10_000_000 for number in range(8)]
    for content in contents:
        SMALL_FILES.put(git_digest(content), content)
    held = [content for content in contents if SMALL_FILES.get(git_digest(content)) is not None]
    assert held == contents[-4:]
    SMALL_FILES.clear()


def test_all_answers_to_one_look_are_bounded(liar: LyingHub, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "LOOK_BYTES", 3000)
    check_told(machine, liar, lambda: look(NAME), "3 kB together")


def test_the_listing_of_a_large_repository_is_read(liar: LyingHub) -> None:
    more = [{"rfilename": f"checkpoints/{n}/optimizer {n}.bin"} for n in range(listing.MAX_FILES - 100)]
    liar.lies[INFO] = telling(lambda told: told["siblings"].extend(more), liar.repositories[NAME])
    assert look(NAME).family == "Llama"


@pytest.mark.parametrize(
    ("addresses", "is_taken"),
    [
        (["93.184.216.34"], True),
        (["2606:2800:220:1::1"], True),
        (["198.18.0.7"], True),  # a program that leads all names through a proxy has made it up
        (["93.184.216.34", "127.0.0.1"], False),
        (["::ffff:10.0.0.1"], False),
        (["fe80::1%eth0"], False),
        (["ff02::1"], False),
    ],
)
def test_a_public_host_is_one_that_has_no_address_of_this_network(
    liar: LyingHub, monkeypatch: pytest.MonkeyPatch, addresses: list[str], is_taken: bool
) -> None:
    monkeypatch.setattr(asking, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", (each, 0)) for each in addresses])
    url = "https://cdn.example.org/a?b=c"
    if is_taken:
        assert asking.check_address(url) == url
    else:
        with pytest.raises(asking.WrongAnswer, match="neither its own nor public"):
            asking.check_address(url)
