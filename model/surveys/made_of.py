"""What a reading is made of: which weights, how the model reads, which edits and which texts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import torch
from torch import nn

from model.config import TransformerConfig
from model.device import PLAIN
from model.edits.edit import Edit
from model.errors import ModelMismatch
from model.run import Model
from model.texts.collection import Collection
from model.vision.model import VisionModel

AnyModel = Model | VisionModel  # whose heads are surveyed
_digests: WeakKeyDictionary[nn.Module, tuple[int, str]] = WeakKeyDictionary()  # by stack: of which version, and which


@dataclass(frozen=True)
class MadeOf:
    """Equal values give equal readings. `state` says where the model is (`Model.state`), `weights` which it has, and
    `always` the edits that it makes in every run. `edits` are those of the reading, `texts` the digest of its texts."""

    model: str
    state: str
    config: TransformerConfig
    weights: str
    always: tuple[Edit, ...]
    edits: tuple[Edit, ...]
    texts: str

    @classmethod
    def of(cls, model: AnyModel, edits: tuple[Edit, ...], collection: Collection) -> MadeOf:
        """What a reading of these texts by this model is made of."""
        return cls(*_of_model(model), edits, collection.digest)

    def check(self, model: AnyModel) -> None:
        """Raises `ModelMismatch` if the reading is of another model."""
        if (self.model, self.state, self.config, self.weights, self.always) != _of_model(model):
            raise ModelMismatch(f"This reading is of another model than {model.card.title}, or of other weights.")


def _of_model(model: AnyModel) -> tuple[str, str, TransformerConfig, str, tuple[Edit, ...]]:
    return model.card.name, model.state, model.config, weights_digest(model), always_edited(model)


def always_edited(model: AnyModel) -> tuple[Edit, ...]:
    """The edits that a model makes in every run."""
    return tuple(getattr(model.network, "edits", ()))


def weights_digest(model: AnyModel) -> str:
    """A SHA-256 of all weights. It takes a second for a gigabyte, once for each version of them.

    A model with edits shares the modules of the whole one, so what is known is kept by a module.
    """
    stack = model.network.encoder or model.network.decoder
    assert stack is not None
    known = _digests.get(stack)
    if known is not None and known[0] == model.version:
        return known[1]
    digest = hashlib.sha256()
    for name, weights in model.network.state_dict().items():
        digest.update(f"{name} {weights.dtype} {tuple(weights.shape)}".encode())
        digest.update(weights.detach().to(PLAIN.device).contiguous().reshape(-1).view(torch.uint8).numpy())
    _digests[stack] = model.version, digest.hexdigest()
    return digest.hexdigest()
