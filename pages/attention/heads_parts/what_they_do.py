"""What heads do: measures of every head, attention rollout, and what is lost when each head is taken away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st
import torch
from numpy.typing import NDArray
from torch import Tensor

from pages.attention.heads_parts.heads_view import HeadsView, attentions, name_of
from pages.shared import figures, layout, measurements, state, traces
from pages.shared.sidebar import EXAMPLES
from viz.attention.head_work import harm_figure, maps_figure
from viz.attention.heads import weights_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import isolate, markdown_text, number, percent

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from model.experiments.head_ablation import AblationSweep, Harm

PARTS = {"measures": "Measures", "rollout": "Rollout", "sweep": "Take each away"}
KEPT_SWEEPS = 12


@dataclass(frozen=True)
class Measure:
    """A number for every head (layers, heads), with its definition. `top` ends its scale; None: its largest value."""

    name: str
    meaning: str
    values: NDArray[Any]
    top: float | None = 1.0
    unit: str = ""

    @property
    def strongest(self) -> tuple[int, int]:
        layer, head = np.unravel_index(int(self.values.argmax()), self.values.shape)
        return int(layer), int(head)


def show(shown: HeadsView, depth: str) -> None:
    st.segmented_control(
        "What is measured", tuple(PARTS), key="heads_work", format_func=PARTS.__getitem__, required=True,
        label_visibility="collapsed",
    )  # fmt: skip
    part = state.get("heads_work")
    if depth == "Formula":
        _formula(part)
    elif depth == "Code":
        _code(part)
    else:
        {"measures": _measures, "rollout": _rollout, "sweep": _sweep}[part](shown, depth == "Numbers")


def _formula(part: str) -> None:
    if part == "measures":
        layout.equation(
            r"\mathrm{previous} = \frac{1}{T-1} \sum_{i \geq 1} A_{i,\,i-1}, \qquad "
            r"\mathrm{first} = \frac{1}{T-1} \sum_{i \geq 1} A_{i,0}, \qquad H = -\sum_j A_{ij} \log_2 A_{ij}",
            "Means over the queries after the first, which can only look at itself.",
        )
        layout.equation(
            r"\mathrm{induction} = \frac{1}{n} \sum_{i=n}^{2n-1} A_{i,\,i-n+1}",
            "On n random tokens written twice: the weight on what followed the same token before. "
            "Olsson et al. (2022), arXiv:2209.11895.",
        )
    elif part == "rollout":
        layout.equation(
            r"R = \prod_{l} \tfrac{1}{2}\left(\bar A_l + I\right)",
            "The later layer on the left. Abnar and Zuidema (2020), arXiv:2005.00928, section 3.",
            {r"\bar A_l": "the mean of the layer's heads", "I": "stands for the residual connection"},
        )
    else:
        layout.equation(
            r"\Delta_{l,h} = \mathrm{loss}(H_{l,h} := 0) - \mathrm{loss}",
            "Michel et al. (2019), arXiv:1905.10650, section 3. For an encoder: 1 - cosine of the sentence's vector.",
        )


def _code(part: str) -> None:
    from model.analysis import head_measures, induction, rollout
    from model.experiments.head_ablation import AblationSweep

    sources: dict[str, tuple[Any, ...]] = {
        "measures": (head_measures, induction),
        "rollout": (rollout.rollout,),
        "sweep": (AblationSweep,),
    }
    layout.code(*sources[part])


def _measures(shown: HeadsView, numbers: bool) -> None:
    found = _measured(shown)
    maps = {each.name: each.values for each in found}
    tops = {each.name: each.top or float(each.values.max()) or 1.0 for each in found}
    figure = maps_figure(maps, tops, state.theme())
    if numbers:
        st.dataframe(_table(found), hide_index=True)
    else:
        alt = describe_figure("Every measure of every head, as layers by heads", figure)
        figures.chart(figure, key="heads measures", alt=alt)
    told = []
    for each in found:
        layer, head = each.strongest
        highest = float(each.values[layer, head])
        found_at = f"Highest: layer {layer}, head {head}, {number(highest, 2)}{each.unit}."
        told.append(f"- **{each.name}**: {each.meaning}. {found_at if highest else '0 in every head here.'}")
    st.markdown("\n".join(told))
    if shown.cross:
        layout.caption("In cross-attention queries and keys are different sentences: the other measures mean nothing.")
    else:
        layout.caption("All but induction are of your sentence, averaged over its tokens after the first.")
    figures.export(f"{shown.run.name}-heads", figure, lambda: _table(found).to_dict("records"), **maps)


def _measured(shown: HeadsView) -> list[Measure]:
    from model.analysis import head_measures
    from model.analysis.scores import entropy

    layers = [shown.run.trace[f"{shown.path(layer)}.weights"] for layer in range(shown.layers)]

    def by_layer(measure: Any) -> NDArray[Any]:
        return torch.stack([measure(weights) for weights in layers]).numpy()

    spread = Measure(
        "Entropy", "how spread a token's attention is, in bits: 0 on one key, $\\log_2 n$ evenly on n",
        by_layer(lambda weights: entropy(weights[..., min(1, weights.shape[-2] - 1) :, :]).mean(-1)),
        None, " bits",
    )  # fmt: skip
    first = Measure("First token", "share of attention on the first token", by_layer(head_measures.first_token))
    if shown.cross:
        return [spread, first]
    ids = [token.id for token in shown.queries]
    return [
        spread,
        Measure("Distance", "how many places away a token looks, on average, $\\sum_j A_{ij} |i - j|$",
                by_layer(head_measures.distance), None, " tokens"),
        Measure("Previous token", "share on the token before", by_layer(head_measures.previous_token)),
        Measure("Same token", "share on other places of the same token; 0 where none repeats",
                by_layer(lambda weights: head_measures.same_token(weights, ids))),
        first,
        _induction(shown),
    ]  # fmt: skip


def _induction(shown: HeadsView) -> Measure:
    """Of a run over random tokens that repeat, so that only repetition can help."""
    from model.analysis.induction import LENGTH, induction, repeated_tokens

    model, config = shown.run.model, shown.run.model.config
    encoder = shown.stack == "encoder"
    reader = model.tokenizer if encoder else model.output_tokenizer
    vocabulary = config.vocab_size if encoder else config.target_vocab_size or config.vocab_size
    length = min(LENGTH, config.max_length // 2)
    ids = tuple(repeated_tokens(reader, vocabulary, length).tolist())
    written: tuple[int, ...]
    source: tuple[int, ...]
    if config.kind != "encoder-decoder":
        written, source = ids, ()
    elif encoder:
        written, source = (model.output_tokenizer.sequence_start,), ids
    else:
        written, source = ids, tuple(token.id for token in shown.run.trace.source_tokens)
    trace = traces.trace_ids(shown.run.name, written, f"{shown.stack}.*.self_attn.weights", source)
    values = torch.stack([induction(trace[f"{shown.path(layer)}.weights"]) for layer in range(shown.layers)])
    meaning = (
        f"on {length} random tokens written twice (the same ones for every sentence), the mean share of a token of the "
        "second half on the token after its first place; Olsson et al. (2022), arXiv:2209.11895"
    )
    return Measure("Induction", meaning, values.numpy())


def _table(found: list[Measure]) -> pd.DataFrame:
    """One row a head."""
    layers, heads = found[0].values.shape
    rows = {"layer": np.repeat(np.arange(layers), heads), "head": np.tile(np.arange(heads), layers)}
    return pd.DataFrame(rows | {each.name + each.unit: each.values.ravel() for each in found})


def _rollout(shown: HeadsView, numbers: bool) -> None:
    from model.analysis.rollout import rollout

    if shown.cross:
        st.info("Rollout follows one sentence through all layers: choose a self-attention.")
        return
    rolled = rollout(shown.run.trace[f"{shown.path(layer)}.weights"] for layer in range(shown.layers)).numpy()
    names = [f"{i} {word}" for i, word in enumerate(shown.query_words)]
    table = pd.DataFrame(rolled, index=names, columns=names)
    figure = weights_figure(rolled, shown.query_words, shown.key_words, hidden=shown.hidden, theme=state.theme())
    if numbers:
        st.dataframe(table)
    else:
        figures.chart(figure, key="heads rollout", alt=describe_figure("Attention rollout", figure))
    rows = partial(figures.named_rows, table, "token")
    figures.export(f"{shown.run.name}-rollout", figure, rows, rollout=rolled)
    asked = shown.query if shown.query >= 0 else len(rolled) - 1
    others = rolled[asked].copy()
    others[asked] = 0
    source = int(others.argmax())
    layout.caption(
        f"Through all {shown.layers} layers, **{markdown_text(shown.query_words[asked])}** keeps "
        f"{percent(float(rolled[asked, asked]))} of itself and takes most from "
        f"**{isolate(markdown_text(shown.key_words[source]))}**, {percent(float(rolled[asked, source]))}."
    )
    st.latex(r"R = \tilde A_L \cdots \tilde A_2 \tilde A_1, \qquad \tilde A_l = \tfrac{1}{2}\,(\bar A_l + I)")
    layout.caption(
        "$\\bar A_l$ is the mean of the layer's heads; the $I$ stands for the residual connection. Abnar and Zuidema "
        "(2020), arXiv:2005.00928. It is rough: values, norms and feed-forward networks are left out, every head "
        "counts the same, and half of each token is taken to stay where it is, whatever the sizes are."
    )


def _sweep(shown: HeadsView, numbers: bool) -> None:
    run = shown.run
    kept: dict[Any, list[Harm]] = st.session_state.setdefault("_heads_sweeps", {})
    examples = state.get("heads_sweep") == "the examples"
    done = kept.setdefault((run.name, *(("the examples",) if examples else (run.text, run.target))), [])
    while len(kept) > KEPT_SWEEPS:
        kept.pop(next(iter(kept)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control("On", ("your sentence", "the examples"), key="heads_sweep", required=True)
        label = "Measure again" if done else "Take each head away"
        asked = measurements.measure_button(label, done, ":material/content_cut:")
        stop = st.empty()
    if asked and not _run_sweep(shown, done, stop):
        return
    if not done:
        st.info("Nothing has been measured yet: each head is removed alone, and the model run again.")
        return
    _show_sweep(shown, done, numbers)


def _run_sweep(shown: HeadsView, done: list[Harm], stop: DeltaGenerator) -> bool:
    """Appends as it goes, so that a stop in the middle keeps what is there. False where the text is too short."""
    from model.experiments.head_ablation import TooShort, mean_sweep

    try:
        sweeps = _sweeps(shown)
    except TooShort as error:
        st.warning(markdown_text(str(error)), icon=":material/info:")
        return False
    count, harms = len(sweeps[0].attentions), mean_sweep(sweeps)
    with measurements.watch(stop, "Removing heads") as bar:
        for attention in sweeps[0].attentions:
            bar.progress(len(done) / count, text=f"{len(done)} of {count} attentions: {attention}")
            with traces.forward_pass():
                done.append(next(harms))
    return True


def _sweeps(shown: HeadsView) -> list[AblationSweep]:
    """One for the reader's sentence, or one for each example sentence of the sidebar. Raises `TooShort`."""
    from model.experiments.head_ablation import AblationSweep
    from model.run import ids_of

    model = shown.run.model
    pairs = [(shown.run.trace.tokens, shown.run.trace.source_tokens)]
    if state.get("heads_sweep") == "the examples":
        runs = [traces.trace(shown.run.name, text, "*.resid_in") for text in EXAMPLES]
        pairs = [(each.tokens, each.source_tokens) for each in runs]
    return [
        AblationSweep(model.network, ids_of(tokens), ids_of(source) if source else None) for tokens, source in pairs
    ]


