"""From a run to the model's answer, its vectors, and rows of its tensors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from model.arrays import Array
from model.config import TransformerConfig
from model.names import describe
from views.head_of_run import tokens_of
from views.run import Run
from viz.home.answers import Outcome
from viz.shared.style import SPACE, number, token_label

if TYPE_CHECKING:
    from torch import Tensor

    from model import Trace


def tensor_patterns(config: TransformerConfig, layers: Mapping[str, int], everything: bool = False) -> tuple[str, ...]:
    """The names of the tensors that the page needs and its NPZ has.

    These are the weights and the neurons of one layer of each stack (`layers`), and the residual stream of all layers.
    With `everything`, all tensors of those layers are named, for the table of numbers.
    """
    patterns = ["*embed.*" if everything else "*embed.out", "final_norm", "*logits", "*.resid_out", "*.ffn_norm"]
    for stack in config.stacks:
        at = f"{stack}.{layers[stack]}."
        patterns += [f"{at}*"] if everything else [f"{at}*_attn.weights", f"{at}ffn.activated", f"{at}ffn.gates"]
    return tuple(patterns)


def residual_stream(run: Run, stack: str, layer: int) -> Array:
    """The residual stream after a layer: (tokens, d_model)."""
    name = "ffn_norm" if run.config.norms_sums else "resid_out"
    return run.trace[f"{stack}.{layer}.{name}"].numpy()


def stream_before(run: Run, stack: str, layer: int) -> Array:
    """The residual stream that a layer reads: (tokens, d_model)."""
    return residual_stream(run, stack, layer - 1) if layer else embedding(run, stack)


def embedding(run: Run, stack: str) -> Array:
    """What layer 0 reads: (tokens, d_model)."""
    return run.trace[f"{stack}.embed.out" if len(run.config.stacks) == 2 else "embed.out"].numpy()


def token_labels(run: Run, stack: str) -> list[str]:
    return [token_label(token.text, token.bytes) for token in tokens_of(run, stack)]


def bare(label: str) -> str:
    """A token's label without the dot of its leading space."""
    return label.lstrip(SPACE) or label


def written_text(run: Run) -> str:
    """What a translator has written."""
    return "".join(token.text for token in run.trace.tokens if not token.special).strip()


def build_outcome(run: Run, count: int) -> Outcome:
    """The model's answer: the likeliest next tokens, the likeliest words at a place, the likeliest classes of the
    text or of a token, or the last vector of each token."""
    config = run.config
    if config.kind != "encoder":
        names, shares = rank_next_tokens(run, count)
        return Outcome("Next token", f"of {len(run.trace.logits_at(-1)):,}", names, shares)
    if config.masked_words:
        names, shares = rank_words(run, count)
        return Outcome(f"Word at {place_of_word(run)}", f"of {len(run.trace.logits_at(-1)):,}", names, shares)
    if config.has_answer:
        names, shares = rank_classes(run)
        return Outcome(say_classes(run), f"of {len(names)}", names[:count], shares[:count], kind=config.label_scores)
    vectors = last_vectors(run)
    return Outcome("Last vectors", f"{vectors.shape[0]} × {vectors.shape[1]}", vectors=vectors)


def answer_of(run: Run) -> tuple[Tensor, tuple[list[str], list[float]]]:
    """The logits of all answers, and the likeliest ones with their scores. The model must have answers."""
    config = run.config
    if config.masked_words:
        return run.trace.logits_at(_asked_place(run)), rank_words(run, 1)
    if config.kind == "encoder":
        return _class_logits(run), rank_classes(run)
    return run.trace.logits_at(-1), rank_next_tokens(run, 1)


def rank_next_tokens(run: Run, count: int, place: int = -1) -> tuple[list[str], list[float]]:
    """The likeliest tokens after the one at `place`, by default the last one, and their probabilities."""
    return _rank_tokens(run, place, count)


def rank_words(run: Run, count: int) -> tuple[list[str], list[float]]:
    """The likeliest words at the place of a mask, or of the last word. The encoder must find masked words."""
    return _rank_tokens(run, _asked_place(run), count)


def place_of_word(run: Run) -> str:
    """The token at whose place `rank_words` has the words."""
    token = run.trace.tokens[_asked_place(run)]
    return bare(token_label(token.text, token.bytes))


def _asked_place(run: Run) -> int:
    from model.analysis.asked_place import asked_place  # torch takes a while, and the first page needs none of it

    return asked_place(run.model, run.trace)


def _rank_tokens(run: Run, place: int, count: int) -> tuple[list[str], list[float]]:
    top = run.trace.logits_at(place).softmax(-1).topk(count)
    tokens = run.model.output_tokenizer.tokens(top.indices.tolist())
    return [token_label(token.text, token.bytes) for token in tokens], top.values.tolist()


