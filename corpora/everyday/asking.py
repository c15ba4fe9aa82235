"""Random questions: how far, how often, how long it takes, what time, what kind, what colour, what for, whose."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, name_phrase, words
from corpora.everyday.actions import infinitive_phrase
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, postposed, rename
from corpora.everyday.degrees import Grader
from corpora.everyday.lexicon import Verb, noun, nouns_of, places, verb, verbs
from corpora.everyday.phrases import make
from corpora.everyday.statements import doable
from corpora.urdu_forms import agree, copula
from corpora.urdu_lexicon import Noun

KINDS = "food fruit clothes film book music car house flower shoe game sport story song phone vegetable vehicle animal"
BOUGHT = ("food", "fruit", "vegetable", "clothes", "vehicle")
USES = "thing tool device container"
COLOURED = "clothes car house bicycle flower bag shoe bird cat dog door wall bus pen book"
SKIES = ["good", "bad", "pleasant", "cold", "hot", "terrible", "nice", "wonderful"]


class Asker(Grader):
    """A speaker who also asks such questions."""

    def asking_kinds(self) -> list[tuple]:
        return [
            (self.how_far, 2),
            (self.how_often, 6),
            (self.how_long_to, 2),
            (self.what_kind, 3),
            (self.what_colour, 2),
            (self.what_for, 2),
            (self.whose, 2),
            (self.what_weather, 3),
            (self.who_did, 4),
        ]

    def how_far(self) -> Pair:
        """ "How far is Lahore from Karachi?", "How far is the station from here?" """
        if self.chance(0.4):
            one, two = self.rng.sample(places(), 2)
            return how_far(name_phrase("subject", one), name_phrase("from", two))
        subject = make("subject", self.choose_word(nouns_of("place house school station market hospital park")))
        if self.chance(0.4):
            return how_far(subject)
        other = self.choose_word(nouns_of("house school station mosque hotel airport office"))
        origin = make("from", other, owner=self.pronoun("from-owner") if self.chance(0.5) else None)
        return how_far(subject, origin) if origin.direct[-1].text != subject.direct[-1].text else self.how_far()

    def how_often(self) -> Pair:
        """ "How often do you go to the market?", "What time did they come?", "How long will you stay?" """
        asked = self.choose(["how often", "how often", "what time", "what time", "how long"])
        tense = self.choose(["present", "past", "future"])
        if asked == "how long":
            doing = verb(self.choose(["wait", "stay", "work", "study", "rest", "sleep", "talk", "play"]))
            doing = next(v for v in verbs() if v.base == doing.base and not v.objects)
            clause = Clause(self.known_person(), doing, tense)
        else:
            clause = self.clause(True, tense, self.known_person())
        if clause.verb.dative or clause.verb.marker not in ("", "bare", "سے") or "stative" in clause.verb.features:
            return self.how_often()
        return replace(clause, negative=False, adjuncts=(), question=asked).pair()

    def how_long_to(self) -> Pair:
        """ "How long does it take to cook rice?": چاول پکانے میں کتنی دیر لگتی ہے؟"""
        doing = self.choose_word(doable())
        object_ = self.object(doing, self.pronoun("subject", "you"))
        assert object_ is not None
        return how_long_it_takes(doing, object_.without_article(), self.choose(["present", "present", "future"]))

    def what_kind(self) -> Pair:
        """ "What kind of books do you like?": آپ کو کس قسم کی کتابیں پسند ہیں؟"""
        word = self.choose_word(nouns_of(KINDS))
        names = {"food": ["eat", "cook"], "fruit": ["eat"], "clothes": ["wear", "buy"], "text": ["read"]}
        more = ["want", "need", "buy"] if word.kind in BOUGHT else []
        doing = verb(self.choose(["like", *more, *names.get(word.kind, [])]))
        tense = "present" if doing.dative else self.choose(["present", "past", "future"])
        subject = self.pronoun("subject", "you you he she they we")
        return Clause(subject, doing, tense, kind_of(word), question="object").pair()

    def what_colour(self) -> Pair:
        """ "What colour is your car?": آپ کی گاڑی کس رنگ کی ہے؟"""
        word = self.choose_word(nouns_of(COLOURED))
        subject = self.owned("subject", word, "sg", (), ("", ""), None) if self.chance(0.7) else make("subject", word)
        return what_colour(subject, self.choose(["present", "present", "past"]))

    def what_for(self) -> Pair:
        """ "What is this knife for?": یہ چھری کس لیے ہے؟"""
        word = self.choose_word([w for w in nouns_of(USES) if w.quantity == "count"])
        number = "pl" if word.plural and self.chance(0.3) else "sg"
        pointing = self.choose(["this", "that", "the"] if number == "sg" else ["these", "those", "the"])
        return what_for(make("subject", word, number, pointing))

    def whose(self) -> Pair:
        """ "Whose car is this?": یہ کس کی گاڑی ہے؟"""
        word = self.choose_word([w for w in nouns_of(f"{USES} clothes vehicle text animal house") if w.plural])
        number = "pl" if word.quantity == "plural" or self.chance(0.25) else "sg"
        return whose(make("thing", word, number, "whose"), self.choose(["this", "that"]))

    def what_weather(self) -> Pair:
        """ "How is the weather in Lahore?", "The weather is pleasant today"."""
        subject = make("subject", noun("weather"))
        place = name_phrase("place", self.choose(places())) if self.chance(0.5) else None
        tense = self.choose(["present", "present", "past"])
        when: tuple[Adjunct, ...] = ()
        if self.chance(0.4):
            one = ("today", "آج") if tense == "present" else ("yesterday", "کل")
            when = (Adjunct(words(one[0], "day/time"), words(one[1], "day/time"), "time"),)
        if place is not None:
            where = Adjunct(words("in", "place/preposition") + place.english, postposed(place, "میں"), "place")
            when = (where, *when)
        if self.chance(0.4):
            how = words(agree("کیسا", "m", "sg"), "question")
            return be_clause(subject, tense, (), (), question="how", urdu_asked=how, adjuncts=when)
        fit = [a for a in self.graded(noun("weather")) if a.english in SKIES]
        negative, question = self.question_or_not(subject)
        return be_clause(subject, tense, *self.predicate(self.choose(fit), subject), negative, question, when)

    def who_did(self) -> Pair:
        """ "Who broke the window?", "What did you buy?", "Who did she see?" """
        while True:
            clause = self.clause(tense="past")
            if clause.question in ("subject", "object"):
                return replace(clause, adjuncts=()).pair()


def how_far(subject: NounPhrase, origin: NounPhrase | None = None) -> Pair:
    """ "How far is the station from here?": اسٹیشن یہاں سے کتنی دور ہے؟"""
    start = origin or name_phrase("from", places()[0])
    english = words("from", "from/preposition") + (start.as_object if origin else words("here", "from/noun"))
    urdu = (start.oblique if origin else words("یہاں", "from/noun")) + words("سے", "from/preposition")
    how = words("کتنی دور", "question")
    return be_clause(subject, "present", english, urdu, question="how far", urdu_asked=how)


def how_long_it_takes(doing: Verb, object_: NounPhrase, tense: str = "present") -> Pair:
    """ "How long does it take to cook rice?": چاول پکانے میں کتنی دیر لگتی ہے؟"""
    aim = rename(infinitive_phrase(doing, object_), "aim")
    will = words("will" if tense == "future" else "does")
    english = words("how long", "question") + will + words("it") + words("take", "verb") + words("to") + aim.english
    takes = words("لگے گی" if tense == "future" else "لگتی ہے", "verb")
    return Pair(english, aim.urdu + words("میں") + words("کتنی دیر", "question") + takes, True)


def kind_of(word: Noun) -> NounPhrase:
    """ "What kind of books": کس قسم کی کتابیں."""
    thing = make("object", word, "pl" if word.plural else "sg", "")
    asked = [
        words(f"کس قسم {agree('کا', thing.gender, thing.number, oblique)}", "question") for oblique in (False, True)
    ]
    english = words("what kind", "question") + words("of") + thing.english
    return replace(thing, english=english, direct=asked[0] + thing.direct, oblique=asked[1] + thing.oblique)


def what_colour(subject: NounPhrase, tense: str = "present") -> Pair:
    """ "What colour is your car?": آپ کی گاڑی کس رنگ کی ہے؟"""
    asked = words(f"کس رنگ {agree('کا', subject.gender, subject.number)}", "question")
    return be_clause(subject, tense, (), (), question="what colour", urdu_asked=asked)


def what_for(subject: NounPhrase) -> Pair:
    """ "What is this knife for?": یہ چھری کس لیے ہے؟"""
    asked = words("کس لیے", "question")
    return be_clause(subject, "present", words("for", "question"), (), question="what", urdu_asked=asked)


def whose(thing: NounPhrase, pointing: str = "this") -> Pair:
    """ "Whose car is this?": یہ کس کی گاڑی ہے؟"""
    plural = {"this": "these", "that": "those"}[pointing] if thing.be == "are" else pointing
    role = "subject/pronoun"
    start = words("وہ" if pointing == "that" else "یہ", role)
    urdu = start + thing.direct + words(copula("present", thing.agreement))
    return Pair(thing.english + words(thing.be) + words(plural, role), urdu, True)
