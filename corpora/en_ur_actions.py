"""Random clauses in which something happens."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Clause, Pair, PlacePhrase, Purpose
from corpora.en_ur_phrases import PRONOUNS, NounPhrase, noun_phrase, pronoun_phrase, who_phrase, words
from corpora.en_ur_speaker import SHORE, Speaker, fits, nouns
from corpora.urdu_lexicon import LIVING, TIMES
from corpora.urdu_verbs import DO, GET_TO, VERBS, Verb

QUESTION_TENSES = {"where": "past progressive future", "when": "past future", "why": "past progressive present"}
AIMS = "buy see meet get help read eat call"


class Actor(Speaker):
    """A speaker who makes sentences about actions."""

    def action(self) -> Pair:
        """Any action, or a request, polite or not."""
        clause = self.clause()
        english, urdu, asks = clause.pair()
        if clause.tense == "request" and self.chance(0.3):
            english, urdu = words("please", "greeting") + english, words("براہ کرم", "greeting") + urdu
        return Pair(english, urdu, asks)

    def doing(self) -> Pair:
        """ "What are you doing?" """
        subject = self.phrase("subject", LIVING, "I you he she we they")
        tense = self.pick({"progressive": 5, "past progressive": 2, "past": 2, "future": 2, "present": 1})
        time = self.rng.choice(list(TIMES[tense])) if self.chance(0.3) else ""
        return Clause(subject, DO, tense, time=time, question="object").pair()

    def clause(self, plain: bool = False) -> Clause:
        """Somebody does something. With `plain` it is a short statement."""
        verb = self.rng.choice(VERBS)
        tense = self.tense(verb)
        subject = self.subject(verb)
        question = "" if plain or tense == "request" else self.question(verb, tense)
        if tense == "request":
            subject = pronoun_phrase("subject", "you")
        if question == "subject":
            subject = who_phrase()
        negative = question == "" and self.chance(0.2)
        if (
            question == ""
            and not negative
            and tense == "present"
            and subject.be != "is"
            and verb.english[0] == verb.english[2]
        ):
            tense = "past"  # "They read": English spells present and past alike; this stands for the past
        asks_goal = question == "where" and verb.particle in ("to", "in") and not verb.recipient
        object_ = None if question == "object" or asks_goal else self.object(verb, subject)
        clause = Clause(subject, verb, tense, object_, negative=negative, question=question)
        if verb.recipient:
            first = object_ is not None and self.chance(0.4)
            clause = replace(clause, recipient=self.recipient(subject), recipient_first=first)
        return clause if plain else self.circumstances(clause)

    def drill(self) -> Pair:
        """A short clause for the rarer forms of a verb: "I will write", "The girls do not write"."""
        verb = self.rng.choice(VERBS)
        women = [noun for noun in nouns(verb.subjects) if noun.gender == "f" and noun.plural is not None]
        if women and self.chance(0.5):
            number = self.pick({"pl": 0.7, "sg": 0.3})
            determiner = self.rng.choice(["the", "those", "the"] if number == "pl" else ["the", "that", "the"])
            subject = noun_phrase("subject", self.rng.choice(women), number, determiner)
        elif "person" in verb.subjects.split():
            subject = pronoun_phrase("subject", self.rng.choice(["I", "I", "she", "we", "you"]))
        else:
            subject = self.subject(verb)
        tense = self.pick(
            {"present": 4, "future": 3, "past": 3}
            if verb.stative
            else {"present": 4, "future": 3, "past": 2, "want": 1}
        )
        negative = self.chance(0.6 if tense == "present" else 0.15)
        if tense == "present" and not negative and verb.english[0] == verb.english[2] and subject.be != "is":
            tense = "past"
        clause = Clause(subject, verb, tense, self.object(verb, subject), negative=negative)
        return (replace(clause, recipient=self.recipient(subject)) if verb.recipient else clause).pair()

    def subject(self, verb: Verb) -> NounPhrase:
        pronouns = "I you he she we they" if "person" in verb.subjects.split() else "it they"
        return self.phrase("subject", verb.subjects, pronouns)

    def tense(self, verb: Verb) -> str:
        weights = {"present": 20.0, "past": 26.0, "future": 16.0}
        if not verb.stative:
            weights |= {"perfect": 8.0, "can": 7.0, "want": 6.0}
            if verb.progressive:
                weights |= {"progressive": 16.0, "past progressive": 7.0}
            if "person" in verb.subjects:
                weights["request"] = 5.0
        return self.pick(weights)

    def question(self, verb: Verb, tense: str) -> str:
        """The kind of question, or "" for a statement."""
        if self.chance(0.72):
            return ""
        weights = {"yes/no": 12.0}
        if "person" in verb.subjects:
            weights["subject"] = 4.0
        if (
            verb.objects
            and verb.marker in ("", "سے", "کا", "کو", "کے بارے میں")
            and verb.particle not in ("from", "across")
        ):
            weights["object"] = 5.0
        goal_is_named = verb.marker in ("سے", "تک", "پر", "کے اوپر سے", "جیسا") or bool(verb.manner)
        goal_is_named = goal_is_named or verb.particle == "home"
        for word, tenses in QUESTION_TENSES.items():
            if tense in tenses and not (word == "where" and goal_is_named):
                weights[word] = 3.0
        return self.pick(weights)

    def object(self, verb: Verb, subject: NounPhrase, slot: str = "object") -> NounPhrase | None:
        if not verb.objects:
            return None
        pronouns = ""
        if verb.takes_people:
            pronouns = " ".join(row[0] for row in PRONOUNS if row[8] != subject.possessive and row[0] != "it")
        if "shore" in verb.objects and self.chance(0.5):
            return noun_phrase(slot, SHORE, determiner=self.rng.choice(["the", "the other"]))
        for _ in range(20):
            phrase = self.phrase(slot, verb.objects, pronouns, subject)
            if phrase.direct[-1].text != subject.direct[-1].text and phrase.number + phrase.kind != "plplace":
                return phrase
        return phrase

    def recipient(self, subject: NounPhrase) -> NounPhrase:
        pronouns = " ".join(row[0] for row in PRONOUNS if row[8] != subject.possessive and row[0] != "it")
        for _ in range(20):
            phrase = self.phrase("recipient", "person", pronouns, subject)
            if phrase.direct[-1].text != subject.direct[-1].text:
                return phrase
        return phrase

    def circumstances(self, clause: Clause) -> Clause:
        """Adds to a clause when, where, how often and what for."""
        verb, tense = clause.verb, clause.tense
        moves = bool(verb.manner) or verb.stem in ("جا", "آ")
        if clause.question not in ("when", "why") and tense in TIMES and not verb.stative and self.chance(0.2):
            clause = replace(clause, time=self.rng.choice(list(TIMES[tense])))
        if tense == "present" and not (clause.time or clause.negative or clause.question) and self.chance(0.2):
            clause = replace(clause, frequency=self.rng.choice(["always", "often", "never"]))
        if clause.question in ("where", "why"):
            return clause
        if verb.english[0] in ("buy", "get") and self.chance(0.5):
            sources = {"from": "bank" if verb.english[0] == "get" else "market shop village city"}
            return replace(clause, place=self.place(clause.subject, sources))
        if moves and verb.particle in ("to", "across") and self.chance(0.25):
            return replace(clause, purpose=self.purpose(clause))
        if not moves and not verb.stative and verb.particle not in ("over",) and self.chance(0.25):
            if "person" in verb.subjects and not verb.takes_people and not verb.recipient and self.chance(0.25):
                return replace(clause, place=self.company(clause.subject))
            return replace(clause, place=self.place(clause.subject))
        return clause

    def company(self, subject: NounPhrase) -> PlacePhrase:
        """ "With" somebody else."""
        return PlacePhrase("with", self.recipient(subject))

    def purpose(self, clause: Clause) -> Purpose:
        """ "To buy bread": the purpose of going somewhere."""
        if clause.verb.particle == "across" and self.chance(0.5):
            goal = self.noun("aim", self.rng.choice(nouns("place")), clause.subject, definite=True)
            if fits(nouns("river")[0], clause.verb.objects) or self.chance(0.3):
                goal = noun_phrase("aim", SHORE, determiner="the other")
            return Purpose(GET_TO, goal)
        verb = self.rng.choice([v for v in VERBS if v.english[0] in AIMS.split()])
        object_ = self.object(verb, clause.subject, "aim")
        assert object_ is not None
        source = None
        if verb.english[0] == "get" and self.chance(0.6):
            source = PlacePhrase(
                "from", self.noun("source", self.rng.choice(nouns("bank")), clause.subject, definite=True)
            )
        return Purpose(verb, object_, source)
