"""Every lemma of the lexicon in all of its forms, so that rare words stand in the vocabulary too.

A sample of sentences has the common words in all forms, but seldom the plural of "rainbow" in the oblique case.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from corpora.en_ur_phrases import Phrase, noun_form, words
from corpora.everyday.lexicon import Adjective, Verb, adjectives, nouns, rows, verbs
from corpora.everyday.phrases import decline_adjective
from corpora.everyday.verb_groups import urdu_group
from corpora.urdu_forms import Agreement, infinitive, perfective
from corpora.urdu_lexicon import Noun

GENDERS, NUMBERS, CASES = ("m", "f"), ("sg", "pl"), (False, True)
OF_ALL = ("present", "past", "future", "progressive", "perfect", "past progressive", "began to")
OF_PEOPLE = ("imperative", "familiar", "subjunctive", "can", "should", "forgot to", "have to")
OF_FEELINGS = ("present", "past", "future")


def lexicon_words() -> set[str]:
    """The words of every lemma of the lexicon, in lower case, with their forms in both languages."""
    found = {word.text for phrase in forms() for word in phrase}
    return {word.lower() for word in found}


def forms() -> Iterator[Phrase]:
    for noun in nouns():
        yield from noun_forms(noun)
    for adjective in adjectives():
        yield from adjective_forms(adjective)
    for verb in verbs():
        yield from verb_forms(verb)
    for pattern in ("adverbs.tsv", "function_words.tsv", "numbers.tsv", "places.tsv", "names.tsv"):
        for row in rows(pattern):
            yield words(row.cell(1))
            yield words("" if pattern == "numbers.tsv" else row.cell(0))


def noun_forms(noun: Noun) -> Iterator[Phrase]:
    """Singular and plural in English; both numbers and both cases in Urdu, where the noun has them."""
    yield words(noun.english)
    yield words(noun.plural or "")
    for number, oblique in product(NUMBERS if noun.plural else ("sg",), CASES):
        yield words(noun_form(noun, number, oblique))


def adjective_forms(adjective: Adjective) -> Iterator[Phrase]:
    """The three degrees in English; in Urdu the forms for both genders, numbers and cases."""
    yield words(adjective.english)
    yield words(f"{adjective.comparative} {adjective.superlative}")
    for gender, number, oblique in product(GENDERS, NUMBERS, CASES):
        yield words(decline_adjective(adjective.urdu, gender, number, oblique))


def verb_forms(verb: Verb) -> Iterator[Phrase]:
    """The five English forms and the particle; the Urdu verb in the tenses in which the generator writes it."""
    yield words(" ".join((*verb.english, verb.particle)))
    people = "person" in verb.subjects.split()
    tenses = OF_FEELINGS if verb.dative else OF_ALL + (OF_PEOPLE if people else ())
    for tense, gender, number, person in product(tenses, GENDERS, NUMBERS, (1, 3) if people else (3,)):
        for negative in (False, True):
            yield urdu_group(verb, tense, Agreement(gender, number, person), negative)
    if verb.dative:
        return
    for oblique in CASES:
        yield words(infinitive(verb.stem, oblique))
    if verb.transitive:
        for gender, number in product(GENDERS, NUMBERS):  # in the passive
            yield words(perfective(verb.stem, Agreement(gender, number)))
