"""Random sentences about what somebody becomes or seems, and with "too", "only", "even", "ever" and "anyone"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, name_phrase, words
from corpora.everyday.clauses import Adjunct, Clause, adverb, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.complex_sentences import FRIEND
from corpora.everyday.durations import Timer, lasted, since
from corpora.everyday.english import verb_forms
from corpora.everyday.lexicon import Verb, noun, nouns_of, places, verb, verbs
from corpora.everyday.phrases import indefinite, make
from corpora.everyday.qualities import MEN, feminine


def intransitive(forms: str, stem: str, vector: str = "") -> Verb:
    return Verb(verb_forms(forms), "", stem, "", "", "", "person", "", False, vector, frozenset())


BECOME = intransitive("become became become", "بن", "جا")
GET = intransitive("become became become", "ہو", "جا")
SEEM = {"seem": intransitive("seem", "لگ"), "look": intransitive("look", "لگ")}
MOODS = {
    *[
        "happy",
        "sad",
        "angry",
        "tired",
        "sick",
        "ill",
        "worried",
        "busy",
        "rich",
        "poor",
        "famous",
        "hungry",
        "old",
        "weak",
        "strong",
        "healthy",
        "afraid",
    ],
    *["surprised", "bored", "nervous", "successful", "proud", "jealous", "lonely", "calm", "serious", "upset"],
}
SKIES = {"dark": "اندھیرا", "late": "دیر", "cold": "سردی", "hot": "گرمی"}
LATE = {"dark": "m", "late": "f", "cold": "f", "hot": "f"}
FALLS = {"rain": "بارش", "snow": "برف باری"}
FELL = {  # tense -> English of rain and snow, and Urdu behind the noun
    "past": ("rained", "snowed", "ہوئی"),
    "progressive": ("is raining", "is snowing", "ہو رہی ہے"),
    "past progressive": ("was raining", "was snowing", "ہو رہی تھی"),
    "future": ("will rain", "will snow", "ہو گی"),
    "lasting": ("has been raining", "has been snowing", "ہو رہی ہے"),
    "perfect": ("has not rained", "has not snowed", "نہیں ہوئی"),
}


class Becomer(Timer):
    """A speaker who also says what somebody becomes or seems, and who else does something, or nobody else."""

    def becoming(self) -> Pair:
        """ "He became a doctor", "She wants to become an engineer"."""
        subject = self.known_person()
        word = self.choose(nouns_of("profession"))
        many = subject.be == "are" and subject.possessive != "your"
        if subject.gender == "f" and word.english in MEN:
            return self.becoming()
        word = feminine(word) if subject.gender == "f" else word
        complement = make("predicate", word, "pl" if many else "sg", "" if many else "a")
        tense = self.choose(["past", "past", "past", "future", "want to", "want to", "wanted to", "perfect", "can"])
        negative, question = self.question_or_not(subject)
        return become(subject, complement.english, complement.without_article().direct, tense, negative, question)

    def getting(self) -> Pair:
        """ "He became ill", "They will become rich", "It became dark"."""
        if self.chance(0.2):
            return dark(self.choose(list(SKIES)), self.choose(["past", "progressive", "future"]))
        subject = self.known_person()
        mood = self.choose([a for a in self.graded(FRIEND) if a.english in MOODS and not a.urdu.endswith("ہوا")])
        english, urdu = self.predicate(mood, subject)
        tense = self.choose(["past", "past", "past", "future", "perfect"])
        negative, question = self.question_or_not(subject)
        return become(subject, english, urdu, tense, negative, question, GET)

    def seeming(self) -> Pair:
        """ "He seems happy", "You do not look well", "It seems that he is ill"."""
        if self.chance(0.2):
            inner = rename(self.plain(self.choose(["past", "future", "progressive", "perfect"])), "second")
            that = words("that" if self.chance(0.7) else "")
            return Pair(
                words("it") + words("seems", "main/verb") + that + inner.english,
                words("ایسا") + words("لگتا", "main/verb") + words("ہے کہ") + inner.urdu,
            )
        subject = self.known_person()
        mood = self.choose([a for a in self.graded(FRIEND) if a.english in MOODS])
        negative, question = self.question_or_not(subject)
        return seem(
            subject,
            *self.predicate(mood, subject),
            self.choose(["seem", "seem", "look"]),
            self.choose(["present", "past"]),
            negative,
            question,
        )

    def known_person(self) -> NounPhrase:
        """A subject that is not "everyone" or the like."""
        while True:
            subject = self.living_subject()
            if subject.direct[0].text not in ("سب", "کوئی"):
                return subject

    def too(self) -> Pair:
        """ "My brother came too", "She did not eat either", "He is a doctor too"."""
        return too(replace(self.clause(True, subject=self.known_person()), adjuncts=()))

    def only(self) -> Pair:
        """ "Only Ali came", "He ate only bread", "Even the children work"."""
        while True:
            clause = self.clause(True, self.choose(["past", "past", "future", "present"]), self.known_person())
            if not clause.negative and not clause.verb.dative and not any(a.negative for a in clause.adjuncts):
                break
        eaten = clause.object is not None and clause.verb.base in (
            "eat",
            "drink",
            "read",
            "buy",
            "see",
            "sell",
            "speak",
        )
        if eaten and clause.object is not None and clause.object.pronoun is None:
            return replace(clause, object=before(clause.object, "only", "صرف"), recipient=None).pair()
        if clause.subject.pronoun is not None:
            return self.only()
        if self.chance(0.5):
            return replace(clause, subject=before(clause.subject, "only", "صرف")).pair()
        return even(clause)

    def ever(self) -> Pair:
        """ "Have you ever seen an elephant?", "I have never been to Lahore"."""
        subject = self.pronoun("subject", "you you you he she they") if self.chance(0.7) else self.known_person()
        asks = self.chance(0.6)
        if self.chance(0.45):
            return been(subject, name_phrase("object", self.choose(places())), asks)
        names = ["see", "eat", "drink", "ride", "read", "play", "learn", "teach", "meet", "drive", "sing", "hear"]
        doing = self.choose([v for v in verbs() if v.base in names and not v.particle and v.objects])
        other = self.thing("object", doing.objects, subject, definite=False)
        if doing.base not in ("see", "meet") and other.kind == "person":
            return self.ever()
        return ever(Clause(subject, doing, "perfect", other), asks)

    def anyone(self) -> Pair:
        """ "Has anyone seen my keys?", "Someone stole the car", "Is anyone at home?" """
        roll = self.rng.random()
        if roll < 0.3:
            asks = self.chance(0.5)
            who = indefinite("subject", self.choose(["anyone", "anybody"] if asks else ["someone", "somebody"]))
            tense = self.choose(["present", "past"])
            rooms = {"in": "room kitchen house garden bathroom car office shop", "behind": "door tree", "at": "door"}
            return there(who, self.place_of("place", rooms), tense, asks)
        if roll < 0.45:
            asks = self.chance(0.5)
            what = indefinite("subject", "anything" if asks else "something")
            corners = {"under": "table chair bed", "in": "box bag drawer room", "on": "table floor roof"}
            return there(what, self.place_of("place", corners), self.choose(["present", "past"]), asks)
        asks = self.chance(0.6)
        who = indefinite("subject", self.choose(["anyone", "anybody"] if asks else ["someone", "somebody"]))
        clause = self.clause(True, self.choose(["past", "past", "perfect", "future"]), who)
        if clause.verb.dative or clause.tense not in ("past", "perfect", "future"):
            return self.anyone()
        return replace(clause, negative=False, question="yes/no" if asks else "").pair()

    def not_anyone(self) -> Pair:
        """ "I did not see anyone", "Do you know anyone here?" """
        doing = verb(self.choose(["see", "help", "call", "meet", "invite", "trust"]))
        thing = self.chance(0.4)
        if thing:
            doing = verb(self.choose(["see", "eat", "buy", "drink", "read", "write"]))
        other = indefinite("object", "anything" if thing else self.choose(["anyone", "anybody"]))
        subject = self.known_person()
        asks = self.chance(0.3)
        tense = self.choose(["past", "past", "future", "want to", "perfect"])
        asked = "yes/no" if asks else ""
        return Clause(subject, doing, tense, other, negative=not asks, question=asked).pair()

    def falling(self) -> Pair:
        """ "It rained all night", "It is raining heavily", "It has not rained for three months"."""
        what = self.choose(["rain", "rain", "snow"])
        tense = self.choose(list(FELL))
        if tense == "perfect":
            span = lasted(self.rng.randint(1, 10), self.choose(["day", "week", "month", "year"]))
        elif tense == "lasting":
            span = self.choose([since("morning"), since("yesterday"), since("last night"), lasted(2, "hour")])
        else:
            chosen = self.when({"progressive": "present"}.get(tense, tense)) if self.chance(0.5) else ()
            return fall(what, tense, chosen[0]._replace(position="end") if chosen else None, self.chance(0.4))
        return fall(what, tense, span)

    def blowing(self) -> Pair:
        """ "A cold wind is blowing", "The wind was blowing"."""
        adjective, urdu = self.choose(
            [("", ""), ("strong", "تیز"), ("cold", "ٹھنڈی"), ("cool", "ٹھنڈی"), ("hot", "گرم")]
        )
        tense = self.choose(["progressive", "progressive", "past progressive", "past", "future"])
        return wind(adjective, urdu, tense)


def become(
    subject: NounPhrase,
    english: Phrase,
    urdu: Phrase,
    tense: str,
    negative: bool = False,
    question: str = "",
    doing: Verb = BECOME,
) -> Pair:
    """Somebody becomes something: بن جانا with a noun, ہو جانا with an adjective."""
    what = Adjunct(english, urdu, "manner")
    return Clause(subject, doing, tense, adjuncts=(what,), negative=negative, question=question).pair()


def seem(
    subject: NounPhrase,
    english: Phrase,
    urdu: Phrase,
    verb_name: str = "seem",
    tense: str = "present",
    negative: bool = False,
    question: str = "",
) -> Pair:
    """ "He seems happy": وہ خوش لگتا ہے. How somebody looks or seemed is progressive in Urdu: لگ رہا تھا."""
    what = Adjunct(english, urdu, "manner")
    clause = Clause(subject, SEEM[verb_name], tense, adjuncts=(what,), negative=negative, question=question)
    now = "progressive" if verb_name == "look" else "present"
    urdu_tense = "past progressive" if tense == "past" else now
    return Pair(english_of(clause), urdu_of(replace(clause, tense=urdu_tense)), bool(question))


def dark(english: str, tense: str) -> Pair:
    """ "It became dark": اندھیرا ہو گیا."""
    told = {"past": "became", "progressive": "is getting", "future": "will become"}[tense]
    m = LATE[english] == "m"
    urdu = {
        "past": "ہو گیا" if m else "ہو گئی",
        "progressive": "ہو رہا ہے" if m else "ہو رہی ہے",
        "future": "ہو جائے گا" if m else "ہو جائے گی",
    }[tense]
    role = "predicate/adjective"
    return Pair(
        words("it") + words(told, "verb") + words(english, role), words(SKIES[english], role) + words(urdu, "verb")
    )


def too(clause: Clause) -> Pair:
    """ "She came too", "She did not come either": بھی stands behind the Urdu subject."""
    also = adverb("either" if clause.negative else "too", "بھی", "time")
    told = english_of(replace(clause, adjuncts=(*clause.adjuncts, also)))
    return Pair(told, urdu_of(replace(clause, adjuncts=(also, *clause.adjuncts))), bool(clause.question))


def before(phrase: NounPhrase, english: str, urdu: str) -> NounPhrase:
    """ "Only my brother": صرف میرا بھائی."""
    role = f"{phrase.direct[-1].role.split('/')[0]}/only"
    start, urdu_start = words(english, role), words(urdu, role)
    return replace(
        phrase,
        english=start + phrase.english,
        english_object=start + phrase.as_object,
        direct=urdu_start + phrase.direct,
        oblique=urdu_start + phrase.oblique,
    )


def even(clause: Clause) -> Pair:
    """ "Even the children came": یہاں تک کہ بچے بھی آئے."""
    role = "subject/even"
    said = replace(clause, adjuncts=(Adjunct((), words("بھی", role), "time"), *clause.adjuncts)).pair()
    return Pair(words("even", role) + said.english, words("یہاں تک کہ", role) + said.urdu)


def ever(clause: Clause, asks: bool) -> Pair:
    """ "Have you ever seen snow?", or "I have never seen snow": کبھی."""
    once = adverb("ever" if asks else "never", "کبھی", "time", "mid", negative=not asks)
    one = clause.object.without_article() if clause.object else None
    return replace(clause, object=one, adjuncts=(once,), question="yes/no" if asks else "").pair()


def been(subject: NounPhrase, place: NounPhrase, asks: bool) -> Pair:
    """ "Have you ever been to Lahore?": کیا آپ کبھی لاہور گئے ہیں؟"""
    going = verb("go to")
    return ever(Clause(subject, going._replace(english=("be", "is", "was", "been", "being")), "perfect", place), asks)


def there(who: NounPhrase, where: Adjunct, tense: str, asks: bool) -> Pair:
    """ "Is anyone at the door?", "There is something in the box": دروازے پر کوئی ہے."""
    be = words("is" if tense == "present" else "was")
    first = words("there") if who.kind == "thing" else who.english
    rest = who.english if who.kind == "thing" else ()
    english = (be + first if asks else first + be) + rest + where.english
    start = words("کیا") if asks else ()
    last = words("ہے" if tense == "present" else "تھا")
    return Pair(english, start + where.urdu + who.direct + last, asks)


def fall(what: str, tense: str, time: Adjunct | None = None, heavy: bool = False) -> Pair:
    """ "It is raining heavily": تیز بارش ہو رہی ہے."""
    rained, snowed, urdu = FELL[tense]
    *auxiliary, last = (rained if what == "rain" else snowed).split()
    english = words("it")
    for word in auxiliary:
        english += words(word, "not" if word == "not" else "")
    english += words(last, "verb") + words("heavily" if heavy else "", "manner")
    denied, _, rest = urdu.rpartition("نہیں")
    said = (words("نہیں", "not") if denied or urdu.startswith("نہیں") else ()) + words(rest.strip())
    falling = words("شدید" if heavy else "", "manner") + words(FALLS[what], "verb") + said
    return Pair(english + (time.english if time else ()), (time.urdu if time else ()) + falling)


def wind(english: str, urdu: str, tense: str) -> Pair:
    """ "A cold wind is blowing": ٹھنڈی ہوا چل رہی ہے."""
    role = "subject/adjective"
    blowing = intransitive("blow blew blown", "چل")
    phrase = make("subject", noun("wind"))
    start = (
        words("a") + words(english, role) + words("wind", "subject/noun")
        if english
        else words("the") + words("wind", "subject/noun")
    )
    return Clause(replace(phrase, english=start, direct=words(urdu, role) + phrase.direct), blowing, tense).pair()
