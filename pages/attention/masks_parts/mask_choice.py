"""The mask that a reader chose, and the two runs that it makes: with it, and with nothing hidden in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import state, traces
from pages.shared.head_on_screen import HeadOnScreen
from pages.shared.keys import MAX_CHARACTERS
from viz.shared.tokens import words

if TYPE_CHECKING:
    from torch import Tensor

    from model import Edit, Trace
    from model.experiments.padded_batch import Batch
    from model.tokens.tokenizer import Token

TITLES = {
    "none": "None",
    "causal": "Causal",
    "padding": "Padding",
    "causal and padding": "Both",
    "painted": ":material/brush: Paint",
}
MAX_SENTENCES = 8  # of a padded batch


@dataclass(frozen=True)
class Sentence:
    """The tokens of a run. `written` is read by the last stack, `source` by the encoder of a translator.

    With a padded batch both end in padding, and `batch` and `source_batch` hold all its sentences.
    """

    written: tuple[Token, ...]
    source: tuple[Token, ...] = ()
    batch: Batch | None = None
    source_batch: Batch | None = None

    def side(self, screen: HeadOnScreen, side: str) -> tuple[Token, ...]:
        """The tokens of the attention's "queries" or "keys"."""
        of_encoder = screen.at.stack == "encoder" or (side == "keys" and screen.at.is_cross)
        return self.source if of_encoder and self.source else self.written

    def is_real(self, screen: HeadOnScreen, side: str) -> Tensor:
        """False where a token of that side is padding: (tokens,)."""
        import torch

        tokens = self.side(screen, side)
        batch = self.source_batch if tokens is self.source else self.batch
        return torch.ones(len(tokens), dtype=torch.bool) if batch is None else batch.is_real[0]


@dataclass(frozen=True)
class MaskChoice:
    """A mask and its two runs. `visible` (queries, keys) is true where a query may look."""

    screen: HeadOnScreen
    kind: str
    everywhere: bool  # in every layer, not only in the chosen one
    sentence: Sentence
    visible: Tensor
    with_mask: Trace
    without: Trace

    @property
    def queries(self) -> list[str]:
        return words(self.sentence.side(self.screen, "queries"))

    @property
    def keys(self) -> list[str]:
        return words(self.sentence.side(self.screen, "keys"))

    @property
    def written(self) -> list[str]:
        """The words of the tokens that the last stack reads."""
        return words(self.sentence.written)

    def final(self, trace: Trace) -> Tensor:
        """The output of the model's last layer: (tokens, d_model)."""
        from model.analysis.head_steps import final_name

        config = self.screen.config
        return trace[final_name(config, config.stacks[-1])]

    def logits(self, trace: Trace, position: int) -> Tensor:
        """The scores of every token as the next one after `position`: (vocabulary,).

        They are computed here and not recorded: the logits of all positions would fill the cache.
        """
        return self.screen.run.model.on_cpu.network.logits(self.final(trace)[position])


def possible_kinds(screen: HeadOnScreen) -> list[str]:
    """The masks that have a meaning here. A causal mask compares places in one sentence."""
    return [kind for kind in TITLES if not (screen.at.is_cross and "causal" in kind)]


def own_kind(screen: HeadOnScreen) -> str:
    """The mask that the model itself uses here."""
    return "causal" if screen.at.stack == "decoder" and not screen.at.is_cross else "none"


def choose_kind(screen: HeadOnScreen) -> str:
    """Draws the choice of the mask, of its layers, and of the other sentences of a batch. Returns the kind of mask."""
    kinds = possible_kinds(screen)
    kind = state.among("masks_kind", kinds, "Mask", own_kind(screen))
    left, right = st.columns([2, 1])
    left.segmented_control("Mask", kinds, key="masks_kind", format_func=TITLES.__getitem__, required=True)
    right.segmented_control("In", ("every layer", "this layer"), key="masks_where", required=True)
    if "padding" in kind:
        st.text_area(
            "The other sentences of the batch, one a line", key="masks_batch", height=84, max_chars=MAX_CHARACTERS
        )
    return kind


def read_sentence(screen: HeadOnScreen, padded: bool) -> Sentence:
    """The reader's sentence. Where it is padded, it is filled up to the longest of the batch."""
    run = screen.run
    if not padded:
        return Sentence(run.trace.tokens, run.trace.source_tokens)
    from model.experiments.padded_batch import fill_up, padding_token

    sentences = [run.trace, *_read_batch(run.name)]
    batch = fill_up([each.tokens for each in sentences], padding_token(run.model.output_tokenizer))
    if not run.trace.source_tokens:
        return Sentence(batch.tokens[0], (), batch)
    source = fill_up([each.source_tokens for each in sentences], padding_token(run.model.tokenizer))
    return Sentence(batch.tokens[0], source.tokens[0], batch, source)


