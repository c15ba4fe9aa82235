"""Numbers as text, the same as in the browser. `tests/assets/numbers.test.js` reads the same table of cases."""

from __future__ import annotations

import json
import math
import random
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import numerals
from model.numerals import MINUS, as_printed, equals_sign, fixed, number, read, split_power

ROOT = Path(__file__).parents[2]
CASES = json.loads((ROOT / "tests" / "assets" / "number_cases.json").read_text(encoding="utf-8"))
FORMATS: dict[str, Callable[..., str]] = {
    "number": numerals.number,
    "percent": numerals.percent,
    "fixed": numerals.fixed,
    "power": numerals.power,
    "degrees": numerals.degrees,
    "large": numerals.large,
    "fileSize": numerals.file_size,
    "milliseconds": numerals.milliseconds,
}
IN_BROWSER = """
const numbers = await import(process.argv[1]);
const formats = {
  number: numbers.formatNumber, percent: numbers.formatPercent, fixed: numbers.formatFixed,
  power: numbers.formatPower, degrees: numbers.formatDegrees, large: numbers.formatLarge,
  fileSize: numbers.formatFileSize, milliseconds: numbers.formatMilliseconds,
};
const asked = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const texts = asked.map(([format, value, ...decimals]) => formats[format](value, ...decimals));
const signs = asked.map(([, value]) => numbers.equalsSign(value, numbers.formatNumber(Math.fround(value))));
console.log(JSON.stringify({ texts, signs }));
"""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['format']} {case['value']}: {case['case']}")
def test_numbers_are_written_as_in_the_browser(case: dict[str, Any]) -> None:
    decimals = [case["decimals"]] if "decimals" in case else []
    assert FORMATS[case["format"]](float(case["value"]), *decimals) == case["text"]  # float also of "nan" and "inf"


@pytest.mark.slow
def test_a_random_number_has_one_text_in_both_languages() -> None:
    """Shares, numbers of all sizes, their float32, and numbers exactly halfway between two texts."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js, which runs the browser's code")
    rng = random.Random(0)
    shares = [rng.random() ** rng.choice((1, 4, 16)) for _ in range(500)]
    shares += [1 - share * 0.02 for share in shares[:200]]
    sizes = [rng.uniform(-1, 1) * 10 ** rng.uniform(-9, 9) for _ in range(1000)]
    sizes += [struct.unpack("<f", struct.pack("<f", size))[0] for size in sizes[:500]]
    sizes += [rng.randrange(-20_000, 20_000) / 2**power for power in range(1, 8) for _ in range(100)]
    asked: list[list[Any]] = [["percent", share] for share in shares]
    asked += [["number", size, rng.randrange(6)] for size in sizes]
    asked += [["fixed", size, rng.randrange(4)] for size in sizes]
    asked += [[rng.choice(("power", "degrees")), size] for size in sizes if size]
    asked += [[rng.choice(("large", "fileSize", "milliseconds")), abs(size)] for size in sizes]
    script = (ROOT / "assets" / "components" / "shared" / "numbers.js").as_uri()
    answer = subprocess.run(
        [node, "--input-type=module", "-e", IN_BROWSER, script],
        input=json.dumps(asked), capture_output=True, text=True, check=True, encoding="utf-8",
    ).stdout  # fmt: skip
    theirs = json.loads(answer)
    ours = [FORMATS[kind](value, *decimals) for kind, value, *decimals in asked]
    assert [pair for pair in zip(asked, ours, theirs["texts"], strict=True) if pair[1] != pair[2]] == []
    rounded = [number(struct.unpack("<f", struct.pack("<f", value))[0]) for _, value, *_ in asked]
    signs = [equals_sign(value, text) for (_, value, *_), text in zip(asked, rounded, strict=True)]
    assert signs == theirs["signs"]


@given(st.floats(-1e12, 1e12))
def test_what_is_read_is_half_a_unit_from_the_number_at_most(value: float) -> None:
    told, unit = read(number(value))
    assert abs(told - value) <= unit / 2 * (1 + 1e-9)
    assert as_printed(value) == told
    assert (told < 0) == (value < 0)


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_tie_goes_away_from_zero_and_all_else_to_the_nearest(value: float, decimals: int) -> None:
    told = float(fixed(value, decimals).replace(",", "").replace(MINUS, "-"))
    assert abs(told - value) <= 0.5 * 10**-decimals * (1 + 1e-6) + 1e-9
    assert fixed(math.copysign(0.5, value), 0) == (f"{MINUS}1" if math.copysign(1, value) < 0 else "1")


def test_a_text_is_read_back() -> None:
    assert read("56.76") == (56.76, 0.01)
    assert read(f"{MINUS}1,206.5") == (-1206.5, 0.1)
    assert read(number(2.4e-5)) == (2.4e-5, 1e-6)
    assert read("0") == (0, 0)
    assert read(f"{MINUS}∞") == (-math.inf, 0)
    assert math.isnan(read(number(math.nan))[0])
    assert split_power(number(-2.4e-5)) == (f"{MINUS}2.4", -5)
    assert split_power(number(1206.504)) == ("1,206.5", 0)


def test_printed_terms_give_their_result_or_nearly() -> None:
    assert equals_sign(0.351 * 2, "0.702") == "="
    assert equals_sign(0.351 * 2, "0.703") == "≈"
    assert equals_sign(-math.inf, f"{MINUS}∞") == "="
    assert equals_sign(1, f"{MINUS}∞") == "≈"
    assert equals_sign(0, "0") == "="
    assert equals_sign(math.nan, "not a number") == "="
