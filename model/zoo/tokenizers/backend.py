"""The `tokenizers.Tokenizer` of a folder: its vocabulary, built by its class, with the tokens that its files add."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, decoders, models, normalizers
from tokenizers import Tokenizer as Backend

from model.errors import DamagedWeights
from model.regular_file import read_regular
from model.tokens.panics import panics_as_errors
from model.zoo.files import build_from, read_object
from model.zoo.tokenizers.class_names import Chosen, choose_class
from model.zoo.tokenizers.classes import BAR, Kind, Names, Vocabulary, around_named, sentinels
from model.zoo.tokenizers.part_bounds import (
    MAX_MERGES,
    check_added,
    check_charsmap,
    check_frame,
    check_parts,
    check_vocabulary,
)
from model.zoo.tokenizers.sentence_piece_file import (
    CONTROL,
    USER_DEFINED,
    SentencePieceFile,
    merges_of,
    read_sentence_piece_file,
)
from model.zoo.tokenizers.settings import WHOLE, Settings, as_token, read_settings

MAX_BYTES = 100_000_000  # of a tokenizer.json; Gemma's, with 262,000 pieces, has 33 MB
MAX_PART_BYTES = 50_000_000  # of a vocabulary or of merges in a file of their own
UNREAD = ("truncation", "padding")  # of a tokenizer.json: never cut silently, and no text is as long as another
PIECES = "tokenizer.model"  # where it is, it is taken before the files of a class
ENDING = ".model"  # of SentencePiece files
FRAME_ALONE = {"version": "1.0", "added_tokens": [], "model": {"type": "BPE", "vocab": {}, "merges": []}}


def read_backend(folder: Path, config: Mapping[str, Any], vectors: int) -> tuple[Path, Backend, Names]:
    """The file of the vocabulary, the tokenizer, and the names of its special tokens.

    `config` are the values of config.json. `vectors` is the number of rows of the table of words. An added token whose
    id is not below it is left out, since the model could not read it. Raises `DamagedWeights`, `UnsupportedFamily`.
    """
    settings = read_settings(folder)
    path = folder / WHOLE
    values = read_object(path, MAX_BYTES) if path.is_file() else {}
    parts = json.dumps({key: part for key, part in values.items() if key not in ("model", "added_tokens")})
    chosen = choose_class(folder, config, settings.values, byte_level='"ByteLevel"' in parts)
    if values:
        return path, *_build(path, lambda: _from_whole(values, chosen, settings, vectors))
    path = _find_vocabulary(folder, chosen.kind)
    return path, *_build(path, lambda: _from_parts(path, chosen.kind, settings, vectors))


def _build(path: Path, make: Callable[[], tuple[Backend, Names]]) -> tuple[Backend, Names]:
    """Calls `make` for an untrusted file. Raises `DamagedWeights`, which names the file."""

    def make_of(_: Path) -> tuple[Backend, Names]:
        with panics_as_errors():
            return make()

    return build_from(path, make_of, path, "is no tokenizer")


def _from_whole(values: dict[str, Any], chosen: Chosen, settings: Settings, vectors: int) -> tuple[Backend, Names]:
    """Of a tokenizer.json: what its class takes of it, or the file as it stands.

    A class that no file names may not fit the file. Then the file stands, or no token would be one of the training.
    """
    check_vocabulary(values)
    check_frame(values)
    if not settings.listed:
        settings = replace(settings, added=settings.added | {t["id"]: as_token(t) for t in values["added_tokens"]})
    kind, habit = chosen.kind, chosen.kind.habit if chosen.kind else {}
    if kind and not _fits(kind, values, settings.named(habit), vectors):
        if chosen.named:
            raise ValueError(f"tokenizer_config.json names the class {chosen.name}, which cannot be made of it")
        kind = None
    names = settings.named(habit)
    if kind is None:
        check_parts(values)
        kept = [token for token in values["added_tokens"] if token["id"] < vectors]
        backend = _as_described(values | {"added_tokens": kept})
    else:
        backend = kind.build(_vocabulary_of(kind, values), settings.values, names)
        frame = {**FRAME_ALONE, "post_processor": values.get("post_processor")}
        backend.post_processor = _as_described(frame).post_processor
    return _complete(backend, kind, settings, names, _extra(kind, settings), vectors), names


def _as_described(values: dict[str, Any]) -> Backend:
    """What the library makes of the values of a tokenizer.json. It gets those that were checked, and not the file: a
    file may name a value twice."""
    read = {key: value for key, value in values.items() if key not in UNREAD}
    return Backend.from_str(json.dumps(read, ensure_ascii=False))  # in half the time of ASCII


def _fits(kind: Kind, values: dict[str, Any], names: Names, vectors: int) -> bool:
    """Whether the class has this kind of vocabulary, and the vocabulary, or the model, the tokens around a text."""
    model = values["model"]
    if model.get("type", kind.model) != kind.model:
        return False
    pieces = {piece for piece, _ in model["vocab"]} if kind.model == "Unigram" else set(model["vocab"])
    pieces |= {token["content"] for token in values["added_tokens"]}
    return len(pieces | {str(names[key]) for key in kind.framed}) <= max(vectors, len(pieces))


def _vocabulary_of(kind: Kind, values: dict[str, Any]) -> Vocabulary:
    """What a class takes of the values of a tokenizer.json."""
    model = values["model"]
    if kind.model == "Unigram":
        return Vocabulary([tuple(pair) for pair in model["vocab"]], charsmap=_charsmap(values.get("normalizer")))
    pairs = (each.split(" ") if isinstance(each, str) else each for each in model.get("merges", []))
    return Vocabulary(model["vocab"], [(one, other) for one, other in pairs])


def _charsmap(normaliser: dict[str, Any] | None) -> bytes:
    """How SentencePiece normalises characters, of the first step of a normaliser that says so."""
    steps = (normaliser or {}).get("normalizers", [normaliser or {}])
    found = (base64.b64decode(step["precompiled_charsmap"]) for step in steps if "precompiled_charsmap" in step)
    return check_charsmap(next(found, b""))


def _find_vocabulary(folder: Path, kind: Kind | None) -> Path:
    """The file of the vocabulary of a folder without tokenizer.json. Raises `DamagedWeights` where none is there."""
    needed = kind.files if kind else ()
    if (folder / PIECES).is_file():
        return folder / PIECES
    if needed and all((folder / name).is_file() for name in needed):
        return folder / needed[0]
    wanted = " with ".join(needed) or PIECES
    raise DamagedWeights(
        f"{folder.name} has no tokenizer.json, and no {wanted} to make it of. Get this file from the repository too."
    )


def _from_parts(path: Path, kind: Kind | None, settings: Settings, vectors: int) -> tuple[Backend, Names]:
    """Of the older files: a SentencePiece file, a list of pieces, or pieces and merges."""
    file = read_sentence_piece_file(path) if path.suffix == ENDING else None
    if kind is None:
        assert file is not None  # `_find_vocabulary` finds no other file without a class
        return _from_pieces(file, settings, vectors)
    names = settings.named(kind.habit)
    if file is None:
        vocabulary = _read_vocabulary(path, kind)
    elif kind.model == "Unigram":
        scores = file.scores if kind.arrange is None else kind.arrange(file.scores, settings.values, names)
        vocabulary = Vocabulary(scores, charsmap=file.charsmap)
    else:
        pieces = {piece: id for id, (piece, _) in enumerate(file.scores)}
        vocabulary = Vocabulary(pieces, merges_of(pieces))
    backend = kind.build(vocabulary, settings.values, names)
    return _complete(backend, kind, settings, names, _extra(kind, settings, file), vectors), names


def _read_vocabulary(path: Path, kind: Kind) -> Vocabulary:
    paths = [path.with_name(name) for name in kind.files]
    for each in paths:
        _check_lines(each)
    reader = models.WordPiece if kind.model == "WordPiece" else models.BPE
    read: Any = reader.read_file(*map(str, paths))
    pieces, merges = (read, []) if kind.model == "WordPiece" else read
    check_vocabulary({"model": {"vocab": pieces, "merges": merges}, "added_tokens": ()})
    return Vocabulary(pieces, merges)


def _check_lines(path: Path) -> None:
    """Raises `ValueError` for a list of more pieces or merges than is read, before the library reads it."""
    data = read_regular(path, MAX_PART_BYTES)
    if max(map(data.count, (b"\n", b","))) > MAX_MERGES:
        raise ValueError(f"{path.name} has more than {MAX_MERGES:,} entries")


def _from_pieces(file: SentencePieceFile, settings: Settings, vectors: int) -> tuple[Backend, Names]:
    """Of a SentencePiece file without a class: each space is a bar, and nothing is put before a text."""
    habit = {"bos_token": file.start, "eos_token": file.end, "unk_token": file.unknown}
    names = settings.named({key: piece for key, piece in habit.items() if piece is not None})
    if file.unigram:
        model: Any = models.Unigram(file.scores, unk_id=file.unknown_id, byte_fallback=file.byte_fallback)
    else:
        pieces = {piece: id for id, (piece, _) in enumerate(file.scores)}
        merges = merges_of(pieces)
        for id, token in settings.added.items():  # a piece that a file calls otherwise
            if id < len(file.scores) and token.content not in pieces:
                pieces[token.content] = pieces.pop(file.scores[id][0])
        model = models.BPE(pieces, merges, unk_token=file.unknown, fuse_unk=True, byte_fallback=file.byte_fallback)
    backend = Backend(model)
    mapped = [normalizers.Precompiled(file.charsmap)] if file.charsmap else []
    backend.normalizer = normalizers.Sequence([*mapped, normalizers.Replace(" ", BAR)])
    of_bytes = [decoders.ByteFallback(), decoders.Fuse()] if file.byte_fallback else []
    backend.decoder = decoders.Sequence([decoders.Replace(BAR, " "), *of_bytes])
    return _complete(backend, None, settings, names, _extra(None, settings, file), vectors), names


def _extra(kind: Kind | None, settings: Settings, file: SentencePieceFile | None = None) -> list[Any]:
    """Tokens that are read as one and have no name: of the files, of a SentencePiece file, and T5's sentinels."""
    listed = settings.values.get("additional_special_tokens")
    if file is not None:
        kinds = (CONTROL, USER_DEFINED)
        listed = [AddedToken(p, normalized=False, special=t == CONTROL) for p, _, t in file.pieces if t in kinds]
    if kind and kind.sentinels and not any("<extra_id_" in str(token) for token in listed or []):
        listed = [*(listed or []), *sentinels(settings.values)]
    if "extra_special_tokens" in settings.values:
        listed = settings.values["extra_special_tokens"]
    return list(listed or [])


