"""Random sentences of several clauses: joined, subordinate, relative and reported ones."""

from __future__ import annotations

from dataclasses import replace

from model.train.corpora.en_ur_clauses import Pair
from model.train.corpora.en_ur_phrases import NounPhrase, Phrase, Word, pronoun_phrase, words
from model.train.corpora.everyday.actions import ing_phrase, is_negative
from model.train.corpora.everyday.clauses import Clause, at, be_clause, rename, without_subject
from model.train.corpora.everyday.clauses import english as english_of
from model.train.corpora.everyday.lexicon import noun, nouns, nouns_of, verb, verbs
from model.train.corpora.everyday.phrases import make, relative
from model.train.corpora.everyday.speaker import others
from model.train.corpora.everyday.statements import Describer
from model.train.corpora.urdu_forms import Agreement, perfective, subjunctive

JOINTS = {"and": "اور", "but": "لیکن", "or": "یا", "because": "کیونکہ", "so": "اس لیے"}
REPORTING = {  # English -> Urdu predicate in present and past; "dative" subjects take کو
    "think": ("سوچتا", ""), "know": ("معلوم", "dative"), "say": ("کہہ", "say"), "believe": ("یقین", "dative"),
    "hope": ("امید", "dative"), "hear": ("سن", "ne"), "forget": ("بھول", "v"),
}  # fmt: skip


