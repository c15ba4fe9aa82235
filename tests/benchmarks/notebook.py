"""What a notebook waits for and keeps: the import of the package, the size of its wheel, watching a training."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest.mock import patch

import torch
from transformers import GPT2Config, GPT2LMHeadModel

from model import adopt, load_tokenizer
from tests.benchmarks.row import Row
from views.by_page import watch as by_page_watch
from views.by_page.watch import MOST_SHARE, Watch
from views.notebook import shown_view
from views.notebook.connection import Connection

ROOT = Path(__file__).resolve().parents[2]
MAX_WHEEL_BYTES = 100_000_000
MAX_IMPORT_SECONDS = 0.5
TRIES = 5
WATCHED_STEPS = 200
IMPORT = "import time; began = time.perf_counter(); import glassformer; print(time.perf_counter() - began)"


def main() -> list[Row]:
    return [
        Row("import glassformer", import_seconds(), MAX_IMPORT_SECONDS, "budget", "s"),
        Row("wheel", wheel_bytes() / 1e6, MAX_WHEEL_BYTES / 1e6, "budget", "MB"),
        Row("watching a training, of its time", 100 * watched_share(), 100 * MOST_SHARE, "budget", "%"),
    ]


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