def rank_classes(run: Run) -> tuple[list[str], list[float]]:
    """The classes of the text or of the asked token, likeliest first, and their scores. The encoder must have some."""
    from model.network.answer_scores import answer_scores  # torch takes a while, and the first page needs none of it

    shares = answer_scores(_class_logits(run), run.config)
    order = shares.argsort(descending=True).tolist()
    return [run.config.classes[i] for i in order], shares[order].tolist()


def say_classes(run: Run) -> str:
    """ "Class of the text", or of the token that is asked for, or "Start and end" of an answer there."""
    if run.config.answer_span:
        return f"Start and end at {place_of_word(run)}"
    return f"Class of {place_of_word(run)}" if run.config.answers_places else "Class of the text"


def _class_logits(run: Run) -> Tensor:
    logits = run.trace[run.config.answer_tensor]
    return logits[_asked_place(run)] if run.config.answers_places else logits


def last_vectors(run: Run) -> Array:
    """The vector of each token after an encoder's last layer: (tokens, d_model)."""
    if "final_norm" in run.trace:
        return run.trace["final_norm"].numpy()
    return residual_stream(run, "encoder", run.config.n_encoder_layers - 1)


def find_closest_words(run: Run) -> tuple[str, str, float] | None:
    """The two different words whose last vectors have the largest cosine, and that cosine; None with under two words.

    A word has four letters or more here. The short ones of English ("the", "and") are always close to each other.
    """
    import torch  # not loaded before a run is made

    from model.vectors.cosines import cosine_table

    labels = token_labels(run, "encoder")
    words = [i for i, token in enumerate(run.trace.tokens) if token.text.strip().isalpha() and len(labels[i]) > 3]
    cosines = cosine_table(torch.from_numpy(last_vectors(run)))  # (tokens, tokens)
    pairs = [(float(cosines[i, j]), i, j) for i in words for j in words if i < j and labels[i] != labels[j]]
    if not pairs:
        return None
    cosine, i, j = max(pairs)
    return labels[i], labels[j], cosine


def all_tensors(run: Run, layers: Mapping[str, int]) -> Trace:
    """The run with every tensor of these layers."""
    return run.again(tensor_patterns(run.config, layers, everything=True))


def tensor_rows(run: Run, layers: Mapping[str, int]) -> list[dict[str, str]]:
    """One row for each tensor of one layer of each stack, and of what stands before and after the layers."""

    def make() -> bytes:
        tensors = all_tensors(run, layers).tensors
        places = {name: re.match(r"(encoder|decoder)\.(\d+)\.", name) for name in tensors}
        here = [name for name, place in places.items() if place is None or int(place[2]) == layers[place[1]]]
        return json.dumps(describe_tensors(((name, tensors[name]) for name in here), run.config)).encode()

    rows: list[dict[str, str]] = json.loads(run.pack(f"rows of tensors {layers}", make))
    return rows


def describe_tensors(tensors: Iterable[tuple[str, Tensor]], config: TransformerConfig) -> list[dict[str, str]]:
    """One row a tensor: its name, shape and meaning, and its least, mean and largest value.

    Minus infinity, which hides scores, counts as the number that it is.
    """
    rows = []
    for name, tensor in tensors:
        meaning = describe(name, config.gated).meaning
        row = {"Tensor": name, "Shape": " × ".join(map(str, tensor.shape)), "Meaning": meaning}
        values = {"Least": tensor.min(), "Mean": tensor.mean(), "Most": tensor.max()}
        rows.append(row | {column: number(float(value)) for column, value in values.items()})
    return rows


def outcome_rows(run: Run, count: int = 100) -> list[dict[str, Any]]:
    """The model's answer as rows: outcomes with their shares, or tokens with their last vectors."""
    outcome = build_outcome(run, count)
    if outcome.vectors is None:
        answers = zip(outcome.labels, outcome.shares, strict=True)
        noun = "number" if outcome.kind == "none" else "share"
        return [{outcome.title: label, noun: share} for label, share in answers]
    vectors = zip(token_labels(run, "encoder"), outcome.vectors.tolist(), strict=True)
    return [{"token": label} | {f"{i}": value for i, value in enumerate(vector)} for label, vector in vectors]


def write_snippet(run: Run) -> str:
    """Python code that repeats this run and prints its answer."""
    target = f", target={run.target!r}" if run.target else ""
    lines = [
        "from glassformer import load",
        "",
        f"model = load({run.name!r})",
        f"trace = model.trace({run.text!r}{target})",
        "for name, tensor in trace.tensors.items():",
        "    print(name, tuple(tensor.shape))",
    ]
    if run.config.answers_words:
        place = -1 if run.config.kind != "encoder" else _asked_place(run)
        lines += [
            f"likely = trace.logits[{place}].softmax(-1).topk(5)",
            "for id, share in zip(likely.indices.tolist(), likely.values.tolist()):",
            "    print(model.output_tokenizer.token(id).text, round(share, 3))",
        ]
    return "\n".join(lines)
