"""The views of Masks: the runs that they make, painted masks, padded batches, what leaks."""

from __future__ import annotations

from contextlib import redirect_stdout
from dataclasses import replace as with_values
from io import StringIO
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model import Model, load, replace
from model.experiments import causality
from model.experiments.painted_masks import BadMask, mask_to_text, presets
from model.network.masks import hide
from tests.views.heads import head_of, header, matrix, programs, sums, whole, words
from views.attention.masks.cheat import CHANGE_BEFORE, CheatingDecoder, compare_leaks
from views.attention.masks.kinds import painted_mask
from views.attention.masks.outcome import MaskOutcome
from views.attention.masks.panels import MaskPanels
from views.attention.masks.passes import Passes, time_passes
from views.attention.masks.row import HiddenRow
from views.attention.masks.sentence import alone, in_batch
from views.attention.masks.two_runs import HiddenRowRuns, MaskedRuns
from views.attention.masks.ways import WaysToHide
from views.head_of_run import HeadOfRun
from views.parts import Action
from views.plotted import Plotted
from views.run import make_run
from views.shared import windows
from views.shared.quotes import quote
from views.shared.windows import MatrixPart
from views.view import View
from viz.documents.page_parts import Group

TEXT = "The cat sees the dog"
PATH, HEAD = "decoder.1.self_attn", 2
ALL = "decoder.*.self_attn.mask"
T = len(TEXT.split())


@pytest.fixture(scope="module")
def tiny_lm() -> Model:
    return load("tiny-lm")


@pytest.fixture(scope="module")
def head(tiny_lm: Model) -> HeadOfRun:
    return head_of(tiny_lm, TEXT, PATH, HEAD, 4, 1)


def masked(
    head: HeadOfRun, kind: str, *, paint: Tensor | None = None, width: int = 3, every: bool = True
) -> MaskedRuns:
    text = "" if paint is None else mask_to_text(paint)
    return MaskedRuns(head, every, alone(head.run), kind, width, text)


def panels(runs: MaskedRuns, part: MatrixPart | None = None, **more: Any) -> MaskPanels:
    return MaskPanels(runs.head, runs, part or windows.all_of(tuple(runs.visible.shape)), len(runs.written) - 1, **more)


def shown(view: Any) -> dict[str, np.ndarray]:
    picture = view.picture()
    return {name: matrix(picture, name) for name in ("p0", "p1", "p2", "p3")}


def outcomes(view: MaskOutcome) -> list[Plotted]:
    """The pictures of what a mask does after the scores."""
    (row,) = view.at("Picture")
    assert isinstance(row, Group)
    return [part for column in row.parts for part in column.parts if isinstance(part, View)]  # type: ignore[misc]


@pytest.mark.parametrize("kind", ["none", "causal", "painted"])
@pytest.mark.parametrize("every", [True, False])
def test_the_four_panels_hold_the_very_tensors_of_the_traces(
    tiny_lm: Model, head: HeadOfRun, kind: str, every: bool
) -> None:
    visible = {
        "none": torch.ones(T, T, dtype=torch.bool),
        "causal": presets(T, T)["causal"],
        "painted": presets(T, T)["last 3 only"],
    }[kind]
    name, keep = ALL if every else f"{PATH}.mask", f"{PATH}.*"  # what is not recorded may take a fused kernel
    with_mask = tiny_lm.trace(TEXT, keep=keep, edits=[replace(name, hide(visible))])
    without = tiny_lm.trace(TEXT, keep=keep, edits=[replace(name, torch.zeros(T, T))])
    found = shown(panels(masked(head, kind, paint=visible, every=every)))
    np.testing.assert_array_equal(found["p0"], without[f"{PATH}.scores"][HEAD].numpy())
    np.testing.assert_array_equal(found["p1"], with_mask[f"{PATH}.masked"][HEAD].numpy())
    np.testing.assert_array_equal(found["p2"], without[f"{PATH}.weights"][HEAD].numpy())
    np.testing.assert_array_equal(found["p3"], with_mask[f"{PATH}.weights"][HEAD].numpy())


