"""Sentences of the small world with their feeling and each word's part of speech, for `tiny-encoder`.

A feeling is positive, negative or neutral. A negation flips it ("not good", "never liked", "I do not think that it was
bad"), but only in its own clause: "Tom did not wait, but the soup was good" is positive. Some words change their part
of speech with their place: "They walk" and "the walk", "I like tea" and "looks like a dog", "her book" and "saw her".

The tokenizer cuts a word that it does not know into pieces, and a sentence may be typed without its capital. So in
training some words are cut too, each piece with the part of speech of the whole word, and some capitals are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from corpora.lines import is_held_out
from corpora.words import ANIMALS, CAPITALS, COLOURS, FOODS, NAMES, PEOPLE, PLACES, THINGS

FEELINGS = ("negative", "neutral", "positive")
PARTS = (
    "noun",
    "name",
    "verb",
    "adjective",
    "adverb",
    "determiner",
    "pronoun",
    "preposition",
    "conjunction",
    "particle",
    "interjection",
    "punctuation",
)
_TAGS = dict(zip(("N", "NAME", "V", "A", "ADV", "D", "PRO", "P", "C", "PART", "I", "."), PARTS, strict=True))

GOOD = ("good", "great", "nice", "lovely", "wonderful", "cool", "happy", "kind", "beautiful")
BAD = ("bad", "awful", "ugly", "terrible", "horrible", "boring", "sad", "rude", "dirty")
LIKING = {"like": "liked", "love": "loved", "enjoy": "enjoyed", "praise": "praised"}
DISLIKING = {"hate": "hated", "dislike": "disliked", "fear": "feared", "blame": "blamed"}
BOTH = ("walk", "swim", "play", "drink", "dance")  # nouns and verbs
JUDGED = (*FOODS, *THINGS, "food", "weather", "song", "story", "film", *BOTH, "light")
OF_WHOM = ("her", "his", "my", "your", "our", "their")
OBJECTS = ("her", "him", "them", "it", "me", "us", "you")
SINGULAR = ("he", "she", "it")  # as subjects
PLURAL = ("they", "we", "you")  # as subjects; "I" takes their verbs, but for "be"

# The example sentences of the app, tagged by hand; `~` joins to the word before. They are always in the training text.
EXAMPLES_TAGGED = (
    ("the/D quick/A brown/A fox/N jumps/V over/P the/D lazy/A dog/N ./.", "neutral"),
    (
        "Transformers/NAME is/V a/D very/ADV cool/A machine-learning/A model/N ,/. because/C it/PRO is/V very/ADV "
        "efficient/A ./.",
        "positive",
    ),
    ("I/PRO swam/V across/P the/D river/N to/PART get/V to/P the/D other/A bank/N ./.", "neutral"),
    ("I/PRO walked/V across/P the/D road/N to/PART get/V cash/N from/P the/D bank/N ./.", "neutral"),
    ("George/NAME drove/V to/P the/D bank/N ./.", "neutral"),
    ("the/D Transformer/NAME model/N is/V cool/A ./.", "positive"),
    ("the/D weather/N is/V cool/A ./.", "positive"),
    ("hello/I I/PRO like/V you/PRO ./.", "positive"),
    ("I/PRO am/V a/D robot/N ./.", "neutral"),
    ("AJ/NAME ~'/PART ~s/PART dog/N is/V a/D cutie/N ./.", "positive"),
    ("AJ/NAME looks/V like/P a/D dog/N ./.", "neutral"),
    ("what/D time/N is/V it/PRO ?/.", "neutral"),
)
EXAMPLE_SHARE = 0.05  # of the training sentences
SMALL_SHARE = 0.1  # of the training sentences: without their capital
CUT_SHARE = 0.1  # of the long words in training: in two pieces
MIN_CUT_LETTERS = 5  # a piece of "the" would be the word "he"


@dataclass(frozen=True)
class TaggedSentence:
    """A sentence as pieces of text (a word with its leading space, or a sign), each with its part of speech."""

    pieces: tuple[str, ...]
    parts: tuple[str, ...]
    feeling: str

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def held_out(self) -> bool:
        return is_held_out(self.text)


def _noun_phrase(rng: Random) -> str:
    return f"{rng.choice(('the', 'this', 'that', *OF_WHOM))}/D {rng.choice(JUDGED)}/N"


def _somebody(rng: Random) -> str:
    """A subject in the third person singular, tagged."""
    return rng.choice(
        (f"{rng.choice(NAMES)}/NAME", f"the/D {rng.choice(sorted(PEOPLE))}/N", f"{rng.choice(SINGULAR)}/PRO")
    )


def _who_is(rng: Random) -> str:
    """Anybody, with the form of "be" that goes with them, tagged."""
    return rng.choice(
        (
            f"{_somebody(rng)} {rng.choice(('is', 'was'))}/V",
            f"{rng.choice(PLURAL)}/PRO {rng.choice(('are', 'were'))}/V",
            f"I/PRO {rng.choice(('am', 'was'))}/V",
        )
    )


def _opinion(rng: Random) -> tuple[str, int]:
    """A clause that judges, tagged, and its feeling: 1 or -1."""
    kind, good, negated = rng.randrange(7), rng.random() < 0.5, rng.random() < 0.5
    sign = (1 if good else -1) * (-1 if negated else 1)
    adjective = f"{rng.choice(GOOD if good else BAD)}/A"
    very = rng.choice(("", "", "very/ADV ", "really/ADV "))
    no = rng.choice(("not/ADV ", "never/ADV ")) if negated else ""
    if kind == 0:
        return f"{_noun_phrase(rng)} {rng.choice(('is', 'was'))}/V {no}{very}{adjective}", sign
    if kind == 1:
        return f"{rng.choice(('it', 'this'))}/PRO was/V {no}a/D {very}{adjective} {rng.choice(JUDGED)}/N", sign
    if kind == 2:
        return f"{_who_is(rng)} {no}{very}{adjective}", sign
    who, many = _somebody(rng), f"{rng.choice((*PLURAL, 'I'))}/PRO"
    what = rng.choice((_noun_phrase(rng), f"{rng.choice(FOODS)}/N", f"{rng.choice(OBJECTS)}/PRO"))
    verb = rng.choice(sorted(LIKING if good else DISLIKING))
    past = (LIKING | DISLIKING)[verb]
    if kind == 3:
        did = rng.choice((f"did/V not/ADV {verb}/V", f"never/ADV {past}/V")) if negated else f"{past}/V"
        return f"{rng.choice((who, many))} {did} {what}", sign
    if kind == 4:
        return f"{many} {'do/V not/ADV ' if negated else ''}{verb}/V {what}", sign
    if kind == 5:
        does = f"does/V not/ADV {verb}/V" if negated else f"{verb}s/V"
        return f"{who} {does} {what}", sign
    one = f"{who} {'does/V not/ADV think/V' if negated else 'thinks/V'}"
    several = f"{many} {'do/V not/ADV ' if negated else ''}think/V"
    return f"{rng.choice((one, several))} that/C {_noun_phrase(rng)} was/V {very}{adjective}", sign


def _plain(rng: Random) -> str:
    """A clause without a feeling, tagged; it may hold a negation, or a word of two parts of speech."""
    name, animal = _somebody(rng), f"{rng.choice(sorted(ANIMALS))}/N"
    place = f"{rng.choice(sorted(PLACES))}/N"
    no = rng.choice(("", "", "did/V not/ADV "))
    thing = f"{rng.choice(('a', 'the', *OF_WHOM))}/D {rng.choice(COLOURS)}/A {rng.choice(sorted(THINGS))}/N"
    seen = rng.choice((f"{rng.choice(OBJECTS)}/PRO", thing))
    return rng.choice(
        (
            f"{name} {f'{no}go/V' if no else 'went/V'} to/P the/D {place}",
            f"{name} {f'{no}see/V' if no else 'saw/V'} {seen} near/P the/D {place}",
            f"{name} looks/V like/P a/D {animal}",
            f"{rng.choice((*PLURAL, 'I'))}/PRO {rng.choice(BOTH)}/V near/P the/D {place}",
            f"the/D {animal} runs/V fast/ADV to/P the/D {place}",
            f"the/D {animal} was/V {rng.choice(('', 'not/ADV '))}fast/A",
            f"the/D {animal} has/V {thing}",
            f"{name} lives/V in/P {rng.choice(sorted(CAPITALS))}/NAME",
            f"{name} took/V a/D {rng.choice(BOTH)}/N after/P the/D {rng.choice(BOTH)}/N",
            f"{name} knows/V that/C {rng.choice(NAMES)}/NAME has/V that/D {rng.choice(sorted(THINGS))}/N",
            f"the/D {rng.choice(sorted(THINGS))}/N is/V light/A and/C {rng.choice(COLOURS)}/A",
        )
    )


def feeling(rng: Random) -> TaggedSentence:
    """One sentence: an opinion, a plain clause, or one of each in either order."""
    shape = rng.randrange(4)
    if shape == 0:
        return _tag_sentence(_plain(rng) + " ./.", "neutral")
    clause, sign = _opinion(rng)
    word = "positive" if sign > 0 else "negative"
    if shape == 1:
        return _tag_sentence(f"{clause} {rng.choice(('.', '!'))}/.", word)
    first, second = (clause, _plain(rng)) if shape == 2 else (_plain(rng), clause)
    return _tag_sentence(f"{first} ,/. {rng.choice(('and', 'but', 'because'))}/C {second} ./.", word)


def _tag_sentence(marked: str, word: str) -> TaggedSentence:
    """Reads "the/D soup/N ./." into pieces with their spaces."""
    pieces: list[str] = []
    parts: list[str] = []
    for item in marked.split():
        text, _, tag = item.rpartition("/")
        if not pieces:
            text = text[0].upper() + text[1:]
        elif text[0] == "~":
            text = text[1:]
        elif tag != ".":
            text = f" {text}"
        pieces.append(text)
        parts.append(_TAGS[tag])
    return TaggedSentence(tuple(pieces), tuple(parts), word)


def training_sentence(rng: Random) -> TaggedSentence:
    """A sentence that is not held out, or one of the examples; now and then without its capital."""
    if rng.random() < EXAMPLE_SHARE:
        sentence = _tag_sentence(*rng.choice(EXAMPLES_TAGGED))
    else:
        while (sentence := feeling(rng)).held_out:
            pass
    return small(sentence) if rng.random() < SMALL_SHARE else sentence


def small(sentence: TaggedSentence) -> TaggedSentence:
    """The sentence without its capital. Names and "I" keep theirs."""
    first, *rest = sentence.pieces
    kept = sentence.parts[0] == "name" or first == "I"
    return sentence if kept else replace(sentence, pieces=(first[0].lower() + first[1:], *rest))


def cut(sentence: TaggedSentence, rng: Random, share: float = CUT_SHARE) -> TaggedSentence:
    """The sentence with so many of its long words in two pieces, both with the part of speech of the word."""
    pieces: list[str] = []
    parts: list[str] = []
    for piece, part in zip(sentence.pieces, sentence.parts, strict=True):
        start = len(piece) - len(piece.lstrip()) + 1  # behind the first letter
        cuttable = len(piece.strip()) >= MIN_CUT_LETTERS and rng.random() < share
        place = rng.randrange(start, len(piece)) if cuttable else len(piece)
        halves = [half for half in (piece[:place], piece[place:]) if half]
        pieces += halves
        parts += [part] * len(halves)
    return replace(sentence, pieces=tuple(pieces), parts=tuple(parts))


def held_out_sentences(seed: int = 0) -> Iterator[TaggedSentence]:
    """Distinct sentences that training never sees, without end, the same for the same seed."""
    rng, seen = Random(f"held-out feelings {seed}"), set()
    while True:
        sentence = feeling(rng)
        if sentence.held_out and sentence.text not in seen:
            seen.add(sentence.text)
            yield sentence
