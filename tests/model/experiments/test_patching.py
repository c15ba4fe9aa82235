from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

from model import Model, load, replace
from model.edits.edit import Change, Edit
from model.edits.parts import ablate
from model.experiments.gradients import track_gradient
from model.experiments.patching import Patching
from model.experiments.sentence_pair import (
    Prompt,
    Site,
    UnequalPrompts,
    record_pair,
    sites_of,
)
from model.experiments.surgery import without
from model.network.transformer import Transformer
from model.run import ids_of
from model.tape import Tape
from tests.model.experiments.pairs import CLEAN, CORRUPTED, EDITS, NETWORKS, make, prompts_of
from tests.model.networks import variant

ANSWER, AGAINST = 6, 11


def patching_of(network: Transformer) -> Patching:
    return Patching(network, record_pair(network, *prompts_of(network)), ANSWER, AGAINST)


@torch.inference_mode()
def measure(
    network: Transformer, prompt: Prompt, *edits: Edit, keep: str | Sequence[str] = ""
) -> tuple[float, dict[str, Tensor]]:
    tape = Tape(keep, edits)
    found = network(prompt.ids, prompt.source, tape)
    logits = found[-1] if network.text_head is None else network.text_head(found[0])
    return float(logits[ANSWER] - logits[AGAINST]), tape.records


def one_by_one(network: Transformer, site: Site, prompts: tuple[Prompt, Prompt] | None = None) -> Tensor:
    """The same shares by one full run for each row of each layer."""
    clean, corrupted = prompts or prompts_of(network)
    top, tensors = measure(network, clean, keep="*")
    bottom, _ = measure(network, corrupted)
    found = []
    for layer in range(network.config.n_layers(site.stack)):
        name = site.name(layer)
        axis = 0 if site.is_of_heads else -2
        rows = []
        for row in range(tensors[name].shape[axis]):
            part = tensors[name].narrow(axis, row, 1)
            patch = partial(torch.Tensor.index_copy, dim=axis, index=torch.tensor([row]), source=part)
            rows.append(measure(network, corrupted, Change(name, patch))[0])
        found.append(rows)
    return (torch.tensor(found) - bottom) / (top - bottom)


@pytest.mark.parametrize("kind", NETWORKS)
def test_patched_runs_equal_one_run_for_each(kind: str) -> None:
    encoder, decoder, values = NETWORKS[kind]
    network = make(encoder, decoder, **values)
    patching = patching_of(network)
    assert len(sites_of(network)) == (34 if kind == "translator" else 12)
    for site in sites_of(network):
        shares = torch.stack(list(patching.run(site)))
        assert shares.shape == patching.shape(site)
        torch.testing.assert_close(shares, one_by_one(network, site), atol=1e-4, rtol=1e-3)


def test_the_clean_stream_at_the_changed_token_brings_everything_back() -> None:
    network = make(0, 3)
    patching = patching_of(network)
    first = next(patching.run(Site("decoder", "resid_in")))
    torch.testing.assert_close(first, torch.tensor([0.0, 0, 0, 1, 0, 0]), atol=1e-5, rtol=0)


def test_a_head_by_token_sums_over_all_tokens_together() -> None:
    """All tokens at once is the row of the head; a token before the changed one brings nothing back."""
    network = make(0, 3)
    patching = patching_of(network)
    site = Site("decoder", "self_attn.heads")
    shares = patching.run_head(site, 2, 1)
    assert shares.shape == (6,)
    torch.testing.assert_close(shares[:3], torch.zeros(3), atol=1e-5, rtol=0)
    last = list(patching.run(site))[2][1]
    torch.testing.assert_close(shares[-1], last, atol=1e-5, rtol=0)  # in the last layer only the last token counts
    assert last.abs() > 1e-4


