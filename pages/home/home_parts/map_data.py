"""From a run to the arrays of the map."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.config import TransformerConfig
from model.names import describe
from model.tokens.tokenizer import Token
from pages.shared.head_on_screen import tokens_of
from pages.shared.traces import Run
from viz.home.map import Attention, Map, Outcome, StackPicture
from viz.shared.style import number, token_label

Array = NDArray[np.float32]


def kept(config: TransformerConfig, layers: dict[str, int], everything: bool = False) -> tuple[str, ...]:
    """What the map needs recorded: of each stack's shown layer the weights and the neurons, of all layers the stream.

    `everything`: of the shown layers all tensors, for the table of numbers.
    """
    patterns = ["*embed.*" if everything else "*embed.out", "final_norm", "*logits", "*.resid_out", "*.ffn_norm"]
    for stack in config.stacks:
        at = f"{stack}.{layers[stack]}."
        patterns += [f"{at}*"] if everything else [f"{at}*_attn.weights", f"{at}ffn.activated"]
    return tuple(patterns)


def stream(run: Run, stack: str, layer: int) -> Array:
    """The residual stream as the layer leaves it: (tokens, d_model)."""
    name = "resid_out" if run.model.config.norm_position == "pre" else "ffn_norm"
    return run.trace[f"{stack}.{layer}.{name}"].numpy()


def stream_sizes(run: Run, stack: str) -> Array:
    """The median over the tokens of the residual stream's length after each layer: (layers,).

    The median, since the first token of many models is hundreds of times longer than the others.
    """
    layers = range(run.model.config.n_layers(stack))
    return np.array([np.median(np.linalg.norm(stream(run, stack, layer), axis=1)) for layer in layers])


def labels(run: Run, stack: str) -> list[str]:
    return [token_label(token.text, token.bytes) for token in tokens_of(run, stack)]


def last_word(tokens: Sequence[Token]) -> int:
    """The place of the last token that is not a special one; of the last token if all are."""
    return max((i for i, token in enumerate(tokens) if not token.special), default=len(tokens) - 1)


def stack_picture(run: Run, stack: str, layer: int) -> StackPicture:
    from model.analysis.telling import telling_head_at  # it needs torch, which is not loaded before a run is made

    config, trace = run.model.config, run.trace
    two_stacks = config.kind == "encoder-decoder"
    parts = [("self_attn", "Self-attention" if stack == "encoder" or not two_stacks else "Masked self-attention")]
    if two_stacks and stack == "decoder":
        parts.append(("cross_attn", "Cross-attention"))
    asked = last_word(tokens_of(run, stack))
    attentions = []
    for part, title in parts:
        weights = trace[f"{stack}.{layer}.{part}.weights"]  # (heads, queries, keys)
        framed = telling_head_at(weights, asked, cross=part == "cross_attn")
        attentions.append(Attention(part, f"{title} · {config.n_heads} heads", weights.numpy(), framed))
    return StackPicture(
        stack=stack,
        title=stack.capitalize() if two_stacks else "",
        tokens=labels(run, stack),
        embedding=trace[f"{stack}.embed.out" if two_stacks else "embed.out"].numpy(),
        layer=layer,
        n_layers=config.n_layers(stack),
        attentions=attentions,
        activated=trace[f"{stack}.{layer}.ffn.activated"].numpy(),
        sizes=stream_sizes(run, stack),
        d_head=config.head_width,
        asked=asked,
    )


def telling_key(picture: StackPicture) -> int:
    """The key that the caption names: the one that tells most in the framed head of the first attention."""
    import torch  # not loaded before a run is made

    from model.analysis.telling import telling_weights

    attention = picture.attentions[0]
    row = torch.from_numpy(attention.weights[attention.framed][picture.asked])  # (keys,)
    return int(telling_weights(row, picture.asked).argmax())


def next_tokens(run: Run, count: int) -> tuple[list[str], list[float]]:
    """The likeliest next tokens after the last one, and their probabilities."""
    top = run.trace.logits[-1].softmax(-1).topk(count)
    tokens = run.model.output_tokenizer.tokens(top.indices.tolist())
    return [token_label(token.text, token.bytes) for token in tokens], top.values.tolist()


def classes(run: Run) -> tuple[list[str], list[float]]:
    """The classes of the whole text, likeliest first, of an encoder that has them."""
    shares = run.trace["text_logits"].softmax(-1)
    order = shares.argsort(descending=True).tolist()
    return [run.model.config.text_labels[i] for i in order], shares[order].tolist()


def last_vectors(run: Run) -> Array:
    """What an encoder makes of each token: (tokens, d_model)."""
    if "final_norm" in run.trace:
        return run.trace["final_norm"].numpy()
    return stream(run, "encoder", run.model.config.n_encoder_layers - 1)


def outcome(run: Run, count: int) -> Outcome:
    config = run.model.config
    if config.kind != "encoder":
        names, shares = next_tokens(run, count)
        return Outcome("Next token", f"of {run.trace.logits.shape[-1]:,}", names, shares)
    if config.text_labels:
        names, shares = classes(run)
        return Outcome("Class of the text", f"of {len(names)}", names[:count], shares[:count])
    last = last_vectors(run)
    return Outcome("Last vectors", f"{last.shape[0]} × {last.shape[1]}", vectors=last)


def closest_words(run: Run) -> tuple[str, str, float] | None:
    """The two different words whose last vectors have the largest cosine, and it. None with under two words.

    Words have four letters or more here: the short ones of English ("the", "and") are always close to each other.
    """
    import torch  # not loaded before a run is made

    from model.vectors.sentences import cosine_table

    names = labels(run, "encoder")
    words = [i for i, token in enumerate(run.trace.tokens) if token.text.strip().isalpha() and len(names[i]) > 3]
    cosines = cosine_table(torch.from_numpy(last_vectors(run)))  # (tokens, tokens)
    pairs = [(float(cosines[i, j]), i, j) for i in words for j in words if i < j and names[i] != names[j]]
    if not pairs:
        return None
    cosine, i, j = max(pairs)
    return names[i], names[j], cosine


def whole_map(run: Run, layers: dict[str, int], links: dict[str, str], count: int) -> Map:
    stacks = [stack_picture(run, stack, layers[stack]) for stack in run.model.config.stacks]
    return Map(stacks, outcome(run, count), links)


def table(run: Run) -> dict[str, list[str]]:
    """Every recorded tensor of the run, as columns: name, shape, meaning, and what its values are like."""
    rows: dict[str, list[str]] = {name: [] for name in ("Tensor", "Shape", "Meaning", "Least", "Mean", "Most")}
    for name, tensor in run.trace.tensors.items():
        finite = tensor[tensor.isfinite()]
        statistics = [number(float(value)) for value in (finite.min(), finite.mean(), finite.max())]
        shape = " × ".join(str(size) for size in tensor.shape)
        for column, value in zip(
            rows, (name, shape, describe(name, run.model.config.gated).meaning, *statistics), strict=True
        ):
            rows[column].append(value)
    return rows


def csv_bytes(columns: Mapping[str, Sequence[object]]) -> bytes:
    """Columns of equal length as CSV, by `viz.print.files.rows_csv`."""
    from viz.print.files import rows_csv  # it brings Matplotlib, which Home's first picture does not need

    return rows_csv([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def outcome_csv(run: Run, count: int = 100) -> bytes:
    """What came out, as a table: outcomes and their shares, or the last vectors."""
    result = outcome(run, count)
    if result.vectors is not None:
        tokens = {"token": labels(run, "encoder")}
        return csv_bytes(tokens | {f"{i}": column.tolist() for i, column in enumerate(result.vectors.T)})
    return csv_bytes({result.title: result.labels, "share": result.shares})


def tensors_npz(run: Run) -> bytes:
    """The recorded tensors under their names."""
    file = io.BytesIO()
    arrays: dict[str, Any] = {name: tensor.numpy() for name, tensor in run.trace.tensors.items()}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def snippet(run: Run) -> str:
    """Python that makes this run and prints what came out."""
    target = f", target={run.target!r}" if run.target else ""
    lines = [
        "from model import load",
        "",
        f"model = load({run.name!r})",
        f"trace = model.trace({run.text!r}{target})",
        "for name, tensor in trace.tensors.items():",
        "    print(name, tuple(tensor.shape))",
    ]
    if run.model.config.kind != "encoder":
        lines += [
            "likely = trace.logits[-1].softmax(-1).topk(5)",
            "for id, share in zip(likely.indices.tolist(), likely.values.tolist()):",
            "    print(model.output_tokenizer.token(id).text, round(share, 3))",
        ]
    return "\n".join(lines)
