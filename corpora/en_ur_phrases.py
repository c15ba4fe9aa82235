"""Noun phrases in English and Urdu at once.

Each word may have a role ("subject/noun"). An Urdu word translates the English words with the same role. So the true
alignment of a sentence is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from corpora.urdu_forms import MASCULINE, Agreement, agree, decline
from corpora.urdu_lexicon import HERE, NUMBERS, Adjective, Name, Noun


class Word(NamedTuple):
    """A word of either language."""

    text: str
    role: str = ""  # "" for function words without a counterpart in the other language


Phrase = tuple[Word, ...]


@lru_cache(maxsize=100_000)
def words(text: str, role: str = "") -> Phrase:
    return tuple(Word(word, role) for word in text.split())


@dataclass(frozen=True)
class Pronoun:
    """The Urdu forms of a pronoun that are not its oblique form with a postposition."""

    ergative: str
    dative: str
    possessive: str  # agrees if it ends in ا


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase: its English, its Urdu in the direct and the oblique case, and the features for agreement."""

    english: Phrase
    direct: Phrase
    oblique: Phrase
    gender: str
    number: str  # in Urdu
    be: str  # its English form of "to be": "am", "is" or "are"
    possessive: str  # its English possessive: "his"
    person: int = 3
    kind: str = "thing"
    definite: bool = True
    pronoun: Pronoun | None = None
    english_object: Phrase = ()

    @property
    def agreement(self) -> Agreement:
        return Agreement(self.gender, self.number, self.person)

    @property
    def as_object(self) -> Phrase:
        """The English in the object case: him."""
        return self.english_object or self.english

    @property
    def takes_ko(self) -> bool:
        """Whether it takes کو as a direct object: people always do, animals if they are definite."""
        if self.pronoun or self.kind in ("person", "parent"):
            return True
        return self.definite and self.kind in ("animal", "bird", "robot")

    def without_article(self) -> NounPhrase:
        """The phrase without ایک. The object of a negated verb has none: کتاب نہیں پڑھی."""

        def drop_article(phrase: Phrase) -> Phrase:
            return tuple(word for word in phrase if not word.role.endswith("/article"))

        return replace(self, direct=drop_article(self.direct), oblique=drop_article(self.oblique))


def noun_phrase(
    slot: str,
    noun: Noun,
    number: str = "sg",
    determiner: str = "the",
    adjective: Adjective | None = None,
    very: bool = False,
    owner: NounPhrase | None = None,
    own: bool = False,
    colour: Adjective | None = None,
) -> NounPhrase:
    """A noun with its determiner and adjectives. `colour` is a second adjective, next to the noun.

    An `owner` takes the place of the determiner. `own` says that the owner is the subject of the clause: in Urdu it is
    then اپنا.
    """
    if noun.quantity == "plural":
        number = "pl"
    urdu_number = noun.urdu_number or number
    plain = noun.english if number == "sg" else noun.plural or noun.english + "s"
    english: Phrase = words(plain, f"{slot}/noun")
    if colour is not None:
        english = words(colour.english, f"{slot}/colour") + english
    if adjective is not None:
        english = words(adjective.english, f"{slot}/adjective") + english
        if very:
            english = words("very", f"{slot}/very") + english
    before = english_owner(owner) if owner else english_determiner(slot, determiner, english)
    direct, oblique = (
        urdu_determiner(slot, determiner, noun, urdu_number, case, owner, own)
        + urdu_adjective(slot, adjective, very, noun, urdu_number, case)
        + words(agree(colour.urdu, noun.gender, urdu_number, case) if colour else "", f"{slot}/colour")
        + words(noun_form(noun, number, case), f"{slot}/noun")
        for case in (False, True)
    )
    human_pronoun = {"m": "his", "f": "her"}[noun.gender] if noun.kind in ("person", "parent") else "its"
    return NounPhrase(
        english=before + english,
        direct=direct,
        oblique=oblique,
        gender=noun.gender,
        number=urdu_number,
        be="are" if number == "pl" else "is",
        possessive="their" if number == "pl" else human_pronoun,
        kind=noun.kind,
        definite=determiner not in ("a", "", "some", "many", *NUMBERS) or owner is not None,
    )


