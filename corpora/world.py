"""The small world as text: documents for training, and held-out questions for measuring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from corpora.lines import Line, Probe
from corpora.skills import SKILLS, scene
from corpora.words import EXAMPLE_SENTENCES

SKILL_NAMES = tuple(SKILLS)
# Relative frequency of each kind of line. Skills that must search through a longer line get more practice.
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
    """The first line from `make` that is wanted, or that is an example sentence of the app."""
    while True:
        line = make(rng)
        if wanted(line) or line.text in EXAMPLE_SENTENCES:
            return line


def training_line(rng: Random) -> Line:
    """A line that training may see. It may always see the app's example sentences: they have no probes."""
    kind = rng.choices(list(SHARES), list(SHARES.values()))[0]
    return _draw(rng, SKILLS.get(kind, scene), lambda line: line.trainable)


def training_text(rng: Random, lines: int) -> str:
    """A document of this number of lines."""
    return "\n".join(training_line(rng).text for _ in range(lines))


def held_out_lines(skill: str, seed: int = 0) -> Iterator[Line]:
    """Different held-out lines of one skill, without end. The same seed gives the same lines."""
    rng, texts = Random(f"held-out {skill} {seed}"), set()
    while True:
        line = SKILLS[skill](rng)
        if line.held_out and line.text not in texts:
            texts.add(line.text)
            yield line


def held_out_line(rng: Random) -> Line:
    """A random held-out line of any skill."""
    make = SKILLS[rng.choice(SKILL_NAMES)]
    while not (line := make(rng)).held_out:
        pass
    return line


def shuffle_words(probe: Probe) -> Probe:
    """The same question with its words in random order. Only the last word keeps its place."""
    *words, last = probe.prefix.split(" ")
    Random(probe.prefix).shuffle(words)
    return Probe(" ".join([*words, last]), probe.right)


def held_out_probes(skill: str, count: int, seed: int = 0) -> list[Probe]:
    """The first `count` questions in the held-out lines of a skill."""
    probes: list[Probe] = []
    for line in held_out_lines(skill, seed):
        probes.extend(line.probes)
        if len(probes) >= count:
            break
    return probes[:count]
