"""Random questions: how old a thing is, how many rooms it has, what for breakfast, which one most, tea or coffee."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur import CONTRACTIONS
from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Word, add_postposition, who_phrase, words
from corpora.everyday.clauses import Adjunct, Clause
from corpora.everyday.lexicon import noun, nouns_of, verb
from corpora.everyday.phrases import make, whatever
from corpora.everyday.spans import Scheduler
from corpora.urdu_forms import agree, copula
from corpora.urdu_lexicon import Noun

MEALS = {"breakfast": "ناشتے میں", "lunch": "دوپہر کے کھانے میں", "dinner": "رات کے کھانے میں"}
PARTS = {  # things, and what they have several of
    "house": "room door window bedroom bathroom", "school": "teacher student classroom", "car": "door seat",
    "book": "page chapter picture", "village": "house mosque school", "city": "school hospital park bridge",
    "week": "day", "year": "month", "day": "hour", "hour": "minute", "table": "leg drawer", "garden": "tree flower",
    "class": "student boy girl", "hotel": "room", "hospital": "doctor nurse room",
}  # fmt: skip
AGED = "house car building bridge tree mosque school city church watch bicycle phone computer coat picture castle"
CHOICES = "drink fruit sport food colour vegetable animal season music"
AMOUNTS = {"add": "salt sugar water milk flour", "buy": "rice sugar meat milk oil", "drink": "water milk juice",
           "use": "water salt oil", "eat": "rice bread fruit"}  # fmt: skip
DENIED = CONTRACTIONS | {"has": "hasn't", "have": "haven't"}


class Inquirer(Scheduler):
    """A speaker who also asks these things."""

    def inquiry_kinds(self) -> list[tuple]:
        return [
            (self.how_old_thing, 4),
            (self.how_many_has, 4),
            (self.for_breakfast, 3),
            (self.which_most, 4),
            (self.this_or_that, 3),
            (self.when_last, 3),
            (self.how_many_days, 4),
            (self.how_much_should, 3),
            (self.who_else, 4),
            (self.denying, 5),
        ]

    def how_old_thing(self) -> Pair:
        """ "How old is this house?": یہ گھر کتنا پرانا ہے؟"""
        return how_old(self.noun("subject", self.choose(nouns_of(AGED)), None, True))

    def how_many_has(self) -> Pair:
        """ "How many rooms does your house have?": آپ کے گھر میں کتنے کمرے ہیں؟"""
        name = self.choose(list(PARTS))
        word = noun(name)
        timed = name in ("week", "year", "day", "hour")
        owner = make("owner", word, determiner="a") if timed else self.noun("owner", word, None, True)
        thing = make("thing", noun(self.choose(PARTS[name].split())), "pl", "how many")
        return how_many(owner.without_article() if timed else owner, thing, there=self.chance(0.35))

    def for_breakfast(self) -> Pair:
        """ "What did you eat for breakfast?": آپ نے ناشتے میں کیا کھایا؟"""
        subject = self.pronoun("subject", "you you we he she they") if self.chance(0.8) else self.known_person()
        doing = verb(self.choose(["eat", "eat", "cook", "drink"]))
        tense = self.choose(["past", "past", "present", "future", "want to", "progressive"])
        return at_meal(Clause(subject, doing, tense), self.choose(list(MEALS)))

    def which_most(self) -> Pair:
        """ "Which fruit do you like most?": آپ کو کون سا پھل سب سے زیادہ پسند ہے؟"""
        word = self.choose([one for one in nouns_of(f"{CHOICES} film book song") if one.plural is not None])
        subject = self.known_person() if self.chance(0.4) else self.pronoun("subject", "you")
        return likes_most(subject, word, self.choose(["most", "best"]))

    def this_or_that(self) -> Pair:
        """ "Do you prefer tea or coffee?": آپ کو چائے زیادہ پسند ہے یا کافی؟"""
        words_ = nouns_of(self.choose(["drink", "fruit", "food", "sport", "vegetable", "animal"]))
        one, two = self.choose(words_), self.choose(words_)
        if one.english == two.english or {one.quantity, two.quantity} == {"mass", "count"}:
            return self.this_or_that()
        subject = self.known_person() if self.chance(0.3) else self.pronoun("subject", "you you he she they")
        first, second = (make(slot, each, "pl" if each.plural else "sg", "") for slot, each in
                         (("object", one), ("object-too", two)))  # fmt: skip
        return prefers(subject, first, second)

    def when_last(self) -> Pair:
        """ "When was the last time you saw him?": آپ نے آخری بار اسے کب دیکھا؟"""
        subject = self.pronoun("subject", "you you we he she they") if self.chance(0.7) else self.known_person()
        return last_time(replace(self.doing(subject), adjuncts=()))

    def how_many_days(self) -> Pair:
        """ "How many days will you stay?", "How many hours did they wait?": کتنے دن."""
        unit = noun(self.choose(["day", "day", "hour", "week", "month", "year", "minute"]))
        doing = self.of_these(
            ["wait", "stay", "work", "study", "rest", "sleep", "travel", "talk", "live in", "stay in"]
        )
        subject = self.pronoun("subject", "you you we he she they I") if self.chance(0.6) else self.known_person()
        tense = self.choose(["past", "future", "future", "want to", "have to"])
        return how_many_units(Clause(subject, doing, tense, self.object(doing, subject)), unit)

    def how_much_should(self) -> Pair:
        """ "How much salt should I add?": مجھے کتنا نمک ڈالنا چاہیے؟"""
        name = self.choose(list(AMOUNTS))
        thing = make("object", noun(self.choose(AMOUNTS[name].split())), "sg", "how much")
        subject = self.pronoun("subject", "I I we you")
        tense = self.choose(["should", "should", "can", "have to", "future", "past"])
        return Clause(subject, verb(name), tense, thing, question="object").pair()

    def who_else(self) -> Pair:
        """ "Who else came?": اور کون آیا؟ "What else did you buy?": آپ نے اور کیا خریدا؟"""
        tense = self.choose(["past", "past", "future", "perfect"])
        if self.chance(0.55):
            subject = else_(who_phrase())
            deed = self.told(who_phrase(), tense)
            if deed.verb.marker.startswith("ک") or deed.verb.dative:
                return self.who_else()
            return replace(deed, subject=subject, adjuncts=(), question="subject").pair()
        doing = self.what_verb("do buy see eat say write want read find bring make sell")
        subject = self.pronoun("subject", "you you he she they we")
        tense = "present" if doing.dative else tense
        return Clause(subject, doing, tense, else_(whatever()), question="object").pair()

    def denying(self) -> Pair:
        """ "Didn't you see him?", "Why didn't she come?", "Isn't your brother ill?" """
        subject = self.known_person()
        tense = self.choose(["past", "past", "present", "future", "can", "progressive", "perfect"])
        deed = replace(self.told(subject, tense), adjuncts=())
        asked = self.choose(["yes/no", "yes/no", "why"])
        if deed.verb.dative or subject.be == "am":
            return self.denying()
        return denied_question(replace(deed, question=asked))


def how_old(thing: NounPhrase) -> Pair:
    """ "How old is this house?": یہ گھر کتنا پرانا ہے؟"""
    form = [agree(one, thing.gender, thing.number) for one in ("کتنا", "پرانا")]
    urdu = words(form[0], "question") + words(form[1], "question") + words(copula("present", thing.agreement))
    return Pair(words("how old", "question") + words(thing.be) + thing.english, thing.direct + urdu, True)


def how_many(owner: NounPhrase, thing: NounPhrase, there: bool = False) -> Pair:
    """ "How many rooms does the house have?", "How many rooms are there in the house?" """
    urdu = add_postposition(owner, "میں") + thing.direct + words(copula("present", thing.agreement))
    if there:
        return Pair(thing.english + words("are there in") + owner.english, urdu, True)
    does = words("do" if owner.be == "are" else "does")
    return Pair(thing.english + does + owner.english + words("have"), urdu, True)


def at_meal(clause: Clause, meal: str) -> Pair:
    """ "What did you eat for breakfast?": آپ نے ناشتے میں کیا کھایا؟"""
    role = "meal/noun"
    when = Adjunct(words("for") + words(meal, role), words(MEALS[meal], role), "time")
    return replace(clause, object=whatever(), question="object", adjuncts=(when,)).pair()


def likes_most(subject: NounPhrase, word: Noun, most: str = "most") -> Pair:
    """ "Which fruit do you like most?": آپ کو کون سا پھل سب سے زیادہ پسند ہے؟"""
    how = Adjunct(words(most, "most"), words("سب سے زیادہ", "most"), "manner")
    thing = make("object", word, determiner="which")
    return Clause(subject, verb("like"), "present", thing, question="object", adjuncts=(how,)).pair()


def prefers(subject: NounPhrase, first: NounPhrase, second: NounPhrase) -> Pair:
    """ "Do you prefer tea or coffee?": آپ کو چائے زیادہ پسند ہے یا کافی؟"""
    do = words("does" if subject.be == "is" else "do")
    prefer = words("prefer", "verb") + first.english + words("or", "joint") + second.english
    liked = words("زیادہ", "verb") + words("پسند", "verb") + words(copula("present", first.agreement))
    urdu = add_postposition(subject, "کو") + first.direct + liked + words("یا", "joint") + second.direct
    return Pair(do + subject.english + prefer, urdu, True)


def last_time(clause: Clause) -> Pair:
    """ "When was the last time you saw him?": آپ نے آخری بار اسے کب دیکھا؟"""
    when = Adjunct((), words("آخری بار", "last/time"), "time")
    english = replace(clause, tense="past", adjuncts=()).pair().english
    start = words("when", "question") + words("was the") + words("last time", "last/time")
    urdu = replace(clause, tense="past", adjuncts=(when,), question="when").pair().urdu
    return Pair(start + english, urdu, True)


def how_many_units(clause: Clause, unit: Noun) -> Pair:
    """ "How many days will you stay?": آپ کتنے دن ٹھہریں گے؟"""
    thing = make("unit", unit, "pl", "how many")
    when = Adjunct((), thing.direct, "manner")
    pair = replace(clause, question="yes/no", adjuncts=(when,)).pair()
    return Pair(thing.english + pair.english, pair.urdu[1:], True)


def else_(asked: NounPhrase) -> NounPhrase:
    """ "Who else", "what else": اور کون, اور کیا."""
    more = words("اور", "question")
    forms = asked.pronoun
    if forms is not None:
        forms = replace(forms, ergative=f"اور {forms.ergative}", dative=f"اور {forms.dative}")
    english = asked.english + words("else", "question")
    return replace(asked, english=english, direct=more + asked.direct, oblique=more + asked.oblique, pronoun=forms)


def denied_question(clause: Clause) -> Pair:
    """ "Didn't you see him?": کیا آپ نے اسے نہیں دیکھا؟"""
    pair = replace(clause, negative=True).pair()
    place = 0 if clause.question == "yes/no" else 1
    auxiliary = pair.english[place]
    rest = tuple(one for one in pair.english[place + 1 :] if one.role != "not")
    short = Word(DENIED[auxiliary.text], "not")
    return Pair((*pair.english[:place], short, *rest), pair.urdu, True)
