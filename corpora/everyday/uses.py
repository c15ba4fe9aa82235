"""Random sentences with "for", "with", "without", "about", "like", "as", "instead of", "because of" and the like."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import PRONOUNS, NounPhrase, pronoun_phrase, words
from corpora.everyday.becoming import MOODS
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, at
from corpora.everyday.degrees import described_as, pointer
from corpora.everyday.lexicon import noun, nouns_of, verb
from corpora.everyday.phrases import described, make
from corpora.everyday.qualities import MEN, feminine
from corpora.everyday.whereabouts import Locator

GIVEN = "gift book flower letter key food tea water money phone toy clothes bag cake card"
TOOLS = {  # a verb, what is done to, and the tools: چاقو سے
    "cut": ("vegetable fruit", "knife"),
    "write": ("letter poem story note", "pen pencil"),
    "draw": ("picture image", "pencil pen"),
    "open": ("door box gate", "key"),
    "wash": ("clothes hand", "soap"),
    "clean": ("table floor room window", "brush broom"),
    "hit": ("ball", "bat stick"),
    "eat": ("food", "spoon fork"),
    "break": ("glass window plate", "hammer stone"),
    "dig": ("hole well", "spade"),
    "repair": ("device vehicle", "hammer screwdriver"),
}
PLAIN = {  # what is had without something
    "tea": "sugar milk",
    "coffee": "sugar milk",
    "milk": "sugar",
    "bread": "butter honey",
    "rice": "meat salt",
    "food": "salt oil",
    "water": "ice",
    "juice": "ice sugar",
}
LEFT_BEHIND = "phone umbrella money coat key ticket bag glasses book friend brother sister mother"
CAUSES = "rain storm traffic fever illness noise heat war snow fog accident mistake headache flood weather smoke"
REASONS = {"because of": "کی وجہ سے", "in spite of": "کے باوجود", "despite": "کے باوجود"}
TOPICS = "history Pakistan animal music weather war life school village cricket food sport nature science love"
TOLD = "family school village city work job house trip plan"
ABOUT = "book film story song letter programme question poem article news"
ACCORDING = "teacher doctor newspaper report mother father book police news brother manager"


class User(Locator):
    """A speaker who also says for whom, with what, without what, because of what and about what."""

    def use_kinds(self) -> list[tuple]:
        return [
            (self.for_somebody, 5),
            (self.with_tool, 5),
            (self.plain_drink, 4),
            (self.without_it, 3),
            (self.because_of, 5),
            (self.instead_of, 3),
            (self.like_or_as, 9),
            (self.about_it, 6),
            (self.according_to, 4),
        ]

    def for_somebody(self) -> Pair:
        """ "These are for you", "This gift is for my mother", "Is the tea for me?"."""
        word = noun(self.choose(GIVEN.split()))
        several = word.quantity == "plural" or (word.plural is not None and self.chance(0.3))
        pointing = self.choose(["these", "those"] if several else ["this", "that"])
        thing = make("subject", word, "pl" if several else "sg", self.choose([pointing, pointing, "the"]))
        if self.chance(0.4) and (thing.number == "pl") == several:  # "this" is not said for پیسے
            thing = pointer(thing, pointing)
        whose = self.person("for", "I you he she we they")
        negative, question = self.question_or_not(thing)
        aim = at("for", whose)
        return be_clause(thing, self.choose(["present", "present", "past"]), aim.english, aim.urdu, negative, question)

    def with_tool(self) -> Pair:
        """ "He cut the apple with a knife", "Wash your hands with soap": چاقو سے."""
        name = self.choose(list(TOOLS))
        kinds, tools = TOOLS[name]
        order = self.chance(0.25)
        subject = pronoun_phrase("subject", "you") if order else self.known_person()
        word = self.choose_word(nouns_of(kinds))
        many = word.quantity != "mass" and (word.quantity == "plural" or self.chance(0.3))
        own = word.kind == "body" or self.chance(0.15)
        owner = owner_back("object-owner", subject) if own else None
        thing = make("object", word, "pl" if many else "sg", "the", owner=owner, own=owner is not None)
        tool = noun(self.choose(tools.split()))
        held = make("tool", tool, determiner="" if tool.quantity == "mass" or tool.english == "soap" else "a")
        tense = (
            "imperative"
            if order
            else self.choose(["past", "past", "future", "present", "progressive", "can", "should"])
        )
        with_ = at("with", held.without_article(), "with", "سے")
        return Clause(subject, verb(name), tense, thing, adjuncts=(with_,), negative=self.chance(0.12)).pair()

    def plain_drink(self) -> Pair:
        """ "I drink tea without sugar": چینی کے بغیر چائے."""
        word = noun(self.choose(list(PLAIN)))
        lacking = make("lacking", noun(self.choose(PLAIN[word.english].split())), determiner="")
        thing = without(make("object", word, determiner=self.choose(["", "", "the"])), lacking)
        subject = self.known_person()
        doing = verb("drink" if word.kind == "drink" else "eat") if self.chance(0.6) else verb("like")
        tense = "present" if doing.dative else self.choose(["present", "present", "past", "future", "want to", "can"])
        negative, question = self.question_or_not(subject)
        return Clause(subject, doing, tense, thing, negative=negative, question=question).pair()

    def without_it(self) -> Pair:
        """ "He went home without his phone": اپنے فون کے بغیر."""
        deed = replace(self.deed(self.known_person()), adjuncts=())
        word = noun(self.choose(LEFT_BEHIND.split()))
        owner = owner_back("lacking-owner", deed.subject) if self.chance(0.8) else None
        number = "pl" if word.quantity == "plural" else "sg"
        lacking = make("lacking", word, number, "the", owner=owner, own=owner is not None)
        tense = self.choose(["past", "past", "future", "present", "can"])
        return replace(deed, tense=tense, adjuncts=(at("without", lacking, "with"),), negative=self.chance(0.15)).pair()

    def because_of(self) -> Pair:
        """ "We stayed at home because of the rain", "In spite of the fever she went to school"."""
        word = self.choose([one for one in nouns_of(CAUSES) if one.english in CAUSES.split()])
        bare = word.kind == "illness"
        cause = make("cause", word, determiner=("a" if word.english == "fever" else "") if bare else "the")
        preposition = self.choose(["because of", "because of", "because of", "in spite of", "despite"])
        why = at(preposition, cause.without_article(), "reason", REASONS[preposition])
        if self.chance(0.25):
            why = why._replace(position="front")
        subject = self.known_person()
        if self.chance(0.25):
            mood = self.choose([a for a in self.graded(noun("friend")) if a.english in MOODS])
            return be_clause(subject, self.be_tense(), *described_as(mood, subject), adjuncts=(why,))
        deed = replace(self.deed(subject), adjuncts=(why,), tense=self.choose(["past", "past", "future", "could"]))
        return replace(deed, negative=self.chance(0.4)).pair()

    def instead_of(self) -> Pair:
        """ "She drank tea instead of coffee": کافی کے بجائے چائے."""
        doing = verb(self.choose(["buy", "eat", "drink", "read", "play", "cook", "bring", "learn"]))
        first, second = (self.choose_word(nouns_of(doing.objects)) for _ in range(2))
        if first.urdu == second.urdu or first.kind == "kin":
            return self.instead_of()
        thing = make("object", first, determiner="" if first.quantity == "mass" or first.kind == "language" else "a")
        other = make("other", second, determiner="" if second.quantity == "mass" or second.kind == "language" else "a")
        instead = at("instead of", other.without_article(), "with")
        tense = self.choose(["past", "past", "future", "present", "want to", "should"])
        return Clause(self.known_person(), doing, tense, thing, adjuncts=(instead,)).pair()

    def like_or_as(self) -> Pair:
        """ "She sings like her mother", "He works as a driver": اپنی والدہ کی طرح, ڈرائیور کے طور پر."""
        subject = self.known_person()
        tense = self.choose(["present", "present", "past", "progressive", "used to", "want to"])
        if self.chance(0.5):
            word = self.choose_word([one for one in nouns_of("profession") if one.english not in MEN])
            word = feminine(word) if subject.gender == "f" else word
            if subject.be == "are" and subject.possessive != "your":
                return self.like_or_as()
            role = make("role", word, determiner="a").without_article()
            return Clause(subject, verb("work"), tense, adjuncts=(at("as", role, "manner", "کے طور پر"),)).pair()
        doing = verb(self.choose(["run", "sing", "swim", "walk", "laugh", "cry", "work", "sleep", "dance"]))
        like = self.relative("like", subject) if self.chance(0.6) else self.name("like")
        return Clause(subject, doing, tense, adjuncts=(at("like", like, "manner"),)).pair()

    def about_it(self) -> Pair:
        """ "I read a book about animals", "Tell me about your family": کے بارے میں."""
        if self.chance(0.4):
            thing = self.noun(
                "topic",
                noun(self.choose(["family", "school", "village", "city", "work", "job", "house", "trip", "plan"])),
            )
            teller = Clause(pronoun_phrase("subject", "you"), verb("tell"), "imperative")
            whom = pronoun_phrase("recipient", self.choose(["I", "we", "he", "they", "she"]))
            return replace(teller, recipient=whom, recipient_first=True, adjuncts=(at("about", thing, "late"),)).pair()
        word = self.choose([one for one in nouns_of(TOPICS) if one.english in TOPICS.split()])
        topic = make("topic", word, "pl" if word.kind == "animal" else "sg", "")
        told = self.choose([one for one in nouns_of(ABOUT) if one.plural and one.english in ABOUT.split()])
        about = at("about", topic)
        thing = behind_it(make("object", told, determiner=self.choose(["a", "a", "this"])), about)
        doing = verb("watch" if told.kind == "media" else "hear" if told.kind == "sound" else "read")
        tense = self.choose(["past", "past", "future", "progressive" if told.kind != "sound" else "past", "want to"])
        return Clause(self.known_person(), doing, tense, thing).pair()

    def according_to(self) -> Pair:
        """ "According to the doctor, she is ill": ڈاکٹر کے مطابق."""
        who = make("source", noun(self.choose(ACCORDING.split())))
        if who.number == "pl" or noun("brother").urdu == who.direct[-1].text:
            who = make("source", noun(self.choose(["mother", "father"])), owner=self.pronoun("source-owner"))
        source = at("according to", who, urdu="کے مطابق")
        subject = self.known_person()
        pair = be_clause(subject, self.be_tense(), *self.mood_of(subject)) if self.chance(0.5) else self.plain("past")
        return Pair(source.english + words(",") + pair.english, source.urdu + pair.urdu)


def owner_back(slot: str, subject: NounPhrase) -> NounPhrase | None:
    """The pronoun whose possessive leads back to the subject, in Urdu اپنا."""
    names = [row[0] for row in PRONOUNS if row[8] == subject.possessive]
    return pronoun_phrase(slot, names[0]) if names else None


def without(thing: NounPhrase, lacking: NounPhrase) -> NounPhrase:
    """ "Tea without sugar": چینی کے بغیر چائے."""
    return behind_it(thing, at("without", lacking))


def behind_it(thing: NounPhrase, more: Adjunct) -> NounPhrase:
    """A noun with a phrase behind it, which stands before it in Urdu as it is."""
    last = more.urdu[-1]
    return described(thing, more.english, more.urdu[:-1], last.text, last.role)
