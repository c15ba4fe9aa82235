"""Random courtesies: thanks, excuses, greetings to others, invitations, introductions, and words on the phone."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, add_postposition, name_phrase, pronoun_phrase, words
from corpora.everyday.clauses import Adjunct, Clause, adverb, postposed, rename
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.deeds import aim, infinite
from corpora.everyday.joined_deeds import OWNERS
from corpora.everyday.lexicon import adverbs, names, noun, nouns_of, verb
from corpora.everyday.phrases import make
from corpora.everyday.turns import Turner
from corpora.everyday.when_clauses import CHORES
from corpora.urdu_forms import agree, copula

THANKED = "book letter gift food tea help advice money water flower picture information work time message ticket"
EXCUSED = "noise mistake trouble problem question behaviour accident"
SUBJECTS = "homework work problem lesson plan project question exam book bag task letter"
MATTERS = "accident problem secret plan letter money meeting idea party gift decision mistake journey"
LOUD = "radio television music phone song"
HOW = {"quickly", "slowly", "carefully", "quietly", "loudly", "politely", "patiently", "gently", "immediately", "well"}
KIN = "friend brother sister son daughter teacher neighbour cousin"
PLEASE = words("please", "greeting"), words("براہ کرم", "greeting")
NOTHING: tuple[Phrase, Phrase] = ((), ())


class Host(Turner):
    """A speaker who also thanks, apologises, greets, invites and introduces."""

    def courtesy_kinds(self) -> list[tuple]:
        return [
            (self.thanks, 6),
            (self.excuse, 4),
            (self.hello_to, 3),
            (self.lets, 6),
            (self.two_orders, 5),
            (self.order_how, 4),
            (self.help_with, 3),
            (self.tell_nobody, 3),
            (self.louder, 3),
            (self.introducing, 3),
            (self.on_the_phone, 3),
        ]

    def please(self) -> tuple[Phrase, Phrase]:
        return PLEASE if self.chance(0.35) else NOTHING

    def thanks(self) -> Pair:
        """ "Thank you for the book", "Thank you very much for helping me": میری مدد کرنے کے لیے شکریہ."""
        how = self.choose(["thank you", "thank you", "thank you very much", "thanks"])
        if self.chance(0.5):
            word = noun(self.choose(THANKED.split()))
            many = word.plural is not None and self.chance(0.3)
            owner = pronoun_phrase("thing-owner", "you") if self.chance(0.4) else None
            thing = make("thing", word, "pl" if many else "sg", "these" if many else self.choose(["the", "this"]),
                         owner=owner)  # fmt: skip
            return thanks_for(how, thing.english, postposed(thing, "کے لیے"))
        deed = self.doing(pronoun_phrase("subject", "you"), own=False)
        if self.chance(0.4):
            other = pronoun_phrase("object", self.choose(["I", "I", "we"]))
            names_ = self.choose(["help", "call", "invite", "wait for", "listen to", "visit", "save", "teach"])
            deed = Clause(pronoun_phrase("subject", "you"), verb(names_), "future", other)
        inner = rename(Pair(aim(deed, "ing"), infinite(deed)), "aim")
        return thanks_for(how, inner.english, inner.urdu + words("کے لیے"))

    def excuse(self) -> Pair:
        """ "Sorry for the noise": شور کے لیے معذرت; "I am sorry for breaking the glass"."""
        start = self.choose(["sorry", "I am sorry", "I am very sorry"])
        if self.chance(0.5):
            word = noun(self.choose(EXCUSED.split()))
            owner = self.pronoun("thing-owner", "I we he she") if self.chance(0.4) else None
            thing = make("thing", word, "sg", self.choose(["the", "this"]), owner=owner)
            return sorry_for(start, thing.english, postposed(thing, "کے لیے"))
        deed = self.doing(pronoun_phrase("subject", "I"), own=False)
        inner = rename(Pair(aim(deed, "ing"), infinite(deed)), "aim")
        return sorry_for(start, inner.english, inner.urdu + words("کے لیے"))

    def hello_to(self) -> Pair:
        """ "Say hello to your mother": اپنی والدہ کو میرا سلام کہیں."""
        subject = pronoun_phrase("subject", "you")
        while True:
            other = self.person("hearer", "he she they", subject)
            if other.direct[0].text not in ("سب", "کوئی"):
                return say_hello(other, *self.please())

    def lets(self) -> Pair:
        """ "Let's go home": آئیے گھر جائیں; "Let's not wait": آئیے انتظار نہ کریں."""
        deed = self.told(pronoun_phrase("subject", "we"), "subjunctive")
        return lets(replace(deed, negative=self.chance(0.15)))

    def two_orders(self) -> Pair:
        """ "Sit down and rest": بیٹھ جائیں اور آرام کریں."""
        you = pronoun_phrase("subject", "you")
        first, second = (replace(self.among(CHORES, you), tense="imperative") for _ in range(2))
        one, two = first.pair(), rename(replace(second, negative=self.chance(0.15)).pair(), "second")
        please = self.please()
        english = please[0] + one.english + words("and", "joint") + two.english
        return Pair(english, please[1] + one.urdu + words("اور", "joint") + two.urdu)

    def order_how(self) -> Pair:
        """ "Come here quickly", "Please read the letter carefully": یہاں جلدی آئیں."""
        deed = self.told(pronoun_phrase("subject", "you"), "imperative")
        chosen = self.choose([one for one in adverbs("manner") if one.english in HOW])
        if self.chance(0.25):
            where = self.choose(
                [one for one in adverbs("place") if one.english in ("here", "outside", "inside", "there")]
            )
            deed = replace(deed, verb=verb("come"), object=None, recipient=None)
            deed = replace(deed, adjuncts=(adverb(where.english, where.urdu, "place"),))
        how = Adjunct(words(chosen.english, "how/time"), words(chosen.urdu, "how/time"), "manner")
        pair = replace(deed, adjuncts=(*[a for a in deed.adjuncts if a.slot == "place"], how)).pair()
        please = self.please()
        return Pair(please[0] + pair.english, please[1] + pair.urdu)

    def help_with(self) -> Pair:
        """ "Help me with my homework", "Can you help him with this problem?": میں میری مدد کریں."""
        whom = pronoun_phrase("object", self.choose(["I", "I", "we", "he", "she", "they"]))
        word = noun(self.choose(SUBJECTS.split()))
        owner = pronoun_phrase("with-owner", OWNERS[whom.possessive])
        thing = make("with", word, "sg", self.choose(["this", "the"]), owner=owner if self.chance(0.5) else None)
        asks = self.choose(["", "can", "could", "will"])
        subject = pronoun_phrase("subject", "you")
        tense = {"": "imperative", "will": "future"}.get(asks, "can")
        clause = Clause(subject, verb("help"), tense, whom, question="yes/no" if asks else "")
        return help_with(clause, thing, asks)

    def tell_nobody(self) -> Pair:
        """ "Do not tell anyone about the accident": حادثے کے بارے میں کسی کو نہ بتائیں."""
        pointed = self.choose(["this", "that", "it", ""])
        if pointed:
            thing = replace(pronoun_phrase("matter", "it"), english=words(pointed, "matter/pronoun"), english_object=())
        else:
            thing = self.noun("matter", noun(self.choose(MATTERS.split())), None, True)
        please = self.please()
        english = (
            please[0] + words("do") + words("not", "not") + words("tell", "verb") + words("anyone", "whom/pronoun")
        )
        about = words("about", "matter/preposition") + thing.english
        urdu = please[1] + postposed(thing, "کے بارے میں") + words("کسی کو", "whom/pronoun")
        return Pair(english + about, urdu + words("نہ", "not") + words("بتائیں", "verb"))

    def louder(self) -> Pair:
        """ "Turn the radio down": ریڈیو کی آواز کم کریں."""
        word, owned = noun(self.choose(LOUD.split())), self.chance(0.3)
        owner = self.pronoun("object-owner") if owned else None
        thing = make("object", word, "sg", self.choose(["the", "the", "this", "that"]), owner=owner,
                     own=owner is not None and owner.possessive == "your")  # fmt: skip
        return louder(thing, self.choose(["up", "down"]), *self.please())

    def introducing(self) -> Pair:
        """ "This is my friend Ali": یہ میرا دوست علی ہے."""
        one = self.choose(names())
        known = name_phrase("named", one)
        fit = [word for word in nouns_of(KIN) if word.gender == one.gender]
        return introduce(make("subject", self.choose(fit), owner=self.pronoun("owner", "I I we he she")), known)

    def on_the_phone(self) -> Pair:
        """ "Hello, this is Ali speaking": سلام، میں علی بول رہا ہوں."""
        one = name_phrase("speaking", self.choose(names()))
        still = agree("رہا", one.gender, "sg")
        english = words("this is", "me/pronoun") + one.english + words("speaking", "verb")
        urdu = words("میں", "me/pronoun") + one.direct + words("بول", "verb") + words(f"{still} ہوں")
        hello = (words("hello ,", "greeting"), words("سلام ،", "greeting")) if self.chance(0.6) else NOTHING
        return Pair(hello[0] + english, hello[1] + urdu)


def thanks_for(how: str, english: Phrase, urdu: Phrase) -> Pair:
    """ "Thank you for the book": کتاب کے لیے شکریہ."""
    much = "بہت بہت شکریہ" if how.endswith("much") else "شکریہ"
    return Pair(words(how, "thanks/verb") + words("for") + english, urdu + words(much, "thanks/verb"))


def sorry_for(start: str, english: Phrase, urdu: Phrase) -> Pair:
    """ "Sorry for the noise": شور کے لیے معذرت; "I am sorry for": کے لیے معذرت خواہ ہوں."""
    ends = {"sorry": "معذرت", "I am sorry": "میں معذرت چاہتا ہوں", "I am very sorry": "میں بہت معذرت چاہتا ہوں"}
    end = words(ends[start], "sorry/verb")
    place = 0 if start == "sorry" else 1  # میں stands before what one is sorry for
    return Pair(words(start, "sorry/verb") + words("for") + english, end[:place] + urdu + end[place:])


def say_hello(other: NounPhrase, english: Phrase = (), urdu: Phrase = ()) -> Pair:
    """ "Say hello to Ali": علی کو میرا سلام کہیں."""
    said = words("say", "verb") + words("hello", "hello/noun") + words("to") + other.as_object
    told = add_postposition(other, "کو") + words("میرا") + words("سلام", "hello/noun") + words("کہیں", "verb")
    return Pair(english + said, urdu + told)


def lets(deed: Clause) -> Pair:
    """ "Let's go": آئیے چلیں."""
    negation = words("not", "not") if deed.negative else ()
    english = words("let 's", "let/modal") + negation + aim(replace(deed, negative=False), "")
    return Pair(english, words("آئیے", "let/modal") + urdu_of(replace(deed, silent=True)))


def help_with(clause: Clause, thing: NounPhrase, asks: str = "") -> Pair:
    """ "Help me with the homework": ہوم ورک میں میری مدد کریں."""
    with_ = Adjunct(words("with", "with/preposition") + thing.english, postposed(thing, "میں"), "reason")
    pair = replace(clause, adjuncts=(with_,)).pair()
    english = (*words(asks, "modal"), *pair.english[1:]) if asks else pair.english
    return Pair(english, pair.urdu, pair.asks)


def louder(thing: NounPhrase, way: str, english: Phrase = (), urdu: Phrase = ()) -> Pair:
    """ "Turn the radio down": ریڈیو کی آواز کم کریں."""
    said = words("turn", "verb") + thing.english + words(way, "way/adjective")
    more = words("اونچی" if way == "up" else "کم", "way/adjective")
    return Pair(english + said, urdu + postposed(thing, "کی آواز") + more + words("کریں", "verb"))


def introduce(who: NounPhrase, named: NounPhrase) -> Pair:
    """ "This is my friend Ali": یہ میرا دوست علی ہے."""
    this = words("this", "this/pronoun"), words("یہ", "this/pronoun")
    end = words(copula("present", who.agreement))
    return Pair(this[0] + words("is") + who.english + named.english, this[1] + who.direct + named.direct + end)
