"""Random sentences about the time, dates, prices, ages and other numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from model.train.corpora.en_ur_clauses import Pair
from model.train.corpora.en_ur_phrases import name_phrase, possessive, pronoun_phrase, words
from model.train.corpora.everyday.actions import is_negative
from model.train.corpora.everyday.being import be_clause
from model.train.corpora.everyday.clauses import Adjunct
from model.train.corpora.everyday.lexicon import noun, nouns_of, numbers, places, rows, verb
from model.train.corpora.everyday.phrases import (
    decline_words,
    english_number,
    make,
    number_words,
)
from model.train.corpora.everyday.reports import Reporter
from model.train.corpora.everyday.speaker import TIME_UNITS
from model.train.corpora.urdu_forms import agree, copula


class Teller(Reporter):
    """A speaker who also tells the time and the price."""

    def hour(self) -> tuple[str, str]:
        """A time of the day: in English words, and in Urdu before بجے."""
        hour = self.rng.randint(1, 12)
        kind = self.pick({"full": 50, "half": 25, "quarter past": 12, "quarter to": 12})
        english = english_number(hour)
        if kind == "full":
            return f"{english} o'clock", numbers()[hour]
        if kind == "half":
            return f"half past {english}", {1: "ڈیڑھ", 2: "ڈھائی"}.get(hour, f"ساڑھے {numbers()[hour]}")
        if kind == "quarter past":
            return f"quarter past {english}", "سوا" if hour == 1 else f"سوا {numbers()[hour]}"
        return f"quarter to {english}", f"پونے {numbers()[hour]}"

    def clock(self) -> Pair:
        """ "It is half past five", "The bus leaves at six o'clock", "We will meet at two"."""
        english, urdu = self.hour()
        told, number = words(english, "hour/time"), words(urdu, "hour/time")
        if self.chance(0.1):
            told, number = words("exactly", "exactly") + told, words("ٹھیک", "exactly") + number
        if self.chance(0.35):
            one = urdu in ("ایک", "ڈیڑھ", "سوا", "پونے ایک")
            past = self.chance(0.2)
            struck = words("بجا" if one else "بجے", "hour/time")
            now = words({True: "تھا", False: "ہے"}[past] if one else {True: "تھے", False: "ہیں"}[past])
            return Pair(words("it") + words("was" if past else "is") + told, number + struck + now)
        when = Adjunct(words("at") + told, number + words("بجے", "hour/time"), "time")
        clause = self.clause(True, self.choose(["present", "future", "past", "past"]))
        return replace(clause, adjuncts=(*(a for a in clause.adjuncts if a.slot != "time"), when)).pair()

    def date(self) -> Pair:
        """ "Today is Monday", "My birthday is on the fifth of March", "He came in June", "on Friday"."""
        days, months, ordinals = table("weekday"), table("month"), table("ordinal")
        roll = self.rng.random()
        day, month = self.choose(list(days)), self.choose(list(months))
        if roll < 0.25:
            start = self.choose([("today", "آج"), ("tomorrow", "کل")])
            return Pair(
                words(start[0], "subject/time") + words("is") + words(day, "predicate/noun"),
                words(start[1], "subject/time") + words(days[day], "predicate/noun") + words("ہے"),
            )
        number = self.choose([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20])
        order = [key for key in ordinals if key != "hundredth"][number - 1 if number < 13 else 12]
        in_month = words("in") + words(month, "month/noun"), words(months[month], "month/noun") + words("میں")
        on_date = (
            words("on the") + words(order, "day/number") + words("of") + words(month, "month/noun"),
            words(numbers()[number], "day/number") + words(months[month], "month/noun") + words("کو"),
        )
        shown = self.choose([in_month, on_date])
        clause = self.clause(True, self.choose(["past", "future"]))
        if clause.verb.dative:
            return self.date()
        return replace(clause, adjuncts=(Adjunct(shown[0], shown[1], "time"),)).pair()

    def price(self) -> Pair:
        """ "How much is this shirt?", "It costs five hundred rupees", "I paid fifty rupees"."""
        word = self.choose_word(nouns_of("clothes fruit thing text device furniture vehicle container"))
        number = "pl" if word.quantity == "plural" else "sg"
        pointing = self.choose(["this", "that"] if number == "sg" else ["these", "those"])
        thing = make("subject", word, number, pointing)
        if self.chance(0.4):
            of = possessive(thing, "f", "sg", False)
            cost = self.chance(0.5)
            do, be = words("do" if number == "pl" else "does"), words(thing.be)
            english = words("how much", "question") + (
                do + thing.english + words("cost", "price/noun") if cost else be + thing.english
            )
            if cost:
                return Pair(english, of + words("قیمت", "price/noun") + words("کیا", "question") + words("ہے"), True)
            how = words(
                "کتنے کا"
                if thing.gender == "m" and thing.number == "sg"
                else "کتنے کے"
                if thing.gender == "m"
                else "کتنے کی",
                "question",
            )
            return Pair(english, thing.direct + how + words(copula("present", thing.agreement)), True)
        amount = number_words(self.choose([20, 50, 100, 200, 300, 500, 800, 1000, 2000, 5000]), "amount/number")
        coin = ("rupees", "روپے") if self.chance(0.85) else ("dollars", "ڈالر")
        money = words(coin[0], "amount/unit"), words(coin[1], "amount/unit")
        if self.chance(0.5):
            subject = pronoun_phrase("subject", "it") if self.chance(0.4) else thing
            costs = words("costs" if subject.be == "is" else "cost", "price/noun")
            of = possessive(subject, "f", "sg", False)
            return Pair(
                subject.english + costs + amount[0] + money[0],
                of + words("قیمت", "price/noun") + amount[1] + money[1] + words("ہے"),
            )
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
            of = possessive(subject, "f", "sg", False)
            return Pair(
                words("how old", "question") + words(subject.be) + subject.english,
                of + words("عمر", "question") + words("کیا", "question") + words("ہے"),
                True,
            )
        years = self.rng.randint(2, 90)
        amount = number_words(years, "amount/number")
        of = words(agree("کا", subject.gender, subject.number), "age")
        english = amount[0] + words("years", "amount/unit") + words("old", "age")
        return be_clause(subject, "present", english, amount[1] + words("سال", "amount/unit") + of)

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
