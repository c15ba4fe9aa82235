"""Clauses in English and Urdu: statements, denials and questions in several tenses.

English: subject, auxiliary, verb, object, place, time. Urdu: subject, time, place, object, negation, verb, auxiliary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from corpora.en_ur_phrases import NounPhrase, Phrase, add_postposition, words
from corpora.urdu_forms import MASCULINE, Agreement, agree, copula, finite, infinitive
from corpora.urdu_lexicon import FREQUENCIES, PREPOSITIONS, TIMES
from corpora.urdu_verbs import Verb

BE = {"am": "was", "is": "was", "are": "were"}
QUESTION_WORDS = {"what": "کیا", "where": "کہاں", "when": "کب", "why": "کیوں"}
URDU_TIMES = {english: urdu for times in TIMES.values() for english, urdu in times.items()}


class Pair(NamedTuple):
    """The same sentence in both languages, without the mark at its end."""

    english: Phrase
    urdu: Phrase
    asks: bool = False


class PlacePhrase(NamedTuple):
    """A place: an English preposition ("" before here and there) and the noun phrase after it."""

    preposition: str
    where: NounPhrase

    @property
    def english(self) -> Phrase:
        slot = self.where.direct[-1].role.split("/")[0]
        return words(self.preposition, f"{slot}/preposition") + self.where.as_object

    @property
    def urdu(self) -> Phrase:
        return add_postposition(self.where, PREPOSITIONS.get(self.preposition, "bare"))


class Purpose(NamedTuple):
    """ "to buy bread from the market"."""

    verb: Verb
    object: NounPhrase
    place: PlacePhrase | None = None

    @property
    def english(self) -> Phrase:
        particle = words(self.verb.particle, "aim/preposition")
        place = self.place.english if self.place else ()
        return words("to") + words(self.verb.english[0], "aim/verb") + particle + self.object.as_object + place

    @property
    def urdu(self) -> Phrase:
        place = self.place.urdu if self.place else ()
        object_ = urdu_object(self.verb, self.object, MASCULINE)
        verb = words(f"{self.verb.complement} {infinitive(self.verb.stem, oblique=True)}", "aim/verb")
        return place + object_ + verb + words("کے لیے")


@dataclass(frozen=True)
class Clause:
    """Somebody does something.

    `question` is "", "yes/no", "subject", "object", "where", "when" or "why". In a question for the subject, `subject`
    is "who".
    """

    subject: NounPhrase
    verb: Verb
    tense: str
    object: NounPhrase | None = None
    recipient: NounPhrase | None = None
    place: PlacePhrase | None = None
    purpose: Purpose | None = None
    time: str = ""
    frequency: str = ""
    negative: bool = False
    question: str = ""
    recipient_first: bool = False  # "gives Sara a book", not "gives a book to Sara"

    def pair(self) -> Pair:
        return Pair(english(self), urdu(self), bool(self.question))

    @property
    def asks_whom(self) -> bool:
        """Whether a question for the object asks for a person."""
        return self.verb.takes_people or self.verb.marker in ("سے", "کا", "کو")

    @property
    def is_ergative(self) -> bool:
        """Perfective tenses of transitive verbs mark the subject with نے and leave agreement to the object."""
        perfective = self.tense == "perfect" or (self.tense == "past" and not self.verb.stative)
        return perfective and self.verb.ergative

    @property
    def agreement(self) -> Agreement:
        """The agreement of the Urdu verb: with the subject; in the ergative, with an object without a postposition."""
        if not self.is_ergative:
            return self.subject.agreement
        if self.verb.agrees:
            return Agreement(self.verb.agrees, "sg")
        unmarked = self.object is not None and not self.verb.marker and not self.object.takes_ko
        return self.object.agreement if unmarked and self.object is not None else MASCULINE


def english(clause: Clause) -> Phrase:
    """The English sentence."""
    asks = clause.question not in ("", "subject")
    auxiliary, main = english_verb(clause.verb, clause.tense, clause.subject.be, clause.negative, asks)
    subject = clause.subject.english if clause.tense != "request" else ()
    negation = words("not", "not") if clause.negative else ()
    frequency = words(clause.frequency, "frequency")
    start = auxiliary + subject if asks else subject + auxiliary
    rest = words(clause.verb.particle, "object/preposition")
    if clause.object is not None:
        rest += clause.object.as_object
    if clause.recipient is not None and clause.recipient_first:
        rest = clause.recipient.as_object + rest
    elif clause.recipient is not None:
        rest += words("to") + clause.recipient.as_object
    if clause.place is not None:
        rest += clause.place.english
    if clause.purpose is not None:
        rest += clause.purpose.english
    if clause.question == "where" and clause.object is None and clause.verb.particle:
        rest = rest[1:]  # "Where does he go?"
    return english_question(clause) + start + negation + frequency + main + rest + words(clause.time, "time")


def english_question(clause: Clause) -> Phrase:
    if clause.question == "object":
        return words("who" if clause.asks_whom else "what", "question")
    return words(clause.question, "question") if clause.question in QUESTION_WORDS else ()


def english_verb(verb: Verb, tense: str, be: str, negative: bool, asks: bool) -> tuple[Phrase, Phrase]:
    """The auxiliary, and the main verb. `be` is the subject's form of "to be": "am", "is" or "are"."""
    base, third, past, participle, ing = (words(form, "verb") for form in verb.english)
    needs_do = negative or asks
    if tense == "present":
        return (words("does" if be == "is" else "do"), base) if needs_do else ((), third if be == "is" else base)
    if tense == "past":
        return (words("did"), base) if needs_do else ((), past)
    if tense == "want":
        if needs_do:
            return words("does" if be == "is" else "do"), words("want", "modal") + words("to") + base
        return (), words("wants" if be == "is" else "want", "modal") + words("to") + base
    if tense == "request":
        return (words("do") if negative else ()), base
    return {
        "future": (words("will"), base),
        "can": (words("can", "modal"), base),
        "perfect": (words("has" if be == "is" else "have"), participle),
        "progressive": (words(be), ing),
        "past progressive": (words(BE[be]), ing),
    }[tense]


