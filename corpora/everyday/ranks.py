"""Random sentences about the best and the better: "my best friend", "I like tea most", "it can be better".

And of joined things: "bought a book and a pen from the market", "a kilo of sugar and a dozen eggs", "hungry and tired".
"""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, add_postposition, words
from corpora.everyday.actions import ing_phrase
from corpora.everyday.becoming import MOODS
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, at, rename
from corpora.everyday.comparisons import lasting
from corpora.everyday.complex_sentences import again
from corpora.everyday.degrees import described_as
from corpora.everyday.lexicon import Adjective, Verb, adjectives, adjectives_of, noun, nouns_of, verb, verbs
from corpora.everyday.measures import CONTENTS
from corpora.everyday.phrases import decline_adjective, join, make, measured
from corpora.everyday.qualities import GRADED, STATES
from corpora.everyday.uses import User
from corpora.urdu_forms import copula, infinitive

BETTER = {"better": "بہتر", "worse": "بدتر"}
LIKED = "fruit vegetable food drink animal sport language film movie flower season"
SHOPS = "market shop bakery supermarket city village"
HABITS = "smoke swim read walk run exercise sleep dance sing cook travel shop shout work drive laugh bathe pray"
JUDGED = "good bad important dangerous easy difficult boring useful necessary harmful beneficial interesting"
BENEFITS = "health child heart eye body student family brain"
PRAISE = "nice beautiful clean interesting useful comfortable strong delicious fast important"
SKILLS = "cook swim read write sing dance drive run work"
FEELINGS = {  # a mood before a gerund: preposition, and Urdu: its postposition and adjective
    ("good", "at"): ("میں", "اچھا"),
    ("bad", "at"): ("میں", "کمزور"),
    ("tired", "of"): ("سے", "تنگ"),
    ("afraid", "of"): ("سے", "خوف زدہ"),
}


