"""One question over several pairs of prompts: which parts answer it in all of them, and not in one sentence alone?

A pair is a clean prompt with its answer, and the same prompt with a word changed, whose answer is another one. The
account of the lead of the one answer over the other, and the share that each head brings back, are averaged over the
pairs. The spread says in how far they agree. Wang et al. (2023), arXiv:2211.00593; Zhang and Nanda (2024),
arXiv:2309.16042.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model import work_bound
from model.analysis.attribution import Account, account_of, keep_of
from model.errors import GlassformerError
from model.experiments.causality import NotOneToken, one_token
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, UnequalPrompts, compare_prompts, record_pair
from model.run import Model, ids_of

FEW_TOKENS = 1.5  # for each word of a text whose words a model knows


@dataclass(frozen=True)
class PromptPair:
    """`clean` is followed by `answer`, and `changed`, which has as many tokens, rather by `against`."""

    clean: str
    changed: str
    answer: str
    against: str

    def tokens(self, model: Model) -> tuple[int, int]:
        """The ids of both answers. Raises `NotOneToken`."""
        return one_token(model, self.answer).id, one_token(model, self.against).id

    def prompts(self, model: Model) -> tuple[Prompt, Prompt]:
        """The clean and the changed prompt in tokens. Raises `EmptyText`, `TextTooLong`, `UnreadableText`."""
        clean, changed = (Prompt(ids_of(model.tokens_of(text))) for text in (self.clean, self.changed))
        return clean, changed

    def fault(self, model: Model) -> str:
        """Why a model cannot take the pair, as far as its tokens tell; "" if it can."""
        cells = {"clean prompt": self.clean, "changed prompt": self.changed}
        cells |= {"answer": self.answer, "other answer": self.against}
        if empty := [name for name, text in cells.items() if not text.strip()]:
            return f"The {empty[0]} is empty."
        for text in (self.answer, self.against):
            try:
                one_token(model, text)
            except NotOneToken:
                return f"“{text.strip()}” is several tokens for this model. An answer is a single one."
        answer, against = self.tokens(model)
        if answer == against:
            return "Both answers are the same token."
        try:
            compare_prompts(model.network, *self.prompts(model))
        except GlassformerError as error:
            return str(error)
        return ""


@dataclass(frozen=True, eq=False)
class OverPairs:
    """Numbers of each pair, by their places: (pairs, ...)."""

    each: Tensor

    @property
    def mean(self) -> Tensor:
        """Over the pairs: (...)."""
        return self.each.mean(0)

    @property
    def spread(self) -> Tensor:
        """The standard deviation over the pairs: (...). 0 for one pair."""
        return self.each.std(0, correction=0)


@dataclass(frozen=True, eq=False)
class MeanAccount:
    """The lead of the answer over the other one after the clean prompts, as a sum over parts.

    `parts` are their names and `gives` what they give, (pairs, parts). `leads` are those of the runs, (pairs,).
    """

    parts: tuple[str, ...]
    gives: OverPairs
    leads: OverPairs

    def largest(self, count: int) -> dict[str, float]:
        """The mean of the parts of the largest size, largest first."""
        places = self.gives.mean.abs().argsort(descending=True, stable=True)[:count].tolist()
        return {self.parts[place]: float(self.gives.mean[place]) for place in places}


def account_of_pair(model: Model, pair: PromptPair) -> Account:
    """The account of the lead after the clean prompt. Raises as `account_of` and `PromptPair.tokens` do."""
    return account_of(model, model.trace(pair.clean, keep=keep_of(model)), *pair.tokens(model))


def patching_of_pair(model: Model, pair: PromptPair) -> Patching:
    """What patches the clean run into the changed one. Raises `UnequalPrompts`, and as `PromptPair.tokens` does."""
    return Patching(model.network, record_pair(model.network, *pair.prompts(model)), *pair.tokens(model))


def mean_account(model: Model, pairs: Sequence[PromptPair]) -> MeanAccount:
    """The accounts of the clean prompts, averaged. Raises `UnequalPrompts` without a pair, and as `account_of` does."""
    _check(pairs)
    accounts = []
    for pair in pairs:
        work_bound.check()
        accounts.append(account_of_pair(model, pair))
    gives = torch.tensor([list(account.parts.values()) for account in accounts])
    leads = torch.tensor([account.value for account in accounts])
    return MeanAccount(tuple(accounts[0].parts), OverPairs(gives), OverPairs(leads))


def mean_patching(model: Model, pairs: Sequence[PromptPair], site: Site) -> OverPairs:
    """The share of the lead that each head of the clean run brings back in the changed one: (pairs, layers, heads).

    Heads have the same place in all pairs, tokens have not: so `site` is one of heads. Raises `UnequalPrompts` where it
    is not, and for a pair that cannot be patched, which it names.
    """
    _check(pairs)
    if not site.is_of_heads:
        raise UnequalPrompts("Only heads have the same place in all pairs: choose a site of heads.")
    found = []
    for number, pair in enumerate(pairs, 1):
        try:
            patching = patching_of_pair(model, pair)
        except UnequalPrompts as error:
            raise UnequalPrompts(f"Pair {number}: {error}") from error
        found.append(torch.stack(list(patching.run(site))))
    return OverPairs(torch.stack(found))


def _check(pairs: Sequence[PromptPair]) -> None:
    if not pairs:
        raise UnequalPrompts("There is no pair to average over.")


# Known tasks, each as a few pairs. A name comes back that was mentioned once; a year is later than another one; a verb
# agrees with its noun; a pronoun with its name. The last one is made of words that small models know.
EXAMPLE_PAIRS: dict[str, tuple[PromptPair, ...]] = {
    "indirect object": (
        PromptPair(
            "When Mary and John went to the store, John gave a drink to",
            "When Mary and John went to the store, Mary gave a drink to",
            "Mary",
            "John",
        ),
        PromptPair(
            "When Tom and James went to the park, James gave the ball to",
            "When Tom and James went to the park, Tom gave the ball to",
            "Tom",
            "James",
        ),
        PromptPair(
            "After Paul and Anna had lunch, Anna handed the book to",
            "After Paul and Anna had lunch, Paul handed the book to",
            "Paul",
            "Anna",
        ),
    ),
    "greater than": (
        PromptPair("The war lasted from 1762 to 17", "The war lasted from 1722 to 17", "8", "3"),
        PromptPair("The project ran from 1953 to 19", "The project ran from 1923 to 19", "7", "3"),
        PromptPair("The reign lasted from 1641 to 16", "The reign lasted from 1611 to 16", "7", "2"),
    ),
    "agreement": (
        PromptPair("The keys to the cabinet", "The key to the cabinet", "are", "is"),
        PromptPair("The dogs near the house", "The dog near the house", "are", "is"),
        PromptPair("The teachers in the school", "The teacher in the school", "are", "is"),
    ),
    "gender": (
        PromptPair("Mary went home because", "John went home because", "she", "he"),
        PromptPair("Anna stayed in bed because", "Paul stayed in bed because", "she", "he"),
        PromptPair("My sister left early because", "My brother left early because", "she", "he"),
    ),
    "names in a small world": (
        PromptPair(
            "While Lucy and Omar walked to the park, Omar gave a box to",
            "While Lucy and Omar walked to the park, Lucy gave a box to",
            "Lucy",
            "Omar",
        ),
        PromptPair(
            "While Omar and Lucy walked to the park, Lucy gave a box to",
            "While Omar and Lucy walked to the park, Omar gave a box to",
            "Omar",
            "Lucy",
        ),
    ),
}


def usual_task(model: Model) -> str:
    """The name of the first task that a model knows the words of, or of the first of all."""
    known = (name for name, pairs in EXAMPLE_PAIRS.items() if all(_knows(model, pair) for pair in pairs))
    return next(known, next(iter(EXAMPLE_PAIRS)))


def _knows(model: Model, pair: PromptPair) -> bool:
    """Whether a model can take the pair, and does not spell its words."""
    return not pair.fault(model) and len(model.tokens_of(pair.clean)) <= FEW_TOKENS * len(pair.clean.split())
