"""The training of a real model, replayed: checkpoints that its authors published, with the reader's sentence."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.analysis import induction
from model.experiments import checkpoints
from model.numerals import file_size
from pages.adding import dialog, rights
from pages.learning.training_parts import player, published_run, replay
from pages.learning.training_parts.frames import Frame
from pages.learning.training_parts.published_run import KEEP, KEY
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.elements.model_text import show_text
from pages.shared.model_runs import job_pool, model_choice, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import bar_notes, state
from views.shared import quotes, sums
from views.shared.measure_words import compare_with_even
from viz.learning.published import likeliest_figure, sentence_loss_figure
from viz.learning.training import scores_figure
from viz.shared.sheet import grid_figure
from viz.shared.style import count_noun, isolate, markdown_text, number, percent
from viz.shared.tokens import words

if TYPE_CHECKING:
    from model import Card
    from model.adding.revisions import Revision
    from model.experiments.training_replay import Replay, View

STEPS = "training steps chosen"  # the widget of the key `training_checkpoints`
EXAMPLE = "EleutherAI/pythia-14m"
PROMPTS = (
    layout.Prompt(
        "A name that returns",
        "A sentence can be continued by copying. Watch its loss fall where the induction of the best head rises.",
        {"training_part": "published", "text": "When Mary and John went to the store, John gave a drink to Mary and"},
    ),
    layout.Prompt(
        "Before the first step",
        "Noise: every token is as likely as any other.",
        {"training_part": "published", "training_checkpoint": 0},
        claim=Claim(replay.ABOVE, "under", 1.2),
    ),
    layout.Prompt(
        "The small model that comes along",
        "The same turn in the training of a model that needs no download.",
        {"training_part": "replay", "training_of": "tiny-lm", "training_snapshot": 8, "training_layer": -1},
        claim=Claim(replay.SCORE, "over", 0.3),
        at="training scores",
    ),
)


def show(depth: str) -> None:
    if depth == "Code":
        _code()
    else:
        if depth == "Formula":
            _formula()
        _show_model(depth)
    # Without a model of the hub there is no run to look at: only the last prompt has something to show.
    layout.try_this(*(PROMPTS if published_run.models() else PROMPTS[-1:]))


def _show_model(depth: str) -> None:
    """The replay of the chosen model, or why there is none."""
    cards = published_run.models()
    if not cards:
        _say_no_model()
        return
    card = _choose_model(cards)
    listing = published_run.listing(card)
    if listing is None:
        st.info(
            f"Did the authors of {markdown_text(card.hub)} publish its training in steps? The hub is asked for "
            "the names of the steps alone.",
            icon=":material/history:",
        )
        _look_button(card, "Look for published steps")
        return
    if listing.fault:
        st.error(markdown_text(listing.fault), icon=":material/cloud_off:")
        _look_button(card, "Ask the hub again")
        return
    if not listing.revisions:
        st.info(
            f"{markdown_text(card.hub)} has no branches named step0, step1000 and so on, so its authors published no "
            f"checkpoints of its training there. {EXAMPLE} has 154.",
            icon=":material/history:",
        )
        _look_button(card, "Ask the hub again")
        return
    try:
        replayed = _replay(card, listing.revisions)
    except traces.errors() as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return
    published_run.start_if_asked(replayed)
    if depth == "Formula":
        _work_out_loss(replayed)
    else:
        published_run.watch(replayed, partial(_watch, replayed, depth == "Numbers"))


def _say_no_model() -> None:
    bar_notes.say_nothing_taken("It replays language models that were added from the hub.")
    st.info(
        f"This needs a language model of the hub whose authors published its training in steps, such as {EXAMPLE} "
        "(154 steps). No such model has been added here. Its steps are then fetched one at a time, measured with "
        "your sentence, and removed.",
        icon=":material/history:",
    )
    if not rights.is_off():
        st.button("Add a model", icon=":material/add:", on_click=dialog.open_dialog)


def _look_button(card: Card, label: str) -> None:
    st.button(label, icon=":material/search:", on_click=published_run.look, args=(card.hub,))


def _choose_model(cards: list[Card]) -> Card:
    by_name = {card.name: card for card in cards}
    name = state.checked_choice("training_published", ("", *by_name), "Model", "") or cards[0].name
    if len(cards) > 1:
        if state.get("training_published") != name:
            state.put(training_published=name)
        st.selectbox("Model", tuple(by_name), key="training_published", format_func=lambda each: by_name[each].title)
    return by_name[name]


def _replay(card: Card, revisions: tuple[Revision, ...]) -> Replay:
    """The replay of the reader's sentence over the chosen steps. Raises `model.GlassformerError`."""
    model_choice.say_other_models([card.name], "its published checkpoints are replayed")
    text = traces.fitting_sentence(card.name)
    taken = published_run.chosen(revisions)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state[STEPS] = [each.step for each in taken]
        st.multiselect(
            f"Steps, of {len(revisions):,} that were published", [each.step for each in revisions], key=STEPS,
            format_func=lambda step: f"{step:,}", on_change=_take_steps, args=(revisions,), width="stretch",
        )  # fmt: skip
        st.toggle(
            "Keep the files", key=KEEP,
            help="Off: the weights of a step are removed once they are measured. On: they stay, so another sentence "
            "needs no download.",
        )  # fmt: skip
        _look_button(card, "Look again")
    return published_run.current(card.name, taken, text)


