"""The names for `python -m model.train NAME`, and the task file of each."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from model.train.errors import UnknownTask
from model.train.task import Task

# Each module has a function `task(name) -> Task`.
TASKS: dict[str, str] = {
    "tiny-lm": "model.train.tiny_lm",
    "tiny-lm-concat": "model.train.tiny_lm",
    "tiny-lm-learned": "model.train.tiny_lm",
    "tiny-lm-rotary": "model.train.tiny_lm",
    "tiny-lm-none": "model.train.tiny_lm",
    "tiny-lm-rnn": "model.train.tiny_lm_recurrent",
    "tiny-lm-lstm": "model.train.tiny_lm_recurrent",
    "tiny-encoder": "model.train.tiny_encoder",
    "en-ur": "model.train.en_ur",
    "en-ur-everyday": "model.train.en_ur_everyday",
    "en-ur-seq2seq": "model.train.en_ur_recurrent",
    "en-ur-bahdanau": "model.train.en_ur_recurrent",
    "digits-vit": "model.train.digits",
    "digits-vit-nopos": "model.train.digits",
}


def make_task(name: str) -> Task:
    """The task of that name: its module's `task(name)`. Raises `UnknownTask`."""
    if name not in TASKS:
        near = get_close_matches(name, TASKS, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UnknownTask(f"There is no task called {name!r}.{hint} Tasks: {', '.join(TASKS)}.")
    module = import_module(TASKS[name])
    return module.task(name)
