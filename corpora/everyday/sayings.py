"""Random reports: what people say, think, hope and promise now and before, with "never", and doubts."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, add_postposition, words
from corpora.everyday.becoming import intransitive
from corpora.everyday.clauses import Adjunct, Clause, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.complex_sentences import again
from corpora.everyday.joined_deeds import SHIFTS, say_that
from corpora.everyday.passives import Undergoer
from corpora.everyday.speaker import others

NEVER = Adjunct(words("never", "never/time"), words("کبھی", "never/time"), "late", "mid", True)
TELLINGS = {  # past and -s form -> Urdu verb and the marker of the hearer
    "told": ("بتایا", "کو"),
    "promised": ("وعدہ کیا", "سے"),
    "warned": ("خبردار کیا", "کو"),
}
NOW = {  # verb -> marker of the Urdu subject, and the Urdu with and without a denial
    "think": ("کا", "خیال ہے", "خیال نہیں ہے"),
    "know": ("کو", "معلوم ہے", "معلوم نہیں ہے"),
    "hope": ("کو", "امید ہے", ""),
    "believe": ("کو", "یقین ہے", "یقین نہیں ہے"),
}
CLEAR = {  # "It is true that ..."
    "true": "یہ سچ ہے", "clear": "یہ واضح ہے", "strange": "یہ عجیب ہے",
    "a pity": "یہ افسوس کی بات ہے", "good": "یہ اچھا ہے",
}  # fmt: skip


class Sayer(Undergoer):
    """A speaker who also says what others promise, warn of, think and do not think."""

    def saying_kinds(self) -> list[tuple]:
        return [
            (self.told_that, 6),
            (self.never_would, 4),
            (self.thinks_that, 7),
            (self.says_that, 4),
            (self.it_is_true, 3),
            (self.not_sure_but, 3),
        ]

    def content_of(self, about: NounPhrase, past: bool) -> Pair:
        """What is said of somebody: after a past verb English steps back in time."""
        if self.chance(0.4):
            return self.state_said(about, past)
        tense = self.choose(list(SHIFTS))
        deed = replace(self.told(about, tense), adjuncts=(), negative=self.chance(0.2))
        english = english_of(replace(deed, tense=SHIFTS[tense] if past else tense))
        return Pair(english, urdu_of(deed))

    def told_that(self) -> Pair:
        """ "She told me that she was ill", "I promised him that I would come"."""
        subject = self.known_person()
        known = " ".join(others(subject))
        hearer = self.pronoun("hearer", known) if self.chance(0.6) else self.person("hearer", known, subject)
        if hearer.direct[0].text in ("سب", "کوئی") or hearer.direct[-1].text == subject.direct[-1].text:
            return self.told_that()
        word = self.choose(["told", "told", "told", "promised", "warned"])
        about = again(subject) if word == "promised" or self.chance(0.4) else self.known_person()
        if word == "promised":
            deed = replace(self.told(about, "future"), adjuncts=(), negative=self.chance(0.2))
            inner = Pair(english_of(replace(deed, tense="would")), urdu_of(deed))
        else:
            inner = self.content_of(about, True)
        return told(subject, word, hearer, inner, "that" if self.chance(0.7) else "")

    def never_would(self) -> Pair:
        """ "He promised that he would never leave her": اس نے وعدہ کیا کہ وہ اسے کبھی نہیں چھوڑے گا."""
        subject = self.known_person()
        deed = replace(self.doing(again(subject)), adjuncts=(NEVER,))
        inner = never(deed, "would")
        kind = self.choose(["promised", "said", "said", "knew", "thought"])
        return say_that(subject, kind, rename(inner, "second"), "that" if self.chance(0.7) else "")

    def thinks_that(self) -> Pair:
        """ "He does not think that she will come", "Do you know that he is ill?", "We hope you are well"."""
        subject = self.known_person()
        kind = self.choose(list(NOW))
        negative, question = self.question_or_not(subject)
        negative = negative and bool(NOW[kind][2])
        inner = self.content_of(self.known_person(), False)
        return thinks(subject, kind, inner, "that" if self.chance(0.5) else "", negative, question)

    def says_that(self) -> Pair:
        """ "She says that she will come", "They say it will rain"."""
        subject = self.known_person()
        about = again(subject) if self.chance(0.4) else self.known_person()
        saying = intransitive("say said said", "کہ")
        inner = rename(self.content_of(about, False), "second")
        start = Clause(subject, saying, "present").pair()
        that = words("that" if self.chance(0.6) else "", "joint")
        return Pair(start.english + that + inner.english, start.urdu + words("کہ", "joint") + inner.urdu)

    def it_is_true(self) -> Pair:
        """ "It is true that he was ill": یہ سچ ہے کہ وہ بیمار تھا."""
        kind = self.choose(list(CLEAR))
        told_ = replace(self.told(self.known_person(), self.choose(["past", "future", "perfect"])), adjuncts=())
        inner = rename(told_.pair() if self.chance(0.6) else self.state(self.known_person(), "present"), "second")
        start = words("it is") + words(kind, "main/adjective") + words("that", "joint")
        return Pair(start + inner.english, words(CLEAR[kind], "main/adjective") + words("کہ", "joint") + inner.urdu)

    def not_sure_but(self) -> Pair:
        """ "I am not sure, but I think it was Ali": مجھے یقین نہیں ہے، لیکن میرا خیال ہے کہ ..."""
        subject = self.pronoun("subject", "I I I he she we they")
        if self.chance(0.4):
            one = self.known_one("second")
            was = "تھی" if one.gender == "f" and one.number == "sg" else "تھے" if one.number == "pl" else "تھا"
            inner = Pair(words("it was") + one.english, words("وہ") + one.direct + words(was))
        else:
            inner = self.content_of(self.known_person(), False)
        return unsure(subject, inner, "that" if self.chance(0.3) else "")


def told(subject: NounPhrase, word: str, hearer: NounPhrase, inner: Pair, that: str = "that") -> Pair:
    """ "She told me that ...": اس نے مجھے بتایا کہ ..."""
    inner, role = rename(inner, "second"), "saying/verb"
    urdu, marker = TELLINGS[word]
    start = add_postposition(subject, "نے") + add_postposition(hearer, marker) + words(urdu, role)
    english = subject.english + words(word, role) + hearer.as_object + words(that, "joint")
    return Pair(english + inner.english, start + words("کہ", "joint") + inner.urdu)


def never(deed: Clause, shown: str) -> Pair:
    """ "Would never leave her": اسے کبھی نہیں چھوڑے گا."""
    denied = replace(deed, adjuncts=(NEVER,))
    return Pair(english_of(replace(denied, tense=shown)), urdu_of(replace(denied, tense="future")))


def thinks(
    subject: NounPhrase, kind: str, inner: Pair, that: str = "that", negative: bool = False, question: str = ""
) -> Pair:
    """ "He does not think that ...": اس کا خیال نہیں ہے کہ ..."""
    inner, role = rename(inner, "second"), "main/verb"
    forms = {"think": "think thought thought", "know": "know knew known"}.get(kind, kind)
    clause = Clause(subject, intransitive(forms, ""), "present", negative=negative, question=question)
    english = tuple(one._replace(role=role) if one.role == "verb" else one for one in english_of(clause))
    marker, said, denied = NOW[kind]
    first, *rest = (denied if negative else said).split()
    tail = tuple(one._replace(role="not") if one.text == "نہیں" else one for one in words(" ".join(rest)))
    urdu = (words("کیا") if question else ()) + add_postposition(subject, marker) + words(first, role) + tail
    told_ = words(that, "joint")
    return Pair(english + told_ + inner.english, urdu + words("کہ", "joint") + inner.urdu, bool(question))


def unsure(subject: NounPhrase, inner: Pair, that: str = "") -> Pair:
    """ "I am not sure, but I think ...": مجھے یقین نہیں ہے، لیکن میرا خیال ہے کہ ..."""
    second = say_that(subject, "think", rename(inner, "second"), that)
    start = add_postposition(subject, "کو") + words("یقین", "sure/verb") + words("نہیں", "not") + words("ہے ،")
    sure = subject.english + words(subject.be) + words("not", "not") + words("sure", "sure/verb") + words(",")
    return Pair(sure + words("but", "joint") + second.english, start + words("لیکن", "joint") + second.urdu)
