"""Random sentences whose Urdu verb depends on its company: miss a bus or a friend, lose things, borrow, put salt in."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, name_phrase, possessive, pronoun_phrase, words
from corpora.everyday.becoming import intransitive
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, adverb, at, postposed, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.counting import at_hour, table
from corpora.everyday.english import verb_forms
from corpora.everyday.free_relatives import Relativer
from corpora.everyday.lexicon import Verb, adjectives_of, daily_verbs, noun, nouns_of, places, verb, verbs
from corpora.everyday.phrases import decline_words, indefinite, join, make
from corpora.everyday.relatives import who, with_aside, within

LOST = "key phone wallet passport ring bag book pen watch ticket umbrella camera purse money glasses card notebook"
TRANSPORT = "bus train flight plane taxi"
MISHAPS = {  # English verb -> Urdu verb, and the things of the subject that it befalls
    "miss": (intransitive("miss", "چھوٹ", "جا"), f"{TRANSPORT} class"),
    "lose": (intransitive("lose lost lost losing", "کھو", "جا"), LOST),
    "break": (intransitive("break broke broken", "ٹوٹ", "جا"), "arm leg finger tooth glasses nose wrist ankle"),
    "hurt": (
        intransitive("hurt hurt hurt", "لگ")._replace(complement="چوٹ", agrees="f"),
        "leg arm hand foot knee back head shoulder finger elbow ankle",
    ),
}
STOLEN = f"{LOST} car bicycle motorcycle laptop phone television jewellery necklace"
LENT = "book pen money car bicycle umbrella camera calculator laptop dress coat pencil dictionary notebook"
SHARED = "cake money bread land food sweet chocolate property work"
STIRRED = {
    "sugar": "tea coffee milk",
    "salt": "soup food salad rice",
    "milk": "tea coffee",
    "pepper": "soup food salad",
}
STIRRED |= {"ice": "juice water", "spice": "food rice", "honey": "milk tea", "oil": "pan", "water": "glass bottle pot"}
HOUSES = "village city house town apartment tent palace flat hut"
CARRIERS = "train bus plane flight ship"
UPSTAIRS = "office room flat shop library apartment classroom bank restaurant"
UNKNOWN = "answer address truth name reason secret"
ADDED = ("put put put putting", "add", "pour")
ALONGSIDE = {"with": "family parent parents kin", "near": "school station park hospital river market mosque sea"}
OWNERS = {"my": "I", "your": "you", "his": "he", "her": "she", "our": "we", "their": "they"}
MISS_TENSES = "present,present,present,past,future"
MISSED = "home city village country school house friend grandmother mother father brother sister son daughter"


class Companion(Relativer):
    """A speaker who chooses the Urdu verb by what stands beside the English one."""

    def company_kinds(self) -> list[tuple]:
        return [
            (self.mishap, 12),
            (self.missing, 6),
            (self.living, 8),
            (self.living_aside, 4),
            (self.stolen, 5),
            (self.borrowing, 4),
            (self.lending, 3),
            (self.dividing, 3),
            (self.adding, 6),
            (self.injecting, 2),
            (self.leaving, 5),
            (self.on_floor, 3),
            (self.knowing, 6),
            (self.on_the_way, 3),
            (self.daily, 40),
            (self.going_to, 8),
        ]

    def daily(self) -> Pair:
        """A deed of daily life, in any tense, denied or asked."""
        return self.usual_clause().pair()

    def usual_clause(self, tense: str = "", plain: bool = False) -> Clause:
        """A deed of daily life of somebody."""
        while True:
            clause = self.clause(plain, tense)
            if clause.verb in daily_verbs():
                return clause

    def told_or_asked(self, clause: Clause, tenses: str, timed: bool = True) -> Pair:
        """The clause in one of these tenses, said, denied or asked, and perhaps with a time if it is `timed`."""
        tense = self.choose(tenses.split(","))
        negative, question = self.question_or_not(clause.subject)
        time = self.time(tense) if timed and self.chance(0.3) else None
        if time is not None and (question or negative or time.position != "end"):
            time = None
        adjuncts = (*clause.adjuncts, *((time,) if time else ()))
        return replace(clause, tense=tense, negative=negative, question=question, adjuncts=adjuncts).pair()

    def sure_person(self) -> NounPhrase:
        """A pronoun, a name or one relative."""
        if self.chance(0.55):
            return self.pronoun("subject")
        return self.known_one("subject")

    def mishap(self) -> Pair:
        """ "I lost my keys": میری چابیاں کھو گئیں; "We missed our bus", "Ali broke his leg", "She hurt her hand"."""
        english = self.choose(list(MISHAPS))
        doing, things = MISHAPS[english]
        word = noun(self.choose(things.split()))
        subject = self.sure_person()
        number = "pl" if word.plural and word.kind == "thing" and self.chance(0.2) else "sg"
        last = [a for a in adjectives_of(word) if a.english == "last"] if english == "miss" and self.chance(0.3) else []
        tense = self.choose(["past", "past", "past", "perfect"])
        negative, question = self.question_or_not(subject) if self.chance(0.5) else (False, "")
        time = self.time("past") if tense == "past" and not (negative or question) and self.chance(0.4) else None
        owned = english != "miss" or self.chance(0.4)
        return befall(
            Clause(subject, doing, tense, None, None, (time,) if time else (), negative, question),
            make("object", word, number, "the", last),
            owned,
        )

    def missing(self) -> Pair:
        """ "I miss my mother a lot": مجھے اپنی ماں بہت یاد آتی ہے."""
        subject = self.sure_person()
        if self.chance(0.35):
            other = self.pronoun("object")
        elif self.chance(0.2):
            other = self.name("object")
        else:
            owner = self.matching(subject) if self.chance(0.8) else self.pronoun("object-owner")
            own = owner.possessive == subject.possessive
            other = make("object", self.choose([noun(one) for one in MISSED.split()]), owner=owner, own=own)
        if other.direct[-1].text == subject.direct[-1].text or other.possessive == subject.possessive:
            return self.missing()
        much = self.choose(["a lot", "very much", "so much", "", ""])
        how = (adverb(much, "بہت", "manner"),) if much else ()
        return self.told_or_asked(Clause(subject, verb("miss"), "present", other, adjuncts=how), MISS_TENSES)

    def matching(self, subject: NounPhrase) -> NounPhrase:
        """The owner that is the subject itself."""
        return pronoun_phrase("object-owner", OWNERS[subject.possessive])

    def home(self, subject: NounPhrase) -> tuple[Adjunct, ...]:
        """Where somebody lives, or with whom."""
        city = at("in", name_phrase("place", self.choose(places())))
        kind = self.pick({"city": 40, "place": 20, "near": 12, "with": 20, "both": 8})
        kinfolk = self.relative("company", subject)
        if kinfolk.direct[-1].text == subject.direct[-1].text:
            kind = "city"
        beside = at("with", kinfolk, "with")
        if kind == "place":
            word = noun(self.choose(HOUSES.split()))
            plain = make("place", word, determiner=self.choose(["a", "this", "that", "the"]))
            return (at("in", plain),)
        if kind == "near":
            return (at("near", make("place", self.choose(nouns_of(ALONGSIDE["near"])))),)
        return {"city": (city,), "with": (beside,), "both": (city, beside)}[kind]

    def living(self) -> Pair:
        """ "My cousin lives in Karachi with his family", "Where do you live?" """
        subject = self.living_subject()
        doing = plain_live()
        if self.chance(0.12):
            tense = self.choose(["present", "present", "past"])
            return Clause(subject, doing, tense, question="where").pair()
        clause = Clause(subject, doing, "present", adjuncts=self.home(subject))
        tenses = "present,present,present,used to,past,future,want to,progressive,past progressive"
        return self.told_or_asked(clause, tenses, False)

    def living_aside(self) -> Pair:
        """ "My cousin, who lives in Karachi, is a doctor"."""
        head = self.known_one("subject")
        tense = self.choose(["present", "present", "used to"])
        inner = Clause(who(head), plain_live(), tense, adjuncts=self.home(head)[:1])
        told = with_aside(head, rename(within(inner), "second"))
        if self.chance(0.5):
            return be_clause(told, self.choose(["present", "present", "past"]), *self.mood_of(head))
        clause = self.doing(head)
        tense = self.choose(["future", "progressive", "want to"])
        return replace(clause, subject=told, tense=tense, adjuncts=()).pair()

    def stolen(self) -> Pair:
        """ "My bag was stolen": میرا بیگ چوری ہو گیا; "Somebody stole his car"."""
        word = noun(self.choose(STOLEN.split()))
        thing = make("subject", word, owner=self.owner("subject-owner"))
        if self.chance(0.3):
            someone = indefinite("subject", self.choose(["somebody", "someone"]))
            thief = (
                someone if self.chance(0.6) else make("subject", noun("thief"), determiner=self.choose(["a", "the"]))
            )
            thing = make("object", word, owner=self.owner("object-owner"))
            return Clause(thief, verb("steal"), self.choose(["past", "perfect"]), thing).pair()
        clause = Clause(thing, verb("steal"), "past", passive=True)
        return self.told_or_asked(clause, "past,past,past,perfect")

    def borrowing(self) -> Pair:
        """ "I borrowed some money from my brother": میں نے اپنے بھائی سے کچھ پیسے ادھار لیے."""
        subject = self.sure_person()
        source = self.person("source", "", subject)
        if source.direct[-1].text == subject.direct[-1].text:
            return self.borrowing()
        doing = verb("borrow")
        thing = self.noun("object", noun(self.choose(LENT.split())), subject, False)
        clause = Clause(subject, doing, "past", thing, adjuncts=(at("from", source, "with"),))
        return self.told_or_asked(clause, "past,past,future,want to,can,perfect,going to")

    def lending(self) -> Pair:
        """ "He lent me his car", "Can you lend me some money?" """
        subject = self.sure_person()
        other = self.recipient(subject)
        lend = next(v for v in verbs() if v.base == "lend")
        thing = self.noun("object", noun(self.choose(LENT.split())), subject)
        clause = Clause(subject, lend, "past", thing, other, recipient_first=self.chance(0.8))
        return self.told_or_asked(clause, "past,past,future,can,want to,perfect")

    def dividing(self) -> Pair:
        """ "She divided the cake between the children": اس نے کیک بچوں میں تقسیم کیا."""
        subject = self.sure_person()
        divide = verb("divide")._replace(english=verb_forms(self.choose(["divide", "share"])))
        if self.chance(0.7):
            people = self.choose(
                ["child", "friend", "brother", "sister", "student", "son", "daughter", "neighbour", "worker", "guest"]
            )
            group = make("group", noun(people), "pl", self.choose(["the", "the", "these"]))
            if self.chance(0.3):
                group = make("group", noun(people), "pl", owner=self.matching(subject), own=True)
        else:
            group = join(self.name("group"), self.name("group-too"))
        thing = make("object", noun(self.choose(SHARED.split())))
        role = "group/preposition"
        among = self.choose(["between", "among"])
        where = Adjunct(words(among, role) + group.as_object, postposed(group, "میں")[:-1] + words("میں", role), "late")
        return self.told_or_asked(Clause(subject, divide, "past", thing, adjuncts=(where,)), "past,past,future,have to")

    def adding(self) -> Pair:
        """ "Put some salt in the soup", "She puts two spoons of sugar in her tea"."""
        content = self.choose(list(STIRRED))
        word, vessel = noun(content), noun(self.choose(STIRRED[content].split()))
        doing = Verb(verb_forms(self.choose(ADDED)), "", "ڈال", "", "", "", "person", "food", True, "", frozenset())
        subject = self.sure_person()
        thing = make("object", word, determiner=self.choose(["", "some", "more", "too much", "the", "a lot of"]))
        into = make("place", vessel)
        if self.chance(0.3):
            into = make("place", vessel, owner=self.matching(subject), own=True)
        where = at(self.choose(["in", "in", "into"]) if doing.base != "add" else "to", into, urdu="میں")
        clause = Clause(subject, doing, "past", thing, adjuncts=(where,))
        if self.chance(0.35):
            clause = replace(clause, subject=self.pronoun("subject", "you"))
            where = at("to" if doing.base == "add" else "in", make("place", vessel), urdu="میں")
            return replace(clause, tense="imperative", adjuncts=(where,), negative=self.chance(0.25)).pair()
        return self.told_or_asked(clause, "past,past,future,progressive,forgot to,should,have to,present")

    def injecting(self) -> Pair:
        """ "The doctor gave me an injection": ڈاکٹر نے مجھے ایک انجکشن لگایا."""
        give = verb("give")._replace(stem="لگا", vector="")
        subject = make("subject", noun(self.choose(["doctor", "nurse", "dentist"])))
        person = self.recipient(subject)
        shot = make("object", noun("injection"), determiner="a")
        clause = Clause(subject, give, "past", shot, person, recipient_first=self.chance(0.8))
        return self.told_or_asked(clause, "past,past,future,perfect")

    def leaving(self) -> Pair:
        """ "She left for Lahore", "The train leaves for Karachi at nine o'clock"."""
        leave = intransitive("leave left left", "ہو", "جا")._replace(complement="روانہ")
        place = name_phrase("place", self.choose(places()))
        if self.chance(0.3):
            place = make("place", noun(self.choose(["office", "school", "airport", "hospital", "station", "village"])))
        aim = (at("for", place),) if self.chance(0.7) else ()
        vehicle = make("subject", noun(self.choose(CARRIERS.split())), determiner="the")
        if self.chance(0.45) or not aim:
            when = self.hour_adjunct() if self.chance(0.5) else ()
            tense = self.choose(["present", "past", "future", "perfect"])
            return Clause(vehicle, leave, tense, adjuncts=(*aim, *when)).pair()
        return self.told_or_asked(Clause(self.sure_person(), leave, "past", adjuncts=aim), "past,past,future,perfect")

    def hour_adjunct(self) -> tuple[Adjunct, ...]:
        return (at_hour(self.hour()),)

    def on_floor(self) -> Pair:
        """ "Our flat is on the second floor": ہمارا فلیٹ دوسری منزل پر ہے."""
        order = self.choose(list(table("ordinal"))[:10])
        role = "place/number"
        urdu = words(decline_words(table("ordinal")[order], "f", "sg", True), role)
        english = words("on", "floor/preposition") + words("the") + words(order, role) + words("floor", "floor/noun")
        where = Adjunct(english, urdu + words("منزل", "floor/noun") + words("پر", "floor/preposition"), "place")
        if self.chance(0.5):
            word = noun(self.choose(UPSTAIRS.split()))
            thing = self.noun("subject", word, definite=True)
            negative, question = self.question_or_not(thing)
            tense = self.choose(["present", "present", "past"])
            return be_clause(thing, tense, where.english, where.urdu, negative, question)
        clause = Clause(self.living_subject(), plain_live(), "present", adjuncts=(where,))
        return self.told_or_asked(clause, "present,present,used to", False)

    def knowing(self) -> Pair:
        """ "Nobody knew the answer": کسی کو جواب معلوم نہیں تھا."""
        doing = knowing_verb()
        subject = indefinite("subject", "nobody") if self.chance(0.3) else self.living_subject()
        word = noun(self.choose(UNKNOWN.split()))
        thing = make("object", word)
        if word.english in ("address", "name") or self.chance(0.2):
            thing = make("object", word, owner=self.owner("object-owner"))
        tense = self.choose(["present", "present", "past", "past", "future"])
        negative, question = self.question_or_not(subject)
        return Clause(subject, doing, tense, thing, negative=negative, question=question).pair()

    def on_the_way(self) -> Pair:
        """ "I met him on the way": میں اس سے راستے میں ملا; "on the way home"."""
        english, urdu = self.choose([
            ("on the way", "راستے میں"), ("on the way home", "گھر کے راستے میں"),
            ("on the way to school", "اسکول جاتے ہوئے راستے میں"), ("in the back", "پیچھے"), ("at the back", "پیچھے"),
            ("in front", "آگے"), ("in the middle", "درمیان میں"), ("at the front", "آگے"), ("at the bottom", "نیچے"),
            ("at the top", "اوپر"),
        ])  # fmt: skip
        clause = self.deed(self.known_person())
        names = ("sit", "stand", "play") if "way" not in english else ()
        doing = verb(self.choose(names)) if names else clause.verb
        if names:
            doing = next(v for v in verbs() if v.base == doing.base and not v.objects and not v.particle)
            clause = replace(clause, verb=doing, object=None, recipient=None)
        tense = self.choose(
            ["past", "past", "progressive", "past progressive"] if names else ["past", "past", "future"]
        )
        return replace(clause, tense=tense, adjuncts=(adverb(english, urdu, "place"),)).pair()

    def going_to(self) -> Pair:
        """ "We are going to buy a house": ہم ایک گھر خریدنے جا رہے ہیں."""
        subject = self.known_person()
        clause = self.deed(subject)
        time = self.time("future") if self.chance(0.4) else None
        negative, question = self.question_or_not(subject)
        asked = "yes/no" if question else ""
        if time is not None and time.position != "end":
            time = None
        return replace(
            clause, tense="going to", negative=negative, question=asked, adjuncts=(time,) if time else ()
        ).pair()


def knowing_verb() -> Verb:
    """To know a fact, an answer, a name: معلوم ہونا."""
    return next(one for one in daily_verbs() if one.stem == "معلوم")


def plain_live() -> Verb:
    """ "Live" before a place or with somebody: رہنا."""
    return verb("live in")._replace(particle="", marker="", objects="", features=frozenset({"habit"}))


def befall(clause: Clause, thing: NounPhrase, owned: bool) -> Pair:
    """What befalls a thing or a part of the body of the subject: میری بس چھوٹ گئی, اس کی ٹانگ میں چوٹ لگی."""
    subject, doing = clause.subject, clause.verb
    english_thing = thing
    if owned:
        owner = pronoun_phrase("subject-owner", OWNERS[subject.possessive])
        role = subject.english[0].role if subject.pronoun is not None else owner.english[0].role
        english_thing = replace(thing, english=words(owner.possessive, role) + without_the(thing))
    told = english_of(replace(clause, object=english_thing))
    if doing.complement:
        place = possessive(subject, thing.gender, thing.number, True) + thing.oblique + words("میں")
        wound = replace(subject, gender=doing.agrees, number="sg", person=3)
        hurt = replace(clause, adjuncts=(*clause.adjuncts, Adjunct((), place, "place")), silent=True, subject=wound)
        return Pair(told, urdu_of(hurt), bool(clause.question))
    whole = possessive(subject, thing.gender, thing.number, False) + thing.direct
    return Pair(told, urdu_of(replace(clause, subject=replace(thing, direct=whole))), bool(clause.question))


def without_the(thing: NounPhrase) -> Phrase:
    """ "Last bus" of "the last bus"."""
    return thing.english[1:] if thing.english[0].text == "the" else thing.english
