"""Averages over pairs of prompts are the means of what each pair gives alone."""

from __future__ import annotations

import pytest
import torch

from model import Model, attribute
from model.experiments.patching import Patching
from model.experiments.prompt_pairs import EXAMPLE_PAIRS, PromptPair, mean_account, mean_patching
from model.experiments.sentence_pair import Prompt, Site, UnequalPrompts, record_pair
from model.run import ids_of
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


def test_a_mean_patching_is_the_mean_of_the_patchings() -> None:
    model = loaded("tiny-lm")
    found = mean_patching(model, PAIRS, HEADS)
    shares = []
    for pair in PAIRS:
        prompts = (Prompt(ids_of(model.tokens_of(text))) for text in (pair.clean, pair.changed))
        patching = Patching(model.network, record_pair(model.network, *prompts), *pair.tokens(model))
        shares.append(torch.stack(list(patching.run(HEADS))))
    torch.testing.assert_close(found.mean, torch.stack(shares).mean(0))
    assert found.spread.shape == (4, 4)
    assert not mean_patching(model, PAIRS[:1], HEADS).spread.any(), "one pair has no spread"


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


@pytest.mark.slow
@pytest.mark.parametrize("task", EXAMPLE_PAIRS)
def test_smollm2_knows_the_tasks_of_the_examples(task: str, smollm2: Model) -> None:
    pairs = EXAMPLE_PAIRS[task]
    for pair in pairs:
        assert len(smollm2.tokens_of(pair.clean)) == len(smollm2.tokens_of(pair.changed))
        assert pair.tokens(smollm2)
    changed = tuple(PromptPair(pair.changed, pair.clean, pair.answer, pair.against) for pair in pairs)
    assert float(mean_account(smollm2, pairs).leads.mean) > float(mean_account(smollm2, changed).leads.mean)
