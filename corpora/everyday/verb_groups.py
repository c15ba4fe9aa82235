"""The verb with its auxiliaries in both languages: tenses, modals and verbs that take an infinitive."""

from __future__ import annotations

from typing import NamedTuple

from corpora.en_ur_phrases import Phrase, words
from corpora.everyday.lexicon import Verb
from corpora.everyday.phrases import agree_hua, decline_words
from corpora.urdu_forms import (
    MASCULINE,
    Agreement,
    agree,
    copula,
    future,
    habitual,
    infinitive,
    is_now,
    nasal,
    perfective,
    subjunctive,
    was,
)

WAS = {"am": "was", "is": "was", "are": "were"}
DATIVE_PREDICATES = {"پسند", "چاہیے", "ضرورت", "یاد", "معلوم"}  # they are no verbs: مجھے پسند ہے
PERFECTIVES = {"past", "perfect", "pluperfect"}
OBLIGATIONS = {"have to", "had to", "will have to", "must", "should", "do not have to", "need to", "like to"}
INFINITIVE_TENSES = {  # tense -> English before the infinitive; "*" stands for the tense of its first word
    "want to": "want",
    "wanted to": "wanted",
    "try to": "try",
    "tried to": "tried",
    "began to": "began",
    "forgot to": "forgot",
    "decided to": "decided",
    "have to": "have",
    "had to": "had",
    "need to": "need",
    "like to": "like",
    "used to": "used",
    "started to": "started",
    "learned to": "learned",
}
BASES = {
    "wanted": "want",
    "tried": "try",
    "began": "begin",
    "forgot": "forget",
    "decided": "decide",
    "had": "have",
    "used": "use",
    "started": "start",
    "learned": "learn",
}
THIRDS = {"want": "wants", "try": "tries", "have": "has", "need": "needs", "like": "likes"}
MODALS = {
    "can": "can",
    "could": "could",
    "must": "must",
    "should": "should",
    "may": "may",
    "might": "might",
    "future": "will",
    "would": "would",
    "shall": "shall",
}


class EnglishGroup(NamedTuple):
    """What stands before and behind the subject in a question: the first auxiliary, and the rest of the verb."""

    auxiliary: Phrase
    rest: Phrase


def english_group(verb: Verb, tense: str, be: str, negative: bool, asks: bool, passive: bool = False) -> EnglishGroup:
    """The English verb. `be` is the subject's form of "to be". "Do" comes in where English needs it."""
    base, third, past, participle, ing = (words(form, "verb") for form in verb.english)
    if passive:
        return passive_group(participle, tense, be)
    needs_do = negative or asks
    do = words("does" if be == "is" else "do")
    if tense in ("imperative", "subjunctive"):
        return EnglishGroup(words("do") if negative else (), base)
    if tense in MODALS:
        role = "" if tense == "future" else "modal"
        return EnglishGroup(words(MODALS[tense], role), base)
    if tense == "will have to":
        return EnglishGroup(words("will"), words("have to", "modal") + base)
    if tense == "would like to":
        return EnglishGroup(words("would", "modal"), words("like", "modal") + words("to") + base)
    if tense in ("going to", "was going to", "able to", "was able to"):
        first = WAS[be] if tense.startswith("was") else be
        kind = "able" if "able" in tense else "going"
        return EnglishGroup(words(first), words(kind, "modal") + words("to") + base)
    if tense in INFINITIVE_TENSES:
        word = INFINITIVE_TENSES[tense]
        in_past = word in BASES
        if needs_do:
            rest = words(BASES.get(word, word), "modal") + words("to") + base
            return EnglishGroup(words("did") if in_past else do, rest)
        shown = word if in_past or be != "is" else THIRDS[word]
        return EnglishGroup((), words(shown, "modal") + words("to") + base)
    if tense in ("present", "past"):
        if needs_do:
            return EnglishGroup(words("did") if tense == "past" else do, base)
        return EnglishGroup((), past if tense == "past" else third if be == "is" else base)
    have = words("has" if be == "is" else "have")
    return {
        "perfect": EnglishGroup(have, participle),
        "pluperfect": EnglishGroup(words("had"), participle),
        "progressive": EnglishGroup(words(be), ing),
        "past progressive": EnglishGroup(words(WAS[be]), ing),
        "future progressive": EnglishGroup(words("will"), words("be") + ing),
        "perfect progressive": EnglishGroup(have, words("been") + ing),
        "might have": EnglishGroup(words("might", "modal"), words("have") + participle),
    }[tense]


