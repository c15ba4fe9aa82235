"""Add a model to those of the app, and remove it again.

from glassformer import add, load
add("openai-community/gpt2")
trace = load("openai-community/gpt2").trace("I am a robot")
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from model.adding import folder, hub
from model.adding.borrowing import delete_commit
from model.adding.download import fetch
from model.adding.found import Found
from model.errors import ModelMissing
from model.zoo.added import remove_entry, write_entry
from model.zoo.card_values import NUMBERS, TEXTS
from model.zoo.cards import Card, added_cards, every_card
from model.zoo.checkpoint import Checkpoint
from model.zoo.file_card import card_of
from model.zoo.files import Progress, no_progress
from model.zoo.hub_names import SHA256, read_name
from model.zoo.memory import check_memory
from model.zoo.opening import open_checkpoint

LOCAL = "folder:"  # before the name of a model of this machine; no name of the hub has a colon


def look(text: str) -> Found:
    """What is behind a name of the hub or a path. Nothing of size is fetched.

    Raises `UnknownModel`, `HubError`, `UnusableFiles`, `UnsupportedFamily`, `DamagedWeights`.
    """
    name = read_name(text)
    return folder.look(name) if isinstance(name, Path) else hub.look(name)


def add(what: str | Found, progress: Progress = no_progress) -> Card:
    """Fetch a model that is on the hub, check that it can be read, and keep its card.

    `what` is "owner/name", "owner/name@revision", "owner/name:file.gguf", or the path of a folder or GGUF file; or what
    `look` has found. `progress` gets a step in words and its share of 1. An exception that it raises ends a download;
    the next one goes on there. Raises as `look` does, and `NotEnoughMemory`, `DiskFull`.

    >>> from glassformer import add, load
    >>> card = add("openai-community/gpt2")
    >>> card.hub, card.kind
    ('openai-community/gpt2', 'decoder')
    >>> load("openai-community/gpt2").card.name == card.name
    True
    """
    found = look(what) if isinstance(what, str) else what
    if found.memory is not None:
        check_memory(found.name, found.memory, found.free)
    path = Path(found.path) if found.checkpoint else fetch(found, progress)
    progress("Checking that it can be read", 1.0)
    checkpoint = found.checkpoint or open_checkpoint(path)
    check_memory(found.name, checkpoint.nbytes, found.free)  # a GGUF file may not have said before
    card = _card(found, checkpoint)
    entry: dict[str, Any] = {name: getattr(card, name) for name in (*TEXTS, *NUMBERS)}
    entry |= {"name": card.name, "place": card.place, "hub": card.hub, "commit": card.commit, "size": card.size}
    entry |= card.details
    entry |= {"answers": card.answers, "hashes": _hashes(found), "fetched": 2 * found.missing > found.size}
    write_entry(card.name, entry)
    return next(each for each in added_cards() if each.name == card.name)


def remove(name: str) -> Card:
    """Forget an added model, and delete what adding it has downloaded. Other files stay where they are.

    Raises `ModelMissing` if no such model was added.
    """
    match = next((card for card in added_cards() if card.name == name), None)
    if match is None:
        names = ", ".join(card.name for card in added_cards()) or "none"
        raise ModelMissing(f"No model called {name!r} was added here. These were: {names}.")
    remove_entry(name)
    if match.details.get("fetched") is True and match.commit:
        delete_commit(match.hub, match.commit)  # unless another GGUF file of the same commit was added
    return match


def _card(found: Found, checkpoint: Checkpoint) -> Card:
    """The card of files that are here."""
    base, path = card_of(checkpoint), checkpoint.path
    if not found.repository:
        name = _local_name(base.name, str(path))
        title = _own_title(name, name.removeprefix(LOCAL))
        return replace(base, name=name, title=title, place=str(path), source=f"{path.name}, on this machine")
    title = _own_title(found.name, found.file.removesuffix(".gguf") or found.repository.partition("/")[2])
    source = f"{found.repository} on the Hugging Face hub, commit {found.commit}"
    if found.gguf:
        source += f", {found.gguf}"
    return replace(
        base,
        name=found.name,
        title=title,
        place=str(path),
        licence=found.licence,
        source=source,
        hub=found.repository,
        commit=found.commit,
        about=base.about.replace("its own files", "the hub"),
    )


def _local_name(name: str, place: str) -> str:
    """The name of a model of this machine. Another one of that name keeps it."""
    taken = {card.name for card in added_cards() if card.place != place}
    wanted = [f"{LOCAL}{name}", *(f"{LOCAL}{name}-{number}" for number in range(2, len(taken) + 3))]
    return next(each for each in wanted if each not in taken)


def _own_title(name: str, title: str) -> str:
    """A title that no other model has: the lists of models show titles."""
    others = {card.title for card in every_card() if card.name != name}
    return name if title in others else title


def _hashes(found: Found) -> dict[str, str]:
    return {file.path: file.digest for file in found.files if SHA256.fullmatch(file.digest)}
