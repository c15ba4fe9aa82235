"""Questions about inputs and outputs: tokens, positions, layers, predictions, classes, pictures, cost."""

from __future__ import annotations

import base64
import math
from io import BytesIO
from random import Random

import torch
from PIL import Image

from model import available, questions
from model.cost.formulas import model_costs
from model.network import positions
from model.numerals import number
from model.questions import NoQuestion, Question
from pages.models.classify_parts.readings import CLASSIFIER
from pages.models.see_parts import source
from pages.shared.model_runs import traces
from pages.teach.questions.view import MAX_QUOTED_CHARACTERS, View, labels_of, needs, quote, run_of, step_of
from views.head_of_run import tokens_of
from views.models.classify.labels import KEEP as CLASSES
from views.models.see.attention import asking_patch
from views.models.see.examples import DIGITS, PHOTOS
from views.models.see.picture import SeenPicture
from views.run import Run


def next_token(view: View) -> Question:
    run = run_of(view, ("logits",))
    if run.model.config.kind == "encoder":
        raise NoQuestion(f"{run.model.card.title} is an encoder: it predicts no next token.")
    writer = run.model.output_tokenizer
    if run.model.config.kind == "encoder-decoder":
        step = step_of(view, len(run.trace.logits)) if view.page == "translate" else 1
        logits = run.trace.logits[step - 1]
        written = writer.decode([token.id for token in run.trace.tokens[1:step]])
        so_far = f", and {quote(written)} is written" if written else ""
        text = f"{quote(run.text)} is translated{so_far}. What will the decoder write in step {step}?"
    else:
        trace, read = run.trace, run.text
        path = view["predict_path"][: view["predict_step"]] if view.page == "predict" else ()
        if path and all(0 <= id < run.model.config.vocab_size for id in path):
            trace = traces.trace_ids(run.model, (*(token.id for token in trace.tokens), *path), ("logits",))
            read += writer.decode(path)
        logits = trace.logits_at(-1)
        text = f"What will the next token be, after {quote(read)}?"
    return questions.next_token(logits, lambda id: labels_of([writer.token(id)])[0], text)


def draw_next(view: View, rng: Random) -> View:
    run = run_of(view, ("logits",))
    if run.model.config.kind != "encoder-decoder":
        return view.at("predict", predict_view="attention")
    return view.at("translate", translate_step=rng.randrange(1, len(run.trace.logits) + 1))


def tempered(view: View) -> Question:
    run = run_of(view, ("logits",))
    needs(run, "decoder", "predicts no next token.")
    chosen = view["predict_temperature"]
    logits = run.trace.logits_at(-1)
    label = labels_of([run.model.output_tokenizer.token(int(logits.argmax()))])[0]
    return questions.tempered_probability(logits, 2.0 if chosen in (0.0, 1.0) else chosen, label)


def draw_temperature(view: View, rng: Random) -> View:
    return view.at("predict", predict_temperature=rng.choice((0.5, 2.0, 3.0)))


def hand_turn(view: View) -> Question:
    if view["positions_part"] == "rotary":
        return _rotary(view)
    d, base = view["positions_d"], view["positions_base"]
    if d < 2 or d % 2 or d > 1024 or not (math.isfinite(base) and base > 1):
        raise NoQuestion("The hands need an even width and a base above 1. Mend the controls first.")
    frequencies = positions.frequencies(d, base)
    hand = view.within("positions_clock", len(frequencies) - 1, 0)
    return questions.hand_turn(frequencies, hand, view["positions_phi"])


def _rotary(view: View) -> Question:
    """How much the angle between a query and a key changes: a hand turns by their distance."""
    run = run_of(view, ("*embed.*",))
    config = run.model.config
    if config.positions != "rotary":
        raise NoQuestion(f"{run.model.card.title} does not rotate its queries and keys. Choose a rotary model.")
    names = labels_of(tokens_of(run, config.stacks[0]))
    query = view.within("query", len(names) - 1, len(names) - 1)
    key = view.within("key", len(names) - 1, max(query - 1, 0))
    frequencies = positions.rotary_speeds(config)
    pair = view.within("positions_turned", len(frequencies) - 1, 0)
    text = (
        f"The query of “{names[query]}” (position {query}) and the key of “{names[key]}” (position {key}) are both "
        f"turned. By how much does the angle between them change in pair {pair}?"
    )
    return questions.hand_turn(frequencies, pair, query - key, text, "pair")