def _take_steps(revisions: tuple[Revision, ...]) -> None:
    from model.adding.revisions import choose_revisions

    steps = tuple(sorted(st.session_state[STEPS]))
    usual = tuple(each.step for each in choose_revisions(revisions))
    state.put(training_checkpoints=() if steps == usual else steps, training_checkpoint=-1)


def _watch(replayed: Replay, numbers: bool, working: bool) -> None:
    view = replayed.view()
    with st.container():  # reserved: what stands below stays in its place
        _buttons(replayed, view, working)
        _say_state(replayed, view, working)
    if view.measures:
        _view(replayed, view, numbers, working)
    state.finish()


def _buttons(replayed: Replay, view: View, working: bool) -> None:
    if working:
        st.button("Stop", icon=":material/stop:", on_click=published_run.stop, args=(replayed,))
    elif not view.over:
        left = len(replayed.missing())
        st.button(
            f"Fetch and measure {count_noun(left, 'step')}", icon=":material/download:", type="primary",
            on_click=published_run.start, args=(replayed,),
        )  # fmt: skip
    kept = published_run.kept_steps(replayed.repository)
    if kept and not working and rights.may_remove():
        st.button(
            f"Remove the kept files of {count_noun(kept, 'step')}", icon=":material/delete:", type="tertiary",
            on_click=published_run.remove_kept, args=(replayed.repository,),
        )  # fmt: skip


def _say_state(replayed: Replay, view: View, working: bool) -> None:
    """How far it is, or why it is no further."""
    total = len(replayed.revisions)
    done = len(view.measures) + len(view.left_out)
    if working:
        ahead = job_pool.pool().count_ahead(replayed)
        doing = f"Step {view.step:,}: {view.doing}" if view.step is not None else "Waiting for its turn"
        st.progress((done + view.share) / total if not ahead else 0.0, text=f"{done} of {total} steps. {doing}")
    elif refused := of_session(published_run.PublishedSession).refused:
        st.error(markdown_text(refused), icon=":material/lock:")
    elif view.fault:
        st.error(markdown_text(view.fault), icon=":material/error:")
    elif not view.over:
        layout.caption(f"{done} of {total} steps are measured. {_say_downloads(replayed, view)}")
    for step, reason in view.left_out.items():
        st.info(f"Step {step:,} is left out. {markdown_text(reason)}", icon=":material/block:")
    for steps in view.same_files:
        listed = ", ".join(f"{step:,}" for step in steps)
        st.info(f"The hub has the very same weights under the steps {listed}.", icon=":material/content_copy:")