def urdu(clause: Clause) -> Phrase:
    """The Urdu sentence. The verb stands last, and a question word right before it."""
    verb, never = clause.verb, clause.frequency == "never"
    negative = clause.negative or never
    subject = add_postposition(clause.subject, "نے") if clause.is_ergative else clause.subject.direct
    if clause.tense == "request":
        subject = ()
    object_ = urdu_object(verb, clause.object, clause.agreement, negative) if clause.object else ()
    if clause.question == "object":
        object_ = urdu_whom(verb) if clause.asks_whom else words("کیا", "question")
    negation = words("مت" if clause.tense == "request" else "نہیں", "frequency" if never else "not")
    complement = words(verb.complement, "object/preposition" if verb.particle in ("across", "home") else "verb")
    question_word = words(QUESTION_WORDS[clause.question], "question") if clause.question in QUESTION_WORDS else ()
    if clause.question == "subject":
        subject, question_word = (), subject
    if verb.marker == "کا" and clause.question != "object":
        # سارا کی مدد کون کرتا ہے: the genitive stays with its noun.
        complement, question_word = (), complement + question_word
    return (
        (words("کیا") if clause.question == "yes/no" else ())
        + subject
        + words(
            FREQUENCIES.get(clause.frequency, "") + " " + URDU_TIMES.get(clause.time, ""),
            "frequency" if clause.frequency else "time",
        )
        + (clause.purpose.urdu if clause.purpose else ())
        + words(verb.manner, "verb")
        + (clause.place.urdu if clause.place else ())
        + (add_postposition(clause.recipient, "کو") if clause.recipient else ())
        + object_
        + question_word
        + complement
        + (negation if negative else ())
        + urdu_verb(verb, clause.tense, clause.agreement, negative)
    )


