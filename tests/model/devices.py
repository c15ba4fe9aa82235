"""The devices that the tests compute on: every GPU that is here, or the stand-in, which is where no GPU is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import torch
from torch import Tensor

from model import Model, available, load
from model import device as devices
from model.run import ids_of
from model.vision.features import shapes
from model.vision.model import VisionModel, load_vision
from tests.conftest import loaded
from tests.model import standin

GPUS = tuple(kind for kind in devices.present_kinds() if kind != "cpu")
OTHERS = GPUS or (standin.KIND,)
OTHER = OTHERS[0]  # where one of them is enough
on_the_standin = pytest.mark.skipif(
    not standin.IS_HERE, reason="fills the memory of the stand-in, or looks into it: a machine with a GPU has none"
)
CLOSE = 1e-4  # of a tensor's largest number

TEXT = [card.name for card in available("encoder", "decoder", "encoder-decoder", "recurrent")]
WRITERS = [card.name for card in available("decoder", "encoder-decoder", "recurrent")]
VISION = [card.name for card in available("vision")]
LARGE = ("smollm2-135m", "dinov2-s", "distilbert-grammar")  # seconds for each test
URDU = "میں ایک روبوٹ ہوں"


def pairs(names: list[str], kinds: tuple[str, ...]) -> list[Any]:
    """(model, device) for `parametrize`. The stand-in is left out for large models, whose code small ones run there."""
    found = [(name, kind) for name in names for kind in kinds if name not in LARGE or kind != standin.KIND]
    return [pytest.param(*pair, marks=pytest.mark.slow if pair[0] in LARGE else ()) for pair in found]


def lend(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in, where it is, can be asked for by its name. "auto" does not take it."""
    if standin.IS_HERE:
        monkeypatch.setattr(devices, "KINDS", (*devices.KINDS, standin.KIND))
        monkeypatch.setattr(devices, "present_kinds", lambda: ("cpu", standin.KIND))


def apart(found: Tensor, wanted: Tensor) -> float:
    """The largest difference, as a share of the largest number. Both must be infinite in the same places."""
    found, wanted = finite_parts(found, wanted)
    return float((found - wanted).abs().max() / wanted.abs().max().clamp(min=1e-6)) if wanted.numel() else 0.0


def off(found: Tensor, wanted: Tensor) -> float:
    """The norm of the difference, as a share of the norm. Both must be infinite in the same places."""
    found, wanted = finite_parts(found, wanted)
    return float((found - wanted).norm() / wanted.norm().clamp(min=1e-6))


def finite_parts(found: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """What is finite in both, which must be infinite in the same places."""
    finite = wanted.isfinite()
    assert torch.equal(finite, found.isfinite())
    return (found, wanted) if finite.all() else (found[finite], wanted[finite])


def same(found: Mapping[str, Tensor], wanted: Mapping[str, Tensor]) -> None:
    """Asserts that two runs recorded the same tensors, on the CPU in float32, with the same numbers."""
    assert list(found) == list(wanted)
    assert {(tensor.device.type, tensor.dtype) for tensor in found.values()} <= {("cpu", torch.float32)}
    far = {name: apart(found[name], wanted[name]) for name in wanted}
    assert not {name: value for name, value in far.items() if value >= CLOSE}


@cache
def on(device: str, name: str, dtype: str = "float32") -> Any:
    """The model of that name there. The file of a large one is read once, and its network copied as `load` does it."""
    if (device, dtype, name in TEXT, GPUS) == ("cpu", "float32", True, ()):
        return loaded(name)
    if name in LARGE and (device, dtype) != ("cpu", "float32"):
        model = on("cpu", name)
        return replace(model, network=devices.copy_to(model.network, devices.choose(device, dtype)))
    return (load_vision if name in VISION else load)(name, device=device, dtype=dtype)


def trace_of(model: Model | VisionModel, **how: Any) -> Any:
    if isinstance(model, VisionModel):
        return model.trace_picture(shapes(), **how)
    translator = model.config.kind == "encoder-decoder"
    return model.trace("I am a robot", target=URDU if translator else None, **how)


def read(model: Model, text: str = "I am a robot") -> tuple[torch.Tensor, torch.Tensor | None]:
    """The ids of the last stack, and those of an encoder before it."""
    source = model.tokens_of(text)
    if model.config.kind != "encoder-decoder":
        return ids_of(source), None
    return ids_of(model.target_tokens(source, URDU)), ids_of(source)
