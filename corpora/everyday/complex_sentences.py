"""Random sentences of several clauses: joined and subordinate ones."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, pronoun_phrase, words
from corpora.everyday.actions import ing_phrase, is_negative
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Clause, rename, without_subject
from corpora.everyday.lexicon import noun, verbs
from corpora.everyday.phrases import INDEFINITES
from corpora.everyday.statements import Describer
from corpora.urdu_forms import Agreement, perfective, subjunctive

JOINTS = {"and": "اور", "but": "لیکن", "or": "یا", "because": "کیونکہ", "so": "اس لیے"}
FRIEND = noun("friend")


class Narrator(Describer):
    """A speaker whose sentences have several clauses."""

    def plain(self, tense: str = "", subject: NounPhrase | None = None) -> Pair:
        """A short statement, about an action or a quality."""
        return self.clause(True, tense, subject).pair()

    def state(self, subject: NounPhrase, tense: str) -> Pair:
        """Somebody is happy, sick or tired."""
        return be_clause(subject, tense, *self.predicate(self.choose(self.graded(FRIEND)), subject))

    def two(self) -> Pair:
        """Two statements, joined."""
        first = self.plain() if self.chance(0.7) else self.quality()
        second = self.plain() if self.chance(0.6) else self.quality()
        if first.asks or second.asks:
            return self.two()
        return self.link(first, self.choose(list(JOINTS)), second)

    def link(self, first: Pair, joint: str, second: Pair) -> Pair:
        """Two clauses with a joint; Urdu has a comma if English has one."""
        comma = words("," if self.chance(0.4) else "")
        marks = words("،" if comma else "")
        second = rename(second, "second")
        return Pair(
            first.english + comma + words(joint, "joint") + second.english,
            first.urdu + marks + words(JOINTS[joint], "joint") + second.urdu,
        )

    def same_subject(self) -> Pair:
        """ "She came home and cooked dinner": the subject is said once if Urdu marks it alike in both."""
        subject = self.person("subject")
        tense = self.choose(["past", "future", "present", "past"])
        first, second = (self.clause(True, tense, subject) for _ in range(2))
        second = replace(second, adjuncts=tuple(a for a in second.adjuncts if a.slot != "time"))
        alike = first.marker == second.marker and first.tense == second.tense
        if not alike or is_negative(subject) or first.negative or second.negative:
            return self.same_subject()
        if first.adjuncts and first.adjuncts[-1].position == "end":
            first = replace(first, adjuncts=())
        joint = self.choose(["and", "or", "but"]) if tense != "past" else "and"
        rest = rename(without_subject(second), "second")
        return Pair(
            first.pair().english + words(joint, "joint") + rest.english,
            first.pair().urdu + words(JOINTS[joint], "joint") + rest.urdu,
        )

    def because(self) -> Pair:
        """ "I did not go to school because I was sick"."""
        subject = self.person("subject", "I he she we they you")
        if is_negative(subject):
            return self.because()
        tense = self.choose(["present", "past", "future"])
        first = self.clause(True, tense, subject).pair()
        pronoun = again(subject)
        reason = (
            self.state(pronoun, "present" if tense == "future" else tense)
            if self.chance(0.6)
            else self.plain(tense, pronoun)
        )
        return self.link(first, self.choose(["because", "because", "but"]), reason)

    def so(self) -> Pair:
        """ "I was tired, so I went home", "She is so tired that she cannot walk"."""
        subject = self.person("subject", "I he she we they you")
        if is_negative(subject):
            return self.so()
        tense = self.choose(["present", "past"])
        return self.link(
            self.state(subject, tense),
            "so",
            self.plain(self.choose([tense, "future"]) if tense == "present" else tense, again(subject)),
        )

    def when_clause(self) -> Pair:
        """ "When I came home, she was cooking", "Call me when you arrive": جب ... تو."""
        joint = self.choose(["when", "when", "when", "while", "as soon as", "whenever"])
        tenses = {
            "when": [("past", "past progressive"), ("past", "past"), ("present", "present"), ("was", "past")],
            "while": [("past progressive", "past"), ("past progressive", "past progressive")],
            "as soon as": [("past", "past")],
            "whenever": [("present", "present")],
        }[joint]
        first_tense, second_tense = self.choose(tenses)
        first = self.state(self.pronoun("subject"), "past") if first_tense == "was" else self.plain(first_tense)
        second = self.plain(second_tense)
        return self.front(
            joint,
            {"when": "جب", "while": "جب", "as soon as": "جیسے ہی", "whenever": "جب بھی"}[joint],
            first,
            second,
            "تو" if joint != "as soon as" else "",
        )

    def front(self, english: str, urdu: str, first: Pair, second: Pair, then: str) -> Pair:
        """A subordinate clause. In English it stands first or second, in Urdu always first."""
        first, second = rename(first, "second"), second
        word, urdu_word = words(english, "joint"), words(urdu, "joint")
        urdu_words = urdu_word + first.urdu + words(then) + second.urdu
        if self.chance(0.5):
            return Pair(word + first.english + words(",") + second.english, urdu_words)
        return Pair(second.english + word + first.english, urdu_words)

    def condition(self) -> Pair:
        """ "If it rains, we will stay at home", "If you are hungry, eat something"."""
        subject = self.person("subject", "I you he she we they")
        if is_negative(subject):
            return self.condition()
        roll = self.rng.random()
        if roll < 0.25:
            rain = Pair(words("it") + words("rains", "verb"), words("بارش ہوئی", "verb"))
            return self.front("if", "اگر", rain, self.plain("future"), "تو")
        if roll < 0.55:
            return self.front(
                "if", "اگر", self.state(subject, "present"), self.plain(self.choose(["future", "should", "can"])), "تو"
            )
        first = self.clause(True, "future", subject)
        while first.verb.dative:
            first = self.clause(True, "future", subject)
        first = replace(first, tense="conditional", adjuncts=tuple(a for a in first.adjuncts if a.slot != "time"))
        second = self.clause(True, self.choose(["future", "future", "can", "must"]))
        return self.front("if", "اگر", as_condition(first), second.pair(), "تو")

    def although(self) -> Pair:
        """ "Although he was tired, he worked": اگرچہ ... لیکن."""
        subject = self.person("subject", "I he she we they you")
        if is_negative(subject):
            return self.although()
        tense = self.choose(["present", "past"])
        first, second = self.state(subject, tense), self.plain(tense, again(subject))
        second = rename(second, "second")
        english = words(self.choose(["although", "though", "even though"]), "joint")
        return Pair(
            english + first.english + words(",") + second.english,
            words("اگرچہ", "joint") + first.urdu + words("لیکن") + second.urdu,
        )

    def so_that(self) -> Pair:
        """ "I work hard so that I can buy a house": تاکہ ... سکوں."""
        subject = self.pronoun("subject")
        clause = self.clause(True, "can", subject)
        while clause.verb.dative or clause.negative or clause.tense != "can":
            clause = self.clause(True, "can", subject)
        clause = replace(clause, adjuncts=())
        aim = rename(Pair(clause.pair().english, able(clause)), "second")
        first = self.plain(self.choose(["present", "future", "progressive"]), subject)
        return Pair(
            first.english + words("so that", "joint") + aim.english, first.urdu + words("تاکہ", "joint") + aim.urdu
        )

    def before_after(self) -> Pair:
        """ "After eating dinner, he went home", "She reads before sleeping"."""
        doing = self.choose_word(
            [
                v
                for v in verbs()
                if not v.dative
                and "person" in v.subjects.split()
                and v.marker in ("", "کا", "سے")
                and not v.features & {"to", "where", "adj", "stative"}
                and v.vector == ""
            ]
        )
        subject = self.person("subject")
        object_ = self.object(doing, subject)
        english, urdu = ing_phrase(doing, object_)
        preposition, marker = self.choose(
            [("after", "کے بعد"), ("before", "سے پہلے"), ("without", "بغیر"), ("instead of", "کے بجائے")]
        )
        if preposition == "without":  # دیکھے بغیر
            urdu = urdu[:-1] + words(perfective(doing.stem, Agreement("m", "pl")), "verb")
        ing = rename(Pair(english, urdu), "second")
        main = self.clause(True, self.choose(["past", "present", "future"]), subject)
        main = replace(main, adjuncts=(), negative=False)
        if is_negative(subject):
            return self.before_after()
        pair = main.pair()
        joint, after = words(preposition, "joint"), words(marker, "joint")
        urdu_words = ing.urdu + after + pair.urdu
        if self.chance(0.5) and preposition in ("after", "before"):
            return Pair(joint + ing.english + words(",") + pair.english, urdu_words)
        return Pair(pair.english + joint + ing.english, urdu_words)


def again(subject: NounPhrase) -> NounPhrase:
    """The pronoun for a subject that was named before. In Urdu it agrees with the one that it means."""
    if subject.pronoun is not None and subject.english[0].text in ("I", "you", "he", "she", "we", "they"):
        return subject
    if subject.english[0].text in INDEFINITES:
        return pronoun_phrase("subject", "they")
    if subject.possessive in ("our", "your"):  # all of us
        return pronoun_phrase("subject", "we" if subject.possessive == "our" else "you")
    english = "they" if subject.be == "are" else "she" if subject.gender == "f" else "he"
    pronoun = pronoun_phrase("subject", english)
    if subject.number == "pl" and subject.be == "is":  # plural out of respect: my father, وہ ... ہیں
        return replace(
            pronoun_phrase("subject", "they"),
            english=pronoun.english,
            english_object=pronoun.english_object,
            be="is",
            gender=subject.gender,
            possessive=pronoun.possessive,
        )
    return replace(pronoun, gender=subject.gender)


def as_condition(clause: Clause) -> Pair:
    """A condition: in Urdu the perfective for what may come, اگر آپ آئے."""
    english = replace(clause, tense="present").pair().english
    return Pair(english, replace(clause, tense="past").pair().urdu)


def able(clause: Clause) -> Phrase:
    """The Urdu of a clause with سکوں, سکے or سکیں: what somebody shall be able to do."""
    said = replace(clause, tense="can").pair().urdu
    place = next(i for i, word in enumerate(said) if word.text.startswith("سک") and word.role.endswith("modal"))
    return said[:place] + words(subjunctive("سک", clause.subject.agreement), "modal")
