"""Random sentences about what is enough, so much that something follows, or such a thing."""

from __future__ import annotations

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, words
from corpora.everyday.actions import infinitive_phrase
from corpora.everyday.becoming import intransitive
from corpora.everyday.being import be_clause, have
from corpora.everyday.clauses import Adjunct, Clause, rename
from corpora.everyday.complex_sentences import again
from corpora.everyday.english import article
from corpora.everyday.lexicon import Adjective, Verb, adjectives_of, noun, nouns_of, verb, verbs
from corpora.everyday.partial import Divider
from corpora.everyday.phrases import decline_adjective, make
from corpora.urdu_forms import agree
from corpora.urdu_lexicon import Noun

ENOUGH = {  # adjectives, and what somebody can therefore do
    "strong": "open carry lift break push climb",
    "tall": "touch catch reach",
    "rich": "buy build",
    "clever": "answer understand learn teach solve",
    "brave": "kill fight help follow",
    "young": "learn play ride",
    "intelligent": "understand teach learn write",
    "healthy": "travel swim play climb",
    "wise": "understand teach lead",
}
AIMS = {"money": "buy repair build", "time": "finish read write cook visit clean"}
SLEEP = intransitive("sleep slept slept", "سو", "جا")
OUTCOMES = {  # moods, and what somebody does in them
    "tired": "sleep rest sit",
    "happy": "laugh dance smile sing",
    "sad": "cry pray",
    "angry": "shout cry",
    "afraid": "cry run shout",
    "bored": "sleep",
    "hungry": "cry",
    "worried": "cry pray",
    "ill": "rest",
    "surprised": "laugh shout",
}
MEANS = "money time water food milk flour rice paper wood petrol"


class Grader(Divider):
    """A speaker who also says what is enough, or so much that something follows."""

    def degree_kinds(self) -> list[tuple]:
        return [(self.enough_to, 2), (self.have_enough, 2), (self.so_much, 3), (self.such_a, 3)]

    def enough_to(self) -> Pair:
        """ "She is old enough to drive the car": وہ گاڑی چلانے کے لیے کافی بڑی ہے."""
        subject = self.known_person()
        chosen = self.choose([a for a in self.graded(noun("friend")) if a.english in ENOUGH])
        negative, question = self.question_or_not(subject)
        aim = self.aim(ENOUGH[chosen.english], subject)
        return enough(subject, chosen, aim, self.choose(["present", "past"]), negative, question)

    def aim(self, names: str, subject: NounPhrase) -> Adjunct:
        """What somebody can do, by the names of the verbs."""
        doing = self.choose([v for v in self.people_do() if v.base in names.split()])
        aim = rename(infinitive_phrase(doing, self.object(doing, subject)), "aim")
        return Adjunct(words("to") + aim.english, aim.urdu + words("کے لیے"), "reason")

    def people_do(self) -> list[Verb]:
        """The verbs of people whose infinitive can be an aim."""
        fit = [v for v in verbs() if "person" in v.subjects.split() and v.objects and not v.dative and not v.particle]
        return [v for v in fit if v.marker in ("", "کا", "سے") and not v.features & {"to", "where", "adj"}]

    def have_enough(self) -> Pair:
        """ "I have enough money to buy a car": میرے پاس گاڑی خریدنے کے لیے کافی پیسے ہیں."""
        owner = self.known_person()
        word = self.choose([w for w in nouns_of(MEANS) if w.english in MEANS.split()])
        thing = make("object", word, "sg" if word.quantity == "mass" else "pl", "enough")
        aim = self.aim(AIMS[word.english], owner) if word.english in AIMS else None
        negative, question = self.question_or_not(owner)
        asked = "yes/no" if question else ""
        adjuncts = (aim,) if aim else ()
        return have(owner, thing, self.choose(["present", "past"]), "thing", negative, asked, adjuncts)

    def so_much(self) -> Pair:
        """ "She was so tired that she slept": وہ اتنی تھکی ہوئی تھی کہ وہ سو گئی."""
        subject = self.known_person()
        mood = self.choose([a for a in self.graded(noun("friend")) if a.english in OUTCOMES])
        name = self.choose(OUTCOMES[mood.english].split())
        doing = SLEEP if name == "sleep" else verb(name)
        return so_that(subject, mood, doing, self.choose(["past", "past", "future", "present"]))

    def such_a(self) -> Pair:
        """ "She is such a good girl", "It was such a beautiful house"."""
        if self.chance(0.5):
            subject, word = self.pronoun("subject", "he she"), noun("boy")
            kinds = [w for w in nouns_of("person profession") if w.gender == subject.gender]
            word = self.choose_word(kinds)
        else:
            word = self.choose_word([w for w in nouns_of("place film book idea house story song day") if w.plural])
            this = self.choose(["this", "that", "it"])
            subject = make("subject", word, "sg", "the")
            subject = pointer(subject, this)
        fit = [a for a in adjectives_of(word) if not a.features & {"plain", "pred", "attr"}]
        if not fit:
            return self.such_a()
        return such(subject, word, self.choose_word(fit), self.choose(["present", "present", "past"]))


def pointer(thing: NounPhrase, english: str) -> NounPhrase:
    """ "This", "that" or "it" for a thing of this gender and number."""
    role = words(english, "subject/pronoun")
    urdu = words("وہ" if english in ("that", "those") else "یہ", "subject/pronoun")
    return NounPhrase(role, urdu, urdu, thing.gender, thing.number, thing.be, "its")


def described_as(adjective: Adjective, subject: NounPhrase) -> tuple[Phrase, Phrase]:
    form = decline_adjective(adjective.urdu, subject.gender, subject.number)
    return words(adjective.english, "q/adjective"), words(form, "q/adjective")


def enough(
    subject: NounPhrase,
    adjective: Adjective,
    aim: Adjunct,
    tense: str = "present",
    negative: bool = False,
    question: str = "",
) -> Pair:
    """ "He is strong enough to lift the box": وہ ڈبہ اٹھانے کے لیے کافی طاقتور ہے."""
    english, urdu = described_as(adjective, subject)
    said = english + words("enough", "q/very") + aim.english
    return be_clause(subject, tense, said, aim.urdu + words("کافی", "q/very") + urdu, negative, question)


def so_that(subject: NounPhrase, mood: Adjective, doing: Verb, tense: str) -> Pair:
    """ "He was so happy that he danced": وہ اتنا خوش تھا کہ وہ ناچا."""
    english, urdu = described_as(mood, subject)
    so = words("so", "q/very"), words(agree("اتنا", subject.gender, subject.number), "q/very")
    first = be_clause(subject, "past" if tense == "past" else "present", so[0] + english, so[1] + urdu)
    second = rename(Clause(again(subject), doing, tense).pair(), "second")
    return Pair(
        first.english + words("that", "joint") + second.english, first.urdu + words("کہ", "joint") + second.urdu
    )


def such(subject: NounPhrase, word: Noun, adjective: Adjective, tense: str = "present") -> Pair:
    """ "She is such a good girl": وہ اتنی اچھی لڑکی ہے."""
    a = words(article(adjective.english))
    english = words("such", "q/very") + a + words(adjective.english, "q/adjective") + words(word.english, "q/noun")
    so = words(agree("اتنا", word.gender, "sg"), "q/very")
    form = words(decline_adjective(adjective.urdu, word.gender, "sg"), "q/adjective")
    return be_clause(subject, tense, english, so + form + words(word.urdu, "q/noun"))
