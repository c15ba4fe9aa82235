"""The choices that every view of one head has: which head, and the pair of tokens that is singled out in it."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum, Int, Tuple

from model.analysis.head_steps import Attention
from views.by_page.of_run import ATTENTIONS, LiveViewOfRun
from views.head_of_run import NO_PAIR, HeadOfRun, keep
from views.shared import windows
from views.shared.windows import MatrixPart
from views.usual_head import choose_head, usual_head
from views.view import Needs


class LiveViewOfHead(LiveViewOfRun):
    """A view of one head. A layer, head, query or key of -1 is chosen as the app chooses it.

    `needs_pair`: it has a pair of tokens, also where the query is -2.
    """

    needs: ClassVar[Needs] = staticmethod(keep)
    needs_pair: ClassVar[bool] = True
    attention = Enum(ATTENTIONS, "", help="by default that of the stack that makes the output")
    layer = Int(-1, min=-1, help="the layer, from 0")
    head = Int(-1, min=-1, help="the head, from 0")
    query = Int(-1, min=-2, help="the place of the token that looks; -2 for none")
    key = Int(-1, min=-1, help="the place of the token that is looked at")
    window = Tuple(help="of a long text, the first and the last query that are shown")
    columns = Tuple(help="of a long text, the first and the last key that are shown")

    def head_of_run(self) -> HeadOfRun:
        """The head with the pair that is singled out in it. Raises `GlassformerError` for one that is not there."""
        run, (stack, part) = self.run, self.chosen_attention()
        layer = self.chosen_layer(stack)
        usual = usual_head(run, stack, part, layer) if self.head < 0 else 0
        head = self.chosen("head", run.config.n_heads, usual)
        is_open = self.query == NO_PAIR and not self.needs_pair
        query = NO_PAIR if is_open else self.chosen_token(stack)
        found = choose_head(run, Attention(stack, layer, part), head, query, self.key)
        if found.query >= 0:
            self.chosen("key", len(found.key_tokens), found.key)
        return found

    def part_of(self, head: HeadOfRun) -> MatrixPart:
        """The queries and the keys that are shown, of a long text alone a part."""
        return windows.part_of(tuple(head.hidden.shape), self.window, self.columns, (head.query, head.key))

    def readable_part_of(self, head: HeadOfRun) -> MatrixPart:
        """The same for a picture that shows no more than can be read, if the reader chooses a part."""
        return windows.pair_of(tuple(head.hidden.shape), self.window, self.columns, (head.query, head.key))
