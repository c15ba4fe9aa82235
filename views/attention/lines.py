"""A line from each query to the keys that it looks at, thick where the weight is large."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from views.attention.head_difference import HeadDifference, subtract
from views.attention.head_view import HeadView
from views.attention.head_words import describe_head
from views.attention.matrix import HeadMatrix
from views.head_of_run import NO_PAIR, HeadOfRun, layer_place
from views.parts import Action, Canvas, Controls, Files
from views.shared import windows
from views.shared.windows import MatrixPart
from views.view import grey
from viz.attention.heads import pack_lines, pack_stack, weights_figure
from viz.documents.page_parts import Group
from viz.print import head_pictures
from viz.shared.tokens import chips

if TYPE_CHECKING:
    from torch import Tensor

OVER_MANY_TEXTS = Action(
    "What does it do on many texts?",
    {"heads_view": "Many texts", "heads_many": "This head"},
    "over many texts",
    ":material/library_books:",
)
MAX_STACK = 1 << 17  # weights of all layers that travel with the picture of one: some 50 kB


@dataclass(frozen=True)
class LineChoice:
    """The lines that are drawn: those of `heads` whose weight is over `least`, but not those to a token that `hide`
    names ("special", "sink"). `layout`: how the two sentences stand. `has_key`: a key is chosen, too."""

    heads: tuple[int, ...]
    least: float
    hide: tuple[str, ...]
    layout: str
    has_key: bool

    @classmethod
    def of(cls, head: HeadOfRun, shown: Iterable[int], least: float, hide: str, layout: str, key: int) -> LineChoice:
        """As the keys of the page have it: of the heads in `shown` only those that exist, or `head` alone where it is
        not among them; `hide` names kinds of tokens with "and" between them; a `key` below 0 is not chosen."""
        existing = tuple(each for each in shown if each < head.config.n_heads)
        return cls(
            heads=existing if head.head in existing else (head.head,),
            least=least,
            hide=tuple(name for name in ("special", "sink") if name in hide.split()),
            layout=layout,
            has_key=key >= 0,
        )


@dataclass(frozen=True)
class Lines(HeadView):
    """The lines of one head, or of several heads of its layer. `part`: the queries and the keys that are shown."""

    choice: LineChoice
    part: MatrixPart

    def minus(self, other: Lines) -> HeadDifference | None:
        return subtract(self, other, self.part)

    def picture_parts(self) -> Sequence[Any]:
        return self.beside_story(
            [Controls("window"), self.picture(), *grey(self.caption()), OVER_MANY_TEXTS, self.files()]
        )

    def number_parts(self) -> Sequence[Any]:
        return HeadMatrix(self.head, "weights", self.part).number_parts()

    def picture(self) -> Group:
        has_stack = self.head.n_layers * self.head.layer_weights().numel() <= MAX_STACK
        return Group([self._lines(), *([self._stack()] if has_stack else [])], gap=None)

    def _lines(self) -> Canvas:
        return Canvas("attention/attention_lines", self._pack, key="heads lines", picks={"view": self._pick})

    def _pack(self) -> bytes:
        head, (down, across) = self.head, self.part
        return pack_lines(
            head.layer_weights()[:, down, across].numpy(),
            chips(head.query_tokens[down]),
            chips(head.key_tokens[across]),
            identity=repr((*self._names_stack()[1:], down.start, across.start)),
            title=f"Attention of {head.layer_place}",
            causal=bool(head.hidden.any()),
            view=self._view(),
            first=(down.start, across.start),
            layer=head.at.layer,
            stack=repr(self._names_stack()),
        )

    def _stack(self) -> Canvas:
        what = f"stack {self.head.at.stack} {self.head.at.part}"
        data = partial(self.head.run.pack, what, self._pack_stack)
        return Canvas("attention/stack_weights", data, key="heads stack", is_unseen=True)

    def _names_stack(self) -> tuple[Any, ...]:
        """Names the attention of a run whose layers are shown: first what edits its weights, then its sentence."""
        run, at = self.head.run, self.head.at
        return (run.model.state, run.edits), run.name, run.text, run.target, at.stack, at.part

    def _pack_stack(self) -> bytes:
        head = self.head
        weights: Tensor = torch.stack([head.layer_weights(layer) for layer in range(head.n_layers)])
        places = [layer_place(head.config, head.at.in_layer(layer)) for layer in range(head.n_layers)]
        titles = [f"Attention of {place}" for place in places]
        return pack_stack(weights.numpy(), identity=repr(self._names_stack()), titles=titles)

    def _view(self) -> dict[str, Any]:
        """The view of the component, in the order and the form in which it comes back. Its tokens count from the first
        that is shown."""
        choice, (query, key) = self.choice, self._selected()
        return {
            "heads": list(choice.heads),
            "head": self.head.head,
            "least": choice.least,
            "hide": list(choice.hide),
            "layout": choice.layout,
            "query": query if query >= 0 else None,
            "key": key if key >= 0 else None,
        }

    def _selected(self) -> tuple[int, int]:
        """The query and the key that are chosen, as places in the part that is shown. One below 0 is not there."""
        down, across = self.part
        query = windows.place_in(down, self.head.query)
        return query, windows.place_in(across, self.head.key) if self.choice.has_key and query >= 0 else -1

    def _pick(self, view: Mapping[str, Any]) -> dict[str, Any]:
        heads, head = tuple(int(each) for each in view["heads"]), int(view["head"])
        down, across = self.part
        return {
            "heads_shown": heads,
            "head": head if head in heads or not heads else heads[0],
            "heads_least": min(max(float(view["least"]), 0.0), 0.5),
            "heads_hide": " and ".join(view["hide"]) or "nothing",
            "heads_layout": view["layout"],
            "query": NO_PAIR if view["query"] is None else down.start + int(view["query"]),
            "key": -1 if view["key"] is None else across.start + int(view["key"]),
        }

    def caption(self) -> str:
        counts = len(self.head.query_tokens), len(self.head.key_tokens)
        said = f"{describe_head(self.head)} Point at a word for its lines, click to keep them."
        return f"{said}{windows.say_part(self.part, counts)}"

    def files(self) -> Files:
        """Of the tokens shown: the table holds the weights of one head, the archive those of all heads with lines."""
        head, heads, (down, across) = self.head, list(self.choice.heads), self.part
        queries, keys = head.queries[down], head.keys[across]
        one, several = head.weights[down, across].numpy(), head.layer_weights()[heads, down, across].numpy()
        title = f"{head.run.model.card.title}, {head.place}"
        draw = partial(head_pictures.lines_picture, several, heads, queries, keys, title)
        return Files(
            f"{head.file_name}-lines",
            partial(draw, least=self.choice.least, selected=self._selected()),
            partial(weights_figure, one, queries, keys, hidden=head.hidden[down, across].numpy()),
            arrays=lambda: {"weights": several, "heads": heads, "queries": queries, "keys": keys},
            others={"CSV": partial(head_pictures.matrix_csv, one, queries, keys)},
        )
