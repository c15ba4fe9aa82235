"""Random conditions and wishes that are not so: "If I had money, I would buy a car", "I wish I could fly"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Word, words
from corpora.everyday.actions import is_negative
from corpora.everyday.being import be_clause, have
from corpora.everyday.clauses import Clause, rename
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.commands import Commander
from corpora.everyday.complex_sentences import again
from corpora.everyday.lexicon import noun, nouns_of
from corpora.everyday.phrases import make

WERE = {"تھا": "ہوتا", "تھے": "ہوتے", "تھی": "ہوتی", "تھیں": "ہوتیں"}


class Dreamer(Commander):
    """A speaker who also says what would be."""

    def unreal(self) -> Pair:
        """ "If I had money, I would buy a car", "If he came, I would go", "I would help you if I were rich"."""
        first = self.dreamer()
        condition = self.unreal_state(first)
        doer = again(first) if self.chance(0.6) else self.dreamer()
        deed = replace(self.deed(doer), negative=self.chance(0.15))
        return self.front("if", "اگر", condition, would(deed), "تو")

    def wish(self) -> Pair:
        """ "I wish I had a car", "I wish she were here", "I wish I could swim"."""
        return wish(self.unreal_state(self.dreamer()))

    def dreamer(self) -> NounPhrase:
        subject = self.person("subject", "I I I we you he she they")
        return self.dreamer() if is_negative(subject) or subject.direct[0].text in ("سب", "کوئی") else subject

    def unreal_state(self, subject: NounPhrase) -> Pair:
        """What somebody had, was, did or could do, if only."""
        kind = self.pick({"have": 30, "be": 25, "do": 30, "can": 15})
        if kind == "have":
            word = self.choose_word(
                nouns_of("animal vehicle text device clothes container tool furniture brother sister")
            )
            word = noun("money") if self.chance(0.15) else word
            many = word.plural is not None and self.chance(0.3)
            plain = word.quantity != "count" or many
            thing = make(
                "object", word, "pl" if many or word.quantity == "plural" else "sg",
                self.choose(["more", ""]) if word.quantity == "mass" else "many" if plain and self.chance(0.4)
                else "" if plain else "a",
            )  # fmt: skip
            relation = "kin" if word.english in ("brother", "sister") else "thing"
            return unreal(have(subject, thing, "past", relation))
        if kind == "be":
            if self.chance(0.4):
                place = self.place(subject)
                return unreal(be_clause(subject, "past", place.english, place.urdu))
            return unreal(self.state(subject, "past"))
        if kind == "can":
            return if_able(self.deed(subject))
        return if_done(replace(self.deed(subject), negative=self.chance(0.2)))


def unreal(pair: Pair) -> Pair:
    """A clause with "was" or "had" as one that is not so: "were", ہوتا."""
    english = tuple(Word("were", word.role) if word.text == "was" else word for word in pair.english)
    last = pair.urdu[-1]
    return Pair(english, (*pair.urdu[:-1], Word(WERE[last.text], last.role)))


def if_done(deed: Clause) -> Pair:
    """ "If he came": اگر وہ آتا."""
    return Pair(replace(deed, tense="past").pair().english, urdu_of(replace(deed, tense="would")))


def if_able(deed: Clause) -> Pair:
    """ "If I could swim": اگر میں تیر سکتا."""
    return Pair(replace(deed, tense="could").pair().english, urdu_of(replace(deed, tense="could if")))


def would(deed: Clause) -> Pair:
    """ "I would go": میں جاتا."""
    return replace(deed, tense="would").pair()


def wish(inner: Pair) -> Pair:
    """ "I wish I had a car": کاش میرے پاس ایک گاڑی ہوتی."""
    said = rename(inner, "second")
    return Pair(words("I wish", "joint") + said.english, words("کاش", "joint") + said.urdu)
