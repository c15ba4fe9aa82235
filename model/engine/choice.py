"""The engine that `GLASSFORMER_ENGINE` names, and models that run on it.

- `local`, the default: models run in this process.
- `ray://`: on a Ray that this process starts on its machine.
- `ray://HOST:PORT`: on the Ray cluster of that address. This machine must be a node of it.
- `ray://auto`: on the cluster that this machine belongs to.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any

from model import loading
from model.engine.remote_model import Engine, RemoteModel
from model.errors import EngineSettingError, UnknownModel
from model.location import INSTALL_SCALE
from model.run import Model
from model.zoo.card_values import RECURRENT_KIND
from model.zoo.files import Progress, no_progress

SETTING = "GLASSFORMER_ENGINE"
LOCAL = "local"
RAY = "ray://"


def load(name: str, progress: Progress = no_progress, device: str = "auto", **how: Any) -> Model:
    """As `model.load`, on the engine of this process. Raises `EngineSettingError` and `EngineGone` too.

    Pages load by this, so a path is no name here: no link makes the server read a file. Raises `UnknownModel` for one.
    Nor does a link make it ask the hub for a model that is not here.

    A recurrent network, a moment in a training, a model in memory, and one for a device that is named run in this
    process.
    """
    if loading.path_of(name) is not None:
        raise UnknownModel("A page opens no path. Add the folder or file first.")
    loaded = loading.load_here(name, progress, device=device, **how)
    engine = engine_here()
    is_local = loaded.card.in_memory or loaded.card.kind == RECURRENT_KIND
    if engine is None or device != "auto" or how or is_local:
        return loaded
    parts = loaded.network, loaded.tokenizer, loaded.card, loaded.target_tokenizer
    return RemoteModel(*parts, whole=loaded.network, engine=engine)


def engine_here() -> Engine | None:
    """The engine of this process; None where models run in it. Raises `EngineSettingError`, `EngineGone`."""
    return _engine(os.environ.get(SETTING, LOCAL).strip())


@cache
def _engine(setting: str) -> Engine | None:
    if setting in ("", LOCAL):
        return None
    if not setting.startswith(RAY):
        raise EngineSettingError(f"{SETTING} is {setting!r}. Set it to {LOCAL}, {RAY}, {RAY}auto or {RAY}HOST:PORT.")
    os.environ.setdefault("RAY_ENABLE_AUTO_CONNECT", "0")  # else it starts anew by itself after it was shut down
    try:
        module = import_module(".ray_engine", __package__)  # Ray is not installed with the app
    except ImportError as error:
        raise EngineSettingError(f"{SETTING} names Ray, which is not installed here: {INSTALL_SCALE}") from error
    engine: Engine = module.connect(setting.removeprefix(RAY))
    return engine
