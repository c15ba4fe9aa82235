"""From the last hidden state to the next token in five equations, each with the numbers of the step at the playhead.

With the lens, the drift of the stream is the sixth.
"""

from __future__ import annotations

import math

from torch import Tensor

from model.analysis.head_steps import final_name
from model.analysis.logit_lens import lens_logits, lens_names
from model.generation.sampling import ranking, stages
from model.graph.explain import explain
from pages.models.predict_parts import drift, writing
from pages.models.predict_parts.writing import Continuation
from pages.shared.elements import layout
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.shared import quotes, sums
from viz.models.predict import layer_name
from viz.shared.style import percent
from viz.shared.tokens import words

COLDEST_WORKED_OUT = 1e-6  # Logits that are divided by less leave the numbers that can be written.


def show(written: Continuation) -> None:
    step = state.get("predict_step")
    id = written.path[step] if step < len(written.path) else int(written.logits[step].argmax())
    name = quotes.quote(words(written.run.model.tokenizer.tokens([id]))[0])
    chosen = "was chosen" if step < len(written.path) else "is the likeliest"
    layout.caption(f"The numbers are those of step {step + 1}, at which {name} {chosen}.")
    _logit(written, step, id, name)
    _temperature(written.logits[step], id, name)
    _filters(written.logits[step], id, name)
    _surprise(written.logits[step], id, name)
    _lens(written, step, id, name)
    if state.get("predict_view") == "lens":
        position = written.query(step)
        (read,) = words([written.trace.tokens[position]])
        drift.work_out(written, position, quotes.quote(read, position))


def _logit(written: Continuation, step: int, id: int, name: str) -> None:
    run, config = written.run, written.run.model.config
    layout.equation(
        r"u = h\,E^\top, \qquad p(x_t \mid x_{<t}) = \mathrm{softmax}(u)",
        "Slides, “Language Modelling Head”",
        {
            "h": f"the last layer's output at the last token, {config.d_model} numbers",
            "E": f"the embedding table, {config.vocab_size:,} × {config.token_width}",
            "u": f"the logits, {config.vocab_size:,} numbers",
        },
    )
    last = final_name(config, "decoder")
    trace = traces.trace_ids(run.model, written.ids, last).with_network(
        run.model.network
    )  # cached traces hold no model
    made = explain(trace, "logits", (written.query(step), id))
    layout.work_out(f"The logit of {name}:", f"u = {sums.explained(made)}")


def _temperature(logits: Tensor, id: int, name: str) -> None:
    temperature = state.get("predict_temperature")
    layout.equation(
        r"p_i = \frac{e^{u_i / \tau}}{\sum_j e^{u_j / \tau}}",
        "Holtzman et al. (2020), arXiv:1904.09751, section 3",
        {r"\tau": f"the temperature, now {temperature:g}; towards 0 the likeliest takes all"},
    )
    ordered, rank = _sort_falling(logits, id)
    if temperature >= COLDEST_WORKED_OUT:
        layout.work_out(
            f"{name} at τ = {temperature:g}, over all tokens from the likeliest on:",
            f"p = {sums.softmax(ordered, rank, temperature)}",
        )
    else:
        layout.work_out(
            f"At τ = {temperature:g} the likeliest token is taken. At τ = 1, as the model was trained, {name} has, "
            "over all tokens from the likeliest on:",
            f"p = {sums.softmax(ordered, rank)}",
        )


def _filters(logits: Tensor, id: int, name: str) -> None:
    layout.equation(
        r"p'_i = \frac{p_i}{\sum_{j \in V'} p_j} \text{ for } i \in V', \quad \text{else } 0",
        "Fan et al. (2018) for top-k; Holtzman et al. (2020), eqs. 2-3 for top-p; Nguyen et al. (2024) for min-p",
        {
            "V'": "first the k likeliest tokens, then the fewest of the likeliest that together reach p, then those "
            "with at least the share min-p of what the likeliest has",
        },
    )
    probabilities = stages(logits, writing.sampling())
    if not probabilities.min_p[id]:
        layout.caption(f"{name} is not in V' here: p' = 0.")
        return
    left, rank = _sort_falling(probabilities.temperature.where(probabilities.min_p > 0, 0.0), id)
    count = int((left > 0).sum())
    layout.work_out(f"{name}, with {count:,} of {len(left):,} tokens in V':", f"p' = {sums.share(left[:count], rank)}")


def _surprise(logits: Tensor, id: int, name: str) -> None:
    layout.equation(
        r"\mathrm{loss} = -\ln p(x_t \mid x_{<t}), \qquad \mathrm{bits} = \mathrm{loss} / \ln 2",
        "Surprise: Shannon (1948), section 6. Its mean is the loss of training: Shamsi (2024), section 2.4",
    )
    loss = -float(logits.log_softmax(-1)[id])
    nats, p = quotes.tex(loss), quotes.tex(math.exp(-loss), 5)
    layout.work_out(
        f"{name}, with the probability that the model itself gives it:",
        rf"-\ln {p} = {nats}, \qquad \frac{{{nats}}}{{\ln 2}} = {quotes.tex(loss / math.log(2))}",
    )


def _lens(written: Continuation, step: int, id: int, name: str) -> None:
    model = written.run.model
    layout.equation(
        r"p^{(l)} = \mathrm{softmax}\bigl(\mathrm{Norm}(x_l)\,E^\top\bigr)",
        "The logit lens: nostalgebraist (2020). The output layer reads the stream of layer l as if it were the last.",
        {"x_l": "the residual stream at the last token after layer l"},
    )
    names = lens_names(model.config)
    row = len(names) // 2
    hidden = traces.trace_ids(written.run.model, written.ids, names)[names[row]][written.query(step)]  # (d_model,)
    logits = lens_logits(model.network, hidden)
    layout.work_out(
        f"{name} half way up, {layer_name(row, len(names))}; the output gives it "
        f"{percent(float(written.logits[step].softmax(-1)[id]))}:",
        f"p = {sums.softmax(*_sort_falling(logits, id))}",
    )


def _sort_falling(values: Tensor, id: int) -> tuple[Tensor, int]:
    """The values (V,) from the largest down, and the place of one token among them."""
    order = ranking(values)
    return values[order], int((order == id).nonzero()[0, 0])
