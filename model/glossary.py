"""The glossary: the terms of the field, their meaning, and the views that show them. Its text: assets/glossary.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.names import OF_PATTERN, OF_RECURRENT_PATTERN, TensorKind

FILE = Path(__file__).parents[1] / "assets" / "glossary.toml"


@dataclass(frozen=True)
class Term:
    """One entry.

    `forms` are the words for it in running text, in lower case and without a plural's s. `symbol` and `equation` are
    LaTeX, "" for none. `source` cites the equation. A term that names a recorded tensor gives the tensor's pattern in
    `tensor` (`model.names.TABLE`) or `recurrent` (`model.names.RECURRENT`), and takes its symbol. `page` and `state`
    are the view that shows the term, as in a URL.
    """

    name: str
    forms: tuple[str, ...]
    definition: str
    page: str
    state: Mapping[str, str] = field(default_factory=dict)
    symbol: str = ""
    equation: str = ""
    source: str = ""
    tensor: str = ""
    recurrent: str = ""

    def __post_init__(self) -> None:
        for name in ("name", "forms", "definition", "page"):
            if not getattr(self, name):
                raise ValueError(f"The term “{self.name}” has no {name}.")
        if self.recorded and self.symbol:
            raise ValueError(f"The term “{self.name}” has a symbol of its own and a tensor's.")
        if self.equation and not self.source:
            raise ValueError(f"The equation of “{self.name}” has no source.")

    @property
    def recorded(self) -> TensorKind | None:
        """The recorded tensor that the term names; None if it names none."""
        if not self.tensor and not self.recurrent:
            return None
        return OF_PATTERN[self.tensor] if self.tensor else OF_RECURRENT_PATTERN[self.recurrent]

    @property
    def letters(self) -> str:
        """The symbol in LaTeX. A term that names a tensor has the tensor's symbol."""
        return self.recorded.symbol if self.recorded else self.symbol

    @property
    def anchor(self) -> str:
        """The term in a URL: "causal-mask"."""
        return self.name.lower().replace(" ", "-")


def glossary(file: Path = FILE) -> tuple[Term, ...]:
    """All terms, sorted by name. Raises `ValueError`, naming the wrong term, for a wrong file."""
    entries: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8")).get("term", [])
    terms = tuple(sorted(map(_term, entries), key=lambda term: term.name.lower()))
    owners: dict[str, str] = {}
    for term in terms:
        for form in term.forms:
            if owners.setdefault(form, term.name) != term.name or form != form.lower():
                raise ValueError(f"“{form}” of “{term.name}” is not in lower case, or means “{owners[form]}”.")
    if len({term.anchor for term in terms}) < len(terms):
        raise ValueError("Two terms have the same name.")
    return terms


def _term(entry: dict[str, Any]) -> Term:
    try:
        return Term(**{**entry, "forms": tuple(entry["forms"])})
    except (TypeError, KeyError) as error:
        raise ValueError(f"The term “{entry.get('name', '?')}” is not as it must be: {error}.") from error
