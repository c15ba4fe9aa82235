"""Random sentences with small adjuncts of time: ago, at nine in the morning, not yet, for a while, before dinner."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, noun_form, words
from corpora.everyday.being import be_clause, there_is
from corpora.everyday.clauses import Adjunct, Clause, adverb
from corpora.everyday.company import Companion
from corpora.everyday.counting import hour_words, table
from corpora.everyday.english import article
from corpora.everyday.lexicon import noun, nouns_of, verb
from corpora.everyday.phrases import english_number, make, number_words
from corpora.everyday.routines import OBLIQUE
from corpora.everyday.times import FRONT, WHILE_TENSES, WHILES
from corpora.urdu_forms import agree, copula
from corpora.urdu_lexicon import Noun

UNITS = "minute hour day week month year"
DAY_HOURS = {  # English behind the hour, and Urdu before it -> hours that fit
    ("in the morning", "صبح"): range(5, 12),
    ("in the afternoon", "دوپہر"): (1, 2, 3),
    ("in the evening", "شام"): (4, 5, 6, 7),
    ("at night", "رات"): (8, 9, 10, 11),
}
EVENTS = (
    "breakfast lunch dinner supper school work meeting lesson class exam test wedding film match game party journey "
    "trip holiday war storm funeral prayer interview operation accident election concert ceremony"
)
BARE = ("meal", "school", "work")  # "before dinner", "after school": without an article
DONE_TO_THINGS = "build sell buy write open close repair clean steal publish cook paint destroy cancel send make"
COUNTED = "person profession book room house car animal tree country student child"
MARKERS = {"before": "سے پہلے", "after": "کے بعد"}
STATES = "sick ill hungry tired happy sad busy ready angry worried afraid free alone poor rich young famous"


class Scheduler(Companion):
    """A speaker who also adds when, how long and how many times."""

    def schedule_kinds(self) -> list[tuple]:
        return [
            (self.long_ago, 8),
            (self.at_part, 8),
            (self.not_yet, 7),
            (self.no_more, 4),
            (self.already_done, 6),
            (self.whiles, 10),
            (self.in_front, 9),
            (self.beside_event, 9),
            (self.by_then, 4),
            (self.later, 3),
            (self.last_time, 3),
            (self.more_than, 5),
            (self.many_times, 4),
            (self.only_so_much, 4),
        ]

    def bare(self, tense: str, subject: NounPhrase | None = None) -> Clause:
        """A statement without circumstances, mostly of daily life."""
        while True:
            clause = self.usual_clause(tense, True) if self.chance(0.6) else self.clause(True, tense, subject)
            if clause.tense == tense and not any(word.text in ("nobody", "no") for word in clause.subject.english):
                break
        places = tuple(a for a in clause.adjuncts if a.slot == "place")
        return replace(clause, adjuncts=places, negative=False)

    def long_ago(self) -> Pair:
        """ "Our house was built thirty years ago": ہمارا گھر تیس سال پہلے بنایا گیا."""
        when = ago(self.chance(0.25), self.amount(), self.choose(nouns_of(UNITS)))
        if self.chance(0.35):
            clause = self.passive_clause()
            question = self.question_or_not(clause.subject)[1]
            return replace(clause, adjuncts=(when,), negative=False, question=question).pair()
        if self.chance(0.15):
            return Clause(self.known_person(), verb("die"), "past", adjuncts=(when,)).pair()
        clause = self.bare("past")
        if clause.verb.features & {"habit"}:
            return self.long_ago()
        front = when._replace(position="front") if self.chance(0.1) else when
        return replace(clause, adjuncts=(*clause.adjuncts[:1], front)).pair()

    def amount(self) -> int:
        return self.rng.randint(2, 10) if self.chance(0.7) else self.choose([15, 20, 25, 30, 40, 50, 60, 100])

    def passive_clause(self) -> Clause:
        """ "The letter was sent"."""
        while True:
            doing = verb(self.choose(DONE_TO_THINGS.split()))
            choices = [word for word in nouns_of(doing.objects) if word.kind not in ("person", "kin", "profession")]
            if choices and not doing.dative:
                thing = self.noun("subject", self.choose_word(choices), definite=True)
                return Clause(thing, doing, "past", passive=True)

    def at_part(self) -> Pair:
        """ "The train leaves at nine in the morning": ٹرین صبح نو بجے روانہ ہوتی ہے."""
        part = self.choose(list(DAY_HOURS))
        kind = self.pick({"full": 70, "half": 30})
        hour = hour_words(self.choose(tuple(DAY_HOURS[part])), kind)
        shown = hour[0] if kind == "half" or self.chance(0.3) else hour[0].removesuffix(" o'clock")
        english = words("at") + words(shown, "hour/time") + words(part[0], "part/time")
        when = Adjunct(english, words(part[1], "part/time") + words(f"{hour[1]} بجے", "hour/time"), "time")
        clause = self.bare(self.choose(["present", "past", "future", "present", "past"]))
        if clause.verb.dative or "stative" in clause.verb.features:
            return self.at_part()
        question = self.question_or_not(clause.subject)[1]
        return replace(clause, adjuncts=(*clause.adjuncts, when), question=question).pair()

    def not_yet(self) -> Pair:
        """ "She has not eaten yet": اس نے ابھی تک کھانا نہیں کھایا."""
        clause = self.bare("perfect")
        yet = adverb("yet", "ابھی تک", "time")
        if self.chance(0.3):
            clause = replace(self.passive_clause(), tense="perfect")
        if self.chance(0.25) and not clause.passive:
            return replace(clause, question="yes/no", adjuncts=(Adjunct(words("yet"), (), "time"),)).pair()
        if self.chance(0.25):
            subject = self.known_person()
            state = self.choose([a for a in self.graded(noun("friend")) if a.english in ("ready", "married", "free")])
            return be_clause(subject, "present", *self.predicate(state, subject), True, "", (yet,))
        return replace(clause, negative=True, adjuncts=(yet,)).pair()

    def no_more(self) -> Pair:
        """ "He does not live here any more": وہ اب یہاں نہیں رہتا; "We still live here"."""
        still = self.chance(0.4)
        tense = self.choose(["present", "present", "progressive"]) if still else self.choose(["present", "future"])
        clause = self.bare(tense)
        if still:
            return replace(clause, adjuncts=(*clause.adjuncts, adverb("still", "اب بھی", "time", "mid"))).pair()
        more = adverb(self.choose(["any more", "anymore", "any longer"]), "اب", "time")
        return replace(clause, negative=True, adjuncts=(*clause.adjuncts, more)).pair()

    def already_done(self) -> Pair:
        """ "She has already finished her homework": وہ اپنا ہوم ورک ختم کر چکی ہے."""
        clause = self.bare(self.choose(["perfect", "perfect", "pluperfect"]))
        doing = clause.verb
        if (
            doing.dative
            or doing.features & {"stative", "adj", "habit"}
            or (clause.subject.person != 3 and self.chance(0.2))
        ):
            return self.already_done()
        return finished(clause, "yes/no" if self.chance(0.15) else "")

    def whiles(self) -> Pair:
        """ "We waited for a while", "He comes every other day", "I told you a hundred times"."""
        tense = self.choose(["past", "past", "present", "future"])
        english = self.choose(WHILE_TENSES[tense].split(";"))
        clause = self.bare(tense)
        if clause.verb.dative or (english.startswith(("for a", "all", "the whole")) and clause.verb.vector):
            return self.whiles()
        question = self.question_or_not(clause.subject)[1]
        when = adverb(english, WHILES[english], "time")
        return replace(clause, question=question, adjuncts=(*clause.adjuncts[:1], when)).pair()

    def in_front(self) -> Pair:
        """ "Finally, the train arrived": آخرکار ٹرین پہنچ گئی. With or without a comma in English."""
        tense = self.choose(["past", "past", "present", "future"])
        english = self.choose(list(FRONT[tense]))
        if self.chance(0.2):
            subject = self.known_person()
            state = self.choose([a for a in self.graded(noun("friend")) if a.english in STATES.split()])
            pair = be_clause(subject, tense, *self.predicate(state, subject))
        else:
            pair = self.bare(tense).pair()
        role = "front/time"
        comma = words("," if self.chance(0.55) else "")
        return Pair(words(english, role) + comma + pair.english, words(FRONT[tense][english], role) + pair.urdu)

    def beside_event(self) -> Pair:
        """ "I was tired after the match": میں میچ کے بعد تھکا ہوا تھا; "Wash your hands before dinner"."""
        word = noun(self.choose(EVENTS.split()))
        plain = word.kind in BARE or word.english in BARE
        event = make("event", word, determiner="" if plain else "the")
        if not plain and self.chance(0.15):
            event = make("event", word, owner=self.pronoun("event-owner"))
        preposition = self.choose(list(MARKERS))
        role = "event/preposition"
        urdu = event.oblique + words(MARKERS[preposition], role)
        when = Adjunct(words(preposition, role) + event.english, urdu, "time")
        if self.chance(0.25):
            subject = self.known_person()
            state = self.choose([a for a in self.graded(noun("friend")) if a.english in STATES.split()])
            tense = self.choose(["past", "past", "future"])
            return be_clause(subject, tense, *self.predicate(state, subject), adjuncts=(when,))
        clause = self.bare(self.choose(["past", "past", "future", "present"]))
        if clause.verb.dative:
            return self.beside_event()
        if self.chance(0.15) and clause.verb.transitive:
            clause = replace(clause, tense="imperative", subject=self.pronoun("subject", "you"), adjuncts=())
        question = self.question_or_not(clause.subject)[1]
        question = "" if clause.tense == "imperative" else question
        front = when._replace(position="front") if not question and self.chance(0.2) else when
        return replace(clause, question=question, adjuncts=(*clause.adjuncts[:1], front)).pair()

    def by_then(self) -> Pair:
        """ "Finish the work by Friday": کام جمعے تک ختم کریں; "before Monday", "after five o'clock"."""
        preposition = self.choose(["by", "by", "before", "after"])
        marker = {"by": "تک"}.get(preposition) or MARKERS[preposition]
        if self.chance(0.5):
            day = self.choose(list(table("weekday")))
            english, urdu = day, OBLIQUE.get(day) or table("weekday")[day]
        elif self.chance(0.5):
            english, hour = hour_words(self.rng.randint(1, 12))
            urdu = f"{hour} بجے"
        else:
            english, urdu = self.choose([("tomorrow", "کل"), ("tonight", "آج رات"), ("next week", "اگلے ہفتے"),
                                         ("noon", "دوپہر"), ("midnight", "آدھی رات")])  # fmt: skip
        role = "day/preposition"
        when = Adjunct(words(preposition, role) + words(english, "day/noun"),
                       words(urdu, "day/noun") + words(marker, role), "time")  # fmt: skip
        clause = self.bare(self.choose(["future", "future", "must", "have to", "should", "can"]))
        if clause.verb.dative:
            return self.by_then()
        if self.chance(0.3) and clause.verb.transitive:
            clause = replace(clause, tense="imperative", subject=self.pronoun("subject", "you"))
        return replace(clause, adjuncts=(when,)).pair()

    def later(self) -> Pair:
        """ "Two years later she became a doctor", "He came back three days later"."""
        unit = self.choose(nouns_of(UNITS))
        told = self.choose([("many", "کئی"), ("several", "کئی"), ("a few", "چند"), ("two", "دو"), ("three", "تین"),
                            ("four", "چار"), ("five", "پانچ"), ("ten", "دس")])  # fmt: skip
        english = words(told[0], "time/count") + words(unit.plural or "", "time/unit") + words("later", "later/time")
        urdu = words(told[1], "time/count") + words(noun_form(unit, "pl", False), "time/unit")
        when = Adjunct(english, urdu + words("بعد", "later/time"), "time", self.choose(["front", "end"]))
        return replace(self.bare("past"), adjuncts=(when,)).pair()

    def last_time(self) -> Pair:
        """ "When was the last time you saw him?": آپ نے اسے آخری بار کب دیکھا؟"""
        clause = self.bare("past", self.known_person())
        if clause.verb.dative or "habit" in clause.verb.features:
            return self.last_time()
        order = self.choose([("last", "آخری"), ("last", "آخری"), ("first", "پہلی")])
        role = "order/time"
        clause = replace(clause, verb=clause.verb._replace(vector=""))
        asked = replace(clause, question="when", adjuncts=(Adjunct((), words(f"{order[1]} بار", role), "time"),))
        told = replace(clause, adjuncts=())
        english = words("when", "question") + words("was") + words("the") + words(f"{order[0]} time", role)
        return Pair(english + told.pair().english, asked.pair().urdu, True)

    def more_than(self) -> Pair:
        """ "More than fifty people came": پچاس سے زیادہ لوگ آئے; "less than", "at least", "about"."""
        count = self.choose([*range(3, 13), 15, 20, 25, 30, 40, 50, 60, 100, 200, 500, 1000])
        kind = self.choose(["more than", "more than", "less than", "at least", "about", "only", "almost"])
        word = self.choose_word([w for w in nouns_of(COUNTED) if w.plural and w.kind != "kin"])
        slot = self.choose(["subject", "thing"])
        group = about_so_many(slot, make(slot, word, "pl", "", count=count), kind)
        if slot == "thing":
            return there_is(group, self.place(), self.choose(["present", "present", "past"]))
        if group.kind == "person":
            clause = self.clause(True, self.choose(["past", "past", "future", "progressive"]), group)
            return replace(clause, negative=False, adjuncts=clause.adjuncts[:1]).pair()
        return self.more_than()

    def many_times(self) -> Pair:
        """ "I have been to Lahore three times", "He called me twice"."""
        count = self.choose([2, 3, 4, 5, 10, 100])
        english = {2: "twice"}.get(count) or f"{'a hundred' if count == 100 else english_number(count)} times"
        urdu = "سو بار" if count == 100 else f"{number_words(count, '')[1][0].text} بار"
        often = adverb(english, urdu, "time")
        clause = self.bare(self.choose(["past", "perfect"]))
        if clause.verb.dative or clause.verb.features & {"stative", "habit"}:
            return self.many_times()
        return replace(clause, adjuncts=(*clause.adjuncts[:1], often)).pair()

    def only_so_much(self) -> Pair:
        """ "She sleeps only four hours", "We stayed there for only two days"."""
        count, unit = self.rng.randint(2, 12), self.choose(nouns_of(UNITS))
        number = number_words(count, "amount/number")
        only = self.choose([("only", "صرف"), ("just", "صرف"), ("about", "تقریباً"), ("almost", "تقریباً"), ("", "")])
        role = "only/focus"
        told = words("for" if self.chance(0.6) else "") + words(only[0], role) + number[0]
        told += words(unit.plural or "", "amount/unit")
        urdu = words(only[1], role) + number[1] + words(noun_form(unit, "pl", False), "amount/unit")
        urdu += words("تک", "amount/unit") if told[0].text == "for" and not only[1] else ()
        doing = self.of_these(
            ["sleep", "work", "wait", "study", "rest", "talk", "walk", "swim", "play", "stay", "travel"]
        )
        tense = self.choose(["past", "past", "present", "future"])
        subject = self.known_person()
        clause = Clause(subject, doing, tense, self.object(doing, subject))
        return replace(clause, adjuncts=(Adjunct(told, urdu, "time"),)).pair()


def ago(one: bool, count: int, unit: Noun) -> Adjunct:
    """ "Thirty years ago": تیس سال پہلے; "a week ago": ایک ہفتہ پہلے."""
    if one:
        english = words(article(unit.english), "ago/count") + words(unit.english, "ago/unit")
        urdu = words("ایک", "ago/count") + words(noun_form(unit, "sg", False), "ago/unit")
    else:
        number = number_words(count, "ago/count")
        english = number[0] + words(unit.plural or "", "ago/unit")
        urdu = number[1] + words(noun_form(unit, "pl", False), "ago/unit")
    return Adjunct(english + words("ago", "ago/time"), urdu + words("پہلے", "ago/time"), "time")


def finished(clause: Clause, question: str = "") -> Pair:
    """ "She has already gone": وہ جا چکی ہے. The subject has no نے, and the verb agrees with it."""
    already = adverb("already", "", "time", "mid")
    told = replace(clause, adjuncts=(*clause.adjuncts, already), question=question)
    plain = clause.verb._replace(vector="", ergative=False)
    shown = replace(clause, verb=plain, tense="past", question=question)
    agreement = clause.subject.agreement
    done = agree("چکا", agreement.gender, agreement.number)
    now = copula("past" if clause.tense == "pluperfect" else "present", agreement)
    urdu = shown.pair().urdu
    end = words(clause.verb.stem, "verb") + words(done, "time-already/time") + words(now)
    return Pair(told.pair().english, urdu[:-1] + end, bool(question))


def about_so_many(slot: str, group: NounPhrase, kind: str) -> NounPhrase:
    """ "More than fifty people": پچاس سے زیادہ لوگ."""
    role = f"{slot}/more"
    before, after = {"more than": ("", "سے زیادہ"), "less than": ("", "سے کم"), "at least": ("کم از کم", ""),
                     "about": ("تقریباً", ""), "only": ("صرف", ""), "almost": ("تقریباً", "")}[kind]  # fmt: skip

    def insert(phrase: Phrase) -> Phrase:
        numbers = [word for word in phrase if word.role == f"{slot}/count"]
        rest = tuple(word for word in phrase if word.role != f"{slot}/count")
        return words(before, role) + tuple(numbers) + words(after, role) + rest

    return replace(
        group,
        english=words(kind, role) + group.english,
        english_object=(),
        direct=insert(group.direct),
        oblique=insert(group.oblique),
    )
