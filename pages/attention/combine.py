"""Concat and W_O: how the heads become one vector again, what each adds, and what is missing without it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from pages.shared import figures, layout, state, sums, traces
from pages.shared.head_on_screen import attention_titles, tokens_of
from pages.shared.model_text import show_text
from pages.shared.traces import Run
from viz.attention.combine import before_after_figure, parts_figure, sizes_figure, slices_figure
from viz.attention.masks import change_figure
from viz.shared.style import markdown_text, number, percent
from viz.shared.tokens import labels, words

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from model import Edit
    from model.analysis.head_steps import Attention

VIEWS = ("Side by side", "Each head's part", "Mute heads")
CANDIDATES = 8
PROMPTS = (
    layout.Prompt("Every head's share", "Some heads add much more than others.", {"combine_view": "Each head's part"}),
    layout.Prompt(
        "Silence one head",
        "The output changes by exactly that head's part.",
        {"combine_view": "Mute heads", "combine_muted": (0,), "combine_scope": "this layer"},
    ),
    layout.Prompt(
        "Silence it in every layer",
        "Now the prediction may change.",
        {"combine_view": "Mute heads", "combine_muted": (0, 1), "combine_scope": "every layer"},
    ),
)


@dataclass(frozen=True)
class CombineView:
    """One attention of one run, all heads of it."""

    run: Run
    at: Attention
    muted: tuple[int, ...]
    tokens: list[str]

    @property
    def heads(self) -> int:
        return self.run.model.config.n_heads


def main() -> None:
    depth = layout.begin("Concat and $W_O$", "The heads stand side by side, and one matrix makes them a vector again.")
    run = traces.current(keep=("*.heads", "*.concat", "*_attn.out"))
    shown = _shown(run)
    if depth == "Formula":
        _formula(shown)
    elif depth == "Code":
        _code()
    else:
        view = state.get("combine_view")
        {"Side by side": _side_by_side, "Each head's part": _parts, "Mute heads": _mute}[view](
            shown, depth == "Numbers"
        )
    layout.try_this(*PROMPTS)


def _shown(run: Run) -> CombineView:
    """The controls, and what they choose."""
    from model.analysis.head_steps import Attention

    config = run.model.config
    places = attention_titles(config)
    # The stack that writes is the one whose output the reader sees.
    place = state.among("combine_place", tuple(places), "Attention", next(reversed(places)))
    stack, part = place.split(".")
    layer = state.within("combine_layer", 0, config.n_layers(stack) - 1, "Layer")
    muted = tuple(head for head in state.get("combine_muted") if head < config.n_heads)
    state.put(combine_muted=muted)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "View", VIEWS, key="combine_view", required=True, label_visibility="collapsed", width="content"
        )
        if len(places) > 1:
            st.selectbox("Attention", tuple(places), key="combine_place", format_func=places.__getitem__, width=230)
        st.number_input("Layer", 0, config.n_layers(stack) - 1, key="combine_layer", width=118)
    queries = tokens_of(run, stack)
    return CombineView(run, Attention(stack, layer, part), muted, labels(queries))


def _side_by_side(shown: CombineView, numbers: bool) -> None:
    concat = shown.run.trace[f"{shown.at.path}.concat"]
    rows = partial(_concat_rows, shown.tokens, concat.numpy())
    figure = slices_figure(concat.numpy(), shown.tokens, shown.heads, theme=state.theme())
    figures.show_or_list(numbers, figure, f"The outputs of {shown.heads} heads side by side, one row a token", rows)
    width = shown.run.model.config.head_width
    layout.caption(
        f"Each band is a head: {shown.heads} heads × {width} features make {concat.shape[1]:,}, "
        f"which $W_O$ turns into the {shown.run.model.config.d_model:,} features of the residual stream."
    )
    figures.export(f"{shown.run.name}-concat", figure, rows, concat=concat.numpy())


def _parts(shown: CombineView, numbers: bool) -> None:
    from model.analysis.head_parts import head_parts
    from model.analysis.head_steps import module_of

    parts = head_parts(shown.run.model, shown.run.trace, shown.at)  # (heads, queries, d_model)
    out, bias = shown.run.trace[f"{shown.at.path}.out"], module_of(shown.run.model, shown.at).out.bias
    token = _token_picker(shown)
    sizes = parts.norm(dim=-1)  # (heads, queries)
    rows = [{"head": head, "size of its part": float(sizes[head, token])} for head in range(shown.heads)]
    own_bias = None if bias is None else bias.numpy()
    figure = parts_figure(parts[:, token].numpy(), out[token].numpy(), own_bias, theme=state.theme())
    figures.show_or_list(numbers, figure, f"What each head adds at {shown.tokens[token]}, and their sum", lambda: rows)
    figures.export(f"{shown.run.name}-parts", figure, lambda: rows, parts=parts.numpy(), out=out.numpy())
    if not numbers:
        _sizes(shown, sizes)
    total = parts.sum(0) + (0 if bias is None else bias)
    largest = int(sizes[:, token].argmax())
    layout.caption(
        f"At “{markdown_text(shown.tokens[token])}” head {largest} adds most ({number(float(sizes[largest, token]))}). "
        f"Over all tokens, the sum of the parts and the output of attention differ by at most "
        f"{number(float((total - out).abs().max()), 6)}."
    )


def _sizes(shown: CombineView, sizes: Tensor) -> None:
    """`sizes` (heads, queries)."""
    draw = partial(sizes_figure, sizes.numpy(), shown.tokens)
    figures.show(draw(theme=state.theme()), "Size of each head's part at each token")

    def rows() -> list[dict[str, Any]]:
        by_token = zip(shown.tokens, sizes.T.tolist(), strict=True)
        return [{"token": token, **{f"head {head}": size for head, size in enumerate(row)}} for token, row in by_token]

    figures.export(f"{shown.run.name}-sizes", draw, rows, sizes=sizes.numpy())


def _mute(shown: CombineView, numbers: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills("Heads to mute", tuple(range(shown.heads)), selection_mode="multi", key="combine_muted")
        st.segmented_control("Where", ("this layer", "every layer"), key="combine_scope", required=True)
    if not shown.muted:
        st.info("Choose the heads that should fall silent.")
        return
    from model import ablate

    every = state.get("combine_scope") == "every layer"
    edit = ablate(shown.at.every_layer if every else shown.at.path, shown.muted)
    heads = ", ".join(map(str, shown.muted))
    where = "every layer" if every else f"layer {shown.at.layer}"
    st.markdown(f"**Without head{'s' if len(shown.muted) > 1 else ''} {heads} in {where}**")
    concat = shown.run.trace[f"{shown.at.path}.concat"].numpy()
    draw = partial(slices_figure, concat, shown.tokens, shown.heads, shown.muted)
    if not numbers:
        alt = f"The outputs of {shown.heads} heads side by side, the muted ones veiled"
        figures.show(draw(theme=state.theme()), alt)
    below = st.container()  # filled last: what the muting does is the view's first picture
    if len(shown.muted) == shown.heads:
        layout.caption("All heads are muted: this attention adds nothing but its bias.")
    kind = shown.run.model.config.kind
    if kind == "encoder-decoder":
        _translations(shown, edit)
    elif kind == "decoder":
        _predictions(shown, edit, f"mute {edit.pattern} {heads}", numbers)
    else:
        _hidden_change(shown, edit, f"mute {edit.pattern} {heads}", numbers)
    with below:
        figures.export(
            f"{shown.run.name}-muted-heads", draw, partial(_concat_rows, shown.tokens, concat), concat=concat
        )


def _concat_rows(tokens: list[str], concat: NDArray[Any]) -> list[dict[str, Any]]:
    """One row a token, its features as columns."""
    by_token = zip(tokens, concat.tolist(), strict=True)
    return [{"token": token, **{str(n): value for n, value in enumerate(row)}} for token, row in by_token]


def _edited(shown: CombineView, edit: Edit, name: str, keep: str) -> tuple[Tensor, Tensor]:
    """One tensor before and after."""
    run = shown.run
    before = traces.trace(run.name, run.text, keep, target=run.target)[keep]
    after = traces.trace(run.name, run.text, keep, target=run.target, edits=(edit,), edits_name=name)[keep]
    return before, after


def _predictions(shown: CombineView, edit: Edit, name: str, numbers: bool) -> None:
    before, after = (logits[-1].softmax(-1) for logits in _edited(shown, edit, name, "logits"))
    likely = before.topk(CANDIDATES).indices.tolist()
    likely += [id for id in after.topk(3).indices.tolist() if id not in likely]
    tokens = shown.run.model.tokenizer.tokens(likely)
    whole, muted = before[likely].tolist(), after[likely].tolist()
    rows = [{"token": t, "whole": b, "muted": a} for t, b, a in zip(labels(tokens), whole, muted, strict=True)]
    figure = before_after_figure(labels(tokens), whole, muted, state.theme())
    alt = "The next token's probabilities with all heads and with some muted"
    figures.show_or_list(numbers, figure, alt, lambda: rows)
    figures.export(f"{shown.run.name}-muted", figure, lambda: rows)
    first, then = (words(shown.run.model.tokenizer.tokens([int(p.argmax())]))[0] for p in (before, after))
    same = "still" if first == then else f"no longer “{markdown_text(first)}” but"
    layout.caption(f"The likeliest next token is {same} “{markdown_text(then)}”, {percent(float(after.max()))}.")


def _hidden_change(shown: CombineView, edit: Edit, name: str, numbers: bool) -> None:
    from torch.nn.functional import cosine_similarity

    from model.analysis.head_steps import final_name

    last = final_name(shown.run.model.config, "encoder")
    before, after = _edited(shown, edit, name, last)
    moved = (1 - cosine_similarity(before, after, dim=-1)).tolist()
    rows = [{"token": token, "1 − cosine": value} for token, value in zip(shown.tokens, moved, strict=True)]
    figure = change_figure(shown.tokens, np.array(moved), "1 − cosine", state.theme())
    figures.show_or_list(numbers, figure, "How far each token's last hidden state turned", lambda: rows)
    figures.export(f"{shown.run.name}-muted", figure, lambda: rows, before=before.numpy(), after=after.numpy())
    most = max(range(len(moved)), key=moved.__getitem__)
    layout.caption(
        f"How far each token's last hidden state turned. “{markdown_text(shown.tokens[most])}” moved most: "
        f"{number(moved[most])}. An encoder has no next token to predict."
    )


def _translations(shown: CombineView, edit: Edit) -> None:
    from model.experiments.surgery import edit_model

    model, text = shown.run.model, shown.run.text
    source = model.read(text)
    for column, name, each in zip(
        st.columns(2), ("All heads", "Muted"), (model, edit_model(model, edits=[edit])), strict=True
    ):
        with column, traces.forward_pass():
            ids = list(each.translate_ids(source))
            show_text(name, model.output_tokenizer.decode(ids))
    layout.caption("Both are greedy translations of the sentence in the sidebar.")


def _token_picker(shown: CombineView) -> int:
    last = len(shown.tokens) - 1
    token = last if state.get("combine_token") < 0 else state.within("combine_token", 0, last, "Token")
    state.put(combine_token=token)
    st.selectbox(
        "Token", range(last + 1), key="combine_token", format_func=lambda i: f"{i}  {shown.tokens[i]}", width=230
    )
    return token


def _formula(shown: CombineView) -> None:
    config = shown.run.model.config
    layout.equation(
        r"\mathrm{MHA}(X) = \mathrm{concat}(H_1, \dots, H_h)\, W_O",
        "Encoder notes, eq. 0.1.6; Palaskos (2022), eqs. 3.44-3.45; Bishop, ch. 12 slides, algorithm 2.",
        {
            "H_i": f"head $i$: ({len(shown.tokens)}, {config.head_width})",
            "W_O": f"({config.n_heads * config.head_width}, {config.d_model})",
        },
    )
    layout.equation(
        r"\mathrm{concat}(H_1, \dots, H_h)\, W_O = \sum_{i=1}^{h} H_i\, W_O^{(i)}",
        "A head meets only its own rows of $W_O$, so the output is a sum of one part a head.",
        {r"W_O^{(i)}": f"rows {config.head_width}$i$ to {config.head_width}$(i+1)-1$ of $W_O$"},
    )
    _worked(shown)


def _worked(shown: CombineView) -> None:
    """The token's largest feature of the output as the heads' parts of it."""
    from model.analysis.head_parts import head_parts
    from model.analysis.head_steps import module_of

    token = _token_picker(shown)
    out = shown.run.trace[f"{shown.at.path}.out"][token]  # (d_model,)
    feature = int(out.abs().argmax())
    parts = head_parts(shown.run.model, shown.run.trace, shown.at)[:, token, feature]  # (heads,)
    bias = module_of(shown.run.model, shown.at).out.bias
    terms = parts.tolist() + ([] if bias is None else [float(bias[feature])])
    last = "" if bias is None else ", and the bias"
    layout.work_out(
        f"Feature {feature} of the output at {layout.quote(shown.tokens[token])}, its largest: the parts of heads 0 to "
        f"{shown.heads - 1}{last}:",
        sums.total(terms),
    )


def _code() -> None:
    from model import ablate
    from model.analysis import head_parts
    from model.network.attention import MultiHeadAttention

    layout.code(MultiHeadAttention.forward, head_parts.head_parts, ablate)


main()
