"""The skills of the small world. Each has a function that makes a random line with its questions.

The words before a question always determine its answer, so a model can always be right. The last word alone never
does, so attention is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from corpora.lines import Line, make_line
from corpora.words import (
    ANIMALS,
    CAPITALS,
    COLOURS,
    EXAMPLE_SENTENCES,
    FOODS,
    INTRANSITIVE,
    MEN,
    NAMES,
    NUMBERS,
    OPPOSITES,
    PEOPLE,
    PLACES,
    PLURAL_FORMS,
    SINGULAR_FORMS,
    SIZES,
    SOUNDS,
    STATES,
    THINGS,
    TRANSITIVE,
    WOMEN,
)  # fmt: skip

CREATURES = ANIMALS | PEOPLE


def pick(rng: Random, choices: Iterable[str]) -> str:
    """A random one of `choices`; of a dictionary, a random key."""
    return rng.choice(list(choices))


def noun(rng: Random, nouns: dict[str, str]) -> tuple[str, bool]:
    """A random noun, singular or plural, and whether it is plural."""
    one = pick(rng, nouns)
    return (nouns[one], True) if rng.random() < 0.5 else (one, False)


def capitalise(text: str) -> str:
    """The text with a capital first letter."""
    return text[0].upper() + text[1:]


# --- agreement -------------------------------------------------------------------------------------------


def verb_phrase(rng: Random, plural: bool) -> str:
    """A predicate in the right number: "are happy", "has a red ball", "run"."""
    kind = rng.randrange(4)
    if kind == 0:
        return f"{'are' if plural else 'is'} {pick(rng, STATES)}"
    if kind == 1:
        return f"{'were' if plural else 'was'} {pick(rng, STATES)}"
    if kind == 2:
        return f"{'have' if plural else 'has'} a {pick(rng, COLOURS)} {pick(rng, THINGS)}"
    verb = pick(rng, INTRANSITIVE)
    return INTRANSITIVE[verb][0] if plural else verb


def agreement(rng: Random) -> Line:
    """The verb agrees with its subject across a phrase in between: "The dogs near the tree| are happy."."""
    subject, plural = noun(rng, CREATURES)
    adjective = rng.choice(("", "", f"{pick(rng, SIZES)} "))
    head = f"The {adjective}{subject}"
    forms = PLURAL_FORMS if plural else SINGULAR_FORMS
    if rng.random() < 0.6:
        other, _ = noun(rng, PLACES | THINGS)
        where, colour = rng.choice(("near", "behind", "beside", "with")), rng.choice(("", f"{pick(rng, COLOURS)} "))
        return make_line("agreement", f"{head} {where} the {colour}{other}| {verb_phrase(rng, plural)}.", forms)
    other, other_plural = noun(rng, CREATURES)
    if other in subject or subject in other:
        return agreement(rng)
    verb = pick(rng, TRANSITIVE)
    inner = TRANSITIVE[verb][0] if other_plural else verb
    inner_forms = PLURAL_FORMS if other_plural else SINGULAR_FORMS
    text = f"{head} that the {other}| {inner}| {verb_phrase(rng, plural)}."
    return make_line("agreement", text, inner_forms, forms)


# --- pronouns --------------------------------------------------------------------------------------------


def pronoun(rng: Random) -> Line:
    """he, she, it, they: the model must choose the right pronoun, or know whom a pronoun means."""
    return _choose_pronoun(rng) if rng.random() < 0.25 else _find_owner(rng)


def _choose_pronoun(rng: Random) -> Line:
    """ "Anna jumped over the dog because| she was happy": the pronoun is the subject's."""
    subject, word = rng.choice(
        (
            (pick(rng, MEN), "he"),
            (pick(rng, WOMEN), "she"),
            (f"The {pick(rng, ANIMALS)}", "it"),
            (f"The {ANIMALS[pick(rng, ANIMALS)]}", "they"),
        )
    )
    did = rng.choice(
        (
            INTRANSITIVE[pick(rng, INTRANSITIVE)][1],
            "went home",
            "did not cross the road",
            f"jumped over the {pick(rng, ANIMALS)}",
            f"went to the {pick(rng, PLACES)}",
            f"sat near the {pick(rng, PLACES)}",
        )
    )
    be = "were" if word == "they" else "was"
    return make_line("pronoun", f"{subject} {did} because| {word} {be} {pick(rng, STATES)}.")


def _find_owner(rng: Random) -> Line:
    """ "Anna is happy, Tom is sad and the dog is hungry. He is| sad. It is| hungry. She is| happy." """
    return _tell_and_ask(rng, "pronoun", by_pronoun=True)


