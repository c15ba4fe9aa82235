"""The notebook of a view: how to run it, a cell that installs what it needs, and the cells that make the view again."""

from __future__ import annotations

import os
from collections.abc import Iterable

from views.notebook.cells import cells_of_depths, cells_of_view
from views.notebook.view_code import NotWritten
from views.shown_page import ShownPage
from viz.documents.notebook import Cell, write_notebook

HOW_TO_RUN = (
    "Run all cells: each number is computed again, and checked. The first cell of code looks for Glassformer. Where it "
    "is not installed, as in Colab, the cell installs it from its repository, or from its folder beside this notebook."
)
REPOSITORY_VARIABLE = "GLASSFORMER_REPOSITORY"  # of the environment: the repository's address, for `git clone`
MAX_ADDRESS_CHARACTERS = 300
INSTALL = """\
repository = {repository!r}  # for `git clone`, such as "https://github.com/NAME/glassformer"

import importlib
import pathlib
import subprocess
import sys
from importlib.util import find_spec

package = find_spec("glassformer")
if package is None or package.origin is None:  # the folder of the repository, beside this notebook, is no package
    folder = pathlib.Path("glassformer").resolve()
    if not repository and not folder.is_dir():
        raise SystemExit(
            "Glassformer is not here. Write the address of its repository into the first line of this cell. "
            "Where there is none, put Glassformer's folder, named glassformer, beside this notebook. "
            "Then run this cell again."
        )
    if not folder.is_dir():
        subprocess.run(["git", "clone", "--depth", "1", repository, str(folder)], check=True)
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", str(folder)], check=True)
    importlib.invalidate_caches()  # If an import fails below, restart the kernel: it had older packages loaded.
"""


def make_notebook(page: ShownPage, title: str, link: str) -> str:
    """The notebook of the view of a page. `link`: the view's address."""
    aim = f"This notebook makes [a view of Glassformer]({link}) again, with Glassformer's library."
    head = Cell("markdown", f"# {title}\n\n{aim}\n\n{HOW_TO_RUN}")
    return write_notebook([head, install_cell(), *view_cells(page, cells_of_depths())])


def install_cell() -> Cell:
    """The cell that installs what the others need, where it is missing."""
    repository = os.environ.get(REPOSITORY_VARIABLE, "").strip()[:MAX_ADDRESS_CHARACTERS]
    return Cell("code", INSTALL.format(repository=repository).strip())


def view_cells(page: ShownPage, more: Iterable[Cell] = ()) -> list[Cell]:
    """The cells that make a view again, and `more` cells about it; one cell that says why, where no code makes it."""
    try:
        return [*cells_of_view(page), *more]
    except NotWritten as reason:
        return [Cell("markdown", f"No code of the library makes this view again. {reason}")]
