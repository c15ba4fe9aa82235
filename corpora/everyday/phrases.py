"""Noun phrases of the everyday corpus: more determiners, counts, measures, and what stands behind a noun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from corpora.en_ur_phrases import (
    NounPhrase,
    Phrase,
    Pronoun,
    english_owner,
    noun_form,
    possessive,
    words,
)
from corpora.everyday.english import article
from corpora.everyday.lexicon import ANIMATE, PEOPLE, Adjective, numbers, rows
from corpora.urdu_forms import agree
from corpora.urdu_lexicon import Noun

INDEFINITE = {
    "a",
    "",
    "some",
    "any",
    "many",
    "no",
    "a few",
    "few",
    "several",
    "a lot of",
    "another",
    "how many",
    "much",
    "how much",
    "enough",
    "more",
    "lots of",
    "too many",
    "so many",
    "so much",
    "too much",
    "little",
}
POINTING = {"this": "یہ", "these": "یہ", "that": "وہ", "those": "وہ"}
POINTERS = {"یہ", "وہ", "اس", "ان", "وہی", "اسی", "انہی"}
SIMPLE = {
    "the": "",
    "": "",
    "no": "",
    "some": "کچھ",
    "many": "بہت سا",
    "every": "ہر",
    "the other": "دوسرا",
    "one": "ایک",
}
ONES = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


@cache
def determiners() -> dict[str, str]:
    """English determiners and their Urdu, those in ا agree."""
    return SIMPLE | {row.cell(0): row.cell(1) for row in rows("function_words.tsv") if row.section == "determiner"}


def english_number(value: int) -> str:
    """The number in words, 1 to 100, or a round thousand or lakh."""
    if value >= 100:
        return {100: "hundred", 1000: "thousand", 100_000: "lakh"}[value]
    if value < 20:
        return ONES[value - 1]
    tens, ones = divmod(value, 10)
    return TENS[tens - 2] + (f"-{ONES[ones - 1]}" if ones else "")


def number_words(value: int, role: str) -> tuple[Phrase, Phrase]:
    """A number in both languages. Above a hundred it counts hundreds, thousands or lakhs: "five hundred", پانچ سو."""
    for unit in (100_000, 1000, 100):
        if value >= unit and (value > unit or unit == 100):
            count = value // unit
            urdu = f"{numbers()[count]} {numbers()[unit]}" if count > 1 else numbers()[unit]
            english = f"{english_number(count)} {english_number(unit)}"
            return words(english, role), words(urdu, role)
    return words(english_number(value), role), words(numbers()[value], role)


def grammatical_kind(noun: Noun) -> str:
    """The kind that decides about کو: people, animals, or things."""
    if noun.kind in PEOPLE.split():
        return "person"
    return "animal" if noun.kind in ANIMATE else "thing"


def determiner_form(slot: str, determiner: str, noun: Noun, number: str, oblique: bool) -> Phrase:
    """The Urdu determiner, as it stands before the noun."""
    role = f"{slot}/determiner"
    if determiner == "a":
        return words("ایک", f"{slot}/article")
    if determiner in POINTING:
        return words(("ان" if number == "pl" else "اس") if oblique else POINTING[determiner], role)
    if determiner == "whose":
        return words(f"کس {agree('کا', noun.gender, number, oblique)}", "question")
    if determiner in ("which", "how many", "how much"):
        *first, last = determiners()[determiner].split()
        return words(" ".join([*first, agree(last, noun.gender, number, oblique)]), "question")
    if determiner == "the same":
        return words(("انہی" if number == "pl" else "اسی") if oblique else "وہی", role)
    if determiner == "any":
        return words("" if number == "pl" or noun.quantity == "mass" else "کسی" if oblique else "کوئی", role)
    if determiner.startswith("so "):  # both words agree: اتنے زیادہ لوگ
        return words(f"{agree('اتنا', noun.gender, number, oblique)} زیادہ", role)
    *first, last = determiners()[determiner].split() or [""]
    return words(" ".join([*first, agree(last, noun.gender, number, oblique) if last else ""]), role)


def make(
    slot: str,
    noun: Noun,
    number: str = "sg",
    determiner: str = "the",
    adjectives: Sequence[Adjective] = (),
    owner: NounPhrase | None = None,
    own: bool = False,
    count: int = 0,
    degree: tuple[str, str] = ("", ""),
) -> NounPhrase:
    """A noun with its determiner or `owner`, a count, and adjectives.

    `own` says that the owner is the subject: in Urdu it is then اپنا. `degree` stands before the first adjective in
    each language ("very"). "No" is the negation of the Urdu verb, which the clause adds.
    """
    if noun.quantity == "plural" or count > 1:
        number = "pl"
    urdu_number = noun.urdu_number or number
    counted = number_words(count, f"{slot}/count") if count else ((), ())
    described = ((), ()) if not adjectives else (words(degree[0], f"{slot}/very"), words(degree[1], f"{slot}/very"))
    english = counted[0] + described[0]
    for place, adjective in enumerate(adjectives):
        english += words(adjective.english, f"{slot}-{place}/adjective")
    english += words(noun.english if number == "sg" else noun.plural or noun.english, f"{slot}/noun")

    def urdu(oblique: bool) -> Phrase:
        if owner is not None and own:
            before = words(agree("اپنا", noun.gender, urdu_number, oblique), english_owner(owner)[0].role)
        elif owner is not None:
            before = possessive(owner, noun.gender, urdu_number, oblique)
        else:
            before = determiner_form(slot, determiner, noun, urdu_number, oblique)
        result = before + counted[1] + described[1]
        for place, adjective in enumerate(adjectives):
            declined = decline_adjective(adjective.urdu, noun.gender, urdu_number, oblique)
            result += words(declined, f"{slot}-{place}/adjective")
        return result + words(noun_form(noun, number, oblique), f"{slot}/noun")

    return NounPhrase(
        _begin_english(slot, determiner, owner, english) + english,
        urdu(False),
        urdu(True),
        noun.gender,
        urdu_number,
        "are" if number == "pl" else "is",
        _refer_back(noun, number),
        kind=grammatical_kind(noun),
        definite=owner is not None or determiner in POINTING or (determiner not in INDEFINITE and not count),
    )


def _begin_english(slot: str, determiner: str, owner: NounPhrase | None, rest: Phrase) -> Phrase:
    """The English owner, article or determiner before `rest`."""
    if owner is not None:
        return english_owner(owner)
    if determiner == "a":
        return words(article(rest[0].text), f"{slot}/article")
    asks = determiner in ("which", "whose", "how many", "how much")
    return words(determiner, "question" if asks else "" if determiner == "the" else f"{slot}/determiner")


def _refer_back(noun: Noun, number: str) -> str:
    """The English possessive that refers back to the noun."""
    if number == "pl":
        return "their"
    if grammatical_kind(noun) != "person":
        return "its"
    return "his" if noun.gender == "m" else "her"


def decline_adjective(urdu: str, gender: str, number: str, oblique: bool = False) -> str:
    """The form of an adjective. In participles both words agree: تھکا ہوا, تھکے ہوئے, تھکی ہوئی."""
    first, _, rest = urdu.rpartition(" ")
    if rest == "ہوا":
        return f"{decline_words(first, gender, number, oblique)} {agree_hua(gender, number, oblique)}"
    if rest in ("والا", "کا"):
        return f"{first} {agree(rest, gender, number, oblique)}"
    return decline_words(urdu, gender, number, oblique)


def agree_hua(gender: str, number: str, oblique: bool = False) -> str:
    """ہوا, ہوئے, ہوئی."""
    if gender == "f":
        return "ہوئی"
    return "ہوئے" if number == "pl" or oblique else "ہوا"


BOTH_AGREE = {"ننھا منا", "صاف ستھرا", "دبلا پتلا", "ملتا جلتا", "ہرا بھرا"}
UNCHANGED = {"اعلا", "ذرا", "جدا", "خفا", "دانا", "نابینا", "عموما", "لاپروا"}


def decline_words(urdu: str, gender: str, number: str, oblique: bool) -> str:
    """The last word of an adjective in ا agrees, and in some both: ننھا منا."""
    if urdu.endswith("واں"):  # an ordinal: پانچواں, پانچویں
        return urdu if (gender, number, oblique) == ("m", "sg", False) else urdu[:-2] + "یں"
    *first, last = urdu.split()
    if urdu in BOTH_AGREE:
        first = [agree(word, gender, number, oblique) for word in first]
    return " ".join([*first, last if last in UNCHANGED else agree(last, gender, number, oblique)])


# Indefinite and relative pronouns: English, Urdu direct, oblique, number, kind.
INDEFINITES = {
    "somebody": ("کوئی", "کسی", "sg", "person"),
    "someone": ("کوئی", "کسی", "sg", "person"),
    "anybody": ("کوئی", "کسی", "sg", "person"),
    "anyone": ("کوئی", "کسی", "sg", "person"),
    "nobody": ("کوئی", "کسی", "sg", "person"),
    "no one": ("کوئی", "کسی", "sg", "person"),
    "everybody": ("سب", "سب", "pl", "person"),
    "everyone": ("سب", "سب", "pl", "person"),
    "something": ("کچھ", "کسی چیز", "sg", "thing"),
    "anything": ("کچھ", "کسی چیز", "sg", "thing"),
    "nothing": ("کچھ", "کسی چیز", "sg", "thing"),
    "everything": ("سب کچھ", "ہر چیز", "sg", "thing"),
}
NEGATIVE = {"nobody", "no one", "nothing", "none"}


def indefinite(slot: str, english: str) -> NounPhrase:
    """ "Somebody", "nothing": in Urdu the verb is negated beside "nobody" and "nothing"."""
    direct, oblique, number, kind = INDEFINITES[english]
    role = f"{slot}/pronoun"
    forms = Pronoun(f"{oblique} نے", f"{oblique} کو", f"{oblique} کا") if kind == "person" else None
    return NounPhrase(
        words(english, role),
        words(direct, role),
        words(oblique, role),
        "m",
        number,
        "is",
        "their",
        kind=kind,
        definite=False,
        pronoun=forms,
    )


def whatever(english: str = "what") -> NounPhrase:
    """The question word "what" as a noun phrase."""
    what = words(english, "question")
    return NounPhrase(what, words("کیا", "question"), words("کس", "question"), "m", "sg", "is", "its", definite=False)


def relative(slot: str, head: NounPhrase, english: str = "") -> NounPhrase:
    """The relative pronoun for `head`: "who" or "that" ("" if English has none); جو, جس, جن in Urdu."""
    role = f"{slot}/relative"
    many = head.number == "pl"
    forms = Pronoun("جنہوں نے", "جنہیں", "جن کا") if many else Pronoun("جس نے", "جسے", "جس کا")
    return replace(
        head,
        english=words(english, role),
        direct=words("جو", role),
        oblique=words("جن" if many else "جس", role),
        pronoun=forms,
        english_object=(),
        definite=True,
    )


def join(first: NounPhrase, second: NounPhrase, english: str = "and", urdu: str = "اور") -> NounPhrase:
    """Two noun phrases with "and" or "or". People and animals are plural; of things, Urdu verbs agree with the last."""
    between, joint = words(english, "joined/and"), words(urdu, "joined/and")
    living = "thing" not in (first.kind, second.kind)
    gender = "f" if (first.gender, second.gender) == ("f", "f") else "m"
    return replace(
        second,
        english=first.english + between + second.english,
        english_object=first.as_object + between + second.as_object,
        direct=first.direct + joint + second.direct,
        oblique=first.oblique + joint + second.oblique,
        gender=gender if living else second.gender,
        number="pl" if living else second.number,
        be="are",
        possessive="their",
        person=3,
        pronoun=None,
    )


def measured(slot: str, count: int, unit: Noun, content: NounPhrase) -> NounPhrase:
    """ "Two glasses of water": دو گلاس پانی. The unit stays singular in Urdu, and the verb agrees with the content."""
    if count == 1:
        before = words(article(unit.english), f"{slot}/count"), words("ایک", f"{slot}/count")
    else:
        before = number_words(count, f"{slot}/count")
    dozen = unit.english == "dozen"  # two dozen eggs
    english = before[0] + words(unit.english if count == 1 or dozen else unit.plural or unit.english, f"{slot}/unit")
    urdu = before[1] + words(unit.urdu, f"{slot}/unit")
    return replace(
        content,
        english=english + words("" if dozen else "of") + content.english,
        direct=urdu + content.direct,
        oblique=urdu + content.oblique,
        be="is" if count == 1 else "are",
        definite=False,
    )


def described(phrase: NounPhrase, english: Phrase, urdu: Phrase, ending: str, role: str) -> NounPhrase:
    """A noun with a phrase behind it; in Urdu the phrase stands before it and ends in a word that agrees.

    "The girl with the red hat" is سرخ ٹوپی والی لڑکی. "A girl with long hair" is لمبے بالوں والی ایک لڑکی: only یہ and
    وہ stand before the phrase.
    """

    def insert(noun_words: Phrase, oblique: bool) -> Phrase:
        start = sum(word.role.endswith("/determiner") and word.text in POINTERS for word in noun_words)
        end = words(decline_adjective(ending, phrase.gender, phrase.number, oblique), role)
        return noun_words[:start] + urdu + end + noun_words[start:]

    return replace(
        phrase,
        english=phrase.english + english,
        direct=insert(phrase.direct, False),
        oblique=insert(phrase.oblique, True),
        english_object=(),
    )
