"""Cells with views that a kernel runs: their outputs, and the last picture of a training that was watched."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = [
    "from glassformer import adopt, load, views\n"
    "tiny = load('tiny-lm')\n"
    "views.heads.Lines(tiny.trace('I am a robot'), layer=1, head=2)",
    "from transformers import GPT2Config, GPT2LMHeadModel\n"
    "network = GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=2, n_embd=16, vocab_size=1127))\n"
    "watch = views.training.Watch(adopt(network, tiny.tokenizer), ['the dog sees the cat'])\n"
    "watch",
    "for step in range(7):\n    watch.step(3.0)",
]


@pytest.mark.slow
def test_a_notebook_that_a_kernel_has_run_has_living_pictures() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    lines, watch, _ = notebook.cells
    for cell in (lines, watch):
        bundle = cell.outputs[-1].data
        assert {"text/plain", "text/html", "image/png"} <= set(bundle)
        assert "application/vnd.jupyter.widget-view+json" not in bundle, "it would be blank without a kernel"
        assert 'data-glassformer=""' not in bundle["text/html"], "the frame knows its kernel"
    assert "seen=7" in watch.outputs[-1].data["text/plain"], "after the training, its last picture is kept"
