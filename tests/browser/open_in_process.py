"""A program that trains, and opens the app on its network. Each line that it reads is a step of the training."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import torch

from model import adopt
from pages.open_app import open_app
from tests.model.networks import word_tokenizer
from tests.model.zoo import tiny

network, _ = tiny.llama(Path(tempfile.mkdtemp()))
app = open_app(adopt(network, word_tokenizer(), title="My training"), browser=False)
print(app.url, flush=True)
for _ in sys.stdin:
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(-1.0)
    print("trained", flush=True)
app.close()
print("closed", flush=True)
