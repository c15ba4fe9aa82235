"""Take parts away from a bundled model and measure what is lost, on sentences that it was not trained on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.scores import entropy
from model.experiments import snapshots
from model.generation.surprise import surprise
from model.network.answer_scores import answer_scores
from model.numerals import number, percent
from model.run import Model
from model.train.registry import TASKS, make_task


@dataclass(frozen=True)
class MeasureComparison:
    """One measure of the whole model and of the one without the parts. `loss` is in nats; the others are shares."""

    measure: str
    whole: float
    without: float


def can_be_measured(name: str) -> bool:
    """Whether this repository trained the model, so that it has held-out sentences for it."""
    return name in TASKS


def compare(model: Model, changed: Model, limit: int = 100) -> Iterator[MeasureComparison]:
    """Yields each measure of both models on `limit` held-out items, as soon as both values are known."""
    task = make_task(model.card.name)
    both = zip(task.measures(model.network, limit), task.measures(changed.network, limit), strict=True)
    while True:
        with torch.inference_mode():  # only while this runs: a generator must not leave the mode on
            pair = next(both, None)
        if pair is None:
            return
        (name, whole), (_, broken) = pair
        yield MeasureComparison(name, whole, broken)


def attention_entropy(model: Model, text: str, target: str | None = None) -> dict[str, float]:
    """How spread each attention is on a text: the entropy of its rows in bits, a mean over heads and queries."""
    spreads: dict[str, float] = {}

    def look(name: str, tensor: Tensor) -> None:  # the weights of all layers would be too large to keep
        if name.endswith(".weights"):
            spreads[name.removesuffix(".weights")] = float(entropy(tensor).mean())

    model.trace_tokens_on_demand(*model.tokens_to_run(text, target), look=look)
    return spreads


def whole_answer(model: Model, text: str) -> str:
    """What a model gives for a text: the class, or the translation; "" of a language model, which goes on with it."""
    if model.config.kind == "encoder":
        return model.config.text_labels[int(model.trace(text, keep="text_logits")["text_logits"].argmax())]
    return snapshots.answer(model, text) if model.config.kind == "encoder-decoder" else ""


def text_loss(model: Model, text: str, answer: str = "") -> float:
    """How little a model expects, in nats: each next token of a text, each token of its translation `answer`, or its
    class `answer`."""
    if model.config.kind == "encoder":
        logits = model.trace(text, keep="text_logits")["text_logits"]
        return -float(logits.log_softmax(-1)[model.config.text_labels.index(answer)])
    trace = model.trace(text, keep="logits", target=answer or None)
    return float(surprise(trace.logits[:-1], [token.id for token in trace.tokens[1:]]).loss.mean())


def sample(model: Model, text: str, new_tokens: int = 12) -> str:
    """What the model makes of a text: its continuation, its translation, or the class that it gives it."""
    if model.config.kind != "encoder":
        ids = [step.chosen for step in model.generate(text, max_new_tokens=new_tokens * 2)]
        return model.output_tokenizer.decode(ids)
    if not model.config.text_labels:
        return ""
    logits = model.trace(text, keep="text_logits")["text_logits"]
    best = int(logits.argmax())
    score = float(answer_scores(logits, model.config)[best])
    return (
        f"{model.config.text_labels[best]} ({number(score) if model.config.label_scores == 'none' else percent(score)})"
    )
