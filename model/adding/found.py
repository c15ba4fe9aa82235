"""What is found behind a name before anything of size is fetched: its family, its files, its licence, its memory."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from model.errors import UnusableFiles
from model.zoo.hub_names import SHORT_COMMIT, HubName
from model.zoo.weight_files import INDEX, PICKLES, WEIGHTS

CONFIG = "config.json"
# Files that a tokenizer may be made of, and those that say how pictures are prepared and texts end. None is a program.
TOKENIZER_FILES = (
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.json", "target_vocab.json", "vocab.txt", "merges.txt"),
    *("source.spm", "target.spm", "spiece.model", "sentencepiece.bpe.model", "tokenizer.model"),
    *("preprocessor_config.json", "generation_config.json"),
)
SHARD = re.compile(r"model-(\d{5})-of-\d{5}\.safetensors")
OTHER_PICKLES = (".h5", ".msgpack", ".pkl.gz", ".ot")  # of other libraries; they are not read either
# Of several GGUF files one is taken: the one nearest to the numbers of the model that is not needlessly large.
GGUF_ORDER = ("q8_0", "f16", "bf16", "f32", "q6_k", "q5_k_m", "q5_1", "q5_0", "q4_k_m", "q4_1", "q4_0")


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
    `file` is a GGUF file of it that was asked for by name, and `others` are those that are left. A model of this
    machine has a `path`.
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
    path: str = ""
    file: str = ""
    others: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of its card: hub name and short commit; of a model of this machine, its path."""
        if not self.repository:
            return self.path
        return str(HubName(self.repository, self.commit[:SHORT_COMMIT], self.file))

    @property
    def gguf(self) -> str:
        """The GGUF file that holds the model; "" for a folder of safetensors."""
        return next((file.path for file in self.files if file.path.endswith(".gguf")), "")

    def facts(self) -> list[tuple[str, str]]:
        """What a reader wants to know before adding it, as pairs of a name and a value."""
        facts = {"Family": self.family, "Files": size_in_words(self.size)}
        if self.repository:
            facts["To download"] = size_in_words(self.missing) if self.missing else "nothing: all of it is here"
        if self.gguf:
            facts["Weights"] = self.gguf
        if self.others:
            first = f"{self.repository}:{self.others[0]}" if self.repository else self.others[0]
            facts["Other files"] = f"{', '.join(self.others)}. To take another one, name it, as in {first}"
        free = f", {size_in_words(self.free)} are free" if self.free is not None else ""
        facts["Memory"] = (
            f"{size_in_words(self.memory)} in float32{free}" if self.memory is not None else "not known yet"
        )
        facts["Licence"] = self.licence
        if self.commit:
            facts["Commit"] = self.commit[:SHORT_COMMIT]
        return list(facts.items())


def size_in_words(size: int) -> str:
    """ "548 MB", "2.15 GB"."""
    return (
        f"{size / 1e9:,.2f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB" if size < 1e7 else f"{size / 1e6:,.0f} MB"
    )


def choose_files(where: str, files: Iterable[HubFile], wanted: str = "") -> tuple[HubFile, ...]:
    """The files that make the model: configuration, tokenizer and weights; or one GGUF file, that of the name `wanted`.

    Raises `UnusableFiles`, which says what there is instead. Files in folders of the repository are left alone.
    """
    by_path = {file.path: file for file in files if "/" not in file.path}
    if wanted:
        if wanted not in by_path:
            there = ", ".join(list_ggufs(by_path)) or "no GGUF file"
            raise UnusableFiles(f"{where} is not there. The repository has {there}.")
        return (by_path[wanted],)
    weights = _safetensors(by_path)
    if weights and CONFIG in by_path:
        kept = [CONFIG, *(name for name in TOKENIZER_FILES if name in by_path), *weights]
        return tuple(by_path[name] for name in kept)
    if ggufs := list_ggufs(by_path):
        return (by_path[min(ggufs, key=_gguf_rank)],)
    raise UnusableFiles(_say_unusable(where, by_path))


def list_ggufs(paths: Iterable[str]) -> list[str]:
    """The GGUF files that hold a whole model."""
    return sorted(path for path in paths if path.endswith(".gguf") and "-of-" not in path and "/" not in path)


def _safetensors(paths: Iterable[str]) -> list[str]:
    """The weight files: the single one, or the shards with their index."""
    if WEIGHTS in paths:
        return [WEIGHTS]
    shards = sorted(path for path in paths if SHARD.fullmatch(path))
    return [INDEX, *shards] if INDEX in paths and shards else []


def _gguf_rank(path: str) -> tuple[int, str]:
    name = path.lower()
    return next((place for place, kind in enumerate(GGUF_ORDER) if kind in name), len(GGUF_ORDER)), name


def _say_unusable(where: str, paths: Iterable[str]) -> str:
    pickles = sorted(path for path in paths if path.endswith((*PICKLES, *OTHER_PICKLES)))
    if pickles:
        return (
            f"{where} has its weights only as {pickles[0][:60]}. That is a pickle, or of another library. Opening "
            "it can run code, so it is never read. Take a revision with model.safetensors, or a GGUF file."
        )
    if _safetensors(paths):
        return f"{where} has no {CONFIG}, so nothing says what its weights are."
    if any("adapter" in path for path in paths):
        return f"{where} is an adapter, which changes another model. Add that model itself."
    return f"{where} has no {WEIGHTS} and no GGUF file, so there is no model to read."
