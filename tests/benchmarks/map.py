"""The map: its first complete picture, how soon visitors who move at once get their tiles, and the memory of a run.

Each visitor asks for a tile a tenth of a second after the one before has come: a hand that moves over two tiles a
second uncovers eight, in a window of four rows. The server is another
process. It serves runs of SmolLM2 by the app's own route: one of 256 tokens, and one of a sentence for each visitor.
"""

from __future__ import annotations

import gzip
import json
import math
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import chain
from socket import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from model import load
from pages.home.model_map.tiled_runs import MAX_HELD_TOKENS
from tests.benchmarks.memory import RUN_TOKENS, TEXT, resident
from tests.benchmarks.row import Row, table
from views.map.map_facts import model_facts
from views.map.tiles.many import MAX_ADDRESSES, Address
from viz.home.layout.layout import make_layout
from viz.home.layout.sight import find_matrices, find_window
from viz.shared.payload import pack
from viz.shared.tiles import TILE_CELLS, count_halvings

if TYPE_CHECKING:
    from views.map.tiles.run import TiledRun

VISITORS = 10
TILES = 60  # of each visitor
NEAR = 10  # tensors that stand side by side, before a visitor goes on elsewhere
PAUSE_SECONDS = 0.1
READERS = 2  # of the long run
OWN = 4  # where the handles of the visitors' own runs begin: behind those of the readers and of the first pictures
SENTENCE = "I swam across river number {} to get to the other bank of it"  # 16 tokens
FURIOUS = 24  # requests that one client has on their way at once
TILE_BUDGET = 50.0  # milliseconds, the median
FAR_BUDGET = 500.0  # milliseconds, the first look at the largest weight from afar
LARGEST = "decoder.embed.tokens.weight"
MODEL = "smollm2-135m"
PICTURE_TOKENS = (16, 128)  # of the runs whose first picture is measured
PICTURE_BUDGET = 500.0  # milliseconds, from the run to the first complete picture of the whole model
BYTES_BUDGETS = (300.0, 1500.0)  # kB of that picture, with the layout
MEMORY_BUDGET = 150.0  # MB, of one run of `RUN_TOKENS` tokens whose tiles were looked at


@dataclass(frozen=True)
class Tiles:
    """A server of tiles, in another process."""

    port: int
    handles: list[str]  # of one long run, for two readers, and then of a short run for each visitor

    def visitor(self, seed: int, reader: int = 0) -> Visitor:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        return Visitor(connection, self.handles[reader], random.Random(seed))


@dataclass(frozen=True)
class Visitor:
    """One connection that stays open, as a browser's."""

    connection: HTTPConnection
    handle: str
    chance: random.Random

    def ask(self, *path: object) -> bytes:
        address = "/".join(quote(str(part)) for part in ("tiles", self.handle, *path))
        self.connection.request("GET", f"/{address}", headers={"Accept-Encoding": "identity"})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status} for /{address}")
        return body

    def picture(self, addresses: list[Address]) -> tuple[float, int]:
        """Milliseconds and bytes of many tiles, asked for as a browser does: 64 at once, packed."""
        began, count, left = time.perf_counter(), 0, addresses
        while left:
            asked = left[:MAX_ADDRESSES]
            query = "&".join(f"t={quote('/'.join(map(str, address)))}" for address in asked)
            target = f"/tiles/{quote(self.handle)}/many?{query}"
            self.connection.request("GET", target, headers={"Accept-Encoding": "gzip"})
            body = self.connection.getresponse().read()
            count += len(body)
            plain = gzip.decompress(body)
            entries = json.loads(plain[4 : 4 + int.from_bytes(plain[:4], "little")])
            later = [address for address, entry in zip(asked, entries, strict=True) if entry and entry.get("later")]
            left = later + left[MAX_ADDRESSES:]
        return (time.perf_counter() - began) * 1000, count

    def time(self, *path: object) -> float:
        """Milliseconds."""
        began = time.perf_counter()
        self.ask(*path)
        return (time.perf_counter() - began) * 1000

    def move(self, tensors: list[list[Any]]) -> list[float]:
        """Milliseconds of each tile. After `NEAR` tensors that stand side by side it goes on elsewhere."""
        taken, at = [], 0
        for number in range(TILES):
            at = at + 1 if number % NEAR else self.chance.randrange(len(tensors))
            name, _, shape, levels = tensors[at % len(tensors)]
            level = self.chance.randrange(levels)
            rows, columns = (1, 1, *shape)[-2:]
            place = [
                self.chance.randrange(math.ceil(length / 2 ** count_halvings(length, level) / TILE_CELLS))
                for length in (rows, columns)
            ]
            matrix = self.chance.randrange(shape[0]) if len(shape) == 3 else 0
            taken.append(self.time(name, matrix, level, *place))
            time.sleep(PAUSE_SECONDS)
        return taken


