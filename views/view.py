"""A view: what one part of a page says of one run, as a value. Equal values are equal views, in any process.

A view is a frozen dataclass whose fields are a run and plain values, such as a head or a choice of the reader. It is
shown at four depths. Its methods compute when they are called:

    class QueryKey(View):                 # views/attention/query_key.py
        head: HeadOfRun
        def picture(self): ...            # Picture: a chart or a component
        def table(self): ...              # Numbers: a table
        def formula(self): ...            # Formula: equations, with this run's numbers worked out
        def code(self): ...               # Code: the functions and classes that ran
        def caption(self): ...            # what the eye should see, from the data
        def files(self): ...              # the files of its Export menu

Two views of two runs may stand beside each other (`views.beside`). A view says in `about`, `on_scale_of` and `minus`
what that takes of it.

A view that is laid out otherwise says so in `picture_parts`, `number_parts`, `formula_parts` or `code_parts`. A part of
a view may be another view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from views.parts import Canvas, Chart, DataTable, Files, Source
from views.shared import worked
from views.shared.sources import link_sources
from viz.documents.page_parts import Code, Equation, Group, Text
from viz.shared.style import markdown_text

if TYPE_CHECKING:
    from model.config import TransformerConfig
    from views.run import Run

Depth = Literal["Picture", "Numbers", "Formula", "Code"]
DEPTHS: tuple[Depth, ...] = get_args(Depth)
Needs = str | tuple[str, ...] | Callable[["TransformerConfig"], Iterable[str]]


class View:
    """What one part of a page says of one run. `needs`: the tensors that it takes of the run (`model.names`).

    `alone`: the name of the controls by which a page draws it as a piece that runs alone, where it stands in another.
    `is_timed`: its numbers are times, which differ whenever it is made.
    """

    needs: ClassVar[Needs] = ()
    alone: ClassVar[str] = ""
    is_timed: ClassVar[bool] = False

    def picture(self) -> Chart | Canvas | Group:
        """The picture."""
        raise NotImplementedError

    def table(self) -> DataTable:
        """The numbers of the picture."""
        raise NotImplementedError

    def formula(self) -> Sequence[Any]:
        """The equations, with the numbers of this run."""
        return ()

    def code(self) -> Sequence[Any]:
        """The classes and functions that ran."""
        return ()

    def caption(self) -> str:
        """One thing to see in the picture, computed from the data, as Markdown; "" for nothing."""
        return ""

    def files(self) -> Files | None:
        """The files of the picture; None where it has none."""
        return None

    def told(self) -> Mapping[str, float | str]:
        """The numbers and words that prompts make claims of, by their names."""
        return {}

    def about(self) -> Run | None:
        """The run that the view is about; None where it is about none, or about several."""
        return None

    def settled(self) -> Mapping[str, Any]:
        """What it has chosen where the reader has left it open, by the keys of the app: a second model is asked the
        same."""
        return {}

    def on_scale_of(self, other: Any) -> View:
        """The same view on a scale that has room for the same view of another run. By default its scale is fixed."""
        return self

    def minus(self, other: Any) -> View | None:
        """What this view has more than the same view of another run; None where their numbers cannot be subtracted."""
        return None

    def picture_parts(self) -> Sequence[Any]:
        """The parts at the depth Picture."""
        return [self.picture(), *grey(self.caption()), *existing(self.files())]

    def number_parts(self) -> Sequence[Any]:
        """The parts at the depth Numbers."""
        return [self.table(), *grey(self.caption()), *existing(self.files())]

    def formula_parts(self) -> Sequence[Any]:
        """The parts at the depth Formula."""
        return self.formula()

    def code_parts(self) -> Sequence[Any]:
        """The parts at the depth Code."""
        return [each if isinstance(each, Code | Text) else Source(each) for each in self.code()]

    def at(self, depth: Depth) -> Sequence[Any]:
        """The parts of the view at a depth, in their order."""
        parts = {
            "Picture": self.picture_parts,
            "Numbers": self.number_parts,
            "Formula": self.formula_parts,
            "Code": self.code_parts,
        }
        return parts[depth]()


class Nothing(View):
    """The view of a page that has ended before it showed anything."""

    def at(self, depth: Depth) -> Sequence[Any]:
        return ()


def grey(text: str) -> list[Text]:
    """A caption; nothing for ""."""
    return [Text(f":gray[{text}]")] if text else []


def existing(part: Any) -> list[Any]:
    """A part, or nothing for None."""
    return [] if part is None else [part]


def equation(latex: str, source: str, symbols: Mapping[str, str] | None = None) -> list[Equation | Text]:
    """An equation, its source, and the meaning of each symbol (LaTeX) in this run."""
    meanings = "\n".join(f"- ${symbol}$: {meaning}" for symbol, meaning in (symbols or {}).items())
    return [Equation(latex), cite(source), *([Text(meanings)] if meanings else [])]


def heading(first: str, second: str) -> Text:
    """The title of a difference of two models, by their names."""
    return Text(f"##### {markdown_text(first)} − {markdown_text(second)}")


def cite(source: str) -> Text:
    """A source line. Each work that it cites leads to its entry in the list of sources."""
    return Text(link_sources(source), "caption")


def work_out(sentence: str, *sums: str) -> list[Equation | Text]:
    """The equation above with the numbers of this run: a sentence about them (Markdown), then each sum (LaTeX).

    `views.shared.sums` writes the common sums. Where the printed terms do not give the printed result, a sum says ≈.
    """
    return [Text(sentence), *(Equation(worked.mark_rounded(latex)) for latex in sums)]
