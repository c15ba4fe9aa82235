"""The route of tiles: `/tiles/HANDLE/TENSOR/MATRIX/LEVEL/ROW/COLUMN`, and `/tiles/HANDLE` for what the run has.

`/tiles/HANDLE/many?t=TENSOR/MATRIX/LEVEL/ROW/COLUMN&t=...` gives many tiles at once (`many`), and
`/tiles/HANDLE/why/TENSOR/I,J,K` says where one number comes from (`why`).

`TENSOR` is a name of `model.names` or of a weight, `MATRIX` counts through the axes before the last two, and level 0
is the full one (`viz.shared.tiles`). A tile is its cells, row after row: uint8, or float32 with the first byte lowest
at level 0. The header `Tile` has the rest as JSON: `rows`, `columns`, `type` and `scale`.

Nothing about a run ever changes, so browsers may keep what they get for good. Whatever there is not, or no longer, is
the same plain 404. Tiles are made in threads, a few at once, and networks take turns (`FairTurns`).
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from model.errors import GlassformerError
from pages.home.tiles.store import RUNS
from pages.home.tiles.turns import FairTurns, TooManyWaiting
from pages.shared.model_runs import turn_owner
from pages.shared.server.networks import network_of
from views.map.tiles.addresses import MAX_NAME_CHARACTERS, read_address, read_index, read_joined_address
from views.map.tiles.many import MAX_ADDRESSES, Address, pack_tiles, tile_bytes, tile_facts
from viz.shared.tiles import NoTile

if TYPE_CHECKING:
    from views.map.tiles.difference import AnyRun

PATH = "/tiles"
TILES_AT_ONCE = min(4, max(2, os.cpu_count() or 1))
GZIP_LEVEL = 1  # level 9, which Streamlit would take, needs three times as long for a hundredth of the bytes
RETRY_SECONDS = 1
FOR_GOOD = "private, max-age=31536000, immutable"

TURNS = FairTurns(TILES_AT_ONCE)

Make = Callable[["AnyRun", bool], Response]  # of a run, and whether the body may be packed


def routes(base: str = "") -> list[Route]:
    """The routes for `st.App`. `base` is the server's base path."""
    root = f"{base.rstrip('/')}{PATH}"
    tile = f"{root}/{{handle}}/{{tensor}}/{{matrix}}/{{level}}/{{row}}/{{column}}"
    return [
        Route(f"{root}/{{handle}}", _describe, methods=["GET"]),
        Route(f"{root}/{{handle}}/many", _send_many, methods=["GET"]),
        Route(f"{root}/{{handle}}/why/{{tensor}}/{{index}}", _send_why, methods=["GET"]),
        Route(tile, _send_tile, methods=["GET"]),
        Route(f"{root}/{{rest:path}}", _send_nothing, methods=["GET"]),  # Streamlit would answer with its page
    ]


async def _describe(request: Request) -> Response:
    return await _answer(request, lambda run, packed: _respond_json(run.describe(), packed))


async def _send_nothing(_: Request) -> Response:
    return _not_found()


async def _send_tile(request: Request) -> Response:
    address = read_address(request.path_params)
    if address is None:
        return _not_found()
    return await _answer(request, lambda run, packed: _make_tile(run, address, packed))


async def _send_many(request: Request) -> Response:
    texts = request.query_params.getlist("t")
    if not 1 <= len(texts) <= MAX_ADDRESSES:
        return _not_found()
    addresses = [read_joined_address(text) for text in texts]
    return await _answer(request, lambda run, packed: _make_many(run, addresses, packed))


async def _send_why(request: Request) -> Response:
    name, index = request.path_params["tensor"], read_index(request.path_params["index"])
    if index is None or len(name) > MAX_NAME_CHARACTERS:
        return _not_found()
    return await _answer(request, lambda run, packed: _respond_json(run.why(name, index), packed))


async def _answer(request: Request, make: Make) -> Response:
    """What `make` makes of the run, in a thread, when it is this client's turn."""
    handle = request.path_params["handle"]
    if RUNS.find(handle) is None:
        return _not_found()
    network = network_of(request.client.host if request.client else None)
    try:
        async with TURNS.take(network, handle):
            run = RUNS.find(handle)
            # A reader who zooms on takes back what is no longer in sight.
            if run is None or await request.is_disconnected():
                return _not_found()
            packed = "gzip" in request.headers.get("Accept-Encoding", "")
            with turn_owner.of_visitor(network, handle):
                response = await run_in_threadpool(make, run, packed)
            RUNS.measure(handle)
            return response
    except NoTile:
        return _not_found()
    except (TooManyWaiting, GlassformerError):  # the latter: a GPU has no memory for a layer at the moment
        return _plain("Too busy", 503, {"Retry-After": str(RETRY_SECONDS)})


def _make_tile(run: AnyRun, address: Address, packed: bool) -> Response:
    tile = run.tile(*address)
    headers = {"Tile": json.dumps(tile_facts(tile))}
    return _respond(tile_bytes(tile), "application/octet-stream", headers, packed)


def _make_many(run: AnyRun, addresses: list[Address | None], packed: bool) -> Response:
    body, is_whole = pack_tiles(run, addresses)
    headers = {} if is_whole else {"Cache-Control": "no-store"}
    return _respond(body, "application/octet-stream", headers, packed)


def _respond_json(facts: dict[str, Any], packed: bool) -> Response:
    body = json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    return _respond(body, "application/json", {}, packed)


def _respond(body: bytes, kind: str, headers: dict[str, str], packed: bool) -> Response:
    """Packed here, in a thread. Streamlit would do it in the loop that serves everybody."""
    headers = {"Cache-Control": FOR_GOOD, **headers, **_guards(), "Vary": "Accept-Encoding"}
    if packed:
        body, headers = gzip.compress(body, GZIP_LEVEL, mtime=0), {**headers, "Content-Encoding": "gzip"}
    return Response(body, media_type=kind, headers=headers)


def _not_found() -> Response:
    return _plain("Not Found", 404)


def _plain(text: str, status: int, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(text, status, {**_guards(), "Cache-Control": "no-store", **(headers or {})})


def _guards() -> dict[str, str]:
    return {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
