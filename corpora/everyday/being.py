"""Clauses of being and having: somebody is something, there is something, somebody has something."""

from __future__ import annotations

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, add_postposition, possessive, words
from corpora.everyday.clauses import URDU_ORDER, Adjunct, denies, joined
from corpora.everyday.verb_groups import WAS
from corpora.urdu_forms import MASCULINE, Agreement, copula, is_now
from corpora.urdu_forms import finite as plain_finite


def be_clause(
    subject: NounPhrase,
    tense: str,
    english_rest: Phrase,
    urdu_rest: Phrase,
    negative: bool = False,
    question: str = "",
    adjuncts: tuple[Adjunct, ...] = (),
    urdu_asked: Phrase = (),
) -> Pair:
    """Somebody is something or somewhere. `question` is "", "yes/no", "subject" or the English question words.

    `tense` is present, past, future, perfect, used to, or a modal: can, must, should, may, want to.
    """
    auxiliary, main = english_be(subject.be, tense)
    if negative and not (auxiliary and tense != "want to"):
        auxiliary, main = (
            (words("does" if subject.be == "is" else "do"), main) if tense == "want to" else (auxiliary, main)
        )
    asks = question not in ("", "subject")
    if asks and tense == "want to":
        auxiliary = words("does" if subject.be == "is" else "do")
    if (negative or asks) and tense == "want to":
        main = words("want", "modal") + words("to be")
    negation = words("not", "not") if negative else ()
    front = words(question, "question") if question not in ("", "yes/no", "subject") else ()
    time = {place: joined(a.english for a in adjuncts if a.position == place) for place in ("front", "mid", "end")}
    start = auxiliary + subject.english if asks else subject.english + auxiliary
    english_words = time["front"] + front + start + negation + time["mid"] + main + english_rest + time["end"]
    denied = denies(subject) if subject.english else False
    denial = words("نہیں", "not") if negative else words("نہیں", subject.english[0].role) if denied else ()
    for adjunct in adjuncts:
        denial = words("نہیں", adjunct.english[0].role) if adjunct.negative else denial
    before = words("شاید", "modal") if tense in ("may", "might") else ()
    must = words("ضرور" if not negative else "ہرگز", "modal") if tense == "must" else ()
    said = add_postposition(subject, "کو") if tense in ("must", "should", "have to") else subject.direct
    early = joined(a.urdu for slot in URDU_ORDER for a in adjuncts if a.slot == slot)
    urdu_words = (
        (words("کیا") if question == "yes/no" else ())
        + before
        + said
        + early
        + must
        + urdu_rest
        + urdu_asked
        + urdu_be(subject, tense, denial)
    )
    return Pair(english_words, urdu_words, bool(question))


def english_be(be: str, tense: str) -> tuple[Phrase, Phrase]:
    """The auxiliary, and the rest, of "to be"."""
    if tense == "want to":
        return (), words("wants" if be == "is" else "want", "modal") + words("to be")
    return {
        "present": (words(be), ()),
        "past": (words(WAS[be]), ()),
        "future": (words("will"), words("be")),
        "perfect": (words("has" if be == "is" else "have"), words("been")),
        "used to": ((), words("used", "modal") + words("to be")),
        "can": (words("can", "modal"), words("be")),
        "must": (words("must", "modal"), words("be")),
        "should": (words("should", "modal"), words("be")),
        "may": (words("may", "modal"), words("be")),
        "might": (words("might", "modal"), words("be")),
        "subjunctive": ((), words("be")),
    }[tense]


def urdu_be(subject: NounPhrase, tense: str, denial: Phrase) -> Phrase:
    """The Urdu copula, behind its negation."""
    agreement = subject.agreement
    if tense in ("present", "past", "future"):
        return denial + words(copula(tense, agreement))
    if tense == "perfect":
        return denial + words(f"{'رہا' if agreement == MASCULINE else decline_raha(agreement)} {is_now(agreement)}")
    if tense == "used to":
        return denial + words(copula("past", agreement), "modal")
    if tense in ("must", "should"):
        return denial + words("ہونا") + words("چاہیے", "modal")
    if tense == "want to":
        wanting = plain_finite("ہو", "want", agreement, bool(denial)).split()
        return words("بننا") + denial + words(" ".join(wanting[1:]), "modal")
    if tense == "can":
        return (
            denial
            + words("ہو")
            + words(" ".join(plain_finite("ہو", "can", agreement, bool(denial)).split()[1:]), "modal")
        )
    return denial + words(plain_finite("ہو", "request", agreement))


def decline_raha(agreement: Agreement) -> str:
    return {"f": "رہی"}.get(agreement.gender, "رہے" if agreement.number == "pl" else "رہا")


def there_is(
    thing: NounPhrase,
    place: Adjunct | None,
    tense: str,
    question: str = "",
    time: tuple[Adjunct, ...] = (),
    negative: bool = False,
) -> Pair:
    """ "There is a book on the table": میز پر ایک کتاب ہے. With "no" or "not ... any" the Urdu verb is denied."""
    auxiliary, main = english_be(thing.be, tense)
    asks = question == "yes/no"
    start = auxiliary + words("there") if asks else words("there") + auxiliary
    where = (place.english, place.urdu) if place else ((), ())
    denied = denies(thing)
    denial = words("نہیں", "not") if negative else words("نہیں", thing.english[0].role) if denied else ()
    shown = thing.without_article() if denial or asks else thing
    english_words = start + (words("not", "not") if negative else ()) + main + thing.english + where[0]
    urdu_words = (words("کیا") if asks else ()) + joined(a.urdu for a in time) + where[1] + shown.direct
    return Pair(english_words + joined(a.english for a in time), urdu_words + urdu_be(thing, tense, denial), asks)


def owned(owner: NounPhrase, thing: NounPhrase, relation: str) -> Phrase:
    """How Urdu says whose it is: kinship and parts with کا, abstract and illness with کو, things with کے پاس."""
    if relation == "kin":
        return possessive(owner, thing.gender, thing.number, False)
    if relation == "illness":
        return add_postposition(owner, "کو")
    return add_postposition(owner, "کے پاس")[:-1] + words("پاس", "have")


def have(
    owner: NounPhrase,
    thing: NounPhrase,
    tense: str,
    relation: str = "thing",
    negative: bool = False,
    question: str = "",
    adjuncts: tuple[Adjunct, ...] = (),
) -> Pair:
    """ "Ali has two brothers", "she has a book", "he has a fever". `question` is "", "yes/no" or "object"."""
    asks = question in ("yes/no", "object")
    does = words({"present": "does" if owner.be == "is" else "do", "past": "did", "future": "will"}[tense])
    has = {"present": "has" if owner.be == "is" else "have", "past": "had", "future": "have"}[tense]
    auxiliary = does if negative or asks or tense == "future" else ()
    main = words("have" if auxiliary else has, "have")
    negation = words("not", "not") if negative else ()
    start = auxiliary + owner.english if asks else owner.english + auxiliary
    fronted = thing.english if question == "object" else ()
    denial = words("نہیں", "not") if negative else ()
    for phrase in (owner, thing):
        denial = words("نہیں", phrase.english[0].role) if denies(phrase) else denial
    shown = thing.without_article() if denial or asks else thing
    english_words = fronted + start + negation + main + (() if fronted else thing.as_object)
    early = joined(a.urdu for a in adjuncts)
    return Pair(
        english_words + joined(a.english for a in adjuncts),
        (words("کیا") if question == "yes/no" else ())
        + owned(owner, thing, relation)
        + early
        + shown.direct
        + denial
        + words(copula(tense, thing.agreement._replace(person=3))),
        bool(question),
    )