def passive_group(participle: Phrase, tense: str, be: str) -> EnglishGroup:
    have = words("has" if be == "is" else "have")
    return {
        "present": EnglishGroup(words(be), participle),
        "past": EnglishGroup(words(WAS[be]), participle),
        "progressive": EnglishGroup(words(be), words("being") + participle),
        "past progressive": EnglishGroup(words(WAS[be]), words("being") + participle),
        "perfect": EnglishGroup(have, words("been") + participle),
        "pluperfect": EnglishGroup(words("had"), words("been") + participle),
        "future": EnglishGroup(words("will"), words("be") + participle),
        "can": EnglishGroup(words("can", "modal"), words("be") + participle),
        "must": EnglishGroup(words("must", "modal"), words("be") + participle),
        "should": EnglishGroup(words("should", "modal"), words("be") + participle),
    }[tense]


def subject_marker(verb: Verb, tense: str) -> str:
    """نے in perfective tenses of ergative verbs, کو where something happens to or is needed by the subject."""
    if verb.dative or tense in OBLIGATIONS:
        return "کو"
    if tense in ("tried to", "decided to", "learned to"):
        return "نے"
    states = "state" in verb.features and tense in ("progressive", "past progressive")
    return "نے" if verb.ergative and (tense in PERFECTIVES or tense == "might have" or states) else ""


def urdu_group(verb: Verb, tense: str, agreement: Agreement, negative: bool, negation: Phrase = ()) -> Phrase:
    """The Urdu verb complex: complement, negation, stem and auxiliaries.

    `agreement` is that of the controller: the subject, or the object where the subject is marked.
    """
    complement = verb.complement
    if "adj" in verb.features:
        complement = decline_words(complement, agreement.gender, agreement.number, False)
    if verb.dative and verb.stem in DATIVE_PREDICATES:
        return dative_group(verb, tense, agreement, negation)
    before = words(complement, "verb") + negation
    if "state" in verb.features and tense in ("progressive", "past progressive"):
        return state_group(verb, tense, agreement, negation)
    stem, vector = verb.stem, "" if negative else verb.vector
    if vector and (tense in PERFECTIVES or (vector == "جا" and tense in ("future", "imperative", "conditional"))):
        return before + words(stem, "verb") + finite(vector, tense, agreement, negative, "verb")
    if tense == "like to":
        infinitive_, liked, *rest = finite(stem, tense, agreement, negative, "verb")
        return (*words(complement, "verb"), infinitive_, liked, *negation, *rest)  # جانا پسند نہیں ہے
    if tense in ("going to", "was going to") and negation:
        group = finite(stem, tense, agreement, negative, "verb")
        place = 1 if group[1].text == "جا" else 2  # سونے نہیں جا رہا, آنے والا نہیں ہے
        return (*words(complement, "verb"), *group[:place], *negation, *group[place:])
    if tense in ("want to", "wanted to", "would like to"):
        infinitive_, *rest = finite(stem, tense, agreement, negative, "verb")
        return (*words(complement, "verb"), infinitive_, *negation, *rest)  # جانا نہیں چاہتا
    return before + finite(stem, tense, agreement, negative, "verb")


