"""The table that compares variants of one model. Every card of the family contains the measures of all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from model.train.files import explain_write_errors, write_json


def compare(assets: Path, family: Iterable[str]) -> dict[str, dict[str, float]]:
    """Puts `comparison`, name -> metrics, into the card of each model of the family that is in `assets`.

    Returns the comparison. Raises `DiskError`.
    """
    paths = {name: assets / name / "card.json" for name in family}
    cards = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in paths.items() if path.is_file()}
    table = {name: card["metrics"] for name, card in cards.items()}
    for name, card in cards.items():
        with explain_write_errors(f"The card of {name}"):
            write_json(paths[name], card | {"comparison": table})
    return table
