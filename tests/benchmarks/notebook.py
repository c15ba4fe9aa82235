"""What a notebook waits for and keeps: the import of the package, the size of its wheel, watching a training.

A cell with the lines of a head stands beside BertViz's head view of the same attentions, from the finished run to the
output. BertViz's has all layers, and asks the web for D3, jQuery and RequireJS. Ours has the heads of a layer, and asks
for nothing: its bytes are those of the whole output, with its scripts, and with a still picture for where no script
runs. To draw that still picture is nearly all of its time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch
from transformers import GPT2Config, GPT2LMHeadModel

from model import Trace, adopt, load, load_tokenizer
from tests.benchmarks.payload import bertviz_html, trace_of
from tests.benchmarks.row import Row
from views.by_page import heads
from views.by_page import watch as by_page_watch
from views.by_page.watch import MOST_SHARE, Watch
from views.notebook import shown_view
from views.notebook.connection import Connection

ROOT = Path(__file__).resolve().parents[2]
MAX_WHEEL_BYTES = 100_000_000
MAX_IMPORT_SECONDS = 0.5
TRIES = 5
WATCHED_STEPS = 200
LENGTHS = (16, 64, 128)  # tokens
IMPORT = "import time; began = time.perf_counter(); import glassformer; print(time.perf_counter() - began)"


def main() -> list[Row]:
    return [
        Row("import glassformer", import_seconds(), MAX_IMPORT_SECONDS, "budget", "s"),
        Row("wheel", wheel_bytes() / 1e6, MAX_WHEEL_BYTES / 1e6, "budget", "MB"),
        Row("watching a training, of its time", 100 * watched_share(), 100 * MOST_SHARE, "budget", "%"),
        *cell_rows(),
    ]


def cell_rows() -> list[Row]:
    """A cell from the finished run to its output: seconds and bytes."""
    model, rows = load("minilm-l6"), []
    for length in LENGTHS:
        trace = trace_of(model, length)
        assert trace.origin is not None
        run = model.trace(trace.origin.text or "")
        cell = partial(lines_cell, run)
        bertviz = partial(bertviz_html, run, model.config.n_encoder_layers)
        ours, theirs = seconds_of(cell), seconds_of(bertviz)
        rows.append(Row(f"lines in a cell, {length} tokens: time", ours * 1e3, theirs * 1e3, "BertViz", "ms"))
        size, their_size = (len(each().encode()) / 1000 for each in (cell, bertviz))
        rows.append(Row(f"lines in a cell, {length} tokens: output", size, their_size, "BertViz", "kB"))
    return rows


def lines_cell(run: Trace) -> str:
    """The output of a cell that ends with a view, as the notebook saves it."""
    return json.dumps(heads.Lines(run, layer=3, head=2)._repr_mimebundle_())


def seconds_of(call: Callable[[], object]) -> float:
    """The median of some calls, after a first one."""
    call()
    times = []
    for _ in range(TRIES):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return median(times)


def watched_share() -> float:
    """The share of a training's time that is spent on looks, each drawn and sent, at one look in 50 steps."""
    size = {"n_layer": 4, "n_head": 4, "n_embd": 128, "vocab_size": 1127, "bos_token_id": 0, "eos_token_id": 0}
    network = GPT2LMHeadModel(GPT2Config(**size))
    watch = Watch(adopt(network, load_tokenizer("tiny-lm")), ["the dog sees the cat in the park"])
    optimiser = torch.optim.AdamW(network.parameters())
    with patch.object(shown_view, "find_front_end", lambda: "jupyter"), patch.object(Connection, "send"):
        watch._repr_mimebundle_()
        with patch.object(by_page_watch, "MOST_SHARE", 1.0):
            began = time.perf_counter()
            for _ in range(WATCHED_STEPS):
                tokens = torch.randint(0, 1127, (16, 32))
                loss = network(tokens, labels=tokens).loss
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                watch.step(loss)
            return watch.seconds / (time.perf_counter() - began)


def import_seconds() -> float:
    """The median of some fresh processes."""
    command = [sys.executable, "-c", IMPORT]
    return median(float(subprocess.check_output(command, cwd=ROOT, text=True)) for _ in range(TRIES))


def wheel_bytes() -> int:
    """The size of the wheel of the checkout."""
    with TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
        return next(Path(folder).glob("*.whl")).stat().st_size
