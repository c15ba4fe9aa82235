"""From the last hidden state to the next token in five equations, each with the numbers of the step at the playhead."""

from __future__ import annotations

import math
from typing import Any

from torch import Tensor

from model.analysis.head_steps import final_name
from model.analysis.logit_lens import lens_logits, lens_names
from model.generation.sampling import ranking, stages
from model.graph.explain import explain
from views.models.predict.continuation import Playhead
from views.shared import quotes, sums
from views.view import equation, grey, work_out
from viz.models.predict import layer_name
from viz.shared.style import percent
from viz.shared.tokens import words

COLDEST_WORKED_OUT = 1e-6  # Logits that are divided by less leave the numbers that can be written.


def work_out_step(now: Playhead) -> list[Any]:
    """The logit, the temperature, the filters, the surprise and the lens, of the chosen token or the likeliest one."""
    path = now.written.path
    id = path[now.step] if now.step < len(path) else int(now.logits.argmax())
    name = quotes.quote(words(now.written.run.model.tokenizer.tokens([id]))[0])
    chosen = "was chosen" if now.step < len(path) else "is the likeliest"
    return [
        *grey(f"The numbers are those of step {now.step + 1}, at which {name} {chosen}."),
        *_logit(now, id, name),
        *_temperature(now, id, name),
        *_filters(now, id, name),
        *_surprise(now, id, name),
        *_lens(now, id, name),
    ]


def _logit(now: Playhead, id: int, name: str) -> list[Any]:
    run, config = now.written.run, now.written.config
    head = equation(
        r"u = h\,E^\top, \qquad p(x_t \mid x_{<t}) = \mathrm{softmax}(u)",
        "Slides, “Language Modelling Head”",
        {
            "h": f"the last layer's output at the last token, {config.d_model} numbers",
            "E": f"the embedding table, {config.vocab_size:,} × {config.token_width}",
            "u": f"the logits, {config.vocab_size:,} numbers",
        },
    )
    trace = run.of_tokens(now.written.ids, final_name(config, "decoder"))
    made = explain(trace.with_network(run.model.network), "logits", (now.query, id))  # cached traces hold no model
    return [*head, *work_out(f"The logit of {name}:", f"u = {sums.explained(made)}")]


def _temperature(now: Playhead, id: int, name: str) -> list[Any]:
    temperature = now.sampling.temperature
    head = equation(
        r"p_i = \frac{e^{u_i / \tau}}{\sum_j e^{u_j / \tau}}",
        "Holtzman et al. (2020), arXiv:1904.09751, section 3",
        {r"\tau": f"the temperature, now {temperature:g}; towards 0 the likeliest takes all"},
    )
    ordered, rank = _sort_falling(now.logits, id)
    if temperature >= COLDEST_WORKED_OUT:
        worked = work_out(
            f"{name} at τ = {temperature:g}, over all tokens from the likeliest on:",
            f"p = {sums.softmax(ordered, rank, temperature)}",
        )
    else:
        worked = work_out(
            f"At τ = {temperature:g} the likeliest token is taken. At τ = 1, as the model was trained, {name} has, "
            "over all tokens from the likeliest on:",
            f"p = {sums.softmax(ordered, rank)}",
        )
    return [*head, *worked]


def _filters(now: Playhead, id: int, name: str) -> list[Any]:
    head = equation(
        r"p'_i = \frac{p_i}{\sum_{j \in V'} p_j} \text{ for } i \in V', \quad \text{else } 0",
        "Fan et al. (2018) for top-k; Holtzman et al. (2020), eqs. 2-3 for top-p; Nguyen et al. (2024) for min-p",
        {
            "V'": "first the k likeliest tokens, then the fewest of the likeliest that together reach p, then those "
            "with at least the share min-p of what the likeliest has",
        },
    )
    probabilities = stages(now.logits, now.sampling)
    if not probabilities.min_p[id]:
        return [*head, *grey(f"{name} is not in V' here: p' = 0.")]
    left, rank = _sort_falling(probabilities.temperature.where(probabilities.min_p > 0, 0.0), id)
    count = int((left > 0).sum())
    said = f"{name}, with {count:,} of {len(left):,} tokens in V':"
    return [*head, *work_out(said, f"p' = {sums.share(left[:count], rank)}")]


def _surprise(now: Playhead, id: int, name: str) -> list[Any]:
    head = equation(
        r"\mathrm{loss} = -\ln p(x_t \mid x_{<t}), \qquad \mathrm{bits} = \mathrm{loss} / \ln 2",
        "Surprise: Shannon (1948), section 6. Its mean is the loss of training: Shamsi (2024), section 2.4",
    )
    loss = -float(now.logits.log_softmax(-1)[id])
    nats, p = quotes.tex(loss), quotes.tex(math.exp(-loss), 5)
    worked = work_out(
        f"{name}, with the probability that the model itself gives it:",
        rf"-\ln {p} = {nats}, \qquad \frac{{{nats}}}{{\ln 2}} = {quotes.tex(loss / math.log(2))}",
    )
    return [*head, *worked]


def _lens(now: Playhead, id: int, name: str) -> list[Any]:
    run = now.written.run
    head = equation(
        r"p^{(l)} = \mathrm{softmax}\bigl(\mathrm{Norm}(x_l)\,E^\top\bigr)",
        "The logit lens: nostalgebraist (2020). The output layer reads the stream of layer l as if it were the last.",
        {"x_l": "the residual stream at the last token after layer l"},
    )
    names = lens_names(run.config)
    row = len(names) // 2
    hidden = run.of_tokens(now.written.ids, names)[names[row]][now.query]  # (d_model,)
    logits = lens_logits(run.model.network, hidden)
    worked = work_out(
        f"{name} half way up, {layer_name(row, len(names))}; the output gives it "
        f"{percent(float(now.logits.softmax(-1)[id]))}:",
        f"p = {sums.softmax(*_sort_falling(logits, id))}",
    )
    return [*head, *worked]


def _sort_falling(values: Tensor, id: int) -> tuple[Tensor, int]:
    """The values (V,) from the largest down, and the place of one token among them."""
    order = ranking(values)
    return values[order], int((order == id).nonzero()[0, 0])