class Ranker(User):
    """A speaker who also says what is best, what is better, and joins things of different builds."""

    def rank_kinds(self) -> list[tuple]:
        return [
            (self.best_thing, 6),
            (self.like_most, 4),
            (self.more_alone, 5),
            (self.can_be_better, 3),
            (self.two_states, 5),
            (self.bought_both, 11),
            (self.habit_is, 5),
            (self.skilled, 4),
            (self.friend_is_best, 3),
        ]

    def top(self, word: str) -> Adjective:
        """ "Best", "biggest", "most expensive": سب سے اچھا."""
        choices = [*lasting(noun(word)), *4 * [one for one in lasting(noun("food")) if one.english == "good"]]
        return superlative(self.choose(choices))

    def best_thing(self) -> Pair:
        """ "She makes the best tea", "They bought the most expensive car", "I know the tallest man"."""
        doing = self.choose([one for one in verbs() if "person" in one.subjects.split() and one.objects])
        kinds = [w for w in nouns_of(doing.objects) if lasting(w) and w.kind not in ("kin", "parent", "parents")]
        if not kinds or doing.dative or doing.features & {"to", "where"}:
            return self.best_thing()
        word = self.choose_word(kinds)
        best = make("object", word, "sg", "the", (self.top(word.english),))
        negative, question = self.question_or_not(best)
        tense = self.choose(["past", "past", "present", "future", "perfect", "want to"])
        if tense == "present" and doing.base == doing.english[2]:
            tense = "past"
        where = (self.place(),) if self.chance(0.15) and doing.marker in ("", "کا") else ()
        clause = Clause(self.known_person(), doing, tense, best, adjuncts=where)
        return replace(clause, negative=negative, question=question).pair()

    def friend_is_best(self) -> Pair:
        """ "Ali is my best friend", "She is our best teacher": میرا سب سے اچھا دوست."""
        subject = self.name("subject") if self.chance(0.6) else self.pronoun("subject", "you he she")
        word = noun(self.choose(["friend", "friend", "student", "teacher", "neighbour", "player", "worker"]))
        word = word._replace(gender=subject.gender)
        owner = self.owner("predicate-owner")
        while owner.possessive == subject.possessive or owner.english == subject.english:
            owner = self.owner("predicate-owner")
        said = make("predicate", word, "sg", adjectives=(superlative(GOOD),), owner=owner)
        polite = make("predicate", word, subject.number, adjectives=(superlative(GOOD),), owner=owner)
        negative, question = self.question_or_not(subject)
        return be_clause(subject, self.choose(["present", "past"]), said.english, polite.direct, negative, question)

    def like_most(self) -> Pair:
        """ "I like mangoes most", "She likes tea more than coffee": سب سے زیادہ, کافی سے زیادہ."""
        one, two = (self.choose_word(nouns_of(LIKED)) for _ in range(2))
        if one.urdu == two.urdu or one.kind != two.kind:
            return self.like_most()
        thing, rival = (
            make(
                slot,
                word,
                "pl" if word.plural and word.quantity != "mass" else "sg",
                "the" if word.kind == "season" else "",
            )
            for slot, word in (("object", one), ("rival", two))
        )
        subject = self.known_person()
        if self.chance(0.5):
            most = Adjunct(words("most", "most/time"), words("سب سے زیادہ", "most/time"), "manner")
        else:
            english = words("more", "most/time") + words("than") + rival.english
            most = Adjunct(english, rival.oblique + words("سے") + words("زیادہ", "most/time"), "manner")
        return Clause(subject, verb("like"), "present", thing, adjuncts=(most,)).pair()

    def more_alone(self) -> Pair:
        """ "This one is better", "The new house is much bigger", "My mother is better now": بہتر, زیادہ بڑا."""
        if self.chance(0.5):
            subject = self.known_person()
            choices = [a for a in lasting(noun("friend")) if a.comparative]
        else:
            word = self.choose_word([w for w in nouns_of(GRADED) if lasting(w)])
            subject = self.without_noun("subject") if self.chance(0.3) else self.noun("subject", word, definite=True)
            choices = lasting(word)
        much = self.chance(0.3)
        if self.chance(0.45):
            english = self.choose(list(BETTER))
            said = better(english, much)
        else:
            said = more(self.choose_word(choices), subject, much)
        negative, question = self.question_or_not(subject)
        tense = self.be_tense()
        return be_clause(subject, tense, *said, negative, question, self.when(tense, question))

    def can_be_better(self) -> Pair:
        """ "The book is good, but it can be better": لیکن یہ بہتر ہو سکتی ہے."""
        word = self.choose_word([w for w in nouns_of(f"{GRADED} text media work") if lasting(w)])
        subject = make("subject", word, "sg", self.choose(["the", "this"]), owner=self.owner_or_none())
        good = [a for a in lasting(word) if a.english in PRAISE.split()] or [GOOD]
        first = be_clause(subject, "present", *described_as(self.choose([*good, GOOD]), subject))
        role = "it/pronoun"
        it = replace(subject, english=words("it", role), direct=words("یہ", role), oblique=words("اس", role), be="is")
        second = be_clause(it, self.choose(["can", "can", "future"]), *better(self.choose(list(BETTER)), False))
        joint = words(",") + words("but", "joint"), words("لیکن", "joint")
        return Pair(first.english + joint[0] + second.english, first.urdu + joint[1] + second.urdu)

    def owner_or_none(self) -> NounPhrase | None:
        return self.owner("subject-owner") if self.chance(0.4) else None

    def two_states(self) -> Pair:
        """ "I am hungry and tired": مجھے بھوک لگی ہے اور میں تھکا ہوا ہوں."""
        subject = self.known_person()
        state = self.choose(["hungry", "thirsty", "sleepy"])
        mood = self.choose([a for a in self.graded(noun("friend")) if a.english in MOODS - set(STATES)])
        tense = self.choose(["present", "present", "past"])
        return both_states(subject, state, mood, tense, self.chance(0.5))

    def item(self, slot: str) -> NounPhrase:
        """Something on a list of things to buy."""
        if self.chance(0.45):
            unit = self.choose(["kilo", "litre", "dozen", "dozen", "dozen"])
            word = noun(self.choose(CONTENTS[unit].split()))
            content = make(slot, word, "sg" if word.quantity == "mass" else "pl", "")
            return measured(slot, self.choose([1, 1, 2, 3]), noun(unit), content)
        word = self.choose_word(nouns_of("fruit vegetable food drink ingredient clothes text writing"))
        if word.quantity == "mass":
            return make(slot, word, determiner="")
        return make(slot, word, "pl", "") if self.chance(0.5) else make(slot, word, determiner="a")

    def bought_both(self) -> Pair:
        """ "She bought bread and eggs from the market", "I need a kilo of sugar and a dozen eggs"."""
        one, two = self.item("object"), self.item("object-too")
        if one.direct[-1].text == two.direct[-1].text:
            return self.bought_both()
        doing = verb(self.choose(["buy", "buy", "bring", "sell", "need", "want"]))
        if doing.dative:
            doing = next(v for v in verbs() if v.base == doing.base and v.dative)
        tense = (
            "present" if doing.dative else self.choose(["past", "past", "future", "progressive", "have to", "want to"])
        )
        things = join(one, two)
        adjuncts: tuple[Adjunct, ...] = ()
        if not doing.dative and self.chance(0.7):
            shop = make("place", noun(self.choose(SHOPS.split())))
            adjuncts = (at("in", shop) if doing.base == "sell" else at("from", shop),)
        negative, question = self.question_or_not(things)
        clause = Clause(self.known_person(), doing, tense, things, adjuncts=adjuncts)
        return replace(clause, negative=negative and not doing.dative, question=question).pair()

    def gerund(self, names: str) -> tuple[Phrase, Phrase, Phrase]:
        """A deed as a noun: its English, and its Urdu in the oblique and the direct case."""
        doing = self.choose([one for one in verbs() if one.base in names.split() and "person" in one.subjects.split()])
        while doing.particle or doing.features & {"to", "where", "adj", "state"} or "person" in doing.objects.split():
            doing = self.choose(
                [one for one in verbs() if one.base in names.split() and "person" in one.subjects.split()]
            )
        thing = None
        if doing.objects:
            kinds = [w for w in nouns_of(doing.objects) if w.kind not in ("kin", "parent", "parents", "person")]
            word = self.choose_word(kinds)
            several = word.plural is not None and word.quantity == "count"
            thing = make("gerund-object", word, "pl" if several else "sg", "")
        return as_noun(doing, thing)

    def habit_is(self) -> Pair:
        """ "Smoking is bad for your health", "Reading books is good for children"."""
        english, oblique, direct = self.gerund(HABITS)
        subject = replace(make("subject", noun("work")), english=english, direct=direct, oblique=oblique)
        quality = self.choose([a for a in adjectives() if a.english in JUDGED.split()])
        said = described_as(quality, subject)
        whom = noun(self.choose(BENEFITS.split()))
        owner = (
            self.pronoun("for-owner", "I you he we they you") if whom.kind != "person" and self.chance(0.8) else None
        )
        several = whom.plural is not None and whom.kind in ("kin", "profession") and owner is None
        aim = at("for", make("for", whom, "pl" if several else "sg", "" if several else "the", owner=owner))
        negative, question = self.question_or_not(subject)
        if self.chance(0.3):
            return be_clause(subject, "present", *said, negative, question)
        return be_clause(subject, "present", said[0] + aim.english, aim.urdu + said[1], negative, question)

    def skilled(self) -> Pair:
        """ "She is good at cooking", "He is tired of waiting": کھانا پکانے میں اچھی."""
        subject = self.known_person()
        mood, preposition = self.choose(list(FEELINGS))
        marker, urdu = FEELINGS[mood, preposition]
        names = SKILLS if preposition == "at" else "wait work travel swim drive run sleep read"
        english, oblique, _ = self.gerund(names)
        told = words(mood, "q/adjective") + words(preposition, "q/preposition") + english
        form = words(decline_adjective(urdu, subject.gender, subject.number), "q/adjective")
        negative, question = self.question_or_not(subject)
        said = oblique + words(marker, "q/preposition") + form
        return be_clause(subject, self.choose(["present", "present", "past"]), told, said, negative, question)


