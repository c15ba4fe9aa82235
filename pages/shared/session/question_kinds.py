"""The kinds of questions for a class and for Practise, each with its title.

`pages.catalogue` says which page asks which kind. `pages.teach.questions` makes the questions.
"""

from __future__ import annotations

QUESTION_TITLES = {
    "next token": "What comes next?",
    "attention": "Where does a word look?",
    "head": "Which head looks there?",
    "spread": "Which head looks most widely?",
    "scale": "What does the scale do?",
    "hidden cells": "What does the mask hide?",
    "visible keys": "What may a word look at?",
    "part": "Which head adds most?",
    "without heads": "What is said without a head?",
    "hand": "How far does a hand turn?",
    "nearest": "Which embedding is nearest?",
    "layer": "Which layer adds most?",
    "largest part": "Which part speaks for it?",
    "earlier head": "Which earlier head does it read?",
    "temperature": "What does the temperature do?",
    "class": "Which class is it?",
    "word class": "Which part of speech?",
    "digit": "Which digit is it?",
    "quarter": "Which part of the picture is looked at?",
    "cost": "What costs most?",
    "loss": "When has the loss halved?",
    "measure": "What has been learnt by now?",
    "translators": "Which translator is right?",
    "alignment": "What does the alignment weigh?",
    "steps": "How many steps wait?",
    "missed part": "Which part is missed most?",
    "without parts": "What is said without a part?",
}
