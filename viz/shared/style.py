"""Every colour, scale and margin of Glassformer, and what its words and labels are written as.

Each colour has one meaning on every page: query blue, key orange, value green, residual stream purple, masked grey;
and who says a turn of a conversation.
They are of the Okabe-Ito palette, which suits any colour vision. Weights use one sequential scale from 0 to 1, and
signed values one diverging scale centred on 0. Each has a light and a dark form.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import cache
from typing import Any, Literal

# Pages and pictures take the text of a number from here, beside its colour.
from model.numerals import MINUS as MINUS
from model.numerals import number as number
from model.numerals import percent as percent

Theme = Literal["light", "dark"]
Scale = tuple[tuple[float, str], ...]  # (place 0..1, colour)

COLOURS: dict[Theme, dict[str, str]] = {
    "light": {
        "background": "#ffffff",
        "panel": "#f6f7f9",
        "border": "#dfe3e8",
        "grid": "#eceff2",
        "text": "#1a2230",
        "muted": "#5d6978",
        "query": "#0072b2",
        "key": "#d98200",
        "key_text": "#a35c00",
        "value": "#009e73",
        "value_text": "#00785a",
        "residual": "#b8659a",
        "residual_text": "#99457b",
        "masked": "#c3c9d1",
        "masked_text": "#66717e",
        "accent": "#0072b2",
        "good": "#00785a",
        "warn": "#b34700",
        "system": "#8a7f00",
        "user": "#56b4e9",
        "assistant": "#d55e00",
    },
    "dark": {
        "background": "#0f1216",
        "panel": "#161b22",
        "border": "#2c343e",
        "grid": "#222932",
        "text": "#e8ebef",
        "muted": "#97a3b1",
        "query": "#62b4ea",
        "key": "#efa31d",
        "key_text": "#f2ae38",
        "value": "#2cc194",
        "value_text": "#3fcca2",
        "residual": "#dd94bd",
        "residual_text": "#e3a3c7",
        "masked": "#454e5a",
        "masked_text": "#8490a0",
        "accent": "#62b4ea",
        "good": "#3fcca2",
        "warn": "#ff9b61",
        "system": "#f0e442",
        "user": "#9bd3f7",
        "assistant": "#ff8a4c",
    },
}

# Okabe-Ito, in the order of the lines and bars of one picture.
SERIES: dict[Theme, tuple[str, ...]] = {
    "light": ("#0072b2", "#d98200", "#009e73", "#b8659a", "#56b4e9", "#d55e00", "#8a7f00", "#4d5866"),
    "dark": ("#62b4ea", "#efa31d", "#2cc194", "#dd94bd", "#9bd3f7", "#ff8a4c", "#f0e442", "#aab4c0"),
}

# Weights, 0..1: from the panel's tone to the deepest query blue.
SEQUENTIAL: dict[Theme, Scale] = {
    "light": ((0.0, "#f5f9fc"), (0.1, "#d5e5f1"), (0.35, "#86b6d8"), (0.65, "#3484bb"), (1.0, "#004b83")),
    "dark": ((0.0, "#151b22"), (0.1, "#1d3344"), (0.35, "#2f6690"), (0.65, "#5ba6dc"), (1.0, "#c4e6ff")),
}

# Signed values: below zero orange, above zero blue, zero quiet.
SIGNED: dict[Theme, Scale] = {
    "light": ((0.0, "#8f4a00"), (0.25, "#df9430"), (0.5, "#f7f7f5"), (0.75, "#5ba3d2"), (1.0, "#004b83")),
    "dark": ((0.0, "#ffc66b"), (0.25, "#a3691a"), (0.5, "#171c22"), (0.75, "#3a7dae"), (1.0, "#b5dfff")),
}

# Source Sans and Source Code Pro come with Streamlit. Urdu, Symbols and Equations are names of ours for the fonts of
# assets/fonts that .streamlit/config.toml and `viz.documents.page_fonts` give to browsers.
FONT = "'Source Sans', 'Source Sans 3', Urdu, Symbols, sans-serif, Equations"
MONO = "'Source Code Pro', Urdu, Symbols, monospace, Equations"
FONT_SIZE = 13
AXIS_PERCENT = ".0%"  # of the ticks of an axis of shares, which are round numbers
MARGIN = {"l": 8, "r": 8, "t": 8, "b": 8}

CUT = ":small[]"  # Streamlit's Markdown of an empty span
_CHIP = re.compile(
    r":[a-z]+-background\[((?:\\.|:small\[\]|[^\\\]])*?) :small\[(\d+)\]\]"
)  # `pages.shared.elements.quotes.quote`
_LINE_BREAK = re.compile(r"\r\n?|\n")
_MARK_UP = re.compile(r"([\\`*_{}\[\]()#+\-.!$<>|~:&@/])")
# The places inside all that Streamlit 1.67 replaces: addresses of the web and of mail, icons, emoji, and arrows, dashes
# and comparisons of two signs (`nc`, `Um`, `Wm` and `Gm` of its StreamlitMarkdown.js).
_REPLACED = re.compile(
    r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=\S)|(?<=:)(?=[\w+-]+:)|(?<=[-<>~])(?=[-=>])",
    re.IGNORECASE,
)

SPACE = "·"
BREAK = "⏎"
TAB = "⇥"


def colour(role: str, theme: Theme = "light") -> str:
    """The colour of a role ('query', 'key', 'masked', ...) in a theme. KeyError on an unknown role."""
    return COLOURS[theme][role]


def plotly_scale(scale: dict[Theme, Scale], theme: Theme = "light") -> list[list[Any]]:
    """SEQUENTIAL or SIGNED in the form of a Plotly colorscale."""
    return [[stop, hex_colour] for stop, hex_colour in scale[theme]]


def with_alpha(hex_colour: str, alpha: float) -> str:
    """'#rrggbb' and an opacity 0..1 as a CSS rgba() colour."""
    r, g, b = (int(hex_colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{alpha:g})"


def apply_style(fig: Any, theme: Theme = "light", height: int | None = None) -> Any:
    """Give a Plotly figure the house look, in place, and return it.

    Show it with `st.plotly_chart(fig, theme=None)`, so that Streamlit keeps these colours.
    """
    fig.update_layout(template=_template(theme), **({} if height is None else {"height": height}))
    return fig


def make_figure(traces: Any, theme: Theme = "light", height: int | None = None, **layout: Any) -> Any:
    """A Plotly figure of the traces in the house look, with more values of its `layout`, made in one step.

    Plotly checks the whole figure at each later change. So this takes a third of the time of `apply_style`,
    `update_xaxes` and `add_shape` one after the other.
    """
    import plotly.graph_objects as go

    size = {} if height is None else {"height": height}
    return go.Figure(traces, {"template": _template(theme), **size, **layout})


@cache
def _template(theme: Theme) -> Any:
    """The house look as a Plotly template. It has only the values that figures here use, since Plotly checks it with
    each figure."""
    import plotly.graph_objects as go

    c = COLOURS[theme]
    axis = {
        "gridcolor": c["grid"],
        "linecolor": c["border"],
        "zerolinecolor": c["border"],
        "zerolinewidth": 2,
        "ticks": "",
        "ticklabelstandoff": 4,
        "tickfont": {"color": c["muted"], "size": FONT_SIZE - 1},
        "title": {"font": {"color": c["muted"], "size": FONT_SIZE}, "standoff": 15},
        "automargin": True,
    }
    font = {"family": FONT, "size": FONT_SIZE, "color": c["text"]}
    layout = {
        "autotypenumbers": "strict",  # words of digits stay words
        "hovermode": "closest",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": font,
        "colorway": list(SERIES[theme]),
        "margin": MARGIN,
        "hoverlabel": {"bgcolor": c["panel"], "bordercolor": c["border"], "align": "left", "font": font},
        "legend": {"font": {"color": c["text"]}, "bgcolor": "rgba(0,0,0,0)"},
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": c["muted"], "activecolor": c["accent"]},
        "xaxis": axis,
        "yaxis": axis,
    }
    return go.layout.Template(layout=layout, data={"heatmap": [{"colorbar": {"outlinewidth": 0, "ticks": ""}}]})


def write_score(x: float, kind: str) -> str:
    """The score of an answer: a percentage, or a number where a configuration's `label_scores` are "none"."""
    return number(x) if kind == "none" else percent(x)


