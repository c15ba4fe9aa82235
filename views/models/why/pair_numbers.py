"""What is averaged over pairs of prompts: the numbers of one pair, by an account of its lead or by patching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from model import GlassformerError, Model
from model.experiments.patching import Patching
from model.experiments.prompt_pairs import PromptPair, account_of_pair, patching_of_pair
from model.experiments.sentence_pair import Site
from viz.models.why import PartMap, part_map

ACCOUNT = "account"
SITES = {  # what is patched, by its name in the key and on the page
    "heads": Site("decoder", "self_attn.heads"),
    "queries": Site("decoder", "self_attn.q"),
    "keys": Site("decoder", "self_attn.k"),
    "values": Site("decoder", "self_attn.v"),
    "patterns": Site("decoder", "self_attn.weights"),
}
AVERAGED = (*SITES, ACCOUNT)


@dataclass(frozen=True, eq=False)
class PairNumbers:
    """Of one pair: the lead of its answer after the clean prompt, and a table of cells, NaN where one is empty.

    `cells`: shares that come back, (layers, heads); or parts of an account, (rows, columns), whose names `parts` has.
    """

    lead: float
    cells: Tensor
    parts: PartMap | None = None


Result = PairNumbers | str  # or why the pair has none


def account_for(model: Model, pair: PromptPair) -> Result:
    """The parts of the lead after the clean prompt."""
    try:
        account = account_of_pair(model, pair)
    except GlassformerError as error:
        return str(error)
    parts = part_map(account.parts, model.config.n_decoder_layers)
    return PairNumbers(account.value, torch.from_numpy(parts.values).float(), parts)


def estimate(model: Model, pair: PromptPair) -> dict[str, Result]:
    """The shares that come back by each site, from one gradient."""
    try:
        patching = patching_of_pair(model, pair)
    except GlassformerError as error:
        return dict.fromkeys(SITES, str(error))
    return {name: _estimate_of(patching, site) for name, site in SITES.items()}


def _estimate_of(patching: Patching, site: Site) -> Result:
    try:
        patching.check(site)
    except GlassformerError as error:
        return str(error)
    return PairNumbers(patching.measures[0], patching.estimates[site])


def patch_layers(model: Model, pair: PromptPair, averaged: str) -> Iterator[Result | None]:
    """Patches one layer after another. Gives None after each but the last, and after that the shares."""
    try:
        patching = patching_of_pair(model, pair)
        patching.check(SITES[averaged])
    except GlassformerError as error:
        yield str(error)
        return
    layers = list[Tensor]()
    for shares in patching.run(SITES[averaged]):
        layers.append(shares)
        is_whole = len(layers) == model.config.n_decoder_layers
        yield PairNumbers(patching.measures[0], torch.stack(layers)) if is_whole else None


def last(results: Iterable[Result | None]) -> Result:
    """The result after all layers."""
    *_, found = results
    assert found is not None
    return found
