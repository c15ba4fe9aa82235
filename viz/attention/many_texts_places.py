"""Places of texts as lines of a list, for the component head_texts: the query in its text, and where it looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.arrays import Array
from viz.shared.payload import pack, printed_codes
from viz.shared.style import is_right_to_left, token_label
from viz.shared.tokens import TokenLike, words

MOST_WHOLE = 48  # tokens of a text that is shown whole
AROUND = 12  # tokens that are shown on either side of the query and of the key in a longer one
WORD_PIECE = "##"  # begins a token that goes on with the word before it


@dataclass(frozen=True)
class PlaceLine:
    """A query and a key of a text and the weight between them. `looks`: the weights of the query on all keys (keys,).

    `queries` and `keys` are the same tokens, but in cross-attention. `kind`: that of the text. `length`: of what the
    head writes there, for a list in that order; None for a list by weight.
    """

    weight: float
    kind: str
    queries: Sequence[TokenLike]
    keys: Sequence[TokenLike]
    query: int
    key: int
    looks: Array
    is_cross: bool = False
    length: float | None = None


@dataclass(frozen=True)
class PlaceGroup:
    """Lines below a title; "" for none."""

    title: str
    lines: Sequence[PlaceLine]


def pack_places(groups: Sequence[PlaceGroup], *, title: str) -> bytes:
    """Data of the component head_texts. `looks` has the weights of all lines on the keys that are shown, one line after
    another, as `printed_codes`."""
    described, looks = [], [np.empty(0, np.float32)]
    for group in groups:
        described.append({"title": group.title, "lines": [_describe(line) for line in group.lines]})
        looks += [line.looks[part] for line in group.lines for part in _parts_of_keys(line)]
    return pack({"title": title, "groups": described}, looks=printed_codes(np.concatenate(looks)))


def shown_parts(count: int, places: Iterable[int], most_whole: int = MOST_WHOLE, around: int = AROUND) -> list[slice]:
    """The parts of a text of `count` tokens that are shown: all of a short one, else what is around these places."""
    if count <= most_whole:
        return [slice(0, count)]
    parts: list[slice] = []
    for place in sorted(set(places)):
        start, stop = max(place - around, 0), min(place + around + 1, count)
        if parts and start <= parts[-1].stop + 1:  # a "…" in the place of one token tells less than the token
            start = parts.pop().start
        parts.append(slice(start, stop))
    return parts


def _parts_of_keys(line: PlaceLine) -> list[slice]:
    return shown_parts(len(line.keys), _marked_keys(line))


def _marked_keys(line: PlaceLine) -> list[int]:
    """The places that stand out in the sentence of the keys."""
    return [line.key] if line.is_cross else [line.query, line.key]


def _describe(line: PlaceLine) -> dict[str, Any]:
    sides = [_side("keys" if line.is_cross else "both", line.keys, _marked_keys(line))]
    if line.is_cross:
        sides.append(_side("queries", line.queries, [line.query]))
    query, key = words([line.queries[line.query]])[0], words([line.keys[line.key]])[0]
    places = {"query": line.query, "key": line.key, "words": [query, key]}
    return {"weight": float(line.weight), "length": line.length, "kind": line.kind, **places, "sides": sides}


def _side(role: str, tokens: Sequence[TokenLike], marked: Sequence[int]) -> dict[str, Any]:
    """One sentence of a line. `role`: its tokens are "queries", "keys" or "both". `count`: the tokens of the whole."""
    texts = flow(tokens, marked)
    return {
        "role": role,
        "count": len(tokens),
        "rtl": is_leftwards(tokens),
        "parts": [{"first": part.start, "texts": texts[part]} for part in shown_parts(len(tokens), marked)],
        "special": [place for place, token in enumerate(tokens) if token.special],
    }


def is_leftwards(tokens: Sequence[TokenLike]) -> bool:
    """Whether a text is written from right to left."""
    return is_right_to_left("".join(token.text for token in tokens if not token.special))


def flow(tokens: Sequence[TokenLike], marked: Iterable[int] = ()) -> list[str]:
    """The texts of tokens, which read as a text when they stand side by side.

    The tokens of some models have no spaces: then one is put before each that begins a word. A letter of several tokens
    is the text of the `marked` one of these, else of the first, and the others have none.
    """
    has_spaces = any(token.text[:1].isspace() for token in tokens if not token.special)
    texts = [
        _visible(token.text if has_spaces else token.text.removeprefix(WORD_PIECE), token.bytes) for token in tokens
    ]
    for letter, part in _letters_of_bytes(tokens):
        holders = [place for place in marked if part.start <= place < part.stop] or [part.start]
        if len(holders) == 1:  # of two that are marked, each keeps its bytes
            texts[part] = [letter if place == holders[0] else "" for place in range(part.start, part.stop)]
    if has_spaces:
        return texts
    return [
        f" {text}" if i and not token.text.startswith(WORD_PIECE) else text
        for i, (token, text) in enumerate(zip(tokens, texts, strict=True))
    ]


def _letters_of_bytes(tokens: Sequence[TokenLike]) -> Iterator[tuple[str, slice]]:
    """The letters of which each is several tokens, and the places of these."""
    start, raw = 0, b""
    for place, token in enumerate(tokens):
        if token.text.strip("\ufffd") or not token.bytes:
            raw = b""
            continue
        start, raw = (start if raw else place), raw + token.bytes
        with suppress(UnicodeDecodeError):
            yield _visible(raw.decode(), raw), slice(start, place + 1)
            raw = b""


def _visible(text: str, raw: bytes) -> str:
    """A text whose spaces stay spaces. All else that cannot be seen is a sign."""
    if not text or "\ufffd" in text:
        return token_label(text, raw)
    return " ".join(token_label(piece) if piece else "" for piece in text.split(" "))
