"""Random sentences about the time, dates, prices, ages and other numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, name_phrase, possessive, pronoun_phrase, words
from corpora.everyday.actions import is_negative
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct
from corpora.everyday.lexicon import noun, nouns_of, numbers, places, rows, verb
from corpora.everyday.phrases import (
    decline_words,
    english_number,
    make,
    number_words,
)
from corpora.everyday.reports import Reporter
from corpora.everyday.speaker import TIME_UNITS
from corpora.urdu_forms import agree, copula


class Teller(Reporter):
    """A speaker who also tells the time and the price."""

    def hour(self) -> tuple[str, str]:
        """A time of the day: in English words, and in Urdu before بجے."""
        kind = self.pick({"full": 50, "half": 25, "quarter past": 12, "quarter to": 12})
        return hour_words(self.rng.randint(1, 12), kind)

    def clock(self) -> Pair:
        """ "It is half past five", "The bus leaves at six o'clock", "We will meet at two"."""
        hour = self.hour()
        if self.chance(0.35):
            return it_is(hour, self.chance(0.2))
        when = at_hour(hour)
        clause = self.clause(True, self.choose(["present", "future", "past", "past"]))
        return replace(clause, adjuncts=(*(a for a in clause.adjuncts if a.slot != "time"), when)).pair()

    def date(self) -> Pair:
        """ "Today is Monday", "My birthday is on the fifth of March", "He came in June", "on Friday"."""
        days, months = table("weekday"), table("month")
        roll = self.rng.random()
        day, month = self.choose(list(days)), self.choose(list(months))
        if roll < 0.25:
            start = self.choose([("today", "آج"), ("tomorrow", "کل")])
            return Pair(
                words(start[0], "subject/time") + words("is") + words(day, "predicate/noun"),
                words(start[1], "subject/time") + words(days[day], "predicate/noun") + words("ہے"),
            )
        number = self.choose([*range(1, 13), 20])
        shown = in_month(month) if self.chance(0.5) else on_date(number, month)
        clause = self.clause(True, self.choose(["past", "future"]))
        if clause.verb.dative:
            return self.date()
        return replace(clause, adjuncts=(shown,)).pair()

    def price(self) -> Pair:
        """ "How much is this shirt?", "It costs five hundred rupees", "I paid fifty rupees"."""
        word = self.choose_word(nouns_of("clothes fruit thing text device furniture vehicle container"))
        number = "pl" if word.quantity == "plural" else "sg"
        pointing = self.choose(["this", "that"] if number == "sg" else ["these", "those"])
        thing = make("subject", word, number, pointing)
        if self.chance(0.4):
            return what_it_costs(thing) if self.chance(0.5) else how_much_it_is(thing)
        amount = number_words(self.choose([20, 50, 100, 200, 300, 500, 800, 1000, 2000, 5000]), "amount/number")
        coin = ("rupees", "روپے") if self.chance(0.85) else ("dollars", "ڈالر")
        money = words(coin[0], "amount/unit"), words(coin[1], "amount/unit")
        if self.chance(0.5):
            subject = pronoun_phrase("subject", "it") if self.chance(0.4) else thing
            return it_costs(subject, (amount[0] + money[0], amount[1] + money[1]))
        subject = self.person("subject")
        if is_negative(subject):
            return self.price()
        doing = verb(self.choose(["give", "spend", "save", "earn"]))
        paid = replace(
            make("object", noun("rupee"), "pl", ""),
            english=amount[0] + money[0],
            direct=amount[1] + money[1],
            oblique=amount[1] + money[1],
        )
        return replace(
            self.clause(True, "past", subject),
            verb=doing,
            object=paid,
            recipient=None,
            adjuncts=(),
            negative=False,
            tense="past",
        ).pair()

    def age(self) -> Pair:
        """ "She is ten years old", "How old is your brother?" """
        subject = self.person("subject", "I you he she")
        if (
            is_negative(subject)
            or (subject.be == "are" and subject.possessive != "your")
            or subject.direct[0].text in ("سب", "کوئی")
        ):
            return self.age()
        if self.chance(0.3):
            return how_old(subject)
        return years_old(subject, self.rng.randint(2, 90))

    def duration(self) -> Pair:
        """ "It takes two hours to cook rice", "How long does it take?", "I waited for two hours"."""
        amount = self.rng.randint(2, 12)
        unit = self.choose(nouns_of(TIME_UNITS))
        count = number_words(amount, "amount/number")
        told = count[0] + words(unit.plural or "", "amount/unit")
        urdu_unit = make("amount", unit, "pl", "")
        if self.chance(0.4):
            from_to = [
                name_phrase(slot, place)
                for slot, place in zip(("from", "to"), self.rng.sample(places(), 2), strict=True)
            ]
            english = (
                words("it takes", "verb") + told + words("from") + from_to[0].english + words("to") + from_to[1].english
            )
            urdu = (
                from_to[0].direct
                + words("سے")
                + from_to[1].direct
                + words("تک")
                + count[1]
                + words(urdu_unit.direct[-1].text, "amount/unit")
            )
            return Pair(english, urdu + words("لگتے ہیں" if unit.gender == "m" else "لگتی ہیں", "verb"))
        clause = self.clause(True, self.choose(["past", "future"]))
        if clause.verb.dative or clause.verb.vector or "person" not in clause.verb.subjects.split():
            return self.duration()
        how_long = Adjunct(
            words("for") + told,
            count[1] + words(urdu_unit.direct[-1].text, "amount/unit") + words("تک", "amount/unit"),
            "time",
        )
        return replace(clause, adjuncts=(how_long,), negative=False).pair()

    def ordinal(self) -> Pair:
        """ "This is my first book", "She lives on the third floor", "the second day"."""
        ordinals = table("ordinal")
        order = self.choose(list(ordinals))
        word = self.choose_word(nouns_of("book day house child story chapter question lesson car letter"))
        role = "predicate/number"
        complement = make("predicate", word, owner=self.pronoun("owner"))
        urdu_order = words(decline_words(ordinals[order], word.gender, "sg", False), role)
        if self.chance(0.3):
            plain = make("predicate", word)
            return Pair(words("the") + words(order, role) + plain.english[1:], urdu_order + plain.direct)
        english = complement.english[:1] + words(order, role) + complement.english[1:]
        urdu = complement.direct[:-1] + urdu_order + complement.direct[-1:]
        that = self.choose(["this", "that"])
        start = words("وہ" if that == "that" else "یہ", "subject/pronoun")
        return Pair(words(that, "subject/pronoun") + words("is") + english, start + urdu + words("ہے"))


@cache
def table(section: str) -> dict[str, str]:
    """English and Urdu of a section of the function words."""
    return {row.cell(0): row.cell(1) for row in rows("function_words.tsv") if row.section == section}


def hour_words(hour: int, kind: str = "full") -> tuple[str, str]:
    """A time of the day: in English words, and in Urdu before بجے."""
    english = english_number(hour)
    if kind == "full":
        return f"{english} o'clock", numbers()[hour]
    if kind == "half":
        return f"half past {english}", {1: "ڈیڑھ", 2: "ڈھائی"}.get(hour, f"ساڑھے {numbers()[hour]}")
    if kind == "quarter past":
        return f"quarter past {english}", "سوا" if hour == 1 else f"سوا {numbers()[hour]}"
    return f"quarter to {english}", f"پونے {numbers()[hour]}"


def it_is(hour: tuple[str, str], past: bool = False) -> Pair:
    """ "It is half past five": ساڑھے پانچ بجے ہیں. Up to half past one, the hour is singular."""
    role = "hour/time"
    one = hour[1] in ("ایک", "ڈیڑھ", "سوا", "پونے ایک")
    struck = words("بجا" if one else "بجے", role)
    now = words({True: "تھا", False: "ہے"}[past] if one else {True: "تھے", False: "ہیں"}[past])
    return Pair(
        words("it") + words("was" if past else "is") + words(hour[0], role), words(hour[1], role) + struck + now
    )


def at_hour(hour: tuple[str, str]) -> Adjunct:
    """ "At five o'clock"."""
    role = "hour/time"
    return Adjunct(words("at") + words(hour[0], role), words(f"{hour[1]} بجے", role), "time")


def in_month(month: str) -> Adjunct:
    """ "In June"."""
    role = "month/noun"
    return Adjunct(words("in") + words(month, role), words(table("month")[month], role) + words("میں"), "time")


def on_date(number: int, month: str) -> Adjunct:
    """ "On the fifth of March": پانچ مارچ کو, and on the first یکم."""
    order = [key for key in table("ordinal") if key != "hundredth"][number - 1 if number < 13 else 12]
    day = "یکم" if number == 1 else numbers()[number]
    english = words("on the") + words(order, "day/number") + words("of") + words(month, "month/noun")
    urdu = words(day, "day/number") + words(table("month")[month], "month/noun") + words("کو")
    return Adjunct(english, urdu, "time")


def what_it_costs(thing: NounPhrase) -> Pair:
    """ "How much does this shirt cost?" """
    do = words("do" if thing.be == "are" else "does")
    english = words("how much", "question") + do + thing.english + words("cost", "price/noun")
    of = possessive(thing, "f", "sg", False)
    return Pair(english, of + words("قیمت", "price/noun") + words("کیا", "question") + words("ہے"), True)


def how_much_it_is(thing: NounPhrase) -> Pair:
    """ "How much is this shirt?": یہ قمیض کتنے کی ہے?"""
    how = words(f"کتنے {agree('کا', thing.gender, thing.number)}", "question")
    english = words("how much", "question") + words(thing.be) + thing.english
    return Pair(english, thing.direct + how + words(copula("present", thing.agreement)), True)


def it_costs(thing: NounPhrase, money: tuple[Phrase, Phrase]) -> Pair:
    """ "This shirt costs five hundred rupees"."""
    costs = words("costs" if thing.be == "is" else "cost", "price/noun")
    of = possessive(thing, "f", "sg", False)
    return Pair(thing.english + costs + money[0], of + words("قیمت", "price/noun") + money[1] + words("ہے"))


def how_old(subject: NounPhrase) -> Pair:
    """ "How old is your brother?": his age is asked in Urdu."""
    of = possessive(subject, "f", "sg", False)
    english = words("how old", "question") + words(subject.be) + subject.english
    return Pair(english, of + words("عمر", "question") + words("کیا", "question") + words("ہے"), True)


def years_old(subject: NounPhrase, years: int) -> Pair:
    """ "She is ten years old": وہ دس سال کی ہے."""
    amount = number_words(years, "amount/number")
    of = words(agree("کا", subject.gender, subject.number), "age")
    english = amount[0] + words("years", "amount/unit") + words("old", "age")
    return be_clause(subject, "present", english, amount[1] + words("سال", "amount/unit") + of)
