"""Many tiles in one body: a map that moves asks for all that is in sight at once.

The body begins with the number of bytes of a JSON list, 4 bytes, the lowest first. The list follows, padded with spaces
so that the cells after it begin at a multiple of 4. It has an entry for each address, in their order:

- `{"rows", "columns", "type", "scale", "at"}`: the tile begins `at` bytes after the list, at a multiple of 4;
- `null`: there is no such tile;
- `{"later": true}`: it was too much for one answer. Ask again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from viz.shared.tiles import NoTile

if TYPE_CHECKING:
    from views.map.tiles.difference import AnyRun
    from views.map.tiles.run import Tile  # It loads torch.

MAX_ADDRESSES = 64
MAX_BYTES = 2**21  # of cells in one answer; the first tile is sent however large
MAX_SECONDS = 0.25  # of work for one answer; the first tile is made however long it takes
ALIGNMENT = 4  # bytes, of a float32
LATER = {"later": True}

Address = tuple[str, int, int, int, int]  # name, matrix, level, row, column


def pack_tiles(
    run: AnyRun, addresses: Sequence[Address | None], max_seconds: float | None = None
) -> tuple[bytes, bool]:
    """The body, and whether it is whole: nothing in it is to be asked for again. None is an address of no tile.

    `max_seconds` is `MAX_SECONDS` where it is not given.
    """
    entries: list[dict[str, Any] | None] = []
    cells = bytearray()
    ends = time.monotonic() + (MAX_SECONDS if max_seconds is None else max_seconds)
    for address in addresses:
        if cells and (len(cells) >= MAX_BYTES or time.monotonic() > ends):
            entries.append(LATER)
            continue
        try:
            tile = run.tile(*address) if address is not None else None
        except NoTile:
            tile = None
        entries.append({**tile_facts(tile), "at": len(cells)} if tile else None)
        cells += tile_bytes(tile) if tile else b""
        cells += bytes(-len(cells) % ALIGNMENT)
    listed = json.dumps(entries, separators=(",", ":")).encode()
    listed += b" " * (-len(listed) % ALIGNMENT)
    return len(listed).to_bytes(4, "little") + listed + bytes(cells), LATER not in entries


def tile_facts(tile: Tile) -> dict[str, Any]:
    """What a browser must know to read the bytes of a tile."""
    rows, columns = tile.cells.shape
    return {"rows": rows, "columns": columns, "type": tile.cells.dtype.name, "scale": asdict(tile.scale)}


def tile_bytes(tile: Tile) -> bytes:
    """The cells row after row: uint8, or float32 with the first byte lowest."""
    return tile.cells.astype(tile.cells.dtype.newbyteorder("<"), copy=False).tobytes()
