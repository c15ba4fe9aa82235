"""The mask that a reader chose, and the two runs that it makes: with it, and with nothing hidden in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import keys, state, traces
from pages.shared.head_on_screen import HeadOnScreen
from viz.shared.tokens import words

if TYPE_CHECKING:
    from torch import Tensor

    from model import Edit, Trace
    from model.experiments.padded_batch import Batch
    from model.tokens.tokenizer import Token

NAMES = {
    "none": "None",
    "causal": "Causal",
    "padding": "Padding",
    "causal and padding": "Both",
    "painted": ":material/brush: Paint",
}
MAX_SENTENCES = 8  # of a padded batch


@dataclass(frozen=True)
class Sentence:
    """The tokens of a run: `written` is what the last stack reads; `source` the encoder of an encoder-decoder model.
    With a padded batch they end in padding, and `batch` and `source_batch` hold all of its sentences."""

    written: tuple[Token, ...]
    source: tuple[Token, ...] = ()
    batch: Batch | None = None
    source_batch: Batch | None = None

    def of(self, shown: HeadOnScreen, side: str) -> tuple[Token, ...]:
        """The tokens of the attention's queries or keys."""
        of_encoder = shown.at.stack == "encoder" or (side == "keys" and shown.at.part == "cross_attn")
        return self.source if of_encoder and self.source else self.written

    def real(self, shown: HeadOnScreen, side: str) -> Tensor:
        """Which of them are no padding: (tokens,)."""
        import torch

        tokens = self.of(shown, side)
        batch = self.source_batch if tokens is self.source else self.batch
        return torch.ones(len(tokens), dtype=torch.bool) if batch is None else batch.is_real[0]


@dataclass(frozen=True)
class MaskChoice:
    """A mask and its runs. `visible` (queries, keys) is true where a query may look."""

    shown: HeadOnScreen
    kind: str
    everywhere: bool  # in every layer, not only in the chosen one
    sentence: Sentence
    visible: Tensor
    with_mask: Trace
    without: Trace

    @property
    def queries(self) -> list[str]:
        return words(self.sentence.of(self.shown, "queries"))

    @property
    def keys(self) -> list[str]:
        return words(self.sentence.of(self.shown, "keys"))

    def final(self, trace: Trace) -> Tensor:
        """What the last layer of the model hands on: (tokens, d_model)."""
        from model.analysis.head_steps import final_name

        config = self.shown.config
        return trace[final_name(config, config.stacks[-1])]

    def logits(self, trace: Trace, position: int) -> Tensor:
        """The scores of every token as the next one after `position`: (vocabulary,). For all positions at once they
        would fill the cache."""
        return self.shown.run.model.on_cpu.network.logits(self.final(trace)[position])

    @property
    def written(self) -> list[str]:
        """The tokens that the last stack reads."""
        return words(self.sentence.written)


def kinds(shown: HeadOnScreen) -> list[str]:
    """The masks that make sense: a causal one compares places in one sentence."""
    return [kind for kind in NAMES if shown.at.part == "self_attn" or "causal" not in kind]


def own_kind(shown: HeadOnScreen) -> str:
    """The mask that the model itself uses here."""
    return "causal" if shown.at.stack == "decoder" and shown.at.part == "self_attn" else "none"


def controls(shown: HeadOnScreen) -> str:
    """The choice of the mask, of where it holds, and of the other sentences of a batch. Returns the kind."""
    kind = state.among("masks_kind", kinds(shown), "Mask", own_kind(shown))
    left, right = st.columns([2, 1])
    left.segmented_control("Mask", kinds(shown), key="masks_kind", format_func=NAMES.__getitem__, required=True)
    right.segmented_control("In", ("every layer", "this layer"), key="masks_where", required=True)
    if "padding" in kind:
        st.text_area(
            "The other sentences of the batch, one a line",
            key="masks_batch",
            height=84,
            max_chars=keys.MAX_CHARACTERS,
        )
    return kind


