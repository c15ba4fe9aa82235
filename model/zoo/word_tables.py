"""Which tensors of a file are the tables of words: those that embed them, and the output layer that scores them.

Where config.json ties them, one table stands for all that the file lacks. But a file that has two with other numbers
means both, whatever config.json says. `transformers` reads files so too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Family
from model.zoo.stored_names import rename

OUTPUT = "unembed.weight"  # our name of the output layer
TABLES = ("encoder.embed.tokens.weight", "decoder.embed.tokens.weight", OUTPUT)
Same = Callable[[str, str], bool]  # whether two tensors of a file have the same numbers


def settle(
    family: Family, config: TransformerConfig, names: Collection[str], same: Same
) -> tuple[TransformerConfig, dict[str, str]]:
    """The configuration, completed by what only the tensors say, and the file's name of each of our tables.

    They say whether an encoder gives an answer, whether two stacks have one table, and whether the output layer is the
    table after which it stands. `names` are those of the file, as the family has them.
    """
    config = family.complete(config, names)
    embeds = [f"{stack}.embed.tokens.weight" for stack in config.stacks if not config.image_size]
    wanted = [*embeds, *([OUTPUT] if config.answers_words else [])]
    found = {ours: theirs for ours in wanted if (theirs := _find(family, config, ours, names))}

    def alike(one: str, other: str) -> bool:
        return found.get(one) == found.get(other) or (
            one in found and other in found and same(found[one], found[other])
        )

    if len(embeds) == 2 and config.target_vocab_size is None:
        if alike(*embeds):
            found.pop(embeds.pop(), None)
        else:
            config = replace(config, target_vocab_size=config.vocab_size)
    if config.tied_embeddings and OUTPUT in wanted:
        config = replace(config, tied_embeddings=alike(embeds[-1], OUTPUT))
    if config.tied_embeddings:
        found.pop(OUTPUT, None)
    return config, found


def _find(family: Family, config: TransformerConfig, ours: str, names: Collection[str]) -> str | None:
    """The file's name of one of our tables; where the file lacks a tied one, that of the table it is tied to."""
    by_table = {each: [theirs for theirs, name in family.names.items() if name == each] for each in TABLES}
    names_of_it = list(by_table[ours])
    if config.tied_embeddings and config.target_vocab_size is None:
        names_of_it += [family.shared, *by_table[TABLES[0]], *by_table[TABLES[1]], *by_table[OUTPUT]]
    elif config.tied_embeddings and ours != TABLES[0]:  # two vocabularies: only the written one is tied
        names_of_it += [*by_table[TABLES[1]], *by_table[OUTPUT]]
    return next((name for name in names_of_it if name in names), None)


def places(family: Family, tables: dict[str, str], names: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Our names of each tensor of a file that is read: one, or several of a table that stands for another too.

    Raises `DamagedWeights` for tensors that the family does not know, and for two that would be one of ours.
    """
    spare = family.spare(names)
    rest = [name for name in names if family.names.get(name) not in TABLES and name not in spare]
    found = {theirs: (ours,) for theirs, ours in rename(family.name, family.names, rest).items()}
    times = Counter(ours for (ours,) in found.values())
    twice = sorted(theirs for theirs, (ours,) in found.items() if times[ours] > 1)
    if twice:
        raise DamagedWeights(f"The file does not fit its config.json: of {', '.join(twice[:5])} only some can be read.")
    several: dict[str, tuple[str, ...]] = {}
    for ours, theirs in tables.items():
        several[theirs] = (*several.get(theirs, ()), ours)
    return {**found, **several}