def _tell_and_ask(rng: Random, skill: str, by_pronoun: bool) -> Line:
    """Tells what a man, a woman and an animal are, have or like. Then asks it of each, by pronoun or by name."""
    owners = [(pick(rng, MEN), "he"), (pick(rng, WOMEN), "she"), (f"the {pick(rng, ANIMALS)}", "it")]
    rng.shuffle(owners)
    owners = owners[: rng.choice((2, 3))]
    verb, choices = rng.choice((("is", STATES), ("has the", sorted(THINGS)), ("likes", FOODS)))
    facts = list(zip(owners, rng.sample(choices, len(owners)), strict=True))
    clauses = [f"{owner} {verb} {part}" for (owner, _), part in facts]
    rng.shuffle(facts)
    asked = " ".join(capitalise(f"{word if by_pronoun else owner} {verb}| {part}.") for (owner, word), part in facts)
    return make_line(skill, f"{capitalise(', '.join(clauses[:-1]))} and {clauses[-1]}. {asked}")


# --- repetition ------------------------------------------------------------------------------------------

ONSETS, VOWELS = "bdfgklmnprstvz", "aeiou"


def invented_name(rng: Random) -> str:
    """A name that nobody has: "Zobila". A model can only copy it from the text."""
    syllables = "".join(rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(3))
    return capitalise(syllables)


def repetition(rng: Random) -> Line:
    """Words that stood in the line before: names in a scene, pairs, invented names, repeated lists and sentences."""
    kinds = {_gift: 1, _pairs: 1, _recall: 2, _invent_line: 1, _said_twice: 4, _echo: 1}
    return rng.choices(list(kinds), list(kinds.values()))[0](rng)


def _gift(rng: Random) -> Line:
    """ "When Tom and Mary went to the park, Tom gave a book to| Mary." """
    first, second = rng.sample(NAMES, 2)
    giver, taker = rng.choice(((first, second), (second, first)))
    start = rng.choice(("When", "After", "While"))
    went = f"{first} and {second} {rng.choice(('went to', 'walked to', 'were at'))} the {pick(rng, PLACES)}"
    return make_line("repetition", f"{start} {went}, {giver} gave a {pick(rng, THINGS)} to| {taker}.")


def _pairs(rng: Random) -> Line:
    """ "Ruth lives with Omar and Kate lives with Leo. So Kate lives with| Leo and Ruth lives with| Omar." """
    names = rng.sample(NAMES, 4)
    verb = rng.choice(("lives with", "sings with", "waits for", "walks with"))
    left, right = names[::2], names[1::2]
    order = rng.choice(((0, 1), (1, 0)))
    first = f"{left[0]} {verb} {right[0]} and {left[1]} {verb} {right[1]}."
    second = " and ".join(f"{left[i]} {verb}| {right[i]}" for i in order)
    return make_line("repetition", f"{first} So {second}.")


def _recall(rng: Random) -> Line:
    """ "Anna is happy and Tom is sad. Tom is| sad. Anna is| happy." """
    return _tell_and_ask(rng, "repetition", by_pronoun=False)


def _invent_line(rng: Random) -> Line:
    """ "The dog is called Zobila. We call:| Zobila!" """
    name, animal = invented_name(rng), pick(rng, ANIMALS)
    text = rng.choice(
        (
            f"The {animal} is called {name}. We call:| {name}!",
            f"My {animal} is called {name}. Come here,| {name}!",
            f"The name of the {animal} is {name}. So the {animal} is called| {name}.",
        )
    )
    return make_line("repetition", text)


def _said_twice(rng: Random) -> Line:
    """ "Say it twice: red cup moon, red| cup| moon." """
    pool = (*THINGS, *FOODS, *COLOURS, *ANIMALS, *PLACES, *NAMES)
    words = rng.sample(pool, rng.randint(4, 10))
    return make_line(
        "repetition", f"Say it twice: {' '.join(words)}, {words[0]}" + "".join(f"| {w}" for w in words[1:]) + "."
    )


def _echo(rng: Random) -> Line:
    """'Ali said: "The cow says moo." Then Mary said: "The cow| says| moo|."'"""
    inner = rng.choice((agreement, scene, _find_owner, bank))(rng).text
    first, second = rng.sample(NAMES, 2)
    words = inner.split()
    again = f"{words[0]}|" + "".join(f" {word}" for word in words[1:])
    return make_line("repetition", f'{first} said: "{inner}" Then {second} said: "{again}"', inner=(inner,))


# --- bank ------------------------------------------------------------------------------------------------

RIVER_WORDS = ("muddy", "grassy", "steep", "wet", "sandy")
MONEY_WORDS = ("closed", "open", "busy", "rich", "modern")
RIVER_SIGHTS = ("duck", "frog", "fish", "swan", "turtle")
MONEY_SIGHTS = ("clerk", "guard", "thief", "lawyer", "manager")


