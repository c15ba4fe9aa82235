"""The elements of a page on which a scene of a lecture can put its focus, each with words for an editor.

A name is the key of a Streamlit element or container, as the page writes it. `class_of` gives the CSS class under
which Streamlit draws it.
"""

from __future__ import annotations

import re

FOCUS_TITLES = {
    "home map": "the map of the model",
    "tokens sentence": "the pieces of the sentence",
    "tokens map": "the map of the vocabulary",
    "heads lines": "the lines from word to word",
    "heads next words": "the next words",
    "heads matrix": "the matrix of a head",
    "heads compared": "the three matrices that are compared",
    "heads atlas": "all heads side by side",
    "scores steps": "the matrices of the step",
    "scores curves": "the three curves",
    "masks panels": "the matrices with the mask and without",
    "combine parts": "what each head adds",
    "combine muted": "the heads side by side, and the prediction without the muted ones",
    "positions order": "the words in order and shuffled",
    "positions variants": "the models with other positions",
    "positions schemes": "the requirements, and the strip of the scheme",
    "positions table": "the table, entry by entry",
    "positions circles": "the clock hands, or the circles",
    "positions heatmap": "the carpet",
    "positions distance": "the matrix of the distances",
    "positions rotary": "the query and the key, turned",
    "positions added": "the bars of the sum",
    "positions cost": "the bars of the parameters",
    "predict player": "what is written, and the next words",
    "predict drift": "the drift of the stream",
    "why account": "the parts of the answer by layer, and their sum",
    "why opened": "the part that is opened",
    "why tokens": "what each token does",
    "why cause": "the parts and what they cause",
    "why patching": "what each part brings back",
    "why paths": "the graph of the routes",
    "why route": "the sum at the opened node",
    "why without edges": "the next words without the dropped edges",
    "why looked for": "the tokens that the head looks for",
    "why written": "the tokens that the head makes likelier",
    "why kernel": "the head's score and weight by distance",
    "why composition": "the earlier heads that the head reads",
    "why steer": "the next words of both models",
    "translate player": "the translation, step by step",
    "translate wiring": "the wiring",
    "translate forced": "the table of the forced words",
    "translate tree": "the tree of the beam",
    "translate reliability": "how often it was right, by how sure it was",
    "translate misses": "the sentences that it gets wrong",
    "training answer": "what a snapshot makes of the sentence",
    "before attention outputs": "the three translations",
    "before attention alignment": "the matrix of the alignment",
}


def class_of(name: str) -> str:
    """The class of the element, as Streamlit derives it from a key; "" for no name."""
    return "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", name) if name else ""