def test_painting_a_causal_mask_by_hand_gives_the_causal_result_exactly(tiny_lm: Model, head: HeadOfRun) -> None:
    painted, causal = (masked(head, kind, paint=presets(T, T)["causal"]) for kind in ("painted", "causal"))
    for name, panel in shown(panels(causal)).items():
        np.testing.assert_array_equal(shown(panels(painted))[name], panel)
    own = tiny_lm.trace(TEXT)[f"{PATH}.weights"][HEAD]
    np.testing.assert_array_equal(shown(panels(painted))["p3"], own.numpy())
    first, second = (outcomes(MaskOutcome(runs, 4)) for runs in (painted, causal))
    assert [each.chart.draw() for each in first] == [each.chart.draw() for each in second], "to the last digit"  # type: ignore[union-attr]


def test_a_window_of_a_chosen_width_is_run_in_every_layer(tiny_lm: Model, head: HeadOfRun) -> None:
    view = panels(masked(head, "window", width=2))
    with_mask = tiny_lm.trace(TEXT, keep=f"{PATH}.*", edits=[replace(ALL, hide(presets(T, T, 2)["last 2 only"]))])
    np.testing.assert_array_equal(shown(view)["p3"], with_mask[f"{PATH}.weights"][HEAD].numpy())
    layers = tiny_lm.config.n_decoder_layers
    said = f"Each of the {layers} layers looks 1 token back, so after the last one a word knows of {layers}"
    assert said in view.caption()
    assert "looks 1 token back" not in panels(masked(head, "window", width=2, every=False)).caption()


def test_an_encoders_window_reaches_to_both_sides(minilm: Model) -> None:
    view = panels(masked(head_of(minilm, TEXT, "encoder.1.self_attn", HEAD, 1, 1), "window", width=2))
    seen = shown(view)["p3"] > 0
    places = np.arange(len(seen))
    np.testing.assert_array_equal(seen, np.abs(places[:, None] - places) < 2)
    assert "looks 1 token to either side" in view.caption()


def test_a_hidden_key_changes_the_next_token(tiny_lm: Model, head: HeadOfRun) -> None:
    visible = presets(T, T)["causal"].clone()
    visible[-1, 1] = False
    changed = tiny_lm.trace(TEXT, edits=[replace(ALL, hide(visible))]).logits[-1].softmax(-1)
    view = outcomes(MaskOutcome(masked(head, "painted", paint=visible), T - 1))[-1]
    assert view.chart.draw().data[1].name == "with mask"  # type: ignore[union-attr]
    assert f"{float(changed.max()):.0%}" in view.caption()
    assert not torch.equal(changed, tiny_lm.trace(TEXT).logits[-1].softmax(-1))


def test_a_painted_mask_is_fitted_to_the_sentence(head: HeadOfRun) -> None:
    expected = presets(T, T)["causal"].clone()
    expected[:3, :3] = torch.eye(3).bool()
    small = mask_to_text(presets(3, 3)["only itself"])
    assert torch.equal(painted_mask(head, alone(head.run), small), expected)
    assert torch.equal(painted_mask(head, alone(head.run), ""), presets(T, T)["causal"])
    with pytest.raises(BadMask, match="damaged"):
        painted_mask(head, alone(head.run), "5x5.rubbish")


def test_a_mask_that_hides_a_whole_row_is_reported(head: HeadOfRun) -> None:
    visible = presets(T, T)["causal"].clone()
    visible[2] = False
    view = panels(masked(head, "painted", paint=visible))
    assert f"The whole row of {quote('sees', 2)} is hidden" in view.caption()
    weights = shown(view)["p3"]
    assert (weights[2] == 0).all()
    assert np.isfinite(weights).all()


