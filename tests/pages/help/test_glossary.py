"""Help without a browser: every term leads to a view that exists, and the table of keys is that of the components."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from xml.etree.ElementTree import fromstring

import pytest
from streamlit.testing.v1 import AppTest

from model import available
from model.bibliography import bibliography
from model.glossary import Term
from pages.catalogue import BY_URL
from pages.help import page_help
from pages.help.keyboard import COMPONENT_KEYS
from pages.shared.session import key_texts
from pages.shared.session.keys import KEYS
from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import run_page, session_of
from viz.shared.component_script import join_script
from viz.shared.style import markdown_text

ROOT = Path(__file__).parents[3]
COMPONENTS = ROOT / "assets" / "components"
TERMS = page_help.terms()


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.anchor)
def test_a_term_leads_to_a_view_that_exists(term: Term) -> None:
    assert term.page in BY_URL
    faults = {name: key_texts.find_fault(name, term.page, value) for name, value in term.state.items()}
    assert not any(faults.values()), faults
    assert term.state.get("model", "tiny-lm") in {card.name for card in available()}


def test_parts_are_named_where_a_page_has_parts() -> None:
    """Without its part a link would open whatever the reader looked at last."""
    parted = {name.removesuffix("_part") for name in KEYS if name.endswith("_part")}
    assert {term.name for term in TERMS if term.page in parted and f"{term.page}_part" not in term.state} == set()


def test_every_symbol_and_equation_becomes_mathml() -> None:
    for entry in page_help.term_entries():
        for math in (entry["symbol"], entry["equation"]):
            if math:
                tree = fromstring(math)
                assert tree.tag == "{http://www.w3.org/1998/Math/MathML}math", entry["name"]
                assert "\\" not in "".join(tree.itertext()), entry["name"]  # a command that was not understood


def test_what_every_page_is_sent_is_small_and_the_same() -> None:
    first = page_help._pack((("tokens", "Tokens"),), "", True, 0)
    assert first is page_help._pack((("tokens", "Tokens"),), "", True, 0)
    assert len(first) < 13_000


@pytest.mark.parametrize(("anchor", "page", "values"), [
    ("causal-mask", "masks", {"masks_part": "cheat"}),
    ("beam-search", "translate", {"translate_view": "beam", "model": "en-ur"}),
])  # fmt: skip
def test_open_keeps_the_readers_sentence(anchor: str, page: str, values: dict[str, str]) -> None:
    def opened() -> None:
        import streamlit as st

        from pages.help import page_help
        from pages.shared.server.session_values import of_session
        from pages.shared.session.view_session import ViewSession

        of_session(ViewSession).page = "glossary"
        of_session(ViewSession).pages = st.session_state["given"]
        page_help.open_term(st.session_state["anchor"])

    app = AppTest.from_function(opened)
    app.session_state["given"] = {page: SimpleNamespace(url_path=page)}
    app.session_state["anchor"] = anchor
    app.session_state["text"] = "George drove to the bank"
    app.session_state["model"] = "tiny-lm"
    app.run()
    assert not app.exception
    wanted, given = session_of(app, ViewSession).wanted
    assert wanted == page
    assert given == {"model": "tiny-lm", "text": "George drove to the bank"} | values


def test_the_page_opens_and_mends_a_term_that_does_not_exist() -> None:
    app = run_page("help/glossary.py", glossary_term="causal-mask")
    assert app.title[0].value == "Glossary"
    assert not app.warning
    app = run_page("help/glossary.py", glossary_term="flux")
    assert "“flux” does not exist" in app.warning[0].value
    assert app.session_state["glossary_term"] == ""


def test_a_source_line_leads_to_its_work_which_stands_first() -> None:
    app = run_page("attention/heads.py", model="tiny-lm", text="I am a robot", depth="Formula")
    links = [link for each in app.caption for link in re.findall(r"\]\(glossary\?([^)]*)\)", each.value)]
    assert "glossary_part=sources&glossary_source=vaswani-2017" in links
    app = run_page("help/glossary.py", glossary_part="sources", glossary_source="vaswani-2017")
    assert "(https://arxiv.org/abs/1706.03762)" in app.markdown[1].value
    assert len(app.subheader) == 2
    everything = "\n".join(each.value for each in app.markdown)
    assert all(markdown_text(work.title) in everything for work in bibliography())
    app = run_page("help/glossary.py", glossary_part="sources", glossary_source="<b>")
    assert "does not exist" in app.warning[0].value
    assert app.session_state["glossary_source"] == ""


def test_the_source_of_every_equation_is_a_link() -> None:
    for entry in page_help.term_entries():
        if entry["equation"]:
            assert any(address for _, address in entry["source"]), entry["name"]


def test_the_table_of_keys_is_that_of_the_components() -> None:
    entries = [path for path in COMPONENTS.glob("*/*/*.js") if path.stem == path.parent.name]
    scripts = {path.stem: join_script(path) for path in entries}
    own = (
        "help",
        "glossary",
        "lecture_memory",
        "reveal",
    )  # the first two show the table; the others note only that somebody types
    listen = {name for name, script in scripts.items() if "keydown" in script and name not in own}
    listed = {part["component"] for part in COMPONENT_KEYS}
    assert listen <= listed
    assert listed <= set(scripts)
    for part in COMPONENT_KEYS:
        name = part["where"].split(".")[-1]
        assert re.search(rf'className: "(?:gf )?{name}"', scripts[part["component"]]), part["component"]


def test_no_two_components_answer_to_one_place() -> None:
    places = [part["where"] for part in COMPONENT_KEYS]
    assert len(places) == len(set(places))
