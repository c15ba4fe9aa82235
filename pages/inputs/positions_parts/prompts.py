"""The things to try of each part of Positions."""

from __future__ import annotations

from pages.shared.elements.claims import Claim
from pages.shared.elements.prompts import Prompt
from views.inputs.joined_positions import LARGER, WIDER
from views.inputs.position_circles import FROM_START, VIEW
from views.inputs.position_distance import SPREAD
from views.inputs.position_heatmap import LAST_TURN, ROWS, WHOSE
from views.inputs.requirements import FAILS, FOCUS, SHORT_NAMES
from views.inputs.rotary_turn import PEAK, TURN, RotaryTurn
from views.inputs.word_order import WITH, WITHOUT
from views.inputs.worked_positions import SLOW, TABLE
from viz.documents.page_parts import Text

HEATMAP = (
    Prompt(
        "See waves at every speed",
        "With n = 100 even the last pair moves.",
        {"positions_source": "formula", "positions_base": 100.0},
        claim=Claim(LAST_TURN, "over", 1.0),
    ),
    Prompt(
        "256 positions, 128 features",
        "A carpet: fast ripples left, calm right.",
        {
            "positions_source": "formula",
            "positions_rows": "length",
            "positions_length": 256,
            "positions_d": 128,
            "positions_base": 10000.0,
        },
        claim=Claim(ROWS, "is", 256),
    ),
    Prompt(
        "The model's own",
        "The positions of the model in the bar.",
        {"positions_source": "model", "positions_rows": "sentence"},
        claim=Claim(WHOSE, "is", "the model's"),
    ),
)

WORKED = (
    Prompt(
        "The notes' numbers",
        "“I am a robot”, d = 4, n = 100.",
        {"positions_words": "I am a robot", "positions_wordwidth": 4, "positions_wordbase": 100.0},
        claim=Claim(SLOW, "over", 0.29),
        at=TABLE,
    ),
    Prompt(
        "The paper's base",
        "With n = 10,000 the slow pair hardly moves.",
        {"positions_wordbase": 10000.0},
        claim=Claim(SLOW, "under", 0.1),
        at=TABLE,
    ),
)

CIRCLES = (
    Prompt(
        "One full turn of pair 0",
        "φ = 6.28 turns the fast hand back to its start, and no other hand.",
        {"positions_part": "circles", "positions_view": "clocks", "positions_phi": 6.28},
        claim=Claim(FROM_START, "under", 1.0),
    ),
    Prompt(
        "Circles round the words",
        "Each word's circle is centred on its embedding.",
        {"positions_view": "plane", "positions_clock": 0},
        claim=Claim(VIEW, "is", "plane"),
    ),
    Prompt(
        "Three hands in space",
        "Three speeds round one embedding (Palaskos, fig. 3.3).",
        {"positions_view": "space"},
        claim=Claim(VIEW, "is", "space"),
    ),
)

DISTANCE = (
    Prompt(
        "Neighbours everywhere",
        "Two words one apart: the same score at every place.",
        {"positions_distance": "sinusoidal", "positions_places": (2, 3), "query": 2},
        claim=Claim(SPREAD, "under", 1e-6),
    ),
    Prompt(
        "A trained table",
        "Its stripes are rough: no formula made it.",
        {"positions_distance": "learned", "positions_rows": "length", "positions_length": 64},
        claim=Claim(SPREAD, "over", 0.001),
    ),
    Prompt(
        "Rotary",
        "Turned content scores by distance alone.",
        {"positions_distance": "rotary"},
        claim=Claim(SPREAD, "under", 1e-6),
    ),
)

JOINED = (
    Prompt(
        "A narrow place",
        "16 features for the place: the stream is hardly wider.",
        {"positions_joined": 16, "positions_of": "paper"},
        claim=Claim(WIDER, "under", 1.1),
        at="positions concatenated",
    ),
    Prompt(
        "Half as wide as e",
        "256 features for the place make the paper's model more than half as large again.",
        {"positions_joined": 256, "positions_of": "paper"},
        claim=Claim(LARGER, "over", 1.5),
        at="positions cost",
    ),
)

ORDER = (
    Prompt(
        "Who bites whom?",
        "The same words; only their order says who is bitten.",
        {"text": "the dog bites the man", "positions_seed": 1},
        claim=Claim(WITH, "over", 0.01),
        at="positions order",
    ),
    Prompt(
        "Another order",
        "Without positions it is about 0 for every order.",
        {"positions_seed": 7},
        claim=Claim(WITHOUT, "under", 1e-3),
        at="positions order",
    ),
)

REQUIREMENTS = (
    Prompt(
        "Why not simply count?",
        "Values grow with the sentence.",
        {"positions_check": "counter"},
        claim=Claim(SHORT_NAMES["bounded"], "is", FAILS),
        at=FOCUS,
    ),
    Prompt(
        "Why not divide by the length?",
        "Then a step of one word means less in a longer sentence.",
        {"positions_check": "normalised"},
        claim=Claim(SHORT_NAMES["consistent"], "is", FAILS),
        at=FOCUS,
    ),
    Prompt(
        "Where a table ends",
        "There is no vector after its last row.",
        {"positions_check": "learned"},
        claim=Claim(SHORT_NAMES["extends"], "is", FAILS),
        at=FOCUS,
    ),
)
ONE_BACK = {"model": "smollm2-135m", "layer": 16, "head": 0, "query": -1, "key": -1}


def rotary(view: RotaryTurn) -> tuple[Prompt, ...]:
    """The slowest pair depends on the model."""
    slowest = 0 if isinstance(view.head, Text) else len(view.head.pairs.speeds) - 1
    return (
        Prompt(
            "The fastest pair",
            "Pair 0 turns by 57° a word: it tells neighbours apart.",
            {"positions_turned": 0},
            claim=Claim(TURN, "over", 57),
            at="positions rotary",
        ),
        Prompt(
            "The slowest pair",
            "It hardly turns within a sentence, and carries content.",
            {"positions_turned": slowest},
            claim=Claim(TURN, "under", 1.0),
            at="positions rotary",
        ),
        Prompt(
            "A head that looks one back",
            "The score of this head of SmolLM2 peaks at distance 1.",
            ONE_BACK,
            claim=Claim(PEAK, "is", 1),
            at="positions rotary distance",
        ),
    )
