"""The small world as text: documents to train on, and held-out questions to measure with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from model.train.corpora.lines import Line, Probe
from model.train.corpora.skills import SKILLS, scene
from model.train.corpora.words import EXAMPLE_SENTENCES

SKILL_NAMES = tuple(SKILLS)
# How often each kind of line is drawn: longer searches through the line earn more practice.
SHARES: dict[str, float] = {
    "agreement": 0.8,
    "pronoun": 2.0,
    "repetition": 3.0,
    "bank": 0.4,
    "facts": 0.7,
    "closing": 0.5,
    "scene": 0.4,
}


def _draw(rng: Random, make: Callable[[Random], Line], wanted: Callable[[Line], bool]) -> Line:
    """Lines from `make` until one is wanted."""
    while True:
        line = make(rng)
        if wanted(line) or line.text in EXAMPLE_SENTENCES:
            return line


def training_line(rng: Random) -> Line:
    """A line that training may see. The example sentences always may; they are never questions."""
    kind = rng.choices(list(SHARES), list(SHARES.values()))[0]
    return _draw(rng, SKILLS.get(kind, scene), lambda line: line.trainable)


def training_text(rng: Random, lines: int) -> str:
    """A document of so many lines."""
    return "\n".join(training_line(rng).text for _ in range(lines))


def held_out_lines(skill: str, seed: int = 0) -> Iterator[Line]:
    """Distinct lines of one skill that training never sees, without end, the same for the same seed."""
    rng, seen = Random(f"held-out {skill} {seed}"), set()
    while True:
        line = SKILLS[skill](rng)
        if line.held_out and line.text not in seen:
            seen.add(line.text)
            yield line


def held_out_line(rng: Random) -> Line:
    """A line of any skill that training never sees."""
    make = SKILLS[rng.choice(SKILL_NAMES)]
    while not (line := make(rng)).held_out:
        pass
    return line


def shuffle_words(probe: Probe) -> Probe:
    """The same question with the words before it in another order, the last word alone kept in its place."""
    *words, last = probe.prefix.split(" ")
    Random(probe.prefix).shuffle(words)
    return Probe(" ".join([*words, last]), probe.right)


def held_out_probes(skill: str, count: int, seed: int = 0) -> list[Probe]:
    """The first `count` questions of the held-out lines of a skill."""
    probes: list[Probe] = []
    for line in held_out_lines(skill, seed):
        probes.extend(line.probes)
        if len(probes) >= count:
            break
    return probes[:count]
