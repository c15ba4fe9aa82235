"""From the name of a model to a model that is ready to run: its files are found, checked, opened and put together."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import torch

from model.device import Placement, choose, copy_to
from model.errors import GlassformerError, ModelMissing, UnknownModel
from model.network.linear import store_transposed
from model.network.transformer import Transformer
from model.run import Model
from model.tokens.tokenizer import Tokenizer
from model.zoo import cards
from model.zoo.build import build
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from model.zoo.cards import Card
from model.zoo.checkpoint import Checkpoint
from model.zoo.file_card import card_of
from model.zoo.files import Progress, no_progress, verify
from model.zoo.hub_names import read_name
from model.zoo.memory import check_memory, free_memory
from model.zoo.opening import open_card, open_checkpoint

READING_KINDS = (*TEXT_KINDS, RECURRENT_KIND)
IN_MEMORY: dict[str, Model] = {}  # models that programs of this process hold, by the names of their cards


def load_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of a text model, named as in `load`, without the model's weights.

    Raises `UnknownModel`, `ModelMissing` (with the command that gets it), `DamagedWeights`.

    >>> from glassformer import load_tokenizer
    >>> [(token.id, token.text) for token in load_tokenizer("tiny-lm").encode("the dog")]
    [(85, 't'), (258, 'he'), (433, ' dog')]
    """
    if name in IN_MEMORY:
        return IN_MEMORY[name].tokenizer
    if (path := path_of(name)) is not None:
        return open_checkpoint(path).words()
    card = cards.card(name, *READING_KINDS)
    return open_card(card, card.require()).words()


def load(
    name: str,
    progress: Progress = no_progress,
    snapshot: int | None = None,
    device: str = "auto",
    dtype: str | torch.dtype = "auto",
    *,
    add: bool = False,
) -> Model:
    """Loads the model of that name, after a check of its file against its SHA-256.

    `name` is that of a bundled model; that of a model on the hub, as `owner/name` or `owner/name@commit`; or the path
    of a folder or GGUF file, which begins with `/`, `~` or `.`, or ends in `.gguf`. A model of the hub that is not on
    this machine is fetched and added with `add=True`, once. Without it, the error says what would be fetched: its
    family, shape, size, licence and commit.

    `snapshot` selects one moment in the training of a bundled model; `card.details["snapshots"]` lists them, from 0. By
    its name such a moment is a model of its own: "tiny-lm@300" is tiny-lm after 300 steps.
    A recurrent network (`model.recurrent.networks`) has the same methods, but no heads, layers or masks.

    `device` is "auto", "cpu", "cuda" or "mps", `dtype` "auto", "float32", "float16" or "bfloat16". `choose` in
    `model.device` says what "auto" means. A tensor in float16 is off by up to 2% of its size, in bfloat16 by 15%.

    Raises `UnknownModel`, `ModelMissing` (with the command that gets it), `DamagedWeights`, `DeviceMissing`;
    `DeviceFull` if a GPU has too little memory, `NotEnoughMemory` if a model of the hub or of files does not fit into
    what is free; `HubError`, `UnsupportedFamily`, `DiskFull` for a model of the hub.

    >>> from glassformer import load
    >>> load("tiny-lm")
    <Model tiny-lm>
    >>> load("openai-community/gpt2", add=True).config.kind
    'decoder'
    """
    try:
        return load_here(name, progress, snapshot, device, dtype)
    except ModelMissing:
        if cards.hub_name(name) is None:
            raise
    from model.adding.missing import fetch, say_missing  # the client of the hub takes half a second to import

    if not add:
        raise say_missing(name)
    fetch(name, progress)
    return load_here(name, progress, snapshot, device, dtype)


