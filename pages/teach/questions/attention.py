"""Questions about attention: scores, masks, heads, and what the heads add."""

from __future__ import annotations

from random import Random

import torch

from model import questions
from model.analysis.head_parts import head_parts
from model.analysis.head_steps import Attention, kinds
from model.edits.parts import ablate
from model.experiments.painted_masks import USUAL_WIDTH, BadMask, mask_from_text, near
from model.network.masks import causal_mask
from model.numerals import number
from model.questions import NoQuestion, Question
from pages.shared.model_runs import traces
from pages.teach.questions.view import View, head_of, labels_of, needs, pair_labels, quote, run_of, step_of
from views.head_of_run import HeadOfRun, layer_place, tokens_of
from views.models.translate.pair import of_run
from views.models.translate.steps import aligned_layer
from views.shared import ablation_choice
from views.shared.score_formula import is_usual

CANDIDATES = 16  # pairs of which a drawn question takes the most telling one


def most_attended(view: View) -> Question:
    if view.page == "translate":
        return _while_writing(view)
    screen = head_of(view)
    queries, keys = pair_labels(screen)
    return questions.most_attended(screen.weights, screen.query, queries, keys, screen.place)


def _while_writing(view: View) -> Question:
    """On Translate the query is a step, and the picture may show the mean of heads and of layers."""
    run = run_of(view, ("*.weights", "logits"))
    needs(run, "encoder-decoder", "does not translate.")
    config, trace = run.model.config, run.trace
    layer = view["translate_layer"] if view["translate_layer"] >= -1 else aligned_layer(of_run(run))
    layer = layer if layer < config.n_decoder_layers else -1
    head = view.within("translate_head", config.n_heads - 1, -1)
    layers = torch.stack([trace[f"decoder.{each}.cross_attn.weights"] for each in range(config.n_decoder_layers)])
    weights = (layers.mean(0) if layer < 0 else layers[layer]).float()  # (heads, queries, keys)
    weights = weights.mean(0) if head < 0 else weights[head]
    step = step_of(view, len(weights))
    where = f"{'mean of all layers' if layer < 0 else f'layer {layer}'}, {'all heads' if head < 0 else f'head {head}'}"
    return questions.most_attended(
        weights,
        step - 1,
        labels_of(trace.tokens),
        labels_of(trace.source_tokens),
        where,
        text=f"Which word does the decoder look at most while it writes token {step}?",
        who="The decoder",
    )


def draw_attended(view: View, rng: Random) -> View:
    """A head and a word that look far and firmly: the most telling of a few."""
    run = run_of(view.at("heads"))
    stack, part = rng.choice(kinds(run.model.config))
    most_telling, drawn = -1.0, view
    for _ in range(CANDIDATES):
        layer, head = rng.randrange(run.model.config.n_layers(stack)), rng.randrange(run.model.config.n_heads)
        weights = run.trace[f"{stack}.{layer}.{part}.weights"][head]
        query = rng.randrange(len(weights))
        weight, key = (value.item() for value in weights[query].max(-1))
        telling = weight * (part == "cross_attn" or key not in (0, query))  # the first token and itself tell little
        if telling > most_telling:
            most_telling = telling
            drawn = view.at(
                "heads",
                attention=f"{stack}.{part}",
                layer=layer,
                head=head,
                query=query,
                key=key,
            )
    return drawn


def strongest_head(view: View) -> Question:
    screen = head_of(view)
    queries, keys = pair_labels(screen)
    return questions.strongest_head(screen.layer_weights(), screen.query, screen.key, queries, keys, screen.layer_place)


def widest_head(view: View) -> Question:
    screen = head_of(_on_heads(view) if view.page == "home" else view)
    return questions.widest_head(screen.layer_weights(), screen.layer_place)


