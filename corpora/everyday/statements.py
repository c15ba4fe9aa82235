"""Random sentences about where things are, who has what, and the weather."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import (
    NounPhrase,
    name_phrase,
    pronoun_phrase,
    words,
)
from corpora.everyday.actions import infinitive_phrase, ing_phrase, is_negative
from corpora.everyday.being import be_clause, have, there_is
from corpora.everyday.clauses import at
from corpora.everyday.english import article
from corpora.everyday.identities import Identifier
from corpora.everyday.lexicon import (
    Adjective,
    Verb,
    adjectives,
    adjectives_of,
    noun,
    nouns_of,
    places,
    verbs,
)
from corpora.everyday.phrases import decline_adjective, make, whatever
from corpora.urdu_forms import copula, infinitive

WEATHER = {  # after "it is": Urdu predicate, and gender of its noun
    "hot": ("گرمی", "f"),
    "cold": ("سردی", "f"),
    "dark": ("اندھیرا", "m"),
    "sunny": ("دھوپ", "f"),
    "foggy": ("دھند", "f"),
}
FALLING = {
    "raining": ("بارش", "f"),
    "snowing": ("برف باری", "f"),
    "hailing": ("ژالہ باری", "f"),
    "drizzling": ("بوندا باندی", "f"),
}
ILLNESSES = ("fever", "cough", "cold")  # with "a"
# How it is to do something.
JUDGEMENTS = (
    *("easy", "difficult", "good", "bad", "interesting", "important"),
    *("necessary", "boring", "dangerous", "possible", "impossible", "useful"),
)


class Describer(Identifier):
    """A speaker who also says where things are and who has them."""

    def location(self) -> Pair:
        """ "Where is the key?", "My parents are in Lahore", "Who is in the garden?" """
        subject = (
            self.person("subject")
            if self.chance(0.5)
            else self.thing("subject", "thing vehicle text fruit container writing animal clothes", definite=True)
        )
        tense = self.be_tense()
        if self.chance(0.25):
            tense = "past" if tense == "past" else "present"
            origin = self.chance(0.2) and subject.kind == "person"
            if origin:
                return be_clause(
                    subject, "present", words("from"), (), question="where", urdu_asked=words("کہاں سے", "question")
                )
            return be_clause(subject, tense, (), (), question="where", urdu_asked=words("کہاں", "question"))
        place = at("from", name_phrase("place", self.choose(places()))) if self.chance(0.08) else self.place(subject)
        negative, question = self.question_or_not(subject)
        return be_clause(subject, tense, place.english, place.urdu, negative, question, self.when(tense, question))

    def existence(self) -> Pair:
        """ "There are two books on the table", "There is no water", "Is there any milk in the fridge?" """
        word = self.choose_word(
            nouns_of(
                "thing food fruit drink animal text furniture container person profession vehicle plant writing room"
            )
        )
        number = "pl" if word.plural and (word.quantity == "plural" or self.chance(0.4)) else "sg"
        place = self.place() if self.chance(0.8) else None
        tense = self.pick({"present": 60, "past": 25, "future": 15})
        roll = self.rng.random()
        if roll < 0.22:
            thing = make("thing", word, number, "no")
            return there_is(thing, place, tense)
        if roll < 0.42:
            plain = number == "pl" or word.quantity == "mass"
            anything = make("thing", word, number, "any" if plain else "a")
            if not plain or self.chance(0.6):
                return there_is(anything, place, tense, "yes/no")
            return there_is(anything, place, tense, negative=True)
        thing = self.measure("thing") if self.chance(0.1) else self.noun("thing", word, definite=False)
        while thing.english[0].text == "most":
            thing = self.noun("thing", word, definite=False)
        if roll < 0.5 and number == "pl":
            many = make("thing", word, "pl", "how many")
            where = place.english if place else ()
            be = words("are" if tense != "past" else "were")
            end = words(copula("past" if tense == "past" else "present", many.agreement))
            return Pair(
                many.english + be + words("there") + where, (place.urdu if place else ()) + many.direct + end, True
            )
        return there_is(thing, place, tense, "yes/no" if roll < 0.6 else "")

    def possession(self) -> Pair:
        """ "I have two brothers", "She has a fever", "Do you have any money?", "Ali has blue eyes"."""
        owner = self.person("subject")
        if is_negative(owner):
            owner = self.pronoun("subject")
        relation = self.pick({"thing": 55, "kin": 25, "illness": 12, "idea": 8})
        tense = self.pick({"present": 65, "past": 25, "future": 8})
        kind = self.pick({"said": 66, "denied": 16, "yes/no": 14, "object": 8})
        if relation == "illness":
            return self.illness(owner, tense, kind)
        chosen: tuple[Adjective, ...] = ()
        if relation == "kin":
            word = self.choose_word(nouns_of("brother sister son daughter child cousin friend uncle aunt nephew niece"))
            number = self.choose(["sg", "pl"])
            chosen = tuple(a for a in adjectives_of(word) if a.english == "married" and self.chance(0.1))
        elif relation == "idea":
            word = noun(self.choose(["question", "problem", "dream", "plan", "idea", "wish", "complaint"]))
            number = "sg"
        else:
            word = self.choose_word(
                nouns_of(
                    "animal bird thing vehicle text fruit food drink device clothes container writing money_mass tool"
                )
            )
            number, chosen = "pl" if word.plural and self.chance(0.35) else "sg", self.describing(word)[0]
        number = "pl" if word.quantity == "plural" else number
        if kind == "object":
            thing = make("object", word, "pl" if word.plural else "sg", "how many" if word.plural else "how much")
            return have(
                owner,
                thing,
                "past" if tense == "past" else "present",
                "thing" if relation == "thing" else "kin",
                question="object",
            )
        determiner, count = self.determiner(word, number, False)
        if kind in ("denied", "yes/no") and determiner not in ("a", "any", ""):
            determiner, count = ("a", 0) if number == "sg" and word.quantity == "count" else ("any", 0)
        if determiner == "a" and word.quantity == "mass":
            determiner = ""
        thing = make("object", word, number, determiner, chosen, count=count)
        if kind == "said" and self.chance(0.12):
            thing = make("object", word, number, "no", chosen)
        if relation == "thing" and self.chance(0.12):
            thing = self.measure("object")
        where = "thing" if relation == "thing" or word.english == "idea" else "kin"
        return have(owner, thing, tense, where, kind == "denied", "yes/no" if kind == "yes/no" else "")

    def illness(self, owner: NounPhrase | None = None, tense: str = "", kind: str = "") -> Pair:
        """ "I have a fever", "Does he have a cough?", "She had malaria". What aches: `feelings.Feeler.ache`."""
        if owner is None:
            owner = self.pronoun("subject") if self.chance(0.5) else self.relative("subject")
        illnesses = [each for each in nouns_of("illness") if not each.english.endswith("ache")]
        word = noun(self.choose(ILLNESSES)) if self.chance(0.7) else self.choose_word(illnesses)
        thing = make("object", word, determiner="a" if word.english in ILLNESSES else "").without_article()
        tense = tense or self.choose(["present", "present", "present", "past", "future"])
        kind = kind or self.pick({"said": 70, "denied": 15, "yes/no": 15})
        return have(owner, thing, tense, "illness", kind == "denied", "yes/no" if kind == "yes/no" else "")

    def looks(self) -> Pair:
        """ "She has blue eyes": اس کی آنکھیں نیلی ہیں."""
        owner = self.person("subject")
        if is_negative(owner):
            return self.looks()
        word = noun(self.choose(["eye", "hair", "face", "hand", "nose", "leg"]))
        wanted = {
            "eye": "big blue brown black beautiful green",
            "hair": "long black short brown",
            "face": "beautiful round",
            "hand": "small big dirty clean",
            "nose": "big small long",
            "leg": "long short strong",
        }[word.english]
        by_name = {a.english: a for a in adjectives()}
        adjective = by_name[self.choose(wanted.split())]
        number = "pl" if word.english in ("eye", "hand", "leg") else "sg"
        has = words("has" if owner.be == "is" else "have", "have")
        one = words(article(adjective.english), "thing/article") if word.english in ("face", "nose") else ()
        plain = (word.plural if number == "pl" else word.english) or word.english
        role = "predicate/adjective"
        thing = make("thing", word, number, owner=owner)
        english = owner.english + has + one + words(adjective.english, role) + words(plain, "thing/noun")
        urdu = thing.direct + words(decline_adjective(adjective.urdu, thing.gender, thing.number), role)
        return Pair(english, urdu + words(copula("present", thing.agreement)))

    def weather(self) -> Pair:
        """ "It was very cold yesterday", "It is raining in Lahore", "Will it rain tomorrow?" """
        place = at("in", name_phrase("place", self.choose(places()))) if self.chance(0.3) else None
        where = (place.english, place.urdu) if place else ((), ())
        tense = self.pick({"present": 50, "past": 30, "future": 20})
        time = self.when(tense) if self.chance(0.8) else ()
        early = tuple(w for a in time for w in a.urdu)
        later = tuple(w for a in time for w in a.english)
        negative, question = self.question_or_not(whatever())
        denial = words("نہیں", "not") if negative else ()
        negation = words("not", "not") if negative else ()
        start = words("کیا") if question else ()
        be = {"present": "is", "past": "was", "future": "will"}[tense]
        order = words(f"{be} it") if question else words(f"it {be}")
        if self.chance(0.5):
            english = self.choose(list(FALLING))
            noun_, _ = FALLING[english]
            falling = {"present": "ہو رہی ہے", "past": "ہو رہی تھی", "future": "ہو گی"}[tense]
            ing = (
                words(english, "verb")
                if tense != "future"
                else words(
                    {"raining": "rain", "snowing": "snow", "hailing": "hail", "drizzling": "drizzle"}[english], "verb"
                )
            )
            return Pair(
                order + negation + ing + where[0] + later,
                start + early + where[1] + words(noun_, "verb") + denial + words(falling),
                bool(question),
            )
        english = self.choose(list(WEATHER))
        noun_, gender = WEATHER[english]
        very = self.chance(0.3) and english in ("hot", "cold") and not negative
        rest = (
            negation
            + (words("be") if tense == "future" else ())
            + words("very" if very else "", "very")
            + words(english, "predicate/adjective")
        )
        agreement = make("x", noun("rain" if gender == "f" else "book")).agreement._replace(gender=gender)
        urdu = (
            words("بہت" if very else "", "very")
            + words(noun_, "predicate/adjective")
            + denial
            + words(copula(tense, agreement))
        )
        return Pair(order + rest + where[0] + later, start + early + where[1] + urdu, bool(question))

    def doing_is(self) -> Pair:
        """ "Reading books is interesting", "It is easy to learn Urdu", "It is difficult for me to cook"."""
        doing = self.choose_word(doable())
        object_ = self.object(doing, pronoun_phrase("subject", "you"))
        assert object_ is not None
        object_ = object_.without_article()
        if self.chance(0.15):
            return time_to(doing, object_)
        english, urdu = ing_phrase(doing, object_)
        by_name = {a.english: a for a in reversed(adjectives())}  # the first of each name: برا, not خراب
        adjective = by_name[self.choose(JUDGEMENTS)]
        role = "predicate/adjective"
        direct = urdu[:-1] + words(infinitive(doing.stem), "verb")
        negative, question = self.question_or_not(object_)
        very = words("very", "very") if self.chance(0.2) and "plain" not in adjective.features else ()
        subject = replace(whatever(), english=english, direct=direct, be="is")
        rest = very + words(adjective.english, role)
        urdu_rest = words("بہت" if very else "", "very") + words(adjective.urdu, role)
        if self.chance(0.5):
            return be_clause(subject, "present", rest, urdu_rest, negative, question)
        it = replace(subject, english=words("it"))
        aim = words("to") + words(doing.base, "verb") + english[1:]
        if self.chance(0.3):
            person = self.person("whom", "I you he she we they")
            whom = at("for", person)
            it = replace(it, direct=whom.urdu + direct)
            return be_clause(it, "present", rest + whom.english + aim, urdu_rest, negative, question)
        return be_clause(it, "present", rest + aim, urdu_rest, negative, question)


@cache
def doable() -> list[Verb]:
    """The verbs of which one says that doing so is easy or good."""
    return [
        v
        for v in verbs()
        if v.transitive
        and not v.dative
        and "person" in v.subjects.split()
        and v.marker in ("", "کا")
        and not v.features & {"to", "where", "stative", "adj"}
    ]


def time_to(doing: Verb, object_: NounPhrase | None) -> Pair:
    """ "It is time to close the shop": دکان بند کرنے کا وقت ہو گیا ہے."""
    aim = infinitive_phrase(doing, object_)
    time = words("وقت", "predicate/noun") + words("ہو گیا ہے")
    return Pair(
        words("it is") + words("time", "predicate/noun") + words("to") + aim.english, aim.urdu + words("کا") + time
    )
