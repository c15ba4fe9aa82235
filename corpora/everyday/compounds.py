"""What stands before an English noun and belongs to it: "kitchen door", "tea shop", "paper bag", "moving train".

In Urdu a noun before a noun takes کا, which agrees: باورچی خانے کا دروازہ. So it is built as an adjective.
"""

from __future__ import annotations

from functools import cache

from corpora.en_ur_phrases import noun_form
from corpora.everyday.lexicon import Adjective, noun, nouns_of
from corpora.urdu_lexicon import Noun

COMPOUNDS = {  # the second noun, and the nouns or kinds that stand before it
    "door": "kitchen bedroom bathroom car school shop house office room classroom",
    "window": "bedroom kitchen shop car bus train classroom office room",
    "wall": "garden kitchen bedroom school house",
    "floor": "kitchen bathroom room bedroom",
    "gate": "school garden park house office",
    "key": "car house room office bicycle",
    "table": "kitchen",
    "light": "kitchen bedroom street room",
    "shop": "tea book fruit flower cloth shoe vegetable toy medicine mobile gift cake",
    "tree": "apple mango orange lemon fruit guava coconut banana almond",
    "juice": "apple mango orange lemon fruit pomegranate",
    "soup": "chicken vegetable tomato",
    "curry": "chicken potato vegetable",
    "salad": "fruit vegetable",
    "jam": "mango apple strawberry",
    "garden": "flower rose vegetable",
    "ticket": "bus train plane film",
    "driver": "truck train rickshaw car",
    "book": "history science Urdu English grammar story",
    "teacher": "school Urdu English history science music mathematics",
    "exam": "Urdu English history science mathematics",
    "lesson": "Urdu English history science",
    "team": "cricket football hockey school",
    "game": "cricket football hockey",
    "party": "birthday wedding",
    "gift": "birthday wedding Eid",
    "dress": "wedding Eid",
    "uniform": "school",
    "library": "school city village",
    "friend": "school college",
    "building": "school office college bank",
    "bag": "school",
    "glass": "water milk juice",
    "cup": "tea coffee",
    "bottle": "water milk oil",
    "box": "paper metal",
    "number": "house room",
}


@cache
def compound_modifiers(word: Noun) -> tuple[Adjective, ...]:
    """The nouns that can stand before a noun, as adjectives: "kitchen" of "kitchen door"."""
    firsts = [first for name in COMPOUNDS.get(word.english, "").split() for first in nouns_of(name)]
    return tuple(before(first) for first in firsts)


def before(first: Noun) -> Adjective:
    """A noun that stands before another. What is bought, sold or planted there is plural in Urdu: پھولوں کا باغ."""
    several = first.english in SEVERAL
    urdu = noun_form(first, "pl" if several else "sg", True)
    return Adjective(first.english, f"{urdu} کا", frozenset(), "", frozenset({"attr", "plain"}))


SEVERAL = {"book", "fruit", "flower", "shoe", "vegetable", "toy", "story", "rose", "gift"}


def compound(first: str, second: str) -> Adjective:
    """The modifier of this name. Raises `StopIteration` for a pair that is not in the table."""
    return next(one for one in compound_modifiers(noun(second)) if one.english == first)
