"""The choices that a view of one layer has: which attention's stack, which layer, which token."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from traitlets import Enum, Int

from model.analysis.head_steps import Attention
from views.by_page.of_run import ATTENTIONS, LiveViewOfRun
from views.layer.layer_of_run import LayerOfRun
from views.view import Needs


class LiveViewOfLayer(LiveViewOfRun):
    """A view of one layer. A layer of -1 is chosen as the app chooses it."""

    needs: ClassVar[Needs] = "*"
    attention = Enum(ATTENTIONS, "", help="by default that of the stack that makes the output")
    layer = Int(-1, min=-1, help="the layer, from 0")

    def layer_of_run(self) -> LayerOfRun:
        """The layer. Raises `GlassformerError` for one that is not there."""
        stack, _ = self.chosen_attention()
        return LayerOfRun(self.run, stack, self.chosen_layer(stack))

    def attention_of_run(self) -> Attention:
        """The attention of the layer. Raises `GlassformerError` for one that is not there."""
        stack, part = self.chosen_attention()
        return Attention(stack, self.chosen_layer(stack), part)


class LiveViewOfToken(LiveViewOfLayer):
    """A view of one layer and one token, which is chosen as the app chooses it where it is -1."""

    query = Int(-1, min=-2, help="the place of the chosen token")

    def layer_of_run(self) -> LayerOfRun:
        """The layer with its token. Raises `GlassformerError` for one that is not there."""
        place = super().layer_of_run()
        return replace(place, token=self.chosen_token(place.stack))