def read_sentence(shown: HeadOnScreen, padded: bool) -> Sentence:
    """The reader's sentence, filled up to the longest of the batch where it is padded. A line that cannot be read is
    left out, and the page says which and why."""
    run = shown.run
    if not padded:
        return Sentence(run.trace.tokens, run.trace.source_tokens)
    from model.experiments.padded_batch import fill_up, padding_token

    rows, sources = [run.trace.tokens], [run.trace.source_tokens]
    lines = [line.strip() for line in state.get("masks_batch").splitlines() if line.strip()]
    if len(lines) > MAX_SENTENCES - 1:
        st.warning(
            f"A batch holds {MAX_SENTENCES} sentences here: the last {len(lines) - MAX_SENTENCES + 1} are left out."
        )
    for number, line in enumerate(lines[: MAX_SENTENCES - 1], 2):
        try:
            each = traces.trace(run.name, line, keep=())
        except traces.errors() as error:
            st.warning(f"Sentence {number} of the batch is left out. {error}")
            continue
        rows.append(each.tokens)
        sources.append(each.source_tokens)
    batch = fill_up(rows, padding_token(run.model.output_tokenizer))
    if not run.trace.source_tokens:
        return Sentence(batch.tokens[0], (), batch)
    source = fill_up(sources, padding_token(run.model.tokenizer))
    return Sentence(batch.tokens[0], source.tokens[0], batch, source)


def mask_of(shown: HeadOnScreen, sentence: Sentence, kind: str) -> Tensor:
    """What may be seen, (queries, keys), under a kind of mask that is not painted."""
    from model.experiments.painted_masks import presets

    queries, keys = (len(sentence.of(shown, side)) for side in ("queries", "keys"))
    visible = presets(queries, keys)["causal" if "causal" in kind else "all visible"]
    return visible & sentence.real(shown, "keys") if "padding" in kind else visible


def painted_mask(shown: HeadOnScreen, sentence: Sentence) -> Tensor:
    """The reader's own mask, on this sentence; the model's own to start with."""
    from model.experiments.painted_masks import BadMask, fit_mask, mask_from_text

    start = mask_of(shown, sentence, own_kind(shown))
    text = state.get("masks_paint")
    if not text:
        return start
    try:
        painted = mask_from_text(text)
    except BadMask as error:
        state.put(masks_paint="")
        state.say("masks_paint", str(error))
        return start
    if painted.shape == start.shape:
        return painted
    rows, columns = painted.shape
    state.say(
        "masks_paint",
        f"The mask was painted for {rows} × {columns} tokens and this sentence has {len(start)} × {start.shape[1]}: "
        "the cells that both have are kept, the others follow the model's own mask.",
    )
    return fit_mask(painted, start)


def run(shown: HeadOnScreen, kind: str, sentence: Sentence) -> MaskChoice:
    """Both runs: in one the chosen mask stands where the reader wants it, in the other nothing is hidden there.

    All other attentions keep their own masks, padding hidden.
    """
    from model.analysis.head_steps import final_name, keep_for
    from model.experiments.painted_masks import edit_of, mask_to_text
    from model.network.masks import hide

    visible = painted_mask(shown, sentence) if kind == "painted" else mask_of(shown, sentence, kind)
    everywhere = state.get("masks_where") == "every layer"
    config = shown.config
    keep = (*keep_for(config, shown.at), final_name(config, config.stacks[-1]))
    others, named = _padding_edits(shown, sentence)

    def made(mask: Tensor) -> Trace:
        edits = (*others, edit_of(shown.at, hide(mask), everywhere))
        name = f"{named} {shown.at.path} {everywhere} {mask_to_text(mask)}"
        ids, source = (tuple(token.id for token in tokens) for tokens in (sentence.written, sentence.source))
        return traces.trace_ids(shown.run.name, ids, keep, source, edits=edits, edits_name=name)

    return MaskChoice(shown, kind, everywhere, sentence, visible, made(visible), made(visible | True))


def _padding_edits(shown: HeadOnScreen, sentence: Sentence) -> tuple[Sequence[Edit], str]:
    """Hides the padding from every attention of the model, whichever one is looked at."""
    from dataclasses import replace

    from model.analysis.head_steps import Attention
    from model.analysis.head_steps import kinds as all_kinds
    from model.experiments.painted_masks import edit_of
    from model.network.masks import hide

    if sentence.batch is None:
        return (), ""
    edits = []
    for stack, part in all_kinds(shown.config):
        each = replace(shown, at=Attention(stack, 0, part))
        mask = mask_of(each, sentence, f"{own_kind(each)} and padding")
        edits.append(edit_of(each.at, hide(mask), True))
    sizes = [batch.is_real.sum(-1).tolist()[0] for batch in (sentence.batch, sentence.source_batch) if batch]
    return edits, f"padded {sizes}"
