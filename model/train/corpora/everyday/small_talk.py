"""Random everyday talk: the time, dates, prices, ages, tags, answers, exclamations, reflexives and phrases alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from model.train.corpora.en_ur_clauses import Pair
from model.train.corpora.en_ur_phrases import name_phrase, possessive, pronoun_phrase, words
from model.train.corpora.everyday.actions import is_negative
from model.train.corpora.everyday.clauses import Adjunct, adverb, be_clause
from model.train.corpora.everyday.complex_sentences import Narrator
from model.train.corpora.everyday.english import article
from model.train.corpora.everyday.lexicon import adverbs, names, noun, nouns, nouns_of, numbers, places, rows, verb
from model.train.corpora.everyday.phrases import (
    decline_adjective,
    decline_words,
    english_number,
    indefinite,
    make,
    number_words,
)
from model.train.corpora.urdu_forms import agree, copula

REFLEXIVES = {
    "I": "myself",
    "he": "himself",
    "she": "herself",
    "we": "ourselves",
    "they": "themselves",
    "you": "yourself",
}


@cache
def table(section: str) -> dict[str, str]:
    """English and Urdu of a section of the function words."""
    return {row.cell(0): row.cell(1) for row in rows("function_words.tsv") if row.section == section}


class Talker(Narrator):
    """A speaker of every kind of everyday sentence."""

    def sentence(self) -> Pair:
        """A sentence of a random kind, sometimes with a greeting or a remark before it."""
        kinds: list[tuple[Callable[[], Pair], int]] = [
            (self.action, 70), (self.request, 14), (self.offer, 5), (self.passive, 6), (self.lack, 1), (self.quality, 16),
            (self.bodily, 3), (self.identity, 16), (self.location, 9), (self.existence, 8), (self.possession, 12),
            (self.looks, 2), (self.comparison, 6), (self.superlative, 3), (self.weather, 4), (self.doing_is, 4),
            (self.two, 5), (self.same_subject, 6), (self.because, 7), (self.so, 3), (self.when_clause, 7),
            (self.condition, 6), (self.although, 2), (self.so_that, 2), (self.before_after, 4), (self.relative_subject, 6),
            (self.relative_object, 4), (self.reported, 7), (self.embedded, 5), (self.clock, 5), (self.date, 3),
            (self.price, 3), (self.age, 3), (self.tag, 4), (self.answer, 4), (self.exclaim, 2), (self.reflexive, 3),
            (self.duration, 2), (self.fragment, 10), (self.ordinal, 2), (self.each_other, 1), (self.nothing, 3),
        ]  # fmt: skip
        makers, weights = zip(*kinds, strict=True)
        pair = self.rng.choices(makers, weights)[0]()
        return self.remark(pair) if self.chance(0.05) else pair

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

    # Numbers

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
        word = self.choose(nouns_of("clothes fruit thing text device furniture vehicle container"))
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
                of + words("عمر", "question") + words("کیا", "question") + words("ہے"), True,
            )  # fmt: skip
        years = self.rng.randint(2, 90)
        amount = number_words(years, "amount/number")
        of = words(agree("کا", subject.gender, subject.number), "age")
        english = amount[0] + words("years", "amount/unit") + words("old", "age")
        return be_clause(subject, "present", english, amount[1] + words("سال", "amount/unit") + of)

    def duration(self) -> Pair:
        """ "It takes two hours to cook rice", "How long does it take?", "I waited for two hours"."""
        amount = self.rng.randint(2, 12)
        unit = noun(self.choose(["hour", "hour", "minute", "day"]))
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
            count[1] + words(urdu_unit.oblique[-1].text, "amount/unit") + words("تک", "amount/unit"),
            "time",
        )
        return replace(clause, adjuncts=(how_long,), negative=False).pair()

    def ordinal(self) -> Pair:
        """ "This is my first book", "She lives on the third floor", "the second day"."""
        ordinals = table("ordinal")
        order = self.choose(list(ordinals))
        word = self.choose(nouns_of("book day house child story chapter question lesson car letter"))
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

    # Talk

    def tag(self) -> Pair:
        """ "You are coming, aren't you?": a statement with ہے نا."""
        tense = self.choose(["progressive", "future", "past", "present", "can"])
        subject = self.pronoun("subject")
        clause = self.clause(True, tense, subject)
        while clause.verb.dative or clause.tense != tense:
            clause = self.clause(True, tense, subject)
        auxiliary = {"progressive": subject.be, "future": "will", "past": "did", "can": "can",
                     "present": "does" if subject.be == "is" else "do"}[tense]  # fmt: skip
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
        urdu = {"be": copula("present", subject.agreement), "was": copula("past", subject.agreement),
                "can": f"کر {able}", "will": f"{decline_will(subject.number, subject.person, subject.gender)}"}[kind]  # fmt: skip
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
        clause = self.clause(True, self.choose(["past", "future", "present"]), subject)
        while clause.verb.dative or not clause.verb.transitive or is_negative(clause.object or subject):
            clause = self.clause(True, self.choose(["past", "future", "present"]), subject)
        own = adverb(REFLEXIVES[english], "خود", "frequency")
        return replace(clause, adjuncts=(own,)).pair()

    def each_other(self) -> Pair:
        """ "They help each other": وہ ایک دوسرے کی مدد کرتے ہیں."""
        subject = self.pronoun("subject", "we they you")
        other = replace(
            pronoun_phrase("object", "they"), english=words("each other", "object/pronoun"), english_object=(),
            direct=words("ایک دوسرے", "object/pronoun"), oblique=words("ایک دوسرے", "object/pronoun"), pronoun=None,
        )  # fmt: skip
        doing = verb(self.choose(["help", "love", "hate", "know", "meet", "respect", "talk to", "trust", "invite"]))
        return replace(self.clause(True, "future", subject), verb=doing, tense=self.choose(["present", "past", "future"]),
                       object=other, recipient=None, adjuncts=(), negative=False).pair()  # fmt: skip

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
        return replace(self.clause(True, "future", subject), verb=doing, tense=tense, object=indefinite("object", word), recipient=None,
                       adjuncts=(), negative=negative, question=question).pair()  # fmt: skip

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


def set_phrase(english: str, urdu: str) -> Pair:
    """A memorised pair: the whole phrase translates the whole phrase."""
    marks = "?!؟"
    source = english.rstrip(marks).replace(",", " ,")
    target = urdu.rstrip(marks).replace("،", " ،")
    return Pair(words(source, "phrase"), words(target, "phrase"), english.endswith("?"))