def score_noun(kind: str) -> str:
    """What a score of that kind is called."""
    return "number" if kind == "none" else "probability"


def count_noun(n: int, noun: str, nouns: str = "") -> str:
    """A count with its noun: 1 token, 1,127 tokens. `nouns` is an irregular plural: 2 branches."""
    return f"{n:,} {noun if n == 1 else nouns or noun + 's'}"


def measure_name(key: str) -> str:
    """The name of a measure on screen: exact match, alignment, chrF."""
    return "chrF" if key == "chrf" else key.replace("_", " ")


def bytes_label(raw: bytes) -> str:
    """Bytes that make no whole character, as hexadecimal pairs: ⟨F0 9F⟩."""
    return "⟨" + raw.hex(" ").upper() + "⟩"


def token_label(text: str, raw: bytes | None = None) -> str:
    """The label of a token: a dot for a space, a sign for a line break, the bytes of a fragment of a character.

    Control and invisible characters appear as a sign or their code point, so that all are visible and none changes the
    direction of the text. The result is plain text: escape it with `plotly_text` or `markdown_text`.
    """
    if raw and (text == "" or ("\ufffd" in text and _is_fragment(raw))):
        return bytes_label(raw)
    if text == "":
        return "⟨nothing⟩"
    return "".join(_visible(character) for character in text)