class Narrator(Describer):
    """A speaker whose sentences have several clauses."""

    def plain(self, tense: str = "", subject: NounPhrase | None = None) -> Pair:
        """A short statement, about an action or a quality."""
        return self.clause(True, tense, subject).pair()

    def state(self, subject: NounPhrase, tense: str) -> Pair:
        """Somebody is happy, sick or tired."""
        return be_clause(subject, tense, *self.predicate(self.choose(self.graded(FRIEND)), subject))

    def two(self) -> Pair:
        """Two statements, joined."""
        first = self.plain() if self.chance(0.7) else self.quality()
        second = self.plain() if self.chance(0.6) else self.quality()
        if first.asks or second.asks:
            return self.two()
        return self.link(first, self.choose(list(JOINTS)), second)

    def link(self, first: Pair, joint: str, second: Pair) -> Pair:
        """Two clauses with a joint; Urdu has a comma if English has one."""
        comma = words("," if self.chance(0.4) else "")
        marks = words("،" if comma else "")
        second = rename(second, "second")
        return Pair(
            first.english + comma + words(joint, "joint") + second.english,
            first.urdu + marks + words(JOINTS[joint], "joint") + second.urdu,
        )

    def same_subject(self) -> Pair:
        """ "She came home and cooked dinner": the subject is said once if Urdu marks it alike in both."""
        subject = self.person("subject")
        tense = self.choose(["past", "future", "present", "past"])
        first, second = (self.clause(True, tense, subject) for _ in range(2))
        second = replace(second, adjuncts=tuple(a for a in second.adjuncts if a.slot != "time"))
        alike = first.marker == second.marker and first.tense == second.tense
        if not alike or is_negative(subject) or first.negative or second.negative:
            return self.same_subject()
        if first.adjuncts and first.adjuncts[-1].position == "end":
            first = replace(first, adjuncts=())
        joint = self.choose(["and", "or", "but"]) if tense != "past" else "and"
        rest = rename(without_subject(second), "second")
        return Pair(
            first.pair().english + words(joint, "joint") + rest.english,
            first.pair().urdu + words(JOINTS[joint], "joint") + rest.urdu,
        )

    def because(self) -> Pair:
        """ "I did not go to school because I was sick"."""
        subject = self.person("subject", "I he she we they you")
        if is_negative(subject):
            return self.because()
        tense = self.choose(["present", "past", "future"])
        first = self.clause(True, tense, subject).pair()
        pronoun = again(subject)
        reason = (
            self.state(pronoun, "present" if tense == "future" else tense)
            if self.chance(0.6)
            else self.plain(tense, pronoun)
        )
        return self.link(first, self.choose(["because", "because", "but"]), reason)

    def so(self) -> Pair:
        """ "I was tired, so I went home", "She is so tired that she cannot walk"."""
        subject = self.person("subject", "I he she we they you")
        if is_negative(subject):
            return self.so()
        tense = self.choose(["present", "past"])
        return self.link(
            self.state(subject, tense),
            "so",
            self.plain(self.choose([tense, "future"]) if tense == "present" else tense, again(subject)),
        )

    def when_clause(self) -> Pair:
        """ "When I came home, she was cooking", "Call me when you arrive": جب ... تو."""
        joint = self.choose(["when", "when", "when", "while", "as soon as", "whenever"])
        tenses = {
            "when": [("past", "past progressive"), ("past", "past"), ("present", "present"), ("was", "past")],
            "while": [("past progressive", "past"), ("past progressive", "past progressive")],
            "as soon as": [("past", "past")], "whenever": [("present", "present")],
        }[joint]  # fmt: skip
        first_tense, second_tense = self.choose(tenses)
        first = self.state(self.pronoun("subject"), "past") if first_tense == "was" else self.plain(first_tense)
        second = self.plain(second_tense)
        return self.front(
            joint,
            {"when": "جب", "while": "جب", "as soon as": "جیسے ہی", "whenever": "جب بھی"}[joint],
            first,
            second,
            "تو" if joint != "as soon as" else "",
        )

    def front(self, english: str, urdu: str, first: Pair, second: Pair, then: str) -> Pair:
        """A subordinate clause. In English it stands first or second, in Urdu always first."""
        first, second = rename(first, "second"), second
        word, urdu_word = words(english, "joint"), words(urdu, "joint")
        urdu_words = urdu_word + first.urdu + words(then) + second.urdu
        if self.chance(0.5):
            return Pair(word + first.english + words(",") + second.english, urdu_words)
        return Pair(second.english + word + first.english, urdu_words)

    def condition(self) -> Pair:
        """ "If it rains, we will stay at home", "If you are hungry, eat something"."""
        subject = self.person("subject", "I you he she we they")
        if is_negative(subject):
            return self.condition()
        roll = self.rng.random()
        if roll < 0.25:
            rain = Pair(words("it") + words("rains", "verb"), words("بارش ہوئی", "verb"))
            return self.front("if", "اگر", rain, self.plain("future"), "تو")
        if roll < 0.55:
            return self.front(
                "if", "اگر", self.state(subject, "present"), self.plain(self.choose(["future", "should", "can"])), "تو"
            )
        first = self.clause(True, "future", subject)
        while first.verb.dative:
            first = self.clause(True, "future", subject)
        first = replace(first, tense="conditional", adjuncts=tuple(a for a in first.adjuncts if a.slot != "time"))
        second = self.clause(True, self.choose(["future", "future", "can", "must"]))
        return self.front("if", "اگر", as_condition(first), second.pair(), "تو")

    def although(self) -> Pair:
        """ "Although he was tired, he worked": اگرچہ ... لیکن."""
        subject = self.person("subject", "I he she we they you")
        if is_negative(subject):
            return self.although()
        tense = self.choose(["present", "past"])
        first, second = self.state(subject, tense), self.plain(tense, again(subject))
        second = rename(second, "second")
        english = words(self.choose(["although", "though", "even though"]), "joint")
        return Pair(
            english + first.english + words(",") + second.english,
            words("اگرچہ", "joint") + first.urdu + words("لیکن") + second.urdu,
        )

    def so_that(self) -> Pair:
        """ "I work hard so that I can buy a house": تاکہ ... سکوں."""
        subject = self.pronoun("subject")
        clause = self.clause(True, "can", subject)
        while clause.verb.dative or clause.negative or clause.tense != "can":
            clause = self.clause(True, "can", subject)
        clause = replace(clause, adjuncts=())
        aim = rename(Pair(clause.pair().english, able(clause)), "second")
        first = self.plain(self.choose(["present", "future", "progressive"]), subject)
        return Pair(
            first.english + words("so that", "joint") + aim.english, first.urdu + words("تاکہ", "joint") + aim.urdu
        )

    def before_after(self) -> Pair:
        """ "After eating dinner, he went home", "She reads before sleeping"."""
        doing = self.choose([v for v in verbs() if not v.dative and "person" in v.subjects.split() and v.marker in ("", "کا", "سے")
                             and not v.features & {"to", "where", "adj", "stative"} and v.vector == ""])  # fmt: skip
        subject = self.person("subject")
        object_ = self.object(doing, subject)
        english, urdu = ing_phrase(doing, object_)
        preposition, marker = self.choose(
            [("after", "کے بعد"), ("before", "سے پہلے"), ("without", "بغیر"), ("instead of", "کے بجائے")]
        )
        if preposition == "without":  # دیکھے بغیر
            urdu = urdu[:-1] + words(perfective(doing.stem, Agreement("m", "pl")), "verb")
        ing = rename(Pair(english, urdu), "second")
        main = self.clause(True, self.choose(["past", "present", "future"]), subject)
        main = replace(main, adjuncts=(), negative=False)
        if is_negative(subject):
            return self.before_after()
        pair = main.pair()
        joint, after = words(preposition, "joint"), words(marker, "joint")
        urdu_words = ing.urdu + after + pair.urdu
        if self.chance(0.5) and preposition in ("after", "before"):
            return Pair(joint + ing.english + words(",") + pair.english, urdu_words)
        return Pair(pair.english + joint + ing.english, urdu_words)

    # Relative clauses

    def head(self, slot: str, kinds: str) -> NounPhrase:
        """ "The tall man": a noun phrase for a relative clause."""
        word = self.choose([w for w in nouns_of(kinds) if w.quantity == "count" and w.plural is not None])
        chosen, degree = self.describing(word)
        return make(slot, word, "pl" if self.chance(0.2) else "sg", "the", chosen, degree=degree)

    def relative_subject(self) -> Pair:
        """ "The man who came yesterday is my uncle": جو آدمی کل آیا وہ میرا چچا ہے."""
        if self.chance(0.5):
            head = self.head("subject", "person profession")
            inner = self.clause(True, self.choose(["past", "progressive", "present"]), make("subject", noun("man")))
            inner = replace(inner, subject=jo_phrase(head))
            if inner.verb.dative or (inner.tense == "present" and head.be == "are"):
                return self.relative_subject()
            who = words(self.choose(["who", "who", "that"]), "subject/relative")
            return self.about(head, who + without_head(inner), inner.pair().urdu)
        doing = verb(self.choose(["buy", "read", "write", "see", "eat", "wear", "lose", "make"]))
        choices = [w for w in nouns_of(doing.objects) if w.quantity == "count" and w.plural is not None]
        choices = [w for w in choices if w.kind not in ("kin", "parent", "sky", "person", "profession")] or [
            noun("book")
        ]
        head = make("subject", self.choose(choices), "pl" if self.chance(0.25) else "sg")
        inner = Clause(
            self.pronoun("inner"), doing, self.choose(["past", "past", "perfect"]), jo_phrase(head), object_before=True
        )
        which = words(self.choose(["that", "which", ""]), "subject/relative")
        return self.about(head, which + replace(inner, object=None).pair().english, inner.pair().urdu)

    def about(self, head: NounPhrase, english: Phrase, urdu: Phrase) -> Pair:
        """Says something of a noun with a relative clause. In Urdu the clause comes first, and then وہ, اس نے or اسے."""
        many = head.number == "pl"
        pronoun = pronoun_phrase("subject", "they" if many else "he")
        back = tuple(Word(word.text, "subject/relative") for word in pronoun.direct)
        subject = replace(pronoun, english=head.english + english, english_object=(), direct=back, be=head.be,
                          gender=head.gender, possessive=head.possessive)  # fmt: skip
        pair = self.say_of(subject, head)
        return Pair(pair.english, urdu + pair.urdu)

    def say_of(self, subject: NounPhrase, head: NounPhrase) -> Pair:
        if head.kind != "person":
            said = " ".join(word.text for word in head.english if word.role == "subject/noun")
            kinds = next(w for w in nouns() if said in (w.english, w.plural))
            choices = self.graded(kinds) or self.graded(noun("house"))
            return be_clause(subject, self.choose(["present", "past"]), *self.predicate(self.choose(choices), head))
        kind = self.choose(["quality", "action", "relation"])
        if kind == "action":
            inner = self.clause(True, self.choose(["past", "future"]), subject)
            return replace(inner, adjuncts=()).pair()
        if kind == "quality":
            return be_clause(subject, "present", *self.predicate(self.choose(self.graded(FRIEND)), head))
        word = noun(self.choose(["friend", "brother", "teacher", "enemy", "neighbour"]))
        if head.number == "pl" or head.gender == "f":
            word = FRIEND._replace(gender=head.gender)
        relation = make("predicate", word, head.number, owner=self.pronoun("predicate-owner"))
        return be_clause(subject, "present", relation.english, relation.direct)

    def relative_object(self) -> Pair:
        """ "I saw the man who bought the book": the relative clause stands last in both languages."""
        doing = verb(self.choose(["see", "meet", "know", "help", "call", "thank"]))
        head = self.head("object", "person profession")
        subject = self.pronoun("subject")
        main = Clause(
            subject, doing, "past" if "stative" not in doing.features or doing.base == "see" else "present", that(head)
        )
        inner = self.clause(True, self.choose(["past", "present", "progressive"]), make("subject", noun("man")))
        if inner.verb.dative or (inner.tense == "present" and head.be == "are") or inner.verb.particle == "to":
            return self.relative_object()
        inner = replace(inner, subject=jo_phrase(replace(head, direct=(), oblique=())))
        tail = rename(Pair(words("who", "subject/relative") + without_head(inner), inner.pair().urdu), "second")
        english = replace(main, object=head).pair().english
        return Pair(english + tail.english, main.pair().urdu + tail.urdu)

    # Reported speech and questions

    def reported(self) -> Pair:
        """ "I think that she is ill", "He said that he was tired", "She told me that ...": کہ."""
        subject = self.pronoun("subject")
        that_word = words("that" if self.chance(0.7) else "", "joint"), words("کہ", "joint")
        kind = self.choose(["think", "know", "say", "tell", "hope", "believe", "hear"])
        now = kind not in ("say", "tell", "hear")
        content = self.content(now)
        told = {
            "think": ("thinks" if subject.be == "is" else "think", "خیال"), "know": ("knows" if subject.be == "is" else "know", "معلوم"),
            "hope": ("hopes" if subject.be == "is" else "hope", "امید"), "believe": ("believes" if subject.be == "is" else "believe", "یقین"),
            "say": ("said", "کہا"), "tell": ("told", "بتایا"), "hear": ("heard", "سنا"),
        }[kind]  # fmt: skip
        whom: tuple[Phrase, Phrase] = ((), ())
        if kind == "tell":
            other = self.pronoun("recipient", " ".join(others(subject)))
            whom = other.as_object, at("about", other, urdu="کو").urdu
        main_english = subject.english + words(told[0], "main/verb") + whom[0]
        if kind == "think":
            mine = at("about", subject, urdu="کا").urdu
            start = mine + words("خیال", "main/verb") + words("ہے")
        elif now:
            start = at("about", subject, urdu="کو").urdu + words(told[1], "main/verb") + words("ہے")
        else:
            start = at("about", subject, urdu="نے").urdu + whom[1] + words(told[1], "main/verb")
        content = rename(content, "second")
        return Pair(main_english + that_word[0] + content.english, start + that_word[1] + content.urdu)

    def content(self, now: bool) -> Pair:
        """What is thought or said. After "said", English steps back in time, and Urdu does not."""
        if now:
            return (
                self.plain(self.choose(["future", "present", "progressive", "past"]))
                if self.chance(0.6)
                else self.state(self.pronoun("subject"), "present")
            )
        subject = self.pronoun("subject", "he she they")
        if self.chance(0.5):
            rest_subject = subject
            pair = self.state(rest_subject, "present")
            was = words("were" if subject.be == "are" else "was")
            return Pair(subject.english + was + pair.english[2:], pair.urdu)
        clause = self.clause(True, "future", subject)
        while clause.verb.dative:
            clause = self.clause(True, "future", subject)
        clause = replace(clause, adjuncts=(), negative=False)
        return Pair(english_of(replace(clause, tense="would")), clause.pair().urdu)

    def embedded(self) -> Pair:
        """ "I do not know where he lives", "Do you know who came?", "Tell me why you are sad"."""
        inner = self.clause(True, self.choose(["past", "future", "present"]))
        while inner.verb.dative or inner.verb.marker == "bare" or is_negative(inner.subject):
            inner = self.clause(True, self.choose(["past", "future", "present"]))
        inner = replace(inner, adjuncts=(), negative=False)
        asked = self.choose(["where", "when", "why", "how"])
        urdu_inner = rename(Pair((), replace(inner, question=asked).pair().urdu), "second").urdu
        english_inner = rename(Pair(words(asked, "question") + inner.pair().english, ()), "second").english
        kind = self.choose(["know", "ask", "tell"])
        if kind == "know":
            start = words("I", "subject/pronoun") + words("do") + words("not", "not") + words("know", "main/verb")
            urdu_start = words("مجھے", "subject/pronoun") + words("نہیں", "not") + words("معلوم", "main/verb")
            return Pair(start + english_inner, urdu_start + words("کہ") + urdu_inner)
        if kind == "ask":
            start = words("do") + words("you", "subject/pronoun") + words("know", "main/verb")
            urdu_start = words("کیا") + words("آپ کو", "subject/pronoun") + words("معلوم", "main/verb") + words("ہے کہ")
            return Pair(start + english_inner, urdu_start + urdu_inner, True)
        start = words("tell", "main/verb") + words("me", "recipient/pronoun")
        return Pair(
            start + english_inner,
            words("مجھے", "recipient/pronoun") + words("بتائیں", "main/verb") + words("کہ") + urdu_inner,
        )


