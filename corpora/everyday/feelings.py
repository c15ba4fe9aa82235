"""Random sentences about whom somebody looks like, how things taste and smell, what people feel, and what hurts."""

from __future__ import annotations

from typing import NamedTuple

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, add_postposition, possessive, words
from corpora.everyday.becoming import intransitive
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, postposed
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.lexicon import Adjective, adjectives_of, noun, nouns_of, verb
from corpora.everyday.phrases import decline_adjective, make
from corpora.everyday.unreal import Dreamer
from corpora.urdu_forms import MASCULINE, Agreement, agree, copula

LOOK = intransitive("look", "لگ")


class Stance(NamedTuple):
    """An adjective with its preposition. In Urdu an adjective, or a noun of this gender beside a subject with کو."""

    marker: str
    urdu: str
    about: str  # kinds of nouns, or nouns
    gender: str = ""


MATTERS = "work homework job business task project"
STANCES = {
    "afraid of": Stance("سے", "ڈر", "dog snake lion ghost storm exam teacher spider mouse death war enemy police"),
    "proud of": Stance("پر", "فخر", "kin country work team school family success culture language", "m"),
    "tired of": Stance("سے", "تنگ", f"{MATTERS} noise war weather heat traffic"),
    "interested in": Stance("میں", "دلچسپی", "school_subject sport language film book game art music", "f"),
    "good at": Stance("میں", "اچھا", "school_subject sport language"),
    "bad at": Stance("میں", "کمزور", "school_subject sport language"),
    "fond of": Stance("کا", "شوق", "sport music art tea coffee film cricket football poetry poem", "m"),
    "angry with": Stance("سے", "ناراض", "kin person profession"),
    "happy with": Stance("سے", "خوش", f"{MATTERS} result house salary teacher car gift kin school"),
    "busy with": Stance("میں", "مصروف", MATTERS),
    "worried about": Stance("کے بارے میں", "پریشان", f"{MATTERS} exam health result future money kin"),
    "ready for": Stance("کے لیے", "تیار", "exam school journey wedding meeting test lunch dinner party"),
}
LISTED = ("work", "group", "money", "weather")  # of these kinds only the nouns that are named
ALL_AROUND = ("noise", "war", "weather", "heat", "traffic")  # these belong to nobody
BARE = ("school_subject", "sport", "language", "media", "feeling")
TASTES = "good bad sweet sour bitter delicious salty wonderful strange terrible nice"
SMELLS = {"good": "اچھا", "nice": "اچھا", "bad": "برا", "wonderful": "شاندار", "strange": "عجیب"}
SENSES = {  # English verb -> Urdu noun of what is tasted or smelled, and its gender
    "taste": ("ذائقہ", "m", "food fruit drink meal"),
    "smell": ("خوشبو", "f", "food flower drink soap meal"),
}
LOOKS = {
    "sound": ("سننے میں", "song voice music story plan name news"),
    "feel": ("چھونے میں", "clothes cloth bed chair hand"),
}
SEEMS = {
    "sound": {"good": "اچھا", "nice": "اچھا", "strange": "عجیب", "beautiful": "خوبصورت", "interesting": "دلچسپ"},
    "feel": {"soft": "نرم", "hard": "سخت", "warm": "گرم", "cold": "ٹھنڈا", "rough": "کھردرا", "good": "اچھا"},
}
AIMS = {
    **{"go": "جانے", "leave": "نکلنے", "help": "مدد کرنے", "work": "کام کرنے", "start": "شروع کرنے", "eat": "کھانے"},
    **{"play": "کھیلنے", "sleep": "سونے", "travel": "سفر کرنے", "fight": "لڑنے", "come": "آنے", "learn": "سیکھنے"},
}
MOODS_FELT = "sad lonely weak safe happy nervous calm strong"
PARTS = "head stomach leg arm knee tooth foot hand shoulder neck eye ear throat finger back"
ACHES = {"headache": "head", "toothache": "tooth", "stomachache": "stomach", "earache": "ear", "backache": "back"}


