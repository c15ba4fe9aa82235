"""The cells of a view's notebook: they load the model, make the run and the view, show it, and check its numbers."""

from __future__ import annotations

import ast
from pprint import pformat

from views.live_code import NAME, LiveCode
from views.notebook.numbers import numbers_of
from views.notebook.view_code import write_view
from views.shown_page import ShownPage
from views.view import View
from viz.documents.notebook import Cell

WIDTH = 100  # characters of a line of numbers
TOOLS = """\
from glassformer.views.notebook.numbers import check_numbers
from glassformer.views.notebook.show import show"""
TIMED = "Its numbers are times of a machine, and differ each time: nothing checks them."


def cells_of_view(page: ShownPage) -> list[Cell]:
    """The cells that make the view of a page again, show it, and check its numbers. Raises `NotWritten`."""
    shown = "show(view)" if page.depth == "Picture" else f'show(view, "{page.depth}")'
    if page.live is not None and not page.live.is_measured:
        return [*_live_cells(page, page.live, shown), *_check(page.view)]
    code = write_view(page.view)
    return [
        Cell("markdown", "The model, and its run over the sentence." if code.runs else "What the view needs."),
        Cell("code", "\n\n".join(filter(None, [f"{code.imports}\n{TOOLS}", code.models, code.runs]))),
        Cell("markdown", f"The view: {page.idea} Its fields are the choices that were made in the app."),
        Cell("code", f"{code.view}\n{shown}"),
        *_check(page.view),
    ]


def _live_cells(page: ShownPage, live: LiveCode, shown: str) -> list[Cell]:
    """The cells of a view that has a public name: the picture is alive, and follows its choices."""
    last = NAME if page.depth == "Picture" else shown
    value = f"view = {NAME}.view()  # its numbers, its equations and its code"
    return [
        Cell("markdown", "The model, and its run over the sentence." if live.trace else "What the view needs."),
        Cell("code", "\n\n".join(filter(None, [f"{live.import_lines}\n{TOOLS}", live.model_line, live.run_line]))),
        Cell("markdown", f"The view: {page.idea} Change a choice, as `{NAME}.layer = 1`, and the picture follows."),
        Cell("code", f"{live.view_line}\n{value}\n{last}"),
    ]


def cells_of_depths() -> list[Cell]:
    """The cells that show the equations and the code of the view above them."""
    return [
        Cell("markdown", "The equations, with the numbers of this run."),
        Cell("code", 'show(view, "Formula")'),
        Cell("markdown", "The code that ran."),
        Cell("code", 'show(view, "Code")'),
    ]


def _check(view: View) -> list[Cell]:
    """The cells that compare the numbers of the view with those that the app showed."""
    if view.is_timed:
        return [Cell("markdown", TIMED)]
    shown = pformat(numbers_of(view), width=WIDTH, compact=True)
    ast.literal_eval(shown)  # a value that Python does not write would end the cell
    words = "The first numbers that the app showed. They are computed again, and compared."
    return [Cell("markdown", words), Cell("code", f"shown = {shown}\ncheck_numbers(view, shown)")]
