"""Concat and W_O: how the heads become one vector again, what each adds, and what is missing without it."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum, Tuple

from views.attention.combine import concat, muted, parts
from views.attention.combine.combined import Combined
from views.by_page.of_layer import LiveViewOfToken
from views.shared import ablation_choice
from views.view import Needs, View


class LiveViewOfHeads(LiveViewOfToken):
    """A view of all heads of one attention."""

    needs: ClassVar[Needs] = Combined.needs


class SideBySide(LiveViewOfHeads):
    """The outputs of all heads beside each other."""

    part: ClassVar[tuple[str, ...]] = ("Side by side",)

    def view(self) -> View:
        at = self.attention_of_run()
        return concat.Concat(self.run, at, self.chosen_token(at.stack))


class HeadParts(LiveViewOfHeads):
    """What each head adds to a token."""

    part: ClassVar[tuple[str, ...]] = ("Each head's part",)

    def view(self) -> View:
        at = self.attention_of_run()
        return parts.HeadParts(self.run, at, self.chosen_token(at.stack))


class MutedHeads(LiveViewOfHeads):
    """What is missing without some heads."""

    part: ClassVar[tuple[str, ...]] = ("Mute heads",)
    muted = Tuple(help="the silent heads, by default head 0; (-1,) for none")
    scope = Enum(("this layer", "every layer"), "this layer", help="where they are silent")

    def view(self) -> View:
        at = self.attention_of_run()
        heads = ablation_choice.read_muted(self.muted, self.run.config.n_heads)
        return muted.mute_heads(self.run, at, self.chosen_token(at.stack), heads, self.scope == "every layer")
