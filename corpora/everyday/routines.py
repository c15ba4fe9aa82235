"""Random sentences about when and how often things are done: from nine to five, every Monday, twice a week."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, name_phrase, words
from corpora.everyday.asking import Asker
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, adverb
from corpora.everyday.counting import at_hour, table
from corpora.everyday.english import article
from corpora.everyday.lexicon import adverbs, nouns_of, numbers, places, verbs
from corpora.everyday.phrases import english_number, make
from corpora.urdu_lexicon import Name

OBLIQUE = {"Friday": "جمعے", "Saturday": "ہفتے"}  # the weekdays that change before a postposition
PARTS = {"morning": "صبح", "noon": "دوپہر", "evening": "شام", "night": "رات", "midnight": "آدھی رات"}
DAY_PARTS = {"morning": "کی صبح", "evening": "کی شام", "afternoon": "کی دوپہر", "night": "کی رات"}
UNITS = {"day": "دن", "week": "ہفتے", "month": "مہینے", "year": "سال"}
DAILY = {
    "present": "every day;every morning;every night;every week;in the morning;in the evening;at night;in the afternoon",
    "past": "yesterday;last night;last week;last month;last year;this morning;once;twice;a week ago;in the morning",
    "future": "tomorrow;next week;next month;next year;tonight;soon;this evening;tomorrow morning;on Sunday",
}
OPEN = "shop office bank school market library museum hospital restaurant"
STEADY = ("work", "study", "play", "sleep", "rest", "wait", "teach", "read", "write")


class Planner(Asker):
    """A speaker who also says from when to when, and how often."""

    def routine_kinds(self) -> list[tuple]:
        return [
            (self.from_to, 6),
            (self.journey, 2),
            (self.everyday_time, 12),
            (self.times_a_week, 3),
            (self.on_day, 6),
        ]

    def steady(self, tense: str) -> Clause:
        """Somebody does what takes some time."""
        doing = self.of_these(list(STEADY))
        subject = self.known_person()
        return Clause(subject, doing, tense, self.object(doing, subject))

    def from_to(self) -> Pair:
        """ "I work from nine to five", "The shop is open from Monday to Friday"."""
        if self.chance(0.3):
            subject = make("subject", self.choose(nouns_of(OPEN)))
            span = self.span_between("hour weekday part")
            return open_from(subject, span, self.choose(["open", "open", "closed"]))
        span = self.span_between("hour weekday part month")
        return replace(self.steady(self.choose(["present", "past", "future"])), adjuncts=(span,)).pair()

    def span_between(self, kinds: str) -> Adjunct:
        """From one hour, weekday, part of the day or month to a later one."""
        kind = self.choose(["hour", *kinds.split()])
        if kind == "hour":
            return hours_between(self.rng.randint(6, 10), self.choose([11, 12, 1, 2, 3, 4, 5, 6]))
        if kind == "part":
            return between(*self.choose([("morning", "evening"), ("evening", "midnight"), ("morning", "night")]), PARTS)
        found = table(kind)
        first, second = sorted(self.rng.sample(range(len(found)), 2))
        names = list(found)
        return between(names[first], names[second], found | OBLIQUE if kind == "weekday" else found)

    def journey(self) -> Pair:
        """ "She went from Lahore to Karachi": وہ لاہور سے کراچی گئی."""
        one, two = self.rng.sample(places(), 2)
        name = self.choose(["go", "go", "come", "travel", "walk"])
        tense = self.choose(["past", "past", "future", "progressive"])
        return from_place_to_place(
            Clause(self.known_person(), next(v for v in verbs() if v.base == name and not v.objects), tense), one, two
        )

    def everyday_time(self) -> Pair:
        """A statement with one of the commonest times: "every day", "last week", "tomorrow", "at night"."""
        tense = self.choose(list(DAILY))
        names = DAILY[tense].split(";")
        english = self.choose([*names[:1], *names, *(one for one in names if one.startswith(("in the", "next")))])
        found = next(one for one in adverbs(f"time {tense}") if one.english == english)
        clause = self.clause(True, tense, self.known_person() if self.chance(0.8) else None)
        if clause.tense != tense or any(a.negative for a in clause.adjuncts):
            return self.everyday_time()
        when = [adverb(found.english, found.urdu, "time")]
        if self.chance(0.15) and english in ("every day", "tomorrow", "yesterday"):
            when = [at_hour(self.hour()), *when]
        others = tuple(a for a in clause.adjuncts if a.slot not in ("time", "frequency"))
        return in_time(replace(clause, adjuncts=others), tuple(when))

    def times_a_week(self) -> Pair:
        """ "She washes the clothes twice a week": وہ ہفتے میں دو بار کپڑے دھوتی ہے."""
        clause = self.clause(True, self.choose(["present", "present", "used to"]), self.known_person())
        if clause.verb.dative or "stative" in clause.verb.features or clause.tense not in ("present", "used to"):
            return self.times_a_week()
        often = times_a(self.choose([1, 1, 2, 2, 3, 4, 5]), self.choose(list(UNITS)))
        return replace(clause, adjuncts=(often,), negative=False).pair()

    def on_day(self) -> Pair:
        """ "Every Monday", "last Sunday", "next Friday", "on Tuesday morning"."""
        day = self.choose(list(table("weekday")))
        kind = self.choose(["every", "every", "last", "next", "on"])
        tense = {"every": "present", "last": "past", "next": "future"}.get(kind) or self.choose(["past", "future"])
        when = day_part(day, self.choose(list(DAY_PARTS))) if kind == "on" else which_day(kind, day)
        clause = self.clause(True, tense, self.known_person())
        if clause.verb.dative or clause.tense != tense:
            return self.on_day()
        return replace(clause, adjuncts=(when,)).pair()


def in_time(clause: Clause, when: tuple[Adjunct, ...]) -> Pair:
    """The clause with its times behind the other circumstances; in Urdu the longer time stands first."""
    pair = replace(clause, adjuncts=(*clause.adjuncts, *when)).pair()
    urdu = replace(clause, adjuncts=(*clause.adjuncts, *reversed(when))).pair().urdu
    return Pair(pair.english, urdu, pair.asks)


def hours_between(first: int, second: int) -> Adjunct:
    """ "From nine to five": نو بجے سے پانچ بجے تک."""
    english = words("from", "from/preposition") + words(english_number(first), "from/number")
    english += words("to", "to/preposition") + words(english_number(second), "to/number")
    urdu = words(numbers()[first], "from/number") + words("بجے") + words("سے", "from/preposition")
    urdu += words(numbers()[second], "to/number") + words("بجے") + words("تک", "to/preposition")
    return Adjunct(english, urdu, "time")


def between(first: str, second: str, found: dict[str, str]) -> Adjunct:
    """ "From Monday to Friday": پیر سے جمعے تک."""

    def part(preposition: str, english: str, marker: str) -> tuple[Phrase, Phrase]:
        role = f"{preposition}/preposition"
        noun_role = f"{preposition}/noun"
        return (
            words(preposition, role) + words(english, noun_role),
            words(found[english], noun_role) + words(marker, role),
        )

    start, end = part("from", first, "سے"), part("to", second, "تک")
    return Adjunct(start[0] + end[0], start[1] + end[1], "time")


def open_from(subject: NounPhrase, span: Adjunct, english: str = "open") -> Pair:
    """ "The shop is open from nine to five": دکان نو بجے سے پانچ بجے تک کھلی رہتی ہے."""
    form = words({"open": "کھلی" if subject.gender == "f" else "کھلا", "closed": "بند"}[english], "q/adjective")
    stays = words("رہتی ہے" if subject.gender == "f" else "رہتا ہے")
    told = be_clause(subject, "present", words(english, "q/adjective"), (), adjuncts=(span,)).english
    return Pair(told, subject.direct + span.urdu + form + stays)


def from_place_to_place(clause: Clause, one: Name, two: Name) -> Pair:
    """ "He went from Lahore to Karachi": وہ لاہور سے کراچی گیا."""
    start, end = name_phrase("from", one), name_phrase("to", two)
    english = words("from", "from/preposition") + start.english + words("to", "to/preposition") + end.english
    to = words("تک", "to/preposition") if clause.verb.stem not in ("جا", "آ") else ()
    urdu = start.direct + words("سے", "from/preposition") + end.direct + to
    return replace(clause, adjuncts=(Adjunct(english, urdu, "place"),)).pair()


def times_a(count: int, unit: str) -> Adjunct:
    """ "Twice a week": ہفتے میں دو بار."""
    english = {1: "once", 2: "twice"}.get(count, f"{english_number(count)} times")
    told = words(english, "times/time") + words(article(unit)) + words(unit, "times/unit")
    urdu = words(UNITS[unit], "times/unit") + words("میں") + words(f"{numbers()[count]} بار", "times/time")
    return Adjunct(told, urdu, "time")


def which_day(which: str, day: str) -> Adjunct:
    """ "Every Monday": ہر پیر کو; "last Sunday": پچھلے اتوار کو."""
    urdu = {"every": "ہر", "last": "پچھلے", "next": "اگلے"}[which]
    form = OBLIQUE.get(day) or table("weekday")[day]
    return Adjunct(
        words(which, "day/which") + words(day, "day/noun"),
        words(urdu, "day/which") + words(form, "day/noun") + words("کو"),
        "time",
    )


def day_part(day: str, part: str) -> Adjunct:
    """ "On Sunday morning": اتوار کی صبح."""
    form = OBLIQUE.get(day) or table("weekday")[day]
    of, urdu = DAY_PARTS[part].split()
    return Adjunct(
        words("on") + words(day, "day/noun") + words(part, "day/time"),
        words(form, "day/noun") + words(of) + words(urdu, "day/time"),
        "time",
    )
