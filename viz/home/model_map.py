"""The data of the component `model_map`: the layout, where its tiles are, and where to look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from viz.home.answers import Outcome, Predictions
from viz.shared.payload import pack


@dataclass(frozen=True)
class Frozen:
    """What a saved page shows, which has no server: the tiles in sight, and why the chosen number is what it is.

    `tiles` is a body of `views.map.tiles.many`, with the tiles of `addresses`.
    """

    addresses: Sequence[str]
    tiles: bytes
    why: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class ModelMap:
    """A map of a run. Its tiles are below `root`/`handle`. `at` is the place to look at, "" for all.

    `framed` is the group of the head that the page speaks of. `links` are the titles of the pages behind the parts.
    `predictions`: None for a model whose tokens predict nothing. `can_go_on`: the page can append the next token.
    `compared`: where the tiles are those of a difference, both runs in words.
    """

    layout: Mapping[str, Any]
    title: str
    summary: str
    root: str
    handle: str
    at: str
    framed: str
    outcome: Outcome
    links: Mapping[str, str] = field(default_factory=dict)
    frozen: Frozen | None = None
    can_go_on: bool = False
    predictions: Predictions | None = None
    compared: tuple[str, str] | None = None


def pack_map_place(view: ModelMap) -> bytes:
    """Where the map is to look, as bytes: what changes when the reader moves."""
    return pack({"handle": view.handle, "at": view.at, "framed": view.framed})


def pack_model_map(view: ModelMap) -> bytes:
    """The map as bytes."""
    outcome = {
        "title": view.outcome.title,
        "note": view.outcome.note,
        "kind": view.outcome.kind,
        "bars": [
            {"label": label, "share": float(share)}  # not rounded: words on the page round the same number
            for label, share in zip(view.outcome.labels, view.outcome.shares, strict=True)
        ],
    }
    frozen = view.frozen
    arrays = {} if frozen is None else {"frozen_tiles": np.frombuffer(frozen.tiles, np.uint8)}
    return pack(
        {
            "layout": view.layout,
            "title": view.title,
            "summary": view.summary,
            "root": view.root,
            "handle": view.handle,
            "at": view.at,
            "framed": view.framed,
            "outcome": outcome,
            "links": dict(view.links),
            "next": view.can_go_on,
            "predictions": view.predictions and _list_predictions(view.predictions),
            "compared": view.compared and list(view.compared),
            "frozen": frozen and {"addresses": list(frozen.addresses), "why": frozen.why},
        },
        **arrays,
    )


def _list_predictions(found: Predictions) -> dict[str, Any]:
    tokens = [{"label": label, "share": float(share)} for label, share in zip(found.labels, found.shares, strict=True)]
    return {"title": found.title, "first": found.first, "kind": found.kind, "tokens": tokens}