@torch.inference_mode(False)  # tensors made in inference mode could never take part in training
def load_here(
    name: str,
    progress: Progress = no_progress,
    snapshot: int | None = None,
    device: str = "auto",
    dtype: str | torch.dtype = "auto",
) -> Model:
    """As `load`, of a model that is on this machine. It asks no hub."""
    place = choose(device, dtype)
    if name in IN_MEMORY:
        held = IN_MEMORY[name]
        return held if device == "auto" else replace(held, network=copy_to(held.network, place))
    opened = open_named(name, READING_KINDS, snapshot, progress, None if dtype == "auto" else place.dtype)
    return _assemble(*opened, place, progress)


def open_named(
    name: str, kinds: tuple[str, ...], snapshot: int | None, progress: Progress, dtype: torch.dtype | None = None
) -> tuple[Card, Checkpoint]:
    """The card of a model of these kinds, and its files, opened after a check of each against its SHA-256.

    `name` and `snapshot` are as in `load`, and so are the errors. `dtype` is as in `check_memory`.
    """
    if (own := path_of(name)) is not None:
        checkpoint = open_checkpoint(own)
        card = card_of(checkpoint)
        if snapshot is not None:
            card.snapshot(snapshot)  # raises: a model of files has none
        check_memory(card.title, checkpoint.nbytes, free_memory(), dtype)
        return card, checkpoint
    card = cards.card(name, *kinds)
    path, hashes = _files_of(card, snapshot)
    for file, sha256 in hashes.items():
        verify(file, sha256, progress)
    checkpoint = open_card(card, path)
    if card.is_added:
        check_memory(card.title, checkpoint.nbytes, free_memory(), dtype)
    return card, checkpoint


def gives_answer(card: Card) -> bool:
    """Whether a model gives a text a word or a class, as its card says, or else its files. No weight is read."""
    if card.kind != "encoder" or not card.ready:
        return card.kind in ("decoder", "encoder-decoder")
    if card.answers is not None:
        return card.answers
    path = card.require()
    return _files_give_answer(card, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _files_give_answer(card: Card, path: Path, changed: int) -> bool:
    """`changed` is when: another file of the same name is looked at again."""
    try:
        return open_card(card, path).config.has_answer
    except GlassformerError:
        return False


def path_of(name: str) -> Path | None:
    """The path that a name is; None for the name of a model."""
    try:
        found = read_name(name)
    except UnknownModel:
        return None
    return found if isinstance(found, Path) else None


def _files_of(card: Card, snapshot: int | None) -> tuple[Path, dict[Path, str]]:
    """The file or folder that is read, and the SHA-256 of each file that has one."""
    if snapshot is None:
        path = card.require()
        return path, card.hashes(path)
    path, sha256 = card.snapshot(snapshot)
    return path, {path: sha256}


@torch.inference_mode(False)
def read_checkpoint(
    path: Path, progress: Progress = no_progress, device: str = "auto", dtype: str | torch.dtype = "auto"
) -> Model:
    """The model of a folder with `config.json`, safetensors and `tokenizer.json`, or of a GGUF file.

    `model.zoo.families` lists the families. Its card says what the files say. Raises `UnsupportedFamily`,
    `DamagedWeights`, `DeviceMissing`, `DeviceFull`.
    """
    place, checkpoint = choose(device, dtype), open_checkpoint(path)
    return _assemble(card_of(checkpoint), checkpoint, place, progress)


def _assemble(card: Card, checkpoint: Checkpoint, place: Placement, progress: Progress) -> Model:
    tokenizer = checkpoint.words()
    return Model(build_network(checkpoint, place, progress), tokenizer, card, checkpoint.target_tokenizer)


def build_network(checkpoint: Checkpoint, place: Placement, progress: Progress) -> Transformer:
    """The network of opened files, on a device. Raises `DamagedWeights`, `DeviceFull`."""
    weights = checkpoint.weights(progress, place.dtype)
    network = build(checkpoint.config, weights, checkpoint.make)
    weights.clear()  # else each weight would be in memory twice while it is stored anew
    return copy_to(store_transposed(network).to(place.dtype), place)