def main() -> list[Row]:
    with served() as tiles:
        pictures = [first_picture(tiles, place) for place in range(len(PICTURE_TOKENS))]
        first = tiles.visitor(0)
        described = json.loads(first.ask())
        everything = [*described["tensors"], *described["weights"]]
        levels = next(levels for name, _, _, levels in described["weights"] if name == LARGEST)
        far = first.time(LARGEST, 0, levels - 1, 0, 0)
        alone = first.move(everything)
        beside = beside_a_furious_one(tiles, everything)
        everything = json.loads(tiles.visitor(0, OWN).ask())
        many = moving(tiles, [*everything["tensors"], *everything["weights"]], list(range(OWN, OWN + VISITORS)))
    grown, counted = in_fresh_process()
    named = list(zip(PICTURE_TOKENS, pictures, BYTES_BUDGETS, strict=True))
    return [
        *(
            Row(f"first complete picture after the run, {count} tokens", taken, PICTURE_BUDGET, "budget", "ms")
            for count, (taken, _), _ in named
        ),
        *(Row(f"... its bytes, {count} tokens", size, budget, "budget", "kB") for count, (_, size), budget in named),
        Row(f"one run of {RUN_TOKENS} tokens, every tensor looked at", counted, MEMORY_BUDGET, "budget", "MB"),
        Row("... by how much a process grows with it", grown, MEMORY_BUDGET, "budget", "MB"),
        Row(f"a tile, median of {VISITORS} visitors at once", statistics.median(many), TILE_BUDGET, "budget", "ms"),
        Row(f"... of one visitor, {RUN_TOKENS} tokens", statistics.median(alone), TILE_BUDGET, "budget", "ms"),
        Row(f"... of one beside {FURIOUS} requests of another", statistics.median(beside), TILE_BUDGET, "budget", "ms"),
        Row("the embedding table seen from afar, first time", far, FAR_BUDGET, "budget", "ms"),
    ]


def first_picture(tiles: Tiles, place: int) -> tuple[float, float]:
    """Milliseconds and kB of the whole model's picture, of a run whose tiles nobody has asked for yet."""
    model = load(MODEL)
    labels = [token.text for token in model.tokens_of(TEXT * 20)[: PICTURE_TOKENS[place]]]
    layout = make_layout(model_facts(model.config, labels))
    seen = find_matrices(layout, find_window(layout, None))
    addresses = list(dict.fromkeys(address for matrix in seen for address in matrix.tiles(matrix.level)))
    taken, count = tiles.visitor(place, READERS + place).picture(addresses)
    return taken, (count + len(pack({"layout": layout}))) / 1000


def in_fresh_process() -> list[float]:
    """MB of one run (`measure_memory`)."""
    command = [sys.executable, "-m", "tests.benchmarks.map", "memory"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure_memory() -> None:
    """Prints by how many MB a process grows with one more run whose every tensor is looked at, and those it counts."""
    from views.map.tiles.run import TiledRun

    model = load(MODEL)
    tokens = model.tokens_of(TEXT * 20)[:RUN_TOKENS]
    look_at_all(TiledRun(model.trace_tokens_on_demand(tokens)))  # what the work leaves in any process is not counted
    before = resident()
    run = TiledRun(model.trace_tokens_on_demand(tokens))
    look_at_all(run)
    print(json.dumps([1000 * (resident() - before), run.nbytes / 1e6]))


def look_at_all(run: TiledRun) -> None:
    for name, _, _, levels in run.describe()["tensors"]:
        run.tile(name, 0, levels - 1, 0, 0)


def moving(tiles: Tiles, tensors: list[list[Any]], readers: list[int]) -> list[float]:
    """Milliseconds of all tiles of visitors who move at once. `readers` are their places among the handles."""

    def move(seed: int) -> list[float]:
        return tiles.visitor(seed, readers[seed]).move(tensors)

    with ThreadPoolExecutor(len(readers)) as pool:
        return list(chain.from_iterable(pool.map(move, range(len(readers)))))


def beside_a_furious_one(tiles: Tiles, tensors: list[list[Any]]) -> list[float]:
    """One client asks for full tiles of the largest weight, many at once; another one moves."""
    is_over = False

    def ask_on(seed: int) -> None:
        visitor = tiles.visitor(seed)
        while not is_over:
            visitor.ask(LARGEST, 0, 0, visitor.chance.randrange(192), 0)

    with ThreadPoolExecutor(FURIOUS) as pool:
        furious = [pool.submit(ask_on, seed) for seed in range(FURIOUS)]
        try:
            return tiles.visitor(FURIOUS, reader=1).move(tensors)
        finally:
            is_over = True
            for each in furious:
                each.result()


@contextmanager
def served() -> Iterator[Tiles]:
    command = [sys.executable, "-m", "tests.benchmarks.map", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Tiles(*json.loads(process.stdout.readline()))
        finally:
            process.terminate()


def serve() -> None:
    """Serve one run by the app's route, and print where."""
    import uvicorn
    from starlette.applications import Starlette

    from pages.home.tiles.routes import routes
    from pages.home.tiles.store import RUNS
    from views.map.tiles.run import FIRST_TENSORS, TiledRun

    model = load(MODEL)
    tokens = model.tokens_of(TEXT * 20)[:RUN_TOKENS]
    trace = model.trace_tokens_on_demand(tokens)
    handles = [RUNS.handle(reader, lambda: TiledRun(trace)) for reader in range(READERS)]
    for count in PICTURE_TOKENS:
        hold = FIRST_TENSORS if count <= MAX_HELD_TOKENS else ()
        short = model.trace_tokens_on_demand(model.tokens_of(TEXT * 20)[:count], hold=hold)
        handles.append(RUNS.handle(("picture", count), lambda short=short: TiledRun(short)))  # type: ignore[misc]
    for reader in range(OWN, OWN + VISITORS):
        own = model.trace_on_demand(SENTENCE.format(reader))
        handles.append(RUNS.handle(reader, lambda own=own: TiledRun(own)))  # type: ignore[misc]
    with socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(2 * FURIOUS)
        print(json.dumps([listening.getsockname()[1], handles]), flush=True)
        uvicorn.Server(uvicorn.Config(Starlette(routes=routes()), log_level="warning")).run([listening])


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    elif sys.argv[1:] == ["memory"]:
        measure_memory()
    else:
        print(table(main()))
