"""An output of a notebook that is shown again after a cell that has changed it: a saved notebook has the last one."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Any


class LastOutput:
    """The output with what `bundle` makes. `renew` is called after each cell, and says whether the output is old."""

    def __init__(self, bundle: Callable[[], dict[str, Any]], renew: Callable[[], bool]) -> None:
        self._bundle, self._renew = bundle, renew
        self._id = ""

    def show(self) -> None:
        """Show it below the cell that runs. From now on it is the place that is shown again."""
        from IPython.core.getipython import get_ipython
        from IPython.display import display  # only a notebook has it

        shell = get_ipython()
        if shell is not None and not self._id:
            shell.events.register("post_run_cell", self._show_again)
        self._id = token_hex(8)
        display(self._bundle(), raw=True, display_id=self._id)

    def _show_again(self, _: Any) -> None:
        from IPython.display import display

        if self._renew():
            display(self._bundle(), raw=True, display_id=self._id, update=True)