def noun_form(noun: Noun, number: str, oblique: bool) -> str:
    plural, oblique_singular, oblique_plural = noun.forms or decline(noun.urdu, noun.gender)
    if noun.urdu_number == "pl" and noun.kind != "parent":  # rice, money, clothes; a parent is one person
        number = "pl"
    elif noun.urdu_number == "sg":  # scissors, glasses: plural in English alone
        number = "sg"
    if number == "pl":
        return oblique_plural if oblique else plural
    return oblique_singular if oblique else noun.urdu


def english_determiner(slot: str, determiner: str, rest: Phrase) -> Phrase:
    if determiner == "a":
        first = rest[0].text.lower()
        vowel = first[0] in "aeiou" and not first.startswith("uni")
        return words("an" if vowel else "a", f"{slot}/article")
    if determiner == "the":
        return words("the")
    return words(determiner, f"{slot}/determiner")


def urdu_determiner(
    slot: str, determiner: str, noun: Noun, number: str, oblique: bool, owner: NounPhrase | None, own: bool
) -> Phrase:
    role = f"{slot}/determiner"
    if owner is not None and own:
        return words(agree("اپنا", noun.gender, number, oblique), english_owner(owner)[0].role)
    if owner is not None:
        return possessive(owner, noun.gender, number, oblique)
    if determiner == "a":
        return words("ایک", f"{slot}/article")
    if determiner == "many":
        return words(f"بہت {agree('سا', noun.gender, number, oblique)}", role)
    if determiner in ("this", "these", "that", "those"):
        near = determiner in ("this", "these")
        if oblique:
            return words("ان" if number == "pl" else "اس", role)
        return words("یہ" if near else "وہ", role)
    if determiner == "no":
        return words("کوئی", role)
    urdu = {"the": "", "": "", "some": "کچھ", "every": "ہر", "one": "ایک", "the other": "دوسرا", **NUMBERS}[determiner]
    return words(agree(urdu, noun.gender, number, oblique) if urdu else "", role)


def urdu_adjective(
    slot: str, adjective: Adjective | None, very: bool, noun: Noun, number: str, oblique: bool
) -> Phrase:
    if adjective is None:
        return ()
    form = words(agree(adjective.urdu, noun.gender, number, oblique), f"{slot}/adjective")
    return words("بہت", f"{slot}/very") + form if very else form


def name_phrase(slot: str, name: Name) -> NounPhrase:
    """A proper name; Urdu names of people do not change."""
    urdu = words(name.urdu, f"{slot}/noun")
    human = name.kind == "person"
    back = ("his" if name.gender == "m" else "her") if human else "its"
    return NounPhrase(words(name.english, f"{slot}/noun"), urdu, urdu, name.gender, "sg", "is", back, kind=name.kind)


# English subject and object, Urdu direct and oblique, number, person, gender, "to be", possessive, case forms.
# English does not show the gender of "I", "we", "you" and "they". Here they are masculine in Urdu. "You" is polite.
PRONOUNS = [
    ("I", "me", "میں", "مجھ", "sg", 1, "m", "am", "my", Pronoun("میں نے", "مجھے", "میرا")),
    ("you", "you", "آپ", "آپ", "pl", 2, "m", "are", "your", Pronoun("آپ نے", "آپ کو", "آپ کا")),
    ("he", "him", "وہ", "اس", "sg", 3, "m", "is", "his", Pronoun("اس نے", "اسے", "اس کا")),
    ("she", "her", "وہ", "اس", "sg", 3, "f", "is", "her", Pronoun("اس نے", "اسے", "اس کا")),
    ("it", "it", "یہ", "اس", "sg", 3, "m", "is", "its", Pronoun("اس نے", "اسے", "اس کا")),
    ("we", "us", "ہم", "ہم", "pl", 1, "m", "are", "our", Pronoun("ہم نے", "ہمیں", "ہمارا")),
    ("they", "them", "وہ", "ان", "pl", 3, "m", "are", "their", Pronoun("انہوں نے", "انہیں", "ان کا")),
]


