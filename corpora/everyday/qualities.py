"""Random sentences about qualities: how somebody or something is, compared or not."""

from __future__ import annotations

from functools import cache

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import (
    NounPhrase,
    Phrase,
    pronoun_phrase,
    words,
)
from corpora.everyday.actions import EVERYBODY, is_negative
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, at
from corpora.everyday.lexicon import (
    Adjective,
    adjectives_of,
    noun,
    nouns,
)
from corpora.everyday.phrases import decline_adjective
from corpora.everyday.requests import Requester
from corpora.urdu_forms import agree
from corpora.urdu_lexicon import Noun

WHOLLY = "empty full dry wet safe alone ready sure different clear blind deaf dark clean lost healthy calm"
GRADED = "thing furniture container clothes vehicle place room text street animal bird fruit food building part device"
STATES = {  # English adjective -> Urdu noun, and the words behind it in the present and the past
    "hungry": ("بھوک", "لگی ہے", "لگی تھی"),
    "thirsty": ("پیاس", "لگی ہے", "لگی تھی"),
    "sleepy": ("نیند", "آ رہی ہے", "آ رہی تھی"),
    "cold": ("سردی", "لگ رہی ہے", "لگ رہی تھی"),
    "hot": ("گرمی", "لگ رہی ہے", "لگ رہی تھی"),
}
MEN = {
    "man",
    "boy",
    "gentleman",
    "king",
    "prince",
    "groom",
    "policeman",
    "postman",
    "milkman",
    "fisherman",
    "washerman",
    "salesman",
    "businessman",
    "actor",
    "giant",
    "ghost",
}


