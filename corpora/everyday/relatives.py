"""Random sentences with clauses behind a noun: "the house where ...", "my uncle, who ...", "the man standing there"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, name_phrase, words
from corpora.everyday.being import be_clause, have
from corpora.everyday.clauses import Adjunct, Clause, at, rename
from corpora.everyday.complex_sentences import FRIEND
from corpora.everyday.lexicon import names, noun, nouns_of, verb
from corpora.everyday.phrases import described, make, relative
from corpora.everyday.reports import jo_phrase, meant, that, without_head
from corpora.everyday.routines import Planner

HOMES = "house school office village room shop hospital garden hotel restaurant library park"
POSTURES = {  # English participle -> Urdu before the noun
    "standing": "کھڑا",
    "sitting": "بیٹھا ہوا",
    "lying": "لیٹا ہوا",
    "sleeping": "سویا ہوا",
    "playing": "کھیلتا ہوا",
}
SPOTS = {
    "near": "door window tree river wall car",
    "in": "garden room car park shop kitchen",
    "behind": "door tree car wall",
    "under": "tree",
    "in front of": "house school shop mosque",
    "outside": "house school shop",
}
SEEN = "see know meet call help"
THING_VERBS = "buy read write see eat wear lose make find sell break"


class Relater(Planner):
    """A speaker who also says more of a person, a place or a day in a clause behind it."""

    def relative_kinds(self) -> list[tuple]:
        return [
            (self.aside, 4),
            (self.where_when, 5),
            (self.standing, 5),
            (self.without, 3),
            (self.this_which, 4),
            (self.life_changing, 2),
        ]

    def doing(self, subject: NounPhrase, own: bool = True) -> Clause:
        """What somebody does of their own will, in few words."""
        deed = self.deed(subject, own)
        return deed if self.chance(0.3) else replace(deed, adjuncts=())

    def inner(self, subject: NounPhrase, tenses: str = "past past progressive present") -> Clause:
        """What somebody did or does, to stand in a clause behind a noun."""
        deed = self.doing(subject)
        tense = self.choose(tenses.split())
        if tense == "present" and deed.verb.base == deed.verb.english[2] and subject.be != "is":
            tense = "past"
        return replace(deed, tense=tense)

    def known_one(self, slot: str) -> NounPhrase:
        """A name, or one relative."""
        while True:
            chosen = name_phrase(slot, self.choose(names())) if self.chance(0.3) else self.relative(slot)
            if chosen.be == "is":
                return chosen

    def aside(self) -> Pair:
        """ "My brother, who works in a bank, is ill": میرا بھائی، جو بینک میں کام کرتا ہے، بیمار ہے."""
        head = self.known_one("subject")
        inner = rename(within(self.inner(who(head))), "second")
        told = with_aside(head, inner)
        if self.chance(0.6):
            return be_clause(told, self.choose(["present", "present", "past"]), *self.mood_of(head))
        main = replace(self.doing(head), tense=self.choose(["future", "progressive", "future"]))
        return replace(main, subject=told).pair()

    def mood_of(self, head: NounPhrase) -> tuple[Phrase, Phrase]:
        return self.predicate(self.choose(self.graded(FRIEND)), head)

    def where_when(self) -> Pair:
        """ "This is the house where I live", "I remember the day when we met", "The shop where he works is near"."""
        if self.chance(0.35):
            return self.day_when(rename(self.inner(self.known_person(), "past").pair(), "second"))
        inner = rename(replace(self.inner(self.known_person(), "past past present"), adjuncts=()).pair(), "second")
        place = make("object", self.choose([noun(one) for one in HOMES.split()]))
        roll = self.rng.random()
        if roll < 0.45:
            return this_is(place, "where", "جہاں", inner, self.choose(["present", "present", "past"]))
        if roll < 0.75:
            main = Clause(self.pronoun("subject"), verb(self.choose(["see", "find"])), "past", that(place))
            return behind(main, place, "where", "جہاں", inner)
        old = be_clause(make("subject", noun("house")), "present", *self.quality_of(place))
        told = words("where", "where/question"), words("جہاں", "where/question")
        return (
            Pair(
                place.english + told[0] + inner.english + words(place.be) + old.english[3:],
                that(place).direct + told[1] + inner.urdu + old.urdu[1:],
            )
            if place.gender == "m"
            else self.where_when()
        )

    def quality_of(self, place: NounPhrase) -> tuple[Phrase, Phrase]:
        return self.predicate(self.choose_word(self.graded(noun("house"))), place)

    def day_when(self, inner: Pair) -> Pair:
        """ "I remember the day when ...": مجھے وہ دن یاد ہے جب ..."""
        day = make("object", noun(self.choose(["day", "day", "year", "night"])))
        if self.chance(0.4):
            return this_is(day, "when", "جب", inner, self.choose(["present", "past", "past"]))
        subject = self.pronoun("subject")
        if self.chance(0.5):
            return behind(Clause(subject, verb("remember"), "present", that(day)), day, "when", "جب", inner)
        never = Adjunct(words("never", "never/time"), words("کبھی", "never/time"), "late", "mid", True)
        forget = Clause(subject, verb("forget"), "future", that(day), adjuncts=(never,))
        return behind(forget, day, "when", "جب", inner)

    def standing(self) -> Pair:
        """ "The man standing near the door is my uncle", "Who is the girl sitting under the tree?" """
        posture = self.choose(["standing", "standing", "sitting", "sitting", *POSTURES])
        kinds = "child boy girl" if posture == "playing" else "man woman boy girl child old"
        people = [word for word in nouns_of("person") if word.english in kinds.split()]
        slot = "object" if self.chance(0.3) else "subject"
        head = make(slot, self.choose(people), "pl" if self.chance(0.2) else "sg")
        preposition = self.choose(list(SPOTS))
        spot_noun = noun(self.choose(SPOTS[preposition].split()))
        spot = at(preposition, make(f"{slot}-place", spot_noun))
        told = posed(head, posture, spot)
        if slot == "object":
            return Clause(self.known_person(), verb(self.choose(SEEN.split()[:3])), "past", told).pair()
        roll = self.rng.random()
        if roll < 0.35:
            return who_is(told)
        if roll < 0.65:
            return be_clause(told, "present", *self.mood_of(head))
        if roll < 0.8:
            return replace(self.doing(head), subject=told, tense=self.choose(["past", "future"])).pair()
        kin = FRIEND._replace(gender=head.gender) if head.number == "pl" or head.gender == "f" else noun("uncle")
        mine = make("predicate", kin, head.number, owner=self.pronoun("predicate-owner"))
        return be_clause(told, "present", mine.english, mine.direct)

    def without(self) -> Pair:
        """ "The man who had no money was sad": جس آدمی کے پاس پیسے نہیں تھے وہ اداس تھا."""
        head = self.head("subject", "person profession")
        kind = self.pick({"thing": 70, "kin": 30})
        names = (
            "son daughter brother sister friend" if kind == "kin" else "money food water car house book key work time"
        )
        word = noun(self.choose(names.split()))
        many = word.plural is not None and word.quantity == "count" and self.chance(0.5)
        thing = make("owned", word, "pl" if many or word.quantity == "plural" else "sg", "no")
        if self.chance(0.3):
            thing = replace(
                make(
                    "owned",
                    word,
                    "pl" if many or word.quantity == "plural" else "sg",
                    "many" if many else "a" if word.quantity == "count" else "a lot of",
                )
            )
        tense = self.choose(["past", "past", "present"])
        has = have(replace(jo_phrase(head), english=words("who", "relative")), thing, tense, kind)
        inner = rename(Pair(has.english, has.urdu), "second")
        told = meant(head, inner.english)
        if self.chance(0.6):
            said = be_clause(told, tense, *self.mood_of(head))
        else:
            said = replace(self.doing(told), tense="past" if tense == "past" else "future").pair()
        return Pair(said.english, inner.urdu + said.urdu)

    def this_which(self) -> Pair:
        """ "This is the letter that changed my life", "I read the book that my father bought"."""
        doing = verb(self.choose(THING_VERBS.split()))
        kinds = [w for w in nouns_of(doing.objects) if w.quantity == "count" and w.plural is not None]
        kinds = [w for w in kinds if w.kind not in ("kin", "parent", "sky", "person", "profession")]
        thing = make("object", self.choose_word(kinds or [noun("book")]))
        what = replace(relative("relative", thing), pronoun=None)
        inner = Clause(self.known_person(), doing, self.choose(["past", "past", "perfect"]), what, object_before=True)
        english = words(self.choose(["that", "which", ""]), "relative") + replace(inner, object=None).pair().english
        told = rename(Pair(english, inner.pair().urdu), "second")
        if self.chance(0.5):
            return this_is(thing, "", "", told, self.choose(["present", "present", "past"]))
        main = Clause(self.pronoun("subject"), verb(self.choose(["find", "lose", "see"])), "past", that(thing))
        return behind(main, thing, "", "", told)

    def life_changing(self) -> Pair:
        """ "This is the letter that changed my life", "The book that changed his life was new"."""
        thing = make(
            "subject", noun(self.choose(["letter", "book", "movie", "song", "story", "journey", "dream", "decision"]))
        )
        owner = self.pronoun("owner") if self.chance(0.7) else self.known_one("owner")
        life = make("life", noun("life"), owner=owner)
        changes = verb("change")._replace(vector="دے")
        if self.chance(0.5):
            inner = Clause(replace(relative("relative", thing, "that"), pronoun=None), changes, "past", life).pair()
            return this_is(thing, "", "", rename(inner, "second"), self.choose(["present", "past"]))
        what = replace(jo_phrase(thing), english=words("that", "relative"))
        inner = rename(Clause(what, changes, "past", life).pair(), "second")
        kinds = noun(" ".join(word.text for word in thing.english if word.role == "subject/noun"))
        mood = self.predicate(self.choose_word(self.graded(kinds) or self.graded(noun("book"))), thing)
        said = be_clause(meant(thing, inner.english), self.choose(["present", "past"]), *mood)
        return Pair(said.english, inner.urdu + said.urdu)


def who(head: NounPhrase) -> NounPhrase:
    """ "Who" as the subject of a clause about `head`: جو, جس نے."""
    return relative("relative", head, "who")


def within(inner: Clause) -> Pair:
    """ "Who works in a bank": a clause with the relative pronoun as its subject."""
    return Pair(words("who", "subject/relative") + without_head(inner), inner.pair().urdu)


def with_aside(head: NounPhrase, inner: Pair) -> NounPhrase:
    """ "My brother, who ...,": the clause between commas in both languages."""
    return replace(
        head,
        english=head.english + words(",") + inner.english + words(","),
        direct=head.direct + words("،") + inner.urdu + words("،"),
        pronoun=None,
    )


def behind(main: Clause, thing: NounPhrase, english: str, urdu: str, inner: Pair) -> Pair:
    """ "I saw the house where he lives": the clause stands last in both languages."""
    role = f"{english}/question"
    said = replace(main, object=thing).pair().english
    return Pair(said + words(english, role) + inner.english, main.pair().urdu + words(urdu, role) + inner.urdu)


def this_is(thing: NounPhrase, english: str, urdu: str, inner: Pair, tense: str = "present") -> Pair:
    """ "This is the house where I live": یہ وہ گھر ہے جہاں میں رہتا ہوں."""
    this = replace(
        thing,
        english=words("this", "this/pronoun"),
        direct=words("یہ", "this/pronoun"),
        english_object=(),
        pronoun=None,
    )
    start = be_clause(this, tense, thing.english, that(thing).direct)
    role = f"{english}/question"
    return Pair(start.english + words(english, role) + inner.english, start.urdu + words(urdu, role) + inner.urdu)


def posed(head: NounPhrase, posture: str, spot: Adjunct) -> NounPhrase:
    """ "The man standing near the door": دروازے کے پاس کھڑا آدمی."""
    role = f"{head.direct[-1].role.split('/')[0]}-pose/verb"
    return described(head, words(posture, role) + spot.english, spot.urdu, POSTURES[posture], role)


def who_is(told: NounPhrase) -> Pair:
    """ "Who is the man standing near the door?": the question word stands before the Urdu verb."""
    end = be_clause(replace(told, pronoun=None), "present", (), words("کون", "question")).urdu
    return Pair(words("who", "question") + words(told.be) + told.english, end, True)
