"""Random sentences in which somebody wants, tells, asks, lets or helps another to do something."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, pronoun_phrase, words
from corpora.everyday.actions import is_negative
from corpora.everyday.clauses import Adjunct, Clause, rename
from corpora.everyday.deeds import Doer, aim, code, infinite, unmarked
from corpora.everyday.english import verb_forms
from corpora.everyday.lexicon import Verb, verb
from corpora.everyday.speaker import others

SAY = {  # verb -> what stands behind the Urdu infinitive
    "tell": (
        Verb(verb_forms("tell told told"), "", "کہ", "", "سے", "", "person", "person", True, "", frozenset()),
        "کو",
    ),
    "ask": (Verb(verb_forms("ask"), "", "کہ", "", "سے", "", "person", "person", True, "", frozenset()), "کے لیے"),
}
LET = Verb(verb_forms("let let let letting"), "", "دے", "", "کو", "", "person", "person", True, "", frozenset())


class Urger(Doer):
    """A speaker who also says what people want from each other."""

    def two_people(self, own: bool = True) -> tuple[NounPhrase, NounPhrase]:
        """Somebody, and somebody else. With `own` the other may be called one's own: اپنا بھائی."""
        first = self.known_person()
        while True:
            second = self.person("person", " ".join(others(first)), first if own else None)
            if second.direct[-1].text != first.direct[-1].text and not is_negative(second):
                return first, second

    def wanting(self) -> Pair:
        """ "I want you to come", "She does not want him to sell the car", "Do you want me to help you?" """
        first, second = self.two_people(own=False)  # not behind کہ
        negative, question = self.question_or_not(first)
        tense = self.choose(["present", "present", "past", "would"])
        return want(first, self.deed(second), tense, negative and tense != "would", question)

    def telling(self) -> Pair:
        """ "He told me to wait", "She asked her son not to go there", "Tell him to come here"."""
        word = self.choose(["tell", "tell", "ask"])
        first, second = self.two_people()
        deed = replace(self.deed(second, own=False), negative=self.chance(0.2))
        if self.chance(0.3):
            other = self.person("person", "he she they")
            if is_negative(other):
                return self.telling()
            deed = replace(self.deed(other, own=False), negative=self.chance(0.15))
            return tell(pronoun_phrase("subject", "you"), word, deed, "imperative")
        tense = self.choose(["past", "past", "past", "future", "present", "perfect", "have to", "should", "want to"])
        negative, question = self.question_or_not(first)
        return tell(first, word, deed, tense, negative and not deed.negative, question)

    def letting(self) -> Pair:
        """ "Let me help you", "Do not let him go", "My father let us play"."""
        if self.chance(0.55):
            you = pronoun_phrase("subject", "you")
            person = self.person("person", "I I he she we they")
            if is_negative(person):
                return self.letting()
            deed = self.deed(person)
            if person.english[0].text == "we":
                deed = self.deed(pronoun_phrase("person", "I"))  # "let us" is an invitation
            return let(you, deed, "imperative", self.chance(0.2))
        first, second = self.two_people()
        tense = self.choose(["past", "past", "future", "present", "can"])
        negative, question = self.question_or_not(first)
        negative = negative or (not question and self.chance(0.3))
        if tense == "present" and first.be != "is" and not negative and not question:
            tense = "past"  # English spells "they let" alike in both
        return let(first, self.deed(second, own=False), tense, negative, question)

    def helping(self) -> Pair:
        """ "I helped him carry the bag", "Can you help me clean the room?", "Help her to find it"."""
        to = "to" if self.chance(0.35) else ""
        if self.chance(0.3):
            person = self.person("person", "I I he she we they")
            if is_negative(person):
                return self.helping()
            return helps(pronoun_phrase("subject", "you"), self.deed(person, own=False), "imperative", to)
        first, second = self.two_people()
        tense = self.choose(["past", "past", "future", "present", "can", "progressive", "want to", "should"])
        negative, question = self.question_or_not(first)
        return helps(first, self.deed(second, own=False), tense, to, negative, question)


def want(first: NounPhrase, deed: Clause, tense: str, negative: bool = False, question: str = "") -> Pair:
    """ "I want him to come": میں چاہتا ہوں کہ وہ آئے."""
    plain = Verb(verb_forms("like" if tense == "would" else "want"), "", "چاہ", "", "", "", "person", "", False, "",
                 frozenset())  # fmt: skip
    wanted = rename(Pair(deed.subject.as_object + aim(deed), replace(deed, tense="subjunctive").pair().urdu), "aim")
    clause = Clause(first, plain, tense, negative=negative, question=question)
    clause = replace(clause, adjuncts=(Adjunct(wanted.english, (), "late"),))
    urdu_tense = {"past": "used to", "would": "future"}.get(tense, tense)
    said = replace(clause, tense=urdu_tense).pair().urdu
    return Pair(clause.pair().english, said + words("کہ") + wanted.urdu, bool(question))


def tell(first: NounPhrase, word: str, deed: Clause, tense: str, negative: bool = False, question: str = "") -> Pair:
    """ "He told me to wait": اس نے مجھ سے انتظار کرنے کو کہا."""
    saying, marker = SAY[word]
    said = rename(Pair(aim(deed), infinite(deed) + words(marker)), "aim")
    clause = Clause(first, saying, tense, deed.subject, negative=negative, question=question)
    return replace(clause, adjuncts=(Adjunct(said.english, said.urdu, "late"),)).pair()


def let(first: NounPhrase, deed: Clause, tense: str, negative: bool = False, question: str = "") -> Pair:
    """ "He let me go": اس نے مجھے جانے دیا."""
    allowed = rename(Pair(aim(deed, ""), infinite(deed)), "aim")
    doing = LET._replace(agrees=code(unmarked(deed)))
    clause = Clause(first, doing, tense, deed.subject, negative=negative, question=question)
    return replace(clause, adjuncts=(Adjunct(allowed.english, allowed.urdu, "late"),)).pair()


def helps(
    first: NounPhrase, deed: Clause, tense: str, to: str = "", negative: bool = False, question: str = ""
) -> Pair:
    """ "I helped him carry the bag": میں نے تھیلا اٹھانے میں اس کی مدد کی."""
    done = rename(Pair(aim(deed, to), infinite(deed) + words("میں")), "aim")
    clause = Clause(first, verb("help"), tense, deed.subject, negative=negative, question=question)
    return replace(clause, adjuncts=(Adjunct(done.english, done.urdu, "reason"),)).pair()
