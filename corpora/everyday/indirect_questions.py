"""Random questions within sentences: "He asked me where I lived", "I do not know who came", "what you said"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, add_postposition, who_phrase, words
from corpora.everyday.becoming import intransitive
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Clause, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.english import verb_forms
from corpora.everyday.lexicon import Verb, noun, nouns_of, verb
from corpora.everyday.phrases import make, whatever
from corpora.everyday.relatives import Relater
from corpora.everyday.speaker import others

SHIFTED = {"present": "past", "progressive": "past progressive", "past": "pluperfect", "future": "would"}
OPENINGS = {  # English -> Urdu before کہ
    "it does not matter": "اس سے کوئی فرق نہیں پڑتا",
    "I wonder": "میں سوچ رہا ہوں",
    "can you tell me": "کیا آپ مجھے بتا سکتے ہیں",
    "could you tell me": "کیا آپ مجھے بتا سکتے ہیں",
    "do you know": "کیا آپ کو معلوم ہے",
    "tell me": "مجھے بتائیں",
    "please tell me": "براہ کرم مجھے بتائیں",
    "do not tell anyone": "کسی کو نہ بتائیں",
    "I cannot remember": "مجھے یاد نہیں",
    "I do not remember": "مجھے یاد نہیں",
    "I want to know": "میں جاننا چاہتا ہوں",
    "I do not understand": "مجھے سمجھ نہیں آتی",
    "nobody knows": "کسی کو نہیں معلوم",
}
ASKERS = {"can you tell me", "could you tell me", "do you know"}
SAY = Verb(verb_forms("say said said"), "", "کہ", "", "", "", "person", "", True, "", frozenset())
LIVE = intransitive("live", "رہ")
LIVE_SO = ["work", "study", "teach", "sleep", "eat", "travel"]
WHAT_VERBS = "say do write eat buy see want bring read find"
TOLD = {  # what was said or done is ...
    "true": "سچ",
    "wrong": "غلط",
    "right": "درست",
    "important": "اہم",
    "interesting": "دلچسپ",
}


class Wonderer(Relater):
    """A speaker who also says what was asked and what is not known."""

    def wondering_kinds(self) -> list[tuple]:
        return [(self.asked_him, 6), (self.wondered, 7), (self.knew_not, 5), (self.what_said, 4)]

    def question_within(self, past: bool, asks: bool = True) -> Pair:
        """A question as a clause: English has the order of a statement. After a past verb English shifts its tense."""
        kind = self.pick(
            {"where": 4, "when": 2, "why": 3, "how": 2, "who": 3, "what": 4, "be": 4, "if": 3 if asks else 0}
        )
        if kind == "be":
            return self.where_somebody_is(past)
        tense = self.choose(["present", "progressive", "past", "future"])
        subject = who_phrase() if kind == "who" else self.known_person()
        clause = self.deed(subject)
        if kind == "what":
            doing = self.what_verb(WHAT_VERBS)
            clause = Clause(subject, doing, "future", whatever())
            tense = "present" if doing.base == "want" else "past" if past and tense == "present" else tense
        clause = replace(clause, adjuncts=(), tense=tense)
        if past and tense == "present" and kind != "what":
            lives = kind == "where" and self.chance(0.5)
            clause = Clause(subject, LIVE if lives else self.of_these(LIVE_SO), "present")
        if not past and kind == "where" and self.chance(0.3):
            clause, tense = Clause(subject, LIVE, "present"), "present"
        if kind == "where" and clause.verb.marker == "bare":
            return self.question_within(past, asks)
        shown = SHIFTED[tense] if past else tense
        if not past and tense == "present" and clause.verb.base == clause.verb.english[2]:
            return self.question_within(past, asks)
        return rename(question_within(clause, kind, shown), "second")

    def what_verb(self, names: str) -> Verb:
        chosen = self.choose(names.split())
        return SAY if chosen == "say" else verb(chosen)

    def where_somebody_is(self, past: bool) -> Pair:
        """ "Where my keys are", "who that man is", "how old he is", "what her name is"."""
        subject = self.known_person()
        if self.chance(0.3):
            subject = self.noun(
                "subject", self.choose_word(nouns_of("text device container clothes vehicle")), None, True
            )
        kind = self.choose(["where", "where", "how"])
        if self.chance(0.2):
            subject, kind = make("subject", noun("name"), owner=self.pronoun("owner")), "what"
        elif subject.kind == "person" and self.chance(0.3):
            mood = self.predicate(self.choose(self.graded(noun("friend"))), subject)
            told = be_clause(subject, "present", (), words("کیوں", "asked/question") + mood[1]).urdu
            english = be_clause(subject, "past" if past else "present", mood[0], ()).english
            return rename(Pair(words("why", "asked/question") + english, told), "second")
        urdu = {"where": "کہاں", "how": "کیسا", "what": "کیا"}[kind]
        if kind == "how":
            urdu = {"f": "کیسی"}.get(subject.gender, "کیسے" if subject.number == "pl" else "کیسا")
        told = be_clause(subject, "present", (), words(urdu, "asked/question")).urdu
        english = be_clause(subject, "past" if past else "present", (), ()).english
        return rename(Pair(words(kind, "asked/question") + english, told), "second")

    def asked_him(self) -> Pair:
        """ "He asked me where I lived": اس نے مجھ سے پوچھا کہ میں کہاں رہتا ہوں."""
        subject = self.known_person()
        known = " ".join(others(subject))
        whom = self.pronoun("recipient", known) if self.chance(0.5) else self.person("recipient", known, subject)
        kind = self.choose(["ask", "ask", "tell", "order"])
        if whom.direct[0].text in ("سب", "کوئی") or whom.direct[-1].text == subject.direct[-1].text:
            return self.asked_him()
        if kind == "order":
            whom = self.pronoun("recipient", "he she they") if self.chance(0.6) else whom
            if whom.possessive == "your":
                return self.asked_him()
        return asked(subject, whom, kind, self.question_within(kind != "order", kind != "tell"))

    def wondered(self) -> Pair:
        """ "It does not matter who came", "Can you tell me where he lives?" """
        return opened(self.choose(list(OPENINGS)), self.question_within(False))

    def knew_not(self) -> Pair:
        """ "She does not know where he lives", "I knew why he was sad", "They did not know who I was"."""
        subject = self.known_person()
        past = self.chance(0.45)
        return knows(subject, past, self.chance(0.7), self.question_within(past))

    def what_said(self) -> Pair:
        """ "What you said is true", "I remember what she said", "Do what I say"."""
        teller = self.known_person()
        doing = self.what_verb("say say say do do write see buy read bring")
        inner = what(Clause(teller, doing, "past"))
        kind = self.choose(["be", "be", "like", "remember", "see"])
        if kind == "be":
            adjective = self.choose(list(TOLD))
            tense = self.choose(["present", "past"])
            be, urdu = ("is", "ہے") if tense == "present" else ("was", "تھا")
            role = "predicate/adjective"
            return Pair(inner.english + words(be) + words(adjective, role), inner.urdu + words("وہ") +
                        words(TOLD[adjective], role) + words(urdu))  # fmt: skip
        subject = self.pronoun("subject", " ".join(others(teller)))
        tense = "past" if kind in ("see", "like") else "present"
        main = Clause(subject, verb(kind), tense, that_thing(), negative=self.chance(0.3), object_before=True)
        return Pair(replace(main, object=None).pair().english + inner.english, inner.urdu + main.pair().urdu)


def question_within(clause: Clause, kind: str, shown: str) -> Pair:
    """The clause as a question within another: `kind` is its question word, "if" for yes or no."""
    english = english_of(replace(clause, tense=shown, question=""))
    if kind == "if":
        return Pair(words("if", "asked/question") + english, words("کیا", "asked/question") + clause.pair().urdu)
    if kind == "who":
        return Pair(english, replace(clause, question="subject").pair().urdu)
    if kind == "what":
        english = english_of(replace(clause, tense=shown, object=None))
        return Pair(words("what", "question") + english, clause.pair().urdu)
    return Pair(words(kind, "question") + english, replace(clause, question=kind).pair().urdu)


def asked(subject: NounPhrase, whom: NounPhrase, kind: str, inner: Pair) -> Pair:
    """ "He asked me ...", "He told me ...", and the order "Ask him ..."."""
    role = "main/verb"
    marker = "کو" if kind == "tell" else "سے"
    if kind == "order":
        urdu = add_postposition(whom, "سے") + words("پوچھیں", role)
        return Pair(words("ask", role) + whom.as_object + inner.english, urdu + words("کہ") + inner.urdu)
    said = {"ask": ("asked", "پوچھا"), "tell": ("told", "بتایا")}[kind]
    start = add_postposition(subject, "نے") + add_postposition(whom, marker) + words(said[1], role)
    return Pair(
        subject.english + words(said[0], role) + whom.as_object + inner.english, start + words("کہ") + inner.urdu
    )


def opened(opening: str, inner: Pair) -> Pair:
    """ "It does not matter who came": اس سے کوئی فرق نہیں پڑتا کہ کون آیا."""
    start = words(opening, "opening/verb"), words(OPENINGS[opening], "opening/verb")
    return Pair(start[0] + inner.english, start[1] + words("کہ") + inner.urdu, opening in ASKERS)


def knows(subject: NounPhrase, past: bool, negative: bool, inner: Pair) -> Pair:
    """ "She did not know ...": اسے نہیں معلوم تھا کہ. Without a denial: اسے معلوم ہے کہ."""
    clause = Clause(subject, verb("know"), "past" if past else "present", negative=negative)
    start = add_postposition(subject, "کو") + (words("نہیں", "not") if negative else ()) + words("معلوم", "verb")
    end = words("تھا" if past else "" if negative else "ہے") + words("کہ")
    return Pair(english_of(clause) + inner.english, start + end + inner.urdu)


def what(inner: Clause) -> Pair:
    """ "What you said": آپ نے جو کہا."""
    said = replace(inner, object=replace(whatever(), direct=words("جو", "question")))
    english = words("what", "question") + replace(inner, object=None).pair().english
    return rename(Pair(english, said.pair().urdu), "second")


def that_thing() -> NounPhrase:
    """What was said or done, as وہ in the main clause."""
    return replace(make("object", noun("thing")), english=(), direct=words("وہ"), oblique=words("اس"), gender="m")
