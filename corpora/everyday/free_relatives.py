"""Random sentences with "what you bought", "the pictures you took", "whose", "who had no", and "where I was born"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, pronoun_phrase, words
from corpora.everyday.being import be_clause, have
from corpora.everyday.clauses import Adjunct, Clause, rename
from corpora.everyday.complex_sentences import FRIEND
from corpora.everyday.durations import born
from corpora.everyday.indirect_questions import that_thing, what
from corpora.everyday.lexicon import noun, nouns_of, verb
from corpora.everyday.phrases import make, relative
from corpora.everyday.relatives import behind, this_is, with_aside
from corpora.everyday.reports import jo_phrase, meant, that
from corpora.everyday.sayings import Sayer
from corpora.everyday.speaker import others
from corpora.urdu_lexicon import Noun

BOTH = ["buy", "read", "write", "lose", "sell", "make", "wear", "eat", "see", "break", "send", "bring", "use", "choose"]
MAINS = ["like", "see", "read", "buy", "eat", "lose", "sell", "use", "bring", "keep", "wear", "wash", "want"]
THEN = {  # what somebody did -> what another did with it, and what one may be asked to do
    "say": ("like remember hear understand forget", "tell"),
    "see": ("remember forget", "tell show"),
    "do": ("like remember see", "tell show"),
    "write": ("like read see", "give show send"),
    "buy": ("like see sell use", "give show send"),
    "find": ("like see sell", "give show"),
    "make": ("like see sell", "give show send"),
    "cook": ("like eat", "give"),
}
PLACES = "house city village hospital country room"
LACKED = "money food water work time house car book key friend child son"
OWNED = "brother sister son daughter father mother house car dog book school shop bicycle shoe"


class Relativer(Sayer):
    """A speaker who also names things by what somebody did with them, and people by what is theirs."""

    def relativer_kinds(self) -> list[tuple]:
        return [
            (self.what_somebody_did, 5),
            (self.things_taken, 8),
            (self.whose_is, 5),
            (self.who_had_no, 4),
            (self.where_born, 3),
        ]

    def taken(self, thing: NounPhrase, names: list[str], kinds: str) -> Pair | None:
        """ "(That) my father bought": the clause, in Urdu with جو."""
        fit = [one for one in names if set(verb(one).objects.split()) & {*kinds.split()}]
        if not fit:
            return None
        doing = verb(self.choose(fit))
        if doing.dative or doing.features & {"to", "where"}:
            doing = verb("buy")
        inner = Clause(
            self.known_person(), doing, self.choose(["past", "past", "past", "perfect", "future"]),
            replace(relative("relative", thing), pronoun=None), object_before=True,
        )  # fmt: skip
        link = words(self.choose(["", "", "that", "which"]), "relative")
        return rename(Pair(link + replace(inner, object=None).pair().english, inner.pair().urdu), "second")

    def things_taken(self) -> Pair:
        """ "I like the pictures you took": مجھے وہ تصویریں پسند ہیں جو آپ نے کھینچیں."""
        doing = verb(self.choose(MAINS))
        if doing.features & {"to", "where"}:
            return self.things_taken()
        words_ = [w for w in nouns_of(doing.objects) if w.quantity == "count" and w.plural is not None]
        words_ = [w for w in words_ if w.kind in ("thing", "text", "clothes", "fruit", "device", "vehicle", "writing")]
        if not words_:
            return self.things_taken()
        word = self.choose_word(words_)
        thing = make("object", word, "pl" if self.chance(0.4) else "sg")
        inner = self.taken(thing, BOTH, f"{word.kind} {word.english}")
        if inner is None:
            return self.things_taken()
        subject = self.known_person()
        tense = self.choose(["present", "past"]) if doing.dative else self.choose(["past", "past", "future", "perfect"])
        negative = self.chance(0.2)
        return behind(Clause(subject, doing, tense, that(thing), negative=negative), thing, "", "", inner)

    def what_somebody_did(self) -> Pair:
        """ "Give me what you bought": آپ نے جو خریدا وہ مجھے دیں; "She ate what he cooked"."""
        teller = self.known_person()
        name = self.choose(list(THEN))
        inner = what(Clause(teller, self.what_verb(name), "past"))
        if self.chance(0.35):
            receiver = pronoun_phrase("recipient", self.choose(["I", "I", "we", "he", "she", "they"]))
            doing = verb(self.choose(THEN[name][1].split()))
            main = Clause(pronoun_phrase("subject", "you"), doing, "imperative", that_thing(), receiver,
                          recipient_first=True, object_before=True)  # fmt: skip
        else:
            subject = self.pronoun("subject", " ".join(others(teller)))
            doing = verb(self.choose(THEN[name][0].split()))
            main = Clause(subject, doing, "past", that_thing(), object_before=True, negative=self.chance(0.25))
        return Pair(replace(main, object=None).pair().english + inner.english, inner.urdu + main.pair().urdu)

    def whose_is(self) -> Pair:
        """ "The girl whose brother is ill is my friend": جس لڑکی کا بھائی بیمار ہے وہ ..."""
        head = self.head("subject", "person profession")
        word = noun(self.choose(OWNED.split()))
        return self.whose_said(
            head, word, lambda owned: self.said_of_owned(owned, word), lambda one: self.said(one, head)
        )

    def whose_said(
        self, head: NounPhrase, word: Noun, told: Callable[[NounPhrase], Pair], said: Callable[[NounPhrase], Pair]
    ) -> Pair:
        """What is `told` of somebody's `word`, and what is `said` of this one."""
        inner = rename(told(whose(head, word)), "second")
        main = said(meant(head, inner.english))
        return Pair(main.english, inner.urdu + main.urdu)

    def said_of_owned(self, owned: NounPhrase, word: Noun) -> Pair:
        """What is said of somebody's brother or house."""
        tense = self.choose(["present", "past"])
        if word.kind not in ("kin", "parent"):
            return be_clause(owned, tense, *self.predicate(self.choose_word(self.graded(word)), owned))
        if self.chance(0.5):
            return self.state(owned, tense)
        return replace(self.doing(owned, own=False), tense=self.choose(["past", "future"])).pair()

    def said(self, subject: NounPhrase, head: NounPhrase) -> Pair:
        """What the one did, will do or is."""
        if self.chance(0.5):
            return self.say_of(subject, head)
        return replace(self.doing(subject, own=False), tense=self.choose(["past", "future"])).pair()

    def who_had_no(self) -> Pair:
        """ "The man, who had no money, went home": آدمی، جس کے پاس پیسے نہیں تھے، گھر گیا."""
        head = self.head("subject", "person profession")
        word = noun(self.choose(LACKED.split()))
        kin = word.english in ("friend", "child", "son")
        thing = make("owned", word, "pl" if word.quantity == "count" and self.chance(0.4) else "sg", "no")
        owner = replace(jo_phrase(replace(head, direct=(), oblique=())), english=words("who", "relative"))
        has = rename(have(owner, thing, "past", "kin" if kin else "thing"), "second")
        told = with_aside(head, has)
        if self.chance(0.4):
            return be_clause(told, "past", *self.predicate(self.choose_word(self.graded(FRIEND)), head))
        main = replace(self.doing(head, own=False), subject=told, tense="past")
        return (replace(main, tense="future") if main.marker else main).pair()  # the clause stands before نے else

    def where_born(self) -> Pair:
        """ "This is the house where I was born": یہ وہ گھر ہے جہاں میں پیدا ہوا."""
        inner = rename(born(self.known_person()), "second")
        place = make("object", noun(self.choose(PLACES.split())))
        if self.chance(0.5):
            return this_is(place, "where", "جہاں", inner, self.choose(["present", "present", "past"]))
        doing = verb(self.choose(["see", "leave", "see"]))
        doing = verb("see") if doing.marker else doing
        tense = self.choose(["past", "want to", "future", "perfect"])
        main = Clause(self.known_person(), doing, tense, that(place), adjuncts=self.maybe_never(tense))
        return behind(main, place, "where", "جہاں", inner)

    def maybe_never(self, tense: str) -> tuple[Adjunct, ...]:
        """Now and then "never" beside a perfect."""
        if tense != "perfect" or self.chance(0.5):
            return ()
        return (Adjunct(words("never", "never/time"), words("کبھی", "never/time"), "late", "mid", True),)


def whose(head: NounPhrase, word: Noun) -> NounPhrase:
    """ "Whose brother": جس لڑکی کا بھائی."""
    owned = make("owned", word, "sg", "", owner=replace(jo_phrase(head), english=words("who", "relative")))
    english = words("whose", "relative") + tuple(one for one in owned.english if one.role.startswith("owned"))
    return replace(owned, english=english)
