"""Number and token formats, and that colours can be told apart from their background."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.shared.style import (
    BREAK,
    COLOURS,
    CUT,
    SEQUENTIAL,
    SIGNED,
    SPACE,
    count_noun,
    is_right_to_left,
    isolate,
    markdown_text,
    plain_text,
    plotly_text,
    token_label,
)

ROOT = Path(__file__).parents[3]


def test_a_token_shows_what_cannot_be_seen() -> None:
    assert token_label(" fox", b" fox") == SPACE + "fox"
    assert token_label("\n", b"\n") == BREAK
    assert token_label("", b"\xf0\x9f") == "⟨F0 9F⟩"
    assert token_label("�", b"\xf0\x9f") == "⟨F0 9F⟩"
    assert token_label("�", "�".encode()) == "�"
    assert token_label("\u202egnirts", b"") == "⟨U+202E⟩gnirts"
    assert token_label("\x00", b"\x00") == "␀"
    assert token_label("ہوں", "ہوں".encode()) == "ہوں"


@given(st.text(min_size=1))
def test_a_label_has_no_character_that_hides_or_turns_text(text: str) -> None:
    label = token_label(text, text.encode("utf-8", "surrogatepass"))
    assert label
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", label)


@pytest.mark.parametrize(("text", "expected"), [("ہوں", True), ("fox", False), ("12 ہوں", True), ("1 2", False)])
def test_direction_comes_from_the_first_letter(text: str, expected: bool) -> None:
    assert is_right_to_left(text) is expected


def test_text_is_escaped_for_plotly_and_markdown() -> None:
    assert plotly_text("<b>&") == "&lt;b&gt;&amp;"
    assert markdown_text("**a** $x$ :red[b]") == r"\*\*a\*\* \$x\$ \:red\[b\]"


def test_what_streamlit_replaces_in_a_text_is_cut_in_two() -> None:
    assert markdown_text("https://e.org") == rf"https\:{CUT}\/\/e\.org"
    assert markdown_text("WWW.e.org a@b.c") == rf"WWW{CUT}\.e\.org a\@{CUT}b\.c"
    assert markdown_text(":material_home: :+1:") == rf"\:{CUT}material\_home\: \:{CUT}\+1\:"
    assert markdown_text("a <-> b") == rf"a \<{CUT}\-{CUT}\> b"


# What Streamlit 1.67 looks for in each piece of text, in its StreamlitMarkdown.js.
REPLACED_BY_STREAMLIT = re.compile(
    r"(https?://|www(?=\.))[-.\w]|[-.\w+]@[-\w]|:[\w+-]+:"
    r"|(^|[\s\ufeff])(<->|->|<-|--|>=|<=|~=)([\s\ufeff]|$)",
    re.IGNORECASE,
)
SIGNS = [
    "https:",
    "/",
    "//",
    "www",
    ".",
    "@",
    "a",
    "-",
    "<",
    ">",
    "=",
    "~",
    " ",
    "\ufeff",
    ":material_x:",
    ":streamlit:",
]


@given(st.lists(st.sampled_from(SIGNS), max_size=12).map("".join))
def test_no_piece_of_a_text_is_replaced(text: str) -> None:
    pieces = markdown_text(text).split(CUT)
    assert not [piece for piece in pieces if REPLACED_BY_STREAMLIT.search(plain_text(piece))]
    assert plain_text(CUT.join(pieces)) == text


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n"])
def test_a_text_stays_on_one_line(line_break: str) -> None:
    assert markdown_text(f"a{line_break}    b") == f"a{BREAK}    b"


def test_an_alt_text_reads_as_written() -> None:
    assert plain_text(f"**{markdown_text('a*b_[c]')}** looks") == "a*b_[c] looks"
    assert plain_text(markdown_text("a -> https://b.c")) == "a -> https://b.c"


def test_only_right_to_left_words_are_isolated() -> None:
    assert isolate("fox") == "fox"
    assert isolate("ہوں") == "\u2068ہوں\u2069"


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two #rrggbb colours."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("role", ["text", "muted", "query", "key_text", "value_text", "residual_text", "warn", "good"])
def test_text_colours_can_be_read(theme, role: str) -> None:
    colours = COLOURS[theme]
    assert contrast(colours[role], colours["background"]) >= 4.5
    assert contrast(colours[role], colours["panel"]) >= 4.5


RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
# Text that may be paler, as WCAG allows: a large arrow, and words that are shown as not in use.
LARGE = {".handover .down"}
NOT_IN_USE = {".gf .space", ".gf.player .chip.later", ".player .row.out .name", ".gf .stage .token.masked"}


def style_rules() -> list[tuple[str, str]]:
    """Selector and declarations of each rule in the style sheets of the components."""
    sheets = (ROOT / "assets" / "components").rglob("*.css")
    rules = [rule for sheet in sheets for rule in RULE.findall(sheet.read_text(encoding="utf-8"))]
    return [(" ".join(selector.split()), declarations) for selector, declarations in rules]


def role_of(declarations: str, name: str) -> str | None:
    match = re.search(rf"(?:^|[\s;]){name}: var\(--(\w+)\)", declarations)
    return match[1] if match and match[1] in COLOURS["light"] else None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_text_of_components_can_be_read(theme) -> None:
    """Each text colour on the background of its rule, or on page and panel if the rule has none."""
    colours, pale, n_rules = COLOURS[theme], [], 0
    for selector, declarations in style_rules():
        ink, ground = role_of(declarations, "color"), role_of(declarations, "background")
        if ink is None or selector in NOT_IN_USE:
            continue
        if "aria-pressed" in selector and ink == "background" and ground is None:
            continue  # a script fills the chosen heads with colours of SERIES
        n_rules += 1
        least = 3 if selector in LARGE else 4.5
        grounds = [ground] if ground else ["background", "panel"]
        pale += [(selector, ink, each) for each in grounds if contrast(colours[ink], colours[each]) < least]
    assert pale == []
    assert n_rules > 30


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_text_of_the_app_s_own_theme_can_be_read(theme) -> None:
    """The colours that Streamlit draws with: text of each colour on the page, on fields and on the sidebar."""
    with (ROOT / ".streamlit" / "config.toml").open("rb") as file:
        given = tomllib.load(file)["theme"][theme]
    inks = [value for name, value in given.items() if name.endswith(("extColor", "linkColor"))]
    grounds = [value for part in (given, given["sidebar"]) for name, value in part.items() if "ackgroundColor" in name]
    assert (len(inks), len(grounds)) == (7, 4)
    assert [(ink, ground) for ink in inks for ground in grounds if contrast(ink, ground) < 4.5] == []


def test_both_themes_have_the_same_roles() -> None:
    assert COLOURS["light"].keys() == COLOURS["dark"].keys()


@pytest.mark.parametrize("scale", [SEQUENTIAL, SIGNED])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_scales_run_from_0_to_1(scale, theme) -> None:
    places = [place for place, _ in scale[theme]]
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0.0, 1.0)


def test_a_count_has_its_plural() -> None:
    assert [count_noun(n, "token") for n in (0, 1, 1127)] == ["0 tokens", "1 token", "1,127 tokens"]
    assert count_noun(2, "branch", "branches") == "2 branches"
