"""The project's own texts: about a thousand short ones in many kinds, written for it, and those of the small world,
whose words the bundled models know. They stand in assets/texts/."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from model.texts.collection import Collection, Text

FOLDER = Path(__file__).parents[2] / "assets" / "texts"
NAME, SMALL_WORLD = "Glassformer's texts", "The small world"


@cache
def own_texts() -> Collection:
    """All texts, kind after kind in the order of the alphabet.

    >>> from glassformer import own_texts
    >>> own_texts()
    Collection("Glassformer's texts", 1,118 texts)
    >>> own_texts().kinds[:3]
    ('code', 'dialogue', 'explanations')
    """
    return _collect(NAME, FOLDER)


@cache
def small_world_texts() -> Collection:
    """Held-out sentences of the small world on which the bundled models were trained (`corpora.texts`)."""
    return _collect(SMALL_WORLD, FOLDER / "small-world")


def _collect(name: str, folder: Path) -> Collection:
    return Collection(name, tuple(text for path in sorted(folder.glob("*.txt")) for text in _paragraphs(path)))


def _paragraphs(path: Path) -> Iterator[Text]:
    """A file is one kind, which its name tells. One empty line stands between two texts."""
    line = 1
    for paragraph in path.read_text(encoding="utf-8").removesuffix("\n").split("\n\n"):
        yield Text(paragraph, line, path.stem.replace("-", " "))
        line += paragraph.count("\n") + 2
