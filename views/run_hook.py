"""A hook that takes something small from the tensors of a long text while it is run, as a forward hook of PyTorch does.

Such a run keeps few of its tensors. To compute those of all layers again takes as long as the run itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

from views.run import Run
from views.run_spec import RunSpec

if TYPE_CHECKING:
    from torch import Tensor

Value = TypeVar("Value")


class RunHook(Generic[Value]):
    """Calls `take` with each tensor whose name ends in one of `endings`, and keeps what it returns.

    Pass `look` to `traces.current`.
    """

    def __init__(self, endings: tuple[str, ...], take: Callable[[RunSpec, str, Tensor], Value]) -> None:
        self._endings, self._take = endings, take
        self._seen: RunSpec | None = None
        self._values: dict[str, Value] = {}

    def look(self, spec: RunSpec, name: str, tensor: Tensor) -> None:
        if spec is not self._seen:
            self._seen, self._values = spec, {}
        if name.endswith(self._endings):
            self._values[name] = self._take(spec, name, tensor)

    def of(self, run: Run, names: Iterable[str]) -> list[Value] | None:
        """What was taken of these tensors; None if they were not seen: the cache had the run, or it was stopped."""
        wanted = tuple(names)
        if self._seen != run.spec:
            return None
        return [self._values[name] for name in wanted] if all(name in self._values for name in wanted) else None
