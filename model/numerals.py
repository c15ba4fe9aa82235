"""Numbers as text: one function for each kind, for pages, pictures, files and messages.

`assets/components/shared/numbers.js` writes the same texts in the browser, and `tests/assets/number_cases.json` holds
both to them. A number that lies exactly halfway between two texts gets the one farther from 0. The browser's own
formats and those of Plotly and of Streamlit's tables do the same, so all of them agree.

A text is made from the number itself: never from one that was rounded before. 0.77254 is 77.3%. Rounded to 0.7725
first, it could become 77.2%.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import SupportsFloat

MINUS = "\N{MINUS SIGN}"  # as wide as a digit
POWER_OF_TEN = "\u00a0×\u00a010"  # between a mantissa and its exponent; no line breaks there
NOT_A_NUMBER = "not a number"
INFINITY = "∞"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_EXACT = Context(prec=700, rounding=ROUND_HALF_UP)  # a float has at most 309 digits before the point
_LARGE_WORDS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1e3, "thousand"))
_SIZE_UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
ROUNDS_TO_ONE = 0.9995  # the least share of a unit that three figures write as 1


def number(x: SupportsFloat, digits: int = 3) -> str:
    """A value with its significant digits: 56.76, 0.351, 1,206.5, 2.4 × 10⁻⁵, −∞.

    `digits`: the decimals of values below 10. Larger values have fewer.
    """
    x = float(x)
    if not math.isfinite(x):
        return NOT_A_NUMBER if math.isnan(x) else _signed(x, INFINITY)
    size = abs(x)
    if size == 0:
        return "0"
    if size >= 1e6 or size < 0.5 * float(f"1e-{digits}"):
        return power(x)
    return fixed(x, max(digits - 2, 0) if size >= 100 else max(digits - 1, 0) if size >= 10 else digits)


def fixed(x: SupportsFloat, decimals: int) -> str:
    """A finite value with so many decimals, and its thousands apart: −0.50, 1,206.5."""
    x = float(x)
    size = abs(x)
    if size * 10.0**decimals % 1 == 0.5:  # perhaps exactly halfway, where Python would take the even digit
        return _signed(x, f"{Decimal(size).quantize(Decimal(1).scaleb(-decimals), context=_EXACT):,f}")
    return _signed(x, f"{size:,.{decimals}f}")


def power(x: float, decimals: int = 1) -> str:
    """A finite value by its power of ten: 2.4 × 10⁻⁵. No line breaks in it."""
    rounded = Context(prec=decimals + 1, rounding=ROUND_HALF_UP).plus(Decimal(abs(x)))
    mantissa, _, exponent = f"{rounded:.{decimals}e}".partition("e")
    return _signed(x, mantissa + POWER_OF_TEN + str(int(exponent)).translate(_SUPERSCRIPTS))


def percent(x: SupportsFloat) -> str:
    """A share 0..1 as a percentage: 31%, 4.2%, 0.4%, under 0.1%, 99.6%, over 99.9%. Only 0 is 0%, and none below 1 is
    100%.

    Two figures, and of what is above 99% a third one. A change may be below 0, or above 1.
    """
    x = float(x)
    if not math.isfinite(x):
        return number(x)
    if 0 < abs(x) < 0.001:
        return "under 0.1%" if x > 0 else f"over {MINUS}0.1%"
    if 0.999 < x < 1:
        return "over 99.9%"
    if abs(x) >= 1e4:
        return number(100 * x) + "%"
    has_tenths = 0 < abs(x) < 0.0995 or 0.99 < x < 1
    return fixed(100 * x, 1 if has_tenths else 0) + "%"


def degrees(angle: float) -> str:
    """An angle in degrees: 57.3°, 0.04°, 2.4 × 10⁻⁵°."""
    return (fixed(angle, 1) if abs(angle) >= 1 or angle == 0 else number(angle, 2)) + "°"


def large(count: float) -> str:
    """A large count in words: 950, 12.3 thousand, 4.56 million."""
    return _in_units(count, _LARGE_WORDS, "")


def file_size(size: float) -> str:
    """Bytes in decimal units: 512 B, 1.5 kB, 24.8 MB, 1,340 GB."""
    return _in_units(size, _SIZE_UNITS, "B")


def milliseconds(seconds: float) -> str:
    """A short time: 4.2 ms, 41 ms, 1,234 ms, below 0.1 ms."""
    return "below 0.1 ms" if seconds < 1e-4 else number(1000 * seconds, 1) + " ms"


def read(text: str) -> tuple[float, float]:
    """The value that a text of `number` tells, and the unit of its last digit: "56.76" gives (56.76, 0.01).

    The unit of 0 and of what is not finite is 0.
    """
    mantissa, exponent = split_power(text)
    if mantissa in ("0", NOT_A_NUMBER) or INFINITY in mantissa:
        value = {"0": 0.0, NOT_A_NUMBER: math.nan, INFINITY: math.inf}.get(mantissa, -math.inf)
        return value, 0.0
    written = Decimal(mantissa.replace(MINUS, "-").replace(",", "")).scaleb(exponent)
    return float(written), float(Decimal(1).scaleb(int(written.as_tuple().exponent)))


def as_printed(x: SupportsFloat, digits: int = 3) -> float:
    """The value that a reader of `number` sees."""
    return read(number(x, digits))[0]


def equals_sign(from_printed: float, result: str) -> str:
    """ "=" where the printed terms of a sum give its printed `result`, else "≈".

    `from_printed`: what the terms give as they are printed. They give the result where it is at most half a unit of its
    last digit away.
    """
    value, unit = read(result)
    if math.isnan(value) or math.isinf(value) or not math.isfinite(from_printed):
        return "=" if from_printed == value or (math.isnan(value) and math.isnan(from_printed)) else "≈"
    return "=" if abs(from_printed - value) <= unit / 2 * (1 + 1e-6) + 1e-12 * abs(value) else "≈"


def result(from_printed: float, value: float, digits: int = 3) -> str:
    """The end of a sum: "= 0.702", or "≈ 0.703" where its printed terms give another last digit."""
    text = number(value, digits)
    return f"{equals_sign(from_printed, text)} {text}"


def split_power(text: str) -> tuple[str, int]:
    """What `number` writes as its mantissa and its power of ten: ("2.4", -5); 0 for a number without a power."""
    mantissa, _, exponent = text.partition(POWER_OF_TEN)
    return mantissa, int(exponent.translate(_PLAIN_DIGITS)) if exponent else 0


def _in_units(count: float, units: tuple[tuple[float, str], ...], one: str) -> str:
    """Write a count with three figures, in the largest unit of which it holds at least one."""
    for size, word in units:
        if count >= ROUNDS_TO_ONE * size:
            share = count / size
            text = fixed(share, max(2 - math.floor(math.log10(share)), 0))
            return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {word}"
    return f"{fixed(count, 0)} {one}".rstrip()


def _signed(x: float, text: str) -> str:
    """Put the sign of `x` before its digits, unless they are all 0."""
    return MINUS + text if x < 0 and text.strip("0.") else text
