"""Clauses of the everyday corpus: somebody does something, is something, or has something.

English: front, auxiliary, subject, verb, objects, circumstances. Urdu: subject, time, place, objects, manner, verb.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, Word, add_postposition, possessive, words
from corpora.everyday.lexicon import Verb, rows
from corpora.everyday.phrases import NEGATIVE
from corpora.everyday.verb_groups import controller, english_group, subject_marker, urdu_group
from corpora.urdu_forms import MASCULINE, Agreement, perfective

POSTPOSITIONS = {row.cell(0): row.cell(1) for row in rows("function_words.tsv") if row.section == "preposition"}
URDU_ORDER = ("time", "frequency", "reason", "place", "with", "late", "manner")
ONCE = {"past", "perfect", "pluperfect"}  # tenses of what happened once
USES = {"drive", "ride", "wear", "play", "put", "take", "park", "sing", "cook", "use", "draw", "learn", "watch"}
QUESTION_WORDS = {
    "what": "کیا",
    "where": "کہاں",
    "when": "کب",
    "why": "کیوں",
    "how": "کیسے",
    "how often": "کتنی بار",
    "how long": "کتنی دیر",
    "what time": "کتنے بجے",
    "where from": "کہاں سے",
}


class Adjunct(NamedTuple):
    """A circumstance. `slot` is its place in Urdu (`URDU_ORDER`), `position` in English: "front", "mid" or "end"."""

    english: Phrase
    urdu: Phrase
    slot: str
    position: str = "end"
    negative: bool = False  # "never"


def adverb(english: str, urdu: str, slot: str, position: str = "end", negative: bool = False) -> Adjunct:
    role = f"{slot}-{'-'.join(english.split())}/{'frequency' if slot == 'frequency' else 'time'}"
    return Adjunct(words(english, role), words(urdu, role), slot, position, negative)


def at(preposition: str, phrase: NounPhrase, slot: str = "place", urdu: str = "") -> Adjunct:
    """A preposition and a noun phrase: "in the garden". `urdu` is another postposition than the usual one."""
    name = phrase.direct[-1].role.split("/")[0]
    english = words(preposition, f"{name}/preposition") + phrase.as_object
    return Adjunct(english, postposed(phrase, urdu or POSTPOSITIONS[preposition]), slot)


def postposed(phrase: NounPhrase, marker: str, agreement: Agreement = MASCULINE) -> Phrase:
    """The phrase before any postposition: also those that begin with کی, and those of two words (سے پہلے)."""
    name = phrase.direct[-1].role.split("/")[0]
    first, _, rest = marker.partition(" ")
    if first == "کی":
        return possessive(phrase, "f", "sg", True) + words(rest, f"{name}/preposition")
    return add_postposition(phrase, marker, agreement)


@dataclass(frozen=True)
class Clause:
    """Somebody does something. `question` is "", "yes/no", "subject", "object" or one of `QUESTION_WORDS`."""

    subject: NounPhrase
    verb: Verb
    tense: str
    object: NounPhrase | None = None
    recipient: NounPhrase | None = None
    adjuncts: tuple[Adjunct, ...] = ()
    negative: bool = False
    question: str = ""
    recipient_first: bool = False  # "gives Sara a book"
    passive: bool = False  # the subject is then the thing that something is done to
    object_before: bool = False  # in Urdu the object stands first: جو کتاب میں نے خریدی
    silent: bool = False  # without the Urdu subject, as in a request

    def pair(self) -> Pair:
        return Pair(english(self), urdu(self), bool(self.question))

    @property
    def denial(self) -> Phrase:
        """The Urdu negation. It translates "not", "never", "no" or "nobody"."""
        if self.negative:
            return words(negation_word(self.tense), "not")
        for adjunct in self.adjuncts:
            if adjunct.negative:
                return words("نہیں", adjunct.english[0].role)
        for phrase in (self.subject, self.object, self.recipient):
            if phrase is not None and phrase.english and denies(phrase):
                return words("نہیں", phrase.english[0].role)
        return ()

    @property
    def marker(self) -> str:
        return "" if self.passive else subject_marker(self.verb, self.urdu_tense)

    @property
    def urdu_tense(self) -> str:
        """Denied obligations differ: "do not have to" has no infinitive that agrees. So does what was so: جانتا تھا."""
        if self.tense == "past" and "habit" in self.verb.features:
            return "used to"
        return "do not have to" if self.tense in ("have to", "need to") and self.negative else self.tense

    @property
    def agreement(self) -> Agreement:
        if self.passive:
            marked = self.subject.takes_ko
            return MASCULINE if marked else self.subject.agreement
        bare = self.object is not None and not self.verb.marker and (self.verb.dative or not marks(self))
        return controller(
            self.subject.agreement, self.marker, self.verb, self.object.agreement if bare and self.object else None
        )


def denies(phrase: NounPhrase) -> bool:
    return phrase.english[0].text in (*NEGATIVE, "no")


def negation_word(tense: str) -> str:
    return "نہ" if tense in ("imperative", "familiar", "subjunctive", "may", "might", "shall", "would") else "نہیں"


def marks(clause: Clause) -> bool:
    """Whether کو marks the object."""
    return clause.object is not None and (clause.object.takes_ko or "ko" in clause.verb.features)


def introduces(clause: Clause) -> bool:
    """Whether "a" before the object is ایک: it brings in one person, or one thing in what happened once.

    What somebody does as a habit, will do or wants to do has none: وہ ٹوپی پہنتا ہے. What is driven or worn has none.
    """
    if clause.object is None or clause.object.takes_ko:
        return True
    return clause.tense in ONCE and clause.verb.base not in USES and not clause.verb.dative


def english(clause: Clause) -> Phrase:
    verb, subject = clause.verb, clause.subject
    asks = clause.question not in ("", "subject")
    tense = {"familiar": "imperative", "conditional": "present"}.get(clause.tense, clause.tense)
    group = english_group(verb, tense, subject.be, clause.negative, asks, clause.passive)
    by_position = {place: tuple(a for a in clause.adjuncts if a.position == place) for place in ("front", "mid", "end")}
    mid = joined(a.english for a in by_position["mid"])
    negation = words("not", "not") if clause.negative else ()
    said = () if clause.tense in ("imperative", "familiar") else subject.english
    particle = words(verb.particle, "verb")
    object_ = clause.object.as_object if clause.object is not None else ()
    fronted: Phrase = ()
    if clause.question == "object":
        fronted, object_ = object_, ()
    elif asks and clause.question != "yes/no":
        fronted = words(clause.question.removesuffix(" from"), "question")
    pronoun = clause.object is not None and clause.object.pronoun is not None and bool(object_)
    tail = object_ + particle if pronoun and "sep" in verb.features else particle + object_
    if clause.recipient is not None and clause.recipient_first:
        tail = clause.recipient.as_object + tail
    elif clause.recipient is not None:
        tail += words("to") + clause.recipient.as_object
    tail += words("from") if clause.question == "where from" else ()
    start = group.auxiliary + said if asks else said + group.auxiliary
    verb_words = negation + mid + group.rest if asks or group.auxiliary else mid + group.rest
    front = joined(a.english for a in by_position["front"])
    return front + fronted + start + verb_words + tail + joined(a.english for a in by_position["end"])


def joined(phrases: Iterable[Phrase]) -> Phrase:
    return tuple(word for phrase in phrases for word in phrase)


def urdu(clause: Clause) -> Phrase:
    verb, negative = clause.verb, bool(clause.denial)
    by_slot = {slot: joined(a.urdu for a in clause.adjuncts if a.slot == slot) for slot in URDU_ORDER}
    shadowed = clause.tense in ("imperative", "familiar") or clause.silent
    subject = () if shadowed else urdu_subject(clause)
    object_ = urdu_object(clause)
    recipient = add_postposition(clause.recipient, "کو") if clause.recipient else ()
    asked = QUESTION_WORDS.get(clause.question, "")
    question = words(asked, "question")
    if clause.question == "subject" and not verb.marker.startswith("ک"):
        subject, question = (), subject
    group = (
        passive_verb(clause, negative)
        if clause.passive
        else urdu_group(
            verb,
            clause.urdu_tense,
            clause.agreement,
            negative,
            () if clause.urdu_tense == "do not have to" else clause.denial,
        )
    )
    first = object_ if clause.object_before else ()
    maybe = words("شاید", "modal") if clause.tense in ("may", "might", "might have") else ()
    surely = words("ہرگز" if clause.negative else "ضرور", "modal") if clause.tense == "must" else ()
    early = by_slot["time"] + by_slot["frequency"] + by_slot["reason"]
    return (
        (words("کیا") if clause.question == "yes/no" else ())
        + maybe
        + first
        + subject
        + early
        + by_slot["place"]
        + by_slot["with"]
        + recipient
        + (() if clause.object_before else object_)
        + by_slot["late"]
        + by_slot["manner"]
        + surely
        + question
        + group
    )


def urdu_subject(clause: Clause) -> Phrase:
    if clause.passive:
        return add_postposition(clause.subject, "کو") if clause.subject.takes_ko else clause.subject.direct
    if not clause.marker:
        return clause.subject.direct
    commas = [place for place, word in enumerate(clause.subject.direct) if word.text == "،"]
    aside = clause.subject.direct[commas[0] :] if commas else ()  # علی نے، جو یہاں رہتا ہے، گایا
    return add_postposition(clause.subject, clause.marker) + aside


def urdu_object(clause: Clause) -> Phrase:
    """The object with its verb's postposition, or with کو, or without any."""
    verb, phrase = clause.verb, clause.object
    if phrase is None:
        return ()
    if clause.denial or clause.question == "yes/no" or not introduces(clause):
        phrase = phrase.without_article()
    if verb.marker in ("کا", "") and verb.dative and verb.stem == "ضرورت":
        return add_postposition(phrase, "کا", Agreement("f", "sg"))
    if verb.dative:
        return phrase.direct
    if verb.marker == "کا":
        number = "pl" if verb.agrees.endswith("p") else "sg"
        return add_postposition(phrase, "کا", Agreement(verb.agrees[:1] or "m", number))
    if verb.marker:
        return postposed(phrase, verb.marker, clause.agreement)
    return add_postposition(phrase, "کو") if marks(clause) else phrase.direct


