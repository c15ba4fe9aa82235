"""The code that makes a view by its public name, as text: to copy into a notebook, or as the cells of one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from views.expressions import call

NAME = "live"  # of the view in the cells of a notebook
BESIDE = "views.Beside"


@dataclass(frozen=True)
class LiveCode:
    """The code of a view by its public `name`, "views.heads.Lines", with its `choices`, "layer=9".

    `model`: the expression that opens its model, `load("tiny-lm")`, or that of a picture; "" where the view takes none.
    `trace`: what makes the run, `.trace("the dog")`; "" where it takes none. `imports`: more lines, beside that of the
    package. `is_measured`: the app may have shown a part of its numbers (`views.by_page.live_view`). `second`: the code
    of the same view of another model, which stands beside it.
    """

    name: str
    choices: tuple[str, ...] = ()
    model: str = ""
    trace: str = ""
    imports: tuple[str, ...] = ()
    is_measured: bool = False
    second: LiveCode | None = None

    def beside(self, second: LiveCode | None) -> LiveCode | None:
        """The code of this view and a second one side by side; None where they are no views of two runs."""
        if second is None or not self.trace or not second.trace:
            return None
        return replace(self, second=second, is_measured=self.is_measured or second.is_measured)

    @property
    def import_lines(self) -> str:
        """What the code imports."""
        loads = "load, " if "load(" in self.model else ""
        more = dict.fromkeys(line for _, side in self._sides for line in side.imports)
        return "\n".join([f"from glassformer import {loads}views", *more])

    @property
    def model_line(self) -> str:
        """The line that opens the model, or each of two, for a cell; "" for none."""
        return "\n".join(f"{side}model = {each.model}" for side, each in self._sides if each.trace)

    @property
    def run_line(self) -> str:
        """The line that makes the run, or each of two, for a cell; "" for none."""
        return "\n".join(f"{side}run = {side}model{each.trace}" for side, each in self._sides if each.trace)

    @property
    def view_line(self) -> str:
        """The line that makes the view of that run, for a cell."""
        return f"{NAME} = {self._call([f'{side}run' if each.trace else each.model for side, each in self._sides])}"

    @property
    def copied(self) -> str:
        """All of it, to copy: the imports, and the view as the last line of a cell."""
        return f"{self.import_lines}\n{self._call([each.model + each.trace for _, each in self._sides])}"

    @property
    def _sides(self) -> list[tuple[str, LiveCode]]:
        """The code of one view, or of two, with the beginning of the names of each."""
        return [("", self)] if self.second is None else [("first_", self), ("second_", self.second)]

    def _call(self, subjects: list[str]) -> str:
        """The call that makes the view of a subject, such as a run, or those of two beside each other."""
        made = [
            call(each.name, [*filter(None, [subject]), *each.choices])
            for subject, (_, each) in zip(subjects, self._sides, strict=True)
        ]
        return made[0] if self.second is None else call(BESIDE, made)
