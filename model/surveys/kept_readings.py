"""Readings on the disk, so that the second look at the same texts takes no time. Texts themselves are not written.

A file is found by a digest of what the reading is made of: the weights, how the model reads, the edits, the texts and
the rules. It holds arrays and JSON (safetensors), never code. The oldest files go first where there are too many.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from model.edits.edit import Edit, PlacedEdit
from model.regular_file import check_regular
from model.surveys.flat_arrays import digest_of, flatten, unflatten
from model.surveys.made_of import AnyModel, MadeOf, always_edited, weights_digest
from model.surveys.reading import Reading
from model.surveys.rules import Rule
from model.surveys.tally import Tally
from model.surveys.tokens_read import TokensRead
from model.texts.collection import Collection
from model.zoo.files import cache_folder

VERSION = 2  # Other things are counted since then: what was kept before counts no longer.
MAX_KEPT_BYTES = 1_000_000_000  # of all files
ABOUT = "about"  # the name of the JSON in a file


def path_of(model: AnyModel, edits: Sequence[Edit], collection: Collection, rules: Sequence[Rule]) -> Path | None:
    """The file of a reading. None where an edit is a function or a tensor, which no text names."""
    written = [_write(edit) for edit in (*always_edited(model), *edits)]
    if None in written:
        return None
    how = [VERSION, model.card.name, model.state, repr(model.config), weights_digest(model), written]
    words = json.dumps([*how, collection.digest, [rule.sentence for rule in rules]])
    return cache_folder() / "surveys" / f"{hashlib.sha256(words.encode()).hexdigest()}.safetensors"


def _write(edit: Edit) -> str | None:
    """An edit as a text that no other one has."""
    if isinstance(edit, PlacedEdit):
        return str(edit)
    values = [value for field in vars(edit).values() for value in (field if isinstance(field, tuple) else (field,))]
    return repr(edit) if all(isinstance(value, str | int | float) for value in values) else None


def write(path: Path, reading: Reading) -> None:
    """Keeps a reading. Nothing happens where the disk takes nothing: the texts are read again the next time."""
    arrays = {"read": reading.read}
    for name, tally in reading.tallies.items():
        arrays |= flatten(tally, name)
    for stack, tokens in reading.tokens.items():
        arrays |= {f"{stack}/ids": tokens.ids, f"{stack}/begins": tokens.begins}
    about = {
        "digest": digest_of(arrays),
        "arrays": list(arrays),
        "faults": reading.faults,
        "attentions": reading.attentions,
        "spelled": {stack: list(tokens.spelled.items()) for stack, tokens in reading.tokens.items()},
    }
    with suppress(OSError, SafetensorError):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        save_file(arrays, partial, {ABOUT: json.dumps(about)})
        partial.replace(path)
        _drop_oldest(path.parent)


def read(path: Path, made_of: MadeOf, collection: Collection, rules: tuple[Rule, ...]) -> Reading | None:
    """The reading of a file; None where there is none, and where it is damaged."""
    try:
        check_regular(path, MAX_KEPT_BYTES)
        with safe_open(path, "numpy") as file:
            about = json.loads(file.metadata()[ABOUT])
            arrays = {name: file.get_tensor(name) for name in about["arrays"]}  # the file has them in another order
        if about["digest"] != digest_of(arrays):
            return None
        tokens = {
            stack: TokensRead(arrays[f"{stack}/ids"], arrays[f"{stack}/begins"], dict(spelled))
            for stack, spelled in about["spelled"].items()
        }
        tallies = {name: unflatten(Tally, arrays, name) for name in about["attentions"]}
        faults = tuple((number, why) for number, why in about["faults"])
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return Reading(made_of, collection, rules, tokens, tallies, arrays["read"], faults)


def _drop_oldest(folder: Path) -> None:
    files = sorted(folder.glob("*.safetensors"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    total = 0
    for path in files:
        total += path.stat().st_size
        if total > MAX_KEPT_BYTES:
            path.unlink(missing_ok=True)
