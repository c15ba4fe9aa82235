"""Noun phrases of people and things that have no noun of their own: "all of us", "everyone else", "the blue one"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_phrases import NounPhrase, Phrase, Pronoun, Word, pronoun_phrase, words
from corpora.everyday.phrases import decline_adjective, indefinite
from corpora.urdu_forms import agree

TOGETHER = {"all": "سب", "both": "دونوں"}  # behind the pronoun: ہم سب
AMONG = {  # behind "from among": English -> direct, oblique, number
    "some": ("کچھ", "کچھ", "pl"),
    "most": ("زیادہ تر", "زیادہ تر", "pl"),
    "many": ("بہت سے", "بہت سے", "pl"),
    "two": ("دو", "دو", "pl"),
    "one": ("ایک", "ایک", "sg"),
    "each": ("ہر ایک", "ہر ایک", "sg"),
    "none": ("کوئی", "کسی", "sg"),
}
ELSE = {  # English -> direct, oblique, and whose forms they have
    "everyone else": ("باقی سب", "باقی سب", "everyone"),
    "someone else": ("کوئی اور", "کسی اور", "someone"),
    "nobody else": ("اور کوئی", "اور کسی", "nobody"),
    "something else": ("کچھ اور", "کسی اور چیز", "something"),
    "everything else": ("باقی سب کچھ", "باقی سب چیزوں", "everything"),
    "nothing else": ("اور کچھ", "اور کسی چیز", "nothing"),
}
ROUGHLY = {  # English before a number -> Urdu before it and behind it
    "more than": ("", "سے زیادہ"),
    "less than": ("", "سے کم"),
    "at least": ("کم از کم", ""),
    "about": ("تقریباً", ""),
    "only": ("صرف", ""),
}
MINE = {"I": "mine", "you": "yours", "he": "his", "she": "hers", "we": "ours", "they": "theirs"}


def of_them(slot: str, english: str, share: str) -> NounPhrase:
    """ "All of us", "both of them", "one of you": ہم سب, وہ دونوں, آپ میں سے ایک. `english` is the subject form."""
    whole = pronoun_phrase(slot, english)
    told = words(share, f"{slot}/share") + words("of") + whole.as_object
    if share in TOGETHER:
        behind = words(TOGETHER[share], f"{slot}/share")
        direct, oblique = whole.direct + behind, whole.oblique + behind
        return replace(whole, english=told, english_object=(), direct=direct, oblique=oblique, be="are", pronoun=None)
    near, far, number = AMONG[share]
    among = whole.oblique + words("میں سے")
    return replace(
        whole,
        english=told,
        english_object=(),
        direct=among + words(near, f"{slot}/share"),
        oblique=among + words(far, f"{slot}/share"),
        number=number,
        be="is" if number == "sg" else "are",
        person=3,
        possessive="their",
        pronoun=None,
    )


def everyone_in(slot: str, english: str, place: NounPhrase) -> NounPhrase:
    """ "Everyone in the village", "nobody in the city": گاؤں کے سب لوگ, شہر میں کوئی."""
    role = f"{slot}/pronoun"
    plain = replace(indefinite(slot, english), pronoun=None)
    told = words(english, role) + words("in") + place.as_object
    if english in ("everyone", "everybody"):
        behind = words("کے"), words("سب لوگ", role), words("سب لوگوں", role)
    else:
        behind = words("میں"), plain.direct, plain.oblique
    direct, oblique = place.oblique + behind[0] + behind[1], place.oblique + behind[0] + behind[2]
    return replace(plain, english=told, direct=direct, oblique=oblique, english_object=())


def someone_from(slot: str, place: NounPhrase) -> NounPhrase:
    """ "Someone from the office": دفتر سے کوئی."""
    someone = replace(indefinite(slot, "someone"), pronoun=None)
    from_there = place.oblique + words("سے")
    return replace(
        someone,
        english=someone.english + words("from") + place.as_object,
        direct=from_there + someone.direct,
        oblique=from_there + someone.oblique,
    )


def everything_in(slot: str, place: NounPhrase) -> NounPhrase:
    """ "Everything in this shop": اس دکان کی ہر چیز."""
    role = f"{slot}/pronoun"
    urdu = place.oblique + words("کی") + words("ہر چیز", role)
    told = words("everything", role) + words("in") + place.as_object
    return replace(indefinite(slot, "everything"), english=told, direct=urdu, oblique=urdu, gender="f")


def somebody_else(slot: str, english: str) -> NounPhrase:
    """ "Everyone else", "something else": باقی سب, کچھ اور."""
    direct, oblique, like = ELSE[english]
    role = f"{slot}/pronoun"
    plain = indefinite(slot, like)
    forms = plain.pronoun and Pronoun(f"{oblique} نے", f"{oblique} کو", f"{oblique} کا")
    told = words(english, role), words(direct, role), words(oblique, role)
    return replace(plain, english=told[0], direct=told[1], oblique=told[2], pronoun=forms)


def standing_alone(slot: str, english: str, urdu: str, one: str = "one") -> NounPhrase:
    """ "The blue one", "the third", "the new ones": نیلا والا, تیسرا, نئے والے. The noun is not said.

    A "+" parts words that both agree.
    """
    number = "pl" if one == "ones" else "sg"
    role = f"{slot}/adjective"

    def form(oblique: bool) -> Phrase:
        forms = (decline_adjective(each, "m", number, oblique) for each in urdu.split("+"))
        return words(" ".join(forms), role)

    be, back = ("are", "their") if number == "pl" else ("is", "its")
    told = words("the") + words(english, role) + words(one, role)
    return NounPhrase(told, form(False), form(True), "m", number, be, back)


def this_one(slot: str, english: str) -> NounPhrase:
    """ "This one", "that one": یہ والا, اس والے."""
    role = f"{slot}/pronoun"
    direct, oblique = words("یہ والا" if english == "this" else "وہ والا", role), words("اس والے", role)
    return NounPhrase(words(f"{english} one", role), direct, oblique, "m", "sg", "is", "its")


def mine(slot: str, owner: str) -> NounPhrase:
    """ "Mine", "yours": میرا, میرے. The noun is not said; it is taken as masculine."""
    role = f"{slot}/pronoun"
    whose = pronoun_phrase(slot, owner).pronoun
    assert whose is not None
    direct, oblique = (words(agree(whose.possessive, "m", "sg", case), role) for case in (False, True))
    return NounPhrase(words(MINE[owner], role), direct, oblique, "m", "sg", "is", "its")


def roughly(phrase: NounPhrase, english: str) -> NounPhrase:
    """ "More than fifty people": پچاس سے زیادہ لوگ. The phrase begins with its count."""
    front, back = ROUGHLY[english]
    role = f"{phrase.direct[-1].role.split('/')[0]}/roughly"

    def insert(told: Phrase) -> Phrase:
        end = sum(word.role.endswith("/count") for word in told)
        return words(front, role) + told[:end] + words(back, role) + told[end:]

    return replace(
        phrase,
        english=words(english, role) + phrase.english,
        direct=insert(phrase.direct),
        oblique=insert(phrase.oblique),
    )


def piece_of(unit: NounPhrase, content: NounPhrase) -> NounPhrase:
    """ "A piece of bread", "the last bottle of milk": روٹی کا ایک ٹکڑا. The verb agrees with the unit."""

    def behind(told: Phrase, oblique: bool) -> Phrase:
        return content.oblique + words(agree("کا", unit.gender, unit.number, oblique)) + told

    return replace(
        unit,
        english=unit.english + words("of") + content.english,
        direct=behind(unit.direct, False),
        oblique=behind(unit.oblique, True),
    )


def title(slot: str, name: NounPhrase, english: str, urdu: str) -> NounPhrase:
    """ "Mr Khan", "Uncle Hamid": مسٹر خان, چچا حامد. With respect it is plural in Urdu."""
    before = words(english, f"{slot}/title"), words(urdu, f"{slot}/title")
    said = before[1] + name.direct
    return replace(name, english=before[0] + name.english, direct=said, oblique=said, number="pl")


def city_of(slot: str, name: NounPhrase) -> NounPhrase:
    """ "The city of Lahore": لاہور شہر."""
    role = f"{slot}/city"
    said = name.direct + words("شہر", role)
    return replace(
        name, english=words("the") + words("city", role) + words("of") + name.english, direct=said, oblique=said
    )


def called(phrase: NounPhrase, name: NounPhrase) -> NounPhrase:
    """ "My friend Ali": میرا دوست علی, میرے دوست علی کو. The name stands last in both languages."""
    last = tuple(Word(word.text, f"{word.role.split('/')[0]}-name/noun") for word in name.direct)
    told = tuple(Word(word.text, f"{word.role.split('/')[0]}-name/noun") for word in name.english)
    return replace(phrase, english=phrase.english + told, direct=phrase.direct + last, oblique=phrase.oblique + last)
