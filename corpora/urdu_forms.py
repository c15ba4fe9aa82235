"""Urdu word forms: nouns, adjectives and verbs by gender, number, case and person.

Numbers are "sg" and "pl"; genders are "m" and "f". A verb agrees like an adjective: its participles end in ا, ے or ی.
"""

from __future__ import annotations

from typing import NamedTuple

IRREGULAR_ADJECTIVES = {"نیا": ("نئے", "نئی")}
IRREGULAR_PERFECTIVES = {  # masculine singular, masculine plural, feminine
    "جا": ("گیا", "گئے", "گئی"),
    "کر": ("کیا", "کیے", "کی"),
    "دے": ("دیا", "دیے", "دی"),
    "لے": ("لیا", "لیے", "لی"),
    "پی": ("پیا", "پیے", "پی"),
    "ہو": ("ہوا", "ہوئے", "ہوئی"),
}
IRREGULAR_SUBJUNCTIVES = {  # first person singular, other singular, plural
    "ہو": ("ہوں", "ہو", "ہوں"),
    "دے": ("دوں", "دے", "دیں"),
    "لے": ("لوں", "لے", "لیں"),
    "پی": ("پیوں", "پیے", "پئیں"),
}


LONG_VOWELS = ("ا", "آ", "و")
SOUNDED_HE = ("اہ", "وہ", "جگہ", "یہہ")  # here ہ is a consonant, and the noun ends in it: گناہ, تنخواہ


class Agreement(NamedTuple):
    """The features with which a verb agrees."""

    gender: str
    number: str
    person: int = 3


MASCULINE = Agreement("m", "sg")  # also the default if there is nothing to agree with


def decline(urdu: str, gender: str) -> tuple[str, str, str]:
    """Direct plural, oblique singular and oblique plural of a regular noun.

    Masculine nouns in ا or ہ change in all three (لڑکا: لڑکے, لڑکے, لڑکوں). Other masculine nouns only change in the
    oblique plural (گھروں).
    """
    if urdu.endswith(SOUNDED_HE):
        return urdu + ("یں" if gender == "f" else ""), urdu, urdu + "وں"
    if gender == "m" and urdu.endswith(("ا", "ہ")):
        return urdu[:-1] + "ے", urdu[:-1] + "ے", urdu[:-1] + "وں"
    if urdu.endswith("و"):
        return urdu + ("ئیں" if gender == "f" else ""), urdu, urdu + "ؤں"
    if gender == "m":
        return urdu, urdu, urdu + "وں"
    if urdu.endswith("یا"):
        return urdu + "ں", urdu, urdu[:-1] + "وں"
    if urdu.endswith("ی"):
        return urdu + "اں", urdu, urdu + "وں"
    if urdu.endswith(("ہ", "ا")):
        return urdu[:-1] + "ائیں", urdu, urdu[:-1] + "اؤں"
    return urdu + "یں", urdu, urdu + "وں"


def agree(word: str, gender: str, number: str, oblique: bool = False) -> str:
    """The form of an adjective, of کا, or of a participle. Only words that end in ا change."""
    stem = word[:-2] + "ئ" if word.endswith(("ایا", "ویا")) else word[:-1]  # گھبرایا, گھبرائے
    masculine, feminine = IRREGULAR_ADJECTIVES.get(word, (stem + "ے", stem + "ی"))
    if not word.endswith("ا"):
        return word
    if gender == "f":
        return feminine
    return masculine if number == "pl" or oblique else word


def nasal(form: str, agreement: Agreement) -> str:
    """The form of a word that ends the verb: in the feminine plural it is nasal, کھائیں, تھیں, کھاتیں."""
    return form + "ں" if (agreement.gender, agreement.number) == ("f", "pl") else form


def before_consonant(stem: str) -> str:
    """دے and لے are written دی and لی before an ending: دیتا, لینا."""
    return stem[:-1] + "ی" if stem in ("دے", "لے") else stem


def infinitive(stem: str, oblique: bool = False) -> str:
    """کھانا, and کھانے before a postposition."""
    return before_consonant(stem) + ("نے" if oblique else "نا")


def habitual(stem: str, agreement: Agreement) -> str:
    """کھاتا: the imperfective participle."""
    return before_consonant(stem) + agree("تا", agreement.gender, agreement.number)


def perfective(stem: str, agreement: Agreement) -> str:
    """کھایا: the perfective participle, not nasal."""
    forms = IRREGULAR_PERFECTIVES.get(stem)
    if forms is None and stem.endswith(LONG_VOWELS):
        forms = stem + "یا", stem + "ئے", stem + "ئی"
    elif forms is None:
        forms = stem + "ا", stem + "ے", stem + "ی"
    if agreement.gender == "f":
        return forms[2]
    return forms[1] if agreement.number == "pl" else forms[0]


def subjunctive(stem: str, agreement: Agreement) -> str:
    """کھائے: the subjunctive. With گا it is the future; alone, in the plural, it is the polite request."""
    forms = IRREGULAR_SUBJUNCTIVES.get(stem)
    if forms is None and stem.endswith(LONG_VOWELS):
        forms = stem + "ؤں", stem + "ئے", stem + "ئیں"
    elif forms is None:
        forms = stem + "وں", stem + "ے", stem + "یں"
    if agreement.number == "pl":
        return forms[2]
    return forms[0] if agreement.person == 1 else forms[1]


def future(stem: str, agreement: Agreement) -> str:
    return f"{subjunctive(stem, agreement)} {agree('گا', agreement.gender, agreement.number)}"


def is_now(agreement: Agreement) -> str:
    """ہوں, ہے, ہیں."""
    if agreement.number == "pl":
        return "ہیں"
    return "ہوں" if agreement.person == 1 else "ہے"


def was(agreement: Agreement) -> str:
    """تھا, تھے, تھی, تھیں."""
    return nasal(agree("تھا", agreement.gender, agreement.number), agreement)


def copula(tense: str, agreement: Agreement) -> str:
    """ "To be" in the present, past or future."""
    if tense == "present":
        return is_now(agreement)
    return was(agreement) if tense == "past" else future("ہو", agreement)


def finite(stem: str, tense: str, agreement: Agreement, negative: bool = False, stative: bool = False) -> str:
    """A verb in a tense. `agreement` comes from `Clause.agreement` (`en_ur_clauses`).

    A negated present has no auxiliary (وہ نہیں کھاتا). A stative verb has an imperfective past (رہتا تھا).
    """
    gender, number, _ = agreement
    if tense == "future":
        return future(stem, agreement)
    if tense == "request":
        return subjunctive(stem, agreement)
    if tense == "past" and not stative:
        return nasal(perfective(stem, agreement), agreement)
    if tense in ("present", "can", "want"):
        participle = {
            "present": habitual(stem, agreement),
            "can": f"{stem} {agree('سکتا', gender, number)}",
            "want": f"{infinitive(stem)} {agree('چاہتا', gender, number)}",
        }[tense]
        return nasal(participle, agreement) if negative else f"{participle} {is_now(agreement)}"
    continuous = f"{stem} {agree('رہا', gender, number)}"
    return {
        "past": f"{habitual(stem, agreement)} {was(agreement)}",
        "perfect": f"{perfective(stem, agreement)} {is_now(agreement)}",
        "progressive": f"{continuous} {is_now(agreement)}",
        "past progressive": f"{continuous} {was(agreement)}",
    }[tense]