class Feeler(Dreamer):
    """A speaker who also says what people and things look, taste, feel and smell like."""

    def feeling_kinds(self) -> list[tuple]:
        return [
            (self.likeness, 3),
            (self.sense, 4),
            (self.stance, 15),
            (self.ready, 2),
            (self.ache, 3),
            (self.mood, 2),
        ]

    def likeness(self) -> Pair:
        """ "You look like your father", "What does he look like?" """
        subject = self.known_person()
        if self.chance(0.15):
            return what_like(subject)
        kind = self.pick({"kin": 50, "name": 15, "person": 25, "animal": 10})
        if kind == "kin":
            other = self.relative("rival", subject)
        elif kind == "name":
            other = self.name("rival")
        else:
            word = self.choose_word(nouns_of("animal" if kind == "animal" else "person profession"))
            if subject.be == "are" and subject.possessive != "your":
                return self.likeness()
            other = make("rival", word, determiner="a").without_article()
        if other.direct[-1].text == subject.direct[-1].text:
            return self.likeness()
        negative, question = self.question_or_not(subject)
        return look_like(subject, other, self.choose(["present", "present", "past"]), negative, question)

    def sense(self) -> Pair:
        """ "The soup tastes good", "These flowers smell nice", "The song sounds beautiful"."""
        name = self.choose(["taste", "taste", "smell", "smell", "sound", "feel"])
        kinds = SENSES[name][2] if name in SENSES else LOOKS[name][1]
        word = self.choose_word(nouns_of(kinds))
        subject = self.noun("subject", word, definite=True)
        if subject.english[0].text in ("each", "the same"):
            return self.sense()
        if name == "taste":
            fit = [a for a in adjectives_of(noun("rice")) + adjectives_of(word) if a.english in TASTES.split()]
            chosen = self.choose_word(fit)
        else:
            chosen = self.of_table(SMELLS if name == "smell" else SEEMS[name])
        negative, question = self.question_or_not(subject)
        very = self.chance(0.2) and not negative
        return sensed(subject, name, chosen, self.choose(["present", "present", "past"]), negative, question, very)

    def of_table(self, table: dict[str, str]) -> Adjective:
        english = self.choose(list(table))
        return Adjective(english, table[english], frozenset())

    def stance(self) -> Pair:
        """ "She is afraid of dogs", "Are you interested in music?", "I am good at mathematics"."""
        english = self.choose(list(STANCES))
        subject = self.known_person()
        known = STANCES[english].about.split()
        found = [w for w in nouns_of(STANCES[english].about) if w.english not in ("language", "sport")]
        word = self.choose_word([w for w in found if w.kind not in LISTED or w.english in known])
        if word.kind == "kin":
            other = self.relative("about", subject)
        elif word.english in ALL_AROUND:
            other = make("about", word, determiner="this")
        elif word.kind in BARE or english == "fond of":
            other = make("about", word, "pl" if word.quantity == "count" and word.plural else "sg", "")
        elif word.kind == "person" or english not in ("afraid of", "angry with"):
            other = self.owned("about", word, "sg", (), ("", ""), subject)
        else:
            many = word.quantity == "count" and bool(word.plural) and self.chance(0.6)
            other = make("about", word, "pl" if many else "sg", "" if many else "the")
        if other.direct[-1].text == subject.direct[-1].text:
            return self.stance()
        negative, question = self.question_or_not(subject)
        return stance(subject, english, other, self.choose(["present", "present", "past"]), negative, question)

    def ready(self) -> Pair:
        """ "We are ready to eat the food": ہم کھانا کھانے کے لیے تیار ہیں."""
        subject = self.known_person()
        aim = self.purpose(subject)
        if self.chance(0.4):
            english, urdu = self.choose(list(AIMS.items()))
            aim = Adjunct(words("to") + words(english, "aim/verb"), words(urdu, "aim/verb") + words("کے لیے"), "reason")
        negative, question = self.question_or_not(subject)
        tense = self.choose(["present", "present", "past", "future"])
        return ready(subject, aim, tense, negative, question)

    def ache(self) -> Pair:
        """ "I have a headache", "My head hurts", "Do your legs hurt?" """
        if self.chance(0.4):
            owner = self.person("owner")
            if owner.direct[0].text in ("سب", "کوئی"):
                return self.ache()
            negative, question = self.question_or_not(owner)
            return have_ache(owner, self.choose(list(ACHES)), self.choose(["present", "past"]), negative, question)
        word = noun(self.choose(PARTS.split()))
        owner = self.pronoun("owner") if self.chance(0.7) else self.relative("owner")
        two = word.english in ("leg", "arm", "knee", "foot", "hand", "eye", "tooth", "shoulder")
        part = make("subject", word, "pl" if two and self.chance(0.5) else "sg", owner=owner)
        negative, question = self.question_or_not(part)
        return hurts(part, negative, question)

    def mood(self) -> Pair:
        """ "She feels sad": وہ اداس محسوس کر رہی ہے."""
        subject = self.known_person()
        fit = [a for a in self.graded(noun("friend")) if a.english in MOODS_FELT.split() and a.urdu[-1] != "ا"]
        chosen = self.choose(fit)
        negative, question = self.question_or_not(subject)
        return feel(subject, chosen, self.choose(["present", "past"]), negative, question)


