"""How scores are shown: as shares of all labels, a share for each label, or numbers. This is no part of a run."""

from __future__ import annotations

from torch import Tensor

from model.config import TransformerConfig


def answer_scores(logits: Tensor, config: TransformerConfig) -> Tensor:
    """The scores of all answers from their logits: (..., answers) -> (..., answers).

    - "softmax": exactly one answer is right, a word or a class, and the probabilities sum to 1.
    - "sigmoid": each label is right or not, whatever the others are. 1 / (1 + e^-u) is the probability that it is. So a
      model of a single label says yes or no, and its logit is the log-odds of yes.
    - "none": the model was trained to give numbers, and the logit is the number.

    The pipelines of `transformers` for texts and pictures choose by the same rule
    (`model.zoo.values.hub_values.label_scores`).
    """
    if config.label_scores == "none":
        return logits
    return logits.sigmoid() if config.label_scores == "sigmoid" else logits.softmax(-1)
