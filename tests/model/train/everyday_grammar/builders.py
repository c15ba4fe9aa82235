"""Short names with which `worked.tsv` says how the grammar builds each of its sentences."""

from __future__ import annotations

import random
from dataclasses import replace

from model.train.corpora.en_ur import write_pair
from model.train.corpora.en_ur_clauses import Pair
from model.train.corpora.en_ur_phrases import name_phrase, pronoun_phrase, who_phrase, words
from model.train.corpora.everyday import becoming, being, clauses, durations, lexicon, phrases, reports
from model.train.corpora.everyday.clauses import Clause
from model.train.corpora.everyday.complex_sentences import able, again, as_condition
from model.train.corpora.everyday.small_talk import Talker
from model.train.corpora.urdu_lexicon import Name


class Never(random.Random):
    """Chance always says no, so that a Talker's own choices do not vary."""

    def random(self) -> float:
        return 0.99


TALKER = Talker(Never())
I, you, he, she, we, they = (pronoun_phrase("subject", one) for one in ["I", "you", "he", "she", "we", "they"])
me, him, her, us, them, it = (pronoun_phrase("object", one) for one in ["I", "he", "she", "we", "they", "it"])
my, your, his, hers, our, their = (pronoun_phrase("owner", one) for one in ["I", "you", "he", "she", "we", "they"])
PREDICATES = {adjective.english: adjective for adjective in reversed(lexicon.adjectives())} | {
    "old man": next(a for a in lexicon.adjectives() if a.urdu == "بوڑھا")
}


def name(english, slot="subject"):
    found = {one.english: one for one in (*lexicon.names(), *lexicon.places())}[english]
    return name_phrase(slot, Name(*found))


def adjective(english):
    elder = {"older": "بڑا", "younger": "چھوٹا"}
    if english in elder:
        return lexicon.Adjective(english, elder[english], frozenset())
    return PREDICATES[english]


def np(slot, english, determiner="the", number="sg", adjectives="", owner=None, own=False, count=0, degree=("", "")):
    chosen = tuple(adjective(word) for word in adjectives.split())
    return phrases.make(slot, lexicon.noun(english), number, determiner, chosen, owner, own, count, degree)


def s(english, *more, **given):
    return np("subject", english, *more, **given)


def o(english, *more, **given):
    return np("object", english, *more, **given)


def p(preposition, english, **given):
    return clauses.at(preposition, np("place", english, **given))


def t(english, section, position="end"):
    found = next(one for one in lexicon.adverbs(section) if one.english == english)
    slot = section.split()[0]
    return clauses.adverb(found.english, found.urdu, slot, position, found.feature == "negative")


def clause(subject, verb, tense, object=None, *adjuncts, **more):
    """The first verb of that name that takes an object, or that takes none, as the clause has it."""
    takes = object is not None or more.get("passive", False)
    found = [one for one in lexicon.verbs() if f"{one.base} {one.particle}".strip() == verb]
    chosen = next((one for one in found if one.transitive == takes), found[0])
    return Clause(subject, chosen, tense, object, adjuncts=adjuncts, **more)


def do(*given, **more):
    return clause(*given, **more).pair()


def quality(subject, english, tense="present", **more):
    chosen = adjective(english)
    urdu = phrases.decline_adjective(chosen.urdu, subject.gender, subject.number)
    return being.be_clause(subject, tense, words(english, "q/adjective"), words(urdu, "q/adjective"), **more)


def is_(subject, complement, tense="present", **more):
    """A noun as the predicate. With respect, it is plural in Urdu as its subject."""
    return being.be_clause(subject, tense, complement.english, complement.direct, **more)


def friend_of(subject, owner, english="friend"):
    """ "My friend" as a predicate that agrees with `subject`."""
    word = lexicon.noun(english)._replace(gender=subject.gender)
    many = subject.be == "are" and subject.possessive != "your"
    shown = phrases.make("predicate", word, "pl" if many else "sg", owner=owner)
    polite = phrases.make("predicate", word, subject.number, owner=owner)
    return replace(shown, direct=polite.direct)


def who_rel(head, inner, said):
    """ "The man who came" as the subject of `said`."""
    inside = replace(inner, subject=reports.jo_phrase(head))
    english = words("who", "subject/relative") + reports.without_head(inside)
    pair = said(reports.meant(head, english))
    return Pair(pair.english, inside.pair().urdu + pair.urdu)


def written(pair):
    example = write_pair(pair, "?" if pair.asks else "")
    return example.source_text, example.target_text


NAMES = {
    "who_phrase": who_phrase,
    **{key: value for key, value in globals().items() if not key.startswith("_")},
    "durations": durations,
    "becoming": becoming,
    "have": being.have,
    "there_is": being.there_is,
    "indefinite": phrases.indefinite,
    "join": phrases.join,
    "measured": phrases.measured,
    "unit": lexicon.noun,
    "with_": phrases.described,
    "again": again,
    "condition": as_condition,
    "able": able,
}
