"""The values of a bundled model's card, checked, since every page asks for every card."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

from model.config_checks import LARGEST_SIZE
from model.errors import DamagedWeights
from model.zoo.files import damaged, read_object

TEXT_KINDS = ("encoder", "decoder", "encoder-decoder")  # the kinds of transformer that read text
RECURRENT_KIND = "recurrent"  # a kind that `model.load` also opens, but that no page lists as a transformer
VISION_KIND = "vision"
KINDS = (*TEXT_KINDS, VISION_KIND, RECURRENT_KIND)
MAX_CHARACTERS = 2000  # of one text that the sidebar shows

TEXTS = ("title", "kind", "layers", "positions", "about", "licence", "source")
NUMBERS = ("heads", "parameters", "max_length")
# The details that the pages read, and their types. A card need not have them.
DETAILS: dict[str, type] = {
    "sha256": str,
    "limits": str,
    "known": str,
    "unknown": str,
    "guided_alignment": str,
    "measures": dict,
    "metrics": dict,
    "training": dict,
    "pixels": dict,
    "answers": bool,
    "curve": list,
    "by_length": list,
    "snapshots": list,
    "everyday": dict,
    "confidence": dict,
}


def checked_values(path: Path, values: dict[str, Any]) -> dict[str, Any]:
    """The values of a card that `Card` shows. Raises `DamagedWeights` if one is missing or of another type."""
    for name in (*TEXTS, *NUMBERS):
        if name not in values:
            raise damaged(path, f"lacks {name!r}")
    wrong = [name for name in TEXTS if not _is_text(values[name], MAX_CHARACTERS)]
    wrong += [name for name in NUMBERS if not _is_count(values[name])]
    wrong += [name for name, kind in DETAILS.items() if name in values and not _is_detail(values[name], kind)]
    if not wrong and values["kind"] not in KINDS:
        wrong = ["kind"]
    if not wrong and not all(_is_snapshot(entry) for entry in values.get("snapshots", [])):
        wrong = ["snapshots"]
    if wrong:
        shown = ", ".join(f"{name!r} is {repr(values[name])[:60]}" for name in wrong[:3])
        raise damaged(path, "cannot be used", shown)
    return {name: values[name] for name in (*TEXTS, *NUMBERS)} | {"sha256": values.get("sha256", "")}


def values_without_card(path: Path, values: dict[str, Any]) -> dict[str, Any]:
    """What `Card` shows of a model whose card is damaged: its kind, where something still tells it."""
    kind = values.get("kind")
    return {
        "title": path.parent.name,
        "kind": kind if isinstance(kind, str) and kind in KINDS else _kind_beside(path),
        "layers": "?",
        "heads": 0,
        "positions": "?",
        "parameters": 0,
        "max_length": 0,
        "licence": "?",
        "source": "?",
        "about": "Its card is damaged.",
    }


def _kind_beside(card: Path) -> str:
    """The kind that the configuration beside a card tells; "decoder" if that is damaged too."""
    try:
        config = read_object(card.with_name("config.json"))
    except DamagedWeights:
        return "decoder"
    if "cell" in config:
        return RECURRENT_KIND
    if config.get("image_size"):
        return VISION_KIND
    stacks = [stack for stack in ("encoder", "decoder") if config.get(f"n_{stack}_layers")]
    return "-".join(stacks) or "decoder"


def _is_text(value: Any, most: int) -> bool:
    """Whether a value is a text that a browser can be sent: it has no half of a surrogate pair."""
    return isinstance(value, str) and len(value) <= most and not any("\ud800" <= each <= "\udfff" for each in value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_SIZE


def _is_detail(value: Any, kind: type) -> bool:
    return _is_text(value, 10 * MAX_CHARACTERS) if kind is str else isinstance(value, kind)


def _is_snapshot(entry: Any) -> bool:
    """Whether an entry names a step, and a file in the model's own folder."""
    if not isinstance(entry, dict) or not _is_count(entry.get("step")) or not isinstance(entry.get("file"), str):
        return False
    return (
        entry["file"] != ""
        and PurePath(entry["file"]).name == entry["file"]
        and isinstance(entry.get("sha256", ""), str)
    )
