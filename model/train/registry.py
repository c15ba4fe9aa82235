"""The names for `python -m model.train NAME`, and the task file of each."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

from model.train.errors import UnknownTask
from model.train.task import Task

# Each module, a neighbour of this one, has a function `task(name) -> Task`.
TASKS: dict[str, str] = {
    "tiny-lm": ".tiny_lm",
    "tiny-lm-concat": ".tiny_lm",
    "tiny-lm-learned": ".tiny_lm",
    "tiny-lm-rotary": ".tiny_lm",
    "tiny-lm-none": ".tiny_lm",
    "tiny-lm-moe": ".tiny_lm_moe",
    "tiny-lm-rnn": ".tiny_lm_recurrent",
    "tiny-lm-lstm": ".tiny_lm_recurrent",
    "tiny-encoder": ".tiny_encoder",
    "en-ur": ".en_ur",
    "en-ur-everyday": ".en_ur_everyday",
    "en-ur-seq2seq": ".en_ur_recurrent",
    "en-ur-bahdanau": ".en_ur_recurrent",
    "digits-vit": ".digits",
    "digits-vit-nopos": ".digits",
}


def make_task(name: str) -> Task:
    """The task of that name: its module's `task(name)`. Raises `UnknownTask`."""
    if name not in TASKS:
        near = get_close_matches(name, TASKS, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UnknownTask(f"There is no task called {name!r}.{hint} Tasks: {', '.join(TASKS)}.")
    module = import_module(TASKS[name], __package__)
    return module.task(name)