def test_a_padded_batch_is_as_long_as_its_longest_sentence(tiny_lm: Model, head: HeadOfRun) -> None:
    others = ("the dog", "the dog sees the cat . " * 6)
    sentence = in_batch(head.run, [make_run(tiny_lm, each.strip(), ()) for each in others])
    runs = MaskedRuns(head, True, sentence, "causal and padding", 3)
    view = panels(runs, beside_alone=(0.25, 0.5))
    rows = [tiny_lm.tokens_of(text.strip()) for text in (TEXT, *others)]
    assert len(header(view.picture())["keys"]) == len(sentence.written) == max(map(len, rows))
    weights = shown(view)["p3"]
    assert (weights[:, T:] == 0).all(), "nobody looks at padding"
    np.testing.assert_allclose(weights[:T, :T], tiny_lm.trace(TEXT)[f"{PATH}.weights"][HEAD].numpy(), atol=1e-5)
    said = words(view.at("Numbers"))
    assert "Run as one batch of 3 sentences" in said
    assert "by 0.250 at most with the padding hidden, and by 0.500 without" in said
    assert not programs(view.at("Code")), "a program has no batch"


@pytest.mark.parametrize("path", ["encoder.1.self_attn", "decoder.1.self_attn", "decoder.1.cross_attn"])
def test_a_translator_is_masked_in_every_attention(path: str) -> None:
    translator = load("en-ur")
    head = head_of(translator, "I am a robot", path, HEAD, 1, 1)
    others = [make_run(translator, each, ()) for each in ("I like you", "The dog sees the cat in the house")]
    cross = head.at.is_cross
    for kind in ("none", "padding", "painted", *(() if cross else ("causal", "window", "causal and padding"))):
        sentence = in_batch(head.run, others) if "padding" in kind else alone(head.run)
        weights = shown(panels(MaskedRuns(head, True, sentence, kind, 3)))["p3"]
        assert np.isfinite(weights).all()
        if kind == "padding" and path != "decoder.1.self_attn":
            lengths = [len(head.run.trace.source_tokens), *(len(each.trace.source_tokens) for each in others)]
            assert weights.shape[1] == max(lengths)
            assert (weights[:, lengths[0] :] == 0).all(), "nobody looks at padding"


def test_one_hidden_cell_is_said_in_the_singular(tiny_lm: Model) -> None:
    view = panels(masked(head_of(tiny_lm, "hello", PATH, HEAD, 0, 0), "causal"))
    assert "1 of 4 cells is hidden" in view.caption()


def test_a_mask_that_hides_nothing_changes_nothing(head: HeadOfRun) -> None:
    runs = masked(head, "none")
    assert "both runs are the same" in panels(runs).caption()
    assert outcomes(MaskOutcome(runs, 4))[0].caption() == "The mask changes no output here."


def test_each_panel_and_each_number_names_its_run(head: HeadOfRun) -> None:
    view = panels(masked(head, "causal"))
    found = header(view.picture())["panels"]
    runs = [panel["short"].split("run ")[1] for panel in found]
    assert runs == ["without", "with", "without", "with"]
    assert [panel["title"].split(":")[0] for panel in found] == [f"Run {run}" for run in runs]
    columns = view.table().make().columns
    assert [column for column in columns if "run" in column] == [panel["short"] for panel in found]


def test_the_code_repeats_the_run(head: HeadOfRun) -> None:
    printed = StringIO()
    program = programs(panels(masked(head, "painted", paint=presets(T, T)["only itself"])).at("Code"))[-1]
    with redirect_stdout(printed):
        exec(program, {})
    assert float(printed.getvalue()) == pytest.approx(1.0)


def test_three_ways_show_their_sums(head: HeadOfRun) -> None:
    picture = WaysToHide(head, whole(head)).picture()
    assert header(picture)["sums"]
    right, scores, weights = (matrix(picture, f"p{i}") for i in range(3))
    np.testing.assert_allclose(right.sum(-1), 1, atol=1e-6)
    np.testing.assert_allclose(scores.sum(-1), 1, atol=1e-6)
    assert (scores[np.triu_indices(T, 1)] > 0).all()
    assert (weights.sum(-1)[:-1] < 1).all()


