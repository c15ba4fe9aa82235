"""A view as Python code that makes it again with the library: load the model, make the run, make the view.

The fields of a view are its code: a dataclass is written as a call of its class, a run as a call of `make_run`, a model
as a call of `load`. A value with other fields says by which call it is made (`views.call`): it gets the name of its
field, and stands before the view. What a field with `compare=False` has is left to its default.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from model.edits.text import WrittenEdit
from model.location import PACKAGE
from views import expressions
from views.call import Call, MadeByCall, has_default
from views.run import Run, as_names, make_run
from views.shared import begin_words, edit_words
from views.view import View

if TYPE_CHECKING:
    from model import Card, Model

MAX_NAMES = 3  # of tensors, in the call that makes a run
PLAIN = (str, bytes, int, float, bool, type(None))


class NotWritten(TypeError):
    """A value that no code makes."""


@dataclass(frozen=True)
class ViewCode:
    """The code of a view: what it imports, the model and the run, and the view, each as lines of Python.

    Above the `view` stand the values that were measured for it.
    """

    imports: str
    models: str
    runs: str
    view: str


class CodeWriter:
    """Writes values as Python code. Models, runs and measured values get names, and stand before what uses them."""

    def __init__(self) -> None:
        self._imports: dict[str, str] = {}  # name -> module
        self._models: dict[int, tuple[str, Model]] = {}  # by identity: name, and the model
        self._runs: dict[Run, str] = {}  # -> name
        self._model_lines: list[str] = []
        self._run_lines: list[str] = []
        self._values: list[tuple[MadeByCall, str]] = []  # the measured ones, with their names
        self._value_lines: list[str] = []
        self._view: type[View] = View

    def write_view(self, view: View) -> ViewCode:
        """The code that makes a view, named `view`. Raises `NotWritten`."""
        self._view = type(view)
        lines = [f"view = {self.write(view)}"]
        imports = _write_imports(self._imports)
        view_lines = "\n".join(self._value_lines + lines)
        return ViewCode(imports, "\n".join(self._model_lines), "\n".join(self._run_lines), view_lines)

    def write(self, value: Any) -> str:
        """The expression that makes a value. Raises `NotWritten`."""
        from model import Card, Conversation, Model

        if isinstance(value, Enum):
            return f"{self._name_of(type(value))}.{value.name}"
        if isinstance(value, Conversation):
            return expressions.call(self._name_of(Conversation), [expressions.quoted(str.__str__(value))])
        if isinstance(value, PLAIN):
            return expressions.quoted(value) if isinstance(value, str) else repr(value)
        if isinstance(value, Run):
            return self._write_run(value)
        if isinstance(value, Model):
            return self._write_model(value)
        if isinstance(value, Card):
            return self._write_card(value)
        if _is_measured(value):
            return self._write_call(value.made_by())
        if isinstance(value, Call):
            return self._write_call(value)
        if isinstance(value, type) or inspect.isroutine(value):
            return self._write_function(value)
        if is_dataclass(value):
            return self._write_dataclass(value)
        return self._write_collection(value)

    def _write_collection(self, value: Any) -> str:
        if isinstance(value, slice):
            return expressions.call("slice", [self.write(each) for each in (value.start, value.stop)])
        if type(value) is tuple:
            inside = [self.write(each) for each in value]
            return expressions.brackets("(", inside, ",)" if len(inside) == 1 else ")")
        if type(value) is list:
            return expressions.brackets("[", [self.write(each) for each in value], "]")
        if isinstance(value, range):
            return repr(value)
        if isinstance(value, frozenset | set) and value:
            return expressions.brackets("{", sorted(self.write(each) for each in value), "}")
        if isinstance(value, Mapping):
            return expressions.brackets(
                "{", [f"{self.write(key)}: {self.write(each)}" for key, each in value.items()], "}"
            )
        raise NotWritten(f"No code makes a {type(value).__module__}.{type(value).__qualname__}.")

    def _write_dataclass(self, value: Any) -> str:
        """A call of its class with the fields that are not as the class has them.

        A field that is not compared and has a default makes no other view, such as what keeps runs for all readers.
        """
        inside = []
        for each in fields(value):
            got = getattr(value, each.name)
            if not each.init or has_default(each, got):
                continue
            try:
                inside.append(f"{each.name}={self._write_part(each.name, got)}")
            except NotWritten as error:
                raise NotWritten(f"{type(value).__qualname__}.{each.name}: {error}") from None
        return expressions.call(self._name_of(type(value)), inside)

    def _write_call(self, call: Call) -> str:
        names = inspect.signature(call.function).parameters
        inside = [self._write_part(name, each) for name, each in zip(names, call.arguments, strict=False)]
        inside += [f"{name}={self._write_part(name, each)}" for name, each in call.named.items()]
        return expressions.call(self._write_function(call.function), inside)

    def _write_part(self, name: str, value: Any) -> str:
        """A part of another value. A measured one stands before it, with this name."""
        if not _is_measured(value):
            return self.write(value)
        for known, its_name in self._values:
            if type(known) is type(value) and known == value:
                return its_name
        made = self.write(value)
        taken, count = {*self._imports, *(each for _, each in self._values)}, 0
        while (its_name := _numbered(name, count)) in taken:
            count += 1
        self._values.append((value, its_name))
        self._value_lines.append(f"{its_name} = {made}")
        return its_name

    def _write_function(self, function: Callable[..., Any]) -> str:
        """A class or a function by its name, a method after what it belongs to."""
        owner = getattr(function, "__self__", None)
        if owner is not None and not inspect.ismodule(owner):
            return f"{self.write(owner)}.{function.__name__}"
        return self._name_of(function)

    def _name_of(self, thing: Any) -> str:
        """The name of a class or a function, which is imported."""
        import model  # it loads torch

        first, _, rest = thing.__qualname__.partition(".")
        if first.startswith("_") or "<" in thing.__qualname__:
            raise NotWritten(f"{thing.__module__}.{thing.__qualname__} has no public name.")
        if thing.__module__.startswith(f"{PACKAGE}pages."):
            raise NotWritten(f"{thing.__module__}.{thing.__qualname__} belongs to the app.")
        module = "glassformer" if getattr(model, first, None) is thing else _module_of(thing)
        is_of_value = any(first == name for _, name in self._values)
        if is_of_value or (module != "builtins" and self._imports.setdefault(first, module) != module):
            raise NotWritten(f"Two things have the name {first}.")
        return f"{first}.{rest}" if rest else first

    def _write_run(self, run: Run) -> str:
        if run in self._runs:
            return self._runs[run]
        inside = [self._write_model(run.model), self.write(run.text), self._write_keep(run)]
        inside += [f"target={self.write(run.target)}"] if run.target is not None else []
        inside += [f"edits={self.write(run.spec.edits)}"] if run.spec.edits else []
        made = expressions.call(self._name_of(make_run), inside)
        self._runs[run] = name = _numbered("run", len(self._runs))
        self._run_lines.append(f"{name} = {made}")
        return name

    def _write_keep(self, run: Run) -> str:
        """The names of the tensors that a run keeps: a long list of what the view needs is its `needs`."""
        needs = self._view.needs
        wanted = as_names(needs(run.config) if callable(needs) else needs)
        if len(run.keep) > MAX_NAMES and set(run.keep) == set(wanted):
            return f"{self._name_of(self._view)}.needs"
        return self.write(run.keep[0] if len(run.keep) == 1 else run.keep)

    def _write_model(self, model: Model) -> str:
        from model import load
        from model.experiments.surgery import edits_of

        if id(model) in self._models:
            return self._models[id(model)][0]
        name = _numbered("model", len(self._models))
        self._models[id(model)] = (name, model)
        made = f"{self._name_of(load)}({expressions.quoted(model.card.name)}){self._write_begin(model)}"
        edits = tuple(each for each in edits_of(model.network) if isinstance(each, WrittenEdit))
        lines = edit_words.in_code(f"{name} = {made}", made, edits).splitlines()
        self._model_lines += [line for line in lines if not line.startswith("from ")]
        for line in lines:
            if line.startswith("from "):
                module, names = line.removeprefix("from ").split(" import ")
                self._imports |= dict.fromkeys(names.split(", "), module)
        return name

    def _write_card(self, card: Card) -> str:
        from model.zoo import card_values, cards

        kinds = () if card.kind in card_values.TEXT_KINDS else (card.kind,)
        return self._write_call(Call(cards.card, (card.name, *kinds)))

    def _write_begin(self, model: Model) -> str:
        chosen = begin_words.CHOICES[begin_words.name_of(model)]
        return "" if chosen is None else f".with_begin({chosen})"


def write_view(view: View) -> ViewCode:
    """The code that makes a view. Raises `NotWritten`."""
    return CodeWriter().write_view(view)


def _module_of(thing: Any) -> str:
    """The name of the module of a class or a function, as a notebook imports it."""
    room, _, rest = thing.__module__.removeprefix(PACKAGE).partition(".")
    return f"glassformer.{room}.{rest}" if room in ("model", "views", "viz") else str(thing.__module__)


def _is_measured(value: Any) -> bool:
    return isinstance(value, MadeByCall) and not isinstance(value, type)


def _numbered(name: str, count: int) -> str:
    return name if count == 0 else f"{name}_{count + 1}"


def _write_imports(names: Mapping[str, str]) -> str:
    by_module: dict[str, list[str]] = {}
    for name, module in names.items():
        by_module.setdefault(module, []).append(name)
    return "\n".join(f"from {module} import {', '.join(sorted(by_module[module]))}" for module in sorted(by_module))
