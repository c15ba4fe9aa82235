"""The things to try on Scores."""

from __future__ import annotations

import math

from pages.attention.scores_parts.controls import COLDEST, STEP
from pages.shared.elements.claims import Claim
from pages.shared.elements.example_sentences import FOX
from pages.shared.elements.prompts import Prompt
from views.attention.scores import geometry, scale, similarity, steps, table, temperature
from views.attention.scores.temperature import Temperature
from viz.shared.style import number

STEPS = (
    Prompt(
        "How “it” finds “fox”",
        "Layer 9, head 2 of SmolLM2: 64 products make the score of that pair.",
        {**FOX, "attention": "decoder.self_attn", "layer": 9, "head": 2}
        | {"query": 10, "key": 3, "scores_step": "scores", "depth": "Picture"},
        claim=Claim(steps.PRODUCTS, "is", 64),
        at="scores steps",
    ),
    Prompt(
        "Where does the row go?",
        "The softmax gives most of a row's weight to its two largest scores.",
        {"scores_step": "softmax", "depth": "Picture"},
        claim=Claim(steps.LARGEST, "over", 0.5),
        at="scores steps",
    ),
    Prompt(
        "What this head adds",
        "Its part of the attention output, beside the sum of all heads.",
        {"scores_step": "output", "depth": "Picture"},
        claim=Claim(steps.PART, "over", 0.0),
        at="scores steps",
    ),
)
SIMILARITY = (
    Prompt(
        "Another head",
        "Similarity is the same for all heads of a layer; the learned steps are those of head 0.",
        {"head": 0},
        claim=Claim(similarity.HEAD, "is", 0),
        at="scores stages",
    ),
    Prompt(
        "Two banks",
        "Without learning, the second “bank” looks at the first and at itself; a head can learn to look elsewhere.",
        {"text": "The river bank is near the bank", "query": -1, "key": 2},
        claim=Claim(similarity.AT_EQUALS, "over", 0.5),
        at="scores stages",
    ),
)
SCALE = (
    Prompt(
        "The widest",
        "At 1024 the unscaled softmax picks one key.",
        {"scores_width": 1024},
        claim=Claim(scale.LARGEST, "over", 0.9),
        at="scores curves",
    ),
    Prompt(
        "One feature",
        "At width 1 the scale changes nothing: √1 = 1.",
        {"scores_width": 1},
        claim=Claim(scale.CHANGE, "under", 1e-6),
        at="scores curves",
    ),
    Prompt(
        "Another sample",
        "Other random numbers, the same law: the variance is d_k.",
        {"scores_seed": 7},
        claim=Claim(scale.VARIANCE, "over", 0.8),
        at="scores curves",
    ),
)
TABLE = (
    Prompt(
        "Shamsi's table",
        "Each word looks most at itself.",
        {"scores_table": ""},
        claim=Claim(table.AT_THEMSELVES, "is", len(table.WORDS)),
    ),
    Prompt(
        "All the same",
        "Equal weights: every word becomes the same mean.",
        {"scores_table": ",".join(["0.25"] * 16)},
        claim=Claim(table.LARGEST, "is", 0.25),
    ),
    Prompt(
        "This sentence in the model",
        "The same four words through the steps of a real head.",
        {"text": table.SENTENCE, "scores_part": "steps"},
        claim=Claim(steps.SENTENCE, "is", table.SENTENCE),
        at="scores steps",
    ),
)
GEOMETRY = (
    Prompt(
        "What “cool” finds",
        "Palaskos asks which key fits “cool” in this sentence.",
        {"text": "The Transformer model is cool", "query": -1, "key": -1},
        claim=Claim(geometry.QUERY, "is", "cool"),
    ),
    Prompt(
        "The other sentence",
        "The same word, other keys to find.",
        {"text": "The weather is cool", "query": -1, "key": -1},
        claim=Claim(geometry.QUERY, "is", "cool"),
    ),
)
TEMPERATURE = (
    Prompt(
        "Cold",
        "Near 0 the largest score takes nearly all.",
        {"scores_temperature": 0.05},
        claim=Claim(temperature.LARGEST, "over", 0.8),
    ),
    Prompt(
        "Hot",
        "At 5 all visible keys get nearly the same.",
        {"scores_temperature": 5.0},
        claim=Claim(temperature.ENTROPY, "over", 0.9),
    ),
)


def of_temperature(view: Temperature) -> tuple[Prompt, ...]:
    """The last one has the temperature that undoes the division of the scores by √d_k in this model, or the nearest on
    the slider."""
    config = view.head.config
    if not config.scale_scores or config.score_width is not None or config.scores_by_layer:
        return TEMPERATURE
    root = 1 / math.sqrt(config.head_width)
    undo = Prompt(
        "Without the scale",
        f"Dividing by √d_k is a temperature: 1/√{config.head_width} = {number(root)} takes it back.",
        {"scores_temperature": max(round(root / STEP) * STEP, COLDEST)},
        claim=Claim(temperature.UNDONE, "over", 0.9),
    )
    return (*TEMPERATURE, undo)
