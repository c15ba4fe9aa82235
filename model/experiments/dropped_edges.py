"""One contribution taken out of a run: what a head reads from one token for another, or a feed-forward at one token.

The head's attention weight for that token becomes 0, and the others stay as they are. So just the value path
A[q, k] v_k W_O[i] is missing from the sum, and all that comes after is computed again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from torch import Tensor

from model.config import TransformerConfig
from model.errors import EditError
from model.tape import Edit

EDGE = re.compile(
    r"(?P<path>(?:encoder|decoder)\.[0-9]{1,5}\.(?:(?:self_attn|cross_attn)(?=\.)|ffn(?=@)))"
    r"(?:\.(?P<head>[0-9]{1,5})@(?P<key>[0-9]{1,5})>|@)(?P<token>[0-9]{1,5})"
)


@dataclass(frozen=True, order=True)
class DroppedEdge:
    """One contribution to the token at position `token`, by the sublayer `path`, "decoder.3.self_attn".

    `head` reads the token `key`, which is one of the source in cross-attention. Both are -1 for a feed-forward.
    """

    path: str
    token: int
    head: int = -1
    key: int = -1

    @classmethod
    def read(cls, name: str) -> DroppedEdge:
        """The edge of a name: "decoder.3.self_attn.2@7>9" for head 2 that reads token 7 for token 9; "decoder.3.ffn@9".

        Raises `EditError` for another name.
        """
        found = EDGE.fullmatch(name)
        if found is None or (found["head"] is None) != found["path"].endswith("ffn"):
            raise EditError(
                f"{name[:60]} is no edge that can be dropped. Name a head with the token that it reads and the token "
                "that it writes to (decoder.3.self_attn.2@7>9), or a feed-forward with its token (decoder.3.ffn@9)."
            )
        return cls(found["path"], int(found["token"]), int(found["head"] or -1), int(found["key"] or -1))

    @property
    def name(self) -> str:
        """Its name, as `read` takes it."""
        return f"{self.path}@{self.token}" if self.head < 0 else f"{self.path}.{self.head}@{self.key}>{self.token}"

    def exists_in(self, config: TransformerConfig, tokens: int, source: int = 0) -> bool:
        """Whether a run of so many tokens (and of an encoder before it) has the edge."""
        stack, layer, part = self.path.split(".")
        if stack not in config.stacks or int(layer) >= config.n_layers(stack):
            return False
        own = tokens if stack == config.stacks[-1] else source
        if part == "ffn":
            return self.token < own
        keys = source if part == "cross_attn" else own
        return part in config.attentions(stack) and self.head < config.n_heads and self.token < own and self.key < keys

    def edit(self) -> Edit:
        """The edit of a run that takes it out. The run raises `EditError` where it has no such head or token."""
        return self._behind(0)

    def _behind(self, seen: int) -> Edit:
        """The edit of the rows of the tokens behind `seen` others, whose rows were made before."""
        name = f"{self.path}.out" if self.head < 0 else f"{self.path}.weights"
        return Edit(name, lambda tensor: self._without(tensor, seen), lambda more: self._behind(seen + more))

    def _without(self, tensor: Tensor, seen: int) -> Tensor:
        """The tensor with zeros at the edge: (tokens, d_model) of a feed-forward, (heads, queries, keys) of a head."""
        rows, row = tensor.shape[0 if self.head < 0 else 1], self.token - seen
        if seen and not 0 <= row < rows:
            return tensor  # none of the tokens that are new to a KV cache
        at = (row,) if self.head < 0 else (self.head, row, self.key)
        if any(index >= size for index, size in zip(at, tensor.shape, strict=False)):
            raise EditError(f"This run has no {self.name}: its tensor is {' x '.join(map(str, tensor.shape))}.")
        changed = tensor.clone()
        changed[at] = 0
        return changed


def read_edges(text: str) -> tuple[DroppedEdge, ...]:
    """The edges that a text names, with commas between them; each once, in order. Raises `EditError`."""
    return tuple(sorted({DroppedEdge.read(name) for name in text.split(",") if name}))


def write_edges(edges: tuple[DroppedEdge, ...]) -> str:
    """Edges as `read_edges` takes them."""
    return ",".join(edge.name for edge in sorted(set(edges)))
