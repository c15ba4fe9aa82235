"""A saved view: what stands in the file, and that nothing in it can run or ask for anything but what is meant."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re

import numpy as np
import plotly.graph_objects as go
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st

from viz.documents import page_fonts, page_html
from viz.documents.page_parts import Code, Component, Equation, Group, Heading, Metric, PagePart, Plot, Table, Text
from viz.shared.payload import pack

SCRIPT = "const secret = 1;\nexport default function ({ parentElement }) { parentElement.append('</script>'); }\n"
DATA = pack({"label": "a strip"}, weights=np.arange(4, dtype=np.uint8))
COMPONENT = Component("strip", SCRIPT, ".gf { color: red }", DATA)
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def page(*parts: PagePart, **facts: str) -> str:
    return page_html.write_page("A title", Group(parts), facts, "http://localhost:8501/heads?x=1", "light")


def running(html: str) -> list[str]:
    """The scripts of a file that a browser runs."""
    return re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL)


def policy(html: str) -> str:
    return re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]  # type: ignore[index]


def sha256(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_every_part_is_there_in_order() -> None:
    parts = (
        Heading("Heads", 1),
        Text(":gray[Where it *looks*]"),
        Equation("x^2"),
        Code("a < b"),
        Metric("Loss", "0.5"),
        Table(["word", "weight"], [["fox", "0.3"]]),
        Group([Text("inside", "info")], "fold", title="More"),
    )
    html = page(*parts, Sentence="a < b")
    places = [html.index(each) for each in (
        "<h1>Heads</h1>", "<em>looks</em>", "<msup>", "a &lt; b</code>", "<strong>0.5</strong>", "<bdi>fox</bdi>",
        "<summary>More</summary>", '<div class="info"><p>inside</p>', "<dd><bdi>a &lt; b</bdi></dd>",
    )]  # fmt: skip
    assert places == sorted(places)


def test_the_policy_allows_no_request_and_only_the_scripts_of_the_file() -> None:
    html = page(COMPONENT, Plot(go.Figure(go.Bar(y=[1])).to_json(), "One bar"))
    scripts = running(html)
    packed = re.search(r'id="plotly">([^<]*)<', html)[1]  # type: ignore[index]
    drawer = gzip.decompress(base64.b64decode(packed)).decode()
    assert policy(html).startswith("default-src 'none'; script-src 'sha256-")
    assert {sha256(script) for script in [*scripts, drawer]} == set(re.findall(r"'sha256-[^']*'", policy(html)))
    assert "unsafe-inline" not in policy(html).split("style-src")[0]
    assert "unsafe-eval" not in policy(html)


def test_plotly_is_there_once_and_only_for_figures() -> None:
    figure = Plot(go.Figure(go.Bar(y=[1])).to_json(), "One bar")
    assert page(figure, figure).count('id="plotly"') == 1
    assert 'id="plotly"' not in page(COMPONENT)
    assert len(page(figure)) < 2_100_000
    assert len(page(COMPONENT)) < 30_000


def test_a_figure_with_many_labels_is_wider_than_a_phone_and_moves() -> None:
    figure = go.Figure(go.Bar(y=[1])).to_json()
    assert '<div class="plot" style="min-width: 700px">' in page(Plot(figure, "Many bars", least=700))
    assert '<div class="plot"></div>' in page(Plot(figure, "One bar"))


def fonts_in(html: str) -> dict[str, str]:
    """The families of the fonts in a file, and the name of the one that each is."""
    found = re.findall(r"@font-face\{font-family:(\w+);src:url\(data:font/woff2;base64,([\w+/=]+)\)", html)
    return {family: TTFont(io.BytesIO(base64.b64decode(data)))["name"].getDebugName(1) for family, data in found}


PLOT = Plot(go.Figure(go.Bar(x=["ہوں"], y=[1])).to_json(), "One bar")


@pytest.mark.parametrize(
    "part",
    [
        Text("The model wrote **ہوں**"),
        Table(["word"], [["ہوں"]]),
        PLOT,
        Component("strip", SCRIPT, "", pack({"label": "ہوں"})),
        Component("strip", SCRIPT, "", json.dumps({"label": "ہوں"})),
        Group([Metric("ہوں", "1")], "fold", title="More"),
    ],
    ids=lambda part: type(part).__name__,
)
def test_the_font_of_urdu_comes_with_a_page_that_has_urdu(part: PagePart) -> None:
    assert fonts_in(page(part)) == {"Urdu": "Noto Naskh Arabic"}
    html = page_html.write_page("", Group([part]), {}, "", "light", "nastaliq")
    assert fonts_in(html) == {"Urdu": "Noto Nastaliq Urdu"}


def test_fonts_come_only_with_a_page_that_needs_them() -> None:
    assert fonts_in(page(Text("5 × 3 café Ж"), COMPONENT)) == {}
    assert fonts_in(page(Text("a → b, − √2 ≤ ∞"))) == {"Equations": "Noto Sans Math"}
    assert fonts_in(page(Text("▲ higher"))) == {"Symbols": "Noto Sans Symbols 2"}
    assert fonts_in(page(Text("a"), Sentence="میں")) == {"Urdu": "Noto Naskh Arabic"}
    assert fonts_in(page(Component("player", "const next = '⏭';", "", pack({})))) == {"Symbols": "Noto Sans Symbols 2"}
    assert fonts_in(page(Equation("x^2"))) == {"Equations": "Noto Sans Math"}
    assert fonts_in(page(Text("softmax(S ∘ M)"))) == {"Equations": "Noto Sans Math"}
    assert fonts_in(page(Text("<math>"))) == {}, "a text is no equation"


def test_arrows_and_roots_come_without_the_font_of_equations() -> None:
    common = page_fonts.faces("√2 → 1")
    assert len(common) < len(page_fonts.faces("<math>√2 → 1 ∘</math>")) / 5
    (data,) = re.findall("base64,([^)]*)", common)
    held = TTFont(io.BytesIO(base64.b64decode(data))).getBestCmap()
    assert set(held) >= page_fonts.COMMON_SIGNS


def test_a_font_says_which_letters_it_has() -> None:
    """Else it would give its height to all lines, as the first of the list that the browser has."""
    (letters,) = re.findall(r"unicode-range:([^}]*)", page(Text("ہوں")))
    assert {"U+6C1", "U+6BA"} <= set(letters.split(","))
    assert not {"U+20", "U+41", "U+A0"} & set(letters.split(","))


def test_a_component_is_registered_once_with_its_own_data() -> None:
    html = page(COMPONENT, Component("strip", SCRIPT, "", json.dumps({"a": 1})))
    assert sum("secret" in script for script in running(html)) == 1
    assert f'data-kind="bytes">{base64.b64encode(DATA).decode()}</script>' in html
    packed = base64.b64encode(b'{"a": 1}').decode()
    assert f'data-kind="json">{packed}</script>' in html
    assert '(globalThis.saved ??= {})["strip"] = function' in running(html)[0]
    assert "'<\\/script>'" in running(html)[0]


def test_long_tables_say_what_they_leave_out() -> None:
    rows = [[str(i)] * 120 for i in range(600)]
    html = page(Table([f"c{i}" for i in range(120)], rows, 9000))
    assert "the first 500 of 9,000 rows and the first 100 of 120 columns" in html
    assert html.count("<tr>") == 501
    assert html.count("<th ") == 100


def _all_parts(text: str) -> tuple[PagePart, ...]:
    return (
        Code(text),
        Table([text], [[text]]),
        Plot(json.dumps({"data": [], "layout": {"title": text}}), text),
        Component("strip", SCRIPT, text, json.dumps(text)),
        Component("strip", SCRIPT, text, pack({"label": text})),
        Heading(text, 2),
        Text(text),
        Equation(rf"\text{{{text}}}"),
        Metric(text, text),
        Group([Text(text)], "fold", title=text),
    )


@pytest.mark.slow
@settings(max_examples=40)  # plotly.js is packed once
@given(
    st.sampled_from([HOSTILE, '"><script>alert(1)</script>', "--><svg onload=alert(1)>", "&lt;b&gt;", "'\"`"])
    | st.text(max_size=30)
)
def test_text_stays_text_wherever_it_stands(text: str) -> None:
    html = page_html.write_page(text, Group(_all_parts(text)), {text: text}, "javascript:alert(1)", "dark")
    quiet = page_html.write_page("", Group(_all_parts("quiet")), {"a": "b"}, "", "dark")
    assert running(html) == running(quiet)
    assert html.count("<script") == quiet.count("<script")
    assert "<img" not in html
    assert "<svg" not in html
    assert "javascript:" not in re.sub(r">[^<]*<", "><", html)
