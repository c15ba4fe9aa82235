"""A trail: each step is a part of the sum behind the one before, and induction ends at a head that looks one back."""

from __future__ import annotations

import pytest
import torch

from model import Model
from model.analysis.attribution import Account, account_of
from model.analysis.head_measures import previous_token
from model.analysis.head_steps import Attention
from model.analysis.score_account import score_account
from model.analysis.trail import (
    LEAST_SHARE,
    WAYS,
    NoSuchTrail,
    Step,
    follow,
    parse_trail,
    reach,
    reasons,
    step_to,
    write_trail,
)
from model.tape import Trace
from tests.conftest import loaded
from tests.model.networks import small_model

ZORBLAT = "The zorblat fell. Then the zor"  # " z", "or", "bl"


def asked(model: Model, text: str, target: str | None = None) -> tuple[Trace, Account]:
    trace = model.trace(text, target=target)
    return trace, account_of(model, trace)


@pytest.mark.slow
def test_an_induction_head_of_smollm2_is_made_by_a_head_that_looks_one_token_back(smollm2: Model) -> None:
    trace, account = asked(smollm2, ZORBLAT)
    found = follow(smollm2, trace, account)
    induction, last = found[-2].step, found[-1].step
    words = [token.text for token in trace.tokens]
    assert (words[induction.query], words[induction.key], words[induction.key - 1]) == ("or", "bl", "or")
    assert (last.way, last.part, last.query - last.key) == ("key", "decoder.16.self_attn.heads.0", 1)
    assert max(each.share for each in reasons(smollm2, trace, found[-1]).values()) < LEAST_SHARE
    usual = smollm2.trace(
        "The quick brown fox jumps over the lazy dog and then it sleeps", keep=f"{last.at.path}.weights"
    )
    assert previous_token(usual[f"{last.at.path}.weights"])[last.head] > 0.7, "it does so in any sentence"


def test_an_induction_head_of_a_tiny_model_is_made_by_a_head_that_looks_one_token_back() -> None:
    """The tiny language model with concatenated positions has one. The usual one has no sharp induction head."""
    model = loaded("tiny-lm-concat")
    trace, account = asked(model, "the dog sees the cat. the dog sees the")
    found = [each.step for each in follow(model, trace, account)]
    words = [token.text for token in trace.tokens]
    assert [words[found[0].query], words[found[0].key - 1], words[found[0].key]] == [" the", " the", " dog"]
    assert (found[1].way, found[1].query - found[1].key) == ("key", 1)


@pytest.mark.parametrize("name", ["Llama", "GPT-2", "BERT words", "Marian", "T5", "GPT-NeoX"])
def test_each_step_is_a_part_of_the_sum_behind_the_one_before(name: str) -> None:
    model = small_model({"BERT words": "masked words"}.get(name, name))
    trace, account = asked(model, "I am a robot", "you like the dog" if len(model.config.stacks) > 1 else None)
    layers = model.config.n_layers(account.stack)
    part = next(
        f"{account.stack}.{layers - 1}.{each}.heads.1" for each in reversed(model.config.attentions(account.stack))
    )
    first = step_to(model, trace, account, part)
    (reached,) = reach(model, trace, account, [first])
    assert float(reached.sources.sum()) == pytest.approx(reached.gives, abs=1e-4)
    behind = reasons(model, trace, reached)
    value = behind["value"].account
    assert value.total == pytest.approx(float(reached.sources[first.key]), abs=1e-4), "what it brings from that token"
    place = first.at, first.head, first.query, first.key
    score = score_account(model, trace, *place, "mean")
    assert sum(behind["key"].parts.values()) == pytest.approx(sum(score.margin("key").values()), abs=1e-4)
    assert behind["query"].account.parts == pytest.approx(score.margin("query"), abs=1e-4)
    for way in WAYS:
        for head in list(behind[way].heads)[:1]:
            steps = [first, step_to(model, trace, behind[way].account, head, way)]
            last = reach(model, trace, account, steps)[-1]
            assert last.gives == pytest.approx(behind[way].account.parts[head])
            assert float(last.sources.sum()) == pytest.approx(last.gives, abs=1e-4)


def test_a_trail_is_written_and_read() -> None:
    steps = (
        Step("", Attention("decoder", 3, "self_attn"), 2, 9, 7),
        Step("key", Attention("decoder", 1, "self_attn"), 0, 7, 6),
    )
    assert write_trail(steps) == "decoder.3.self_attn.2@7>9,key:decoder.1.self_attn.0@6>7"
    assert parse_trail(write_trail(steps)) == steps
    assert parse_trail("") == ()
    for text in ("decoder.3.ffn@9", "side:decoder.3.self_attn.2@7>9", ":decoder.3.self_attn.2@7>9", "words"):
        with pytest.raises(NoSuchTrail, match="no step of a trail"):
            parse_trail(text)


def test_a_trail_that_this_run_does_not_have_is_named() -> None:
    model = small_model("Llama")
    trace, account = asked(model, "I am a robot")
    for text, said in {
        "key:decoder.1.self_attn.0@0>3": "does not follow",  # the first step has no way
        "decoder.1.self_attn.0@0>2": "does not follow",  # the answer stands at the last token
        "decoder.5.self_attn.0@0>3": "does not follow",
        "decoder.1.self_attn.0@3>3,key:decoder.1.self_attn.0@0>3": "does not follow",  # no earlier head
        "decoder.1.self_attn.0@9>3": "may not see",
        "decoder.1.self_attn.0@1>3,key:decoder.0.self_attn.0@3>1": "may not see",
    }.items():
        with pytest.raises(NoSuchTrail, match=said):
            reach(model, trace, account, parse_trail(text))


def test_where_no_head_speaks_for_the_answer_no_trail_begins() -> None:
    model = small_model("Llama")
    trace, account = asked(model, "I am a robot")
    silent = Account(account.stack, account.position, 0, None, 0.0, {"embed.tokens": 1.0}, {}, {}, {})
    assert follow(model, trace, silent) == []
    assert follow(model, trace, account, most=1)[0].step.way == ""
    assert torch.is_tensor(follow(model, trace, account, most=1)[0].sources)
