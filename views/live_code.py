"""The code that makes a view by its public name, as text: to copy into a notebook, or as the cells of one."""

from __future__ import annotations

from dataclasses import dataclass

from views.expressions import call

NAME = "live"  # of the view in the cells of a notebook


@dataclass(frozen=True)
class LiveCode:
    """The code of a view by its public `name`, "views.heads.Lines", with its `choices`, "layer=9".

    `model`: the expression that opens its model, `load("tiny-lm")`, or that of a picture; "" where the view takes none.
    `trace`: what makes the run, `.trace("the dog")`; "" where it takes none. `imports`: more lines, beside that of the
    package. `is_measured`: the app may have shown a part of its numbers (`views.by_page.live_view`).
    """

    name: str
    choices: tuple[str, ...] = ()
    model: str = ""
    trace: str = ""
    imports: tuple[str, ...] = ()
    is_measured: bool = False

    @property
    def import_lines(self) -> str:
        """What the code imports."""
        loads = "load, " if "load(" in self.model else ""
        return "\n".join([f"from glassformer import {loads}views", *self.imports])

    @property
    def model_line(self) -> str:
        """The line that opens the model, for a cell; "" for none."""
        return f"model = {self.model}" if self.trace else ""

    @property
    def run_line(self) -> str:
        """The line that makes the run, for a cell; "" for none."""
        return f"run = model{self.trace}" if self.trace else ""

    @property
    def view_line(self) -> str:
        """The line that makes the view of that run, for a cell."""
        return f"{NAME} = {self._call('run' if self.trace else self.model)}"

    @property
    def copied(self) -> str:
        """All of it, to copy: the imports, and the view as the last line of a cell."""
        return f"{self.import_lines}\n{self._call(self.model + self.trace)}"

    def _call(self, subject: str) -> str:
        return call(self.name, [*([subject] if subject else []), *self.choices])
