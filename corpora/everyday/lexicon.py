"""The words of the everyday corpus, read from the files of `lexicon/`. Each file's first lines say its columns.

The words were composed by topic, not taken from a list. Gender, irregular forms and the like stand beside the word.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from corpora.everyday.english import plural, verb_forms
from corpora.urdu_forms import decline
from corpora.urdu_lexicon import Name, Noun

FOLDER = Path(__file__).with_name("lexicon")
MACROS = {  # groups of kinds, in the heads of sections
    "@people": "person kin parent parents profession",
}
PEOPLE = "person kin parent parents profession"
ANIMATE = {"animal", "bird", "insect"}


class Row(NamedTuple):
    """A line of a file: the head of its section, its cells, and the words of its last cell."""

    section: str
    cells: tuple[str, ...]

    def cell(self, place: int) -> str:
        return self.cells[place] if place < len(self.cells) else ""


class Adjective(NamedTuple):
    english: str
    urdu: str
    kinds: frozenset[str]  # kinds of nouns, or English nouns, that it can describe
    comparative: str = ""  # its "-er" form; without one, it is compared with "more"
    features: frozenset[str] = frozenset()  # "pred", "attr", "plain"

    @property
    def superlative(self) -> str:
        irregular = {"better": "best", "worse": "worst", "farther": "farthest"}
        return irregular.get(self.comparative, self.comparative.removesuffix("r") + "st") if self.comparative else ""


class Verb(NamedTuple):
    """A verb. A conjunct verb has a complement before its stem: صاف of صاف کرنا."""

    english: tuple[str, str, str, str, str]  # base, third person, past, participle, -ing
    particle: str
    stem: str
    complement: str
    marker: str  # postposition of the object; "" for none or کو; "bare" for the oblique alone
    agrees: str  # gender, and "p" for a plural, of a complement that the verb agrees with
    subjects: str
    objects: str
    ergative: bool
    vector: str  # stem of the second verb when something is completed: جا of گر جانا
    features: frozenset[str]

    @property
    def base(self) -> str:
        return self.english[0]

    @property
    def transitive(self) -> bool:
        return bool(self.objects)

    @property
    def passive(self) -> str:
        """The Urdu verb of its passive, with its complement: چوری ہو of "be stolen". "" for the usual one."""
        return next((word[2:].replace("_", " ") for word in self.features if word.startswith("p:")), "")

    @property
    def dative(self) -> bool:
        """Whether its Urdu subject takes کو: مجھے چائے پسند ہے."""
        return "dative" in self.features


class Adverb(NamedTuple):
    english: str
    urdu: str
    feature: str = ""


def rows(pattern: str) -> Iterator[Row]:
    """The lines of all files whose names match, with their sections, without comments."""
    for path in sorted(FOLDER.glob(pattern)):
        section = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("[") and line.endswith("]"):
                section = line[1:-1]
            elif line and not line.startswith("#"):
                yield Row(section, tuple(cell.strip() for cell in line.split("\t")))


def expand(kinds: str) -> str:
    return " ".join(MACROS.get(kind, kind) for kind in kinds.split())


def fits(noun: Noun | Name, kinds: str | frozenset[str]) -> bool:
    """Whether a noun is one of these kinds, or one of these nouns."""
    wanted = kinds.split() if isinstance(kinds, str) else kinds
    return noun.kind in wanted or noun.english in wanted


def read_noun(row: Row) -> Noun:
    """A noun. Features: pl:..., -pl (no English plural), mass, plural (clothes), plural! (scissors: plural in English
    alone), ur:pl (plural in Urdu), forms:direct plural,oblique singular,oblique plural (they may hold spaces)."""
    kind = "_".join(word for word in row.section.split() if word != "mass")
    text, _, given = row.cell(3).partition("forms:")
    features = text.split()
    mass = "mass" in features or "mass" in row.section.split()
    irregular = next((word[3:] for word in features if word.startswith("pl:")), "")
    if "pl:" in text and len(row.cell(0).split()) > 1:
        irregular = text.partition("pl:")[2].strip()
    always_plural = "plural" in features or "plural!" in features
    plural_form = row.cell(0) if always_plural else irregular or plural(row.cell(0))
    return Noun(
        english=row.cell(0),
        urdu=row.cell(1),
        gender=row.cell(2),
        kind=kind,
        plural=None if mass or "-pl" in features else plural_form,
        forms=tuple(form.strip() for form in given.split(",")) if given else genitive_forms(row.cell(1), row.cell(2)),
        quantity="mass" if mass else "plural" if always_plural else "count",
        urdu_number="pl" if "ur:pl" in features or "plural" in features else "sg" if "plural!" in features else "",
    )


def genitive_forms(urdu: str, gender: str) -> tuple[str, ...]:
    """The forms of a noun that is made with کا, which agrees: بلی کا بچہ, بلی کے بچے. Of other nouns, none."""
    if " کا " not in urdu:
        return ()
    return tuple(form.replace(" کا ", " کے ") for form in decline(urdu, gender))


def read_verb(row: Row) -> Verb:
    forms, _, particle = row.cell(0).partition(" + ")
    marker, _, agrees = row.cell(2).partition(":")
    features = frozenset(row.cell(3).split())
    subjects, _, objects = row.section.partition(">")
    *complement, stem = row.cell(1).split()
    transitive = bool(objects) or (bool(complement) and stem in ("کر", "دے", "لے", "چلا", "بول", "مان", "پکا", "دیکھ"))
    ergative = ("ne" in features or transitive) and "-ne" not in features and "dative" not in features
    vector = next((word[2:] for word in features if word.startswith("v:")), "")
    return Verb(
        verb_forms(forms),
        particle,
        stem,
        " ".join(complement),
        marker.strip(),
        agrees,
        expand(subjects),
        expand(objects),
        ergative and vector != "جا" and stem != "ہو",
        vector,
        features,
    )


def read_adjective(row: Row) -> Adjective:
    kinds = frozenset(expand(row.section).split())
    return Adjective(row.cell(0), row.cell(1), kinds, row.cell(2), frozenset(row.cell(3).split()))


@cache
def nouns() -> tuple[Noun, ...]:
    return tuple(map(read_noun, rows("nouns_*.tsv")))


@cache
def noun(english: str) -> Noun:
    """The noun of this English singular. Raises `KeyError`."""
    return {noun.english: noun for noun in nouns()}[english]


@cache
def nouns_of(kinds: str) -> tuple[Noun, ...]:
    return tuple(noun for noun in nouns() if fits(noun, kinds))


@cache
def verbs() -> tuple[Verb, ...]:
    return tuple(map(read_verb, rows("verbs*.tsv")))


@cache
def daily_verbs() -> tuple[Verb, ...]:
    """The verbs of daily life, each with the objects that it usually has."""
    return tuple(map(read_verb, rows("verbs_daily.tsv")))


@cache
def verb(english: str) -> Verb:
    """The first verb of this base and particle: "look at". Raises `KeyError`."""
    return {f"{verb.base} {verb.particle}".strip(): verb for verb in reversed(verbs())}[english]


@cache
def adjectives() -> tuple[Adjective, ...]:
    return tuple(map(read_adjective, rows("adjectives.tsv")))


@cache
def adjectives_of(noun: Noun | Name) -> tuple[Adjective, ...]:
    return tuple(adjective for adjective in adjectives() if fits(noun, adjective.kinds))


@cache
def adverbs(section: str) -> tuple[Adverb, ...]:
    """The adverbs of a section: "time past", "frequency", "manner", ..."""
    return tuple(Adverb(*row.cells) for row in rows("adverbs.tsv") if row.section == section)


@cache
def names() -> tuple[Name, ...]:
    return tuple(Name(row.cell(0), row.cell(1), row.cell(2), "person") for row in rows("names.tsv"))


@cache
def places() -> tuple[Name, ...]:
    """Countries and cities."""
    return tuple(Name(row.cell(0), row.cell(1), "m", "place") for row in rows("places.tsv"))


@cache
def numbers() -> dict[int, str]:
    """The Urdu words of the numbers."""
    return {int(row.cell(0)): row.cell(1) for row in rows("numbers.tsv")}


@cache
def common_words() -> frozenset[str]:
    """The common nouns, adjectives and verbs, each with its part of speech: "man (noun)"."""
    return frozenset(f"{word.strip()} ({row.section})" for row in rows("common.txt") for word in row.cell(0).split(","))


@cache
def is_common(word: Noun | Adjective | Verb) -> bool:
    """Whether a word is common. Of a verb, its base decides: "look after" is common because "look" is."""
    if isinstance(word, Verb):
        return f"{word.base} (verb)" in common_words()
    return f"{word.english} ({'noun' if isinstance(word, Noun) else 'adjective'})" in common_words()


def lemmas() -> set[str]:
    """The English lemmas, each with its part of speech."""
    words = {f"{word.english} (noun)" for word in nouns()} | {f"{word.english} (adjective)" for word in adjectives()}
    words |= {f"{word.base} {word.particle}".strip() + " (verb)" for word in verbs()}
    words |= {f"{row.cell(0)} (adverb)" for row in rows("adverbs.tsv")}
    words |= {f"{row.cell(0)} ({row.section})" for row in rows("function_words.tsv")}
    return words | {f"{number} (number)" for number in numbers()} | {f"{place.english} (place)" for place in places()}
