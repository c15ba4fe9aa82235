"""The things to try on Masks."""

from __future__ import annotations

from pages.shared.elements.claims import Claim
from pages.shared.elements.example_sentences import FOX
from pages.shared.elements.prompts import Prompt
from views.attention.masks import cheat, panels, passes, row, ways

PANELS = (
    Prompt(
        "Hide the fox from “it”",
        "One painted cell, in every layer: the key “fox” is gone for the query “it”.",
        {**FOX, "attention": "decoder.self_attn", "masks_kind": "painted", "layer": 9, "head": 2}
        | {"query": 10, "key": 3}
        | {"masks_paint": "13x13.eNprYGOwYHzA31DH_EP-wf_2f9Y__7__3wAAZ4ULzA=="},
        claim=Claim(panels.OF_PAIR, "is", 0.0),
        at="masks panels",
    ),
    Prompt(
        "A window of three",
        "A word sees two words before it. What is farther away reaches it through the layers below, or not at all.",
        {"masks_kind": "window", "masks_width": 3, "masks_where": "every layer"},
        claim=Claim(panels.SEEN, "is", 3),
        at="masks panels",
    ),
    Prompt(
        "A padded batch",
        "Padding fills the shorter sentence, and the mask hides it from every query.",
        {"text": "I am a robot", "masks_kind": "padding"}
        | {"masks_batch": "The quick brown fox jumps over the lazy dog\nWhat time is it?"},
        claim=Claim(panels.ON_HIDDEN, "is", 0.0),
        at="masks panels",
    ),
)
WAYS = (
    Prompt(
        "The first word",
        "One key is visible: see its three sums.",
        {"query": 0, "key": 1},
        claim=Claim(ways.SEEN, "is", 1),
        at="masks ways",
    ),
    Prompt(
        "Another head",
        "How far both wrong ways miss depends on the scores; the right way sums to 1 in every head.",
        {"head": 0},
        claim=Claim(ways.STRAY, "under", 1e-4),
        at="masks ways",
    ),
)
CHEAT = (
    Prompt(
        "Change an early word",
        "With the mask, only what follows may change.",
        {"masks_place": 3},
        claim=Claim(cheat.CHANGE_BEFORE, "is", 0.0),
    ),
    Prompt(
        "Change the last word",
        "With the mask, only the last prediction can change.",
        {"masks_place": -1},
        claim=Claim(cheat.CHANGE_BEFORE, "is", 0.0),
    ),
)
ROW = (
    Prompt(
        "Hide the first row",
        "Its heads add nothing to its token.",
        {"masks_row": 0},
        claim=Claim(row.ADDED, "is", 0.0),
        at="masks row panels",
    ),
    Prompt(
        "In every layer",
        "The token hears nothing from the others all the way up.",
        {"masks_where": "every layer"},
        claim=Claim(row.ADDED, "is", 0.0),
        at="masks row panels",
    ),
)
PASSES = (
    Prompt(
        "Palaskos's sentence",
        "Nine tokens, nine predictions, one pass.",
        {"text": "The quick brown fox jumps over the lazy dog"},
        claim=Claim(passes.COUNT, "is", 9),
    ),
    Prompt(
        "A short one",
        "With few tokens there are few passes to save.",
        {"text": "I am a robot"},
        claim=Claim(passes.COUNT, "under", 9),
    ),
)