def test_the_formula_of_three_ways_has_the_numbers_of_a_row(head: HeadOfRun) -> None:
    said = words(WaysToHide(with_values(head, query=0), whole(head)).at("Formula"))
    assert f"{T - 1} of its {T} keys hidden: add −∞ before: hidden keys get 0, the row sums to 1.000" in said


def test_three_ways_of_hiding_nothing_are_the_same(tiny_lm: Model) -> None:
    head = head_of(tiny_lm, ".", PATH, HEAD, 0, 0)
    assert "Nothing is hidden here" in WaysToHide(head, whole(head)).caption()


def cheating(model: Model, text: str, place: int, word: str) -> CheatingDecoder:
    run, token = make_run(model, text, ()), causality.one_token(model, word)
    return CheatingDecoder(run, place, token, slice(0, len(run.trace.tokens)), compare_leaks(run, place, token))


def test_the_decoder_cheats_only_without_its_mask(tiny_lm: Model) -> None:
    view = cheating(tiny_lm, TEXT, 3, "dog")
    assert "the 3 predictions before it change by exactly 0" in view.caption()
    assert view.told()[CHANGE_BEFORE] == 0
    assert view._leaks[1].change[:3].max() > 0
    assert sums(view.at("Formula"))[-1].startswith(r"\max_{t < 3} \lVert \Delta u_t \rVert_\infty = 0")


def test_a_word_changed_into_itself_says_nothing_of_cheating(tiny_lm: Model) -> None:
    view = cheating(tiny_lm, TEXT, 4, "dog")
    assert "is the word that stands there" in view.caption()
    assert "In training" not in view.caption()
    assert not view.told()


def test_a_word_that_is_no_token_says_so_at_each_depth(tiny_lm: Model) -> None:
    view = CheatingDecoder(make_run(tiny_lm, TEXT, ()), 3, None, slice(0, T), why_not="Too *many* tokens")
    for depth in ("Picture", "Numbers", "Formula"):
        assert r"Too \*many\* tokens" in words(view.at(depth))


def test_a_hidden_row_is_zeros_where_the_plain_softmax_is_undefined(head: HeadOfRun) -> None:
    view = HiddenRow(head, HiddenRowRuns(head, True, 2), whole(head), T - 1)
    plain, ours = (matrix(view.picture(), f"p{i}") for i in range(2))
    assert np.isnan(plain[2]).all()
    assert (ours[2] == 0).all()
    assert "Every number of the run stays finite" in view.caption()
    assert view.picture().picks["cell"]([1, 3]) == {"masks_row": 1, "key": 3}


def test_a_hidden_row_is_compared_with_the_run_with_the_causal_mask(head: HeadOfRun) -> None:
    view = HiddenRow(head, HiddenRowRuns(head, True, 2), whole(head), T - 1)
    bars = outcomes(MaskOutcome(view.runs, T - 1))[-1].chart.draw().data  # type: ignore[union-attr]
    assert [each.name for each in bars] == ["with the causal mask", "with the row hidden"]


def test_one_pass_is_compared_with_a_pass_for_every_prefix(tiny_lm: Model) -> None:
    run = make_run(tiny_lm, TEXT, ())
    view = Passes(run, time_passes(run, T))
    table = view.table().make()
    assert len(table) == T
    assert float(table["largest difference"].max()) < 1e-4
    assert f"{T} of {T} next tokens are the same" in view.caption()
    assert not Passes(run).told(), "nothing is told of what is not measured"
    assert r"\lVert \Delta u \rVert_\infty = 0" in sums(Passes(run).at("Formula"))[-1]


@pytest.mark.slow
def test_an_encoder_says_that_it_has_no_decoder(minilm: Model) -> None:
    run = make_run(minilm, TEXT, ())
    for view in (Passes(run), CheatingDecoder(run, 0, None, slice(0, 3))):
        for depth in ("Picture", "Numbers", "Formula"):
            parts = view.at(depth)
            assert "MiniLM L6 has no decoder" in words(parts)
            assert isinstance(parts[-1], Action)
            assert load(parts[-1].keys["model"]).config.kind == "decoder"
