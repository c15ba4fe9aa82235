"""Random sentences with relative clauses, reported speech and reported questions."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, Word, pronoun_phrase, words
from corpora.everyday.actions import is_negative
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Clause, at, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.complex_sentences import FRIEND, Narrator
from corpora.everyday.lexicon import noun, nouns, nouns_of, verb
from corpora.everyday.phrases import make, relative
from corpora.everyday.speaker import others


class Reporter(Narrator):
    """A speaker who tells of the man who came, and of what was said."""

    def head(self, slot: str, kinds: str) -> NounPhrase:
        """ "The tall man": a noun phrase for a relative clause."""
        word = self.choose_word([w for w in nouns_of(kinds) if w.quantity == "count" and w.plural is not None])
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
        head = make("subject", self.choose_word(choices), "pl" if self.chance(0.25) else "sg")
        inner = Clause(
            self.pronoun("inner"), doing, self.choose(["past", "past", "perfect"]), jo_phrase(head), object_before=True
        )
        which = words(self.choose(["that", "which", ""]), "subject/relative")
        return self.about(head, which + replace(inner, object=None).pair().english, inner.pair().urdu)

    def about(self, head: NounPhrase, english: Phrase, urdu: Phrase) -> Pair:
        """Says something of a noun with a relative clause. In Urdu the clause comes first, then وہ, اس نے or اسے."""
        subject = meant(head, english)
        pair = self.say_of(subject, head)
        return Pair(pair.english, urdu + pair.urdu)

    def say_of(self, subject: NounPhrase, head: NounPhrase) -> Pair:
        if head.kind != "person":
            said = " ".join(word.text for word in head.english if word.role == "subject/noun")
            kinds = next(w for w in nouns() if said in (w.english, w.plural))
            choices = self.graded(kinds) or self.graded(noun("house"))
            return be_clause(
                subject, self.choose(["present", "past"]), *self.predicate(self.choose_word(choices), head)
            )
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

    def reported(self) -> Pair:
        """ "I think that she is ill", "He said that he was tired", "She told me that ...": کہ."""
        subject = self.pronoun("subject")
        that_word = words("that" if self.chance(0.7) else "", "joint"), words("کہ", "joint")
        kind = self.choose(["think", "know", "say", "tell", "hope", "believe", "hear"])
        now = kind not in ("say", "tell", "hear")
        content = self.content(now)
        told = {
            "think": ("thinks" if subject.be == "is" else "think", "خیال"),
            "know": ("knows" if subject.be == "is" else "know", "معلوم"),
            "hope": ("hopes" if subject.be == "is" else "hope", "امید"),
            "believe": ("believes" if subject.be == "is" else "believe", "یقین"),
            "say": ("said", "کہا"),
            "tell": ("told", "بتایا"),
            "hear": ("heard", "سنا"),
        }[kind]
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


def meant(head: NounPhrase, english: Phrase) -> NounPhrase:
    """The head with its relative clause as a subject: in Urdu وہ alone, since the clause stands before it."""
    pronoun = pronoun_phrase("subject", "they" if head.number == "pl" else "he")
    back = tuple(Word(word.text, "subject/relative") for word in pronoun.direct)
    return replace(
        pronoun,
        english=head.english + english,
        english_object=(),
        direct=back,
        be=head.be,
        gender=head.gender,
        possessive=head.possessive,
    )


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