def _show_sweep(shown: HeadsView, done: list[Harm], numbers: bool) -> None:
    config = shown.run.model.config
    measure = "change of the sentence's vector, 1 − cosine" if config.kind == "encoder" else "rise of the loss, in nats"
    maps = _harm_maps(shown, done)
    rows = [
        {"attention": harm.attention, "head": head, measure: rise}
        for harm in done
        for head, rise in enumerate(harm.rise.tolist())
    ]
    figure = harm_figure(maps, state.theme())
    figures.show_or_list(numbers, figure, f"Each head removed: {measure}", lambda: rows)
    wanted = sum(len(values) for values in maps.values())
    if len(done) < wanted:
        layout.caption(f"**Partial**: stopped after {len(done)} of {wanted} attentions; the others are grey.")
    rises = torch.stack([harm.rise for harm in done])
    layout.caption(_about_sweep(done, rises, measure, config.kind == "encoder"))
    figures.export(f"{shown.run.name}-sweep", figure, lambda: rows, rises=rises.numpy())


def _about_sweep(done: list[Harm], rises: Tensor, measure: str, encoder: bool) -> str:
    place, head = divmod(int(rises.argmax()), rises.shape[1])
    told = (
        f"Colour: {measure}, on {state.get('heads_sweep')}, with one head removed. Most is lost without head {head} of "
        f"`{done[place].attention}`: {number(float(rises.max()))}."
    )
    if not encoder:
        told += f" {int((rises < 0).sum())} of {rises.numel()} heads even did harm here: without them the loss falls."
    return told + " Michel et al. (2019), arXiv:1905.10650."


def _harm_maps(shown: HeadsView, done: list[Harm]) -> dict[str, NDArray[Any]]:
    """A map (layers, heads) for every attention of the model, NaN where nothing is known yet."""
    config = shown.run.model.config
    known = {harm.attention: harm.rise.numpy() for harm in done}
    maps = {}
    for stack, part in attentions(config):
        empty = np.full(config.n_heads, np.nan, np.float32)
        rows = [known.get(f"{stack}.{layer}.{part}", empty) for layer in range(config.n_layers(stack))]
        maps[name_of(stack, part, config)] = np.stack(rows)
    return maps