def test_one_patched_run_has_its_logits() -> None:
    network = make(0, 3)
    patching = patching_of(network)
    site = Site("decoder", "ffn.out")
    logits = patching.run_row(site, 1, 3)
    share = patching.share(logits[ANSWER] - logits[AGAINST])
    torch.testing.assert_close(share, list(patching.run(site))[1][3], atol=1e-5, rtol=1e-4)
    assert not torch.equal(logits, patching.pair.logits[1])
    streams, keys, logits = 2 * 3 * (3 * 12), 2 * 3 * (6 * 12), 2 * 20  # numbers: three of six tokens are shared
    assert patching.pair.nbytes == 4 * (streams + keys + logits)


def test_many_rows_are_taken_in_several_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    network = make(0, 2).double()  # a batch of another shape rounds otherwise
    patching = patching_of(network)
    site = Site("decoder", "resid_in")
    whole = torch.stack(list(patching.run(site)))
    monkeypatch.setattr("model.experiments.patching.AT_ONCE", 4)  # one row of three tokens, then two rows of two
    assert [len(cells) for cells in patching.batches(site)] == [1, 2]
    torch.testing.assert_close(torch.stack(list(patching.run(site))), whole, atol=1e-6, rtol=1e-5)
    monkeypatch.setattr("model.experiments.patching.KEYS_AT_ONCE", 11)  # one row of six keys
    assert [len(cells) for cells in patching.batches(site)] == [1, 1, 1]
    torch.testing.assert_close(torch.stack(list(patching.run(site))), whole, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("changed", [0, 2, 5])
@pytest.mark.parametrize("name", ["Llama", "GPT-2", "GPT-NeoX", "Qwen3"])
def test_tokens_before_the_first_difference_are_read_once_and_bring_nothing_back(name: str, changed: int) -> None:
    network, corrupted = variant(name), CLEAN.clone()
    corrupted[changed] = 7
    pair = record_pair(network, Prompt(CLEAN), Prompt(corrupted))
    assert pair.shared == changed
    assert pair.runs[0]["decoder.1.resid_in"].shape == (6 - changed, network.config.d_model)
    patching = Patching(network, pair, ANSWER, AGAINST)
    for site in sites_of(network):
        shares = torch.stack(list(patching.run(site)))
        expected = one_by_one(network, site, (Prompt(CLEAN), Prompt(corrupted)))
        torch.testing.assert_close(shares, expected, atol=1e-4, rtol=1e-3)
        if not site.is_of_heads:
            assert not shares[:, :changed].any()
            assert not patching.estimates[site][:, :changed].any()
            assert all(torch.equal(patching.run_row(site, 1, row), pair.logits[1]) for row in range(changed))
    by_token = patching.run_head(Site("decoder", "self_attn.heads"), 1, 2)
    assert by_token.shape == (6,)
    assert not by_token[:changed].any()


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize("rows", [slice(0, 2), slice(1, 4), slice(3, 6), slice(5, 6)], ids=str)
def test_the_rows_of_a_window_are_those_of_the_whole(kind: str, rows: slice) -> None:
    """In a decoder three of six tokens are shared: a window may have only these, some of them, or none."""
    encoder, decoder, values = NETWORKS[kind]
    network = make(encoder, decoder, **values)
    patching = patching_of(network)
    for site in sites_of(network):
        whole, part = (torch.stack(list(patching.run(site, chosen))) for chosen in (slice(None), rows))
        assert part.shape == (patching.shape(site)[0], len(range(*rows.indices(patching.shape(site)[1]))))
        torch.testing.assert_close(part, whole[:, rows], atol=1e-5, rtol=1e-4)
        if site.is_of_heads:
            found = patching.run_head(site, 1, 1, rows)
            torch.testing.assert_close(found, patching.run_head(site, 1, 1)[rows], atol=1e-5, rtol=1e-4)


def test_work_is_counted_in_runs_of_the_text() -> None:
    """Of six tokens and three layers: a row of the stream at token 3 runs 3 tokens, and 3, 2 and 1 layers."""
    patching = patching_of(make(0, 3))
    assert patching.count_runs(Site("decoder", "self_attn.heads")) == pytest.approx(3 * 3 * (3 + 2 + 1) / (6 * 3))
    assert patching.count_runs(Site("decoder", "resid_in"), slice(3, 4)) == pytest.approx(3 * (3 + 2 + 1) / (6 * 3))
    assert patching.count_runs(Site("decoder", "resid_in"), slice(0, 3)) == 0


def test_the_estimate_is_filled_from_the_last_layer_down() -> None:
    network = make(0, 3)
    whole = patching_of(network).estimates
    for done, found in enumerate(patching_of(network).estimate_layers(), start=1):
        for site, estimate in found.items():
            torch.testing.assert_close(estimate[3 - done :], whole[site][3 - done :])
            assert not estimate[: 3 - done].any()


def test_a_decoder_that_is_asked_before_its_last_token_needs_no_later_one() -> None:
    network = make(0, 3)
    pairs = [
        record_pair(network, Prompt(CLEAN, position=4), Prompt(CORRUPTED, position=4)),
        record_pair(network, Prompt(CLEAN[:5]), Prompt(CORRUPTED[:5])),
    ]
    asked, cut = (Patching(network, pair, ANSWER, AGAINST) for pair in pairs)
    for site in sites_of(network):
        kept = slice(None) if site.is_of_heads else slice(5)
        for shares, expected in zip(asked.run(site), cut.run(site), strict=True):
            torch.testing.assert_close(shares[kept], expected, atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(asked.estimates[site][:, kept], cut.estimates[site], atol=1e-5, rtol=1e-4)
        assert asked.run_row(site, 2, 2).equal(cut.run_row(site, 2, 2))


def test_the_edits_of_a_network_stay() -> None:
    network = without(make(0, 3), (), [ablate("decoder.1.self_attn", 2)])
    patching = patching_of(network)
    shares = torch.stack(list(patching.run(Site("decoder", "self_attn.heads"))))
    assert shares[1, 2].abs() < 1e-4, "this head is silent in both runs"
    torch.testing.assert_close(shares, one_by_one(network, Site("decoder", "self_attn.heads")), atol=1e-4, rtol=1e-3)


@pytest.mark.parametrize("layers", [(0, 3), (2, 2)])
def test_the_estimate_is_right_for_a_small_change(layers: tuple[int, int]) -> None:
    """The changed token's vector is nearly that of the clean one, so the network is a straight line between them."""
    network = make(*layers)
    stack = network.encoder or network.decoder
    assert stack is not None
    table = stack.embed.tokens.weight.data
    was, now = (1, 3) if network.encoder else (1, 2)
    table[now] = table[was] + 1e-2 * table[now]
    patching = patching_of(network.double())
    for site, estimate in patching.estimates.items():
        true = torch.stack(list(patching.run(site)))
        torch.testing.assert_close(estimate, true, atol=0.02, rtol=0.05)


def by_one_gradient(network: Transformer) -> dict[str, Tensor]:
    """(clean - corrupted) times the gradient, of all tensors of the sites by name, all layers at once: unsummed."""
    (clean, corrupted), sites = prompts_of(network), sites_of(network)
    names = [site.name(layer) for site in sites for layer in range(network.config.n_layers(site.stack))]
    (top, wanted), (bottom, _) = measure(network, clean, keep=names), measure(network, corrupted)
    starts = [Change(f"{stack}.0.resid_in", track_gradient) for stack in network.config.stacks]
    tape = Tape(names, starts)
    logits = network(corrupted.ids, corrupted.source, tape)
    logits = logits[-1] if network.text_head is None else network.text_head(logits[0])
    gradients = torch.autograd.grad(logits[ANSWER] - logits[AGAINST], list(tape.records.values()))
    rises = zip(tape.records.items(), gradients, strict=True)
    return {name: (wanted[name] - found.detach()) * gradient / (top - bottom) for (name, found), gradient in rises}


@pytest.mark.parametrize(
    ("layers", "values", "edits"),
    [
        *(((0, 3), {}, edits) for edits in EDITS),
        ((0, 2), {"norm_position": "post"}, "none"),
        ((0, 2), NETWORKS["grouped queries, rotary"][2], "none"),
        ((2, 0), {"text_labels": tuple("abcdefghijkl")}, "none"),
        ((2, 2), {}, "none"),
        ((2, 2), {}, "a muted head"),
    ],
)
def test_the_gradient_of_one_layer_after_another_is_that_of_the_whole_run(
    layers: tuple[int, int], values: dict[str, Any], edits: str
) -> None:
    network = without(make(*layers, **values), (), EDITS[edits])
    found, expected = patching_of(network).estimates, by_one_gradient(network)
    for site, estimate in found.items():
        for layer, rises in enumerate(estimate):
            parts = expected[site.name(layer)].sum(-1)  # (..., tokens)
            parts = parts.sum(-1 if site.is_of_heads else 0) if site.has_heads else parts
            torch.testing.assert_close(rises, parts, atol=1e-4, rtol=1e-3)


@pytest.mark.parametrize(
    ("clean", "corrupted", "tokens", "message"),
    [
        (CLEAN, CORRUPTED[:-1], (6, 11), "the first has 6, the second 5"),
        (CLEAN, CLEAN, (6, 11), "the same tokens"),
        (CLEAN, CORRUPTED, (6, 6), "compared with itself"),
    ],
)
def test_sentences_that_cannot_be_patched(
    clean: Tensor, corrupted: Tensor, tokens: tuple[int, int], message: str
) -> None:
    network = make(0, 2)

    def patch() -> Patching:
        return Patching(network, record_pair(network, Prompt(clean), Prompt(corrupted)), *tokens)

    with pytest.raises(UnequalPrompts, match=message):
        patch()


def test_an_answer_that_does_not_change_is_refused() -> None:
    network = make(0, 2)
    network.decoder.embed.tokens.weight.data[AGAINST] = network.decoder.embed.tokens.weight.data[ANSWER]
    with pytest.raises(UnequalPrompts, match="nothing to bring back"):
        patching_of(network)


@pytest.mark.slow
def test_the_tokens_that_tell_two_sentences_apart(smollm2: Model) -> None:
    """ "The capital of France is" and "... Italy is": Paris, and Rome instead."""
    model = smollm2
    prompts = [Prompt(ids_of(model.tokens_of(f"The capital of {land} is"))) for land in ("France", "Italy")]
    pair = record_pair(model.network, *prompts)
    answer, against = pair.telling_tokens()
    assert [model.tokenizer.token(id).text for id in (answer, against)] == [" Paris", " Rome"]
    patching = Patching(model.network, pair, answer, against)
    for layer, shares in enumerate(patching.run(Site("decoder", "resid_in"))):
        if layer == 0:
            torch.testing.assert_close(shares, torch.tensor([0.0, 0, 0, 1, 0]), atol=1e-4, rtol=0)
    assert shares[-1] > 0.9, "before the last layer the answer has moved to the last token"


def test_a_patched_stream_is_an_edit_of_the_library() -> None:
    """The first row of the picture by `model.replace` alone."""
    model = load("tiny-lm")
    texts = "the dog sees the cat", "the bird sees the cat"
    clean, corrupted = (model.trace(text, keep=("decoder.1.resid_in", "logits")) for text in texts)
    prompts = [Prompt(ids_of(trace.tokens)) for trace in (clean, corrupted)]
    pair = record_pair(model.network, *prompts)
    answer, against = pair.telling_tokens()
    patching = Patching(model.network, pair, answer, against)
    edit = replace("decoder.1.resid_in", clean["decoder.1.resid_in"])
    patched = model.trace(texts[1], keep="logits", edits=[edit]).logits[-1]
    assert float(patched[answer] - patched[against]) == pytest.approx(patching.measures[0], abs=1e-4)
