"""Short names with which `worked.tsv` says how the grammar builds each of its sentences."""

from __future__ import annotations

import random
from dataclasses import replace

from corpora.en_ur import write_pair
from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import name_phrase, pronoun_phrase, who_phrase, words
from corpora.everyday import (
    actions,
    asking,
    becoming,
    being,
    causing,
    chains,
    clauses,
    commands,
    company,
    comparisons,
    compounds,
    consequences,
    counting,
    courtesies,
    deeds,
    degrees,
    direct_speech,
    durations,
    elaborated,
    feelings,
    groups,
    indirect_questions,
    inquiries,
    joined_deeds,
    lexicon,
    partial,
    passives,
    phrases,
    qualities,
    ranks,
    relatives,
    reports,
    routines,
    sayings,
    small_talk,
    spans,
    statements,
    time_clauses,
    turns,
    unreal,
    urging,
    uses,
    when_clauses,
    whereabouts,
)
from corpora.everyday.clauses import Clause
from corpora.everyday.complex_sentences import able, again, as_condition
from corpora.everyday.small_talk import Talker
from corpora.urdu_lexicon import Name


class Never(random.Random):
    """Chance always says no, so that a Talker's own choices do not vary."""

    def random(self) -> float:
        return 0.99


TALKER = Talker(Never())
I, you, he, she, we, they = (pronoun_phrase("subject", one) for one in ["I", "you", "he", "she", "we", "they"])
me, him, her, us, them, it = (pronoun_phrase("object", one) for one in ["I", "he", "she", "we", "they", "it"])
my, your, his, hers, our, their = (pronoun_phrase("owner", one) for one in ["I", "you", "he", "she", "we", "they"])
PREDICATES = {adjective.english: adjective for adjective in reversed(lexicon.adjectives())} | {
    "old man": next(a for a in lexicon.adjectives() if a.urdu == "بوڑھا")
}


def name(english, slot="subject"):
    found = {one.english: one for one in (*lexicon.names(), *lexicon.places())}[english]
    return name_phrase(slot, Name(*found))


def adjective(english):
    elder = {"older": "بڑا", "younger": "چھوٹا"}
    if english in elder:
        return lexicon.Adjective(english, elder[english], frozenset())
    return PREDICATES[english]


def np(slot, english, determiner="the", number="sg", adjectives="", owner=None, own=False, count=0, degree=("", "")):
    chosen = tuple(adjective(word) for word in adjectives.split())
    return phrases.make(slot, lexicon.noun(english), number, determiner, chosen, owner, own, count, degree)


def s(english, *more, **given):
    return np("subject", english, *more, **given)


def o(english, *more, **given):
    return np("object", english, *more, **given)


def cn(slot, first, second, *more, **given):
    """A noun behind another: "kitchen door"."""
    return phrases.make(slot, lexicon.noun(second), *more, adjectives=(compounds.compound(first, second),), **given)


def piece(slot, unit, content, determiner="a", count=0, adjectives="", number="sg"):
    """ "A piece of bread": the unit and what it holds."""
    word = lexicon.noun(content)
    held = phrases.make(f"{slot}-of", word, "sg" if word.quantity == "mass" or unit == "piece" else "pl", "")
    chosen = (elaborated.LAST,) if adjectives == "last" else ()
    return groups.piece_of(phrases.make(slot, lexicon.noun(unit), number, determiner, chosen, count=count), held)


def mid(preposition, noun, urdu):
    """A place with its own Urdu postposition: "at the end of the street"."""
    return clauses.at(preposition, np("place", noun), urdu=urdu)


def at_one(preposition, who):
    """ "Next to me"."""
    return clauses.at(preposition, pronoun_phrase("place", who), urdu=whereabouts.BY_PEOPLE[preposition])


def goes(subject, base, tense, english, **more):
    """ "Come inside": where somebody goes, in one word."""
    where = clauses.adverb(english, whereabouts.GOALS[english], "place")
    return clause(subject, base, tense, None, where, **more).pair()


def best_one(slot, noun, english, **given):
    """ "The best rice", "my best friend"."""
    chosen = (ranks.superlative(adjective(english)),)
    return phrases.make(slot, lexicon.noun(noun), adjectives=chosen, **given)


def bare(slot, english, **given):
    return np(slot, english, "", **given)


def gerund(verb, object=None):
    """ "Reading books" as a subject: English, oblique and direct Urdu."""
    found = clause(you, verb, "past", object)
    english, oblique, direct = ranks.as_noun(found.verb, object)
    return replace(s("work"), english=english, oblique=oblique, direct=direct)


