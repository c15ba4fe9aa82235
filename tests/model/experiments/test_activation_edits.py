"""Activations of another run: what is put and what is added, with and without a cache, and what comes of it."""

from __future__ import annotations

import pytest
import torch

from model import Model, ablate, attribute
from model.analysis.attribution import account_of, keep_for_account, keep_for_edits, keep_of
from model.analysis.source_tokens import keep_for_sources, token_parts
from model.edits.parts import scale
from model.errors import EditError
from model.experiments.activation_edits import add_difference, patch
from model.experiments.head_ablation import AblationSweep, next_token_loss
from model.experiments.part_removal import RemovalSweep, keep_for_removal
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair
from model.experiments.surgery import with_edits
from model.run import ids_of
from tests.conftest import loaded

TEXT, OTHER = "the dog sees the cat", "the bird sees the cat"
STREAM = "decoder.2.resid_in"


@pytest.fixture(scope="module")
def model() -> Model:
    return loaded("tiny-lm")


def test_the_whole_stream_of_another_run_makes_that_run(model: Model) -> None:
    edits = [patch(model, STREAM, OTHER, token) for token in range(6)]
    patched = model.trace(TEXT, keep="logits", edits=edits).logits
    torch.testing.assert_close(patched, model.trace(OTHER, keep="logits").logits, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("part", ["resid_in", "self_attn.out", "ffn.out"])
def test_one_place_is_that_of_the_other_run_and_the_run_is_that_of_a_patching(model: Model, part: str) -> None:
    name = f"decoder.2.{part}"
    patched = model.trace(TEXT, edits=[patch(model, name, OTHER, 2)])
    mine, other = (model.trace(text)[name] for text in (TEXT, OTHER))
    assert patched[name][2].allclose(other[2], atol=1e-5)
    torch.testing.assert_close(patched[name][[0, 1, 3, 4, 5]], mine[[0, 1, 3, 4, 5]])
    pair = record_pair(model.network, *(Prompt(ids_of(model.tokens_of(text))) for text in (OTHER, TEXT)))
    logits = Patching(model.network, pair, *pair.telling_tokens()).run_row(Site("decoder", part), 2, 2)
    torch.testing.assert_close(patched.logits[-1], logits, atol=1e-4, rtol=1e-4)


def test_a_head_is_put_at_one_token_or_at_all(model: Model) -> None:
    name = "decoder.1.self_attn.heads"
    mine, other = (model.trace(text)[name] for text in (TEXT, OTHER))
    at_one = model.trace(TEXT, edits=[patch(model, name, OTHER, 3, head=2)])[name]
    assert at_one[2, 3].allclose(other[2, 3], atol=1e-5)
    assert at_one[2, 4].allclose(mine[2, 4], atol=1e-5)
    at_all = model.trace(TEXT, edits=[patch(model, name, OTHER, head=2)])[name]
    assert at_all[2].allclose(other[2], atol=1e-5)
    assert at_all[1].allclose(mine[1], atol=1e-5)


def test_what_the_other_run_lacks_is_named(model: Model) -> None:
    with pytest.raises(EditError, match="there is no token 6"):
        patch(model, STREAM, OTHER, 6)
    with pytest.raises(EditError, match="there is no head 99"):
        patch(model, "decoder.1.self_attn.heads", OTHER, head=99)


def test_a_token_that_the_run_lacks_leaves_it_as_it_is(model: Model) -> None:
    edit = patch(model, STREAM, OTHER, 5)
    torch.testing.assert_close(model.trace("the dog", edits=[edit]).logits, model.trace("the dog").logits)


def test_the_difference_is_added_where_it_is_asked_for(model: Model) -> None:
    plus, minus = "the happy dog", "the dog"
    one, two, mine = (model.trace(text)[STREAM] for text in (plus, minus, TEXT))
    last = 1.5 * (one[-1] - two[-1])

    def added(where: int | str) -> torch.Tensor:
        return model.trace(TEXT, edits=[add_difference(model, STREAM, plus, minus, 1.5, where)])[STREAM] - mine

    torch.testing.assert_close(added("all"), last.expand(6, -1), atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(added(4)[4], last, atol=1e-5, rtol=1e-4)
    assert not added(4)[[0, 1, 2, 3, 5]].any()
    first, count = added("first"), min(len(one), len(two))
    torch.testing.assert_close(first[:count], 1.5 * (one[:count] - two[:count]), atol=1e-5, rtol=1e-4)
    assert not first[count:].any()


@pytest.mark.parametrize("where", ["all", "first", 0, 3])
def test_writing_with_a_cache_is_writing_without(model: Model, where: int | str) -> None:
    edited = with_edits(model, [add_difference(model, STREAM, "the happy dog", "the sad cat", 2.0, where)])
    steps = [[step.logits for step in edited.generate(TEXT, max_new_tokens=5, cache=cache)] for cache in (True, False)]
    torch.testing.assert_close(*map(torch.stack, steps), atol=1e-4, rtol=1e-4)
    whole = next(iter(model.generate(TEXT, max_new_tokens=1))).logits
    assert not steps[0][0].allclose(whole, atol=1e-3)


def test_a_translator_takes_a_place_of_another_source() -> None:
    model, target = loaded("en-ur"), "میں"
    name = "decoder.1.cross_attn.out"
    edit = patch(model, name, "I am a girl", 1, target=target)
    found = model.trace("I am a robot", target=target, edits=[edit])[name]
    assert found[1].allclose(model.trace("I am a girl", target=target)[name][1], atol=1e-5)


EDITS = (
    (STREAM, {"token": 2}),
    (STREAM, {"token": 5}),
    ("decoder.0.resid_in", {"token": 5}),
    ("decoder.1.self_attn.out", {"token": 5}),
    ("decoder.1.ffn.out", {"token": 5}),
    ("decoder.1.self_attn.heads", {"head": 1}),
)


@pytest.mark.parametrize(("name", "place"), EDITS)
def test_the_account_of_an_edited_run_sums_to_its_logit(model: Model, name: str, place: dict[str, int]) -> None:
    edited = with_edits(model, [patch(model, name, OTHER, **place)])
    account = attribute(edited, TEXT)
    assert account.value == pytest.approx(float(edited.trace(TEXT).logits[-1].max()))
    assert account.difference < 1e-4
    named = [part for part in account.parts if part.endswith(".edit")]
    assert named == ([f"{name.removesuffix('.out')}.edit"] if name.endswith(("resid_in", "attn.out")) else [])


def test_the_account_has_what_a_difference_adds(model: Model) -> None:
    edit = add_difference(model, STREAM, "the happy dog", "the sad cat", 2.0)
    account = attribute(with_edits(model, [edit]), TEXT)
    assert account.difference < 1e-4
    assert abs(account.parts[f"{STREAM}.edit"]) > 1e-3


@pytest.mark.parametrize(("name", "place"), EDITS)
def test_experiments_that_go_on_from_a_recorded_stream_make_an_edit_once(
    model: Model, name: str, place: dict[str, int]
) -> None:
    """What is measured layer by layer, from recorded tensors, is as in whole runs."""
    edited = with_edits(model, [patch(model, name, OTHER, **place), add_difference(model, STREAM, "a", "the", 1.0)])
    config = model.config
    keep = (*keep_for_account(config), *keep_for_removal(config), *keep_for_edits(config, ["*"]), "logits")
    trace = edited.trace(TEXT, keep=keep)
    before = trace.logits[-1].softmax(-1)
    account = account_of(edited, trace)
    for removals in RemovalSweep(edited, trace, account).run():
        assert removals[0].before == pytest.approx(float(before[account.token]), abs=1e-4)
    clean = "the cat sees a cat"
    pair = record_pair(edited.network, *(Prompt(ids_of(model.tokens_of(text))) for text in (clean, TEXT)))
    patching = Patching(edited.network, pair, *pair.telling_tokens())
    ids = ids_of(model.tokens_of(TEXT))
    harms = {harm.path: harm.rise for harm in AblationSweep(edited.network, ids).run()}
    loss = next_token_loss(edited.network, _hidden(edited), ids)
    for layer in range(config.n_decoder_layers):
        at = f"decoder.{layer}"
        whole_run = edited.trace(TEXT, keep="logits", edits=[patch(edited, f"{at}.ffn.out", clean, 1)]).logits[-1]
        logits = patching.run_row(Site("decoder", "ffn.out"), layer, 1)
        torch.testing.assert_close(logits, whole_run, atol=1e-4, rtol=1e-4)
        without = _hidden(with_edits(edited, [ablate(f"{at}.self_attn", 1)]))
        rise = next_token_loss(edited.network, without, ids) - loss
        assert harms[f"{at}.self_attn"][1] == pytest.approx(float(rise), abs=1e-4)


@torch.inference_mode()
def _hidden(model: Model) -> torch.Tensor:
    return model.network.decode(ids_of(model.tokens_of(TEXT)))


@pytest.mark.parametrize("factor", [0.0, 2.0, None])
def test_the_tokens_of_a_run_with_edited_heads_sum_to_its_logit(model: Model, factor: float | None) -> None:
    name = "decoder.2.self_attn.heads"
    edit = patch(model, name, OTHER, head=1) if factor is None else scale(f"{name}.1", factor)
    edited = with_edits(model, [edit])
    trace = edited.trace(TEXT, keep=(*keep_of(edited), *keep_for_sources(model.config)))
    parts = token_parts(edited, trace, account_of(edited, trace))
    assert parts.total == pytest.approx(float(trace.logits[-1].max()), abs=1e-4)
