"""Two runs of a sentence: with a mask in an attention, or in that of every layer, and with another mask there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from model import Edit
from model.analysis.head_steps import Attention, final_name, keep_for_one, kinds
from model.analysis.mask_effect import MaskEffect, mask_effect
from model.cached_property import cached_property
from model.experiments.painted_masks import edit_of, hide_row
from views.attention.masks.kinds import mask_of, own_kind, own_mask, painted_mask
from views.attention.masks.sentence import Sentence, alone, in_batch
from views.call import Call, call_of
from views.head_of_run import HeadOfRun
from views.shared import windows
from viz.shared.tokens import words

if TYPE_CHECKING:
    from model import Trace

OWN_NAMES = {"none": "without mask", "causal": "with the causal mask", "window": "with the model's window"}


@dataclass(frozen=True)
class TwoRuns:
    """A sentence without a mask and with it. `everywhere`: the mask is in every layer, not only in that of the head."""

    head: HeadOfRun
    everywhere: bool

    @property
    def sentence(self) -> Sentence:
        raise NotImplementedError

    @property
    def visible(self) -> Tensor:
        """True where a query may look: (queries, keys)."""
        raise NotImplementedError

    @property
    def with_mask(self) -> Trace:
        raise NotImplementedError

    @property
    def without(self) -> Trace:
        raise NotImplementedError

    @property
    def names(self) -> tuple[str, str]:
        """What readers call the two runs: `without`, then `with_mask`."""
        return "without mask", "with mask"

    @property
    def queries(self) -> list[str]:
        return words(self.sentence.side(self.head, "queries"))

    @property
    def keys(self) -> list[str]:
        return words(self.sentence.side(self.head, "keys"))

    @property
    def written(self) -> list[str]:
        """The words of the tokens that the last stack reads."""
        return words(self.sentence.written)

    @cached_property
    def effect(self) -> MaskEffect:
        """The two runs at the head."""
        head = self.head
        return mask_effect(head.config, self.without, self.with_mask, head.at, head.head, self.visible)

    def final(self, trace: Trace) -> Tensor:
        """The output of the model's last layer: (tokens, d_model)."""
        return trace[self._final_name]

    def logits(self, trace: Trace, position: int) -> Tensor:
        """The scores of every token as the next one after `position`: (vocabulary,).

        They are computed here and not recorded: the logits of all positions would fill a cache.
        """
        return self.head.run.model.on_cpu.network.logits(self.final(trace)[position])

    @property
    def _final_name(self) -> str:
        config = self.head.config
        return final_name(config, config.stacks[-1])

    def trace(self, edits: Sequence[Edit]) -> Trace:
        """A run of the sentence under edits, with what `effect` needs."""
        sentence = self.sentence
        written, source = (tuple(token.id for token in each) for each in (sentence.written, sentence.source))
        return self.head.run.of_tokens(written, (*self._keep(), self._final_name), source, edits)

    def _keep(self) -> Iterable[str]:
        """The tensors of a run that its `effect` needs. Of a long text the weights of all heads are 38 MB over 1,024
        tokens of SmolLM2. Those of the head are made of its queries and keys again, so that a cache has room for
        several masks."""
        head, is_long = self.head, windows.is_long(self.visible.shape)
        names = keep_for_one(head.config, head.at)
        return (name for name in names if not (is_long and name == f"{head.at.path}.weights"))


@dataclass(frozen=True)
class MaskedRuns(TwoRuns):
    """A run with a mask of a `kind` (`kinds.TITLES`), and one with nothing hidden in its place.

    All other attentions keep their own masks, with the padding hidden. `width`: of a window. `painted`: the text of a
    painted mask, "" for the model's own.
    """

    of: Sentence
    kind: str
    width: int
    painted: str = ""

    def made_by(self) -> Call:
        of = Call(alone, (self.head.run,)) if self.of.batch is None else Call(in_batch, (self.head.run, self.of.others))
        return call_of(self, of=of)

    @property
    def sentence(self) -> Sentence:
        return self.of

    @cached_property
    def visible(self) -> Tensor:
        if self.kind == "painted":
            return painted_mask(self.head, self.of, self.painted)
        return mask_of(self.head, self.of, self.kind, self.width)

    @cached_property
    def with_mask(self) -> Trace:
        return self._masked(self.visible)

    @cached_property
    def without(self) -> Trace:
        return self._masked(self.visible | True)

    def _masked(self, visible: Tensor) -> Trace:
        """A run with a mask. Of a long text, the reader's own run stands for one whose mask is the model's own. Its
        numbers are the same but for rounding, and a run takes seconds."""
        head, edits = self.head, self._padding_edits
        differs = self.everywhere and bool(head.config.window_layers)  # the layers have several masks
        is_own = torch.equal(visible, own_mask(head, self.of)) and not differs
        if edits or not (is_own and windows.is_long(visible.shape)):
            edits = (*edits, edit_of(head.at, visible, self.everywhere))
        return self.trace(edits)

    @cached_property
    def _padding_edits(self) -> tuple[Edit, ...]:
        """The edits that hide the padding from every attention of the model."""
        if self.of.batch is None:
            return ()
        edits, config = [], self.head.config
        for stack, part in kinds(config):
            differ = bool(config.window_layers) and (stack, part) == ("decoder", "self_attn")
            for layer in range(config.n_layers(stack) if differ else 1):
                each = replace(self.head, at=Attention(stack, layer, part))
                edits.append(edit_of(each.at, own_mask(each, self.of), not differ))
        return tuple(edits)


@dataclass(frozen=True)
class HiddenRowRuns(TwoRuns):
    """A run with the model's own mask and the whole `row` of a query hidden, and one with the model's own mask."""

    row: int

    @cached_property
    def sentence(self) -> Sentence:
        return alone(self.head.run)

    @cached_property
    def visible(self) -> Tensor:
        visible = own_mask(self.head, self.sentence)
        visible[self.row] = False
        return visible

    @cached_property
    def with_mask(self) -> Trace:
        return self.trace((hide_row(self.head.at, self.row, self.everywhere),))

    @cached_property
    def without(self) -> Trace:
        return self.trace(())

    @property
    def names(self) -> tuple[str, str]:
        return OWN_NAMES[own_kind(self.head)], "with the row hidden"
