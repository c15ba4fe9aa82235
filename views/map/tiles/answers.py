"""What the map asks of its run, answered without a server: as `pages/home/tiles/routes.py` answers a browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote

from views.map.tiles.addresses import MAX_NAME_CHARACTERS, read_index, read_joined_address
from views.map.tiles.many import MAX_ADDRESSES, pack_tiles
from viz.shared.tiles import NoTile

if TYPE_CHECKING:
    from views.map.tiles.difference import AnyRun  # It loads torch.


def answer_of(run: AnyRun, address: str) -> bytes | None:
    """The answer to ".../many?t=TENSOR/MATRIX/LEVEL/ROW/COLUMN&t=...", or to ".../why/TENSOR/I,J,K"; None for any other
    address, and for a number that there is not."""
    path, _, query = address.partition("?")
    match path.split("/"):
        case [*_, "many"]:
            texts = parse_qs(query).get("t", [])[:MAX_ADDRESSES]
            return pack_tiles(run, [read_joined_address(text) for text in texts])[0]
        case [*_, "why", name, index]:
            return _why(run, unquote(name)[:MAX_NAME_CHARACTERS], read_index(unquote(index)))
    return None


def _why(run: AnyRun, name: str, index: tuple[int, ...] | None) -> bytes | None:
    if index is None:
        return None
    try:
        found = run.why(name, index)
    except NoTile:
        return None
    return json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
