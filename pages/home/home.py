"""Home: the live map of the present run, the model's prediction, a path through it, and a list of all pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.catalogue import PAGES, map_pages
from pages.components import mounts
from pages.home.home_parts import formula, map_data, path
from pages.home.home_parts.map_data import FramedHead
from pages.shared import figures, layout, muted_heads, places, stand_ins, state, traces
from pages.shared.head_on_screen import read_attention
from pages.shared.traces import Run
from viz.home.map import MAX_OUTCOMES, Map, StackData, pack_map
from viz.shared.style import Theme, count_noun, markdown_text, number, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from model.config import TransformerConfig

PROMPTS = (
    layout.Prompt(
        "End on a capital city",
        "Every picture on the map is drawn anew from this sentence.",
        {"text": "The capital of France is"},
    ),
    layout.Prompt(
        "A word with two senses",
        "“bank” has one embedding; the layers must tell the river's from the money's.",
        {"text": "I swam across the river to get to the other bank"},
    ),
    layout.Prompt(
        "Look at the first layer", "Its heads often look at neighbours, or spread out.", {"layer": 0, "head": -1}
    ),
)


def main() -> None:
    depth = layout.begin(
        "See a transformer think",
        "Every picture is your sentence, run through a real model. Press E to type it.",
    )
    everything = depth == "Numbers"
    run = traces.current(keep=lambda config: map_data.tensor_patterns(config, _layers(config), everything))
    layers = _layers(run.model.config)
    framed = _read_head(run, layers)
    if depth == "Formula":
        formula.show(run)
    elif depth == "Code":
        _code(run)
    elif depth == "Numbers":
        _numbers(run, layers, framed)
    else:
        _picture(run, layers, framed)
    path.show(run, layers, framed)
    _pages()
    layout.try_this(*PROMPTS)


def _layers(config: TransformerConfig) -> dict[str, int]:
    """The layer that each stack shows: the chosen one, or one a third of the way up."""
    deepest = max(config.n_layers(stack) for stack in config.stacks)
    layer = places.read_layer(deepest, usual=deepest // 3)
    return {stack: min(layer, config.n_layers(stack) - 1) for stack in config.stacks}


def _read_head(run: Run, layers: dict[str, int]) -> FramedHead:
    """The head that the map frames: the chosen one, or in each layer the one that tells most."""
    stack, part = _read_attention(run.model.config)
    usual = map_data.telling_head_of(run, stack, part, layers[stack])
    if stand_ins.choice_of("head") < 0:
        stand_ins.show_instead("head", usual)
    head = places.read_head_number(run.model.config.n_heads, usual, f"{stack}.{part}")
    return FramedHead(stack, part, head)


def _read_attention(config: TransformerConfig) -> tuple[str, str]:
    """The (stack, part) of the chosen kind of attention, or the self-attention of the stack that makes the output."""
    usual = (config.stacks[-1], "self_attn")
    return read_attention(config) if state.get("attention") else usual


def _picture(run: Run, layers: dict[str, int], framed: FramedHead) -> None:
    drawn = map_data.build_map(run, layers, _links(run.model.config.kind), MAX_OUTCOMES, framed)
    mounts.home_map(pack_map(drawn), key="home map", on_go=partial(_open_part, run.model.config.kind))
    st.markdown(_prediction(run))
    layout.caption(_caption(run, drawn.stacks, framed))
    figures.files(
        "glassformer-run",
        partial(_printed_map, run, drawn),
        CSV=partial(figures.make_csv, partial(map_data.outcome_rows, run)),
        NPZ=partial(figures.make_npz, run.trace.tensors),
    )


def _printed_map(run: Run, drawn: Map, theme: Theme = "light") -> Figure:
    # Matplotlib takes half a second to import. The first page of a fresh server need not wait for it.
    from viz.print import home_pictures

    return home_pictures.map_picture(drawn, f"{run.model.card.title}: “{run.text}”", theme=theme)


def _links(model_kind: str) -> dict[str, str]:
    """The parts of the map that lead to a page, each with the title of that page."""
    return {part: entry.title for part, entry in map_pages(model_kind).items()}


def _open_part(model_kind: str) -> None:
    """A part of the map was clicked. A layer is shown here. Another part opens its page at the same layer and head."""
    place = st.session_state["home map"]["go"]
    if place["part"] == "layer":
        state.put(layer=place["layer"])
        return
    values = {name: place[name] for name in ("layer", "head") if name in place}
    if "stack" in place:
        values["attention"] = f"{place['stack']}.{place.get('attention', 'self_attn')}"
    url = map_pages(model_kind)[place["part"]].url
    state.go(url, **{name: value for name, value in values.items() if url in state.KEYS[name].pages})


def _prediction(run: Run) -> str:
    """The model's prediction, in words."""
    title, count = markdown_text(run.model.card.title), len(run.trace.tokens)
    if run.model.config.kind == "encoder":
        return _encoder_answer(run, title)
    names, shares = map_data.rank_next_tokens(run, 2)
    likely, second = (layout.quote(_word(name)) for name in names)
    guesses = f"{likely} next, {percent(shares[0])}; its second guess is {second}, {percent(shares[1])}."
    if run.model.config.kind == "decoder":
        return f"After {count_noun(count, 'token')} {title} expects {guesses}"
    written = "".join(token.text for token in run.trace.tokens if not token.special).strip()
    read, written = markdown_text(run.text.strip()), markdown_text(written)
    return f"{title} reads “{read}” and writes **{written}**. Then it expects {guesses}"


