"""The kinds of questions for a class and for Practise, each with its title and its level.

`pages.catalogue` says which page asks which kind. `pages.teach.questions` makes the questions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """What a reader must know for the questions of a level. `about` says it in one sentence."""

    title: str
    about: str


@dataclass(frozen=True)
class Kind:
    """A kind of question, and the level at which Practise asks it. `help`: what a beginner must know to answer it."""

    title: str
    level: str
    help: str = ""


BEGINNER, STUDENT, RESEARCHER = "beginner", "student", "researcher"
LEVELS = {
    BEGINNER: Level("Beginner", "What the model says, and where it looks. Nothing has to be known before."),
    STUDENT: Level("Student", "How it works: scores, masks, positions, temperature, cost. For a first course."),
    RESEARCHER: Level("Researcher", "Which part does what: accounts of an answer, ablations, what training brings."),
}
QUESTION_KINDS = {
    "next token": Kind(
        "What comes next?", BEGINNER, "The model gives every piece of text that it knows a chance of coming next."
    ),
    "attention": Kind(
        "Where does a word look?",
        BEGINNER,
        "In each layer, heads decide how much a word takes over from each other word: that is its attention.",
    ),
    "head": Kind("Which head looks there?", STUDENT),
    "spread": Kind("Which head looks most widely?", STUDENT),
    "scale": Kind("What does the scale do?", STUDENT),
    "hidden cells": Kind("What does the mask hide?", STUDENT),
    "visible keys": Kind(
        "What may a word look at?",
        BEGINNER,
        "A model that writes from left to right may not look ahead. One that has the whole text before it may.",
    ),
    "part": Kind("Which head adds most?", RESEARCHER),
    "without heads": Kind("What is said without a head?", RESEARCHER),
    "hand": Kind("How far does a hand turn?", STUDENT),
    "pieces": Kind(
        "Into how many tokens?",
        BEGINNER,
        "A model reads tokens: whole words, pieces of rare words, and marks such as a comma.",
    ),
    "nearest": Kind(
        "Which embedding is nearest?",
        BEGINNER,
        "Each piece of text is a row of numbers, its embedding. Pieces that are used alike have rows that are alike.",
    ),
    "layer": Kind("Which layer adds most?", RESEARCHER),
    "largest part": Kind("Which part speaks for it?", RESEARCHER),
    "earlier head": Kind("Which earlier head does it read?", RESEARCHER),
    "rule": Kind("Which rule fits a head?", STUDENT),
    "temperature": Kind("What does the temperature do?", STUDENT),
    "class": Kind(
        "Which class is it?", BEGINNER, "This model sorts whole texts: it was shown many, each with its class."
    ),
    "word class": Kind(
        "Which part of speech?", BEGINNER, "This model also sorts words: verbs, nouns, adjectives and so on."
    ),
    "digit": Kind("Which digit is it?", BEGINNER, "The model has seen thousands of digits, each with its name."),
    "quarter": Kind(
        "Which part of the picture is looked at?",
        BEGINNER,
        "The picture is cut into patches, which look at each other as words do.",
    ),
    "cost": Kind("What costs most?", STUDENT),
    "loss": Kind("When has the loss halved?", STUDENT),
    "measure": Kind("What has been learnt by now?", RESEARCHER),
    "translators": Kind(
        "Which translator is right?",
        BEGINNER,
        "Three networks translate the same sentence. The two older ones read it word by word.",
    ),
    "alignment": Kind("What does the alignment weigh?", STUDENT),
    "steps": Kind("How many steps wait?", STUDENT),
    "missed part": Kind("Which part is missed most?", RESEARCHER),
    "without parts": Kind("What is said without a part?", RESEARCHER),
}
QUESTION_TITLES = {name: kind.title for name, kind in QUESTION_KINDS.items()}


def kinds_of_level(level: str) -> tuple[str, ...]:
    """The kinds of a level, in their order."""
    return tuple(name for name, kind in QUESTION_KINDS.items() if kind.level == level)
