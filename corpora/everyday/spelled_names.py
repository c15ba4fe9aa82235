"""Rare names, made of syllables, and spelled in Urdu by rule. Their words are outside the vocabulary.

The tokenizer writes such words in bytes. So the model learns to spell: an unseen name comes out readable.
"""

from __future__ import annotations

import random

from corpora.urdu_lexicon import Name

CONSONANTS = {
    "b": "ب",
    "p": "پ",
    "t": "ت",
    "j": "ج",
    "ch": "چ",
    "kh": "خ",
    "d": "د",
    "r": "ر",
    "z": "ز",
    "s": "س",
    "sh": "ش",
    "gh": "غ",
    "f": "ف",
    "k": "ک",
    "g": "گ",
    "l": "ل",
    "m": "م",
    "n": "ن",
    "w": "و",
    "h": "ہ",
    "y": "ی",
}
LONG = {"aa": "ا", "ee": "ی", "oo": "و", "o": "و", "i": "ی", "u": "و"}
SHORT = {"a": ""}
FIRST = {"a": "ا", "aa": "آ", "ee": "ای", "oo": "او", "o": "او", "i": "ا", "u": "ا"}


def transliterate(name: str) -> str:
    """The Urdu spelling of a name that is written in these letters: Zareen, زرین; Kashmala, کشمالا."""
    text, result = name.lower(), ""
    while text:
        size = next((n for n in (2, 1) if text[:n] in CONSONANTS or text[:n] in LONG or text[:n] in SHORT), 0)
        if not size:
            raise ValueError(f"{name!r} has letters without a rule, from {text!r} on")
        piece, text = text[:size], text[size:]
        if piece in CONSONANTS:
            result += CONSONANTS[piece]
        elif not result:
            result += FIRST[piece]
        elif piece == "a":
            result += "" if text else "ا"  # a short vowel is only written at the end
        else:
            result += LONG[piece]
    return result


def spelled_name(rng: random.Random) -> Name:
    """A made-up name of two or three syllables. One in "a" is a woman's."""
    consonants = list(CONSONANTS)
    name = ""
    for place in range(rng.randint(2, 3)):
        vowel = rng.choice(["a", "aa", "ee", "oo", "a", "i", "o"] if place == 0 else ["a", "aa", "ee", "oo"])
        name += rng.choice(consonants) + vowel
    name = name.rstrip("aeio") + rng.choice(["a", rng.choice("nrlmds"), "i"]) if not name.endswith("a") else name
    return Name(name.capitalize(), transliterate(name), "f" if name.endswith("a") else "m", "person")
