"""Random sentences that quote what somebody said: "I am tired," she said. In Urdu the words follow اس نے کہا."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, add_postposition, pronoun_phrase, words
from corpora.everyday.clauses import rename
from corpora.everyday.speaker import others
from corpora.everyday.time_clauses import Chronicler

QUOTE = words('"')
SAID = {"said": "کہا", "replied": "جواب دیا", "answered": "جواب دیا", "asked": "پوچھا"}


class Quoter(Chronicler):
    """A speaker who also quotes others."""

    def quoting_kinds(self) -> list[tuple]:
        return [(self.quoted, 8), (self.quoted_order, 5), (self.quoted_question, 5)]

    def quoted(self) -> Pair:
        """ "I will come tomorrow," said Ali: علی نے کہا، میں کل آؤں گا."""
        speaker = self.known_person()
        subject = pronoun_phrase("subject", self.choose(["I", "I", "I", "we", "you", "he", "she", "they", "it"]))
        if subject.english[0].text == "I":
            subject = replace(subject, gender=speaker.gender)
        if subject.english[0].text == "it":
            inner = self.weather() if self.chance(0.5) else self.doing_is()
        elif self.chance(0.4):
            inner = self.state(subject, self.choose(["present", "present", "past"]))
        else:
            tense = self.choose(["past", "future", "future", "progressive", "can", "want to", "have to"])
            inner = replace(self.told(subject, tense), negative=self.chance(0.2)).pair()
        if inner.asks:
            return self.quoted()
        word = self.choose(["said", "said", "said", "replied", "answered"])
        return quote(speaker, word, inner, self.choose(["after", "after", "turned", "before"]), self.hearer(speaker))

    def hearer(self, speaker: NounPhrase) -> NounPhrase | None:
        """Now and then to whom it was said."""
        return self.pronoun("hearer", " ".join(others(speaker))) if self.chance(0.15) else None

    def quoted_order(self) -> Pair:
        """ "Close the door," she said: اس نے کہا، دروازہ بند کریں."""
        return quote(self.known_person(), "said", self.ordered(), self.choose(["after", "turned", "before"]))

    def quoted_question(self) -> Pair:
        """ "Where are you going?" asked the man: آدمی نے پوچھا، آپ کہاں جا رہے ہیں."""
        while True:
            subject = pronoun_phrase("subject", self.choose(["you", "you", "he", "she", "they", "we"]))
            tense = self.choose(["present", "past", "progressive", "future"])
            clause = replace(self.told(subject, tense), adjuncts=())
            asked = self.choose(["yes/no", "yes/no", "why", "when", "where"])
            if asked == "where" and clause.verb.marker == "bare":
                continue
            if self.chance(0.3):
                place = self.place(subject)
                clause = replace(clause, adjuncts=(place,)) if asked != "where" and not clause.verb.marker else clause
            inner = replace(clause, question=asked).pair()
            return quote(self.known_person(), "asked", inner, self.choose(["after", "turned", "before"]))


def quote(speaker: NounPhrase, word: str, inner: Pair, order: str = "after", hearer: NounPhrase | None = None) -> Pair:
    """The quoted words. `order` is where the English speaker stands: before, after, or after the verb ("turned")."""
    inner = rename(inner, "second")
    role = "saying/verb"
    told = words(word, role)
    to = words("to") + hearer.as_object if hearer is not None and word == "said" else ()
    urdu_to = add_postposition(hearer, "سے") if to and hearer is not None else ()
    urdu = add_postposition(speaker, "نے") + urdu_to + words(SAID[word], role) + words("،") + inner.urdu
    if order == "before":
        quoted = QUOTE + capital(inner.english) + QUOTE
        return Pair(speaker.english + told + to + words(",") + quoted, urdu, inner.asks)
    end = words("?") if inner.asks else words(",")
    turned = order == "turned" and speaker.pronoun is None
    behind = told + speaker.english if turned else speaker.english + told
    return Pair(QUOTE + capital(inner.english) + end + QUOTE + behind + to, urdu)


def capital(phrase: Phrase) -> Phrase:
    """The words with a capital letter at the beginning, as quoted words are written."""
    first = phrase[0]
    return (first._replace(text=first.text[:1].upper() + first.text[1:]), *phrase[1:])
