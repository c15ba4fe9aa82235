"""The front end of a notebook in which this process runs."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Literal

FrontEnd = Literal["jupyter", "apart", "marimo"]  # "apart": it shows outputs apart from its own page


def find_front_end() -> FrontEnd | None:
    """The front end whose kernel runs here; None for a program, or a terminal.

    JupyterLab and Jupyter Notebook show outputs in their own page. VS Code and Colab show each apart, where only a
    widget that is shown reaches the kernel.
    """
    marimo = sys.modules.get("marimo")
    if marimo is not None and marimo.running_in_notebook():
        return "marimo"
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    is_apart = "google.colab" in sys.modules or "__vsc_ipynb_file__" in shell.user_ns
    return "apart" if is_apart else "jupyter"


def can_connect() -> bool:
    """Whether pictures can reach the kernel: by the package `anywidget`."""
    return find_spec("anywidget") is not None
