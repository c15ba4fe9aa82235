"""Random sentences about who or what somebody or something is, and whose."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import (
    possessive,
    words,
)
from corpora.everyday.actions import is_negative
from corpora.everyday.being import be_clause
from corpora.everyday.comparisons import Comparer
from corpora.everyday.lexicon import (
    noun,
    nouns_of,
)
from corpora.everyday.phrases import make
from corpora.everyday.qualities import GRADED, MEN, feminine
from corpora.urdu_forms import agree

OFTEN_PLURAL = {
    "friend",
    "brother",
    "sister",
    "son",
    "daughter",
    "child",
    "teacher",
    "student",
    "guest",
    "neighbour",
    "enemy",
    "cousin",
    "patient",
    "colleague",
    "partner",
    "customer",
    "classmate",
}


class Identifier(Comparer):
    """A speaker who also says who is who, and what is whose."""

    def identity(self) -> Pair:
        return self.choose(
            [self.occupation, self.occupation, self.relation, self.relation, self.this_is, self.who_is, self.naming]
        )()

    def occupation(self) -> Pair:
        """ "She is a good doctor", "My brother wants to be a pilot"."""
        subject = self.person("subject")
        if is_negative(subject) or subject.direct[0].text in ("سب", "کوئی"):
            return self.occupation()
        word = self.choose_word(nouns_of("profession"))
        many = subject.be == "are" and subject.possessive != "your"
        if subject.gender == "f" and word.english in MEN:
            return self.occupation()
        word = feminine(word) if subject.gender == "f" else word
        chosen, degree = self.describing(word)
        complement = make("predicate", word, "pl" if many else "sg", "" if many else "a", chosen, degree=degree)
        tense = self.pick({"present": 45, "past": 15, "future": 6, "want to": 12, "can": 3, "used to": 3})
        negative, question = self.question_or_not(subject)
        if tense == "used to":
            negative, question = False, ""
        shown = complement.without_article() if negative or not chosen else complement
        return be_clause(subject, tense, complement.english, shown.direct, negative, question)

    def relation(self) -> Pair:
        """ "You are my friend": آپ میرے دوست ہیں. The owner agrees with the one who is something."""
        word = self.choose_word(nouns_of("kin person profession"))
        roll = self.rng.random()
        if roll < 0.6:
            subject = self.pronoun("subject", "you he she they we I")
        elif roll < 0.8:
            subject = self.name("subject")
        else:
            number = self.choose(["sg", "pl"])
            pointing = ["this", "that"] if number == "sg" else ["these", "those"]
            subject = make("subject", self.choose_word(nouns_of("man woman boy girl")), number, self.choose(pointing))
        many = subject.be == "are" and subject.possessive != "your"
        if (many and word.english not in OFTEN_PLURAL) or word.english in ("husband", "groom", "wife", "bride"):
            return self.relation()
        word = feminine(word) if subject.gender == "f" and word.kind != "kin" and word.english not in MEN else word
        if word.english == "friend":
            word = word._replace(gender=subject.gender)
        if word.gender != subject.gender:
            return self.relation()
        owner = self.owner("predicate-owner")
        while owner.possessive == subject.possessive or owner.english == subject.english:
            owner = self.owner("predicate-owner")
        chosen, degree = self.describing(word)
        number = "pl" if many else "sg"
        complement = make("predicate", word, number, owner=owner, adjectives=chosen, degree=degree)
        negative, question = self.question_or_not(subject)
        polite = make("predicate", word, subject.number, owner=owner, adjectives=chosen, degree=degree)
        return be_clause(subject, self.be_tense(), complement.english, polite.direct, negative, question)

    def this_is(self) -> Pair:
        """ "This is my book", "Those are Ali's sisters", "Is this book yours?" """
        word = self.choose_word(nouns_of(f"{GRADED} fruit food kin plant flower tool device writing"))
        if word.kind == "kin":
            number = "sg"
            complement = self.relative("predicate")
            number = "pl" if complement.be == "are" else "sg"
        else:
            complement = self.noun("predicate", word)
            number = "pl" if complement.be == "are" else "sg"
        if complement.english[0].text in (
            "this",
            "that",
            "these",
            "those",
            "every",
            "each",
            "most",
            "all",
            "both",
            "the",
        ):
            return self.this_is()
        pointing = self.choose(["this", "that", "it"] if number == "sg" else ["these", "those"])
        urdu = words("وہ" if pointing in ("that", "those") else "یہ", "subject/pronoun")
        role = words(pointing, "subject/pronoun")
        subject = replace(
            complement, english=role, english_object=role, direct=urdu, oblique=urdu, person=3, pronoun=None
        )
        negative, question = self.question_or_not(subject)
        plain = not any(word.role.endswith(("/adjective", "/unit")) for word in complement.english)
        shown = complement.without_article() if negative or plain else complement
        return be_clause(
            subject, self.choose(["present", "present", "past"]), complement.english, shown.direct, negative, question
        )

    def who_is(self) -> Pair:
        """ "Who is that man?", "Whose book is this?", "What is this?", "Whose is this bag?", "This bag is mine"."""
        roll = self.rng.random()
        if roll < 0.3:
            number = self.choose(["sg", "pl"])
            pointed = make(
                "subject", self.choose_word(nouns_of("person")), number, "that" if number == "sg" else "those"
            )
            return be_clause(pointed, "present", (), (), question="who", urdu_asked=words("کون", "question"))
        word = self.choose_word(nouns_of("thing clothes vehicle text animal container device writing tool"))
        number = "pl" if word.quantity == "plural" or (word.plural and self.chance(0.25)) else "sg"
        this = make("subject", word, number, self.choose(["this", "that"] if number == "sg" else ["these", "those"]))
        if roll < 0.5:
            whose = words(f"کس {agree('کا', this.gender, this.number)}", "question")
            return be_clause(this, "present", (), (), question="whose", urdu_asked=whose)
        owner = self.pronoun("owner")
        mine = {"I": "mine", "you": "yours", "he": "his", "she": "hers", "we": "ours", "they": "theirs"}[
            owner.english[0].text
        ]
        negative, question = self.question_or_not(this)
        role = owner.english[0].role
        return be_clause(
            this, "present", words(mine, role), possessive(owner, this.gender, this.number, False), negative, question
        )

    def naming(self) -> Pair:
        """ "My brother's name is Ali", "What is your sister's name?" """
        owner = self.owner("subject-owner")
        subject = make("subject", noun("name"), owner=owner)
        if self.chance(0.35):
            return be_clause(subject, "present", (), (), question="what", urdu_asked=words("کیا", "question"))
        if owner.be == "are" and owner.possessive != "your":
            return self.naming()
        name = self.name("predicate")
        while owner.pronoun is None and name.gender != owner.gender:
            name = self.name("predicate")
        return be_clause(subject, "present", name.english, name.direct)
