"""A run as a notebook shows it: its tokens, and its tensors by the pattern of their names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from torch import Tensor

from model import names
from model.notebook.markup import card, chips, code, fold, heading, sentence, table
from model.numerals import file_size
from model.tokens.tokenizer import Token

GROUPS = {  # a part of a tensor's name, and the tensors that have it in words
    "self_attn": "self-attention",
    "cross_attn": "cross-attention",
    "ffn": "feed-forward",
    "embed": "embeddings",
}


@dataclass(frozen=True)
class TensorRow:
    """The tensors of one pattern: `decoder.*.self_attn.weights`, one in each of 30 layers."""

    pattern: str
    count: int
    shape: str
    meaning: str


def trace_card(
    title: str,
    tokens: Sequence[Token],
    source_tokens: Sequence[Token],
    tensors: Mapping[str, Tensor | None],
    facts: Sequence[str],
    gated: bool = False,
) -> str:
    """A run of a model of this title. A tensor that is None is made when somebody looks at it.

    `gated` is that of `names.describe`.
    """
    parts = [heading(title, *facts)]
    if source_tokens:
        parts += [sentence("The encoder reads"), chips(source_tokens), sentence("The decoder reads")]
    parts.append(chips(tokens))
    for group, rows in tensor_rows(tensors, gated).items():
        cells = [(code(row.pattern), str(row.count), escape(row.shape), escape(row.meaning)) for row in rows]
        parts.append(fold(_say_count(group, rows), table(cells, ("name", "times", "shape", "meaning"), "-n-w")))
    return card(*parts)


def tensor_rows(tensors: Mapping[str, Tensor | None], gated: bool = False) -> dict[str, list[TensorRow]]:
    """The tensors by the pattern of their names, in groups."""
    by_pattern: dict[str, list[str]] = {}
    for name in tensors:
        by_pattern.setdefault(re.sub(r"\.\d+\.", ".*.", name), []).append(name)
    groups: dict[str, list[TensorRow]] = {}
    for pattern, found in by_pattern.items():
        axes, meaning = _describe(found[0], gated)
        made = tensors[found[0]]
        sizes = [""] * len(axes) if made is None or made.ndim != len(axes) else [f"{size:,} " for size in made.shape]
        shape = " × ".join(f"{size}{axis}" for size, axis in zip(sizes, axes, strict=True))
        row = TensorRow(pattern, len(found), shape or _shape(made), meaning)
        groups.setdefault(_group_of(pattern), []).append(row)
    return groups


def nbytes_of(tensors: Mapping[str, Tensor | None]) -> str:
    """The memory of tensors that are there, in words."""
    return file_size(sum(tensor.nbytes for tensor in tensors.values() if tensor is not None))


def _say_count(group: str, rows: Sequence[TensorRow]) -> str:
    count = sum(row.count for row in rows)
    kinds = f" of {len(rows)} kinds" if 1 < len(rows) < count else ""
    return f"{group}: {count:,} tensor{'' if count == 1 else 's'}{kinds}"


def _group_of(pattern: str) -> str:
    parts = pattern.split(".")
    found = next((words for part, words in GROUPS.items() if part in parts), None)
    if found is None:
        is_answer = parts[-1].endswith("logits") or parts[0] == "transform"
        found = "answers" if is_answer else "residual stream and norms"
    stack = parts[0] if parts[0] in ("encoder", "decoder") else ""
    return f"{stack}, {found}" if stack else found


def _describe(name: str, gated: bool) -> tuple[tuple[str, ...], str]:
    """The axes and the meaning of a tensor; nothing for one that no table has."""
    for kind in (lambda: names.describe(name, gated), lambda: names.describe_recurrent(name)):
        try:
            return kind().axes, kind().meaning
        except KeyError:
            continue
    return (), ""


def _shape(tensor: Tensor | None) -> str:
    return "" if tensor is None else " × ".join(f"{size:,}" for size in tensor.shape)
