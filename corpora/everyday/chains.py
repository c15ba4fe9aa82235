"""Random long sentences and stories: two and three clauses in a row, and how a story opens and turns."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, pronoun_phrase, words
from corpora.everyday.clauses import Adjunct, Clause, at, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.complex_sentences import again
from corpora.everyday.courtesies import Host
from corpora.everyday.joined_deeds import SHIFTS, follow, say_that
from corpora.everyday.lexicon import noun, nouns_of, verb
from corpora.everyday.phrases import make
from corpora.everyday.relatives import who, within

PUT = {"in": "box bag drawer basket pocket", "on": "table chair shelf bed floor roof", "under": "table bed chair tree"}
THINGS = "thing text writing fruit device container"
HERO = "king queen farmer boy girl man woman child hunter soldier prince princess lion fox monkey merchant"
OPENED = {"once upon a time": "ایک دفعہ کا ذکر ہے کہ", "long ago": "بہت پہلے", "many years ago": "بہت سال پہلے"}
TURNS = {
    "one day": "ایک دن", "many years later": "بہت سال بعد", "at last": "آخر کار", "suddenly": "اچانک",
    "in the end": "آخر میں", "after some time": "کچھ دیر بعد", "the next day": "اگلے دن", "that night": "اس رات",
    "after that": "اس کے بعد", "then": "پھر", "one night": "ایک رات", "the next morning": "اگلی صبح",
}  # fmt: skip
SHORT = 9  # English words behind the subject of a clause that may be joined with others


class Storyteller(Host):
    """A speaker who also tells what happened in long sentences."""

    def chain_kinds(self) -> list[tuple]:
        return [
            (self.put_and_hid, 4),
            (self.when_and, 7),
            (self.was_doing_when, 6),
            (self.heard_and, 4),
            (self.deed_because, 5),
            (self.if_and, 4),
            (self.gave_and, 4),
            (self.opening, 5),
            (self.turning, 8),
        ]

    def brief(self, subject: NounPhrase, tense: str, adjuncts: bool = False) -> Clause:
        """A deed in few words, with its place where `adjuncts` says so."""
        while True:
            deed = self.told(subject, tense)
            deed = deed if adjuncts else replace(deed, adjuncts=())
            if len(deed.pair().english) <= len(subject.english) + SHORT:
                return deed

    def timed(self, clause: Clause) -> Clause:
        """The clause, now and then with a time at its end."""
        found = self.time(clause.tense) if self.chance(0.3) else None
        if found is None or found.position == "mid" or found.urdu[0].text in ("اچانک", "پھر"):
            return clause
        return replace(clause, adjuncts=(*clause.adjuncts, found._replace(position="end")))

    def put_and_hid(self) -> Pair:
        """ "She put the ring in a box and hid it under the bed": اس نے ... رکھی اور اسے ... چھپایا."""
        subject = self.known_person()
        word = self.choose_word([one for one in nouns_of(THINGS) if one.quantity == "count" and one.plural])
        thing = make("object", word, "pl" if self.chance(0.2) else "sg")
        name = self.choose(["hide", "leave", "throw away", "sell", "lose"])
        one, two = self.hiding_place("place"), self.hiding_place("spot")
        if one.urdu[0].text == two.urdu[0].text:
            return self.put_and_hid()
        tense = self.choose(["past", "past", "future"])
        second = Clause(subject, verb(name), tense, pronoun_phrase("it", "they" if thing.be == "are" else "it"))
        second = replace(second, adjuncts=(two,)) if name in ("hide", "leave") else second
        first = Clause(subject, verb("put"), tense, thing, adjuncts=(one,))
        return follow(first.pair(), "and", second, first.marker)

    def hiding_place(self, slot: str) -> Adjunct:
        preposition = self.choose(list(PUT))
        return at(preposition, make(slot, noun(self.choose(PUT[preposition].split())), "sg", "the"), "late")

    def two_deeds(self, subject: NounPhrase, tense: str, timed: bool = True) -> Pair:
        """ "He closed the door and went home": two deeds of one person."""
        first, second = self.brief(subject, tense), self.brief(subject, tense, True)
        return follow(first.pair(), "and", self.timed(second) if timed else second, first.marker)

    def when_and(self) -> Pair:
        """ "When Ali came home, he opened the door and called his brother": جب ... تو ... اور ..."""
        event = self.brief(self.known_person(), "past")
        doer = again(event.subject) if self.chance(0.6) else self.known_person()
        joint = self.choose(["when", "when", "after", "as soon as"])
        main = self.two_deeds(doer, "past")
        if joint == "after":
            event = replace(event, tense="pluperfect") if self.chance(0.3) else event
            return self.led("when", "جب", event.pair(), main)
        return self.led(joint, {"when": "جب", "as soon as": "جیسے ہی"}[joint], event.pair(), main)

    def led(self, english: str, urdu: str, first: Pair, main: Pair) -> Pair:
        """A clause before two others, in both languages."""
        first = rename(first, "first")
        then = words("تو") if urdu == "جب" else ()
        start = words(english, "led") + first.english + words(",")
        return Pair(start + main.english, words(urdu, "led") + first.urdu + then + main.urdu)

    def was_doing_when(self) -> Pair:
        """ "I was reading when the door opened and my father came in": جب ... تو میں پڑھ رہا تھا."""
        going = self.brief(self.known_person(), "past progressive", True)
        event = self.brief(self.known_person(), "past")
        if self.chance(0.4):
            other = self.brief(self.known_person(), "past")
            told = self.link(event.pair(), "and", other.pair())
            event_pair = Pair(tuple(one for one in told.english if one.text != ","),
                              tuple(one for one in told.urdu if one.text != "،"))  # fmt: skip
        else:
            event_pair = event.pair()
        inner = rename(event_pair, "when")
        english = going.pair().english + words("when", "led") + inner.english
        return Pair(english, words("جب", "led") + inner.urdu + words("تو") + going.pair().urdu)

    def heard_and(self) -> Pair:
        """ "When the king heard that she was ill, he called a doctor": جب بادشاہ نے سنا کہ ... تو ..."""
        subject = self.known_person()
        about = self.known_person()
        tense = self.choose(list(SHIFTS))
        deed = self.brief(about, tense)
        inner = Pair(english_of(replace(deed, tense=SHIFTS[tense])), urdu_of(deed))
        inner = inner if self.chance(0.6) else self.state_said(about, True)
        heard = say_that(subject, self.choose(["heard", "heard", "saw"]), rename(inner, "second"), "that")
        main = self.brief(again(subject), "past").pair() if self.chance(0.6) else self.two_deeds(again(subject), "past")
        return self.led("when", "جب", heard, main)

    def deed_because(self) -> Pair:
        """ "He sold his car and bought a house because he was rich": کیونکہ."""
        subject = self.known_person()
        tense = self.choose(["past", "past", "future"])
        reason = self.state(again(subject), "past" if tense == "past" else "present")
        if self.chance(0.3):
            reason = self.brief(self.known_person(), "past").pair()
        main = self.two_deeds(subject, tense)
        inner = rename(reason, "reason")
        joint = self.choose([("because", "کیونکہ"), ("because", "کیونکہ"), ("but", "لیکن")])
        return Pair(
            main.english + words(joint[0], "led") + inner.english, main.urdu + words(joint[1], "led") + inner.urdu
        )

    def if_and(self) -> Pair:
        """ "If it rains, we will stay at home and read": اگر ... تو ... اور ..."""
        state = rename(self.state(self.known_person(), "present"), "first")
        main = self.two_deeds(self.known_person(), "future")
        start = words("if", "led") + state.english + words(",")
        return Pair(start + main.english, words("اگر", "led") + state.urdu + words("تو") + main.urdu)

    def gave_and(self) -> Pair:
        """ "He took the money and gave it to his mother": اس نے پیسے لیے اور انہیں اپنی والدہ کو دیا."""
        subject = self.known_person()
        doing = verb(
            self.choose(["buy", "buy", "write", "make", "pick up", "repair", "wash", "open", "take out", "steal"])
        )
        fit = [one for one in nouns_of(doing.objects) if one.quantity == "count" and one.plural]
        fit = [one for one in fit if one.kind in THINGS.split()] or [noun("book")]
        thing = make("object", self.choose_word(fit), "pl" if self.chance(0.2) else "sg")
        tense = self.choose(["past", "past", "future"])
        first = Clause(subject, doing, tense, thing)
        giving = verb(self.choose(["give", "give", "show", "send"]))
        second = Clause(subject, giving, tense, unsaid(thing), self.recipient(subject))
        return follow(first.pair(), "and", second, first.marker)

    def opening(self) -> Pair:
        """ "Once upon a time there was a king who loved his people": ایک دفعہ کا ذکر ہے کہ ایک بادشاہ تھا جو ..."""
        start = self.choose(list(OPENED))
        hero = make("hero", noun(self.choose([one for one in HERO.split() if one in heroes()])), "sg", "a")
        tense = self.choose(["past", "used to", "past progressive"])
        clause = self.brief(who(hero), tense) if self.chance(0.7) else None
        return opening(start, hero, rename(within(clause), "second") if clause is not None else None)

    def turning(self) -> Pair:
        """ "One day, the king called his son", "In the end, she found the ring": ایک دن ..."""
        start = self.choose(list(TURNS))
        subject = self.known_person()
        main = self.brief(subject, "past", True).pair() if self.chance(0.5) else self.two_deeds(subject, "past", False)
        return turn(start, main)


def heroes() -> frozenset[str]:
    return frozenset(one.english for one in nouns_of(HERO))


def unsaid(thing: NounPhrase) -> NounPhrase:
    """ "It" for a thing that was named before: beside a receiver, Urdu leaves it out."""
    it = pronoun_phrase("it", "they" if thing.be == "are" else "it")
    english = tuple(one._replace(role="") for one in it.as_object)
    return replace(thing, english=english, english_object=english, direct=(), oblique=())


def opening(start: str, hero: NounPhrase, inner: Pair | None = None) -> Pair:
    """ "Once upon a time there was a king who ...": ایک دفعہ کا ذکر ہے کہ ایک بادشاہ تھا جو ..."""
    was = words("تھی" if hero.gender == "f" else "تھا")
    english = words(start, "opening/time") + words("there was") + hero.english
    urdu = words(OPENED[start], "opening/time") + hero.direct + was
    if inner is None:
        return Pair(english, urdu)
    return Pair(english + inner.english, urdu + inner.urdu)


def turn(start: str, main: Pair) -> Pair:
    """ "One day, ...": ایک دن ..."""
    return Pair(words(start, "turn/time") + words(",") + main.english, words(TURNS[start], "turn/time") + main.urdu)
