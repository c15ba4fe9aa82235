"""Processes that end as `kill -9` ends them, before each of their changes to files in turn.

`python -m tests.hostile.killing train FOLDER ...` does the same work again and again, in FOLDER/0, FOLDER/1, ... The
n-th process kills itself before its n-th change, so each state that a kill can leave behind is there once. The last one
is not killed. A change is what Python reports to an audit hook: a file that is opened for writing, moved or removed, a
folder that is made or removed.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import signal
import sys
import traceback
import urllib.request
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from model.train import __main__ as command
from model.train import mnist
from tests.model.train.conftest import Alphabet

CHANGES = ("os.mkdir", "os.remove", "os.rename", "os.rmdir")
ARCHIVE = bytes(range(256)) * 400  # stands for the pictures that are downloaded
EARLIER = "earlier"  # FOLDER/earlier has the models that are there before


def alphabet() -> Alphabet:
    """A task that a process trains in a moment, with two checkpoints and two snapshots."""
    task = Alphabet(steps=4)
    task.recipe = type(task.recipe)(steps=4, warmup=2, snapshots=2, checkpoint_every=2)
    return task


def train(place: Path, *options: str) -> int:
    """Train as `python -m model.train` does, into place/models. Returns the exit status."""
    command.make_task = lambda name: alphabet()
    places = ["--output", str(place / "models"), "--work", str(place / "work")]
    return command.main(["alphabet", "--device", "cpu", "--quiet", *places, *options])


def download(place: Path) -> int:
    """Download the archive of pictures into place/cache. Returns the exit status."""
    mnist.cache_folder = lambda: place / "cache"
    mnist.SHA256 = hashlib.sha256(ARCHIVE).hexdigest()
    urllib.request.urlopen = lambda *_, **__: io.BytesIO(ARCHIVE)  # type: ignore[assignment]
    return 0 if mnist.fetch() == ARCHIVE else 1


def kill_before(number: int, place: Path) -> None:
    """Kill this process before its change of that number, from 0, to anything in a folder."""
    changes = count()

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if is_change(event, arguments, place) and next(changes) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def is_change(event: str, arguments: tuple[Any, ...], place: Path) -> bool:
    if event == "open":
        path, mode, _ = arguments
        return isinstance(mode, str) and "w" in mode and str(path).startswith(str(place))
    if event not in CHANGES:
        return False
    is_inside = str(arguments[0]).startswith(str(place)) or arguments[-1] != -1  # below an open folder, by shutil
    return is_inside and not (event == "os.mkdir" and os.path.isdir(arguments[0]))


def kill_at_each_change(work: Callable[[Path], int], folder: Path) -> None:
    """Do the work once for each of its changes, each time in a process and a folder of its own.

    Where models were there before, only the changes of models count. The others leave the same state as without them.
    """
    for number in count():
        place = watched = folder / str(number)
        place.mkdir()
        if (folder / EARLIER).exists():
            watched = place / "models"
            shutil.copytree(folder / EARLIER, watched)
        child = os.fork()
        if child == 0:
            os._exit(end_of(work, number, place, watched))
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            if os.WEXITSTATUS(status):
                sys.exit(f"The work of process {number} failed.")
            return


def end_of(work: Callable[[Path], int], number: int, place: Path, watched: Path) -> int:
    """The exit status of the work, if it comes to an end."""
    try:
        kill_before(number, watched)
        return work(place)
    except BaseException:
        traceback.print_exc()
        return 1


if __name__ == "__main__":
    _, what, *folders = sys.argv
    if what == "train":
        import_module("torch._dynamo")  # Optimisers need it, and it takes seconds: once, not in each process.
    for each in folders:
        kill_at_each_change({"train": train, "download": download}[what], Path(each))