def pronoun_phrase(slot: str, english: str) -> NounPhrase:
    """A personal pronoun. `english` is its subject form."""
    (row,) = [row for row in PRONOUNS if row[0] == english]
    subject, object_, direct, oblique, number, person, gender, be, back, forms = row
    role = f"{slot}/pronoun"
    return NounPhrase(
        words(subject, role), words(direct, role), words(oblique, role), gender, number, be, back, person,
        "person", True, forms, words(object_, role),
    )  # fmt: skip


def adverb_phrase(slot: str, english: str) -> NounPhrase:
    """ "Here" or "there", for a place."""
    urdu = words(HERE[english], f"{slot}/noun")
    return NounPhrase(words(english, f"{slot}/noun"), urdu, urdu, "m", "sg", "is", "its")


def who_phrase() -> NounPhrase:
    """ "Who": masculine singular."""
    forms = Pronoun("کس نے", "کس کو", "کس کا")
    who = words("who", "question")
    return NounPhrase(
        who, words("کون", "question"), words("کس", "question"), "m", "sg", "is", "", 3, "person", True, forms
    )


def both(first: NounPhrase, second: NounPhrase) -> NounPhrase:
    """ "Ali and Sara": plural, feminine only if both are."""
    gender = "f" if (first.gender, second.gender) == ("f", "f") else "m"
    english, urdu = words("and", "subject/and"), words("اور", "subject/and")
    return NounPhrase(
        first.english + english + second.english,
        first.direct + urdu + second.direct,
        first.oblique + urdu + second.oblique,
        gender, "pl", "are", "their", kind="person",
    )  # fmt: skip


def english_owner(owner: NounPhrase) -> Phrase:
    """ "my", or "Ali's"."""
    if owner.pronoun is not None:
        return words(owner.possessive, owner.english[0].role)
    suffix = "'" if owner.english[-1].text.endswith("s") and owner.be == "are" else "'s"
    return (*owner.english[:-1], owner.english[-1], Word(suffix))


def possessive(owner: NounPhrase, gender: str, number: str, oblique: bool) -> Phrase:
    """میرا, علی کا: it agrees with the owned thing, not with the owner."""
    if owner.pronoun is None:
        return (*owner.oblique, *words(agree("کا", gender, number, oblique)))
    return words(agree(owner.pronoun.possessive, gender, number, oblique), owner.english[0].role)


def add_postposition(phrase: NounPhrase, marker: str, agreement: Agreement = MASCULINE) -> Phrase:
    """An Urdu noun phrase with a postposition. جیسا and کا agree with `agreement`. "bare" gives the oblique alone."""
    forms = phrase.pronoun
    slot = phrase.direct[-1].role.split("/")[0]
    if marker == "bare":
        return phrase.oblique
    if forms is not None and marker in ("نے", "کو"):
        return words(forms.ergative if marker == "نے" else forms.dative, phrase.direct[0].role)
    if marker == "کا":
        return possessive(phrase, agreement.gender, agreement.number, False)
    if marker.startswith("کے "):  # a compound postposition: کے ساتھ
        return possessive(phrase, "m", "pl", True) + words(marker[3:], f"{slot}/preposition")
    if marker == "جیسا":
        return phrase.oblique + words(agree(marker, agreement.gender, agreement.number), f"{slot}/preposition")
    return phrase.oblique + words(marker, "" if marker in ("نے", "کو") else f"{slot}/preposition")
