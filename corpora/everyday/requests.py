"""Random requests, offers and passives."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import name_phrase, pronoun_phrase, words
from corpora.everyday.actions import Actor
from corpora.everyday.clauses import Clause, at
from corpora.everyday.lexicon import names, nouns_of, verb, verbs
from corpora.everyday.phrases import make
from corpora.urdu_forms import infinitive

PASSIVES = {
    "present": 3.0,
    "past": 6.0,
    "progressive": 2.0,
    "perfect": 3.0,
    "pluperfect": 1.0,
    "future": 3.0,
    "can": 1.0,
    "past progressive": 1.0,
}


class Requester(Actor):
    """A speaker who also asks for things, and says what is done."""

    def request(self) -> Pair:
        """ "Please open the door", "Ali, do not go there", "Let us go home", "Come here, my son"."""
        roll = self.rng.random()
        you = pronoun_phrase("subject", "you")
        clause = self.clause(plain=True, tense="future", subject=you)
        while clause.verb.dative or "stative" in clause.verb.features or clause.verb.stem == "ہو":
            clause = self.clause(plain=True, tense="future", subject=you)
        clause = replace(
            clause, adjuncts=tuple(a for a in clause.adjuncts if a.slot != "time"), negative=self.chance(0.25)
        )
        if roll < 0.12:
            we = pronoun_phrase("subject", "we")
            lets = replace(
                clause, subject=replace(we, english=words("let us", "let/modal")), tense="subjunctive", negative=False
            )
            pair = replace(lets, silent=True).pair()
            return Pair(pair.english, words("آئیے", "let/modal") + pair.urdu)
        if roll < 0.24:
            pair = replace(clause, tense="familiar", verb=clause.verb._replace(vector="")).pair()
            return self.called(
                pair,
                *self.choose(
                    [
                        ("my son", "بیٹا"),
                        ("my daughter", "بیٹی"),
                        ("my child", "بچے"),
                        ("children", "بچو"),
                        ("boy", "لڑکے"),
                    ]
                ),
            )
        pair = replace(clause, tense="imperative").pair()
        if roll < 0.4:
            person = name_phrase("called", self.choose(names()))
            return self.called(pair, person.english[0].text, person.direct[0].text) if len(person.direct) == 1 else pair
        if roll < 0.62:
            please = words("please", "greeting"), words("براہ کرم", "greeting")
            at_end = self.chance(0.3)
            return Pair(pair.english + please[0] if at_end else please[0] + pair.english, please[1] + pair.urdu)
        return pair

    def called(self, pair: Pair, english: str, urdu: str) -> Pair:
        """A request with the name of the one who is asked, first or last in English."""
        name, comma = words(english, "called/noun"), words(",")
        said = pair.english + comma + name if self.chance(0.4) else name + comma + pair.english
        return Pair(said, words(urdu, "called/noun") + words("،") + pair.urdu)

    def offer(self) -> Pair:
        """ "Would you like some tea?", "Can I have some water?", "May I come in?", "Could you help me, please?" """
        roll = self.rng.random()
        word = self.choose_word(nouns_of("drink food fruit"))
        number = "sg" if word.quantity == "mass" else self.choose(["sg", "pl"])
        some = make("object", word, number, "a" if number == "sg" and word.quantity != "mass" else "some")
        some = self.measure("object", "glass cup") if self.chance(0.3) else some
        shown = some.without_article() if some.direct[0].role.endswith("/article") else some
        if roll < 0.3:
            you = words("you", "subject/pronoun"), words("آپ", "subject/pronoun")
            taking = words("like", "verb"), words("لیں گے", "verb")
            return Pair(
                words("would") + you[0] + taking[0] + some.english,
                words("کیا") + you[1] + shown.direct + taking[1],
                True,
            )
        if roll < 0.55:
            able = {"m": {"sg": "سکتا ہے", "pl": "سکتے ہیں"}, "f": {"sg": "سکتی ہے", "pl": "سکتی ہیں"}}[some.gender][
                some.number
            ]
            urdu = (
                words("کیا")
                + words("مجھے", "subject/pronoun")
                + shown.direct
                + words("مل", "verb")
                + words(able, "modal")
            )
            english = words("can", "modal") + words("I", "subject/pronoun") + words("have", "verb") + some.english
            return Pair(english, urdu, True)
        subject = pronoun_phrase("subject", "I" if roll < 0.75 else "you")
        clause = self.clause(plain=True, tense="can", subject=subject)
        while clause.verb.dative or clause.tense != "can":
            clause = self.clause(plain=True, tense="can", subject=subject)
        pair = replace(clause, question="yes/no", negative=False).pair()
        first = self.choose(["may", "can"] if roll < 0.75 else ["could", "can"])
        please = self.chance(0.4)
        english = words(first, "modal") + pair.english[1:] + words("please" if please else "", "greeting")
        urdu = pair.urdu[:1] + pair.urdu[1:2] + words("براہ کرم" if please else "", "greeting") + pair.urdu[2:]
        return Pair(english, urdu if len(pair.urdu) > 2 else pair.urdu, True)

    def passive(self) -> Pair:
        """ "The house was built", "The letters have been sent"."""
        while True:
            doing = self.choose_word(verbs())
            plain = (
                doing.transitive
                and not doing.marker
                and not doing.dative
                and not doing.features & {"-ne", "where", "state"}
            )
            if (
                plain
                and "person" in doing.subjects.split()
                and doing.ergative
                and doing.base not in ("have", "get", "take")
            ):
                break
        phrase = self.thing("subject", doing.objects, None, definite=self.chance(0.75))
        tense = self.pick(PASSIVES)
        asked = self.choose(["yes/no", "when", "why", "where"]) if self.chance(0.15) else ""
        negative = not asked and self.chance(0.18)
        clause = Clause(phrase, doing, tense, negative=negative, question=asked, passive=True)
        time = self.time(tense) if self.chance(0.25) and asked != "when" else None
        if time and time.position != "mid":
            time = time._replace(position="end") if asked else time
            clause = replace(clause, adjuncts=(time,))
        elif self.chance(0.15) and asked != "where":
            clause = replace(clause, adjuncts=(self.place(),))
        return clause.pair()

    def lack(self) -> Pair:
        """ "I have nothing to eat", "He wants something to drink"."""
        doing = verb(self.choose(["eat", "drink", "read", "write", "wear"]))
        subject = self.pronoun("subject")
        have = words("has" if subject.be == "is" else "have", "have")
        english = subject.english + have + words("nothing", "thing/pronoun") + words("to") + words(doing.base, "verb")
        near = at("beside", subject).urdu[:-1] + words("پاس", "have")
        urdu = (
            near
            + words(infinitive(doing.stem, True), "verb")
            + words("کے لیے")
            + words("کچھ نہیں", "thing/pronoun")
            + words("ہے")
        )
        return Pair(english, urdu)