def look_like(
    subject: NounPhrase, other: NounPhrase, tense: str = "present", negative: bool = False, question: str = ""
) -> Pair:
    """ "You look like your father": آپ اپنے والد جیسے لگتے ہیں."""
    like = postposed(other, "جیسا", subject.agreement)
    role = like[-1].role
    how = Adjunct(words("like", role) + other.as_object, like, "manner")
    clause = Clause(subject, LOOK, tense, adjuncts=(how,), negative=negative, question=question)
    then = Clause(subject, LOOK, "used to", adjuncts=(how,), negative=negative, question=question)
    return Pair(english_of(clause), urdu_of(then if tense == "past" else clause), bool(question))


def what_like(subject: NounPhrase) -> Pair:
    """ "What does he look like?": وہ دیکھنے میں کیسا ہے؟"""
    do = words("does" if subject.be == "is" else "do")
    english = words("what", "question") + do + subject.english + words("look", "verb") + words("like", "question")
    how = words(agree("کیسا", subject.gender, subject.number), "question")
    return Pair(
        english, subject.direct + words("دیکھنے میں", "verb") + how + words(copula("present", subject.agreement)), True
    )


def sensed(
    subject: NounPhrase,
    name: str,
    adjective: Adjective,
    tense: str = "present",
    negative: bool = False,
    question: str = "",
    very: bool = False,
) -> Pair:
    """ "The soup tastes good": سوپ کا ذائقہ اچھا ہے. "The song sounds good": گانا سننے میں اچھا لگتا ہے."""
    role = "q/adjective"
    what = words("very" if very else "", "q/very") + words(adjective.english, role)
    doing = intransitive("feel felt felt" if name == "feel" else name, "لگ")
    how = Adjunct(what, (), "manner")
    told = english_of(Clause(subject, doing, tense, adjuncts=(how,), negative=negative, question=question))
    denial = words("نہیں", "not") if negative else ()
    degree = words("بہت" if very else "", "q/very")
    start = words("کیا") if question else ()
    if name in SENSES:
        thing, gender, _ = SENSES[name]
        if name == "smell" and adjective.english in ("bad", "strange"):
            thing = "بو"
        of = possessive(subject, gender, "sg", False) + words(thing, "verb") + degree
        form = words(decline_adjective(adjective.urdu, gender, "sg"), role)
        return Pair(told, start + of + form + denial + words(copula(tense, Agreement(gender, "sg"))), bool(question))
    form = words(decline_adjective(adjective.urdu, subject.gender, subject.number), role)
    seems = Adjunct((), words(LOOKS[name][0], "verb") + degree + form, "manner")
    urdu_tense = "used to" if tense == "past" else tense
    urdu = urdu_of(Clause(subject, LOOK, urdu_tense, adjuncts=(seems,), negative=negative, question=question))
    return Pair(told, urdu, bool(question))