def _read_batch(model_name: str) -> list[Trace]:
    """The other sentences of the batch. One that cannot be read is left out, and the page says which one and why."""
    lines = [line.strip() for line in state.get("masks_batch").splitlines() if line.strip()]
    if len(lines) > MAX_SENTENCES - 1:
        st.warning(
            f"A batch holds {MAX_SENTENCES} sentences here: the last {len(lines) - MAX_SENTENCES + 1} are left out."
        )
    sentences = []
    for number, line in enumerate(lines[: MAX_SENTENCES - 1], 2):
        try:
            sentences.append(traces.trace(model_name, line, keep=()))
        except traces.errors() as error:
            st.warning(f"Sentence {number} of the batch is left out. {error}")
    return sentences


def mask_of(screen: HeadOnScreen, sentence: Sentence, kind: str) -> Tensor:
    """True where a query may look, (queries, keys), under a kind of mask that is not painted."""
    from model.experiments.painted_masks import presets

    queries, keys = (len(sentence.side(screen, side)) for side in ("queries", "keys"))
    visible = presets(queries, keys)["causal" if "causal" in kind else "all visible"]
    return visible & sentence.is_real(screen, "keys") if "padding" in kind else visible


def painted_mask(screen: HeadOnScreen, sentence: Sentence) -> Tensor:
    """The mask that the reader painted, fitted to this sentence. Before they paint, the model's own."""
    from model.experiments.painted_masks import BadMask, fit_mask, mask_from_text

    own = mask_of(screen, sentence, own_kind(screen))
    text = state.get("masks_paint")
    if not text:
        return own
    try:
        painted = mask_from_text(text)
    except BadMask as error:
        state.put(masks_paint="")
        state.say("masks_paint", str(error))
        return own
    if painted.shape == own.shape:
        return painted
    rows, columns = painted.shape
    state.say(
        "masks_paint",
        f"The mask was painted for {rows} × {columns} tokens and this sentence has {len(own)} × {own.shape[1]}: "
        "the cells that both have are kept, the others follow the model's own mask.",
    )
    return fit_mask(painted, own)


def run_twice(screen: HeadOnScreen, kind: str, sentence: Sentence) -> MaskChoice:
    """Runs the model with the chosen mask, and with nothing hidden in its place.

    All other attentions keep their own masks, with the padding hidden.
    """
    visible = painted_mask(screen, sentence) if kind == "painted" else mask_of(screen, sentence, kind)
    edits, edits_name = _padding_edits(screen, sentence)
    with_mask, without = (run_masked(screen, sentence, mask, edits, edits_name) for mask in (visible, visible | True))
    return MaskChoice(screen, kind, in_every_layer(), sentence, visible, with_mask, without)


def in_every_layer() -> bool:
    """Whether the reader wants the mask in every layer."""
    return bool(state.get("masks_where") == "every layer")


def run_masked(
    screen: HeadOnScreen, sentence: Sentence, visible: Tensor, edits: Sequence[Edit] = (), edits_name: str = ""
) -> Trace:
    """A run of the sentence with the mask `visible` (queries, keys), under further edits.

    Edits cannot be compared, so `edits_name` tells them from others in the cache.
    """
    from model.analysis.head_steps import final_name, keep_for
    from model.experiments.painted_masks import edit_of, mask_to_text
    from model.network.masks import hide

    config, everywhere = screen.config, in_every_layer()
    written, source = (tuple(token.id for token in tokens) for tokens in (sentence.written, sentence.source))
    return traces.trace_ids(
        screen.run.name,
        written,
        (*keep_for(config, screen.at), final_name(config, config.stacks[-1])),
        source,
        edits=(*edits, edit_of(screen.at, hide(visible), everywhere)),
        edits_name=f"{edits_name} {screen.at.path} {everywhere} {mask_to_text(visible)}",
    )


def _padding_edits(screen: HeadOnScreen, sentence: Sentence) -> tuple[Sequence[Edit], str]:
    """The edits that hide the padding from every attention of the model, and a name for the cache."""
    from dataclasses import replace

    from model.analysis.head_steps import Attention, kinds
    from model.experiments.painted_masks import edit_of
    from model.network.masks import hide

    if sentence.batch is None:
        return (), ""
    edits = []
    for stack, part in kinds(screen.config):
        each = replace(screen, at=Attention(stack, 0, part))
        mask = mask_of(each, sentence, f"{own_kind(each)} and padding")
        edits.append(edit_of(each.at, hide(mask), True))
    sizes = [batch.is_real.sum(-1).tolist()[0] for batch in (sentence.batch, sentence.source_batch) if batch]
    return edits, f"padded {sizes}"