def state_group(verb: Verb, tense: str, agreement: Agreement, negation: Phrase) -> Phrase:
    """A state as the result of something done: بیٹھی ہوئی ہے, کھڑا ہے, پہنی ہوئی تھی."""
    now = copula("past" if tense.startswith("past") else "present", agreement)
    if "adj" in verb.features:
        standing = decline_words(verb.complement, agreement.gender, agreement.number, False)
        return words(standing, "verb") + negation + words(now)
    participle = f"{perfective(verb.stem, agreement)} {agree_hua(agreement.gender, agreement.number)}"
    return words(verb.complement, "verb") + words(participle, "verb") + negation + words(now)


def dative_group(verb: Verb, tense: str, agreement: Agreement, negation: Phrase) -> Phrase:
    """پسند ہے, پسند آیا, ضرورت ہے, چاہیے تھا, یاد ہے: predicates whose Urdu subject takes کو."""
    word = words(verb.stem, "verb")
    if verb.stem == "چاہیے":
        after = {"present": "", "past": copula("past", agreement), "future": copula("future", agreement)}[tense]
        return negation + word + words(after)
    if verb.stem == "پسند" and tense != "present":
        came = nasal(perfective("آ", agreement), agreement) if tense == "past" else future("آ", agreement)
        return word + negation + words(came, "verb")
    return word + negation + words(copula(tense, agreement))


def finite(stem: str, tense: str, agreement: Agreement, negative: bool, role: str) -> Phrase:
    """A verb in a tense: the main verb with `role`, then modals and auxiliaries."""
    gender, number, _ = agreement
    polite = Agreement("m", "pl", 2)
    now = () if negative else words(is_now(agreement))

    def ending(form: str) -> str:
        """A participle ends the verb if no auxiliary follows: then its feminine plural is nasal."""
        return nasal(form, agreement) if negative else form

    if tense == "present":
        return words(ending(habitual(stem, agreement)), role) + now
    if tense == "would":
        return words(nasal(habitual(stem, agreement), agreement), role)
    if tense == "used to":
        return words(habitual(stem, agreement), role) + words(was(agreement), "modal")
    if tense in ("past", "conditional"):
        return words(nasal(perfective(stem, agreement), agreement), role)
    if tense == "perfect":
        return words(ending(perfective(stem, agreement)), role) + now
    if tense == "pluperfect":
        return words(perfective(stem, agreement), role) + words(was(agreement))
    if tense == "might have":
        return words(perfective(stem, agreement), role) + words(subjunctive("ہو", agreement), "modal")
    if tense == "future":
        return split_verb(future(stem, agreement), role)
    if tense == "imperative":
        return words(subjunctive(stem, polite), role)
    if tense == "familiar":
        return words(familiar(stem), role)
    if tense in ("subjunctive", "may", "might", "shall"):
        return words(subjunctive(stem, agreement), role)
    if tense in ("progressive", "past progressive", "future progressive", "perfect progressive"):
        still = agree("رہا", gender, number)
        going = words(stem, role) + words(ending(still) if tense in ("progressive", "perfect progressive") else still)
        if tense == "future progressive":
            return going + words(copula("future", agreement))
        return going + (words(was(agreement)) if tense == "past progressive" else now)
    return modal(stem, tense, agreement, negative, role)


