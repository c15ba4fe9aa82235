"""Masks that a reader paints: as text for a link, on another sentence, and ready ones to start from."""

from __future__ import annotations

import base64
import binascii
import zlib

import torch
from torch import Tensor

from model.analysis.head_steps import Attention
from model.edits.tensors import HideRow, PaintMask, paint_mask
from model.errors import GlassformerError

MAX_SIDE = 4096
USUAL_WIDTH = 3  # of a window


class BadMask(GlassformerError):
    """A painted mask that cannot be read."""


def edit_of(at: Attention, visible: Tensor, every_layer: bool) -> PaintMask:
    """The edit that paints the mask of this attention, or of every layer of its stack: `visible` (queries, keys)."""
    return paint_mask(at.every_layer if every_layer else at.path, visible)


def hide_row(at: Attention, row: int, every_layer: bool) -> HideRow:
    """The edit that hides every key from one query, and leaves the rest of each layer's own mask as it is."""
    return HideRow(at.every_layer if every_layer else at.path, row)


def mask_to_text(visible: Tensor) -> str:
    """A table of what may be seen (queries, keys) as URL-safe text, shape first: `8x8.eNr7...`."""
    bits = torch.nn.functional.pad(visible.flatten().to(torch.uint8), (0, -visible.numel() % 8)).view(-1, 8)
    packed = (bits << torch.arange(7, -1, -1)).sum(-1)  # eight cells a byte
    text = base64.urlsafe_b64encode(zlib.compress(bytes(packed.tolist()), 9)).decode()
    return f"{visible.shape[0]}x{visible.shape[1]}.{text}"


def mask_from_text(text: str) -> Tensor:
    """The inverse of `mask_to_text`: (queries, keys), True where visible. Raises `BadMask`."""
    try:
        shape, packed = text.split(".", 1)
        rows, columns = (int(part) for part in shape.split("x"))
        if not (0 < rows <= MAX_SIDE and 0 < columns <= MAX_SIDE):
            raise ValueError(shape)
        size = -(-rows * columns // 8)
        data = zlib.decompressobj().decompress(base64.urlsafe_b64decode(packed), size + 1)
        return mask_from_bytes(data, rows, columns)
    except (ValueError, binascii.Error, zlib.error):
        raise BadMask("The painted mask in this link is damaged. Paint it anew, or choose another mask.") from None


def mask_from_bytes(data: bytes, rows: int, columns: int) -> Tensor:
    """Eight cells a byte, first cell in the highest bit: (rows, columns). Raises ValueError for another length."""
    if len(data) != -(-rows * columns // 8):
        raise ValueError(f"{len(data)} bytes do not make {rows} x {columns} cells.")
    bits = torch.tensor(list(data), dtype=torch.uint8)[:, None] >> torch.arange(7, -1, -1) & 1
    return bits.flatten()[: rows * columns].view(rows, columns).bool()


def fit_mask(visible: Tensor, start: Tensor) -> Tensor:
    """A painted mask on another sentence: `start` (queries, keys), with the cells that both have as painted."""
    fitted = start.clone()
    rows, columns = min(visible.shape[0], start.shape[0]), min(visible.shape[1], start.shape[1])
    fitted[:rows, :columns] = visible[:rows, :columns]
    return fitted


def put_window(visible: Tensor, first: tuple[int, int], cells: Tensor) -> Tensor:
    """A mask (queries, keys) with other cells in a window of it: `cells` (rows, columns), which begins at `first`.

    `first` is a query and a key. Raises ValueError where the mask has no such window.
    """
    (query, key), (rows, columns) = first, cells.shape
    if not (0 <= query <= len(visible) - rows and 0 <= key <= visible.shape[1] - columns):
        raise ValueError(
            f"A window of {rows} x {columns} at {query}, {key} is not in a mask of {tuple(visible.shape)}."
        )
    whole = visible.clone()
    whole[query : query + rows, key : key + columns] = cells
    return whole


def near(queries: int, keys: int, width: int) -> Tensor:
    """True where a key is less than `width` tokens away from the query, before or after it: (queries, keys).

    Under a causal mask too, it is a sliding window: the last `width` keys with the query's own.
    """
    return (torch.arange(queries)[:, None] - torch.arange(keys)).abs() < width


def presets(queries: int, keys: int, width: int = USUAL_WIDTH) -> dict[str, Tensor]:
    """Masks to start from, by name: True where a query may look, (queries, keys). One is a window of a `width`."""
    q, k = torch.arange(queries)[:, None], torch.arange(keys)[None, :]
    return {
        "all visible": (k >= 0).expand(queries, keys),
        "causal": k <= q,
        f"last {width} only": (k <= q) & near(queries, keys, width),
        "only itself": k == q,
        "not itself": k != q,
        "no first token": (k > 0).expand(queries, keys),
    }
