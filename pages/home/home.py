"""Home: the live map of the present run, the model's prediction, a path through it, and a list of all pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.catalogue import PAGES
from pages.home.home_parts import formula, map_data, path
from pages.home.home_parts.look import Look, read_look
from pages.home.home_parts.map_data import FramedHead
from pages.home.model_map import picture
from pages.home.model_map.places import take_place
from pages.shared.elements import claims, control_tokens, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import read_attention, usual_head, usual_layer
from pages.shared.session import places, state
from views.head_of_run import tokens_of
from views.run import Run
from views.shared import quotes, run_code
from viz.shared.style import count_noun, markdown_text, number, percent
from viz.shared.tensor_titles import path_title

if TYPE_CHECKING:
    from model.config import TransformerConfig

NEXT = "the likeliest next token"
CHOSEN = "the chosen word"
LAYER = "the layer"
PROMPTS = (
    layout.Prompt(
        "End on a capital city",
        "Every number on the map is worked out anew from this sentence: now it expects “Paris”.",
        {"text": "The capital of France is"},
        claim=Claim(NEXT, "is", "Paris"),
        at="home map",
    ),
    layout.Prompt(
        "A word with two senses",
        "“bank” has one embedding; the layers must tell the river's from the money's.",
        {"text": "I swam across the river to get to the other bank"},
        claim=Claim(CHOSEN, "is", "bank"),
        at="home map",
    ),
    layout.Prompt(
        "Look at the first layer",
        "Its heads often look at neighbours, or spread out.",
        {"layer": 0, "head": -1},
        claim=Claim(LAYER, "is", 0),
        at="home map",
    ),
)

LINKS_IN_A_ROW = 4


def main() -> None:
    depth = layout.begin(
        "See a transformer think",
        "Every picture is your sentence, run through a real model.",
    )
    everything = depth == "Numbers"
    run = traces.current(keep=lambda config: _tensors(config, everything))
    layers = _layers(run.model.config)
    framed = _read_head(run, layers)
    look = read_look(run, layers, framed)
    _tell(run, look)
    if depth == "Formula":
        formula.show(run)
    elif depth == "Code":
        _code(run)
    elif depth == "Numbers":
        _numbers(run, layers)
    else:
        _picture(run, look)
    path.show(run, look)
    _pages()
    layout.try_this(*PROMPTS)


def _tell(run: Run, look: Look) -> None:
    """What the prompts claim of the run."""
    claims.tell(LAYER, look.layer)
    claims.tell(CHOSEN, look.queries[look.query])
    if run.model.config.kind == "decoder":
        claims.tell(NEXT, map_data.bare(map_data.rank_next_tokens(run, 1)[0][0]))


def _tensors(config: TransformerConfig, everything: bool) -> tuple[str, ...]:
    """The tensors that the page needs. The place of a link may choose the layer, so it is taken first."""
    take_place(config)
    return map_data.tensor_patterns(config, _layers(config), everything)


def _layers(config: TransformerConfig) -> dict[str, int]:
    """The layer that each stack shows: the chosen one, or the usual one."""
    deepest = max(config.n_layers(stack) for stack in config.stacks)
    layer = places.read_layer(deepest, usual_layer(config))
    return {stack: min(layer, config.n_layers(stack) - 1) for stack in config.stacks}


def _read_head(run: Run, layers: dict[str, int]) -> FramedHead:
    """The head that the map frames: the chosen one, or the one that tells most in this layer."""
    stack, part = _read_attention(run.model.config)
    usual = usual_head(run, stack, part, layers[stack])
    head = places.read_head_number(run.model.config.n_heads, usual, f"{stack}.{part}")
    return FramedHead(stack, part, head)


def _read_attention(config: TransformerConfig) -> tuple[str, str]:
    """The (stack, part) of the chosen kind of attention, or the self-attention of the stack that makes the output."""
    usual = (config.stacks[-1], "self_attn")
    return read_attention(config) if state.get("attention") else usual


def _picture(run: Run, look: Look) -> None:
    offer_files = picture.show(run, look)
    st.markdown(_prediction(run, look))
    layout.caption(_caption(run, look))
    control_tokens.explain_names(_named(run, look))
    offer_files(
        CSV=partial(figures.make_csv, partial(map_data.outcome_rows, run)),
        NPZ=partial(figures.make_npz, run.trace.tensors),
    )


def _prediction(run: Run, look: Look) -> str:
    """The model's prediction, in words: that after the sentence, and of a decoder that after the chosen token."""
    title, count = markdown_text(run.model.card.title), len(run.trace.tokens)
    if run.model.config.kind == "encoder":
        return _encoder_answer(run, title)
    names, shares = map_data.rank_next_tokens(run, 2)
    likely, second = (quotes.quote(map_data.bare(name)) for name in names)
    guesses = f"{likely} next, {percent(shares[0])}; its second guess is {second}, {percent(shares[1])}."
    if run.model.config.kind == "decoder":
        return f"After {count_noun(count, 'token')} {title} expects {guesses}{_earlier_prediction(run, look)}"
    read, written = markdown_text(run.text.strip()), markdown_text(map_data.written_text(run))
    return f"{title} reads “{read}” and writes **{written}**. Then it expects {guesses}"