FRIEND = noun("friend")


def again(subject: NounPhrase) -> NounPhrase:
    """The pronoun for a subject that was named before. In Urdu it agrees with the one that it means."""
    if subject.pronoun is not None and subject.english[0].text in ("I", "you", "he", "she", "we", "they"):
        return subject
    english = "they" if subject.be == "are" else "she" if subject.gender == "f" else "he"
    pronoun = pronoun_phrase("subject", english)
    if subject.number == "pl" and subject.be == "is":  # plural out of respect: my father, وہ ... ہیں
        return replace(pronoun_phrase("subject", "they"), english=pronoun.english, english_object=pronoun.english_object,
                       be="is", gender=subject.gender, possessive=pronoun.possessive)  # fmt: skip
    return replace(pronoun, gender=subject.gender)


def jo_phrase(head: NounPhrase) -> NounPhrase:
    """The head behind جو: جو آدمی, جس آدمی نے, جن لوگوں کو. Without a head's words it is جو alone."""
    who = relative("relative", head)
    if not head.direct:
        return who
    return replace(who, direct=who.direct + head.direct, oblique=who.oblique + head.oblique, pronoun=None)


def without_head(clause: Clause) -> Phrase:
    """The English of a relative clause, without its subject."""
    return english_of(replace(clause, subject=replace(clause.subject, english=())))


def that(head: NounPhrase) -> NounPhrase:
    """The head with وہ, اس or ان before it: the one of whom more is said."""
    many = head.number == "pl"
    return replace(head, direct=words("وہ") + head.direct, oblique=words("ان" if many else "اس") + head.oblique)


def as_condition(clause: Clause) -> Pair:
    """A condition: in Urdu the perfective for what may come, اگر آپ آئے."""
    english = replace(clause, tense="present").pair().english
    return Pair(english, replace(clause, tense="past").pair().urdu)


def able(clause: Clause) -> Phrase:
    """The Urdu of a clause with سکوں, سکے or سکیں: what somebody shall be able to do."""
    said = replace(clause, tense="can").pair().urdu
    place = next(i for i, word in enumerate(said) if word.text.startswith("سک") and word.role.endswith("modal"))
    return said[:place] + words(subjunctive("سک", clause.subject.agreement), "modal")