GOOD = next(one for one in adjectives_of(noun("book")) if one.english == "good")


def superlative(adjective: Adjective) -> Adjective:
    """ "Biggest", "most beautiful": سب سے بڑا, سب سے خوبصورت."""
    english = adjective.superlative or f"most {adjective.english}"
    return Adjective(english, f"سب سے {adjective.urdu}", adjective.kinds)


def better(english: str, much: bool) -> tuple[Phrase, Phrase]:
    """ "(Much) better": کہیں بہتر."""
    very = words("much" if much else "", "q/very"), words("کہیں" if much else "", "q/very")
    return very[0] + words(english, "q/adjective"), very[1] + words(BETTER[english], "q/adjective")


def more(adjective: Adjective, subject: NounPhrase, much: bool) -> tuple[Phrase, Phrase]:
    """ "(Much) bigger", without the rival: زیادہ بڑا."""
    english = adjective.comparative or f"more {adjective.english}"
    form = decline_adjective(adjective.urdu, subject.gender, subject.number)
    very = words("much" if much else "", "q/very"), words("کہیں" if much else "", "q/very")
    return very[0] + words(english, "q/adjective"), very[1] + words(f"زیادہ {form}", "q/adjective")


def both_states(subject: NounPhrase, state: str, mood: Adjective, tense: str, state_first: bool = True) -> Pair:
    """A state that is said with کو, and a mood that is not: the Urdu is of two clauses."""
    noun_word, now, then = STATES[state]
    told = described_as(mood, subject)
    role = "state/adjective"
    first, second = (subject, again(subject)) if state_first else (again(subject), subject)  # the name is said once
    dative = add_postposition(first, "کو") + words(noun_word, role) + words(now if tense == "present" else then, role)
    is_so = told[1] + words(copula(tense, subject.agreement))
    joint = words("and", "joint"), words("اور", "joint")
    if state_first:
        english = words(state, role) + joint[0] + told[0]
        urdu = dative + joint[1] + second.direct + is_so
    else:
        english = told[0] + joint[0] + words(state, role)
        urdu = second.direct + is_so + joint[1] + dative
    return Pair(be_clause(subject, tense, english, ()).english, urdu)


def as_noun(doing: Verb, thing: NounPhrase | None) -> tuple[Phrase, Phrase, Phrase]:
    """ "Reading books": its English, and its Urdu in the oblique and the direct case."""
    english, oblique = ing_phrase(doing, thing)
    told = rename(Pair(english, oblique), "gerund")
    return told.english, told.urdu, told.urdu[:-1] + words(infinitive(doing.stem), "gerund verb")