def _earlier_prediction(run: Run, look: Look) -> str:
    """What a decoder expects after the chosen token, in words; "" for the last one. It has read no later token."""
    if look.query == len(run.trace.tokens) - 1:
        return ""
    names, shares = map_data.rank_next_tokens(run, 1, look.query)
    likely = quotes.quote(map_data.bare(names[0]))
    return f" At {look.query_chip} it has read no further and expects {likely}, {percent(shares[0])}."


def _named(run: Run, look: Look) -> list[str]:
    """The tokens that the text names: the chosen one, and those that the model expects."""
    chosen = tokens_of(run, look.stack)[look.query]
    expected = [] if run.model.config.kind == "encoder" else map_data.rank_next_tokens(run, 2)[0]
    return [*([chosen.text] if chosen.special else []), *expected]


def _encoder_answer(run: Run, title: str) -> str:
    if run.model.config.masked_words:
        names, shares = map_data.rank_words(run, 2)
        likely, second = (quotes.quote(map_data.bare(name)) for name in names)
        place = quotes.quote(map_data.place_of_word(run))
        return (
            f"At {place} {title} finds {likely} the likeliest word, {percent(shares[0])}; its second guess is "
            f"{second}, {percent(shares[1])}."
        )
    if run.model.config.text_labels:
        names, shares = map_data.rank_classes(run)
        return f"{title} takes this text for **{markdown_text(names[0])}**, {percent(shares[0])}."
    pair = map_data.find_closest_words(run)
    sentence = f"{title} predicts no next word: it makes one vector for each token, from the whole sentence."
    if pair is None:
        return sentence
    first, second = (quotes.quote(map_data.bare(name)) for name in pair[:2])
    return (
        f"{sentence} Of the different words in this one, {first} and {second} have the output vectors that are most "
        f"alike (cosine {number(pair[2], 2)})."
    )


def _caption(run: Run, look: Look) -> str:
    """The strongest look in the framed head, in words."""
    config = run.model.config
    rests = len(look.keys) > 2 and look.part == "self_attn"
    advice = ": look past the first token, where heads rest, and the nearest ones" if rests else ""
    heads = sum(config.n_layers(each) for each in config.stacks) * config.n_heads
    return (
        f"Layer {look.layer}'s head {look.head} (framed) is one of {heads}. In it, {look.query_chip} gives "
        f"{look.target} {percent(float(look.row[look.key]))} of its attention{advice}. "
        "The purple line is the residual stream: every part reads from it and adds to it. "
        "In the embedding and the neurons, blue is above zero and orange below."
    )


def _numbers(run: Run, layers: dict[str, int]) -> None:
    st.dataframe(map_data.tensor_rows(run, layers), hide_index=True, height=520)
    chosen = " and ".join(path_title(f"{stack}.{layer}", len(layers) > 1) for stack, layer in layers.items())
    layout.caption(f"Every tensor of {chosen}, and of what stands before and after the layers, as recorded.")
    figures.files(
        "glassformer-run",
        picture.draw_whole(run),
        CSV=partial(figures.make_csv, partial(map_data.tensor_rows, run, layers)),
        NPZ=partial(figures.make_npz, run.trace.tensors),
    )


def _code(run: Run) -> None:
    from model.network.block import Block
    from model.network.embedding import Embedding

    code = run_code.as_run(run, map_data.write_snippet(run))
    st.code(code, language="python", wrap_lines=True)
    layout.code(Embedding, Block, type(run.model.network))


def _pages() -> None:
    """Every other page, with its question where the pointer rests. The pages for newcomers come first."""
    st.subheader("What you can ask here", anchor=False, divider="gray")
    listed = (entry for entry in PAGES if entry.url != "home" and not entry.is_hidden)
    others = sorted(listed, key=lambda entry: not entry.for_newcomers)
    for first in range(0, len(others), LINKS_IN_A_ROW):  # row by row, so that a narrow screen keeps the order
        for column, entry in zip(st.columns(LINKS_IN_A_ROW), others[first : first + LINKS_IN_A_ROW], strict=False):
            with column:
                link = state.pages()[entry.url]
                st.page_link(link, label=entry.title, icon=":material/arrow_forward:", help=entry.question)


main()
