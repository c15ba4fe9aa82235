"""Regular English word forms: plurals, verb forms and articles."""

from __future__ import annotations

VOWELS = "aeiou"
SIBILANTS = ("s", "sh", "ch", "x", "z")


def plural(noun: str) -> str:
    """The regular plural of a noun; of several words, the last one changes."""
    if noun.endswith("y") and noun[-2] not in VOWELS:
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(SIBILANTS) else "s")


def third_person(base: str) -> str:
    """goes, has, carries, watches."""
    if base in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[base]
    return plural(base)


def doubles(base: str) -> bool:
    """Whether a verb of one syllable doubles its last consonant: stop, plan; not fix, look, open."""
    if len(base) < 3 or base[-1] in VOWELS + "wxy" or base[-2] not in VOWELS or base[-3] in VOWELS:
        return False
    return sum(letter in VOWELS for letter in base) == 1


def gerund(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return base[:-1] + "ing"
    return base + (base[-1] if doubles(base) else "") + "ing"


def regular_past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if doubles(base) else "") + "ed"


def verb_forms(text: str) -> tuple[str, str, str, str, str]:
    """Base, third person, past, participle and -ing, from the base, or base, past and participle (and -ing)."""
    base, *given = text.split()
    past, participle = given[:2] if given else (regular_past(base), regular_past(base))
    return base, third_person(base), past, participle, given[2] if len(given) > 2 else gerund(base)


def article(next_word: str) -> str:
    """ "a" or "an": an hour, a university."""
    word = next_word.lower()
    silent_h = word.startswith(("hour", "honest", "honour"))
    consonant_sound = word.startswith(("uni", "use", "euro", "one-", "once"))
    return "an" if silent_h or (word[0] in VOWELS and not consonant_sound) else "a"
