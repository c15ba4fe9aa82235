"""What every view of one head has: the head, and the tensors that it takes of the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from views.head_of_run import HeadOfRun, keep
from views.run import Run
from views.view import Needs, View


@dataclass(frozen=True)
class ViewOfHead(View):
    """A view of one head. `head`: with the pair of tokens that is singled out in it."""

    head: HeadOfRun

    needs: ClassVar[Needs] = staticmethod(keep)

    def about(self) -> Run:
        return self.head.run
