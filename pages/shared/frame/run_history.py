"""The runs of a session, one after the other, for undo and redo in the run bar."""

from __future__ import annotations

from dataclasses import dataclass, field

from pages.shared.model_runs.request import Request

MAX_RUNS = 50


@dataclass
class RunHistory:
    """What was asked for, oldest first. `place` is the one on screen."""

    runs: list[Request] = field(default_factory=list)
    place: int = -1

    def note(self, request: Request) -> None:
        """Remember a request that is on screen. A new one ends those that were undone."""
        if self.runs and self.runs[self.place] == request:
            return
        self.runs = [*self.runs[: self.place + 1], request][-MAX_RUNS:]
        self.place = len(self.runs) - 1

    @property
    def can_undo(self) -> bool:
        return self.place > 0

    @property
    def can_redo(self) -> bool:
        return self.place < len(self.runs) - 1

    def undo(self) -> Request:
        """Go to the request before. IndexError if there is none."""
        if not self.can_undo:
            raise IndexError("This is the first run.")
        self.place -= 1
        return self.runs[self.place]

    def step_back_to(self, request: Request) -> None:
        """Go to the request before, if it is this one."""
        if self.can_undo and self.runs[self.place - 1] == request:
            self.place -= 1

    def redo(self) -> Request:
        """Go to the request after, which was undone. IndexError if there is none."""
        if not self.can_redo:
            raise IndexError("This is the last run.")
        self.place += 1
        return self.runs[self.place]