def draw_hand(view: View, rng: Random) -> View:
    return view.at(
        "positions",
        positions_part="circles",
        positions_view=rng.choice(("clocks", "plane")),
        positions_clock=rng.randrange(8),
        positions_phi=float(rng.choice((-2, 2, 3, 5, 6))),
    )


def pieces(view: View) -> Question:
    run = run_of(view, ("*embed.*",))
    if len(" ".join(run.text.split())) > MAX_QUOTED_CHARACTERS:
        raise NoQuestion("The text is too long to be counted. Write a shorter one.")
    tokens = [token for token in tokens_of(run, run.model.config.stacks[0]) if not token.special]
    return questions.count_of_tokens(run.text, labels_of(tokens), run.model.card.title)


def draw_pieces(view: View, rng: Random) -> View:
    return view.at("tokens", tokens_part="tokeniser")


def nearest(view: View) -> Question:
    run = run_of(view, ("*embed.*",))
    stack = run.model.config.stacks[0]
    tokens, reader = tokens_of(run, stack), run.model.tokenizer
    last = len(tokens) - 1
    at = tokens[view.within("query", last, last)].id
    table = run.model.on_cpu.network.get_parameter(f"{stack}.embed.tokens.weight").float()
    cosines = torch.nn.functional.cosine_similarity(table, table[at], dim=-1)
    beside = [token.id for token in tokens if not token.special]
    return questions.nearest(cosines, at, beside, lambda id: labels_of([reader.token(id)])[0])


def draw_nearest(view: View, rng: Random) -> View:
    run = run_of(view, ("*embed.*",))
    tokens = tokens_of(run, run.model.config.stacks[0])
    words = [place for place, token in enumerate(tokens) if not token.special]
    return view.at("tokens", tokens_part="embedding", query=rng.choice(words))


def layer(view: View) -> Question:
    """The layer whose feed-forward network adds most to a word."""
    run = run_of(view, ("*.ffn.out",))
    config = run.model.config
    stack = view["attention"].partition(".")[0]
    stack = stack if stack in config.stacks else config.stacks[-1]
    names = labels_of(tokens_of(run, stack))
    token = view.within("query", len(names) - 1, len(names) - 1)
    sizes = [float(run.trace[f"{stack}.{l}.ffn.out"][token].norm()) for l in range(config.n_layers(stack))]
    name = questions.distinct(names)[token]
    of_stack = f" of the {stack}" if len(config.stacks) > 1 else ""
    return questions.largest(
        "layer",
        f"In which layer{of_stack} does the feed-forward network add most to “{name}”?",
        torch.tensor(sizes),
        [f"Layer {l}" for l in range(len(sizes))],
        lambda best, size: (
            f"What the feed-forward network of {best[0].lower() + best[1:]} adds to “{name}” has length "
            f"{size}, more than in any other layer."
        ),
        number,
    )


def draw_token(view: View, rng: Random) -> View:
    run = run_of(view, ("*.ffn.out",))
    stack = run.model.config.stacks[-1]
    return view.at(
        "block", block_part="stream", attention=f"{stack}.self_attn", query=rng.randrange(len(tokens_of(run, stack)))
    )


def text_class(view: View) -> Question:
    run = _classifier_run(view)
    text = f"Which class does the model give to {quote(run.text)}?"
    probabilities = run.trace["text_logits"].softmax(-1)
    return questions.likeliest_class("class", text, probabilities, run.model.config.text_labels)


