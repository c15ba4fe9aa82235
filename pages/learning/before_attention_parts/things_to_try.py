"""The things to try on the page Before attention, by part. Those of one part lead to another."""

from __future__ import annotations

from dataclasses import replace

from pages.shared.elements.claims import Claim
from pages.shared.elements.prompts import Prompt
from pages.shared.session.keys import KEYS
from views.learning.before_attention import told

SEE_FAR = {"before_attention_part": "memory", "before_attention_relative": True}
SEE_OUTPUTS = {"before_attention_part": "sentence", "before_attention_step": -1}
WITH_LENGTH = Prompt(
    "With length",
    "With length seq2seq loses most.",
    {"before_attention_part": "length"},
    claim=Claim(told.LOSES_MOST, "is", "seq2seq"),
)
OF_SENTENCE = (
    Prompt(
        "The verb goes last",
        "The alignment jumps: Urdu has its verb at the end.",
        SEE_OUTPUTS | {"text": "The quick brown fox jumps over the lazy dog"},
        claim=Claim(told.JUMP, "over", 2),
        at="before attention alignment",
    ),
    Prompt(
        "Longer",
        "A held-out sentence of 14 words and marks: the one vector loses its end.",
        SEE_OUTPUTS | {"text": "The soldiers want to throw this ball but a guest broke the toy."},
        claim=Claim(told.SEQ2SEQ, "is", "not the translation"),
        at="before attention outputs",
    ),
    replace(WITH_LENGTH, label="Does it matter?"),
)
OF_LENGTH = (
    Prompt(
        "Look at one",
        "The three on one sentence.",
        SEE_OUTPUTS,
        claim=Claim(told.TRANSLATORS, "is", 3),
        at="before attention outputs",
    ),
    Prompt(
        "Why is it hard?",
        "How little of a far word arrives at the end of a recurrent network.",
        SEE_FAR,
        claim=Claim(told.RNN_LEFT, "under", 0.01),
    ),
)
OF_MEMORY = (
    Prompt(
        "And the time?",
        "A recurrent network also has to wait: it takes a step for each token.",
        {"before_attention_part": "order"},
        claim=Claim(told.STEPS, "over", 1),
    ),
    replace(WITH_LENGTH, label="Does it hurt?"),
)
OF_ORDER = (
    Prompt(
        "The formulas",
        "Operations, steps and paths, side by side.",
        {"before_attention_part": "order", "depth": "Formula"},
        at="before attention formulas",
    ),
    Prompt(
        "What arrives",
        "The longer the path, the less arrives: of a far token hardly anything reaches the end of the RNN.",
        SEE_FAR,
        claim=Claim(told.RNN_LEFT, "under", 0.01),
    ),
)
BLANKS = (  # sentences, what is to be seen in each, and what is claimed of it
    ("I am ___", "Anything can follow.", Claim(told.FROM_LEFT, "under", 0.5)),
    (
        "I am ___ tired",
        "From the left nothing is new; from both, “very” or “not”.",
        Claim(told.FROM_BOTH, "under", 0.9),
    ),
    (
        "I am ___ tired, because I didn't sleep last night",
        "Only the end of the sentence tells.",
        Claim(told.FROM_BOTH, "over", 0.9),
    ),
    (
        "we ___ tired",
        "The left knows the verb; from the right other words would fit as well.",
        Claim(told.WORD_FROM_LEFT, "is", "are"),
    ),
)
OF_BOTH = tuple(
    Prompt(
        text.replace("___", "…").split(" I didn")[0],
        see,
        {"before_attention_part": "both", "before_attention_blank": text},
        claim=claim,
    )
    for text, see, claim in BLANKS
)
OF_SHAPES = (
    Prompt(
        "Many to many",
        "The sentence through three translators.",
        SEE_OUTPUTS,
        claim=Claim(told.TRANSLATORS, "is", 3),
        at="before attention outputs",
    ),
    Prompt(
        "One by one",
        "A blank filled from either side, and surer from both.",
        {"before_attention_part": "both", "before_attention_blank": KEYS["before_attention_blank"].default},
        claim=Claim(told.FROM_BOTH, "over", 0.9),
    ),
)
