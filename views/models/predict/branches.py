"""The tree of all continuations of a sentence. A click goes back to a branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from views.models.predict.prediction import Prediction
from views.parts import Chart, DataTable, Draw, Files, Keys
from viz.documents.page_parts import Group, Text
from viz.shared.tokens import words
from viz.shared.tree import Node, tree_figure

Path = tuple[int, ...]  # of tokens, after the sentence
NOTHING = "Nothing is written yet. Step on, or choose a candidate above."


@dataclass(frozen=True)
class Branches(Prediction):
    """The `paths` that were written. None is the beginning of another. `most`: so many are kept; 0 where none was
    dropped."""

    paths: tuple[Path, ...] = ()
    most: int = 0

    def below_in_picture(self) -> Sequence[Any]:
        return [*self._say_dropped(), *super().below_in_picture()] if self.paths else [Text(NOTHING, "info")]

    def below_in_numbers(self) -> Sequence[Any]:
        return [*self._say_dropped(), *super().below_in_numbers()] if self.paths else [Text(NOTHING, "info")]

    def _say_dropped(self) -> list[Text]:
        return [Text(f"More than {self.most} branches: the oldest was dropped.", "caption")] if self.most else []

    @property
    def beginnings(self) -> list[Path]:
        """Every beginning of every branch once, parents first. The empty beginning is the root."""
        found = {path[:length]: None for path in self.paths for length in range(len(path) + 1)}
        return sorted(found, key=len)

    def picture(self) -> Group:
        chart = Chart(self._draw(), "The tree of branches", key="predict tree", pick=self._go_back, tells_numbers=True)
        return Group([chart], key="wide tree")

    def _draw(self) -> Draw:
        return partial(tree_figure, self._nodes())

    def _nodes(self) -> list[Node]:
        """The tree: one node for each beginning, so branches with the same beginning share its nodes."""
        tokenizer, beginnings = self.now.written.run.model.tokenizer, self.beginnings
        labels = ["…", *words(tokenizer.tokens(path[-1] for path in beginnings[1:]))]
        number_of = {path: i for i, path in enumerate(beginnings)}
        return [
            Node(
                label,
                number_of[path[:-1]] if path else None,
                "root" if not path else "finished" if path[-1] in tokenizer.ends else "live",
                self.now.written.path[: len(path)] == path,
                custom=(number_of[path],),
            )
            for label, path in zip(labels, beginnings, strict=True)
        ]

    def _go_back(self, point: Mapping[str, Any]) -> Keys:
        beginning = self.beginnings[int(point["customdata"][0])]
        branch = next(path for path in self.paths if path[: len(beginning)] == beginning)
        return {"predict_path": branch, "predict_step": max(len(beginning) - 1, 0)}

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        """One row a branch."""
        decode = self.now.written.run.model.tokenizer.decode
        return [
            {"branch": i + 1, "tokens": len(path), "text": decode(path), "ids": " ".join(map(str, path))}
            for i, path in enumerate(self.paths)
        ]

    def caption(self) -> str:
        count = len(self.paths)
        return (
            f"{count} {'branch' if count == 1 else 'branches'}; the strong line is the one shown above. "
            "Choose another candidate above to grow one; click a node to go back to it."
        )

    def files(self) -> Files:
        return Files("branches", self._draw(), self._draw(), self._rows)
