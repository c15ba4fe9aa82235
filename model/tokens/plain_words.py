"""Other words for what a vocabulary seldom has: numbers in digits, and spoken forms such as "gonna"."""

from __future__ import annotations

import re

UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
LARGE = ((1_000_000, "million"), (1000, "thousand"), (100, "hundred"))
MOST = 999_999_999
ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
SPOKEN = {
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "lemme": "let me",
    "gimme": "give me",
    "dunno": "do not know",
    "kinda": "rather",
    "ain't": "is not",
    "cannot": "can't",
    "y'all": "you",
    "ya": "you",
    "u": "you",
    "ur": "your",
    "r": "are",
    "im": "I'm",
    "dont": "don't",
    "cant": "can't",
    "didnt": "didn't",
    "doesnt": "doesn't",
    "isnt": "isn't",
    "wont": "won't",
    "cuz": "because",
    "coz": "because",
    "pls": "please",
    "plz": "please",
    "thx": "thanks",
    "ok": "okay",
    "yeah": "yes",
    "nope": "no",
    "mom": "mother",
    "mum": "mother",
    "dad": "father",
    "kids": "children",
    "tmrw": "tomorrow",
}


def in_plain_words(word: str) -> str:
    """The same in words that a dictionary has: "3" is "three", "2nd" is "second", "gonna" is "going to". "" for others.

    Numbers are English ones of whole digits, up to 999,999,999; commas may stand between the thousands.
    """
    lower = word.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    found = re.fullmatch(r"([0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3})+)(st|nd|rd|th)?", lower)
    if found is None:
        return SPOKEN.get(lower, "")
    number = int(found[1].replace(",", ""))
    if number > MOST:
        return ""
    return _ordinal(spell_number(number)) if found[2] else spell_number(number)


def spell_number(number: int) -> str:
    """A whole number from 0 to `MOST` in English words: 1234 is "one thousand two hundred thirty-four"."""
    if number < len(UNITS):
        return UNITS[number]
    if number < 100:
        tens, unit = divmod(number, 10)
        return f"{TENS[tens]}-{UNITS[unit]}" if unit else TENS[tens]
    size, name = next(each for each in LARGE if number >= each[0])
    count, rest = divmod(number, size)
    return f"{spell_number(count)} {name}" + (f" {spell_number(rest)}" if rest else "")


def _ordinal(spelled: str) -> str:
    """ "twenty-one" is "twenty-first"."""
    begin, last = re.fullmatch(r"(.*[ -])?(\w+)", spelled).groups()  # type: ignore[union-attr]
    last = ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{begin or ''}{last}"