def _on_heads(home: View) -> View:
    """The layer that Home shows, on Heads."""
    config = run_of(home).model.config
    layer = home.within("layer", config.n_layers(config.stacks[-1]) - 1, max(map(config.n_layers, config.stacks)) // 3)
    return home.at("heads", layer=min(layer, config.n_layers(config.stacks[-1]) - 1))


def draw_layer(view: View, rng: Random) -> View:
    """Any layer; all its heads side by side."""
    run = run_of(view.at("heads"))
    stack, part = rng.choice(kinds(run.model.config))
    return view.at(
        "heads",
        attention=f"{stack}.{part}",
        heads_view="All heads",
        layer=rng.randrange(run.model.config.n_layers(stack)),
    )


def scaled_score(view: View) -> Question:
    screen = head_of(view)
    if not is_usual(screen.config, screen.at.is_cross):
        raise NoQuestion("This model does not divide its scores by √d_k. Choose another model.")
    names = [f"{screen.at.path}.raw_scores", f"{screen.at.path}.scores"]
    run, config = run_of(view, names), screen.config
    raw, scaled = (float(run.trace[name][screen.head, screen.query, screen.key]) for name in names)
    queries, keys = map(questions.distinct, pair_labels(screen))
    pair = f"“{queries[screen.query]}” and “{keys[screen.key]}”"
    return questions.scaled_score(raw, scaled, config.head_width, config.d_model, len(keys), pair)


def draw_score(view: View, rng: Random) -> View:
    screen = head_of(draw_attended(view, rng))
    return view.at(
        "scores",
        attention=f"{screen.at.stack}.{screen.at.part}",
        layer=screen.at.layer,
        head=screen.head,
        query=screen.query,
        key=screen.key,
        scores_step="scale",
    )


def hidden_cells(view: View) -> Question:
    screen = head_of(view)
    return questions.hidden_cells(_hidden(view, screen), words_repeat=not screen.at.is_cross)


def visible_keys(view: View) -> Question:
    screen = head_of(view)
    queries, keys = pair_labels(screen)
    return questions.visible_keys(_hidden(view, screen), screen.query, queries, keys)


def _hidden(view: View, screen: HeadOfRun) -> torch.Tensor:
    """The cells that the mask on Masks hides: (queries, keys), true where it does."""
    own = screen.hidden
    kind = view["masks_kind"] if view.page == "masks" else ""
    if "padding" in kind:
        raise NoQuestion("A padded batch has a mask for each of its sentences. Choose another mask.")
    if kind == "none":
        return torch.zeros_like(own)
    if kind == "causal" and not screen.at.is_cross:
        return causal_mask(*own.shape).isneginf()
    if kind == "window" and not screen.at.is_cross:
        width = view["masks_width"] or screen.config.window_of(screen.at.stack, screen.at.layer) or USUAL_WIDTH
        queries, keys = own.shape
        far = ~near(queries, keys, width)
        return far | causal_mask(*own.shape).isneginf() if screen.at.stack == "decoder" else far
    if kind == "painted" and view["masks_paint"]:
        try:
            painted = mask_from_text(view["masks_paint"])
        except BadMask as error:
            raise NoQuestion(str(error)) from error
        if painted.shape != own.shape:
            raise NoQuestion("The mask was painted for another sentence. Paint it anew.")
        return ~painted
    return own


def draw_mask(view: View, rng: Random) -> View:
    run = run_of(view.at("masks"))
    stack, part = rng.choice(kinds(run.model.config))
    tokens = len(tokens_of(run, stack))
    return view.at(
        "masks",
        attention=f"{stack}.{part}",
        layer=0,
        head=0,
        query=rng.randrange(max(1, tokens - 1)),
    )  # the last word sees all: too easy


def strongest_part(view: View) -> Question:
    run, at = _combine_run(view, ("*.heads", "*.concat", "*_attn.out"))
    tokens = labels_of(tokens_of(run, at.stack))
    token = view.within("query", len(tokens) - 1, len(tokens) - 1)
    sizes = head_parts(run.model, run.trace, at).norm(dim=-1)[:, token]  # (heads,)
    name, where = questions.distinct(tokens)[token], layer_place(run.model.config, at)
    return questions.largest(
        "part",
        f"Which head adds most to the vector of “{name}”? ({where})",
        sizes,
        [f"Head {head}" for head in range(len(sizes))],
        lambda best, size: (
            f"The part of {best[0].lower() + best[1:]}, its output times its rows of W_O, has length "
            f"{size}, more than that of any other head; all parts and the bias add up to what this attention adds."
        ),
        number,
    )


def draw_part(view: View, rng: Random) -> View:
    run = run_of(view.at("combine"))
    stack = run.model.config.stacks[-1]
    return view.at(
        "combine",
        combine_view="Each head's part",
        attention=f"{stack}.self_attn",
        layer=rng.randrange(run.model.config.n_layers(stack)),
        query=rng.randrange(len(tokens_of(run, stack))),
    )


def without_heads(view: View) -> Question:
    run, at = _combine_run(view, ("logits",))
    needs(run, "decoder", "predicts no next token that a muted head could change.")
    muted = ablation_choice.read_muted(view["combine_muted"], run.model.config.n_heads)
    if not muted:
        raise NoQuestion("No head is muted. Mute one under “Mute heads”.")
    every = view["combine_scope"] == "every layer"
    edit = ablate(at.every_layer if every else at.path, muted)
    heads = ", ".join(map(str, muted))
    trace = traces.trace(run.model, run.text, "logits", edits=(edit,))
    writer = run.model.output_tokenizer
    whole = labels_of([writer.token(int(run.trace.logits_at(-1).argmax()))])[0]
    where = "every layer" if every else f"layer {at.layer}"
    return questions.next_token(
        trace.logits_at(-1),
        lambda id: labels_of([writer.token(id)])[0],
        f"After {quote(run.text)} the model expects “{whole}”. What will it expect without "
        f"head{'s' if len(muted) > 1 else ''} {heads} in {where}?",
        "without heads",
    )


def draw_muted_head(view: View, rng: Random) -> View:
    run = run_of(view.at("combine"))
    config = run.model.config
    return view.at(
        "combine",
        combine_view="Mute heads",
        attention=f"{config.stacks[-1]}.self_attn",
        layer=rng.randrange(config.n_layers(config.stacks[-1])),
        combine_muted=(rng.randrange(config.n_heads),),
    )


def _combine_run(view: View, keep: tuple[str, ...]) -> tuple[traces.Run, Attention]:
    """The run and the attention that Concat and W_O shows."""
    run = run_of(view, keep)
    config = run.model.config
    stack, _, part = view["attention"].partition(".")
    stack, part = (stack, part) if (stack, part) in kinds(config) else kinds(config)[-1]
    return run, Attention(stack, view.within("layer", config.n_layers(stack) - 1, 0), part)