def _say_downloads(replayed: Replay, view: View) -> str:
    """What the missing steps cost."""
    count = replayed.count_downloads()
    if not count:
        return "The files of the others are here, so nothing is downloaded."
    size = view.bytes_each or traces.model(replayed.name, whole=True).card.size
    where = "They stay" if replayed.keep else "One at a time is"
    return (
        f"To download: {count} times about {file_size(size)}, {file_size(count * size)} in all. {where} on the "
        "disk of the machine where the app runs. The work goes on while you look at this page; what was measured stays."
    )


def _view(replayed: Replay, view: View, numbers: bool, working: bool) -> None:
    steps = list(view.measures)
    last = len(steps) - 1
    if not working:
        if state.get(KEY) == -1:
            state.put(**{KEY: last})
        player.advance(KEY, last)
    place = state.get(KEY)
    is_to_come = place > last and not view.over  # of a link: until it is measured, the last one is shown
    shown = last if place < 0 or is_to_come else state.checked_number(KEY, 0, last, "Checkpoint")
    if not working and not is_to_come:
        player.show(KEY, steps)
    step, measures = steps[shown], view.measures[steps[shown]]
    scores = np.stack([each.induction for each in view.measures.values()])  # (steps, layers, heads)
    left, right = st.columns(2, gap="large")
    with left:
        _scores(replayed, steps, shown, scores, numbers)
    with right:
        _loss(replayed, view.measures, step, numbers)
    _answer(replayed, view.measures, step, numbers)
    _heads(replayed, step, measures, _layer(scores, working), numbers)


def _scores(replayed: Replay, steps: list[int], shown: int, scores: NDArray[np.float32], numbers: bool) -> None:
    layer, head = (int(place) for place in np.unravel_index(int(scores[-1].argmax()), scores.shape[1:]))
    figure = scores_figure(steps, scores, steps[shown], (layer, head), "induction", state.theme())
    rows = partial(replay.score_rows, steps, scores)
    figures.show_or_list(numbers, figure, f"Induction of every head over training, marked at step {steps[shown]}", rows)
    line = scores[:, layer, head]
    text = (
        f"Induction on random tokens that repeat. The best head at step {steps[-1]:,} is head {head} of layer {layer}, "
        f"with {percent(float(line[-1]))}."
    )
    if shown < len(steps) - 1:
        text += f" At step {steps[shown]:,} it has **{percent(float(line[shown]))}**."
    if len(steps) > 1:
        jump = int(np.diff(line).argmax())
        text += (
            f" It grows most between steps {steps[jump]:,} and {steps[jump + 1]:,}, from {percent(float(line[jump]))} "
            f"to {percent(float(line[jump + 1]))}."
        )
    layout.caption(text)
    figures.export(f"{_slug(replayed)}-induction", figure, rows, scores=scores)


def _loss(replayed: Replay, measures: dict[int, checkpoints.Measures], step: int, numbers: bool) -> None:
    losses = {each: found.loss for each, found in measures.items()}
    if not len(measures[step].losses):
        layout.caption("A sentence of one token has no loss: no token comes before it.")
        return
    even = float(np.log(replayed.vocab_size))
    claims.tell(replay.ABOVE, losses[step] / even)
    figure = sentence_loss_figure(losses, step, even, state.theme())
    rows = partial(_loss_rows, replayed, measures)
    figures.show_or_list(numbers, figure, f"Loss of your sentence over training, marked at step {step}", rows)
    layout.caption(
        f"At step {step:,} a token of your sentence costs **{number(losses[step])}** nats on average; "
        f"{compare_with_even(losses[step], even)}"
    )
    figures.export(f"{_slug(replayed)}-loss", figure, rows)


def _loss_rows(replayed: Replay, measures: dict[int, checkpoints.Measures]) -> list[dict[str, Any]]:
    names = [f"{place} {word}" for place, word in enumerate(words(replayed.tokens))][1:]
    return [
        {"step": step, "mean": each.loss} | {name: float(loss) for name, loss in zip(names, each.losses, strict=True)}
        for step, each in measures.items()
    ]