def _complete(
    backend: Backend, kind: Kind | None, settings: Settings, names: Names, extra: list[Any], vectors: int
) -> Backend:
    """The tokenizer, with the tokens that it lacks after its vocabulary, and with what stands around a text."""
    _add(backend, _lacking(backend, settings, names, extra, vectors), names)
    if kind and kind.all_special:
        special = {str(token): None for token in (*names.values(), *extra) if token is not None}
        backend.add_tokens(
            [AddedToken(piece, special=True) for piece in special if backend.token_to_id(piece) is not None]
        )
    told = any(f"add_{key}" in settings.values for key in ("bos_token", "eos_token"))
    if kind and kind.frame:
        if lost := [key for key in kind.framed if names[key] is None]:
            raise ValueError(f"{lost[0]} is null, and this kind of tokenizer puts it around a text")
        backend.post_processor = kind.frame(backend, settings.values, names)
    elif told or backend.post_processor is None:
        backend.post_processor = around_named(backend, settings.values, names)
    backend.no_truncation()  # never cut silently
    backend.no_padding()
    around = max(backend.encode([], is_pretokenized=True).ids, default=0)
    if around >= vectors:
        raise ValueError(f"it puts the id {around:,} around a text, but the model has vectors for {vectors:,}")
    if isinstance(backend.model, models.BPE):
        backend.model.dropout = None  # of the training: some merges are left out by chance
    backend.encode_special_tokens = bool(settings.values.get("split_special_tokens"))
    return backend


def _lacking(
    backend: Backend, settings: Settings, names: Names, extra: list[Any], vectors: int
) -> list[str | AddedToken]:
    """The tokens to add, in the order of their ids; without those that the model has no vector for."""
    there = backend.get_added_tokens_decoder().values()
    same, known = {repr(token) for token in there}, {token.content for token in there}
    listed = [token for _, token in sorted(settings.added.items()) if repr(token) not in same]
    known |= {token.content for token in listed}
    named = (token for token in (*names.values(), *extra) if token is not None)
    others = {str(token): token for token in named if str(token) not in known}
    next_id, found = max(backend.get_vocab().values(), default=-1) + 1, []
    for token in (*listed, *others.values()):
        is_new = backend.token_to_id(str(token)) is None
        if not is_new or next_id < vectors:
            found.append(token)
            next_id += is_new
    return found


def _add(backend: Backend, tokens: list[str | AddedToken], names: Names) -> None:
    check_added(map(str, tokens))
    named = {str(token) for token in names.values() if token is not None}
    added = [AddedToken(token, special=True) if isinstance(token, str) else token for token in tokens]
    for token in added:
        token.special = token.special or token.content in named
    backend.add_tokens(added)
