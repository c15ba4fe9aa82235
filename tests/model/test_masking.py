"""The three ways of masking, painted masks, padded batches, and what the causal mask is for."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.analysis.head_steps import Attention, kinds
from model.experiments import causality
from model.experiments.causality import (
    NotOneToken,
    Pass,
    PassComparison,
    change_token,
    compare_passes,
    compare_predictions,
    leak,
    mask_edits,
    masked_pass,
    one_token,
    separate_passes,
)
from model.experiments.padded_batch import compare_with_alone, fill_up, padding_token, run_alone, run_batch
from model.experiments.painted_masks import (
    BadMask,
    edit_of,
    fit_mask,
    mask_from_bytes,
    mask_from_text,
    mask_to_text,
    presets,
    put_window,
)
from model.network.masks import causal_mask, hide, mask_before_softmax, multiply_scores, multiply_weights
from model.run import Model
from tests.model.analysis.test_head_steps import tiny

TEXT = "the quick brown fox jumps"


@pytest.fixture(scope="module", params=["encoder", "decoder", "encoder-decoder"])
def model(request: pytest.FixtureRequest) -> Model:
    return tiny(request.param)


def test_three_ways_by_hand() -> None:
    scores, visible = torch.tensor([[0.0, 0.0, 5.0]]), torch.tensor([[True, True, False]])
    torch.testing.assert_close(mask_before_softmax(scores, visible), torch.tensor([[0.5, 0.5, 0.0]]))
    third = multiply_scores(scores, visible)  # exp(0) = 1 three times
    torch.testing.assert_close(third, torch.full((1, 3), 1 / 3))
    share = 1 / (2 + torch.e**5)
    torch.testing.assert_close(multiply_weights(scores, visible), torch.tensor([[share, share, 0.0]]))


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
@settings(max_examples=50)
def test_only_adding_before_the_softmax_keeps_both_promises(size: int, seed: int) -> None:
    scores = torch.randn(size, size, generator=torch.Generator().manual_seed(seed))
    visible = causal_mask(size, size) == 0
    right = mask_before_softmax(scores, visible)
    assert (right[~visible] == 0).all()
    torch.testing.assert_close(right.sum(-1), torch.ones(size))
    assert (multiply_scores(scores, visible)[~visible] > 0).all(), "hidden keys still get weight"
    assert (multiply_weights(scores, visible).sum(-1)[:-1] < 1).all(), "rows lose what was hidden"


@given(st.integers(1, 24), st.integers(1, 24), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_a_painted_mask_survives_its_link(rows: int, columns: int, seed: int) -> None:
    visible = torch.rand(rows, columns, generator=torch.Generator().manual_seed(seed)) < 0.5
    text = mask_to_text(visible)
    assert torch.equal(mask_from_text(text), visible)
    assert all(character.isalnum() or character in "x.-_=" for character in text)


@pytest.mark.slow
@given(st.text(max_size=40))
def test_any_other_text_gives_one_message(text: str) -> None:
    with pytest.raises(BadMask, match="Paint it anew"):
        mask_from_text(text)


@pytest.mark.parametrize(
    "text", ["2x2.", "9999999x9.eJw=", "2x2.eJwDAAAAAAE=", "0x4.eJwDAAAAAAE=", "-1x-1.eJwDAAAAAAE="]
)
def test_a_damaged_link_gives_one_message(text: str) -> None:
    with pytest.raises(BadMask, match="Paint it anew"):
        mask_from_text(text)


@pytest.mark.slow
def test_a_bomb_is_not_unpacked() -> None:
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(bytes(50_000_000))).decode()
    with pytest.raises(BadMask):
        mask_from_text(f"8x8.{bomb}")


def test_bytes_of_the_painter() -> None:
    assert mask_from_bytes(bytes([0b10110000]), 2, 2).tolist() == [[True, False], [True, True]]
    with pytest.raises(ValueError, match="do not make"):
        mask_from_bytes(b"", 2, 2)


def test_a_painted_mask_on_a_longer_and_a_shorter_sentence() -> None:
    painted = torch.tensor([[True, False], [True, False]])
    longer = fit_mask(painted, presets(3, 3)["causal"])
    assert longer.tolist() == [[True, False, False], [True, False, False], [True, True, True]]
    assert fit_mask(painted, presets(1, 1)["causal"]).tolist() == [[True]]


def test_a_window_is_put_into_a_mask_by_hand() -> None:
    whole = presets(3, 3)["causal"]
    put = put_window(whole, (1, 1), torch.tensor([[False, True]]))
    assert put.tolist() == [[True, False, False], [True, False, True], [True, True, True]]
    assert whole.tolist() == presets(3, 3)["causal"].tolist(), "the mask itself stays"


@pytest.mark.slow
@given(st.data(), st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**32 - 1))
@settings(max_examples=80)
def test_a_window_changes_its_own_cells_alone(data: st.DataObject, queries: int, keys: int, seed: int) -> None:
    """Around it all stays. The cells around tell the whole mask together with those of the window."""
    rows, columns = data.draw(st.integers(1, queries)), data.draw(st.integers(1, keys))
    first = data.draw(st.integers(0, queries - rows)), data.draw(st.integers(0, keys - columns))
    generator = torch.Generator().manual_seed(seed)
    whole, cells = (torch.rand(*shape, generator=generator) < 0.5 for shape in ((queries, keys), (rows, columns)))
    put = put_window(whole, first, cells)
    for query in range(queries):
        for key in range(keys):
            row, column = query - first[0], key - first[1]
            inside = 0 <= row < rows and 0 <= column < columns
            assert put[query, key] == (cells[row, column] if inside else whole[query, key])
    around = mask_from_text(mask_to_text(put_window(whole, first, torch.zeros_like(cells))))
    assert torch.equal(put_window(around, first, cells), put)


@pytest.mark.parametrize("first", [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_a_window_outside_the_mask_is_an_error(first: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is not in a mask"):
        put_window(presets(3, 4)["causal"], first, torch.ones(2, 2, dtype=torch.bool))


def test_presets_by_hand() -> None:
    found = presets(2, 3)
    assert found["causal"].tolist() == [[True, False, False], [True, True, False]]
    assert found["only itself"].tolist() == [[True, False, False], [False, True, False]]
    assert all(mask.shape == (2, 3) for mask in found.values())


def test_painting_the_causal_mask_gives_the_causal_run_exactly() -> None:
    model = tiny("decoder")
    own = model.trace(TEXT)
    painted = mask_from_text(mask_to_text(presets(5, 5)["causal"]))
    for every_layer in (True, False):
        edit = edit_of(Attention("decoder", 1, "self_attn"), painted, every_layer)
        again = model.trace(TEXT, edits=[edit])
        assert all(torch.equal(again[name], own[name]) for name in own.tensors)


def test_a_mask_reaches_one_layer_or_every_layer(model: Model) -> None:
    for stack, part in kinds(model.config):
        at = Attention(stack, 1, part)
        own = model.trace(TEXT, target="the dog", keep="*.mask")
        rows, columns = own[f"{at.path}.mask"].shape
        visible = presets(rows, columns)["only itself"]
        mask = hide(visible)
        one, every = (
            model.trace(TEXT, target="the dog", keep=("*.mask", "*.weights"), edits=[edit_of(at, visible, all_layers)])
            for all_layers in (False, True)
        )
        below = f"{stack}.0.{part}"
        assert torch.equal(one[f"{at.path}.mask"], mask)
        assert torch.equal(one[f"{below}.mask"], own[f"{below}.mask"])
        assert torch.equal(every[f"{below}.mask"], mask)
        assert (every[f"{at.path}.weights"][..., ~presets(rows, columns)["only itself"]] == 0).all()


def test_a_fully_hidden_row_is_zeros_and_the_run_stays_finite(model: Model) -> None:
    for stack, part in kinds(model.config):
        at = Attention(stack, 0, part)
        shape = model.trace(TEXT, target="the dog", keep="*.mask")[f"{at.path}.mask"].shape
        visible = torch.ones(shape, dtype=torch.bool)
        visible[1] = False
        trace = model.trace(TEXT, target="the dog", edits=[edit_of(at, visible, True)])
        assert (trace[f"{at.path}.weights"][:, 1] == 0).all()
        torch.testing.assert_close(trace[f"{at.path}.weights"][:, 0].sum(-1), torch.ones(4))
        assert trace[f"{at.path}.out"].isfinite().all()
        assert not any(tensor.isnan().any() for tensor in trace.tensors.values())


def test_a_masked_batch_gives_what_each_sentence_gives_alone(model: Model) -> None:
    texts = ["the fox", "the quick brown fox jumps over the lazy dog", "cat"]
    rows = [model.tokens_of(text) for text in texts]
    padding = padding_token(model.tokenizer)
    assert padding.text == "[PAD]"
    source = None
    if model.config.kind == "encoder-decoder":
        source = fill_up(rows, padding)
        rows = [model.tokens_of(text) for text in ("dog", "the dog", "cat cat cat")]
    batch = fill_up(rows, padding)
    assert batch.is_real.sum(-1).tolist() == [len(row) for row in rows]
    masked, unmasked = (run_batch(model, batch, source, masked=way) for way in (True, False))
    worst = 0.0
    for at, row in enumerate(rows):
        assert batch.sentence(at) == row
        alone = run_alone(model, row, () if source is None else source.sentence(at))
        torch.testing.assert_close(masked[at, : len(row)], alone, atol=1e-5, rtol=1e-5)
        differences = [float((logits[at, : len(row)] - alone).abs().max()) for logits in (masked, unmasked)]
        if at == 0:
            assert compare_with_alone(model, batch, source) == pytest.approx(differences, abs=1e-6)
        worst = max(worst, differences[1])
    # Behind a causal mask, padding on the right is never seen: only a stack that looks both ways needs the mask.
    assert (worst > 1e-2) == (model.config.kind != "decoder")


def test_the_future_leaks_only_without_the_mask() -> None:
    model = tiny("decoder")
    tokens = model.tokens_of(TEXT)
    changed = change_token(tokens, 3, one_token(model, "cat"))
    masked, unmasked = (leak(model, tokens, changed, (), causal) for causal in (True, False))
    assert (masked.change[:3] == 0).all(), "exactly 0, not nearly"
    assert masked.change[3] > 1e-3
    assert (unmasked.change > 1e-4).all()


def test_a_leak_names_the_position_and_the_token_that_change_most() -> None:
    before = torch.zeros(3, 2)
    after = torch.tensor([[0.0, 1.0], [math.log(3), 0.0], [9.0, 0.0]])
    leaked = compare_predictions(before, after, lambda logits: logits)
    assert leaked.change.tolist() == pytest.approx([1, math.log(3), 9])
    assert leaked.most_changed_before(2) == 1
    assert leaked.most_changed_before(1) == 0
    assert leaked.likeliest_at(1) == (0, pytest.approx(0.5), pytest.approx(0.75))


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("kind", ["decoder", "encoder-decoder"])
def test_predictions_are_compared_a_few_positions_at_a_time(
    kind: str, causal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny(kind)
    tokens, source = model.tokens_of(TEXT), model.tokens_of("the lazy dog") if kind == "encoder-decoder" else ()
    changed = change_token(tokens, 3, one_token(model, "cat"))
    edits = mask_edits(causal)
    before, after = (model.trace_tokens(each, source, edits=edits).logits for each in (tokens, changed))
    monkeypatch.setattr(causality, "AT_ONCE", 2)  # so of the five positions the last stands alone
    found = leak(model, tokens, changed, source, causal)
    torch.testing.assert_close(found.change, (after - before).abs().amax(-1), atol=1e-5, rtol=1e-5)
    for position in range(len(tokens)):
        id = int(before[position].argmax())
        chances = [float(logits[position].softmax(-1)[id]) for logits in (before, after)]
        assert found.likeliest_at(position) == (id, pytest.approx(chances[0]), pytest.approx(chances[1]))


def test_a_word_of_two_tokens_is_refused() -> None:
    model = tiny("decoder")
    with pytest.raises(NotOneToken, match="2 tokens"):
        one_token(model, "cat dog")
    with pytest.raises(NotOneToken, match="Type a word"):
        one_token(model, "  ")


@pytest.mark.parametrize("kind", ["decoder", "encoder-decoder"])
def test_one_masked_pass_equals_a_pass_for_every_prefix(kind: str) -> None:
    model = tiny(kind)
    tokens = model.tokens_of(TEXT)
    source = model.tokens_of("the lazy dog") if kind == "encoder-decoder" else ()
    together, seconds = masked_pass(model, tokens, source)
    passes = list(separate_passes(model, tokens, source))
    assert [each.length for each in passes] == [1, 2, 3, 4, 5]
    assert seconds > 0
    for each in passes:
        torch.testing.assert_close(each.logits, together[each.length - 1], atol=1e-5, rtol=1e-5)
    compared = compare_passes(passes, together, seconds)
    assert compared.next_tokens == tuple(together.argmax(-1).tolist())
    assert compared.agree == (True,) * 5
    assert max(compared.differences) < 1e-5
    assert compared.seconds == tuple(each.seconds for each in passes)


def test_passes_that_differ_are_compared_position_by_position() -> None:
    passes = [Pass(1, torch.tensor([1.0, 0.0]), 0.1), Pass(2, torch.tensor([0.0, 2.0]), 0.2)]
    compared = compare_passes(passes, torch.tensor([[1.0, 0.5], [3.0, 2.0]]), 0.25)
    assert compared == PassComparison((0.1, 0.2), 0.25, (0.5, 3.0), (0, 1), (True, False))