def stance(
    subject: NounPhrase,
    english: str,
    other: NounPhrase,
    tense: str = "present",
    negative: bool = False,
    question: str = "",
) -> Pair:
    """ "She is proud of her son": اسے اپنے بیٹے پر فخر ہے. "He is angry with me": وہ مجھ سے ناراض ہے."""
    found = STANCES[english]
    adjective, preposition = english.split()
    about = postposed(other, found.marker, Agreement(found.gender, "sg") if found.gender else MASCULINE)
    role = "q/adjective"
    said = words(adjective, role) + words(preposition, about[-1].role or "") + other.as_object
    form = words(decline_adjective(found.urdu, subject.gender, subject.number), role)
    told = be_clause(subject, tense, said, about + form, negative, question)
    if found.urdu == "ڈر":
        fears = Clause(
            subject,
            verb("fear"),
            "used to" if tense == "past" else tense,
            other,
            negative=negative,
            question=question,
        )
        return Pair(told.english, rename_verb(urdu_of(fears), role), bool(question))
    if not found.gender:
        return told
    denial = words("نہیں", "not") if negative else ()
    end = words(found.urdu, role) + denial + words(copula(tense, Agreement(found.gender, "sg")))
    start = words("کیا") if question else ()
    return Pair(told.english, start + add_postposition(subject, "کو") + about + end, bool(question))


def rename_verb(phrase: Phrase, role: str) -> Phrase:
    """The Urdu verb as the translation of an English adjective."""
    return tuple(word._replace(role=role) if word.role == "verb" else word for word in phrase)


def ready(
    subject: NounPhrase, aim: Adjunct, tense: str = "present", negative: bool = False, question: str = ""
) -> Pair:
    """ "She is ready to go": وہ جانے کے لیے تیار ہے."""
    english, urdu = words("ready", "q/adjective"), words("تیار", "q/adjective")
    return be_clause(subject, tense, english + aim.english, aim.urdu + urdu, negative, question)


def hurts(part: NounPhrase, negative: bool = False, question: str = "") -> Pair:
    """ "My head hurts": میرے سر میں درد ہے."""
    doing = intransitive("hurt hurt hurt", "ہو")
    told = english_of(Clause(part, doing, "present", negative=negative, question=question))
    denial = words("نہیں", "not") if negative else ()
    pain = part.oblique + words("میں") + words("درد", "verb") + denial + words("ہے")
    return Pair(told, (words("کیا") if question else ()) + pain, bool(question))


def have_ache(owner: NounPhrase, ache: str, tense: str = "present", negative: bool = False, question: str = "") -> Pair:
    """ "I have a headache": میرے سر میں درد ہے."""
    has = intransitive("have had had having", "ہو")
    what = Adjunct(words("a" if ache != "earache" else "an") + words(ache, "ache/noun"), (), "manner")
    told = english_of(Clause(owner, has, tense, adjuncts=(what,), negative=negative, question=question))
    part = make("ache", noun(ACHES[ache]), owner=owner)
    denial = words("نہیں", "not") if negative else ()
    pain = part.oblique + words("میں") + words("درد", "ache/noun") + denial + words(copula(tense, MASCULINE))
    return Pair(told, (words("کیا") if question else ()) + pain, bool(question))


def feel(
    subject: NounPhrase, adjective: Adjective, tense: str = "present", negative: bool = False, question: str = ""
) -> Pair:
    """ "She feels sad": وہ خود کو اداس محسوس کر رہی ہے."""
    doing = intransitive("feel felt felt", "کر")._replace(complement="محسوس")
    how = Adjunct(words(adjective.english, "q/adjective"), words(f"خود کو {adjective.urdu}", "q/adjective"), "manner")
    clause = Clause(subject, doing, tense, adjuncts=(how,), negative=negative, question=question)
    now = "past progressive" if tense == "past" else "progressive"
    going = Clause(subject, doing, now, adjuncts=(how,), negative=negative, question=question)
    return Pair(english_of(clause), urdu_of(going), bool(question))
