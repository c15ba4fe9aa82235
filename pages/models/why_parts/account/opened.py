"""Why this word, one part of the account opened: a head by the tokens that it reads, a feed-forward by its neurons."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from model.analysis.head_steps import Attention
from model.analysis.neuron_parts import NeuronParts, Written, neuron_parts, written_tokens
from model.analysis.source_tokens import head_sources
from pages.models.why_parts.question import Question
from pages.shared.elements import figures, layout
from pages.shared.session import state, token_window
from views.shared import quotes, sums
from viz.home.layout.places import MapPlace, head_id
from viz.models.why import bars_figure, part_title, sources_figure
from viz.shared.style import markdown_text, number, upper_first
from viz.shared.tokens import words

LARGEST_ROUNDING = 1e-3  # of a sum, as a share of it where it is above 1
NEURONS, WRITTEN = 8, 5  # neurons that are shown, and tokens that each writes towards


def openable(asked: Question) -> list[str]:
    """The parts that have parts of their own."""
    return [name for name in asked.account.parts if ".heads." in name or name.endswith(".ffn")]


def read(asked: Question) -> str:
    """The part that the reader has opened, at first the largest one that opens."""
    names = openable(asked)
    largest = max(names, key=lambda name: abs(asked.account.parts[name]))
    return state.checked_choice("why_opened", names, "Part", largest) if state.get("why_opened") else largest


def take(name: str) -> None:
    """Opens a part, if it has parts."""
    if ".heads." in name or name.endswith(".ffn"):
        state.put(why_opened=name)


def show(asked: Question, name: str, numbers: bool) -> None:
    with st.container(key="why opened"):
        if name.endswith(".ffn"):
            _show_neurons(asked, name, numbers)
        else:
            _show_head(asked, name, numbers)


def work_out(asked: Question, name: str) -> None:
    """The opened part in numbers: a head's as the sum over its tokens, a feed-forward's as a product of vectors."""
    title = part_title(name)
    if name.endswith(".ffn"):
        out = asked.run.trace[f"{name}.out"][asked.account.position]  # (d_model,)
        layout.work_out(f"The part of {title}, its $x_c \\cdot r$:", sums.product(out, asked.account.directions[name]))
        return
    at, head = _head_of(name)
    sources = head_sources(asked.run.model, asked.run.trace, asked.account, at)[head]  # (keys,)
    layout.work_out(
        f"The part of {title} is a sum over the tokens that it reads, $A_{{qk}}\\, v_k W_O \\cdot r$:",
        sums.total(sources),
    )


def _head_of(name: str) -> tuple[Attention, int]:
    stack, layer, part, _, head = name.split(".")
    return Attention(stack, int(layer), part), int(head)


def _show_head(asked: Question, name: str, numbers: bool) -> None:
    """The part of a head by the tokens that it reads from."""
    at, head = _head_of(name)
    parts = head_sources(asked.run.model, asked.run.trace, asked.account, at)[head]  # (keys,)
    keys = words(asked.run.trace.source_tokens) if at.is_cross else asked.read
    total, best = asked.account.parts[name], int(parts.abs().argmax())
    rows = [{"token": key, "part": part} for key, part in zip(keys, parts.tolist(), strict=True)]
    title = part_title(name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{upper_first(title)}**, by the tokens that it reads", width="content")
        st.button(
            "On the map", key="why on the map", icon=":material/map:", type="tertiary", on_click=_go, args=(name,)
        )
        st.button(
            "In general", key="why in general", icon=":material/center_focus_strong:", type="tertiary",
            on_click=_generalise, args=(name,),
        )  # fmt: skip
    window = token_window.choose_if_long("why head", len(keys), at=best)
    figure = sources_figure(parts[window].numpy(), keys[window], state.theme(), axis=asked.number.part)
    figures.show_or_list(numbers, figure, f"What {title} gives from each token", lambda: rows)
    layout.caption(
        f"Weight × value × $W_O$ × direction, token by token. Most comes from {quotes.quote(keys[best], best)}, "
        f"{number(float(parts[best]))}. All sum to {_check(float(parts.sum()), total, 'head')}."
    )
    figures.export(f"{asked.run.name}-why-head", figure, lambda: rows, ("why opened",), parts=parts.numpy())


def _show_neurons(asked: Question, name: str, numbers: bool) -> None:
    """The part of a feed-forward by its neurons, and what the largest of them write."""
    model, title = asked.run.model, part_title(name)
    found = neuron_parts(model, asked.run.trace, asked.account, name)
    neurons = found.largest(NEURONS)
    written = written_tokens(model, asked.account, found, neurons, WRITTEN)
    bars = {f"neuron {n}": float(found.parts[n]) for n in neurons.tolist()}
    others = found.total - found.bias - sum(bars.values())
    rest = {f"the {len(found.parts) - len(neurons):,} others": others} | ({"bias": found.bias} if found.bias else {})
    st.markdown(f"**{upper_first(title)}**, by its neurons")
    rows = [_row(asked, found, each) for each in written]
    figure = bars_figure(bars | rest, asked.number.part, quiet=tuple(rest), theme=state.theme())
    if numbers:
        st.dataframe(rows, hide_index=True)
    else:
        picture, story = st.columns([2, 3], gap="medium")
        with picture:
            figures.show(figure, f"What the neurons of {title} give")
        with story:
            st.markdown("\n".join(_line(asked, each) for each in written))
    layout.caption(
        f"Neuron by neuron: activation × its column of $W_2$ × direction. All {len(found.parts):,} sum to "
        f"{_check(found.total, asked.account.parts[name], 'feed-forward')}. Beside each stand the "
        f"{'classes' if asked.of_class else 'tokens'} whose logits it raises most here."
    )
    figures.export(
        f"{asked.run.name}-why-neurons", figure, partial(list, rows), ("why opened",), parts=found.parts.numpy()
    )


def _check(summed: float, part: float, what: str) -> str:
    """A sum and the part that it should be. An edit of what a part adds as a whole belongs to nothing inside it."""
    if abs(summed - part) < LARGEST_ROUNDING * max(1.0, abs(part)):
        return f"{number(summed)}, the {what}'s part ({number(part)})"
    return f"{number(summed)}; an edit of the run makes it {number(part)}"


def _row(asked: Question, found: NeuronParts, written: Written) -> dict[str, Any]:
    return {
        "neuron": written.neuron,
        "activation": float(found.activated[written.neuron]),
        "part": float(found.parts[written.neuron]),
        "writes towards": " ".join(map(asked.word, written.ids.tolist())),
    }


def _line(asked: Question, written: Written) -> str:
    labels = map(asked.word, written.ids.tolist())
    named = ", ".join(
        f"**{markdown_text(label)}** :gray[{number(rise, 2)}]"
        for label, rise in zip(labels, written.rises.tolist(), strict=True)
    )
    return f"- neuron {written.neuron} writes {named}"


def _generalise(name: str) -> None:
    at, head = _head_of(name)
    state.put(why_part="head", attention=f"{at.stack}.{at.part}", layer=at.layer, head=head)


def _go(name: str) -> None:
    at, head = _head_of(name)
    state.go("home", home_at=str(MapPlace(head_id(at.stack, at.layer, at.part, head))), depth="Picture")
