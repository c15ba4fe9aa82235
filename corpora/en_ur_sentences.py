"""Random sentences of the English-Urdu world: actions, states, and both joined."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from corpora.en_ur_actions import Actor
from corpora.en_ur_clauses import Clause, Pair, PlacePhrase, there_is, to_be, to_have
from corpora.en_ur_phrases import (
    NounPhrase,
    Phrase,
    Word,
    name_phrase,
    noun_phrase,
    pronoun_phrase,
    who_phrase,
    words,
)
from corpora.en_ur_speaker import SHORE, adjectives, names, nouns
from corpora.urdu_forms import agree
from corpora.urdu_lexicon import (
    ADJECTIVES,
    LIVING,
    NAMES,
    NOT_GRADED,
    NOUNS,
    NUMBERS,
    Adjective,
    Name,
    Noun,
)
from corpora.urdu_verbs import VERBS

CONTAINERS = {"in": "box bag cup glass"}
OCCUPATIONS = "teacher doctor student friend farmer driver worker guest soldier shopkeeper"
GREETINGS = {"hello": "سلام", "yes": "جی ہاں", "no": "جی نہیں"}
JOINTS = {"because": "کیونکہ", "and": "اور", "but": "لیکن"}


class Storyteller(Actor):
    """A speaker who makes whole sentences of every kind."""

    def sentence(self) -> Pair:
        """A sentence of a random kind."""
        kinds: list[tuple[Callable[[], Pair], int]] = [
            (self.action, 52),
            (self.drill, 16),
            (self.doing, 2),
            (self.quality, 12),
            (self.identity, 8),
            (self.location, 6),
            (self.existence, 5),
            (self.possession, 5),
            (self.comparison, 3),
            (self.naming, 1),
            (self.fragment, 6),
            (self.cutie, 1),
            (self.reason, 5),
            (self.join_two, 6),
        ]
        makers, weights = zip(*kinds, strict=True)
        pair = self.rng.choices(makers, weights)[0]()
        return self.greet(pair) if self.chance(0.04) else pair

    def question_or_not(self) -> tuple[bool, str]:
        """Whether a statement is denied, and "yes/no" for a question: mostly neither."""
        kind = self.pick({"said": 68, "denied": 18, "asked": 14})
        return kind == "denied", "yes/no" if kind == "asked" else ""

    def be_tense(self) -> str:
        return self.pick({"present": 60, "past": 25, "future": 15})

    # To be

    def describe_something(self, slot: str = "subject") -> tuple[NounPhrase, Adjective]:
        """A thing, and a quality that it can have."""
        roll = self.rng.random()
        if roll < 0.3:
            subject = pronoun_phrase(slot, self.rng.choice(["I", "you", "he", "she", "we", "they", "it"]))
            noun: Noun | Name = nouns("book")[0] if subject.possessive == "its" else nouns("friend")[0]
        elif roll < 0.45:
            noun = self.rng.choice([name for name in NAMES if adjectives(name, False)])
            subject = name_phrase(slot, noun)
        else:
            noun = self.rng.choice([n for n in NOUNS if n is not SHORE and adjectives(n, False)])
            subject = self.noun(slot, noun, definite=self.chance(0.9))
        choices = [a for a in adjectives(noun, False) if a.english not in NOT_GRADED]
        return subject, self.rng.choice(choices)

    def quality(self) -> Pair:
        """ "The house is very big." """
        subject, adjective = self.describe_something()
        if self.chance(0.06):
            form = agree("کیسا", subject.gender, subject.number)
            return to_be(subject, "present", (), words(form, "question"), question="how")
        negative, question = self.question_or_not()
        very = not negative and self.chance(0.2)
        rest = self.predicate(adjective, subject, very)
        return to_be(subject, self.be_tense(), *rest, negative, question)

    def predicate(
        self, adjective: Adjective, subject: NounPhrase, very: bool = False, slot: str = "predicate"
    ) -> tuple[Phrase, Phrase]:
        role = f"{slot}/adjective"
        form = agree(adjective.urdu, subject.gender, subject.number)
        return (
            words("very" if very else "", f"{slot}/very") + words(adjective.english, role),
            words("بہت" if very else "", f"{slot}/very") + words(form, role),
        )

    def identity(self) -> Pair:
        """ "She is a doctor", "This is my book", "Who is that man?": the identity of a person or thing."""
        return self.rng.choice([self.occupation, self.occupation, self.thing, self.thing, self.who_is])()

    def occupation(self) -> Pair:
        """ "She is a good doctor": the occupation of a woman is feminine in Urdu."""
        roll = self.rng.random()
        if roll < 0.5:
            subject = pronoun_phrase("subject", self.rng.choice(["I", "you", "he", "she", "we", "they"]))
        elif roll < 0.75:
            subject = self.name_or_two("subject", "person")
        else:
            subject = self.noun(
                "subject", self.rng.choice(nouns("brother sister son daughter man woman")), definite=True
            )
        many = subject.number == "pl" and subject.possessive != "your"
        chosen = "robot" if self.chance(0.2) else OCCUPATIONS
        noun = self.rng.choice(nouns(chosen))
        if subject.gender == "f":
            noun = noun._replace(gender="f", forms=(noun.urdu, noun.urdu, f"{noun.urdu}وں"))
        adjective, very = self.adjective(noun, 0.25)
        negative, question = self.question_or_not()
        roll = self.rng.random()
        if roll < 0.2 and not many:
            owner = self.owner("predicate-owner", None)
            own = owner.possessive == subject.possessive
            other = noun_phrase("predicate", noun, determiner="the") if own else None
            complement = other or noun_phrase("predicate", noun, "sg", "", adjective, very, owner)
        else:
            complement = noun_phrase("predicate", noun, *(("pl", "") if many else ("sg", "a")), adjective, very)
        urdu = complement.without_article() if negative else complement
        return to_be(subject, self.be_tense(), complement.english, urdu.direct, negative, question)

    def thing(self) -> Pair:
        """ "This is my book": "this", "that" and "it" agree with the thing."""
        noun = self.rng.choice(nouns(f"{LIVING} thing vehicle text fruit place room plant model"))
        complement = self.noun("predicate", noun, definite=None)
        if complement.english[0].text in ("this", "that", "these", "those", "every"):
            complement = noun_phrase("predicate", noun, determiner="the")
        subject = self.point_at(complement)
        negative, question = self.question_or_not()
        urdu = complement.without_article() if negative else complement
        tense = "present" if self.chance(0.8) else "past"
        return to_be(subject, tense, complement.english, urdu.direct, negative, question)

    def point_at(self, complement: NounPhrase) -> NounPhrase:
        """ "This", "that", "it" or their plural, for the thing that the sentence names next."""
        one = complement.be == "is"
        english = self.rng.choice(["this", "that", "it"] if one else ["these", "those"])
        urdu = words("وہ" if english in ("that", "those") else "یہ", "subject/pronoun")
        role = words(english, "subject/pronoun")
        return replace(complement, english=role, direct=urdu, oblique=urdu, person=3)

    def who_is(self) -> Pair:
        """ "Who is that man?" """
        if self.chance(0.4):
            subject = pronoun_phrase("subject", self.rng.choice(["you", "he", "she", "they"]))
        else:
            subject = self.noun("subject", self.rng.choice(nouns("person robot")), definite=True)
        return to_be(subject, "present", (), words("کون", "question"), question="who")

    def location(self) -> Pair:
        """The place of a person or thing, told or asked."""
        if self.chance(0.15):
            return self.ask_place()
        subject = self.phrase("subject", f"{LIVING} thing vehicle text fruit", "I you he she we they it")
        if self.chance(0.2):
            tense = "present" if self.chance(0.7) else "past"
            return to_be(subject, tense, (), words("کہاں", "question"), question="where")
        place = self.spot(subject, subject)
        if subject.kind == "person" and self.chance(0.1):
            place = PlacePhrase("from", name_phrase("place", self.rng.choice(names("place"))))
        negative, question = self.question_or_not()
        return to_be(subject, self.be_tense(), place.english, place.urdu, negative, question)

    def spot(self, thing: NounPhrase, subject: NounPhrase | None) -> PlacePhrase:
        """A place for a thing. Small things also lie in boxes and bags."""
        small = thing.kind in ("thing", "text", "fruit", "money", "meal")
        place = self.place(subject, CONTAINERS if small and self.chance(0.3) else None)
        same = place.where.direct[-1].text == thing.direct[-1].text
        return self.spot(thing, subject) if same else place

    def ask_place(self) -> Pair:
        """ "Who is in the garden?", "What is on the table?" """
        place = self.place(None)
        who = who_phrase()
        tense = "present" if self.chance(0.7) else "past"
        english, asked = ("who", "کون") if self.chance(0.5) else ("what", "کیا")
        subject = replace(who, english=words(english, "question"), direct=place.urdu + words(asked, "question"))
        pair = to_be(subject, tense, place.english, ())
        return pair._replace(asks=True)

    def existence(self) -> Pair:
        """ "There are two books on the table." """
        noun = self.rng.choice(nouns(f"{LIVING} thing vehicle text fruit meal drink plant".replace("parent ", "")))
        tense = "present" if self.chance(0.65) else "past"
        if noun.quantity == "count" and self.chance(0.12):
            thing = noun_phrase("thing", noun, "sg", "no")
            return there_is(thing, self.spot(thing, None), tense, denied=True)
        thing = self.noun("thing", noun, definite=False)
        return there_is(thing, self.spot(thing, None), tense, question=self.chance(0.2))

    def comparison(self) -> Pair:
        """ "The lion is bigger than the dog." """
        adjective = self.rng.choice([a for a in ADJECTIVES if a.comparative])
        kinds = adjective.kinds.replace("parent ", "")
        choices = [n for n in nouns(kinds) if n.kind not in ("weather", "sky")]
        noun = self.rng.choice(choices)
        people = "person" in kinds and self.chance(0.6)
        subject = self.person("subject") if people else self.noun("subject", noun, definite=True)
        rivals = [n for n in choices if n.kind == noun.kind and n != noun] or [noun]
        rival = self.rng.choice(rivals)
        than = (
            name_phrase("rival", self.rng.choice(names("person")))
            if people
            else self.noun("rival", rival, subject, True)
        )
        if than.english[-1].text == subject.english[-1].text:
            return self.comparison()
        negative, question = self.question_or_not()
        role = "predicate/adjective"
        english = words(adjective.comparative, role) + words("than") + than.english
        urdu = than.oblique + words("سے") + words(agree(adjective.urdu, subject.gender, subject.number), role)
        return to_be(subject, "present", english, urdu, negative, question)

    def cutie(self) -> Pair:
        """ "AJ's dog is a cutie." """
        subject = self.phrase("subject", "child girl boy animal bird Sara AJ Maryam", "he she they")
        role = "predicate/adjective"
        english = words("cuties", role) if subject.be == "are" else words("a") + words("cutie", role)
        urdu = words(f"بہت {agree('پیارا', subject.gender, subject.number)}", role)
        return to_be(subject, "present", english, urdu)

    def fragment(self) -> Pair:
        """Less than a sentence: "the old woman", "red car", "two"."""
        roll = self.rng.random()
        if roll < 0.4:
            phrase = self.noun("subject", self.rng.choice([n for n in NOUNS if n is not SHORE]))
            return Pair(phrase.english, phrase.direct)
        if roll < 0.75:
            noun = self.rng.choice([n for n in NOUNS if n is not SHORE])
            adjective, very = self.adjective(noun, 0.4)
            number = "pl" if noun.plural is not None and self.chance(0.3) else "sg"
            phrase = noun_phrase("subject", noun, number, "", adjective, very)
            return Pair(phrase.english, phrase.direct)
        if roll < 0.85:
            name = name_phrase("subject", self.rng.choice(NAMES))
            return Pair(name.english, name.direct)
        if roll < 0.9:
            english, urdu = self.rng.choice(list(NUMBERS.items()))
            return Pair(words(english, "subject/noun"), words(urdu, "subject/noun"))
        single = [a for a in ADJECTIVES if a.english not in ("old", "cool", "fast")]
        quality = self.rng.choice(single)
        return Pair(words(quality.english, "subject/adjective"), words(quality.urdu, "subject/adjective"))

    def naming(self) -> Pair:
        """ "My name is Ali."  "What is your name?" """
        owner = self.owner("subject-owner", None)
        noun = Noun("name", "نام", "m", "idea")
        subject = noun_phrase("subject", noun, owner=owner)
        if self.chance(0.3):
            return to_be(subject, "present", (), words("کیا", "question"), question="what")
        name = name_phrase("predicate", self.rng.choice(names("person")))
        return to_be(subject, "present", name.english, name.direct)

    # To have, and sentences of several parts

    def possession(self) -> Pair:
        """ "Ali has two books." """
        owner = self.person("subject")
        noun = self.rng.choice(nouns("animal bird thing vehicle text fruit meal drink money idea room"))
        thing = self.noun("object", noun, definite=False)
        tense = self.be_tense()
        kind = self.pick({"said": 66, "denied": 14, "yes/no": 12, "what": 4, "who": 4})
        if kind == "who":
            return to_have(who_phrase(), self.noun("object", noun, definite=self.chance(0.5)), tense, question="who")
        return to_have(owner, thing, tense, kind == "denied", kind if kind in ("yes/no", "what") else "")

    def reason(self) -> Pair:
        """ "I like the car, because it is fast": "it" agrees with its thing."""
        kinds = "model" if self.chance(0.2) else "thing vehicle text film place model drink"
        noun = self.rng.choice([n for n in nouns(kinds) if self.gradable(n)])
        if self.chance(0.5):
            verb = self.rng.choice(
                [v for v in VERBS if v.english[0] in ("like", "read", "buy", "use") and v.takes(noun)]
            )
            thing = self.noun("object", noun, definite=True)
            tense = self.pick({"present": 3, "past": 2, "future": 1}) if verb.english[0] != "read" else "past"
            negative = self.chance(0.2)
            first = Clause(self.person("subject"), verb, tense, thing, negative=negative).pair()
        else:
            thing = self.noun("subject", noun, definite=True)
            if noun.english == "model" and self.chance(0.5):
                thing = name_phrase("subject", names("Transformers")[0])
            first = to_be(thing, "present", *self.what_it_is(noun, thing))
        used_words = {word.text for word in first.english}
        pronoun = pronoun_phrase("reason", "they" if thing.be == "are" else "it")
        pronoun = replace(pronoun, gender=thing.gender, number=thing.number)
        unused = [adjective for adjective in self.gradable(noun) if adjective.english not in used_words]
        quality = self.predicate(self.rng.choice(unused), pronoun, self.chance(0.3), "reason")
        return self.join(first, "because", to_be(pronoun, "present", *quality))

    def gradable(self, noun: Noun) -> list[Adjective]:
        """Adjectives that can stand alone after "is"."""
        return [a for a in adjectives(noun, False) if a.english not in NOT_GRADED]

    def what_it_is(self, noun: Noun, thing: NounPhrase) -> tuple[Phrase, Phrase]:
        """ "... is very cool", or "... is a very cool language model"."""
        if noun.english != "model" or thing.be == "are" or self.chance(0.3):
            return self.predicate(self.rng.choice(self.gradable(noun)), thing, self.chance(0.25))
        sort = self.rng.choice([a for a in ADJECTIVES if a.english in NOT_GRADED])
        model = noun_phrase("predicate", noun, determiner="a", adjective=sort)
        english, urdu = self.predicate(self.rng.choice(self.gradable(noun)), thing, self.chance(0.5))
        article = words("an" if english[0].text[0] in "aeiou" else "a", "predicate/article")
        return article + english + model.english[1:], model.direct[:1] + urdu + model.direct[1:]

    def join_two(self) -> Pair:
        """Two short statements."""
        first, second = (self.clause(plain=True) for _ in range(2))
        if "request" in (first.tense, second.tense):
            return self.join_two()
        return self.join(first.pair(), self.rng.choice(list(JOINTS)), second.pair())

    def join(self, first: Pair, joint: str, second: Pair) -> Pair:
        """Joins two clauses. Urdu has a comma if English has one."""
        comma = self.chance(0.5)

        def rename_roles(phrase: Phrase) -> Phrase:
            return tuple(Word(word.text, word.role and f"second {word.role}") for word in phrase)

        english = words("," if comma else "") + words(joint, "joint") + rename_roles(second.english)
        urdu = words("،" if comma else "") + words(JOINTS[joint], "joint") + rename_roles(second.urdu)
        return Pair(first.english + english, first.urdu + urdu, False)

    def greet(self, pair: Pair) -> Pair:
        """ "Hello, ...": Urdu always has the comma."""
        english = self.rng.choice([g for g in GREETINGS if not (pair.asks and g != "hello")])
        comma = words("," if english != "hello" or self.chance(0.5) else "")
        start = words(english, "greeting") + comma
        return Pair(start + pair.english, words(GREETINGS[english], "greeting") + words("،") + pair.urdu, pair.asks)
