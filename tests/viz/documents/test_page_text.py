"""The pages' Markdown as HTML: its colours, icons and equations, and that no tag of a text survives."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.documents.page_text import html_of, line_of, mathml_of
from viz.shared.style import markdown_text

FORBIDDEN = {"script", "style", "img", "svg", "iframe", "object", "embed", "form", "input", "base", "meta", "link", "b"}


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def test_colours_nest_and_icons_have_no_letters() -> None:
    found = line_of(":material/info: :gray[a **b** :blue[c] d]")
    assert found == ' <span class="is-gray">a <strong>b</strong> <span class="is-blue">c</span> d</span>'


def test_an_icon_that_judges_becomes_a_sign() -> None:
    assert line_of(":green[:material/check:] 1.00") == '<span class="is-green">✓</span> 1.00'
    assert line_of(":orange[:material/close: wrong]") == '<span class="is-orange">✗ wrong</span>'


def test_equations_in_a_sentence() -> None:
    found = line_of("- of $d_k$, but $5 and $6 are money")
    assert found.count("<math") == 1
    assert "$5 and $6" in found


def test_an_equation_becomes_mathml() -> None:
    found = mathml_of(r"\frac{Q K^\top}{\sqrt{d_k}}")
    assert found.startswith("<math")
    assert {"mfrac", "msqrt", "msub"} <= set(Tags(found).tags)


@pytest.mark.parametrize("latex", [r"\text{<b>x</b>}", r"\text{<mi onclick='a()'>x</mi>}", r"\text{a < b}", r"\frac{"])
def test_tags_in_latex_are_shown_as_its_source(latex: str) -> None:
    found = Tags(mathml_of(latex))
    assert found.tags == ["code"]
    assert found.text == latex


def test_only_links_to_the_web_lead_anywhere() -> None:
    assert line_of("[a](https://arxiv.org)") == '<a href="https://arxiv.org">a</a>'
    for target in ("javascript:alert(1)", "/heads", "data:text/html,x", "file:///etc/passwd"):
        assert "<a" not in line_of(f"[a]({target})")


@given(st.text(max_size=80))
def test_a_sentence_reads_as_it_was_written(sentence: str) -> None:
    single = " ".join(sentence.split())
    found = Tags(line_of(markdown_text(single)))
    assert found.tags == []
    assert found.text.replace("\ufffd", "") == single.replace("\ufffd", "").replace("\x00", "")


@given(st.text(alphabet=st.sampled_from("<>/absvg \n$[]():*_`&;\"'=!onclick{}\\|-#"), max_size=120))
def test_whatever_is_written_makes_no_tag_of_its_own(text: str) -> None:
    found = Tags(html_of(text))
    assert not FORBIDDEN & set(found.tags)
    assert not any(name.startswith("on") or name == "src" for name, _ in found.attributes)
    assert all((value or "").startswith("http") for name, value in found.attributes if name == "href")


def test_a_link_to_a_view_of_the_app_is_text_in_a_saved_page() -> None:
    source = "[Elman (1990)](glossary?glossary_part=sources&glossary_source=elman-1990), [here](https://example.org)"
    assert html_of(source) == '<p>Elman (1990), <a href="https://example.org">here</a></p>\n'
