"""The effect of a mask on one head: its scores and weights in a run without the mask and in a run with it."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from model.analysis.head_steps import Attention
from model.config import TransformerConfig
from model.graph.recording import Recording
from model.network.masks import masked_softmax
from model.tape import Trace


@dataclass(frozen=True)
class MaskEffect:
    """All tensors are (queries, keys)."""

    visible: Tensor  # true where a query may look
    scores: Tensor  # without the mask
    masked: Tensor  # scores + mask, with the mask: minus infinity where it hides
    weights_without: Tensor
    weights_with: Tensor

    @property
    def weight_on_hidden(self) -> float:
        """The weight that a query gives to all hidden keys without the mask: the mean over the queries, 0 to 1."""
        return float((self.weights_without * ~self.visible).sum(-1).mean())

    @property
    def hidden_rows(self) -> list[int]:
        """The queries that may look at no key."""
        return (~self.visible.any(-1)).nonzero().flatten().tolist()

    @property
    def score_change(self) -> float:
        """The largest difference of a visible score between the runs: 0 where the layers below ran alike."""
        changes = (self.masked - self.scores).abs()[self.visible]
        return float(changes.max()) if len(changes) else 0.0


def mask_effect(
    config: TransformerConfig, without: Trace, with_mask: Trace, at: Attention, head: int, visible: Tensor
) -> MaskEffect:
    """Compares two runs of one sentence. Both must have recorded what `keep_for_one` of `head_steps` names.

    The weights may be missing. Then those of the head are made of its scores.
    """
    first, second = Recording.of(without, config), Recording.of(with_mask, config)
    return MaskEffect(
        visible,
        first.read(f"{at.path}.scores", (head,)),
        second.read(f"{at.path}.masked", (head,)),
        _weights(without, first, at, head),
        _weights(with_mask, second, at, head),
    )


def _weights(trace: Trace, run: Recording, at: Attention, head: int) -> Tensor:
    """The weights of one head (queries, keys), recorded or made of its scores."""
    name = f"{at.path}.weights"
    return trace[name][head] if name in trace else masked_softmax(run.read(f"{at.path}.masked", (head,)))
