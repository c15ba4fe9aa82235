"""Two runs of a sentence: with a mask in an attention, or in that of every layer, and with another mask there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model import Edit, Trace
from model.analysis.head_steps import Attention, final_name, keep_for_one, kinds
from model.analysis.mask_effect import MaskEffect, mask_effect
from model.cached_property import cached_property
from model.experiments.painted_masks import edit_of
from pages.attention.masks_parts.mask_choice import in_every_layer, mask_of, own_mask, painted_mask
from pages.attention.masks_parts.sentence import Sentence
from pages.shared.model_runs import traces
from views.head_of_run import HeadOfRun
from views.shared import windows
from viz.shared.tokens import words


@dataclass(frozen=True)
class MaskedRuns:
    """A mask and its two runs. `visible` (queries, keys) is true where a query may look.

    `names` are those of the two runs on screen: `without`, then `with_mask`.
    """

    screen: HeadOfRun
    kind: str
    everywhere: bool  # in every layer, not only in the chosen one
    sentence: Sentence
    visible: Tensor
    with_mask: Trace
    without: Trace
    names: tuple[str, str] = ("without mask", "with mask")

    @cached_property
    def queries(self) -> list[str]:
        return words(self.sentence.side(self.screen, "queries"))

    @cached_property
    def keys(self) -> list[str]:
        return words(self.sentence.side(self.screen, "keys"))

    @cached_property
    def effect(self) -> MaskEffect:
        """The two runs at the head on screen."""
        return mask_effect(
            self.screen.config, self.without, self.with_mask, self.screen.at, self.screen.head, self.visible
        )

    @cached_property
    def written(self) -> list[str]:
        """The words of the tokens that the last stack reads."""
        return words(self.sentence.written)

    def final(self, trace: Trace) -> Tensor:
        """The output of the model's last layer: (tokens, d_model)."""
        config = self.screen.config
        return trace[final_name(config, config.stacks[-1])]

    def logits(self, trace: Trace, position: int) -> Tensor:
        """The scores of every token as the next one after `position`: (vocabulary,).

        They are computed here and not recorded: the logits of all positions would fill the cache.
        """
        return self.screen.run.model.on_cpu.network.logits(self.final(trace)[position])


def run_twice(screen: HeadOfRun, kind: str, sentence: Sentence) -> MaskedRuns:
    """Runs the model with the chosen mask, and with nothing hidden in its place.

    All other attentions keep their own masks, with the padding hidden.
    """
    visible = painted_mask(screen, sentence) if kind == "painted" else mask_of(screen, sentence, kind)
    edits = _padding_edits(screen, sentence)
    with_mask, without = (run_masked(screen, sentence, mask, edits) for mask in (visible, visible | True))
    return MaskedRuns(screen, kind, in_every_layer(), sentence, visible, with_mask, without)


def run_masked(screen: HeadOfRun, sentence: Sentence, visible: Tensor, edits: Sequence[Edit] = ()) -> Trace:
    """A run of the sentence with the mask `visible` (queries, keys), under further edits.

    Of a long text, the page's own run stands for one whose mask is the model's own. Its numbers are the same but for
    rounding, and a run takes seconds.
    """
    everywhere = in_every_layer()
    is_own = torch.equal(visible, own_mask(screen, sentence)) and not (everywhere and screen.config.window_layers)
    if edits or not (is_own and windows.is_long(visible.shape)):
        edits = (*edits, edit_of(screen.at, visible, everywhere))
    return run_edited(screen, sentence, visible, edits)


def run_edited(screen: HeadOfRun, sentence: Sentence, visible: Tensor, edits: Sequence[Edit]) -> Trace:
    """A run of the sentence under edits, with what its `effect` needs. `visible` (queries, keys) is the mask there."""
    written, source = (tuple(token.id for token in tokens) for tokens in (sentence.written, sentence.source))
    return traces.trace_ids(
        screen.run.model,
        written,
        (*_keep(screen, visible), final_name(screen.config, screen.config.stacks[-1])),
        source,
        edits=edits,
    )


def _keep(screen: HeadOfRun, visible: Tensor) -> Iterable[str]:
    """The tensors of a run that its `effect` needs. Of a long text the weights of all heads are 38 MB over 1,024 tokens
    of SmolLM2. Those of the head on screen are made of its queries and keys again, so that the cache has room for
    several masks."""
    names = keep_for_one(screen.config, screen.at)
    is_long = windows.is_long(visible.shape)
    return (name for name in names if not (is_long and name == f"{screen.at.path}.weights"))


def _padding_edits(screen: HeadOfRun, sentence: Sentence) -> Sequence[Edit]:
    """The edits that hide the padding from every attention of the model."""
    if sentence.batch is None:
        return ()
    edits = []
    for stack, part in kinds(screen.config):
        differ = bool(screen.config.window_layers) and (stack, part) == ("decoder", "self_attn")
        for layer in range(screen.config.n_layers(stack) if differ else 1):
            each = replace(screen, at=Attention(stack, layer, part))
            edits.append(edit_of(each.at, own_mask(each, sentence), not differ))
    return edits