def bank(rng: Random) -> Line:
    """The words before "bank" set its sense, river or money. The sense decides the next word."""
    subject = rng.choice(("I", pick(rng, NAMES), pick(rng, NAMES), f"The {pick(rng, PEOPLE)}"))
    with_whom = rng.choice(("", "", f" with {pick(rng, NAMES)}"))
    river = rng.random() < 0.5
    if river:
        went = rng.choice(
            (
                f"swam across the river{with_whom} to get to the other bank",
                f"went along the river{with_whom} to the bank",
                f"took a {rng.choice(('', f'{pick(rng, COLOURS)} '))}boat{with_whom} to the bank",
                f"crossed the {rng.choice(('', 'cold ', 'wide '))}water{with_whom} to the far bank",
                f"swam{with_whom} to the bank",
            )
        )
    else:
        went = rng.choice(
            (
                f"walked across the road{with_whom} to get cash from the bank",
                f"went along the road{with_whom} to the bank",
                f"drove a {rng.choice(('', f'{pick(rng, COLOURS)} '))}car{with_whom} to the bank",
                f"brought {rng.choice(('', 'some ', 'more '))}money{with_whom} to the bank",
                f"drove{with_whom} to the bank",
            )
        )
    adjectives, sights = (RIVER_WORDS, RIVER_SIGHTS) if river else (MONEY_WORDS, MONEY_SIGHTS)
    if rng.random() < 0.5:
        after, answers = f"The bank was| {pick(rng, adjectives)}.", adjectives
    else:
        after, answers = f"At the bank there was a| {pick(rng, sights)}.", sights
    return make_line("bank", f"{subject} {went}. {after}", frozenset(f" {word}" for word in answers))


# --- facts -----------------------------------------------------------------------------------------------


def fact(rng: Random) -> Line:
    """A capital, an opposite or the sound of an animal, in one of several frames."""
    frame, (one, other) = rng.choice(("plain", "told", "told", "knows", "knows")), rng.sample(NAMES, 2)
    kind = rng.randrange(3)
    if kind == 0:
        country = pick(rng, CAPITALS)
        core = f"the capital of {country} is| {CAPITALS[country]}"
        if rng.random() < 0.3:
            return make_line(
                "facts",
                f"{one} went{rng.choice((f' with {other}', ''))} to {CAPITALS[country]}, the capital of| {country}.",
            )
    elif kind == 1:
        word = pick(rng, OPPOSITES)
        core = f"the opposite of {word} is| {OPPOSITES[word]}"
    else:
        animal = pick(rng, SOUNDS)
        core = f"{rng.choice(('the', 'a'))} {animal} says| {SOUNDS[animal]}".replace("a owl", "an owl")
    if frame == "plain":
        return make_line("facts", capitalise(core) + ".")
    if frame == "told":
        return make_line("facts", f"{one} told {other} that {core}.")
    return make_line("facts", f"{one} {rng.choice(('knows', 'says', 'learned', 'forgot'))} that {core}.")


# --- closing ---------------------------------------------------------------------------------------------


def closing(rng: Random) -> Line:
    """A list ends after the announced number of things, and an open quote closes."""
    return _counted_list(rng) if rng.random() < 0.5 else _quote(rng)


def _counted_list(rng: Random) -> Line:
    """ "Anna has three things: a cup, a hat| and a ball|." """
    number = pick(rng, NUMBERS)
    if rng.random() < 0.5:
        head, items = "things: a", [f" a {x}" for x in rng.sample(sorted(THINGS), NUMBERS[number])]
        items[0] = items[0].removeprefix(" a")
    else:
        head, items = "foods:", [f" {x}" for x in rng.sample(FOODS, NUMBERS[number])]
    verb = rng.choice(("has", "wants", "found", "bought"))
    joined = items[0] + "".join(f"|,{x}" for x in items[1:-1]) + f"| and{items[-1]}|."
    return make_line("closing", f"{pick(rng, NAMES)} {verb} {number} {head}{joined}")


def _quote(rng: Random) -> Line:
    """'Tom said: "The cow says moo.|"'"""
    inner = rng.choice((agreement, fact, scene))(rng).text
    speaker = rng.choice((pick(rng, NAMES), f"The {pick(rng, PEOPLE)}"))
    verb = rng.choice(("said", "asked" if inner.endswith("?") else "answered"))
    return make_line("closing", f'{speaker} {verb}: "{inner}|"', inner=(inner,))


# --- scenes: the rest of the world, without questions ----------------------------------------------------


def scene(rng: Random) -> Line:
    """A plain sentence of the world, or one of the app's examples."""
    kind = rng.randrange(5)
    if kind == 0:
        text = rng.choice(EXAMPLE_SENTENCES)
    elif kind == 1:
        adjectives = f"{pick(rng, STATES)} {pick(rng, COLOURS)}"
        text = f"The {adjectives} {pick(rng, ANIMALS)} jumps over the {pick(rng, STATES)} {pick(rng, ANIMALS)}."
    elif kind == 2:
        verb = TRANSITIVE[pick(rng, TRANSITIVE)][1]
        text = f"{pick(rng, NAMES)} {verb} the {pick(rng, COLOURS)} {pick(rng, THINGS)}."
    elif kind == 3:
        text = f"{pick(rng, NAMES)}'s {pick(rng, ANIMALS)} is {pick(rng, COLOURS)}."
    else:
        text = f"I like {pick(rng, FOODS)} and {pick(rng, FOODS)}, because I am {pick(rng, STATES)}."
    return Line("scene", text)


SKILLS = {
    "agreement": agreement,
    "pronoun": pronoun,
    "repetition": repetition,
    "bank": bank,
    "facts": fact,
    "closing": closing,
}
