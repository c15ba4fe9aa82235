"""The things to try on the page Training, by part."""

from __future__ import annotations

from typing import Any

from pages.shared.elements.claims import Claim
from pages.shared.elements.prompts import Prompt
from pages.shared.session.keys import KEYS
from views.learning.training.course import ABOVE, SCORE
from views.learning.training.forcing import READS_BEFORE, READS_OWN
from views.learning.training.live import COPIED, EXACT, LOSS, NO_NUMBER

OF_COURSE = (
    Prompt(
        "When does copying begin?",
        "In a few hundred steps one head of layer 2 learns to look at what came next the last time.",
        {"training_part": "replay", "training_of": "tiny-lm", "training_snapshot": 8, "training_layer": -1},
        claim=Claim(SCORE, "over", 0.3),
        at="training scores",
    ),
    Prompt(
        "The alignment appears",
        "The cross-attention finds the right English word before the translation is right.",
        {"training_part": "replay", "training_of": "en-ur", "training_snapshot": 6, "text": "The weather is cool"}
        | {"training_layer": -1},
        claim=Claim(SCORE, "over", 0.5),
        at="training heads",
    ),
    Prompt(
        "Before the first step",
        "Noise: it guesses, and a little worse than one who holds all words for equally likely.",
        {"training_part": "replay", "training_snapshot": 0},
        claim=Claim(ABOVE, "over", 1.0),
    ),
)
WITHOUT_DOWNLOAD = Prompt(
    "The small model that comes along",
    "The same turn in the training of a model that needs no download.",
    {"training_part": "replay", "training_of": "tiny-lm", "training_snapshot": 8, "training_layer": -1},
    claim=Claim(SCORE, "over", 0.3),
    at="training scores",
)
OF_PUBLISHED = (
    Prompt(
        "A name that returns",
        "A sentence can be continued by copying. Watch its loss fall where the induction of the best head rises.",
        {"training_part": "published", "text": "When Mary and John went to the store, John gave a drink to Mary and"},
    ),
    Prompt(
        "Before the first step",
        "Noise: every token is as likely as any other.",
        {"training_part": "published", "training_checkpoint": 0},
        claim=Claim(ABOVE, "under", 1.2),
    ),
    WITHOUT_DOWNLOAD,
)
SETTINGS = {  # those of a recorded run, but for what a prompt changes (model.train.live_recording)
    name: KEYS[f"training_{name}"].default
    for name in ("task", "rate", "warmup", "steps", "seed", "forced", "shifted", "positions", "scaled")
}


def _of_settings(label: str, see: str, claim: Claim, **changes: Any) -> Prompt:
    values = {f"training_{name}": value for name, value in {**SETTINGS, **changes}.items()}
    return Prompt(label, see, {"training_part": "live", **values}, claim=claim, at="training measures")


OF_LIVE = (
    _of_settings(
        "A target that is not shifted",
        "The loss falls to nothing and the model writes nonsense: it has learnt to copy.",
        Claim(COPIED, "over", 0.9),
        shifted=False,
    ),
    _of_settings(
        "Reverse without positions",
        "Without positions no key knows where it stands, and no example is written right.",
        Claim(EXACT, "under", 0.05),
        positions=False,
    ),
    _of_settings(
        "Sort without positions",
        "To sort needs no order of what is read: most are right.",
        Claim(EXACT, "over", 0.5),
        task="sort",
        positions=False,
    ),
    _of_settings(
        "Far too fast",
        "A learning rate of 1e30: the loss is no longer a number.",
        Claim(LOSS, "is", NO_NUMBER),
        rate=1e30,
    ),
)
OF_FORCING = (
    Prompt(
        "Shifted",
        "Each position reads the label of the one before it.",
        {"training_shifted": True, "training_forced": True, "training_look": -1},
        claim=Claim(READS_BEFORE, "is", 1.0),
    ),
    Prompt(
        "Not shifted",
        "Each position reads its own answer: its loss says nothing about writing.",
        {"training_shifted": False, "training_forced": True, "training_look": -1},
        claim=Claim(READS_OWN, "is", 1.0),
    ),
    Prompt(
        "Train it live",
        "Start a run of your own, come back, and see which positions it still gets wrong.",
        {"training_part": "live"},
        at="training measures",
    ),
)