def word_class(view: View) -> Question:
    run = _classifier_run(view)
    names = questions.distinct(labels_of(run.trace.tokens))
    token = view.within("classify_token", len(names) - 1, 0) or max(1, len(names) // 2)
    if token >= len(names) or run.trace.tokens[token].special:
        raise NoQuestion("Ask for a word: this token stands for none.")
    probabilities = run.trace["token_logits"][token].softmax(-1)
    text = f"Which part of speech is “{names[token]}” to the model?"
    return questions.likeliest_class("word class", text, probabilities, run.model.config.token_labels)


def draw_class(view: View, _: Random) -> View:
    _needs_classes(view)
    return view.at("classify", classify_part="labels")


def draw_word(view: View, rng: Random) -> View:
    _needs_classes(view)
    tokens = _classifier_run(view).trace.tokens
    words = [place for place, token in enumerate(tokens) if not token.special]
    if not words:
        raise NoQuestion("There is no word to ask for.")
    return view.at("classify", classify_part="labels", classify_token=rng.choice(words))


def _needs_classes(view: View) -> None:
    if view["model"] != CLASSIFIER:
        raise NoQuestion(f"{traces.model(CLASSIFIER).card.title} has classes. Choose it in the bar.")


def _classifier_run(view: View) -> Run:
    """The run of the sentence in the bundled model with classes, which is the one in the bar."""
    text = view["text"]
    return traces.run(traces.model(CLASSIFIER), text, CLASSES)


def digit(view: View) -> Question:
    example = _example_of(view)
    labels = example.model.config.image_labels
    if not example.model.reads_digits:
        raise NoQuestion(f"{example.model.card.title} names no digits. Choose a model that does.")
    probabilities = example.model.probabilities(example.run)
    return questions.likeliest_class("digit", "Which digit does the model see?", probabilities, labels)


def draw_digit(view: View, rng: Random) -> View:
    return view.at("see", see_model="digits-vit", see_part="patches", see_example=rng.choice(DIGITS))


def quarter(view: View) -> Question:
    """The quarter of the picture that a head looks at most, from the class token or the chosen patch."""
    example = _example_of(view)
    config, side = example.model.config, example.side
    layer = view.within("see_layer", example.layers - 1, example.layers - 1)
    head = view.within("see_head", config.n_heads - 1, 0)
    patch = asking_patch(example, view.within("see_patch", config.n_patches - 1, -1))
    special = config.n_special_tokens
    asking = patch + special if patch >= 0 else 0  # the class token is the first
    weights = example.run[f"encoder.{layer}.self_attn.weights"][head, asking, special:].view(side, side)
    half = side // 2
    rows, columns = (
        {"Upper": slice(half), "Lower": slice(-half, None)},
        {"left": slice(half), "right": slice(-half, None)},
    )
    shares = {f"{above} {beside}": weights[i, j].sum() for above, i in rows.items() for beside, j in columns.items()}
    who = "the class token" if patch < 0 else f"patch {patch}"
    return questions.largest(
        "quarter",
        f"Which quarter of the picture does {who} look at most? (layer {layer}, head {head})",
        torch.stack(list(shares.values())),
        list(shares),
        lambda best, share: f"The patches of the {best.lower()} quarter get {share} of the attention of {who}.",
    )


def draw_quarter(view: View, rng: Random) -> View:
    name, choices = rng.choice((("digits-vit", DIGITS), (source.MODELS[0], tuple(PHOTOS))))
    model = source.vision(name)
    return view.at(
        "see",
        see_model=name,
        see_part="attention",
        see_example=rng.choice(choices),
        see_layer=rng.randrange(model.config.n_encoder_layers),
        see_head=rng.randrange(model.config.n_heads),
    )


def picture(view: View) -> str:
    """The picture of a question on See, as the model reads it, for an `<img>`; "" on other pages."""
    if view.page != "see":
        return ""
    file = BytesIO()
    Image.fromarray(_example_of(view).square).save(file, "JPEG", quality=90)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()


def _example_of(view: View) -> SeenPicture:
    """The example of a view on See."""
    if view["see_source"] != "example":
        raise NoQuestion("A picture of your own stays in your session. Choose one of the examples.")
    model = source.vision(view["see_model"] or _first_vision())
    choices, usual = source.examples(model)
    return source.example(model, view["see_example"] if view["see_example"] in choices else usual)


def _first_vision() -> str:
    """The model of See where the view names none."""
    ready = {card.name for card in available("vision") if card.ready}
    return next(name for name in source.MODELS if name in ready)


def costliest(view: View) -> Question:
    config = traces.model(view["model"] or traces.default_model()).config
    tokens = max(1, view["cost_tokens"])
    own = {"cost_width": config.d_model, "cost_heads": config.n_heads}
    own["cost_layers"] = max(config.n_encoder_layers, config.n_decoder_layers)
    if any(view[name] not in (0, value) for name, value in own.items()):
        raise NoQuestion("The question is about the model as it is. Set width, heads and layers back to its own.")
    costs = model_costs(config, tokens, tokens if config.kind == "encoder-decoder" else 0)
    by_part = {cost.part: cost.multiplications for cost in costs}
    total = sum(by_part.values())
    return questions.largest(
        "cost",
        f"Which part takes most multiplications, for a text of {tokens:,} tokens?",
        torch.tensor(list(by_part.values()), dtype=torch.float64) / total,
        list(by_part),
        lambda best, part: f"Of {total:,} multiplications, {best} takes {part}.",
    )


def draw_cost(view: View, rng: Random) -> View:
    return view.at("cost", cost_view="Parts", cost_tokens=rng.choice((16, 64, 1024, 16384, 65536)))
