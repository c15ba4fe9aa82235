"""Why this class, or this sentence? The logit of a picture as an exact sum, as `model.analysis.attribution` has it.

The class token is read. So the parts are what it began as, and what each head and feed-forward added to it. A sentence
is compared with a vector made one unit long: with the length as it is in this run, that is linear too.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.attribution import Account, HasNetwork, NoSuchAnswer, Walk, keep_for_account
from model.config import TransformerConfig
from model.errors import ModelMismatch
from model.tape import Trace


@dataclass(frozen=True)
class Reading:
    """How the class token's last vector gives a logit: along a direction (d_model,), plus a constant."""

    direction: Tensor
    constant: float


def keep_for_picture(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that a run must record for `account_of_picture`; none of a model whose answer is no such sum."""
    return () if say_refusal(config) else (*keep_for_account(config), "projected", "image_logits")


@torch.inference_mode()
def account_of_picture(
    model: HasNetwork, trace: Trace, label: int | None = None, against: int | None = None
) -> Account:
    """Why a picture gets this logit for a class or sentence, by its number; of two, why `label` more than `against`.

    None is the likeliest one. `trace` has the tensors of `keep_for_picture`. Raises `NoSuchAnswer`; `ModelMismatch` for
    a model that gives no class, and for one that reads others than the class token.

    >>> from glassformer.model.analysis.picture_account import account_of_picture
    >>> from glassformer.model.vision.digits import held_out
    >>> from glassformer.model.vision.model import load_vision
    >>> model, (digits, _) = load_vision("digits-vit"), held_out()
    >>> account = account_of_picture(model, model.trace_picture(digits[153][..., None].repeat(3, -1)))
    >>> account.asked, abs(account.total - account.value) < 1e-4  # the parts sum to the logit
    ('3', True)
    """
    trace = trace.whole()
    if trace.origin is not None:
        trace.origin.check_weights()
    labels = model.config.image_labels
    if refusal := say_refusal(model.config):
        raise ModelMismatch(refusal)
    logits = trace["image_logits"]  # (classes,)
    label = int(logits.argmax()) if label is None else label
    asked = [each for each in (label, against) if each is not None]
    for each in asked:
        if not 0 <= each < len(labels):
            raise NoSuchAnswer(f"There is no answer {each}: there are 0 to {len(labels) - 1:,}.")
    reading, value = _reading_of(model, trace, label), float(logits[label])
    if against is not None:
        other = _reading_of(model, trace, against)
        reading = Reading(reading.direction - other.direction, reading.constant - other.constant)
        value -= float(logits[against])
    walk = Walk(model, trace, "encoder", 0, reading.direction.float())
    walk.from_output()
    parts = {**walk.parts, "logits.bias": reading.constant}
    said = " more than ".join(labels[each] for each in asked)
    return Account("encoder", 0, label, against, value, parts, walk.directions, walk.frozen, walk.outputs, said)


def say_refusal(config: TransformerConfig) -> str:
    """Why the answer is no sum over the class token, in a sentence; "" where it is one."""
    if not config.image_labels:
        return "This model gives a picture no class and compares it with no sentence."
    if config.distillation_head:
        return "Two tokens give this model's logits, and an account is of one."
    if config.pooled != "first" or not config.class_token:
        return (
            "A probe gathers this answer from all patches, by an attention and a feed-forward after the last layer. So "
            "it is no sum over what was added to one token."
        )
    return ""


def _reading_of(model: HasNetwork, trace: Trace, label: int) -> Reading:
    network = model.on_cpu.network
    if network.image_head is not None:
        return Reading(network.image_head.weight[label], float(network.image_head.bias[label]))
    assert network.shared_vector is not None
    assert network.shared_vector.project is not None
    assert network.similarity is not None
    projected, similarity = trace["projected"][0], network.similarity  # (shared_width,)
    along = similarity.log_scale.exp() * similarity.sentences[label] / projected.norm()
    project = network.shared_vector.project
    constant = 0.0 if project.bias is None else float(along @ project.bias)
    constant += 0.0 if similarity.bias is None else float(similarity.bias)
    return Reading(along @ project.weight, constant)
