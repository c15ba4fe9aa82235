"""One contribution taken out of a run: what a head reads from one token for another, or a feed-forward at one token.

The head's attention weight for that token becomes 0, and the others stay as they are. So just the value path
A[q, k] v_k W_O[i] is missing from the sum, and all that comes after is computed again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from model.edits.edit import Edit
from model.errors import EditError

if TYPE_CHECKING:
    from torch import Tensor

    from model.config import TransformerConfig

EDGE = re.compile(
    r"(?P<path>(?:encoder|decoder)\.[0-9]{1,5}\.(?:(?:self_attn|cross_attn)(?=\.)|ffn(?=@)))"
    r"(?:\.(?P<head>[0-9]{1,5})@(?P<key>[0-9]{1,5})>|@)(?P<token>[0-9]{1,5})"
)


@dataclass(frozen=True, order=True)
class DropEdge(Edit):
    """Takes out one contribution to the token at position `token`, by the sublayer `path`, "decoder.3.self_attn".

    `head` reads the token `key`, which is one of the source in cross-attention. Both are -1 for a feed-forward. The run
    raises `EditError` where it has no such head or token. `seen` tokens are in a KV cache: their rows were made before.
    """

    path: str
    token: int
    head: int = -1
    key: int = -1
    seen: int = field(default=0, kw_only=True)

    @classmethod
    def parse(cls, text: str) -> DropEdge:
        """The edge of a text: "decoder.3.self_attn.2@7>9" for head 2 that reads token 7 for token 9; "decoder.3.ffn@9".

        Raises `EditError` for another text.
        """
        found = EDGE.fullmatch(text)
        if found is None or (found["head"] is None) != found["path"].endswith("ffn"):
            raise EditError(
                f"{text[:60]} is no edge that can be dropped. Name a head with the token that it reads and the token "
                "that it writes to (decoder.3.self_attn.2@7>9), or a feed-forward with its token (decoder.3.ffn@9)."
            )
        return cls(found["path"], int(found["token"]), int(found["head"] or -1), int(found["key"] or -1))

    def __str__(self) -> str:
        return f"{self.path}@{self.token}" if self.head < 0 else f"{self.path}.{self.head}@{self.key}>{self.token}"

    @property
    def pattern(self) -> str:
        return f"{self.path}.out" if self.head < 0 else f"{self.path}.weights"

    def after(self, seen: int) -> DropEdge:
        return replace(self, seen=self.seen + seen)

    def apply(self, tensor: Tensor) -> Tensor:
        """The tensor with zeros at the edge: (tokens, d_model) of a feed-forward, (heads, queries, keys) of a head."""
        rows, row = tensor.shape[0 if self.head < 0 else 1], self.token - self.seen
        if self.seen and not 0 <= row < rows:
            return tensor  # none of the tokens that are new to a KV cache
        at = (row,) if self.head < 0 else (self.head, row, self.key)
        if any(index >= size for index, size in zip(at, tensor.shape, strict=False)):
            raise EditError(f"This run has no {self}: its tensor is {' x '.join(map(str, tensor.shape))}.")
        changed = tensor.clone()
        changed[at] = 0
        return changed

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


def parse_edges(text: str) -> tuple[DropEdge, ...]:
    """The edges that a text names, with commas between them; each once, in order. Raises `EditError`."""
    return tuple(sorted({DropEdge.parse(name) for name in text.split(",") if name}))


def write_edges(edges: Iterable[DropEdge]) -> str:
    """Edges as `parse_edges` takes them."""
    return ",".join(map(str, sorted(set(edges))))
