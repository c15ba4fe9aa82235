"""The model on the map in five equations, and its answer worked out from its logit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.config_values import ACTIVATIONS
from views.map import run_answers
from views.run import Run
from views.shared import quotes, score_formula, sums
from views.shared.shared_layers import say_shared_layers
from views.view import equation, grey, work_out
from viz.shared.style import markdown_text, number, percent, score_noun, write_score

if TYPE_CHECKING:
    from model.config import TransformerConfig

Written = tuple[str, str]  # LaTeX; its meaning and its source
LATER = {  # positions that are not in the embedding
    "rotary": "queries and keys are turned by it",
    "relative": "the scores get a bias for each distance",
    "alibi": "scores fall with the distance",
    "none": "this model has none",
}


def parts_of(run: Run) -> list[Any]:
    """The equations, the answer worked out, and the sizes of this run."""
    config = run.config
    made = (embedding(config), attention(config), feed_forward(config), stream(config), output(config))
    parts = [part for latex, meaning in made for part in equation(latex, meaning)]
    answer = work_out_answer(run)
    worked = [] if answer is None else work_out(*answer)
    length = f"T = {len(run.trace.tokens)}"
    if config.kind == "encoder-decoder":
        length = f"T = {len(run.trace.source_tokens)} tokens read and {len(run.trace.tokens)} written"
    shared = "" if config.kv_heads == config.n_heads else f" ({config.kv_heads} for keys and values)"
    sizes = (
        f"In {markdown_text(run.model.card.title)}: {length}, d_model = {config.d_model}, h = {config.n_heads}{shared}"
        f", d_k = {config.head_width}, d_ff = {config.d_ff}."
    )
    return [*parts, *worked, *grey(sizes), *grey(say_shared_layers(config))]


def embedding(config: TransformerConfig) -> Written:
    own = None if config.token_scale is None else f"{config.token_scale:g}"
    times = own or (r"\sqrt{d_{model}}" if config.embed_scale else "")
    token = rf"{times}\,E_{{w_t}}" if times else "E_{w_t}"
    if not config.has_position_vectors:
        later = LATER[config.positions]
        return f"x_t = {token}", f"Embedding: the row of the table for the token. The place is not in it: {later}."
    if config.position_mix == "concat":
        return (
            f"x_t = ({token},\\ p_t)",
            "Embedding: the token's row and its place, side by side (encoder notes, section 0.1.2).",
        )
    segment_term = " + s_t" if config.n_segments else ""
    total = rf"\mathrm{{Norm}}({token} + p_t{segment_term})" if config.embed_norm else f"{token} + p_t{segment_term}"
    segment = " s is the vector of the segment, the same here for every token." if config.n_segments else ""
    if config.embedding_size:
        total = rf"W\,{total} + b"
        segment += (
            f" W makes {config.d_model} features of {config.embedding_size} (Lan et al. (2020), arXiv:1909.11942, "
            "section 3.1)."
        )
    return (
        f"x_t = {total}",
        f"Embedding: the token's row of the table and its place, added (encoder notes, eq. 0.1.2).{segment}",
    )


def attention(config: TransformerConfig) -> Written:
    product = r"\tilde Q \tilde K^\top" if config.positions == "rotary" else r"QK^\top"
    turned = " The tilde: turned by the place (Su et al. (2021), eq. 34)." if config.positions == "rotary" else ""
    if config.positions == "relative":
        turned = " B: a learned number for the distance of query and key (Raffel et al. (2020), section 2.1)."
    if config.positions == "alibi":
        turned = " B: a slope of each head, times the distance of query and key (Press et al. (2022), section 3)."
    if config.qk_norm:
        whole = " of all heads" if config.qk_norm_whole else ""
        turned += f" Queries and keys are divided by their root mean square{whole} first."
    mask = " + M" if config.kind != "encoder" else ""
    source = "slides, “Masked Attention”" if mask else "Palaskos (2022), eq. 3.42"
    return (
        rf"H = \mathrm{{softmax}}\!\left({score_formula.in_latex(config, False, product)}{mask}\right) V",
        f"Attention, in every head: a query weighs all values by how well their keys fit it ({source}).{turned}",
    )


def feed_forward(config: TransformerConfig) -> Written:
    if config.n_experts:
        shared = r" + \mathrm{FFN}_s(x)" if config.d_shared else ""
        over = "these alone" if config.normalise_taken else "all experts"
        return (
            rf"\mathrm{{FFN}}(x) = \sum_{{e \in \text{{best }} {config.n_taken}}} g_e\, \mathrm{{FFN}}_e(x){shared}, "
            r"\qquad g = \mathrm{softmax}(W_r\, x)",
            f"Feed-forward, of {config.n_experts} experts: every token takes the {config.n_taken} with the largest "
            f"logits of the router, and the softmax is over {over} (Shazeer et al. (2017), arXiv:1701.06538).",
        )
    name = rf"\text{{{ACTIVATIONS[config.activation]}}}"
    if config.gated:
        return (
            rf"\mathrm{{FFN}}(x) = W_2\,\bigl({name}(W_{{gate}}\,x) \odot W_{{up}}\,x\bigr)",
            "Feed-forward, with a gate: every position alone (Shazeer (2020), arXiv:2002.05202).",
        )
    return (
        rf"\mathrm{{FFN}}(x) = W_2\,{name}(W_1 x + b_1) + b_2",
        "Feed-forward: every position alone (slides, “MLP/Feed Forward Layer”).",
    )


def stream(config: TransformerConfig) -> Written:
    if config.parallel_residual:
        return (
            r"x \leftarrow x + f(\mathrm{Norm}(x)) + g(\mathrm{Norm}(x))",
            "Residual stream, pre-norm, in parallel: attention and feed-forward read the same stream, each a "
            "normalised copy of its own, and both add to it (Black et al. (2022), arXiv:2204.06745, section 2.1).",
        )
    if config.norm_position == "output":
        return (
            r"x \leftarrow x + \mathrm{Norm}(f(x))",
            "Residual stream: each part reads it as it is, and adds what it gives after a norm (OLMo Team et al. "
            "(2025), arXiv:2501.00656).",
        )
    if config.norm_position == "both":
        return (
            r"x \leftarrow x + \mathrm{Norm}(f(\mathrm{Norm}(x)))",
            "Residual stream: each part reads a normalised copy, and adds what it gives after another norm (Gemma Team "
            "(2024), arXiv:2408.00118, section 2).",
        )
    if config.norm_position == "pre":
        return (
            r"x \leftarrow x + f(\mathrm{Norm}(x))",
            "Residual stream, pre-norm: each part reads a normalised copy and adds to it (Bishop, ch. 12 slides, "
            "“Transformer layers”).",
        )
    return (
        r"x \leftarrow \mathrm{Norm}(x + f(x))",
        "Residual stream, post-norm: each part adds to it, and the sum is normalised (slides, “Transformer Block”).",
    )


def output(config: TransformerConfig) -> Written:
    if config.kind != "encoder":
        table = r"h\,E^\top" if config.shares_output_table else "h\\,W"
        own = None if config.logit_scale is None else rf" \cdot {config.logit_scale:g}"
        table += own or (r" / \sqrt{d_{model}}" if config.scale_logits else "")
        known = "x_{<t}" if config.kind == "decoder" else "y_{<t}, x"
        token = "x_t" if config.kind == "decoder" else "y_t"
        table += " + b" if config.output_bias else ""
        matrix = "the embedding table again" if config.shares_output_table else "one more matrix"
        return (
            rf"p({token} \mid {known}) = \mathrm{{softmax}}(u), \qquad u = {table}",
            f"Next token: {matrix} (slides, “Language Modelling Head”).",
        )
    if config.masked_words:
        table = r"E^\top" if config.shares_output_table else "W"
        return (
            rf"p(x_t) = \mathrm{{softmax}}(u), \qquad u = \mathrm{{Norm}}({_transformed(config, 'h_t')})\,{table} + b",
            "The word at each place, after one more step (Devlin et al. (2019), arXiv:1810.04805, section 3.1).",
        )
    if config.text_labels:
        read = _transformed(config, "h_0")
        read = rf"\mathrm{{Norm}}({read})" if config.transform_norm else read
        return (
            sums.answer_equation(config.label_scores, rf"W\,{read} + b"),
            "Class of the text, from the first token's last vector (Palaskos (2022), section 3.8).",
        )
    if config.answer_span:
        return (
            r"(u^{start}_t, u^{end}_t) = W\,h_t + b, \qquad p^{start} = \mathrm{softmax}_t(u^{start}_t)",
            "Where an answer starts and ends, among all tokens (Devlin et al. (2019), arXiv:1810.04805, section 4.2).",
        )
    if config.token_labels:
        return (
            r"p(c_t) = \mathrm{softmax}(W\,h_t + b)",
            "Class of each token, from its own last vector (Palaskos (2022), section 3.8).",
        )
    return r"h_0, \dots, h_{T-1}", "What comes out: one vector a token, made from the whole sentence."


def _transformed(config: TransformerConfig, vector: str) -> str:
    """The vector that an encoder's answer is read off: after its transform, where it has one."""
    if config.transform == "none":
        return vector
    return rf"\text{{{ACTIVATIONS[config.transform]}}}(W_1\,{vector}{' + b_1' if config.transform_bias else ''})"


def work_out_answer(run: Run) -> tuple[str, str] | None:
    """The likeliest answer from its logit: a sentence and LaTeX. None where the model gives vectors alone."""
    if not run.config.has_answer:
        return None
    logits, (names, shares) = run_answers.answer_of(run)
    kind, answer = run.config.label_scores, quotes.quote(names[0].lstrip("·") or names[0])
    largest = float(logits.max())
    if kind != "softmax":
        told = f"it gets the {score_noun(kind)} {write_score(shares[0], kind)}"
        return f"The highest answer here, {answer}: {told}.", sums.answer(logits, int(logits.argmax()), kind)
    total = float((logits - largest).exp().sum())  # relative to the largest logit, so that no exponential overflows
    return (
        f"The likeliest answer here, {answer}: its logit u is {number(largest)}, and it gets {percent(shares[0])}.",
        rf"\frac{{e^{{u}}}}{{\sum_j e^{{u_j}}}} = \frac{{1}}{{\sum_j e^{{u_j - u}}}} = "
        rf"\frac{{1}}{{{quotes.tex(total)}}} = {quotes.tex(1 / total)}",
    )
