"""Why this word, Patching: the patched run of a cell becomes the run of every page."""

from __future__ import annotations

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import load
from model.edits.activations import parse_activation
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair, sites_of
from model.run import ids_of
from pages.catalogue import BY_URL
from pages.models.why_parts.patching.patched_run import part_of
from pages.shared.session.keys import KEYS
from tests.conftest import loaded
from tests.pages.conftest import components, go, messages, open_link, run_page, tell
from tests.pages.executed_notebooks import executed, written

TEXT, OTHER = "the dog sees the cat", "the bird sees the cat"


def visit(**state: object) -> AppTest:
    values = {"model": "tiny-lm", "text": TEXT, "why_part": "patching", "why_text2": OTHER} | state
    return run_page("models/why.py", **values)


def signs(app: AppTest) -> list[str]:
    return [f"{each['title']} {each['how']}" for each in components(app)["run_bar"][0]["edits"]]


def see(app: AppTest) -> AppTest:
    app.button(key="why see run").click().run()
    assert not app.exception
    assert not messages(app)
    return app


def patched_logits(site: str, layer: int, row: int) -> torch.Tensor:
    model = load("tiny-lm")
    pair = record_pair(model.network, *(Prompt(ids_of(model.tokens_of(text))) for text in (TEXT, OTHER)))
    found = next(each for each in sites_of(model.network) if f"{each.stack}.{each.part}" == site)
    return Patching(model.network, pair, *pair.telling_tokens()).run_row(found, layer, row)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("site", "cell", "sign"),
    [
        ("decoder.resid_in", (2, 1), "Layer 2, stream, token 1"),
        ("decoder.self_attn.out", (1, 5), "Layer 1, self-attention, token 5"),
        ("decoder.ffn.out", (3, 5), "Layer 3, feed-forward, token 5"),
        ("decoder.self_attn.heads", (2, 1), "Layer 2, head 1"),
    ],
)
def test_the_run_of_every_page_is_the_patched_one(site: str, cell: tuple[int, int], sign: str) -> None:
    app = see(visit(why_site=site, why_cell=cell))
    assert signs(app) == [f"{sign} from “{TEXT}”"]
    assert components(app)["run_bar"][0]["text"] == OTHER
    assert app.session_state["why_part"] == "account"
    app.session_state["depth"] = "Numbers"
    app.run()
    logits, parts = patched_logits(site, *cell), app.dataframe[0].value
    lead = logits[app.session_state["why_answer"]] - logits[app.session_state["why_against"]]
    assert sum(parts["adds"]) == pytest.approx(float(lead), abs=1e-3)
    app.session_state["depth"] = "Picture"
    go(app, "home")
    bars = components(app)["model_map"][0]["outcome"]["bars"]
    assert bars[0]["share"] == pytest.approx(float(logits.softmax(-1).max()), abs=1e-3)
    assert signs(app) == [f"{sign} from “{TEXT}”"]


@pytest.mark.slow
def test_one_undo_takes_back_the_patch_and_the_sentence() -> None:
    app = see(visit(why_cell=(2, 1)))
    tell(app, "run_bar", "step", "undo")
    assert signs(app) == []
    assert components(app)["run_bar"][0]["text"] == TEXT


def test_the_sign_undoes_the_patch_alone() -> None:
    app = see(visit(why_cell=(2, 1)))
    tell(app, "run_bar", "mute", components(app)["run_bar"][0]["edits"][0]["id"])
    assert signs(app) == []
    assert components(app)["run_bar"][0]["text"] == OTHER


@pytest.mark.slow
def test_the_link_of_a_patched_run_opens_it() -> None:
    edits = see(visit(why_cell=(2, 1))).session_state["edits"]
    assert edits == f"decoder.2.resid_in@1|{TEXT}"
    app = open_link("attention/heads.py", model="tiny-lm", text=OTHER, edits=edits)
    assert not messages(app)
    assert signs(app) == [f"Layer 2, stream, token 1 from “{TEXT}”"]