def is_better(subject, english, much=False):
    return being.be_clause(subject, "present", *ranks.better(english, much))


def is_more(subject, english, much=False):
    return being.be_clause(subject, "present", *ranks.more(adjective(english), subject, much))


def is_for(subject, english, whom):
    """ "Smoking is bad for your health"."""
    aim, told = clauses.at("for", whom), degrees.described_as(adjective(english), subject)
    return being.be_clause(subject, "present", told[0] + aim.english, aim.urdu + told[1])


def needing():
    return next(one for one in lexicon.verbs() if one.base == "need" and one.dative)


def p(preposition, english, **given):
    return clauses.at(preposition, np("place", english, **given))


def t(english, section, position="end"):
    found = next(one for one in lexicon.adverbs(section) if one.english == english)
    slot = section.split()[0]
    return clauses.adverb(found.english, found.urdu, slot, position, found.feature == "negative")


def clause(subject, verb, tense, object=None, *adjuncts, **more):
    """The first verb of that name that takes an object, or that takes none, as the clause has it."""
    takes = object is not None or more.get("passive", False)
    found = [one for one in lexicon.verbs() if f"{one.base} {one.particle}".strip() == verb]
    chosen = next((one for one in found if one.transitive == takes), found[0])
    return Clause(subject, chosen, tense, object, adjuncts=adjuncts, **more)


def do(*given, **more):
    return clause(*given, **more).pair()


def phased(subject, base, verb, tense, object=None, *adjuncts, link="to", negative=False, question=""):
    """ "He is learning to swim": the phase by the base of its verb."""
    chosen = next(one for one in (*deeds.PHASES, commands.REMEMBER) if one.verb.base == base)
    deed = clause(subject, verb, "future", object, *adjuncts)
    deed = replace(deed, verb=deed.verb._replace(vector="")) if tense == "familiar" else deed
    return deeds.in_phase(chosen, deed, tense, link, negative, question)


def quality(subject, english, tense="present", **more):
    chosen = adjective(english)
    urdu = phrases.decline_adjective(chosen.urdu, subject.gender, subject.number)
    return being.be_clause(subject, tense, words(english, "q/adjective"), words(urdu, "q/adjective"), **more)


def is_(subject, complement, tense="present", **more):
    """A noun as the predicate. With respect, it is plural in Urdu as its subject."""
    return being.be_clause(subject, tense, complement.english, complement.direct, **more)


def friend_of(subject, owner, english="friend"):
    """ "My friend" as a predicate that agrees with `subject`."""
    word = lexicon.noun(english)._replace(gender=subject.gender)
    many = subject.be == "are" and subject.possessive != "your"
    shown = phrases.make("predicate", word, "pl" if many else "sg", owner=owner)
    polite = phrases.make("predicate", word, subject.number, owner=owner)
    return replace(shown, direct=polite.direct)


def who_rel(head, inner, said):
    """ "The man who came" as the subject of `said`."""
    inside = replace(inner, subject=reports.jo_phrase(head))
    english = words("who", "subject/relative") + reports.without_head(inside)
    pair = said(reports.meant(head, english))
    return Pair(pair.english, inside.pair().urdu + pair.urdu)


def taller(subject, english, than, tense="present", much=False, **more):
    elder = {one.english: one for one in comparisons.ELDER_THAN}
    chosen = elder.get(english) or adjective(english)
    said = comparisons.more_than(chosen, subject, than.as_object, than.oblique, much)
    return being.be_clause(subject, tense, *said, **more)


def as_tall(subject, english, than, tense="present", **more):
    return being.be_clause(subject, tense, *comparisons.as_much(adjective(english), subject, than), **more)


def than_mine(subject, noun, english, rival):
    """ "My bag is heavier than yours": `rival` is the subject form of its owner."""
    said = comparisons.than_mine(adjective(english), subject, lexicon.noun(noun), rival)
    return being.be_clause(subject, "present", *said)


def two(noun, first, second, english, **more):
    """ "The red dress is more beautiful than the blue one": two colours, or two ordinals."""
    ordinals = {row.cell(0): row.cell(1) for row in lexicon.rows("function_words.tsv") if row.section == "ordinal"}
    pairs = [(word, ordinals.get(word) or adjective(word).urdu) for word in (first, second)]
    return comparisons.two_of_a_kind(lexicon.noun(noun), *pairs, adjective(english), **more)


