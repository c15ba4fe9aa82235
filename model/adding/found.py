"""What is found behind a name before anything of size is fetched: its family, its files, its licence, its memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from model.errors import UnusableFiles
from model.numerals import file_size
from model.zoo.checkpoint import Checkpoint
from model.zoo.file_card import say_answer, say_shape
from model.zoo.hub_names import GGUF, SHORT_COMMIT, HubName, has_kind
from model.zoo.which_files import CONFIG, choose_weights, list_ggufs, parts_of

# Files that a tokenizer may be made of, and those that say how pictures are prepared and texts end. None is a program.
TOKENIZER_FILES = (
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    "chat_template.jinja",
    *("vocab.json", "target_vocab.json", "vocab.txt", "merges.txt"),
    *("source.spm", "target.spm", "spiece.model", "sentencepiece.bpe.model", "tokenizer.model"),
    *("preprocessor_config.json", "processor_config.json", "generation_config.json"),
)
MAIN = "main"  # the branch that is meant where none is named
MOST_OFFERED = 6  # files in the place of one that is not there


@dataclass(frozen=True)
class HubFile:
    """A file of a repository. `digest` is its SHA-256 (64 characters) or git's SHA-1 of it (40); "" if not known."""

    path: str
    size: int
    digest: str = ""


@dataclass(frozen=True)
class Found:
    """A model that may be added. Sizes are in bytes; `memory` is that of its weights in float32, None if not known.

    A model of the hub has a `repository`, a `commit` and `files`; `missing` bytes of them are not on this machine yet.
    `file` is a GGUF file of it that was asked for by name, and `others` are those that are left. A model all of whose
    files are on this machine has its `checkpoint`. `weights` are the names of its weight files, `shape` and `gives` say
    what the model is and answers, as far as it is known, and `left_out` heads of the files that no page shows.
    """

    family: str
    size: int
    memory: int | None
    free: int | None
    licence: str
    repository: str = ""
    commit: str = ""
    files: tuple[HubFile, ...] = field(default=(), repr=False)
    missing: int = 0
    checkpoint: Checkpoint | None = field(default=None, repr=False, compare=False)
    file: str = ""
    others: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    shape: str = ""
    gives: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The path of its folder or GGUF file; "" while files of it are missing."""
        return str(self.checkpoint.path) if self.checkpoint else ""

    @property
    def name(self) -> str:
        """The name of its card: hub name and short commit; of a model of this machine, its path."""
        if not self.repository:
            return self.path
        return str(HubName(self.repository, self.commit[:SHORT_COMMIT], self.file))

    @property
    def gguf(self) -> str:
        """The GGUF file that holds the model, or its first part; "" for a folder of safetensors."""
        return next((file.path for file in self.files if file.path.endswith(GGUF)), "")

    def facts(self) -> list[tuple[str, str]]:
        """What a reader wants to know before adding it, as pairs of a name and a value."""
        facts = {"Family": self.family}
        if self.shape:
            facts |= {"Model": self.shape, "Gives": self.gives}
        facts["Files"] = file_size(self.size)
        if self.repository:
            facts["To download"] = file_size(self.missing) if self.missing else "nothing: all of it is here"
        if self.weights:
            more = f" and {len(self.weights) - 3} more" if len(self.weights) > 3 else ""
            facts["Weights"] = ", ".join(self.weights[:3]) + more
        if self.others:
            first = f"{self.repository}:{self.others[0]}" if self.repository else self.others[0]
            facts["Other files"] = f"{', '.join(self.others)}. To take another one, name it, as in {first}"
        free = f", {file_size(self.free)} are free" if self.free is not None else ""
        facts["Memory"] = f"{file_size(self.memory)} in float32{free}" if self.memory is not None else "not known yet"
        if self.left_out:
            facts["Left out"] = "; ".join(self.left_out)
        facts["Licence"] = self.licence
        if self.commit:
            facts["Commit"] = self.commit[:SHORT_COMMIT]
        return list(facts.items())


def described(found: Found) -> str:
    """What was found, a fact on each line."""
    facts = [("Name", found.name), *found.facts()]
    return "\n".join(f"{name:<12} {value}" for name, value in facts)


def read_of(checkpoint: Checkpoint) -> dict[str, Any]:
    """What `Found` says of opened files."""
    return {
        "family": checkpoint.family,
        "memory": checkpoint.nbytes,
        "shape": say_shape(checkpoint.config),
        "gives": say_answer(checkpoint.config),
        "left_out": checkpoint.left_out,
        "weights": tuple(file.name for file in checkpoint.files),
    }


def choose_files(
    where: str, files: Iterable[HubFile], wanted: str = "", listed: Callable[[], Iterable[str]] = lambda: ()
) -> tuple[HubFile, ...]:
    """The files that make the model: configuration, tokenizer and weights; or one GGUF file, `wanted`, or its parts.

    `listed` gives the names in the index of the weights. Raises `UnusableFiles`, which says what there is instead.
    Files in folders of the repository are left alone.
    """
    by_path = {file.path: file for file in files if "/" not in file.path}
    if wanted:
        return tuple(by_path[name] for name in parts_of(_wanted(where, by_path, wanted), by_path))
    weights = choose_weights(where, by_path, listed)
    if weights[0].endswith(GGUF):
        return tuple(by_path[name] for name in weights)
    kept = [CONFIG, *(name for name in TOKENIZER_FILES if name in by_path), *weights]
    return tuple(by_path[name] for name in kept)


def _wanted(where: str, names: Collection[str], wanted: str) -> str:
    """The GGUF file of this name, or the only one whose name has this kind of numbers, as Q4_K_M."""
    ggufs = list_ggufs(names)
    if wanted in names:
        return wanted
    alike = [name for name in ggufs if has_kind(name, wanted)]
    if len(alike) == 1:
        return alike[0]
    said = f"may be {' or '.join(alike)}: name the file" if alike else "is not there"
    error = UnusableFiles(f"{where} {said}. The repository has {', '.join(ggufs) or 'no GGUF file'}.")
    error.instead = tuple(f"{where.partition(':')[0]}:{name}" for name in (alike or ggufs)[:MOST_OFFERED])
    raise error
