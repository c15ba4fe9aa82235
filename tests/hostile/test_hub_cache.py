"""The cache of the hub's files, and entries of models, that somebody has changed so that they lead out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from model import GlassformerError, load
from model.adding import cache, hub
from model.adding.add import add, look, remove
from model.adding.borrowing import delete_commit
from model.adding.revisions import list_revisions
from model.errors import HubError
from model.zoo.added import entries_folder, entry_paths, write_entry
from model.zoo.cards import added_cards, every_card
from model.zoo.hub_names import HubName
from tests.hostile.hub_lies import NAME, OUT
from tests.hostile.lying_hub import LyingHub


@pytest.mark.parametrize("name", ["../../home", "/etc", "a", "a/../b", "a/b/c", "a/b\n", ""])
def test_an_entry_that_names_no_model_leads_nowhere(liar: LyingHub, machine: Path, name: str) -> None:
    for act in (lambda: hub.look(HubName(name)), lambda: list_revisions(name)):
        with pytest.raises(HubError, match="is no name of a model"):
            act()
    delete_commit(name, "c" * 40)
    delete_commit(NAME, OUT)
    assert liar.asked == 0
    assert (machine / "home" / ".bashrc").read_text() == "mine"


def folder_in_cache(machine: Path) -> Path:
    folder = machine / "hub" / "models--someone--tiny-llama"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("inside", [cache.BLOBS, cache.SNAPSHOTS])
def test_a_link_in_the_cache_that_leads_out(liar: LyingHub, machine: Path, inside: str) -> None:
    (folder_in_cache(machine) / inside).symlink_to(machine / "home")
    found = look(NAME)
    with pytest.raises(HubError, match="leads out of the cache by a link"):
        add(found)
    delete_commit(NAME, found.commit)
    assert [path.name for path in (machine / "home").iterdir()] == [".bashrc"]


def test_a_part_that_is_a_link_is_not_followed(liar: LyingHub, machine: Path) -> None:
    found = look(NAME)
    blobs = folder_in_cache(machine) / cache.BLOBS
    blobs.mkdir()
    for file in found.files:
        (blobs / f"{file.digest}.part").symlink_to(machine / "home" / ".bashrc")
        (blobs / file.digest).symlink_to(machine / "home" / ".bashrc")
    assert add(found).ready
    assert (machine / "home" / ".bashrc").read_text() == "mine"


def test_deleting_a_commit_follows_no_link(liar: LyingHub, machine: Path) -> None:
    folder, outside = folder_in_cache(machine), machine / "home" / "blobs" / ("a" * 40)
    outside.parent.mkdir()
    outside.write_text("mine")
    snapshot = folder / cache.SNAPSHOTS / ("c" * 40)
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").symlink_to(outside)
    (snapshot / "folder").symlink_to(outside.parent, target_is_directory=True)
    assert cache.held_file(NAME, "c" * 40, "config.json") is None
    delete_commit(NAME, "c" * 40)
    assert outside.read_text() == "mine"
    assert not snapshot.exists()
    other = folder_in_cache(machine) if not folder.exists() else folder
    (other / cache.SNAPSHOTS).mkdir(exist_ok=True)
    (other / cache.SNAPSHOTS / ("d" * 40)).symlink_to(machine / "home", target_is_directory=True)
    delete_commit(NAME, "d" * 40)
    assert outside.read_text() == "mine"


def test_a_reference_in_the_cache_that_leads_out(liar: LyingHub, machine: Path) -> None:
    refs = folder_in_cache(machine) / cache.REFS
    refs.mkdir()
    for content in (OUT, "../..", "", "c" * 40, "x" * 1000):
        (refs / "main").write_text(content)
        assert cache.find_commit(NAME, "") == ""


ENTRY: dict[str, Any] = {
    **{"title": "t", "kind": "decoder", "layers": "1", "positions": "p", "about": "a", "licence": "l", "source": "s"},
    **{"heads": 1, "parameters": 1, "max_length": 5, "size": 5, "fetched": True, "hashes": {}},
    **{"name": "a/b@c0ffee00", "place": "/tmp/none", "hub": NAME, "commit": "c" * 40},
}
VALUES = ["\0", "../../home", "/dev/zero", "", "a" * 5000, "\ud800", "~root/x", "/home", None, 7, [], {"a": 1}]


@pytest.mark.parametrize("key", ["place", "hub", "commit", "name", "hashes", "fetched", "size"])
def test_an_entry_that_somebody_wrote_stops_no_page_and_deletes_nothing(machine: Path, key: str) -> None:
    entry = entries_folder() / "by-hand.json"
    entry.parent.mkdir(parents=True)
    for number, value in enumerate(VALUES):
        entry.write_text(json.dumps(ENTRY | {key: value}))
        os.utime(entry, ns=(number, number))  # cards are read again where a file has changed
        (card,) = added_cards()
        assert (card.ready, card in every_card()) == (False, True)
        with pytest.raises(GlassformerError):
            load(card.name)
        remove(card.name)
        assert (machine / "home" / ".bashrc").read_text() == "mine"


def test_two_models_with_long_names_have_an_entry_each(machine: Path) -> None:
    for end in "ab":
        write_entry("a" * 300 + end, ENTRY)
    assert len(entry_paths()) == 2