def harder(subject, verb, tense, english, than, **more):
    """A comparative adverb: "He works harder than his brother"."""
    urdu = next(one[1] for one in comparisons.MANNERS if one[0] == english)
    how = clauses.Adjunct(*comparisons.manner_than(english, urdu, than), "manner")
    return Clause(subject, comparisons.doings(verb)[0], tense, adjuncts=(how,), **more).pair()


def hour(value, kind="full"):
    return counting.hour_words(value, kind)


def costs(subject, amount, unit="rupees", urdu="روپے"):
    english, told = phrases.number_words(amount, "amount/number")
    return counting.it_costs(subject, (english + words(unit, "amount/unit"), told + words(urdu, "amount/unit")))


def time_to(verb, object=None):
    return statements.time_to(clause(you, verb, "past", object).verb, object)


def so_that(subject, tense, english, verb, too=False):
    return comparisons.so_that_not(subject, tense, adjective(english), comparisons.doings(verb)[0], too)


def this():
    words_ = words("this", "subject/pronoun"), words("یہ", "subject/pronoun")
    return replace(s("book"), english=words_[0], direct=words_[1], oblique=words_[1])


def best(subject, english, noun, place, female=False, tense="present", **more):
    word = lexicon.noun(noun)
    word = qualities.feminine(word) if female else word
    return being.be_clause(subject, tense, *comparisons.best_of(adjective(english), word, "in", place), **more)


def sensed(subject, sense, english, urdu, *more, **given):
    return feelings.sensed(subject, sense, lexicon.Adjective(english, urdu, frozenset()), *more, **given)


def part(share, group):
    """ "Most of my friends", "one of my friends": `share_of` or `from_among`."""
    return (
        partial.share_of(group, share)
        if share in partial.SHARES | partial.MASS_SHARES
        else (partial.from_among(group, share))
    )


def aim(verb, object=None):
    inner = clauses.rename(actions.infinitive_phrase(clause(you, verb, "past", object).verb, object), "aim")
    return clauses.Adjunct(words("to") + inner.english, inner.urdu + words("کے لیے"), "reason")


def verb_of(english, transitive=False):
    return next(
        one
        for one in lexicon.verbs()
        if f"{one.base} {one.particle}".strip() == english and one.transitive == transitive
    )


def city(english):
    return {one.english: one for one in lexicon.places()}[english]


def befallen(subject, english, thing, tense="past", *adjuncts, owned=True, number="sg", **more):
    """ "I lost my passport": what befalls a thing of the subject."""
    doing = company.MISHAPS[english][0]
    told = Clause(subject, doing, tense, adjuncts=adjuncts, **more)
    return company.befall(told, o(thing, number=number), owned)


def live(subject, *adjuncts, tense="present", **more):
    return Clause(subject, company.plain_live(), tense, adjuncts=adjuncts, **more).pair()


def ago(count, unit):
    return spans.ago(count == 1, count, lexicon.noun(unit))


def written(pair):
    example = write_pair(pair, "?" if pair.asks else "")
    return example.source_text, example.target_text


NAMES = {
    "who_phrase": who_phrase,
    **{key: value for key, value in globals().items() if not key.startswith("_")},
    "asking": asking,
    "groups": groups,
    "ranks": ranks,
    "uses": uses,
    "whereabouts": whereabouts,
    "compounds": compounds,
    "degrees": degrees,
    "durations": durations,
    "routines": routines,
    "becoming": becoming,
    "be_clause": being.be_clause,
    "have": being.have,
    "there_is": being.there_is,
    "indefinite": phrases.indefinite,
    "join": phrases.join,
    "measured": phrases.measured,
    "unit": lexicon.noun,
    "with_": phrases.described,
    "oneself": small_talk.oneself,
    "it_is": counting.it_is,
    "at_hour": counting.at_hour,
    "on_date": counting.on_date,
    "in_month": counting.in_month,
    "how_old": counting.how_old,
    "years_old": counting.years_old,
    "what_it_costs": counting.what_it_costs,
    "how_much": counting.how_much_it_is,
    "days": comparisons.day_and_day,
    "deeds": deeds,
    "urging": urging,
    "commands": commands,
    "company": company,
    "spans": spans,
    "unreal": unreal,
    "relatives": relatives,
    "within": indirect_questions,
    "when_clauses": when_clauses,
    "joined": joined_deeds,
    "replace": replace,
    "again": again,
    "condition": as_condition,
    "consequences": consequences,
    "time_clauses": time_clauses,
    "passives": passives,
    "sayings": sayings,
    "chains": chains,
    "courtesies": courtesies,
    "inquiries": inquiries,
    "turns": turns,
    "speech": direct_speech,
    "causing": causing,
    "able": able,
}
