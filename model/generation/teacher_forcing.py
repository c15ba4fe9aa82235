"""Teacher forcing: the decoder reads the true translation, not its own tokens.

Shamsi (2024), section 2.4; Palaskos (2022), section 3.11.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from model.device import PLAIN
from model.network.transformer import Transformer


@dataclass(frozen=True)
class TeacherForcedRun:
    """One run over a whole target, all positions at once. Each tuple has one entry for each position.

    At position j the decoder has read `inputs[: j + 1]` and must predict `labels[j]`. `predictions[j]` is its likeliest
    token; `losses[j]` = -ln p(labels[j]) in nats.
    """

    inputs: tuple[int, ...]
    labels: tuple[int, ...]
    predictions: tuple[int, ...]
    losses: tuple[float, ...]

    @property
    def loss(self) -> float:
        """The mean over positions, in nats a token."""
        return sum(self.losses) / len(self.losses)


@torch.inference_mode()
def run_teacher_forced(
    network: Transformer, source: Sequence[int], target: Sequence[int], start: int, end: int, shifted: bool = True
) -> TeacherForcedRun:
    """Runs the decoder over the true target. The labels are (y_1 .. y_n, <EOS>).

    Shifted, the input is (<SOS>, y_1 .. y_n), and no position reads its own answer. Not shifted, the input is the
    labels themselves, and every position reads its own answer.
    """
    labels = [*target, end]
    inputs = [start, *target] if shifted else labels
    logits = PLAIN.take(network(torch.tensor(inputs), torch.tensor(source)))  # (target tokens + 1, V)
    answers = torch.tensor(labels)[:, None]
    losses = -logits.log_softmax(-1).gather(-1, answers)[:, 0]
    return TeacherForcedRun(tuple(inputs), tuple(labels), tuple(logits.argmax(-1).tolist()), tuple(losses.tolist()))


def first_departure(labels: Sequence[int], written: Sequence[int]) -> int | None:
    """The first position at which a free run wrote another token than the label; None if all are the same."""
    for position, (label, token) in enumerate(zip(labels, written, strict=False)):
        if label != token:
            return position
    return None if len(labels) == len(written) else min(len(labels), len(written))