def urdu_verb(verb: Verb, tense: str, agreement: Agreement, negative: bool) -> Phrase:
    """The finite verb: the main verb, then its auxiliaries."""
    if tense == "request":
        agreement = Agreement("m", "pl", 2)
    first, *others = finite(verb.stem, tense, agreement, negative, verb.stative).split()
    roles = ["modal" if tense in ("can", "want") and i == 0 else "" for i in range(len(others))]
    rest = tuple(word for text, role in zip(others, roles, strict=True) for word in words(text, role))
    return words(first, "verb") + rest


def urdu_object(verb: Verb, phrase: NounPhrase, agreement: Agreement, negative: bool = False) -> Phrase:
    """The object with its verb's postposition, or with کو, or without any."""
    if negative:
        phrase = phrase.without_article()
    if verb.marker == "کا":
        return add_postposition(phrase, "کا", Agreement(verb.agrees, "sg"))
    if verb.marker:
        return add_postposition(phrase, verb.marker, agreement)
    return add_postposition(phrase, "کو") if phrase.takes_ko else phrase.direct


def urdu_whom(verb: Verb) -> Phrase:
    """ "Whom", with the postposition of the verb: کس کو, کس سے, کس کی."""
    marker = agree("کا", verb.agrees, "sg") if verb.marker == "کا" else verb.marker or "کو"
    return words("کس", "question") + words(marker)


def to_be(
    subject: NounPhrase,
    tense: str,
    english_rest: Phrase,
    urdu_rest: Phrase,
    negative: bool = False,
    question: str = "",
) -> Pair:
    """Somebody is something or somewhere. `question` is "", "yes/no", or the English question word."""
    be = {"present": subject.be, "past": BE[subject.be], "future": "will"}[tense]
    main = words("be") if tense == "future" else ()
    negation = words("not", "not") if negative else ()
    front = words(question, "question") if question not in ("", "yes/no") else ()
    order = words(be) + subject.english if question else subject.english + words(be)
    start = words("کیا") if question == "yes/no" else ()
    urdu_negation = words("نہیں", "not") if negative else ()
    return Pair(
        front + order + negation + main + english_rest,
        start + subject.direct + urdu_rest + urdu_negation + words(copula(tense, subject.agreement)),
        bool(question),
    )


def there_is(thing: NounPhrase, place: PlacePhrase, tense: str, question: bool = False, denied: bool = False) -> Pair:
    """ "There is a book on the table": in Urdu the place comes first. With `denied`, the determiner is "no"."""
    be = {"present": thing.be, "past": BE[thing.be]}[tense]
    start = words(f"{be} there") if question else words(f"there {be}")
    negation = words("نہیں", thing.english[0].role) if denied else ()
    urdu_start = words("کیا") if question else ()
    end = negation + words(copula(tense, thing.agreement))
    return Pair(start + thing.english + place.english, urdu_start + place.urdu + thing.direct + end, question)


def to_have(owner: NounPhrase, thing: NounPhrase, tense: str, negative: bool = False, question: str = "") -> Pair:
    """ "Ali has a book": in Urdu, "near Ali is a book". `question` is "", "yes/no", "what" or "who"."""
    asks = question in ("yes/no", "what")
    do = {"present": "does" if owner.be == "is" else "do", "past": "did", "future": "will"}[tense]
    has = {"present": "has" if owner.be == "is" else "have", "past": "had", "future": "will have"}[tense]
    if negative or asks or tense == "future":
        auxiliary, main = words(do), words("have", "have")
    else:
        auxiliary, main = (), words(has, "have")
    negation = words("not", "not") if negative else ()
    start = auxiliary + owner.english if asks else owner.english + auxiliary
    what = words("what", "question") if question == "what" else ()
    near = add_postposition(owner, "کے پاس")[:-1] + words("پاس", "have")
    owned = thing.without_article().direct if negative else thing.direct
    urdu_negation = words("نہیں", "not") if negative else ()
    agreement = thing.agreement
    if question == "what":
        owned, agreement = words("کیا", "question"), MASCULINE
    order = owned + near if question == "who" else near + owned
    return Pair(
        what + start + negation + main + (thing.as_object if question != "what" else ()),
        (words("کیا") if question == "yes/no" else ()) + order + urdu_negation + words(copula(tense, agreement)),
        bool(question),
    )