def passive_verb(clause: Clause, negative: bool) -> Phrase:
    """بنایا گیا, کھولا جائے گا: the perfective participle, and جانا in the tense of the clause."""
    verb, agreement = clause.verb, clause.agreement
    if verb.passive:
        *complement, stem = verb.passive.split()
        happening = verb._replace(stem=stem, complement=" ".join(complement), vector="جا", ergative=False)
        return urdu_group(happening, clause.tense, agreement, negative, clause.denial)
    going = verb._replace(stem="جا", complement="", vector="", ergative=False, features=frozenset())
    after = urdu_group(going, clause.tense, agreement, negative)
    after = tuple(Word(word.text, "" if word.role == "verb" else word.role) for word in after)
    return words(verb.complement, "verb") + clause.denial + words(perfective(verb.stem, agreement), "verb") + after


def rename(pair: Pair, prefix: str) -> Pair:
    """The pair with other roles, to stand beside another in one sentence."""

    def renamed(phrase: Phrase) -> Phrase:
        return tuple(Word(word.text, word.role and f"{prefix} {word.role}") for word in phrase)

    return Pair(renamed(pair.english), renamed(pair.urdu), pair.asks)


def without_subject(clause: Clause) -> Pair:
    """The clause without its subject in both languages, to stand behind "and"."""
    silent = replace(clause, subject=replace(clause.subject, english=()), silent=True)
    said = replace(silent, tense="subjunctive") if clause.tense == "future" else silent  # "will come and (will) eat"
    return Pair(english(said), urdu(silent))
