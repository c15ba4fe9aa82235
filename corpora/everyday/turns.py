"""Random sentences with "about to", "no longer", "just", "used to", "time for him to", "takes two hours to"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, add_postposition, possessive, words
from corpora.everyday.clauses import Adjunct, Clause, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.deeds import aim, infinite, unmarked
from corpora.everyday.inquiries import Inquirer
from corpora.everyday.lexicon import noun, numbers
from corpora.everyday.phrases import english_number
from corpora.everyday.verb_groups import WAS
from corpora.urdu_forms import agree, copula, infinitive

EASY = {  # "it is easy to": Urdu
    "easy": "آسان", "hard": "مشکل", "difficult": "مشکل", "important": "اہم", "dangerous": "خطرناک", "good": "اچھا",
    "necessary": "ضروری", "impossible": "ناممکن", "possible": "ممکن",
}  # fmt: skip
SPANS = {"minute": ("منٹ", "منٹ"), "hour": ("گھنٹہ", "گھنٹے"), "day": ("دن", "دن"), "week": ("ہفتہ", "ہفتے"),
         "month": ("مہینہ", "مہینے"), "year": ("سال", "سال")}  # fmt: skip


class Turner(Inquirer):
    """A speaker who also says what is about to happen, no longer happens, or takes its time."""

    def turn_kinds(self) -> list[tuple]:
        return [
            (self.about_to, 4),
            (self.no_longer, 5),
            (self.just_done, 4),
            (self.used_to_not, 4),
            (self.time_for, 4),
            (self.takes_time, 5),
            (self.easy_to, 5),
            (self.could_not, 5),
            (self.nobody_there, 3),
            (self.ought_to_have, 3),
        ]

    def short(self, subject: NounPhrase, tense: str = "future") -> Clause:
        return replace(self.told(subject, tense), adjuncts=())

    def about_to(self) -> Pair:
        """ "The train is about to leave": ریل گاڑی جانے ہی والی ہے."""
        return about_to(self.short(self.known_person()), self.chance(0.5))

    def no_longer(self) -> Pair:
        """ "She no longer works", "He does not work any more": وہ اب کام نہیں کرتی."""
        subject = self.known_person()
        clause = self.clause(True, "present", subject)
        while clause.verb.dative or clause.tense != "present" or "stative" in clause.verb.features:
            clause = self.clause(True, "present", subject)
        clause = replace(clause, adjuncts=(), negative=False)
        return no_longer(clause, self.choose(["no longer", "any more", "anymore"]))

    def just_done(self) -> Pair:
        """ "I have just eaten": میں نے ابھی ابھی کھانا کھایا ہے."""
        just = Adjunct(words("just", "just/time"), words("ابھی ابھی", "just/time"), "time", "mid")
        return replace(self.short(self.known_person(), "perfect"), adjuncts=(just,)).pair()

    def used_to_not(self) -> Pair:
        """ "He used to play here", "They did not use to come", "Did you use to sing?" """
        clause = self.told(self.known_person(), "used to")
        negative, question = self.question_or_not(clause.subject)
        return replace(clause, negative=negative, question=question).pair()

    def time_for(self) -> Pair:
        """ "It is time for the children to sleep": بچوں کے سونے کا وقت ہو گیا ہے."""
        return time_for(self.short(self.person_in_need()))

    def person_in_need(self) -> NounPhrase:
        while True:
            chosen = self.person("doer", "I you he she we they")
            if chosen.direct[0].text not in ("سب", "کوئی"):
                return chosen

    def takes_time(self) -> Pair:
        """ "It takes two hours to cook the rice": چاول پکانے میں دو گھنٹے لگتے ہیں."""
        deed = self.short(self.pronoun("subject", "you"))
        tense = self.choose(["present", "past", "future"])
        whom = self.person_in_need() if self.chance(0.35) and tense != "present" else None
        return takes(deed, self.rng.randint(1, 12), self.choose(list(SPANS)), tense, whom)

    def easy_to(self) -> Pair:
        """ "It was hard to find the key": چابی ڈھونڈنا مشکل تھا."""
        deed = self.short(self.pronoun("subject", "you"))
        return easy(deed, self.choose(list(EASY)), self.choose(["past", "past", "future", "present"]), self.chance(0.2))

    def could_not(self) -> Pair:
        """ "I could not open the door because it was locked", "She was not able to come": نہیں آ سکی."""
        tense = self.choose(["could", "could", "was able to"])
        clause = replace(self.short(self.known_person(), tense), negative=self.chance(0.85))
        if self.chance(0.3):
            return self.link(clause.pair(), "because", self.state(self.known_person(), "past"))
        return clause.pair()

    def nobody_there(self) -> Pair:
        """ "There was no one in the house": گھر میں کوئی نہیں تھا."""
        place = self.place()
        english, urdu = self.choose([("no one", "کوئی"), ("nobody", "کوئی"), ("nothing", "کچھ")])
        tense = self.choose(["was", "was", "is"])
        role = "none/pronoun"
        start = words("there") + words(tense) + words(english, role) + place.english
        return Pair(
            start, place.urdu + words(urdu, role) + words("نہیں", role) + words("تھا" if tense == "was" else "ہے")
        )

    def ought_to_have(self) -> Pair:
        """ "You should have come", "She should not have sold the house": آپ کو آنا چاہیے تھا."""
        deed = self.short(self.known_person(), "past")
        return should_have(deed, self.chance(0.5))


def about_to(deed: Clause, past: bool = False) -> Pair:
    """ "He is about to leave": وہ جانے ہی والا ہے."""
    subject = deed.subject
    english = subject.english + words(WAS[subject.be] if past else subject.be) + words("about", "modal") + aim(deed)
    end = words("ہی", "modal") + words(agree("والا", subject.gender, subject.number), "modal")
    be = words(copula("past" if past else "present", subject.agreement))
    return Pair(english, subject.direct + infinite(deed) + end + be)


def no_longer(clause: Clause, kind: str) -> Pair:
    """ "She no longer works": وہ اب کام نہیں کرتی."""
    now = Adjunct((), words("اب", "longer/time"), "time")
    urdu = urdu_of(replace(clause, negative=True, adjuncts=(now,)))
    if kind == "no longer":
        place = len(clause.subject.english)
        english = english_of(clause)
        urdu = tuple(one._replace(role="longer/time") if one.role == "not" else one for one in urdu)
        return Pair(english[:place] + words(kind, "longer/time") + english[place:], urdu)
    return Pair(english_of(replace(clause, negative=True)) + words(kind, "longer/time"), urdu)


def time_for(deed: Clause) -> Pair:
    """ "It is time for us to go": ہمارے جانے کا وقت ہو گیا ہے."""
    doer = deed.subject
    inner = rename(Pair(aim(deed), infinite(deed)), "aim")
    english = words("it is") + words("time", "time/noun") + words("for") + doer.as_object + inner.english
    urdu = possessive(doer, "m", "pl", True) + inner.urdu + words("کا") + words("وقت", "time/noun")
    return Pair(english, urdu + words("ہو گیا ہے"))


def takes(deed: Clause, count: int, unit: str, tense: str = "present", whom: NounPhrase | None = None) -> Pair:
    """ "It took me two hours to read the book": مجھے کتاب پڑھنے میں دو گھنٹے لگے."""
    told = {"present": "takes", "past": "took", "future": "will take"}[tense]
    english, many = noun(unit), count > 1
    number = words(english_number(count) if many else "an" if unit == "hour" else "a", "span/number")
    span = number + words((english.plural or unit) if many else unit, "span/unit")
    inner = rename(Pair(aim(deed), infinite(deed) + words("میں")), "aim")
    count_ = number_urdu(count) + words(SPANS[unit][many], "span/unit")
    ending = {
        "present": "لگتے ہیں" if many else "لگتا ہے", "past": "لگے" if many else "لگا",
        "future": "لگیں گے" if many else "لگے گا",
    }[tense]  # fmt: skip
    start = words("it") + words(told, "takes/verb") + (whom.as_object if whom is not None else ())
    dative = add_postposition(whom, "کو") if whom is not None else ()
    return Pair(start + span + inner.english, dative + inner.urdu + count_ + words(ending, "takes/verb"))


def number_urdu(count: int) -> Phrase:
    return words(numbers()[count], "span/number")


def easy(deed: Clause, english: str, tense: str = "past", negative: bool = False) -> Pair:
    """ "It was hard to find the key": چابی ڈھونڈنا مشکل تھا."""
    inner = rename(Pair(aim(deed), infinite(deed)[:-1] + words(infinitive(deed.verb.stem), "verb")), "aim")
    be = {"present": ("is", "ہے"), "past": ("was", "تھا"), "future": ("will be", "ہو گا")}[tense]
    first, *rest = be[0].split()
    negation = words("not", "not") if negative else ()
    start = words("it") + words(first) + negation + words(" ".join(rest)) + words(english, "q/adjective")
    denial = words("نہیں", "not") if negative else ()
    return Pair(start + inner.english, inner.urdu + words(EASY[english], "q/adjective") + denial + words(be[1]))


def should_have(deed: Clause, negative: bool = False) -> Pair:
    """ "You should have come": آپ کو آنا چاہیے تھا."""
    subject = deed.subject
    agreement = unmarked(deed)
    participle = words(deed.verb.english[3], "verb")
    negation = words("not", "not") if negative else ()
    rest = english_of(replace(deed, tense="imperative", negative=False))[1:]
    english = subject.english + words("should", "modal") + negation + words("have") + participle + rest
    ought = {("m", "sg"): "چاہیے تھا", ("m", "pl"): "چاہیے تھے", ("f", "sg"): "چاہیے تھی", ("f", "pl"): "چاہیے تھیں"}
    said = infinite(deed, agreement)
    denial = words("نہیں", "not") if negative else ()
    urdu = add_postposition(subject, "کو") + said[:-1] + denial + said[-1:]
    return Pair(english, urdu + words(ought[agreement.gender, agreement.number], "modal"))