def _answer(replayed: Replay, measured: dict[int, checkpoints.Measures], step: int, numbers: bool) -> None:
    """How the model goes on at this step, and the likeliest next tokens."""
    tokens = words(replayed.tokens_of(measured[step].next_ids.tolist()))
    shares = [float(share) for share in measured[step].next_shares]
    top = max(float(each.next_shares.max()) for each in measured.values())
    figure = likeliest_figure(tokens, shares, top, state.theme())
    rows = [{"next token": token, "probability": share} for token, share in zip(tokens, shares, strict=True)]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**What it makes of your sentence at step {step:,}**  \n{markdown_text(replayed.text)}")
        show_text("How it goes on", replayed.decode(measured[step].answer.tolist()))
    with right:
        figures.show_or_list(numbers, figure, f"The likeliest next tokens at step {step}", lambda: rows)
        figures.export(f"{_slug(replayed)}-next-{step}", figure, lambda: rows)


def _layer(scores: NDArray[np.float32], working: bool) -> int:
    """The layer whose heads are shown. While steps still come, another head may become the best, so none is fixed."""
    if not working or 0 <= state.get("training_layer") < scores.shape[1]:
        return replay.choose_layer(scores)
    return int(scores[-1].max(-1).argmax())


def _heads(replayed: Replay, step: int, measures: checkpoints.Measures, layer: int, numbers: bool) -> None:
    labels = tuple(words(replayed.tokens))[: measures.weights.shape[-1]]
    frame = Frame("", labels, labels, measures.weights)
    titles = [f"head {head}: {percent(float(score))}" for head, score in enumerate(measures.induction[layer])]
    shown = [isolate(label) for label in labels]
    figure = grid_figure(np.asarray(measures.weights[layer], np.float32), titles, shown, shown, state.theme())
    rows = partial(replay.weight_rows, frame, layer)
    figures.show_or_list(numbers, figure, f"Attention of the heads of layer {layer} at step {step}", rows)
    note = f" The first {len(labels)} tokens are drawn." if len(labels) < len(replayed.tokens) else ""
    layout.caption(
        "Self-attention on your sentence: rows are queries, columns keys. Above each head stands its induction." + note
    )
    figures.export(f"{_slug(replayed)}-heads-{step}", figure, rows, weights=measures.weights)


def _slug(replayed: Replay) -> str:
    return replayed.repository.partition("/")[2].lower().replace(".", "-")


def _work_out_loss(replayed: Replay) -> None:
    """The loss of each token of the sentence at the chosen step, and their mean."""
    measured = replayed.view().measures
    steps = list(measured)
    if not steps:
        layout.caption("No step has been measured with your sentence yet: begin it at the depth Picture.")
        return
    place = state.get(KEY)
    step = steps[place if 0 <= place < len(steps) else -1]
    losses = [float(loss) for loss in measured[step].losses]
    if losses:
        layout.work_out(
            f"The {len(losses)} tokens of your sentence that had one before them, after {step:,} steps of training:",
            rf"L = \frac{{{sums.plus(losses, quotes.tex)}}}{{{len(losses)}}} = "
            f"{quotes.tex(sum(losses) / len(losses))}",
        )


def _formula() -> None:
    layout.equation(
        r"L = -\frac{1}{T-1} \sum_{t \geq 2} \ln p(x_t \mid x_{<t})",
        "Cross-entropy, in nats a token. Shamsi (2024), section 2.4; for p, slides, “Language Modelling Head”.",
        {"T": "the tokens of your sentence", "p": "the probability that the model gives to the token that is there"},
    )
    layout.equation(
        r"\mathrm{induction} = \frac{1}{n} \sum_{i=n}^{2n-1} A_{i,\,i-n+1}",
        "On n random tokens written twice: the weight on what followed the same token before. "
        "Olsson et al. (2022), arXiv:2209.11895.",
        {"A": "the weights of a head", "n": "the random tokens, 24 where the vocabulary has as many"},
    )
    layout.cite("The published steps: Biderman et al. (2023), arXiv:2304.01373.")


def _code() -> None:
    from model.adding.borrowing import borrow
    from model.adding.revisions import choose_revisions
    from model.experiments.training_replay import Replay

    layout.code(choose_revisions, borrow, checkpoints.measure, induction.induction, Replay)
