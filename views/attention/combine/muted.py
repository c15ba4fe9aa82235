"""The model again with some heads silent, beside the whole model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from model import Edit, ablate
from model.analysis.head_steps import Attention
from model.experiments.surgery import edit_model
from views.attention.combine.combined import Combined, feature_rows
from views.attention.combine.muted_outcomes import FOCUS, Predictions, Translations, Turns
from views.call import Call
from views.parts import Chart, Controls, Files
from views.run import Run
from views.view import View, grey
from viz.attention.combine import slices_figure
from viz.documents.page_parts import Group, Text

SILENT = "the number of silent heads"


@dataclass(frozen=True)
class MutedHeads(Combined):
    """The effect of silent heads. `muted`: those of the attention, or with `everywhere` those of every layer.

    `translations`: what a translator writes with all heads, and without them.
    """

    muted: tuple[int, ...]
    everywhere: bool
    translations: tuple[str, str] | None = None

    def made_by(self) -> Call:
        named = {"everywhere": True} if self.everywhere else {}
        return Call(mute_heads, (self.run, self.attention, self.token, self.muted), named)

    def told(self) -> Mapping[str, float | str]:
        return {SILENT: len(self.muted)} if self.muted else {}

    def picture_parts(self) -> Sequence[Any]:
        return self._in_frame(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._in_frame()

    def _in_frame(self, *pictures: Any) -> list[Any]:
        """Pictures of the heads above what their silence does. A lecture shows both beside each other, since no screen
        is high enough for both."""
        if not self.muted:
            return [Controls("muted"), Text("Choose the heads that should fall silent.", "info")]
        columns = [Group(pictures, "column"), Group([*self._if_all(), self._outcome()], "column")]
        both = Group([Group(columns, "stage row", gap="medium")], key=FOCUS[0])
        return [Controls("muted"), *self._words(), both, self.files()]

    def _words(self) -> list[Any]:
        """Which heads are silent."""
        heads, several = ", ".join(map(str, self.muted)), "s" if len(self.muted) > 1 else ""
        where = "every layer" if self.everywhere else f"layer {self.attention.layer}"
        both = "What the run bar has muted is silent on both sides of this comparison." if self.run.edits else ""
        return [Text(f"**Without head{several} {heads} in {where}**"), *grey(both)]

    def _if_all(self) -> list[Any]:
        is_all = len(self.muted) == self.config.n_heads
        return grey("All heads are muted: this attention adds nothing but its bias." if is_all else "")

    def _outcome(self) -> View:
        kind = self.config.kind
        if self.translations is not None:
            return Translations(*self.translations)
        edit = mute(self.attention, self.muted, self.everywhere)
        return Predictions(self.run, edit) if kind == "decoder" else Turns(self.run, edit)

    def picture(self) -> Chart:
        alt = f"The outputs of {self.config.n_heads} heads side by side, the muted ones veiled"
        return Chart(self._draw, alt)

    @property
    def _draw(self) -> Any:
        return partial(slices_figure, self.concat.numpy(), self.tokens, self.config.n_heads, self.muted)

    def files(self) -> Files:
        """They come last, so that a saved view begins with the effect of the silence."""
        rows, arrays = partial(feature_rows, self.tokens, self.concat), lambda: {"concat": self.concat}
        return Files(f"{self.run.name}-muted-heads", self._draw, self._draw, rows, arrays, focus=FOCUS)


def mute_heads(
    run: Run, attention: Attention, token: int, muted: tuple[int, ...], everywhere: bool = False
) -> MutedHeads:
    """The effect of silent heads, with both translations of a translator. The fields are those of `MutedHeads`."""
    is_compared = bool(muted) and run.config.kind == "encoder-decoder"
    translations = translate_twice(run, mute(attention, muted, everywhere)) if is_compared else None
    return MutedHeads(run, attention, token, muted, everywhere, translations)


def translate_twice(
    run: Run, edit: Edit, take_turn: Callable[[], AbstractContextManager[None]] = nullcontext
) -> tuple[str, str]:
    """What a translator writes without an edit and with it. `take_turn` waits for a turn at the processor."""
    source, written = run.model.tokens_of(run.text), []
    for each in (run.model, edit_model(run.model, edits=[edit])):
        with take_turn():
            written.append(run.model.output_tokenizer.decode(list(each.translate_ids(source))))
    whole, without = written
    return whole, without


def mute(attention: Attention, heads: Sequence[int], everywhere: bool) -> Edit:
    """The edit that silences heads of an attention, or of that of every layer."""
    return ablate(attention.every_layer if everywhere else attention.path, tuple(heads))
