"""Random sentences about how things are: qualities, identity, place, possession, comparison, weather and time."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from model.train.corpora.en_ur_clauses import Pair
from model.train.corpora.en_ur_phrases import (
    NounPhrase,
    Phrase,
    name_phrase,
    possessive,
    pronoun_phrase,
    words,
)
from model.train.corpora.everyday.actions import Actor, ing_phrase, is_negative
from model.train.corpora.everyday.clauses import Adjunct, at, be_clause, have, there_is
from model.train.corpora.everyday.english import article
from model.train.corpora.everyday.lexicon import (
    Adjective,
    adjectives,
    adjectives_of,
    noun,
    nouns,
    nouns_of,
    places,
    verbs,
)
from model.train.corpora.everyday.phrases import decline_adjective, make, whatever
from model.train.corpora.urdu_forms import agree, copula, infinitive
from model.train.corpora.urdu_lexicon import Noun

GRADED = "thing furniture container clothes vehicle place room text street animal bird fruit food building part device"
STATES = {  # English adjective -> Urdu noun, and the words behind it in the present and the past
    "hungry": ("بھوک", "لگی ہے", "لگی تھی"), "thirsty": ("پیاس", "لگی ہے", "لگی تھی"),
    "sleepy": ("نیند", "آ رہی ہے", "آ رہی تھی"), "cold": ("سردی", "لگ رہی ہے", "لگ رہی تھی"),
    "hot": ("گرمی", "لگ رہی ہے", "لگ رہی تھی"),
}  # fmt: skip
WEATHER = {  # after "it is": Urdu predicate, and gender of its noun
    "hot": ("گرمی", "f"), "cold": ("سردی", "f"), "dark": ("اندھیرا", "m"), "sunny": ("دھوپ", "f"), "foggy": ("دھند", "f"),
}  # fmt: skip
FALLING = {
    "raining": ("بارش", "f"),
    "snowing": ("برف باری", "f"),
    "hailing": ("ژالہ باری", "f"),
    "drizzling": ("بوندا باندی", "f"),
}


class Describer(Actor):
    """A speaker who also says how things are."""

    def be_tense(self) -> str:
        return self.pick({"present": 60, "past": 25, "future": 12})

    def question_or_not(self, subject: NounPhrase) -> tuple[bool, str]:
        kind = self.pick({"said": 70, "denied": 16, "asked": 14})
        return kind == "denied" and not is_negative(subject), "yes/no" if kind == "asked" else ""

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
        word = self.choose(
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
        degrees = {"": 70, "very": 14, "so": 4, "too": 4, "quite": 3, "extremely": 2, "really": 2}
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
        english, urdu = self.predicate(self.choose(choices), subject)
        if self.chance(0.08) and len(choices) > 1:
            joint = self.choose([("and", "اور"), ("but", "لیکن")])
            second = self.predicate(self.choose(choices), subject, "predicate-two")
            if second[1][-1].text != urdu[-1].text:
                english += words(joint[0], "joint") + second[0]
                urdu += words(joint[1], "joint") + second[1]
        tense = self.pick(
            {"present": 55, "past": 22, "future": 8, "perfect": 1, "used to": 2, "may": 2, "must": 1, "should": 2}
        )
        negative, question = self.question_or_not(subject)
        if tense in ("may", "perfect", "used to", "must"):
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

    def identity(self) -> Pair:
        return self.choose(
            [self.occupation, self.occupation, self.relation, self.relation, self.this_is, self.who_is, self.naming]
        )()

    def occupation(self) -> Pair:
        """ "She is a good doctor", "My brother wants to be a pilot"."""
        subject = self.person("subject")
        if is_negative(subject) or subject.direct[0].text in ("سب", "کوئی"):
            return self.occupation()
        word = self.choose(nouns_of("profession"))
        many = subject.be == "are" and subject.possessive != "your"
        if subject.gender == "f" and word.english in MEN:
            return self.occupation()
        word = feminine(word) if subject.gender == "f" else word
        chosen, degree = self.describing(word)
        complement = make("predicate", word, "pl" if many else "sg", "" if many else "a", chosen, degree=degree)
        tense = self.pick({"present": 45, "past": 15, "future": 6, "want to": 12, "can": 3, "used to": 3})
        negative, question = self.question_or_not(subject)
        if tense == "used to":
            negative, question = False, ""
        shown = complement.without_article() if negative or not chosen else complement
        return be_clause(subject, tense, complement.english, shown.direct, negative, question)

    def relation(self) -> Pair:
        """ "You are my friend": آپ میرے دوست ہیں. The owner agrees with the one who is something."""
        word = self.choose(nouns_of("kin person profession"))
        roll = self.rng.random()
        if roll < 0.6:
            subject = self.pronoun("subject", "you he she they we I")
        elif roll < 0.8:
            subject = self.name("subject")
        else:
            number = self.choose(["sg", "pl"])
            pointing = ["this", "that"] if number == "sg" else ["these", "those"]
            subject = make("subject", self.choose(nouns_of("man woman boy girl")), number, self.choose(pointing))
        many = subject.be == "are" and subject.possessive != "your"
        if (many and word.english not in OFTEN_PLURAL) or word.english in ("husband", "groom", "wife", "bride"):
            return self.relation()
        word = feminine(word) if subject.gender == "f" and word.kind != "kin" and word.english not in MEN else word
        if word.english == "friend":
            word = word._replace(gender=subject.gender)
        if word.gender != subject.gender:
            return self.relation()
        owner = self.owner("predicate-owner")
        while owner.possessive == subject.possessive or owner.english == subject.english:
            owner = self.owner("predicate-owner")
        chosen, degree = self.describing(word)
        number = "pl" if many else "sg"
        complement = make("predicate", word, number, owner=owner, adjectives=chosen, degree=degree)
        negative, question = self.question_or_not(subject)
        polite = make("predicate", word, subject.number, owner=owner, adjectives=chosen, degree=degree)
        return be_clause(subject, self.be_tense(), complement.english, polite.direct, negative, question)

    def this_is(self) -> Pair:
        """ "This is my book", "Those are Ali's sisters", "Is this book yours?" """
        word = self.choose(nouns_of(f"{GRADED} fruit food kin plant flower tool device writing"))
        if word.kind == "kin":
            number = "sg"
            complement = self.relative("predicate")
            number = "pl" if complement.be == "are" else "sg"
        else:
            complement = self.noun("predicate", word)
            number = "pl" if complement.be == "are" else "sg"
        if complement.english[0].text in (
            "this",
            "that",
            "these",
            "those",
            "every",
            "each",
            "most",
            "all",
            "both",
            "the",
        ):
            return self.this_is()
        pointing = self.choose(["this", "that", "it"] if number == "sg" else ["these", "those"])
        urdu = words("وہ" if pointing in ("that", "those") else "یہ", "subject/pronoun")
        role = words(pointing, "subject/pronoun")
        subject = replace(
            complement, english=role, english_object=role, direct=urdu, oblique=urdu, person=3, pronoun=None
        )
        negative, question = self.question_or_not(subject)
        shown = complement.without_article() if negative else complement
        return be_clause(
            subject, self.choose(["present", "present", "past"]), complement.english, shown.direct, negative, question
        )

    def who_is(self) -> Pair:
        """ "Who is that man?", "Whose book is this?", "What is this?", "Whose is this bag?", "This bag is mine"."""
        roll = self.rng.random()
        if roll < 0.3:
            number = self.choose(["sg", "pl"])
            pointed = make("subject", self.choose(nouns_of("person")), number, "that" if number == "sg" else "those")
            return be_clause(pointed, "present", (), (), question="who", urdu_asked=words("کون", "question"))
        word = self.choose(nouns_of("thing clothes vehicle text animal container device writing tool"))
        number = "pl" if word.quantity == "plural" or (word.plural and self.chance(0.25)) else "sg"
        this = make("subject", word, number, self.choose(["this", "that"] if number == "sg" else ["these", "those"]))
        if roll < 0.5:
            whose = words(f"کس {agree('کا', this.gender, this.number)}", "question")
            return be_clause(this, "present", (), (), question="whose", urdu_asked=whose)
        owner = self.pronoun("owner")
        mine = {"I": "mine", "you": "yours", "he": "his", "she": "hers", "we": "ours", "they": "theirs"}[
            owner.english[0].text
        ]
        negative, question = self.question_or_not(this)
        role = owner.english[0].role
        return be_clause(
            this, "present", words(mine, role), possessive(owner, this.gender, this.number, False), negative, question
        )

    def naming(self) -> Pair:
        """ "My brother's name is Ali", "What is your sister's name?" """
        owner = self.owner("subject-owner")
        subject = make("subject", noun("name"), owner=owner)
        if self.chance(0.35):
            return be_clause(subject, "present", (), (), question="what", urdu_asked=words("کیا", "question"))
        if owner.be == "are" and owner.possessive != "your":
            return self.naming()
        name = self.name("predicate")
        while owner.pronoun is None and name.gender != owner.gender:
            name = self.name("predicate")
        return be_clause(subject, "present", name.english, name.direct)

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
                pair = be_clause(
                    subject, "present", words("from"), (), question="where", urdu_asked=words("کہاں سے", "question")
                )
                return pair
            return be_clause(subject, tense, (), (), question="where", urdu_asked=words("کہاں", "question"))
        place = at("from", name_phrase("place", self.choose(places()))) if self.chance(0.08) else self.place(subject)
        negative, question = self.question_or_not(subject)
        return be_clause(subject, tense, place.english, place.urdu, negative, question, self.when(tense, question))

    def existence(self) -> Pair:
        """ "There are two books on the table", "There is no water", "Is there any milk in the fridge?" """
        word = self.choose(
            nouns_of(
                "thing food fruit drink animal text furniture container person profession vehicle plant flower writing room shop"
            )
        )
        number = "pl" if word.plural and (word.quantity == "plural" or self.chance(0.4)) else "sg"
        place = self.place() if self.chance(0.8) else None
        tense = self.pick({"present": 65, "past": 25, "future": 8})
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
            word = self.choose(nouns_of("illness"))
            thing = make("object", word, determiner="a" if word.english in ("fever", "cough", "cold") else "")
            thing = thing.without_article()
            return have(owner, thing, tense, "illness", kind == "denied", "yes/no" if kind == "yes/no" else "")
        if relation == "kin":
            word = self.choose(nouns_of("brother sister son daughter child cousin friend uncle aunt nephew niece"))
            number = self.choose(["sg", "pl"])
            chosen = (
                self.choose(
                    [a for a in adjectives_of(word) if a.english in ("married", "intelligent", "tall")] or [None]
                ),
            )
            chosen = chosen if chosen[0] is not None and self.chance(0.15) else ()
        elif relation == "idea":
            word, number, chosen = (
                noun(self.choose(["question", "problem", "dream", "plan", "idea", "wish", "complaint"])),
                "sg",
                (),
            )
        else:
            word = self.choose(
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
        where = "thing" if relation == "thing" else "kin"
        return have(owner, thing, tense, where, kind == "denied", "yes/no" if kind == "yes/no" else "")

    def looks(self) -> Pair:
        """ "She has blue eyes": اس کی آنکھیں نیلی ہیں."""
        owner = self.person("subject")
        if is_negative(owner):
            return self.looks()
        word = noun(self.choose(["eye", "hair", "face", "hand", "nose", "leg"]))
        wanted = {"eye": "big blue brown black beautiful green", "hair": "long black short brown", "face": "beautiful round",
                  "hand": "small big dirty clean", "nose": "big small long", "leg": "long short strong"}[word.english]  # fmt: skip
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

    def comparison(self) -> Pair:
        """ "Ali is taller than me", "This book is more interesting", "She is as tall as her mother"."""
        people = self.chance(0.5)
        word = self.choose([w for w in nouns_of(GRADED) if w.quantity == "count" and self.comparable(w)])
        subject = self.person("subject") if people else self.noun("subject", word, definite=True)
        if is_negative(subject):
            return self.comparison()
        adjective = self.choose(ELDER_THAN + self.comparable(noun("man")) if people else self.comparable(word))
        if people:
            than = self.person(
                "rival", " ".join(x for x in ["I", "you", "he", "she", "we", "they"] if x != subject.english[0].text)
            )
        else:
            than = self.noun(
                "rival", self.choose([w for w in nouns_of(word.kind) if adjective in adjectives_of(w)]), definite=True
            )
        if than.direct[-1].text == subject.direct[-1].text or is_negative(than):
            return self.comparison()
        negative, question = self.question_or_not(subject)
        role = "predicate/adjective"
        form = decline_adjective(adjective.urdu, subject.gender, subject.number)
        tense = self.choose(["present", "present", "past"])
        if adjective.english not in ("older", "younger") and self.chance(0.2):
            as_ = words("as") + words(adjective.english, role) + words("as", "as") + than.as_object
            equal = than.oblique + words(agree("جتنا", subject.gender, subject.number), "as") + words(form, role)
            return be_clause(subject, tense, as_, equal, negative, question)
        degree = words("much", "predicate/very") if self.chance(0.12) else ()
        more = (
            words(adjective.comparative, role)
            if adjective.comparative
            else words("more") + words(adjective.english, role)
        )
        english = degree + more + words("than") + than.as_object
        before = words("کہیں", "predicate/very") if degree else ()
        plain = adjective.urdu.endswith("ا")
        urdu = than.oblique + words("سے") + before + (() if plain else words("زیادہ", role)) + words(form, role)
        return be_clause(subject, tense, english, urdu, negative, question)

    def comparable(self, word: Noun) -> list[Adjective]:
        return comparable(word)

    def superlative(self) -> Pair:
        """ "This is the biggest house in the city", "She is the most intelligent girl in the class"."""
        word = self.choose(nouns_of("person animal place fruit text vehicle street mountain river profession"))
        choices = self.comparable(word)
        if not choices or word.quantity != "count":
            return self.superlative()
        adjective = self.choose(choices)
        role = "predicate/adjective"
        best = (
            words(adjective.superlative, role)
            if adjective.comparative
            else words("most") + words(adjective.english, role)
        )
        subject = self.name("subject") if word.kind in ("person", "profession") else self.this_one(word)
        word = feminine(word) if subject.gender == "f" and word.kind in ("profession",) else word
        if word.kind in ("person", "profession") and word.gender != subject.gender:
            return self.superlative()
        place = self.place_of("place", {"in": "city village country world school class family"})
        if word.english in {w.text for w in place.english}:
            return self.superlative()
        form = decline_adjective(adjective.urdu, word.gender, "sg")
        english = words("the") + best + words(word.english, "predicate/noun") + place.english
        of = at("about", _phrase_of(place), urdu="کا")
        urdu = _genitive(of.urdu, word) + words("سب سے") + words(form, role) + words(word.urdu, "predicate/noun")
        return be_clause(subject, "present", english, urdu, question="yes/no" if self.chance(0.12) else "")

    def this_one(self, word: Noun) -> NounPhrase:
        that = self.choose(["this", "that", "it"])
        urdu = words("وہ" if that == "that" else "یہ", "subject/pronoun")
        role = words(that, "subject/pronoun")
        return replace(make("subject", word), english=role, direct=urdu, oblique=urdu)

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
        doing = self.choose([v for v in verbs() if v.transitive and not v.dative and "person" in v.subjects.split()
                             and v.marker in ("", "کا") and not v.features & {"to", "where", "stative", "adj"}])  # fmt: skip
        object_ = self.object(doing, pronoun_phrase("subject", "you"))
        assert object_ is not None
        english, urdu = ing_phrase(doing, object_)
        by_name = {a.english: a for a in adjectives()}
        adjective = by_name[
            self.choose(
                [
                    "easy",
                    "difficult",
                    "good",
                    "bad",
                    "interesting",
                    "important",
                    "necessary",
                    "boring",
                    "dangerous",
                    "possible",
                    "impossible",
                    "useful",
                ]
            )
        ]
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


OFTEN_PLURAL = {"friend", "brother", "sister", "son", "daughter", "child", "teacher", "student", "guest", "neighbour", "enemy", "cousin",
                "patient", "colleague", "partner", "customer", "classmate"}  # fmt: skip
ELDER_THAN = [
    Adjective("older", "بڑا", frozenset(), "older"), Adjective("younger", "چھوٹا", frozenset(), "younger"),
]  # fmt: skip
MEN = set(["man", "boy", "gentleman", "king", "prince", "groom", "policeman", "postman", "milkman", "fisherman", "washerman", "salesman", "businessman", "actor", "giant", "ghost"])  # fmt: skip


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


def _phrase_of(place: Adjunct) -> NounPhrase:
    """The noun phrase of a place, from its adjunct: without the postposition."""
    return replace(whatever(), english=place.english[1:], direct=place.urdu[:-1], oblique=place.urdu[:-1])


def _genitive(phrase: Phrase, word: Noun) -> Phrase:
    """The phrase with its کا agreeing with `word`."""
    return phrase[:-1] + words(agree("کا", word.gender, "sg"), phrase[-1].role)


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