def _is_fragment(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _visible(character: str) -> str:
    if character in " \u2581\u00a0":
        return SPACE
    if character in "\n\r\u2028\u2029":
        return BREAK
    if character == "\t":
        return TAB
    if ord(character) < 32:
        return chr(0x2400 + ord(character))
    if character in "\u200c\u200d":  # joiners shape Urdu and emoji
        return character
    if unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Zs", "Cn"):
        return f"⟨U+{ord(character):04X}⟩"
    return character


def is_right_to_left(text: str) -> bool:
    """Whether the first letter with a direction is a right-to-left one (Urdu, Arabic, Hebrew)."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def plotly_text(label: str) -> str:
    """A label that Plotly shows as written, though it knows a few HTML tags."""
    return html.escape(label, quote=False)


def markdown_text(label: str) -> str:
    """A label safe in Streamlit's Markdown: no mark-up, LaTeX, link, icon or colour in it takes effect.

    Backslashes do not keep Streamlit from making links, icons and arrows: it looks for them in what is read without
    the backslashes. It does so within one piece of text, so these are cut into two. A cut is an empty span: nothing
    more is shown or copied.
    """
    pieces = _REPLACED.split(_LINE_BREAK.sub(BREAK, label))
    return CUT.join(_MARK_UP.sub(r"\\\1", piece) for piece in pieces)


def plain_text(markdown: str) -> str:
    """What `markdown_text`, bold marks and chips leave to read: for `alt` texts."""
    return re.sub(r"\\(.)", r"\1", spell_chips(markdown.replace(CUT, "").replace("**", "")))


def spell_chips(markdown: str) -> str:
    """Markdown with every chip of a token spelled out, for text without colours: fox (token 3)."""
    return _CHIP.sub(r"\1 (token \2)", markdown)


def upper_first(text: str) -> str:
    """A text that begins a sentence. Its other letters, such as those of a name, stay as they are."""
    return text[:1].upper() + text[1:]


def bold_word(label: str) -> str:
    """A token or a class inside running text: bold, safe in Markdown, and in its own direction of writing.

    One without letters and digits is put in quotation marks. “After 9 tokens . is likeliest” would read as a slip.
    """
    bold = f"**{isolate(markdown_text(label))}**"
    return bold if any(map(str.isalnum, label)) else f"“{bold}”"


def quoted_word(label: str) -> str:
    """A token or a class inside running text without Markdown: “dog”."""
    return f"“{isolate(label)}”"


def isolate(label: str) -> str:
    """A right-to-left word inside Unicode isolates, so that the words and numbers beside it keep their order."""
    return f"\u2068{label}\u2069" if is_right_to_left(label) else label