@pytest.mark.slow
def test_the_notebook_makes_the_patched_run() -> None:
    app = see(visit(why_cell=(2, 1), why_site="decoder.ffn.out"))
    text = written(app)
    assert "patch(whole, 'decoder.2.ffn.out'" in text
    assert executed(text)["view"].asked.account.difference < 1e-4


@pytest.mark.slow
def test_a_translator_reads_the_same_translation_in_both_runs() -> None:
    state = {"model": "en-ur", "text": "I am a robot", "why_text2": "I am a girl", "query": 2}
    app = see(visit(**state, why_site="decoder.cross_attn.out", why_cell=(1, 2)))
    assert signs(app) == ["Decoder, layer 1, cross-attention, token 2 from “I am a robot”"]
    model = loaded("en-ur")
    target = app.session_state["target"]
    ids = ids_of(model.target_tokens(model.tokens_of("I am a robot"), target))
    prompts = (Prompt(ids[:3], ids_of(model.tokens_of(text))) for text in ("I am a robot", "I am a girl"))
    pair = record_pair(model.network, *prompts)
    tokens = app.session_state["why_answer"], app.session_state["why_against"]
    logits = Patching(model.network, pair, *tokens).run_row(Site("decoder", "cross_attn.out"), 1, 2)
    app.session_state["depth"] = "Numbers"
    app.run()
    lead = float(logits[tokens[0]] - logits[tokens[1]])
    assert sum(app.dataframe[0].value["adds"]) == pytest.approx(lead, abs=1e-3)


def test_an_edited_run_is_not_patched_further() -> None:
    assert visit(edits="decoder.1.ffn*2").button(key="why see run").disabled


@pytest.mark.parametrize("text", ["a, b|c%", "میں ایک", "100%25", "@all*2"])
def test_a_sentence_comes_back_from_the_text_of_a_patch(text: str) -> None:
    for target in ("", "x|y,z"):
        part = part_of(Site("decoder", "self_attn.heads"), 3, 4, text, target)
        assert parse_activation(str(part)) == part


@pytest.mark.parametrize(
    "value",
    ["decoder.2.resid_in@9|the dog", "decoder.2.resid_in@first|a", "decoder.2.ffn.3@1|a", "decoder.2.resid_in.1@1|a",
     "decoder.2.self_attn@all|a", "decoder.2.cross_attn@0|a", "decoder.2.self_attn.99@0|the dog",
     "decoder.2.resid_in@0|", "decoder.2.resid_in@0|a|b|c"],
)  # fmt: skip
def test_a_hostile_link_gets_one_message_and_the_whole_model(value: str) -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text=TEXT, edits=value)
    assert not app.exception
    assert len(messages(app)) == 1
    assert signs(app) == []


@pytest.mark.parametrize("page", [page for page in KEYS["edits"].pages if page != "translate"])
@pytest.mark.parametrize("depth", ["Picture", "Formula", "Code"])
def test_every_page_opens_with_activations_of_other_sentences(page: str, depth: str) -> None:
    added = "decoder.2.resid_in*1.5@first|the happy dog|the sad cat"
    edits = f"decoder.1.self_attn.2@all|{OTHER},{added},decoder.3.ffn@4|{OTHER}"
    app = run_page(BY_URL[page].file.removeprefix("pages/"), model="tiny-lm", text=TEXT, edits=edits, depth=depth)
    assert not messages(app)
    assert len(signs(app)) == 3
    assert components(app)["run_bar"][0]["is_edited"]


@pytest.mark.slow
def test_patched_keys_are_no_run_of_every_page() -> None:
    """A link holds what a head gives, and not what makes it."""
    app = visit(why_site="decoder.self_attn.k", why_cell=(1, 2))
    assert not messages(app)
    button = app.button(key="why see run")
    assert button.disabled
    assert "not their queries, keys, values and patterns" in button.help
