"""Translation in five equations, each with the numbers of the chosen step or search."""

from __future__ import annotations

from model.generation.teacher_forcing import run_teacher_forced
from model.graph.explain import explain
from pages.models.translate_parts import beam, forcing, trust
from pages.models.translate_parts.pair import Pair
from pages.shared.elements import layout
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import state
from views.shared import quotes, score_formula, sums
from viz.shared.style import number
from viz.shared.tokens import words


def show(pair: Pair) -> None:
    step = state.get("translate_step")  # 0: nothing is written yet. -1: the last word
    at = (step if 0 < step <= len(pair.written) else max(len(pair.written) - 1, 1)) - 1
    of_confidence = state.get("translate_view") == "mistakes"
    if of_confidence:
        trust.formula(pair)
    _next_word(pair, at)
    _cross_attention(pair, at)
    _beam(pair)
    _forcing(pair)
    if not of_confidence:
        trust.formula(pair)


def _next_word(pair: Pair, at: int) -> None:
    config, id = pair.run.model.config, pair.written_ids[at]
    start, end = words(pair.run.model.output_tokenizer.tokens([pair.start, pair.end]))
    named = "the embedding table" if config.shares_output_table else "the output layer"
    shared = "shared by both languages" if config.target_vocab_size is None else "of the language that is written"
    bias = r" + b" if config.output_bias else ""
    table = r"E^\top" if config.shares_output_table else "W"
    divided = r"\,/\sqrt{d_{\mathrm{model}}}" if config.scale_logits else ""
    layout.equation(
        r"p(y_t \mid y_{<t}, x) = \mathrm{softmax}\big(\mathrm{Dec}(y_{<t}, \mathrm{Enc}(x))\,"
        + f"{table}{divided}{bias}"
        + r"\big)",
        "Shamsi (2024), section 2.5; Vaswani et al. (2017), section 3.1",
        {
            "x": f"the sentence, here {len(pair.source)} tokens",
            "y": f"its translation after {start}, fed back one token a step until {end}",
            table[0]: f"{named}, {config.target_vocab_size or config.vocab_size:,} × {config.d_model}, {shared}",
        }
        | ({"b": "a learnt number for each token of the vocabulary"} if bias else {}),
    )
    ordered, order = pair.run.trace.logits[at].sort(descending=True)
    layout.work_out(
        f"{quotes.quote(words(pair.written)[at])} at step {at + 1}, over all tokens from the likeliest on:",
        f"p = {sums.softmax(ordered, order.tolist().index(id))}",
    )


def _cross_attention(pair: Pair, at: int) -> None:
    run, config, product = pair.run, pair.run.model.config, r"(Y W_Q)(M W_K)^\top"
    layout.equation(
        rf"H = \mathrm{{softmax}}\!\left({score_formula.in_latex(config, True, product)}\right) M W_V",
        "Palaskos (2022), eq. 3.54" + score_formula.source(config, True),
        {
            "Y": "the decoder's stream: it asks",
            "M": "the final encoder output, the same for every decoder layer: it answers",
            "d_k": f"{config.head_width} features a head",
        },
    )
    layer, head = (max(state.get(f"translate_{part}"), 0) for part in ("layer", "head"))
    layer, head = min(layer, config.n_decoder_layers - 1), min(head, config.n_heads - 1)
    path = f"decoder.{layer}.cross_attn"
    keep = (f"{path}.masked", f"{path}.weights")
    trace = traces.trace(run.model, run.text, keep, target=run.target).with_network(run.model.network)
    best = int(trace[f"{path}.weights"][head, at].argmax())
    made = explain(trace, f"{path}.weights", (head, at, best))
    scores = [term.value for term in made.terms if term.index]  # the shift and the sum are no cells
    layout.work_out(
        f"Writing {quotes.quote(words(pair.written)[at])}, head {head} of layer {layer} gives most to "
        f"{quotes.quote(words(pair.source)[best], best)}:",
        rf"A_{{{at},{best}}} = {sums.softmax(scores, best)}",
    )


def _beam(pair: Pair) -> None:
    width, alpha = state.get("translate_width"), state.get("translate_alpha")
    layout.equation(
        r"\mathrm{score}(y) = \frac{\log p(y \mid x)}{|y|^{\alpha}}",
        "Beam search with length normalisation; compare Wu et al. (2016), eq. 14",
        {r"\alpha": f"{alpha:g} here; 0 favours short translations"},
    )
    tree = beam.search(pair, width, alpha)
    path = tree.path(tree.best)
    before = (0.0, *(node.log_probability for node in path))
    gains = [node.log_probability - earlier for node, earlier in zip(path, before, strict=False)]
    layout.work_out(
        f"The best of a beam of {width}, {quotes.quote(pair.text(tree.best.ids))}: ln p of its {tree.best.step} "
        "tokens, one after the other, then over its length:",
        rf"\ln p(y \mid x) = {sums.total(gains)}",
        rf"\mathrm{{score}}(y) = \frac{{{quotes.tex(tree.best.log_probability)}}}{{{tree.best.step}^{{{alpha:g}}}}} = "
        f"{quotes.tex(tree.best.score)}",
    )


def _forcing(pair: Pair) -> None:
    layout.equation(
        r"\mathrm{loss} = -\frac1n \sum_t \ln p(y_t \mid y_{<t}, x), \quad y_{<t}\ \text{true, not written}",
        "Shamsi (2024), section 2.4; Palaskos (2022), section 3.11",
    )
    ids = forcing.read_target(pair)
    if ids is None:
        return
    with model_turns.forward_pass():
        forced = run_teacher_forced(pair.run.model.network, pair.source_ids, ids, pair.start, pair.end)
    worst = max(range(len(forced.losses)), key=forced.losses.__getitem__)
    label = quotes.quote(words(pair.run.model.output_tokenizer.tokens([forced.labels[worst]]))[0])
    layout.work_out(
        f"The losses of all {len(forced.losses)} positions, and their mean. Hardest is position {worst}, {label}, with "
        f"{number(forced.losses[worst])} nats:",
        rf"\frac{{{sums.plus(forced.losses, quotes.tex)}}}{{{len(forced.losses)}}} = {quotes.tex(forced.loss)}",
    )
