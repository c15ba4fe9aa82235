"""The choices that every view of one head has: which head, and the pair of tokens that is singled out in it."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Int, Unicode

from model.analysis.head_steps import Attention
from views.by_page.live_view import LiveView
from views.head_of_run import HeadOfRun, attention_titles, keep
from views.shared.windows import MatrixPart, around_pair
from views.usual_head import choose_head
from views.view import Needs


class LiveViewOfHead(LiveView):
    """A view of one head. A layer, head, query or key of -1 is chosen as the app chooses it."""

    needs: ClassVar[Needs] = staticmethod(keep)
    attention = Unicode("", help='"decoder.self_attn"; by default that of the stack that makes the output')
    layer = Int(-1, min=-1, help="the layer, from 0")
    head = Int(-1, min=-1, help="the head, from 0")
    query = Int(-1, min=-2, help="the place of the token that looks; -2 for none")
    key = Int(-1, min=-1, help="the place of the token that is looked at")

    def head_of_run(self) -> HeadOfRun:
        """The head with the pair that is singled out in it. Raises `ValueError` for an attention that is not there."""
        titles = attention_titles(self.run.config)
        chosen = self.attention or f"{self.run.config.stacks[-1]}.self_attn"
        if chosen not in titles:
            raise ValueError(f"This model has no attention {chosen}. It has {', '.join(titles)}.")
        stack, part = chosen.split(".")
        return choose_head(self.run, Attention(stack, self.layer, part), self.head, self.query, self.key)

    def part_of(self, head: HeadOfRun) -> MatrixPart:
        """The queries and the keys that are shown: all, or those around the pair in a long text."""
        return around_pair(tuple(head.hidden.shape), (head.query, head.key))