def modal(stem: str, tense: str, agreement: Agreement, negative: bool, role: str) -> Phrase:
    """The verb under a modal, or as the infinitive of another verb."""
    gender, number, _ = agreement
    now = () if negative else words(is_now(agreement))
    if tense in ("can", "able to"):
        able = agree("سکتا", gender, number)
        return words(stem, role) + words(nasal(able, agreement) if negative else able, "modal") + now
    if tense == "could" and not negative:
        return words(stem, role) + words(f"{agree('سکتا', gender, number)} {was(agreement)}", "modal")
    if tense in ("could", "was able to"):
        return words(stem, role) + words(nasal(perfective("سک", agreement), agreement), "modal")
    if tense == "could if":
        return words(stem, role) + words(nasal(agree("سکتا", gender, number), agreement), "modal")
    if tense == "can in future":
        return words(stem, role) + words(subjunctive("سک", agreement), "modal")
    if tense == "going to" and stem not in ("جا", "آ"):
        going = f"جا {agree('رہا', gender, number)}"
        return words(infinitive(stem, True), role) + words(going, "modal") + now
    if tense in ("going to", "was going to"):
        about = words(infinitive(stem, True), role) + words(agree("والا", gender, number), "modal")
        return about + words(copula("past" if tense.startswith("was") else "present", agreement))
    if tense in ("want to", "wanted to", "would like to"):
        want = {
            "want to": nasal(agree("چاہتا", gender, number), agreement) if negative else agree("چاہتا", gender, number),
            "wanted to": f"{agree('چاہتا', gender, number)} {was(agreement)}",
            "would like to": future("چاہ", agreement),
        }[tense]
        return words(infinitive(stem), role) + words(want, "modal") + (now if tense == "want to" else ())
    if tense in ("began to", "started to"):
        return words(infinitive(stem, True), role) + words(nasal(perfective("لگ", agreement), agreement), "modal")
    if tense == "forgot to":
        forgot = "بھول " + nasal(perfective("جا", agreement), agreement)
        return words(infinitive(stem), role) + words(forgot, "modal")
    if tense in ("try to", "tried to"):
        trying = f"کوشش {habitual('کر', agreement)}" if tense == "try to" else "کوشش کی"
        aim = words(infinitive(stem, True), role) + words("کی") + words(trying, "modal")
        return aim + (now if tense == "try to" else ())
    if tense == "decided to":
        return words(infinitive(stem, True), role) + words("کا") + words("فیصلہ کیا", "modal")
    return obligation(stem, tense, agreement, role)


def obligation(stem: str, tense: str, agreement: Agreement, role: str) -> Phrase:
    """مجھے جانا ہے, مجھے روٹی کھانی چاہیے: the infinitive agrees with an unmarked object."""
    ending = agree("نا", agreement.gender, agreement.number)
    form = words(infinitive(stem)[: -len("نا")] + ending, role)
    after = {
        "have to": copula("present", agreement._replace(person=3)),
        "had to": nasal(perfective("پڑ", agreement), agreement),
        "will have to": future("پڑ", agreement._replace(person=3)),
        "must": "چاہئیں" if agreement.number == "pl" else "چاہیے",
        "should": "چاہئیں" if agreement.number == "pl" else "چاہیے",
        "like to": f"پسند {copula('present', agreement._replace(person=3))}",
        "need to": "",
        "do not have to": "",
        "learned to": "سیکھا",
    }[tense]
    if tense in ("need to", "do not have to"):
        need = words(infinitive(stem, True), role) + words("کی") + words("ضرورت", "modal")
        return need + words("نہیں" if tense == "do not have to" else "", "not") + words("ہے")
    return form + words(after, "modal")


def familiar(stem: str) -> str:
    """The request to a child or a close friend: آؤ, کرو, دو, پیو."""
    if stem in ("دے", "لے"):
        return stem[0] + "و"
    return stem + ("ؤ" if stem.endswith(("ا", "آ", "و")) else "و")


def split_verb(text: str, role: str) -> Phrase:
    """The first word with `role`, the others without."""
    first, *others = text.split()
    return words(first, role) + words(" ".join(others))


def controller(subject: Agreement, marker: str, verb: Verb, object_: Agreement | None) -> Agreement:
    """What the Urdu verb agrees with: an unmarked subject, or else an unmarked object, or else the complement."""
    if not marker:
        return subject
    if verb.agrees:
        return Agreement(verb.agrees[0], "pl" if verb.agrees.endswith("p") else "sg")
    if verb.dative and verb.stem == "ضرورت":
        return Agreement("f", "sg")
    return object_ or MASCULINE
