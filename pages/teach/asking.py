"""Which questions a page can ask. No torch here; `pages.teach.questions` makes them."""

from __future__ import annotations

TITLES = {
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
    "temperature": "What does the temperature do?",
    "class": "Which class is it?",
    "word class": "Which part of speech?",
    "digit": "Which digit is it?",
    "cost": "What costs most?",
}
ON_PAGE = {  # page -> what it can ask, the most apt first
    "home": ("next token",),
    "tokens": ("nearest",),
    "positions": ("hand",),
    "scores": ("attention", "scale"),
    "masks": ("hidden cells", "visible keys"),
    "heads": ("attention", "head", "spread"),
    "combine": ("part", "without heads"),
    "block": ("layer",),
    "predict": ("next token", "temperature"),
    "translate": ("next token", "attention"),
    "classify": ("class", "word class"),
    "see": ("digit",),
    "cost": ("cost",),
}