class Qualifier(Requester):
    """A speaker who also says how people and things are."""

    def be_tense(self) -> str:
        return self.pick({"present": 60, "past": 25, "future": 12})

    def question_or_not(self, subject: NounPhrase) -> tuple[bool, str]:
        kind = self.pick({"said": 70, "denied": 16, "asked": 14})
        return kind == "denied" and not self.undeniable(subject), "yes/no" if kind == "asked" else ""

    def undeniable(self, subject: NounPhrase) -> bool:
        return is_negative(subject) or subject.english[0].text in EVERYBODY

    def when(self, tense: str, question: str = "") -> tuple[Adjunct, ...]:
        group = {"present": "progressive"}.get(tense, tense)
        found = self.time(group) if self.chance(0.15) else None
        if found is None or found.position == "mid" or found.urdu[0].text in ("اچانک", "پھر"):
            return ()
        return (found._replace(position="end") if question else found,)

    def someone_or_thing(self) -> tuple[NounPhrase, Noun]:
        """A subject, and the noun that decides which adjectives suit it."""
        if self.chance(0.45):
            subject = self.person("subject")
            return subject, noun("friend")
        word = self.choose_word(
            [
                w
                for w in nouns()
                if adjectives_of(w) and w.kind not in ("kin", "parent", "parents", "person", "profession")
            ]
        )
        if self.chance(0.12):
            it = pronoun_phrase("subject", "it")
            return it, noun("book")
        return self.noun("subject", word, definite=self.chance(0.95)), word

    def graded(self, word: Noun) -> list[Adjective]:
        return [a for a in adjectives_of(word) if "attr" not in a.features and a.english not in STATES]

    def predicate(self, adjective: Adjective, subject: NounPhrase, slot: str = "predicate") -> tuple[Phrase, Phrase]:
        degrees = {
            "": 70,
            "very": 14,
            "so": 4,
            "too": 4,
            "quite": 3,
            "rather": 2,
            "especially": 1,
            "extremely": 2,
            "really": 2,
        }
        if adjective.english in WHOLLY.split():
            degrees["completely"] = 10
        degree = "" if "plain" in adjective.features else self.pick(degrees)
        so = agree("اتنا", subject.gender, subject.number)
        urdu = {
            "": "",
            "very": "بہت",
            "so": so,
            "too": "بہت زیادہ",
            "quite": "کافی",
            "extremely": "انتہائی",
            "really": "واقعی",
            "rather": agree("خاصا", subject.gender, subject.number),
            "especially": "خاص طور پر",
            "completely": "بالکل",
        }[degree]
        form = decline_adjective(adjective.urdu, subject.gender, subject.number)
        role = f"{slot}/adjective"
        return (
            words(degree, f"{slot}/very") + words(adjective.english, role),
            words(urdu, f"{slot}/very") + words(form, role),
        )

    def quality(self) -> Pair:
        """ "The house is very big", "Were your parents happy?", "The tea is hot and sweet"."""
        subject, word = self.someone_or_thing()
        choices = self.graded(word)
        if not choices:
            return self.quality()
        english, urdu = self.predicate(self.choose_word(choices), subject)
        if self.chance(0.08) and len(choices) > 1:
            joint = self.choose([("and", "اور"), ("but", "لیکن")])
            second = self.predicate(self.choose_word(choices), subject, "predicate-two")
            if second[1][-1].text != urdu[-1].text:
                english += words(joint[0], "joint") + second[0]
                urdu += words(joint[1], "joint") + second[1]
        tense = self.pick(
            {"present": 55, "past": 22, "future": 8, "perfect": 1, "used to": 2, "may": 2, "must": 1, "should": 2}
        )
        negative, question = self.question_or_not(subject)
        if tense in ("may", "perfect", "used to", "must") or english[0].text == "rather":
            negative, question = False, ""
        if tense == "should" and question:
            tense = "present"
        if tense in ("must", "should") and len(english) > 1:
            tense = "present"
        if self.chance(0.05):
            how = words(agree("کیسا", subject.gender, subject.number), "question")
            return be_clause(subject, self.choose(["present", "past"]), (), (), question="how", urdu_asked=how)
        if tense in (
            "must",
            "should",
        ):  # the predicate beside an obligation is masculine or feminine as the one who must
            return be_clause(subject, tense, english, urdu, negative, question)
        return be_clause(subject, tense, english, urdu, negative, question, self.when(tense, question))

    def bodily(self) -> Pair:
        """ "I am hungry": مجھے بھوک لگی ہے."""
        subject = self.person("subject")
        english = self.choose(list(STATES))
        word, now, then = STATES[english]
        tense = self.choose(["present", "present", "past"])
        negative, question = self.question_or_not(subject)
        end = (now if tense == "present" else then).split()
        be = {"present": subject.be, "past": "were" if subject.be == "are" else "was"}[tense]
        role = "predicate/adjective"
        feel = english in ("cold", "hot")
        denial = (
            words("نہیں", "not") if negative else words("نہیں", subject.english[0].role) if is_negative(subject) else ()
        )
        told = english_feeling(subject, be, english, tense, feel, negative, bool(question))
        dative = at("about", subject, urdu="کو").urdu
        urdu = (words("کیا") if question else ()) + dative + words(word, role) + denial + words(" ".join(end), role)
        return Pair(told, urdu, bool(question))

    def comparable(self, word: Noun) -> list[Adjective]:
        return comparable(word)


@cache
def comparable(word: Noun) -> list[Adjective]:
    """The adjectives of a noun that can be compared."""
    return [a for a in adjectives_of(word) if not a.features & {"plain", "attr"} and a.english not in STATES]


def feminine(word: Noun) -> Noun:
    """The noun for a woman: most occupations keep their form, and agree as feminine."""
    changed = {"ا": "ی"}
    if word.urdu.endswith("والا"):
        return word._replace(gender="f", urdu=word.urdu[:-1] + changed["ا"], forms=())
    return word._replace(gender="f", forms=(word.urdu, word.urdu, word.urdu + "وں"))


def english_feeling(
    subject: NounPhrase, be: str, state: str, tense: str, feel: bool, negative: bool, asks: bool
) -> Phrase:
    """ "I am hungry", "She feels cold", "Do you feel cold?" """
    role = "predicate/adjective"
    negation = words("not", "not") if negative else ()
    if not feel:
        start = words(be) + subject.english if asks else subject.english + words(be)
        return start + negation + words(state, role)
    do = words({"present": "does" if subject.be == "is" else "do", "past": "did"}[tense])
    plain = words("feel", role) + words(state, role)
    if asks:
        return do + subject.english + plain
    if negative:
        return subject.english + do + negation + plain
    return (
        subject.english
        + words({"present": "feels" if subject.be == "is" else "feel", "past": "felt"}[tense], role)
        + plain[1:]
    )
