"""Averages over pairs of prompts are the means of what each pair gives alone."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from model import Model, attribute
from model.edits.edit import Change
from model.experiments.prompt_pairs import EXAMPLE_PAIRS, PromptPair, mean_account, mean_patching, usual_task
from model.experiments.sentence_pair import Site, UnequalPrompts
from tests.conftest import loaded

HEADS = Site("decoder", "self_attn.heads")
PAIRS = tuple(
    PromptPair(
        f"While {first} and {second} walked to the park, {second} gave a box to",
        f"While {first} and {second} walked to the park, {first} gave a box to",
        first,
        second,
    )
    for first, second in (("Lucy", "Omar"), ("Omar", "Lucy"))
)


def test_a_mean_account_is_the_mean_of_the_accounts() -> None:
    model = loaded("tiny-lm")
    found = mean_account(model, PAIRS)
    each = [attribute(model, pair.clean, *pair.tokens(model)) for pair in PAIRS]
    assert found.leads.each.tolist() == pytest.approx([account.value for account in each], abs=1e-4)
    name = "decoder.2.self_attn.heads.2"
    gives = torch.tensor([account.parts[name] for account in each])
    place = found.parts.index(name)
    assert float(found.gives.mean[place]) == pytest.approx(float(gives.mean()), abs=1e-5)
    assert float(found.gives.spread[place]) == pytest.approx(float(gives.std(correction=0)), abs=1e-5)
    assert float(found.gives.mean.sum()) == pytest.approx(float(found.leads.mean), abs=1e-3)
    assert name in found.largest(5), "it brings the name back in both pairs"


@pytest.mark.parametrize("kind", ["heads", "q", "k", "v", "weights"])
def test_a_mean_patching_is_the_mean_of_single_runs(kind: str) -> None:
    model, layer, head = loaded("tiny-lm"), 2, 2
    name = f"decoder.{layer}.self_attn.{kind}"
    found = mean_patching(model, PAIRS, Site("decoder", f"self_attn.{kind}"))
    shares = torch.tensor([_share_of_one_run(model, pair, name, head) for pair in PAIRS])
    torch.testing.assert_close(found.each[:, layer, head], shares, atol=1e-4, rtol=0)
    torch.testing.assert_close(found.mean[layer, head], shares.mean(), atol=1e-4, rtol=0)
    torch.testing.assert_close(found.spread[layer, head], shares.std(correction=0), atol=1e-4, rtol=0)
    assert found.spread.shape == (4, 4)
    assert not mean_patching(model, PAIRS[:1], HEADS).spread.any(), "one pair has no spread"


def _share_of_one_run(model: Model, pair: PromptPair, name: str, head: int) -> float:
    """The share that comes back in a whole run of the changed prompt, with one head of a tensor of the clean one."""
    answer, against = pair.tokens(model)
    clean = model.trace(pair.clean, keep=(name, "logits"))

    def put(tensor: Tensor) -> Tensor:
        tensor = tensor.clone()
        tensor[head] = clean[name][head]
        return tensor

    runs = [clean, *(model.trace(pair.changed, keep="logits", edits=edits) for edits in ((), (Change(name, put),)))]
    whole, changed, patched = (float(run.logits[-1, answer] - run.logits[-1, against]) for run in runs)
    return (patched - changed) / (whole - changed)


def test_what_cannot_be_averaged_is_named() -> None:
    model = loaded("tiny-lm")
    for average in (lambda: mean_account(model, ()), lambda: mean_patching(model, (), HEADS)):
        with pytest.raises(UnequalPrompts, match="no pair"):
            average()
    with pytest.raises(UnequalPrompts, match="site of heads"):
        mean_patching(model, PAIRS, Site("decoder", "resid_in"))
    uneven = PromptPair(PAIRS[0].clean, "Lucy gave a box to", "Lucy", "Omar")
    with pytest.raises(UnequalPrompts, match="Pair 2: Both sentences need as many tokens"):
        mean_patching(model, (PAIRS[0], uneven), HEADS)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (("the dog", "the cat", "sees", "runs"), ""),
        (("the dog", " ", "sees", "runs"), "The changed prompt is empty."),
        (("the dog", "the cat", "sees", ""), "The other answer is empty."),
        (("the dog", "the big cat", "sees", "runs"), "the first has 3, the second 4"),
        (("the dog", "the dog", "sees", "runs"), "the same tokens"),
        (("the dog", "the cat", "sees", "unbelievable"), "“unbelievable” is several tokens"),
        (("the dog", "the cat", "sees", " sees"), "Both answers are the same token."),
        (("the dog " * 99, "the cat", "sees", "runs"), "takes at most"),
    ],
)
def test_why_a_model_cannot_take_a_pair_is_said(cells: tuple[str, str, str, str], said: str) -> None:
    fault = PromptPair(*cells).fault(loaded("tiny-lm"))
    assert said in fault
    assert bool(fault) == bool(said)


def test_the_usual_task_has_words_that_the_model_knows() -> None:
    assert usual_task(loaded("tiny-lm")) == "names in a small world"


@pytest.mark.slow
@pytest.mark.parametrize("task", EXAMPLE_PAIRS)
def test_smollm2_knows_the_tasks_of_the_examples(task: str, smollm2: Model) -> None:
    pairs = EXAMPLE_PAIRS[task]
    for pair in pairs:
        assert len(smollm2.tokens_of(pair.clean)) == len(smollm2.tokens_of(pair.changed))
        assert pair.tokens(smollm2)
    changed = tuple(PromptPair(pair.changed, pair.clean, pair.answer, pair.against) for pair in pairs)
    assert float(mean_account(smollm2, pairs).leads.mean) > float(mean_account(smollm2, changed).leads.mean)
