"""Random deeds as infinitives: try to, learn to, start to, stop -ing, keep -ing, like -ing and their Urdu verbs."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, Word, add_postposition, words
from corpora.everyday.actions import is_negative
from corpora.everyday.becoming import Becomer
from corpora.everyday.clauses import Adjunct, Clause, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.english import verb_forms
from corpora.everyday.lexicon import Verb
from corpora.everyday.verb_groups import finite
from corpora.urdu_forms import MASCULINE, Agreement, agree, copula, habitual, infinitive

UNWILLED = {  # nobody is asked to do so, or tries to
    *["fall", "die", "fail", "lose", "disappear", "slip", "drop", "snore", "sneeze", "cough", "break", "spill"],
    *["tremble", "shake", "improve", "fall asleep", "get lost", "get sick", "get tired", "get angry", "destroy"],
    *["recover", "succeed", "receive", "reach", "notice", "waste", "hurt", "envy", "commit", "grow up", "yawn"],
    *["drag", "breathe", "live", "graduate", "tear", "kill", "get ready"],
    *[
        "miss",
        "feel",
        "arrive",
        "promise",
        "expect",
        "steal",
        "make a mistake",
        "win",
        "tell a lie",
        "go to sleep",
        "migrate",
        "threaten",
    ],
}


class Phase(NamedTuple):
    """A verb that takes another: "learn to swim", تیرنا سیکھنا. Without `marker` the infinitive stands bare."""

    verb: Verb
    links: str  # "to" and "ing": what may follow in English
    marker: str  # the Urdu postposition of the infinitive
    tenses: str
    denied: bool = True  # whether it is also said with "not"


def phase(forms: str, urdu: str, links: str, marker: str = "", more: str = "", **given: bool) -> Phase:
    """`more` holds the gender of the complement, features of the verb, and its tenses if they are not the usual."""
    agrees, features, tenses = (*more.split("/"), "", "")[:3]
    *complement, stem = urdu.split()
    vector = next((one[2:] for one in features.split() if one.startswith("v:")), "")
    verb = Verb(
        verb_forms(forms), "", stem, " ".join(complement), "", agrees, "person", "",
        "-ne" not in features, vector, frozenset(features.split()),
    )  # fmt: skip
    return Phase(verb, links, marker, tenses or USUAL, given.get("denied", True))


USUAL = "present,past,past,future,future,progressive,perfect,can,want to,have to,should,had to,going to,will have to"
PHASES = (
    *3 * (phase("try tried tried trying", "کوشش کر", "to", "کی", "f"),),
    *3 * (phase("learn", "سیکھ", "to"),),
    *2 * (phase("start", "شروع کر", "to ing", "", "/v:دے"),),
    phase("begin began begun beginning", "شروع کر", "to ing", "", "/v:دے"),
    *3 * (phase("stop stopped stopped stopping", "بند کر", "ing", "", "/v:دے"),),
    *3 * (phase("finish", "ختم کر", "ing", "", "/v:لے/past,past,future,perfect,will have to,have to"),),
    *3 * (phase("forget forgot forgotten forgetting", "بھول", "to", "", "/-ne v:جا/past,past,future,perfect"),),
    *3 * (phase("keep kept kept", "رہ", "ing", "تا", "/-ne/past,past,future,present", denied=False),),
    phase("decide", "فیصلہ کر", "to", "کا", "m//past,perfect,future,have to,will have to"),
    phase("promise", "وعدہ کر", "to", "کا", "m//past,perfect,future,present,can"),
    phase("refuse", "انکار کر", "to", "سے", "m//past,perfect,future", denied=False),
    phase("plan planned planned planning", "ارادہ کر", "to", "کا", "m//past,progressive,perfect", denied=False),
)  # fmt: skip
PHASE_BASES = {one.verb.base for one in PHASES}  # nobody begins to start


class Doer(Becomer):
    """A speaker who also says what somebody tries, learns, starts, stops or likes to do."""

    def deed(self, subject: NounPhrase, own: bool = True) -> Clause:
        """What somebody does of their own will. Without `own` nothing in it belongs to the doer."""
        while True:
            clause = self.clause(True, "future", subject)
            doing = clause.verb
            if doing.dative or doing.features & {"stative", "adj"} or doing.stem == "ہو":
                continue
            if {doing.base, f"{doing.base} {doing.particle}"} & UNWILLED or (
                clause.object and is_negative(clause.object)
            ):
                continue
            kept = tuple(a for a in clause.adjuncts if a.slot == "place" and not a.negative)
            clause = replace(clause, negative=False, adjuncts=kept)
            if own or not any(word.text.startswith("اپن") for word in infinite(clause)):
                return clause

    def phase(self) -> Pair:
        """ "She is learning to drive", "They stopped talking", "I tried to open the door"."""
        chosen = self.choose(PHASES)
        subject = self.known_person()
        deed = self.deed(subject)
        if deed.verb.base in PHASE_BASES or (chosen.verb.base == "finish" and not deed.verb.transitive):
            return self.phase()
        tense = self.choose(chosen.tenses.split(","))
        negative, question = self.question_or_not(subject)
        link = self.choose(chosen.links.split())
        if tense == "progressive" and "to" in chosen.links:
            link = "to"  # not "starting reading"
        said = in_phase(chosen, deed, tense, link, negative and chosen.denied, question)
        if tense == "past" and chosen.verb.base in ("start", "begin") and link == "to" and not negative:
            return self.phase()  # "started to cry" is رونے لگا
        return said

    def favourite(self) -> Pair:
        """ "I like swimming", "She loves to cook", "They enjoy playing", "Do you know how to drive?" """
        subject = self.known_person()
        deed = replace(self.deed(subject), adjuncts=())
        if deed.object is not None:
            deed = replace(deed, object=deed.object.without_article())
        kind = self.pick({"like": 5, "love": 4, "enjoy": 4, "know": 3, "hate": 1})
        negative, question = self.question_or_not(subject)
        negative = negative and kind in ("like", "know", "enjoy")
        tense = self.choose(["present", "present", "present", "past"]) if kind in ("enjoy", "know") else "present"
        link = "to" if kind == "love" and self.chance(0.5) else "how to" if kind == "know" else "ing"
        return favour(subject, kind, deed, tense, link, negative, question)


def infinite(deed: Clause, agreement: Agreement | None = None) -> Phrase:
    """The Urdu of a deed with its infinitive: oblique, or as it agrees. It keeps نہ of a denied deed."""
    if "adj" in deed.verb.features:  # چلے جانا, also of a woman
        complement = agree(deed.verb.complement, "m", "pl")
        deed = replace(deed, verb=deed.verb._replace(complement=complement, features=deed.verb.features - {"adj"}))
    said = replace(deed, tense="imperative").pair().urdu
    finite_words = 2 if deed.verb.vector == "جا" and not deed.denial else 1
    form = infinitive(deed.verb.stem, agreement is None)
    if agreement is not None:
        form = form[:-1] + agree("نا", agreement.gender, agreement.number)[1:]
    return said[:-finite_words] + words(form, "verb")


def unmarked(deed: Clause) -> Agreement:
    """What the infinitive of a deed agrees with: an object without a postposition, or the complement."""
    doing, object_ = deed.verb, deed.object
    if doing.agrees:
        return Agreement(doing.agrees[0], "pl" if doing.agrees.endswith("p") else "sg")
    bare = object_ is not None and not doing.marker and not object_.takes_ko and "ko" not in doing.features
    return object_.agreement._replace(person=3) if bare and object_ is not None else MASCULINE


def code(agreement: Agreement) -> str:
    """The agreement as the column of `Verb.agrees` writes it."""
    return agreement.gender + ("p" if agreement.number == "pl" else "")


def aim(deed: Clause, link: str = "to") -> Phrase:
    """ "To open the door", "not to open the door", "opening the door", or with `link` "" "open the door"."""
    said = english_of(replace(deed, tense="imperative", negative=False))
    negation = words("not", "not") if deed.negative else ()
    if link == "ing":
        return negation + tuple(
            Word(deed.verb.english[4], word.role) if place == 0 else word for place, word in enumerate(said)
        )
    return negation + words(link) + said


def in_phase(
    chosen: Phase, deed: Clause, tense: str, link: str, negative: bool = False, question: str = "", silent: bool = False
) -> Pair:
    """ "He is learning to swim": وہ تیرنا سیکھ رہا ہے."""
    subject, doing = deed.subject, chosen.verb
    clause = Clause(subject, doing, tense, negative=negative, question=question, silent=silent)
    if chosen.marker == "تا":
        polite = Agreement("m", "pl") if tense in ("imperative", "familiar") else subject.agreement
        urdu = infinite(deed)[:-1] + words(habitual(deed.verb.stem, polite), "verb")
    elif chosen.marker:
        urdu = infinite(deed) + words(chosen.marker)
    else:
        agreement = unmarked(deed) if clause.marker else MASCULINE
        clause = replace(clause, verb=doing._replace(agrees=code(agreement)))
        urdu = infinite(deed, agreement)
    inner = rename(Pair(aim(deed, link), urdu), "aim")
    return replace(clause, adjuncts=(Adjunct(inner.english, inner.urdu, "late"),)).pair()


def favour(
    subject: NounPhrase, kind: str, deed: Clause, tense: str, link: str, negative: bool = False, question: str = ""
) -> Pair:
    """ "She enjoys swimming": اسے تیرنے میں مزہ آتا ہے. "She likes swimming": اسے تیرنا پسند ہے."""
    forms = "know knew known" if kind == "know" else kind
    plain = Verb(verb_forms(forms), "", "کر", "", "", "", "person", "", False, "", frozenset())
    inner = rename(Pair(aim(deed, link), ()), "aim")
    said = Clause(subject, plain, tense, negative=negative, question=question)
    english = english_of(replace(said, adjuncts=(Adjunct(inner.english, (), "late"),)))
    denial = words("نہیں", "not") if negative else ()
    agreement = MASCULINE if kind in ("enjoy", "hate") else unmarked(deed)
    if kind == "enjoy":
        urdu = infinite(deed) + words("میں") + words("مزہ", "main/verb") + denial
        end = finite("آ", tense, agreement, negative, "main/verb")
    elif kind == "hate":
        urdu, end = infinite(deed) + words("سے") + words("نفرت", "main/verb"), words(copula(tense, agreement))
    elif kind == "know":
        urdu = infinite(deed, agreement) + denial
        end = finite("آ", "used to" if tense == "past" else tense, agreement, negative, "main/verb")
    else:
        very = words("بہت", "main/verb") if kind == "love" else ()
        urdu = infinite(deed, agreement) + very + words("پسند", "main/verb") + denial
        end = words(copula(tense, agreement))
    doing = rename(Pair((), tuple(w for w in urdu if not w.role.startswith("main") and w not in denial)), "aim").urdu
    rest = tuple(w for w in urdu if w.role.startswith("main") or w in denial)
    whole = add_postposition(subject, "کو") + doing + as_main(rest) + as_main(end)
    return Pair(english, (words("کیا") if question else ()) + whole, bool(question))


def as_main(phrase: Phrase) -> Phrase:
    """The words that translate the main verb."""
    return tuple(Word(word.text, word.role.removeprefix("main/")) for word in phrase)
