"""The fonts of the project: they have every letter that the app writes, join Urdu letters, and are used."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
import unicodedata
from pathlib import Path

import pytest
import streamlit
from fontTools.ttLib import TTFont
from matplotlib import font_manager
from matplotlib.figure import Figure

from viz.print.files import file_of
from viz.shared import fonts
from viz.shared.fonts import FOLDER, PROJECT_FONTS, URDU, Hand, families, files
from viz.shared.printable import printable

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [
    path
    for folder in ("pages", "views", "viz", "model", "corpora", "assets")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".js", ".css", ".toml", ".typ", ".md")
    and "models" not in path.relative_to(ROOT).parts[1:2]
    and "plotly-cartesian" not in path.parts  # it names months of calendars that no figure here has
]
STREAMLITS = Path(streamlit.__file__).parent / "static" / "static" / "media"
ARABIC = re.compile(r"[\u0600-\u06ff]")
WORDS = "میں ایک روبوٹ ہوں"


def letters(path: Path) -> set[str]:
    return set(map(chr, TTFont(path).getBestCmap()))


def letters_of_app() -> set[str]:
    """Every letter and sign in the sources, the lectures and the glossary. Emoji are left out: pictures name them."""
    every_letter = set("".join(path.read_text("utf-8") for path in SOURCES))
    return {letter for letter in every_letter if letter.isprintable() and ord(letter) < 0x1F000}


def svg(text: str, hand: Hand = "naskh") -> str:
    figure = Figure()
    figure.text(0.5, 0.5, text, family=families())
    return file_of(figure, "svg", hand).decode()


def glyphs(drawn: str) -> list[str]:
    """The fonts and numbers of the glyphs of an SVG, from left to right."""
    return re.findall(r'<use xlink:href="#([\w-]+)"', drawn)


def test_all_names_are_found_among_the_fonts_of_the_project_and_of_matplotlib() -> None:
    for hand in URDU:
        for name in families(hand):
            path = Path(font_manager.findfont(name, fallback_to_default=False))
            assert path.parent == FOLDER or "mpl-data" in path.parts
    assert {path.name for path in files()} == {path.name for path in FOLDER.glob("*.ttf")} | {"DejaVuSans.ttf"}


def test_a_font_of_the_same_name_that_is_installed_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    manager = font_manager.fontManager
    upright = {"name": "DejaVu Sans", "style": "normal", "weight": 400}
    dejavu = next(font for font in manager.ttflist if upright.items() <= vars(font).items())
    older = dataclasses.replace(dejavu, name=URDU["naskh"])
    monkeypatch.setattr(manager, "ttflist", [older, *manager.ttflist])
    manager._findfont_cached.cache_clear()
    assert Path(font_manager.findfont(URDU["naskh"])).name.startswith("DejaVu")
    fonts._register_fonts()
    assert Path(font_manager.findfont(URDU["naskh"])).parent == FOLDER
    assert {font.name for font in manager.ttflist} >= {*PROJECT_FONTS, "DejaVu Sans"}


@pytest.mark.parametrize("name", ["NotoNaskhArabic", "NotoNastaliqUrdu"])
def test_every_letter_that_the_translators_know_is_in_both_hands(name: str) -> None:
    known = "".join(
        token
        for folder in ("en-ur", "en-ur-bahdanau", "en-ur-seq2seq")
        for token in json.loads((ROOT / "assets/models" / folder / "tokenizer.json").read_text("utf-8"))["model"][
            "vocab"
        ]
    )
    lexicon = "".join(path.read_text("utf-8") for path in (ROOT / "corpora").glob("*.py"))
    urdu = set(ARABIC.findall(known + lexicon + "".join(map(str, letters_of_app()))))
    assert len(urdu) > 45
    assert urdu | set("۰۱۲۳۴۵۶۷۸۹٪٫٬،؛؟۔ًٌٍَُِّْٰٔ\u200c\u200d") <= letters(FOLDER / f"{name}-Regular.ttf")


SERVED = sorted(path for path in FOLDER.glob("*.woff2") if "Common" not in path.name)  # that one is for saved pages


@pytest.mark.parametrize("path", SERVED, ids=lambda path: path.stem)
def test_browsers_get_the_same_letters_and_rules_as_pictures(path: Path) -> None:
    web, own = TTFont(path), TTFont(path.with_suffix(".ttf"))
    assert web.getBestCmap() == own.getBestCmap()
    assert set(web.keys()) == set(own.keys())
    if "Noto Na" in own["name"].getDebugName(1):
        joining = {record.FeatureTag for record in web["GSUB"].table.FeatureList.FeatureRecord}
        assert {"init", "medi", "fina", "rlig"} <= joining
        assert {"mark", "mkmk"} <= {record.FeatureTag for record in web["GPOS"].table.FeatureList.FeatureRecord}
        assert not set("a1 .") & letters(path), "all other words keep their own font"


def test_every_sign_of_the_app_is_in_a_font_that_browsers_get() -> None:
    paths = [
        *SERVED,
        *STREAMLITS.glob("SourceSansVF-Upright*"),
        *STREAMLITS.glob("SourceCodeVF-Upright*"),
    ]
    assert len(paths) == 6
    assert letters_of_app() - set().union(*map(letters, paths)) == set()


def test_every_sign_of_the_app_is_drawn_in_pictures_and_hand_outs() -> None:
    visible = [letter for letter in sorted(letters_of_app()) if unicodedata.category(letter) not in ("Mn", "Me", "Cf")]
    assert printable("".join(visible)) == "".join(visible)


def test_the_fonts_stay_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 1_500_000
    assert (FOLDER / "NotoNaskhArabic-Regular.woff2").stat().st_size < 40_000


@pytest.mark.parametrize("hand", URDU)
def test_urdu_is_joined_and_runs_from_right_to_left_in_its_hand(hand: Hand) -> None:
    file = URDU[hand].replace(" ", "")
    assert all(glyph.startswith(file) for glyph in glyphs(svg("ہوں", hand)))
    alone, twice = glyphs(svg("ح", hand)), glyphs(svg("حح", hand))
    assert len(set(twice)) > 1
    assert not set(alone) & set(twice), "the first and the last form of a letter are not the one that stands alone"
    assert glyphs(svg("رح", hand)) == alone + glyphs(svg("ر", hand)), "two that do not join, the first at the right"


def test_latin_words_and_spaces_keep_their_font_beside_urdu() -> None:
    used = {glyph.rsplit("-", 1)[0] for glyph in glyphs(svg(f"robot: {WORDS} ⏮ ∘"))}
    assert used == {"NotoNaskhArabic-Regular", "DejaVuSans", "NotoSansSymbols2-Regular"}


def test_the_rules_of_the_theme_name_files_that_are_there_and_letters_that_they_have() -> None:
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
    for face in theme["fontFaces"]:
        assert face["family"] in theme["font"]
        assert face["family"] in theme["codeFont"]
        path = ROOT / "assets" / face["url"]
        ranges = [part.strip().removeprefix("U+").split("-") for part in face["unicodeRange"].split(",")]
        named = {chr(code) for first, last in ranges for code in range(int(first, 16), int(last, 16) + 1)}
        assert not named & set(map(chr, range(0x600)))
        assert len(named & letters(path)) > 20
        # The letters of the font of equations are for equations.
        first = "\u2190" if face["family"] == "Equations" else "\u0600"
        assert {letter for letter in letters(path) & letters_of_app() if letter >= first} <= named