def _encoder_answer(run: Run, title: str) -> str:
    if run.model.config.text_labels:
        names, shares = map_data.rank_classes(run)
        return f"{title} takes this text for **{markdown_text(names[0])}**, {percent(shares[0])}."
    pair = map_data.find_closest_words(run)
    sentence = f"{title} predicts no next word: it makes one vector for each token, from the whole sentence."
    if pair is None:
        return sentence
    first, second = (layout.quote(_word(name)) for name in pair[:2])
    return (
        f"{sentence} Of the different words in this one, {first} and {second} have the output vectors that are most "
        f"alike (cosine {number(pair[2], 2)})."
    )


def _caption(run: Run, stacks: Sequence[StackData], framed: FramedHead) -> str:
    """The strongest look in the framed head, in words."""
    config = run.model.config
    stack = next(each for each in stacks if each.stack == framed.stack)
    attention = next(each for each in stack.attentions if each.part == framed.part)
    is_cross = framed.part == "cross_attn"
    keys = stacks[0].tokens if is_cross else stack.tokens
    row = attention.weights[attention.framed][stack.query]
    key = map_data.telling_key(stack, attention)
    query = layout.quote(_word(stack.tokens[stack.query]), stack.query)
    looked_at = "itself" if key == stack.query and not is_cross else layout.quote(_word(keys[key]), key)
    rests = len(keys) > 2 and not is_cross
    advice = ": look past the first token, where heads rest, and the nearest ones" if rests else ""
    heads = sum(config.n_layers(each) for each in config.stacks) * config.n_heads
    return (
        f"Layer {stack.layer}'s head {attention.framed} (framed) is one of {heads}. In it, {query} gives "
        f"{looked_at} {percent(row[key])} of its attention{advice}. "
        "The purple line is the residual stream: every part reads from it and adds to it. "
        "In the embedding and the neurons, blue is above zero and orange below."
    )


def _word(label: str) -> str:
    """A token's label without the dot of its leading space."""
    return label.lstrip("·") or label


def _numbers(run: Run, layers: dict[str, int], framed: FramedHead) -> None:
    st.dataframe(map_data.tensor_rows(run, layers), hide_index=True, height=520)
    chosen = " and ".join(f"{stack}.{layer}" for stack, layer in layers.items())
    layout.caption(f"Every tensor of `{chosen}`, and of what stands before and after the layers, as recorded.")
    figures.files(
        "glassformer-run",
        lambda theme: _printed_map(run, map_data.build_map(run, layers, {}, MAX_OUTCOMES, framed), theme),
        CSV=partial(figures.make_csv, partial(map_data.tensor_rows, run, layers)),
        NPZ=partial(figures.make_npz, run.trace.tensors),
    )


def _code(run: Run) -> None:
    from model.network.block import Block
    from model.network.transformer import Embedding

    code = muted_heads.in_code(map_data.write_snippet(run), f"load({run.name!r})", run.muted)
    st.code(code, language="python", wrap_lines=True)
    layout.code(Embedding, Block, type(run.model.network))


def _pages() -> None:
    """Every other page with the question that it answers. The pages for newcomers come first."""
    st.subheader("What you can ask here", anchor=False, divider="gray")
    others = sorted((entry for entry in PAGES if entry.url != "home"), key=lambda entry: not entry.for_newcomers)
    for first in range(0, len(others), 3):  # row by row, so that a narrow screen keeps the order
        for column, entry in zip(st.columns(3), others[first : first + 3], strict=False):
            with column, st.container(gap=None):
                link = state.pages()[entry.url]
                st.page_link(link, label=f"**{entry.title}**", icon=":material/arrow_forward:")
                layout.caption(entry.question)


main()
