"""Random everyday talk: tags, answers, exclamations, reflexives and phrases alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from itertools import accumulate

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Pronoun, name_phrase, pronoun_phrase, words
from corpora.everyday.actions import is_negative
from corpora.everyday.chains import Storyteller
from corpora.everyday.clauses import Clause, adverb
from corpora.everyday.english import article
from corpora.everyday.lexicon import adverbs, names, nouns, nouns_of, places, verb
from corpora.everyday.phrases import (
    decline_adjective,
    indefinite,
    make,
    number_words,
)
from corpora.urdu_forms import agree, copula

REFLEXIVES = {
    "I": "myself",
    "he": "himself",
    "she": "herself",
    "we": "ourselves",
    "they": "themselves",
    "you": "yourself",
}


class Talker(Storyteller):
    """A speaker of every kind of everyday sentence."""

    def sentence(self) -> Pair:
        """A sentence of a random kind, sometimes with a greeting or a remark before it."""
        makers, totals = self.kinds
        pair = self.rng.choices(makers, cum_weights=totals)[0]()
        return self.remark(pair) if self.chance(0.05) else pair

    @cached_property
    def kinds(self) -> tuple[list[Callable[[], Pair]], list[int]]:
        """What makes a sentence of each kind, and the sums of their weights up to each."""
        kinds = [
            *self.plain_kinds(),
            *self.clause_kinds(),
            *self.small_kinds(),
            *self.newer_kinds(),
            *self.feeling_kinds(),
            *self.partial_kinds(),
            *self.degree_kinds(),
            *self.asking_kinds(),
            *self.routine_kinds(),
            *self.relative_kinds(),
            *self.wondering_kinds(),
            *self.time_kinds(),
            *self.joined_kinds(),
            *self.place_kinds(),
            *self.use_kinds(),
            *self.rank_kinds(),
            *self.weighing_kinds(),
            *self.chronicle_kinds(),
            *self.quoting_kinds(),
            *self.causing_kinds(),
            *self.passive_kinds(),
            *self.saying_kinds(),
            *self.relativer_kinds(),
            *self.company_kinds(),
            *self.schedule_kinds(),
            *self.inquiry_kinds(),
            *self.turn_kinds(),
            *self.courtesy_kinds(),
            *self.chain_kinds(),
        ]
        return [maker for maker, _ in kinds], list(accumulate(weight for _, weight in kinds))

    def plain_kinds(self) -> list[tuple[Callable[[], Pair], int]]:
        """Sentences of one clause: with their weights."""
        return [
            (self.action, 70),
            (self.request, 14),
            (self.offer, 5),
            (self.passive, 6),
            (self.lack, 1),
            (self.quality, 16),
            (self.bodily, 5),
            (self.identity, 16),
            (self.location, 9),
            (self.existence, 8),
            (self.possession, 12),
            (self.looks, 2),
            (self.comparison, 10),
            (self.superlative, 3),
            (self.weather, 4),
            (self.doing_is, 4),
        ]

    def clause_kinds(self) -> list[tuple[Callable[[], Pair], int]]:
        """Sentences of two clauses: with their weights."""
        return [
            (self.two, 5),
            (self.same_subject, 6),
            (self.because, 7),
            (self.so, 3),
            (self.when_clause, 7),
            (self.condition, 6),
            (self.although, 2),
            (self.so_that, 2),
            (self.before_after, 4),
            (self.relative_subject, 6),
            (self.relative_object, 4),
            (self.reported, 7),
            (self.embedded, 5),
        ]

    def small_kinds(self) -> list[tuple[Callable[[], Pair], int]]:
        """Times, prices, answers and other short things to say: with their weights."""
        return [
            (self.clock, 5),
            (self.date, 3),
            (self.price, 3),
            (self.age, 4),
            (self.tag, 4),
            (self.answer, 4),
            (self.exclaim, 2),
            (self.reflexive, 3),
            (self.duration, 2),
            (self.fragment, 10),
            (self.ordinal, 2),
            (self.each_other, 2),
            (self.nothing, 3),
        ]

    def newer_kinds(self) -> list[tuple[Callable[[], Pair], int]]:
        """How long, where to, what somebody becomes, and who else: with their weights."""
        return [
            (self.lasting, 4),
            (self.known, 2),
            (self.not_for_long, 1),
            (self.until, 2),
            (self.during, 2),
            (self.path, 3),
            (self.between, 1),
            (self.against, 1),
            (self.birth, 2),
            (self.becoming, 3),
            (self.getting, 2),
            (self.seeming, 3),
            (self.too, 3),
            (self.only, 3),
            (self.ever, 3),
            (self.anyone, 3),
            (self.not_anyone, 2),
            (self.falling, 2),
            (self.blowing, 1),
            (self.phase, 18),
            (self.favourite, 8),
            (self.wanting, 4),
            (self.telling, 5),
            (self.letting, 4),
            (self.helping, 3),
            (self.command, 14),
            (self.bring_me, 3),
            (self.polite, 12),
            (self.unreal, 5),
            (self.wish, 2),
            (self.illness, 5),
        ]

    def remark(self, pair: Pair) -> Pair:
        """ "Hello, ...", "Unfortunately, ...", "Yes, ...": with a comma in both languages."""
        openings = [
            ("hello", "سلام"),
            ("yes", "جی ہاں"),
            ("no", "جی نہیں"),
            ("sorry", "معذرت"),
            ("excuse me", "معاف کیجیے گا"),
        ]
        openings += [(one.english, one.urdu) for one in adverbs("sentence")]
        english, urdu = self.choose(openings[:1] + openings[4:5] if pair.asks else openings)
        return Pair(
            words(f"{english} ,", "greeting") + pair.english, words(f"{urdu} ،", "greeting") + pair.urdu, pair.asks
        )

    def tag(self) -> Pair:
        """ "You are coming, aren't you?": a statement with ہے نا."""
        tense = self.choose(["progressive", "future", "past", "present", "can"])
        subject = self.pronoun("subject")
        clause = self.clause(True, tense, subject)
        while clause.verb.dative or clause.tense != tense:
            clause = self.clause(True, tense, subject)
        auxiliary = {
            "progressive": subject.be,
            "future": "will",
            "past": "did",
            "can": "can",
            "present": "does" if subject.be == "is" else "do",
        }[tense]
        negative = clause.negative or any(a.negative for a in clause.adjuncts)
        short = {"am": "aren't", "will": "won't", "can": "can't"}.get(auxiliary, f"{auxiliary}n't")
        asked = words(auxiliary if negative else short, "tag") + words(subject.english[0].text, "tag")
        pair = clause.pair()
        return Pair(pair.english + words(",") + asked, pair.urdu + words("،") + words("ہے نا", "tag"), True)

    def answer(self) -> Pair:
        """ "Yes, I am", "No, she does not", "Yes, we did"."""
        subject = self.pronoun("subject")
        negative = self.chance(0.5)
        kind = self.choose(["be", "was", "can", "will"])
        auxiliary = {"be": subject.be, "was": "were" if subject.be == "are" else "was", "can": "can", "will": "will"}[
            kind
        ]
        able = f"{agree('سکتا', subject.gender, subject.number)} {copula('present', subject.agreement)}"
        urdu = {
            "be": copula("present", subject.agreement),
            "was": copula("past", subject.agreement),
            "can": f"کر {able}",
            "will": f"{decline_will(subject.number, subject.person, subject.gender)}",
        }[kind]
        yes = words("no" if negative else "yes", "greeting"), words("جی نہیں" if negative else "جی ہاں", "greeting")
        english = (
            yes[0] + words(",") + subject.english + words(auxiliary, "verb") + words("not" if negative else "", "not")
        )
        return Pair(
            english,
            yes[1] + words("،") + subject.direct + words("نہیں" if negative else "", "not") + words(urdu, "verb"),
        )

    def exclaim(self) -> Pair:
        """ "What a beautiful house!", "How beautiful this flower is!": کتنا خوبصورت ..."""
        word = self.choose(
            [
                w
                for w in nouns_of("place person animal flower clothes film book idea vehicle weather")
                if self.comparable(w) and w.plural
            ]
        )
        adjective = self.choose(self.comparable(word))
        role = "predicate/adjective"
        how = words(agree("کتنا", word.gender, "sg"), "question")
        form = words(decline_adjective(adjective.urdu, word.gender, "sg"), role)
        if self.chance(0.5):
            a = words(article(adjective.english))
            english = (
                words("what", "question") + a + words(adjective.english, role) + words(word.english, "subject/noun")
            )
            return Pair(english, how + form + words(word.urdu, "subject/noun") + words("ہے"))
        subject = make("subject", word, "sg", "this")
        english = words("how", "question") + words(adjective.english, role) + subject.english + words("is")
        return Pair(english, subject.direct + how + form + words("ہے"))

    def reflexive(self) -> Pair:
        """ "She cooked the food herself": اس نے خود کھانا پکایا; "He is talking to himself"."""
        english = self.choose(list(REFLEXIVES))
        subject = pronoun_phrase("subject", english)
        if self.chance(0.4):
            doing = verb(self.choose(["see", "save", "protect", "praise", "trust", "hate", "love", "blame", "help"]))
            tense = self.choose(["present", "past", "future"])
            return Clause(subject, doing, tense, oneself(english), negative=self.chance(0.2)).pair()
        clause = self.clause(True, self.choose(["past", "future", "present"]), subject)
        while clause.verb.dative or not clause.verb.transitive or is_negative(clause.object or subject):
            clause = self.clause(True, self.choose(["past", "future", "present"]), subject)
        own = adverb(REFLEXIVES[english], "خود", "frequency")
        return replace(clause, adjuncts=(own,)).pair()

    def each_other(self) -> Pair:
        """ "They help each other": وہ ایک دوسرے کی مدد کرتے ہیں."""
        subject = self.pronoun("subject", "we they you")
        other = replace(
            pronoun_phrase("object", "they"),
            english=words("each other", "object/pronoun"),
            english_object=(),
            direct=words("ایک دوسرے", "object/pronoun"),
            oblique=words("ایک دوسرے", "object/pronoun"),
            pronoun=None,
        )
        doing = verb(self.choose(["help", "love", "hate", "know", "meet", "respect", "talk to", "trust", "invite"]))
        return replace(
            self.clause(True, "future", subject),
            verb=doing,
            tense=self.choose(["present", "past", "future"]),
            object=other,
            recipient=None,
            adjuncts=(),
            negative=False,
        ).pair()

    def nothing(self) -> Pair:
        """ "I saw nobody", "She said nothing", "Did you eat anything?", "Nothing happened"."""
        people = self.chance(0.4)
        word = self.choose(
            ["nobody", "somebody", "anybody", "everyone"]
            if people
            else ["nothing", "something", "anything", "everything"]
        )
        doing = verb(
            self.choose(
                ["see", "help", "call", "ask", "meet"]
                if people
                else ["eat", "buy", "read", "sell", "drink", "write", "forget"]
            )
        )
        subject = self.pronoun("subject")
        question = "yes/no" if word.startswith("any") and self.chance(0.6) else ""
        negative = word.startswith("any") and not question
        tense = self.choose(["past", "past", "future", "perfect"])
        return replace(
            self.clause(True, "future", subject),
            verb=doing,
            tense=tense,
            object=indefinite("object", word),
            recipient=None,
            adjuncts=(),
            negative=negative,
            question=question,
        ).pair()

    def fragment(self) -> Pair:
        """Less than a sentence: a noun phrase, a place, a number, a name, a word."""
        kind = self.pick({"noun": 45, "word": 20, "place": 10, "number": 8, "name": 12, "adverb": 8})
        if kind == "noun":
            phrase = self.noun("subject", self.choose(nouns()))
            return Pair(phrase.english, phrase.direct)
        if kind == "word":
            word = self.choose(nouns())
            number = "pl" if word.plural and self.chance(0.4) else "sg"
            phrase = make("subject", word, number, "")
            return Pair(phrase.english, phrase.direct)
        if kind == "place":
            place = self.place()
            return Pair(place.english, place.urdu)
        if kind == "number":
            english, urdu = number_words(self.rng.randint(1, 100), "subject/number")
            return Pair(english, urdu)
        if kind == "name":
            name = name_phrase("subject", self.choose([*names(), *places()]))
            return Pair(name.english, name.direct)
        chosen = self.choose([*adverbs("manner"), *adverbs("time past"), *adverbs("time present")])
        return Pair(words(chosen.english, "subject/time"), words(chosen.urdu, "subject/time"))


def decline_will(number: str, person: int, gender: str) -> str:
    """کروں گا, کرے گی, کریں گے: "will" alone in an answer."""
    form = "کریں" if number == "pl" else "کروں" if person == 1 else "کرے"
    return f"{form} {agree('گا', gender, number)}"


def oneself(english: str) -> NounPhrase:
    """ "Himself" as the object: خود کو, خود سے, and اپنا where the verb takes کا."""
    role = "object/pronoun"
    own = words("خود", role)
    forms = Pronoun("خود نے", "خود کو", "اپنا")
    phrase = pronoun_phrase("object", english)
    return replace(
        phrase, english=words(REFLEXIVES[english], role), english_object=(), direct=own, oblique=own, pronoun=forms
    )


def set_phrase(english: str, urdu: str) -> Pair:
    """A memorised pair: the whole phrase translates the whole phrase."""
    marks = "?!؟"
    source = english.rstrip(marks).replace(",", " ,")
    target = urdu.rstrip(marks).replace("،", " ،")
    return Pair(words(source, "phrase"), words(target, "phrase"), english.endswith("?"))
