"""A template is a stranger's program: what it may do, and what it costs."""

import sys
from time import monotonic

import pytest

from model.chat import renderer, template
from model.chat.template import ChatTemplate, Request
from model.chat.turns import Conversation, Turn
from model.errors import ConversationError
from model.tokens.tokenizer import Tokenizer
from tests.model.chat.test_parity import TEMPLATES, both
from tests.model.tokens import kinds

HELLO = Request((Turn("user", "hello"),), prompts=True)
LOOP = "{% for a in range(99999) %}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "words"),
    [
        (LOOP * 4 + "{% endfor %}" * 4, "takes more time or memory than a template may"),
        ("{% set ns = namespace(x='ab') %}" + LOOP + "{% set ns.x = ns.x ~ ns.x %}{% endfor %}", "MemoryError"),
        ("{% macro f(x) %}{{ f(x) }}{{ f(x) }}{% endmacro %}{{ f(1) }}", "maximum recursion depth"),
    ],
)
def test_one_that_never_ends_is_a_message(source: str, words: str) -> None:
    tokenizer = Tokenizer(kinds.byte_level(), start=None, end=None, pad=None)
    tokenizer.chat = ChatTemplate(source)
    began = monotonic()
    with pytest.raises(ConversationError, match=words):
        tokenizer.encode(Conversation("user: hello"))
    assert monotonic() - began < template.MAX_WAIT_SECONDS


@pytest.mark.usefixtures("renders_here")
@pytest.mark.parametrize(
    ("source", "words"),
    [
        (LOOP + "{{ 'ten letter' }}{% endfor %}", "it writes more than 200,000 characters"),
        ("{{ messages.__class__.__mro__ }}", "unsafe"),
        ("{{ messages | nothing }}", "No filter named 'nothing'"),
        ("{% for %}", "Expected"),
        ("{{ tools[0].name }}", "None"),
        ("{{ missing.part }}", "'missing' is undefined"),
        ("{{ cycler.__init__.__globals__ }}", "unsafe"),
        ("{{ raise_exception('no') }}", "no"),
    ],
)
def test_one_that_fails_says_why(source: str, words: str) -> None:
    (answer,) = ChatTemplate(source).write(HELLO)
    assert words in answer.error
    assert answer.refused == ("raise_exception" in source)


def test_it_runs_in_a_process_of_its_own() -> None:
    """And it gets nothing of the environment."""
    messages = [{"role": "user", "content": "the “fox” \U0001f98a"}]
    request = {"messages": messages, "add_generation_prompt": True, "bos_token": "<s>"}
    sources = (TEMPLATES["gemma"], "{{ raise_exception('no') }}", "{{ strftime_now('%Y') | int > 2000 }}")
    for source in sources:
        assert template.run_renderer(source, [request]) == renderer.write_all(source, [request])


def test_a_process_that_fails_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])  # it finds no Jinja
    with pytest.raises(ConversationError, match="seems never to end"):
        template.run_renderer("{{ 1 }}", [])


@pytest.mark.usefixtures("renders_here")
def test_a_model_says_that_it_has_no_template_or_that_its_template_refuses() -> None:
    tokenizer = both("gemma", "bytes")[1]
    with pytest.raises(ConversationError, match=r"does not take these turns: System role not supported\."):
        tokenizer.encode(Conversation("system: low\nuser: dog"))
    with pytest.raises(ConversationError, match="cannot be read"):
        ChatTemplate("", fault="This model's template cannot be read.").write(HELLO)
