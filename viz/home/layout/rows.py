"""What the rows of a layer are called on the map: its heads, the residual stream, the feed-forward network."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

SHORT = {"Residual stream": "Residual", "Feed-forward": "FFN"}  # where there is no room for more
HEAD_TITLE = re.compile(r"(?P<noun>.*\S)\s+(?P<number>\d+)")


def rows_of(groups: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a template of layers, from above, as JSON has them.

    `groups` are the groups of the template. A row has the `groups` that stand beside each other in it, the `box` of the
    first one, and its `names`, the longest first. A row of several heads is called by the first and the last of them,
    and `heads` has the title and the box of each, for a window in which one alone is seen.
    """
    heads = [group for group in groups if group["kind"] == "head"]
    bands = {group["parent"] for group in heads}
    parts = [group for group in groups if group["kind"] == "part" and group["id"] not in bands]
    rows = [_row_of_heads(list(row)) for _, row in groupby(heads, lambda head: (head["parent"], head["box"][1]))]
    rows += [_row([part], [part["title"], SHORT.get(part["title"], part["title"])], is_heads=False) for part in parts]
    return sorted(rows, key=lambda row: row["box"][1])


def _row_of_heads(heads: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first, last = (HEAD_TITLE.fullmatch(head["title"]) for head in (heads[0], heads[-1]))
    assert first is not None, "heads are named by numbers"
    assert last is not None, "heads are named by numbers"
    if len(heads) == 1:
        return _row(heads, [heads[0]["title"], first["number"]], is_heads=True)
    numbers = f"{first['number']}–{last['number']}"
    each = [{"title": head["title"], "box": head["box"]} for head in heads]
    return _row(heads, [f"{first['noun']}s {numbers}", numbers], is_heads=True) | {"heads": each}


def _row(groups: Sequence[Mapping[str, Any]], names: list[str], *, is_heads: bool) -> dict[str, Any]:
    ids = [group["id"] for group in groups]
    return {"names": list(dict.fromkeys(names)), "box": groups[0]["box"], "groups": ids, "is_heads": is_heads}
