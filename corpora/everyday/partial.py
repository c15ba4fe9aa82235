"""Random sentences about some, most, half, one or none of a group, and about the others."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, words
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Clause
from corpora.everyday.feelings import Feeler
from corpora.everyday.lexicon import Adjective, noun, nouns_of, verbs
from corpora.everyday.phrases import decline_words, make
from corpora.urdu_forms import agree
from corpora.urdu_lexicon import Noun

SHARES = {"some": "کچھ", "most": "زیادہ تر", "all": "سارا", "both": "دونوں", "many": "بہت سا", "half": "آدھا"}
MASS_SHARES = {"some": "کچھ", "most": "زیادہ تر", "all": "سارا", "half": "آدھا"}
BUYING = ("buy", "sell", "lose", "find", "see", "read", "eat", "drink", "keep", "take")


class Divider(Feeler):
    """A speaker who also speaks of a part of a group."""

    def partial_kinds(self) -> list[tuple]:
        return [(self.some_of, 15), (self.which_of, 2), (self.others, 2)]

    def some_of(self) -> Pair:
        """ "Most of my friends came", "I ate half of the bread", "None of the windows is open"."""
        roll = self.rng.random()
        if roll < 0.4:
            word = self.choose_word([w for w in nouns_of("person profession friend cousin brother sister") if w.plural])
            subject = self.part_of("subject", word.english, self.group("subject", word.english))
            if self.chance(0.3):
                return be_clause(subject, self.be_tense(), *self.predicate(self.choose(self.fit(word)), subject))
            clause = self.clause(True, self.choose(["past", "past", "present", "future", "progressive"]), subject)
            return replace(clause, negative=False).pair() if subject.english[0].text == "none" else clause.pair()
        if roll < 0.65:
            word = self.choose_word([w for w in nouns_of("thing fruit room clothes vehicle animal text") if counted(w)])
            subject = self.part_of("subject", word.english, self.group("subject", word.english))
            return be_clause(subject, self.be_tense(), *self.predicate(self.choose_word(self.fit(word)), subject))
        doing = self.choose([v for v in verbs() if v.base in BUYING and not v.particle and v.objects and not v.dative])
        subject = self.pronoun("subject")
        choices = [
            w for w in nouns_of(doing.objects) if (counted(w) or w.kind in ("food", "drink")) and w.kind != "kin"
        ]
        if not choices or "person" in doing.objects.split():
            return self.some_of()
        mass = [w for w in choices if not counted(w)]
        word = self.choose_word(mass if mass and self.chance(0.6) else choices)
        other = self.part_of("object", word.english, self.group("object", word.english, subject))
        return Clause(subject, doing, self.choose(["past", "past", "future", "perfect"]), other).pair()

    def fit(self, word: Noun) -> list[Adjective]:
        """The adjectives with which a group is described."""
        return self.graded(word) or self.graded(noun("book"))

    def group(self, slot: str, english: str, subject: NounPhrase | None = None, pointing: bool = False) -> NounPhrase:
        """ "My friends", "the boys", "these books", or "the water"."""
        word = noun(english)
        number = "pl" if word.plural else "sg"
        if pointing or self.chance(0.4):
            return make(slot, word, number, "these" if pointing and number == "pl" else "the")
        owner = self.pronoun(f"{slot}-owner")
        own = subject is not None and owner.possessive == subject.possessive
        return make(slot, word, number, owner=owner, own=own)

    def part_of(self, slot: str, english: str, group: NounPhrase) -> NounPhrase:
        word = noun(english)
        if not word.plural or word.quantity == "mass":
            return share_of(group, self.choose([*MASS_SHARES, "half", "half"]))
        kind = self.choose([*SHARES, "one", "one", "two", "none"])
        return from_among(group, kind) if kind not in SHARES else share_of(group, kind)

    def which_of(self) -> Pair:
        """ "Which of your friends came?", "Which of these books did you read?" """
        if self.chance(0.5):
            word = self.choose_word([w for w in nouns_of("person profession friend cousin") if w.plural])
            asked = from_among(self.group("subject", word.english, pointing=self.chance(0.4)), "which")
            clause = self.clause(True, self.choose(["past", "future", "present"]), asked)
            if clause.verb.dative:
                return self.which_of()
            return which_one(replace(clause, negative=False, question="subject", adjuncts=()))
        doing = self.choose([v for v in verbs() if v.base in BUYING and not v.particle and v.objects and not v.dative])
        choices = [w for w in nouns_of(doing.objects) if counted(w) and w.kind != "kin"]
        if not choices or "person" in doing.objects.split():
            return self.which_of()
        other = from_among(self.group("object", self.choose_word(choices).english, pointing=True), "which")
        subject = self.pronoun("subject", "you he she they we")
        return Clause(subject, doing, self.choose(["past", "future"]), other, question="object").pair()

    def others(self) -> Pair:
        """ "The others came late", "She helps the others"."""
        tense = self.choose(["past", "past", "future", "present", "progressive"])
        if self.chance(0.6):
            return self.clause(True, tense, the_others("subject")).pair()
        names = ("help", "see", "call", "invite", "ask", "wait", "meet", "trust")
        doing = self.choose([v for v in verbs() if v.base in names and "person" in v.objects.split()])
        tense = "past" if tense == "progressive" else tense
        return Clause(self.known_person(), doing, tense, the_others("object"), negative=self.chance(0.2)).pair()


def counted(word: Noun) -> bool:
    return word.plural is not None and word.quantity == "count"


def which_one(clause: Clause) -> Pair:
    """ "Which of your friends came?": the Urdu subject stays in front, آپ کے دوستوں میں سے کون آیا؟"""
    return Pair(clause.pair().english, replace(clause, question="").pair().urdu, True)


def share_of(group: NounPhrase, share: str) -> NounPhrase:
    """ "Most of my friends": میرے زیادہ تر دوست. The share stands before the Urdu noun and may agree with it."""
    name = group.direct[-1].role.split("/")[0]
    role = f"{name}/share"

    def insert(phrase: Phrase, oblique: bool) -> Phrase:
        at = next(i for i, word in enumerate(phrase) if word.role == f"{name}/noun")
        form = decline_words((SHARES | MASS_SHARES)[share], group.gender, group.number, oblique)
        return phrase[:at] + words(form, role) + phrase[at:]

    english = words(share, role) + words("of") + group.english
    return replace(
        group,
        english=english,
        english_object=(),
        direct=insert(group.direct, False),
        oblique=insert(group.oblique, True),
    )


def from_among(group: NounPhrase, share: str) -> NounPhrase:
    """ "One of my friends": میرے دوستوں میں سے ایک. With "none" the Urdu verb is denied."""
    name = group.direct[-1].role.split("/")[0]
    role = "question" if share == "which" else f"{name}/share"
    person = group.kind == "person"
    which = "کون" if person else f"کون {agree('سا', group.gender, 'sg')}"
    direct = {"one": "ایک", "two": "دو", "none": "کوئی", "which": which}[share]
    oblique = {"one": "ایک", "two": "دو", "none": "کسی", "which": "کس"}[share]
    among = group.oblique + words("میں سے")
    return replace(
        group,
        english=words(share, role) + words("of") + group.english,
        english_object=(),
        direct=among + words(direct, role),
        oblique=among + words(oblique, role),
        number="pl" if share == "two" else "sg",
        be="are" if share == "two" else "is",
        definite=person or share in ("one", "two"),
    )


def the_others(slot: str) -> NounPhrase:
    """ "The others": دوسرے, دوسروں."""
    people = make(slot, noun("man"), "pl")
    role = f"{slot}/pronoun"
    return replace(
        people,
        english=words("the others", role),
        direct=words("دوسرے", role),
        oblique=words("دوسروں", role),
    )
