"""Pages of the site that are written from the code: every public name, every view, the glossary, the sources."""

from __future__ import annotations

import inspect
import re
from typing import Any

from latex2mathml.converter import convert

import glassformer
import views
from model.bibliography import Work, bibliography
from model.glossary import Term
from model.glossary import glossary as read_glossary
from pages.catalogue import PAGES
from views.by_page.find import classes_of

LECTURE_DOCUMENTS = 5  # the first works of the bibliography
TITLES = {entry.url: entry.title for entry in PAGES}


def library() -> str:
    """Every name of `glassformer.__all__` but the views."""
    names = [name for name in glassformer.__all__ if name != "views"]
    parts = [_describe(name, getattr(glassformer, name)) for name in names]
    return _page("Every public name", "`from glassformer import ...` has these names.", parts)


def views_by_page() -> str:
    """Every view of a notebook, by the page of the app on which it stands."""
    parts = [_describe("views.Beside", views.Beside)]
    for page in views.__all__:
        parts += [f"## {TITLES.get(page, page)}"]
        parts += [_describe(f"views.{page}.{view.__name__}", view, level=3) for view in classes_of(page)]
    return _page(
        "Every view", "A view as the last line of a cell is its picture. Its choices are those of the app.", parts
    )


def glossary() -> str:
    """Every term with its meaning, symbol and equation."""
    parts = [_describe_term(term) for term in read_glossary()]
    return _page("Glossary", "The app links each term to a view that shows it.", parts)


def sources() -> str:
    """Every work that the app cites."""
    works = bibliography()
    documents = [_describe_work(work) for work in works[:LECTURE_DOCUMENTS]]
    others = sorted(works[LECTURE_DOCUMENTS:], key=lambda work: (work.cited[0].lower(), work.title))
    papers = ["## Papers and books", *map(_describe_work, others)]
    return _page("Sources", "The lecture documents that the app follows come first.", [*documents, *papers])


def _page(title: str, idea: str, parts: list[str]) -> str:
    return "\n\n".join([f"# {title}", idea, *parts]) + "\n"


def _describe(name: str, thing: Any, level: int = 2) -> str:
    """A name as a heading, its signature and docstring. At the level of chapters also the methods of a class."""
    parts = [f"{'#' * level} {name}", _signature(name, thing), _prose(inspect.getdoc(thing) or "")]
    if inspect.isclass(thing) and level == 2:
        parts += [_describe(f"{name}.{method}", function, level=3) for method, function in _methods(thing)]
    return "\n\n".join(part for part in parts if part)


def _methods(thing: type) -> list[tuple[str, Any]]:
    """The public methods and properties of a class that say something of themselves."""
    members = [(name, getattr(member, "fget", member)) for name, member in vars(thing).items()]
    return [(name, each) for name, each in members if name[0] != "_" and inspect.isfunction(each) and each.__doc__]


class _Written(str):
    """An annotation as it stands in the code, without quotation marks."""

    __repr__ = str.__str__


def _signature(name: str, thing: Any) -> str:
    if inspect.isclass(thing) and "__init__" not in vars(thing):
        return ""
    signature = inspect.signature(thing)
    parameters = [each.replace(annotation=_written(each.annotation)) for each in signature.parameters.values()]
    written = signature.replace(parameters=parameters, return_annotation=_written(signature.return_annotation))
    return f"```python\n{name}{written}\n```"


def _written(annotation: Any) -> Any:
    return _Written(annotation) if isinstance(annotation, str) else annotation


def _prose(docstring: str) -> str:
    """A docstring as Markdown: its choices as a list, its examples as code."""
    lines = docstring.splitlines()
    choices = lines.index("Choices:") if "Choices:" in lines else len(lines)
    listed = [re.sub(r"^    (\w+): ", r"- `\1`: ", line) for line in lines[choices + 1 :]]
    return "\n".join([*lines[:choices], *(["Choices:", "", *listed] if listed else [])])


def _describe_term(term: Term) -> str:
    parts = [f"## {term.name}", term.definition]
    if term.letters:
        parts.append(convert(term.letters))
    if term.equation:
        parts.append(f"{convert(term.equation, display='block')}\n\n{term.source}")
    return "\n\n".join(parts)


def _describe_work(work: Work) -> str:
    title = f"[{work.title}]({work.link})" if work.link else f"*{work.title}*"
    who = f" {work.authors}{f' ({work.year})' if work.year else ''}." if work.authors else ""
    return f"- **{work.cited[0]}**:{who} {title}. {work.where}."
