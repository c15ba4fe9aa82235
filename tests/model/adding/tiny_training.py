"""A tiny GPT-NeoX whose training was published in steps, as Pythia's, on the hub of the tests."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import torch

from tests.model.adding.hub_server import HubServer, Repository, repository_of
from tests.model.zoo import tiny_families

NAME = "someone/tiny-neox"
STEPS = (0, 1, 2, 4, 8, 1000)


def commit_of(step: int) -> str:
    return hashlib.sha1(f"step {step}".encode(), usedforsecurity=False).hexdigest()


def make_steps(folder: Path, steps: tuple[int, ...] = STEPS) -> dict[int, tuple[Any, Path]]:
    """The reference of `transformers` and the folder of its checkpoint, by step. Each step has other weights."""
    made = {}
    for step in steps:
        place = folder / f"step{step}"
        reference = tiny_families.make("gpt_neox", place)
        with torch.no_grad():
            for parameter in reference.parameters():
                parameter.mul_(1 + 0.2 * steps.index(step))
        reference.save_pretrained(place)
        made[step] = (reference, place)
    return made


def publish(hub: HubServer, made: dict[int, tuple[Any, Path]], name: str = NAME) -> Repository:
    """Put all steps on the hub: a branch each, and the last one as the main branch too."""
    last = max(made)
    main = repository_of(made[last][1])
    main.revisions = {f"step{step}": repository_of(place, commit=commit_of(step)) for step, (_, place) in made.items()}
    main.revisions["step3-early"] = main.revisions["notes"] = repository_of(made[last][1], commit="a" * 40)
    hub.repositories[name] = main
    return main
