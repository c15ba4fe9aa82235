"""The table of every key of the session and of the URL: its default and its bounds. `state.py` reads and writes them.

A key named `<page>_<name>` belongs to the page of that URL (`pages.catalogue`). A key without `_` belongs to all pages,
or to those that its `pages` name. Older names of keys: `old_names.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from model.chat.turns import Conversation
from model.errors import ConversationError
from pages.shared.session.question_kinds import LEVELS, QUESTION_TITLES
from views.shared.examples import DEFAULT_SENTENCE

DEPTHS = ("Picture", "Numbers", "Formula", "Code")
MAX_CHARACTERS = 10_000  # of a text: some 2,000 tokens of English
SCORE_STEPS = (
    *("project", "normalise", "rotate", "scores", "scale", "bias", "cap"),
    *("mask", "softmax", "mix", "concat", "output"),
)
HEADS_VIEWS = ("Lines", "Matrix", "All heads", "Query-key", "Why there", "Compare", "What they do", "Many texts")
MASK_KINDS = ("none", "causal", "window", "padding", "causal and padding", "painted")
ATTENTIONS = ("encoder.self_attn", "decoder.self_attn", "decoder.cross_attn")
PATCHED_SITES = (  # model.experiments.sentence_pair.sites_of
    *(f"encoder.{part}" for part in ("resid_in", "self_attn.out", "ffn.out")),
    *(f"decoder.{part}" for part in ("resid_in", "self_attn.out", "cross_attn.out", "ffn.out")),
    *(f"{attention}.{part}" for attention in ATTENTIONS for part in ("heads", "q", "k", "v", "weights")),
    *(f"{attention}.{part}.all" for attention in ATTENTIONS for part in ("q", "k", "v", "weights")),
)
TOKENS = ("query", "key")  # of the chosen sentence
SHARED_PLACES = ("attention", "layer", "head", *TOKENS)  # of the chosen model and its sentence
WINDOWS = ("window", "columns")  # of tokens (pages.shared.session.token_window)
MODEL_PLACES = (  # ends
    *("_layer", "_head", "_layer2", "_head2", "_shown", "_at", "_answer", "_against", "_opened", "_dropped", "_trail"),
)


@dataclass(frozen=True)
class Key:
    """One entry of the table.

    The type of `default` is the type of the value: str, bool, int, float, or a tuple of ints (in a URL: `0,3,5`).
    `choices` bounds a str; `low` and `high` bound a number, or each member of a tuple. A page checks bounds that depend
    on the model, with `state.checked_number`. A key with `always` is in the URL even where it has its default. `pages`
    are the URL paths of the pages that share a key without `_`; () stands for all pages. `check` raises ValueError,
    whose text is a clause, for another text that is impossible.
    """

    default: Any
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    max_characters: int = 200
    always: bool = False
    pages: tuple[str, ...] = ()
    check: Callable[[str], None] | None = None


def check_turns(text: str) -> None:
    """Raises ValueError for a text that writes no conversation; none is "" ."""
    try:
        Conversation(text or "user: ")
    except ConversationError as error:
        raise ValueError("it has no turns that can be read. They are written as “user: Hello”") from error


KEYS: dict[str, Key] = {
    # every page
    "model": Key("", always=True),  # "": the first of traces.PREFERRED_MODELS that is installed
    "text": Key(DEFAULT_SENTENCE, max_characters=MAX_CHARACTERS, always=True),
    # The turns of a conversation (model.chat.turns), which a model with a chat template reads in the place of the text
    "turns": Key("", max_characters=MAX_CHARACTERS, check=check_turns),
    "begin": Key("", choices=("", "with", "without")),  # the begin token; "": as the files of the model say
    "target": Key("", max_characters=MAX_CHARACTERS),  # encoder-decoder models; "": the model's own translation
    "depth": Key("Picture", choices=DEPTHS),
    "urdu": Key("naskh", choices=("naskh", "nastaliq")),  # the hand in which Urdu is written
    # the pages that show a layer, a head or a token of the model and its sentence. "" and -1: chosen by the page
    "attention": Key(
        "", choices=("", *ATTENTIONS), pages=("home", "scores", "masks", "heads", "combine", "block", "why")
    ),
    "layer": Key(
        -1, low=-1, pages=("home", "positions", "scores", "masks", "heads", "combine", "block", "predict", "why")
    ),
    "head": Key(-1, low=-1, pages=("home", "positions", "scores", "masks", "heads", "predict", "why")),
    "query": Key(  # a token; in cross-attention one of the target. -2: no query is singled out
        -1, low=-2, pages=("home", "tokens", "positions", "scores", "masks", "heads", "combine", "block", "why")
    ),
    "key": Key(
        -1, low=-1, pages=("home", "positions", "scores", "masks", "heads")
    ),  # in cross-attention one of the source
    # the first and the last token that a picture shows; (): all. The second is that of the columns of a matrix
    "window": Key((), low=0, pages=("scores", "masks", "heads", "block", "predict", "why")),
    "columns": Key((), low=0, pages=("scores", "masks", "heads")),
    # of a conversation: whose queries are asked, and what the weights are summed by
    "asked": Key("all", choices=("all", "question", "answer"), pages=("home", "heads")),
    "summed": Key("turn", choices=("turn", "role"), pages=("home", "heads")),
    # The edits of the model, as text: model.edits.text. The pages that run the model so
    "edits": Key(
        "",
        max_characters=MAX_CHARACTERS,  # a patch names a whole sentence
        pages=("home", "positions", "scores", "masks", "heads", "combine", "block", "predict", "why", "translate"),
    ),
    # the model beside the reader's, which answers the same question; "": none
    "beside": Key("", max_characters=300, pages=("home", "tokens", "heads", "block", "predict", "why")),
    # Home: the place on the map (viz.home.layout.places); "": the whole model
    "home_at": Key("", max_characters=160),
    "home_with": Key("nothing", choices=("nothing", "another sentence")),  # the map's second run
    "home_text2": Key("", max_characters=MAX_CHARACTERS),
    # Scores
    "scores_part": Key("steps", choices=("steps", "similarity", "scale", "temperature", "table", "geometry")),
    "scores_step": Key("project", choices=SCORE_STEPS),
    "scores_of": Key("q", choices=("q", "k", "v")),
    "scores_width": Key(64, low=1, high=1024),
    "scores_seed": Key(0, low=0, high=9999),
    "scores_temperature": Key(0.5, low=0.05, high=5.0),
    "scores_table": Key("", max_characters=400),  # sixteen numbers; "": Shamsi's table
    # Masks
    "masks_part": Key("panels", choices=("panels", "ways", "cheat", "row", "passes")),
    "masks_kind": Key("", choices=("", *MASK_KINDS)),  # "": the model's own
    "masks_paint": Key("", max_characters=12_000),  # model.experiments.painted_masks.mask_to_text
    "masks_width": Key(0, low=0, high=4096),  # keys in the window; 0: the model's own width, or the usual one
    "masks_where": Key("every layer", choices=("every layer", "this layer")),
    "masks_batch": Key("I am a robot\nWhat time is it?", max_characters=MAX_CHARACTERS),
    "masks_position": Key(-1, low=-1),  # -1: the last token
    "masks_place": Key(-1, low=-1),  # the word that is changed; -1: the last one
    "masks_word": Key("cat", max_characters=60),
    "masks_row": Key(-1, low=-1),  # the row that is hidden; -1: the middle one
    # Heads
    "heads_view": Key("Lines", choices=HEADS_VIEWS),
    "heads_work": Key("measures", choices=("measures", "turns", "rollout", "sweep")),
    "heads_sweep": Key("your sentence", choices=("your sentence", "the examples")),
    "heads_shown": Key((), low=0),  # the heads that have lines; (): the chosen one
    "heads_least": Key(0.03, low=0, high=0.5),
    "heads_hide": Key("nothing", choices=("nothing", "special", "sink", "special and sink")),
    "heads_layout": Key("down", choices=("down", "across")),
    "heads_values": Key("Weights", choices=("Weights", "Scores")),
    "heads_sort": Key("layer", choices=("layer", "previous", "first", "self", "same", "strongest", "spread")),
    "heads_with": Key("Another head", choices=("Another head", "Another sentence")),
    "heads_against": Key(-1, low=-2),  # a key; -1: the mean of all keys, -2: nothing (views.attention.why_there)
    "heads_layer2": Key(-1, low=-1),  # -1: the same layer
    "heads_head2": Key(-1, low=-1),  # -1: the next head
    "heads_text2": Key("", max_characters=MAX_CHARACTERS),
    "heads_many": Key(  # pages.attention.heads_parts.many_texts.VIEWS
        "All heads", choices=("All heads", "This head", "Rule", "Points", "What it writes", "Beside")
    ),
    "heads_texts": Key("", choices=("", "glassformer", "small world", "mine")),  # "": by the model
    "heads_kinds": Key("", max_characters=400),  # of the texts, with commas between; "": all
    # Numbers of a head (views.attention.many_texts.numbers); "": chosen by the page
    "heads_x": Key("", max_characters=60),
    "heads_y": Key("", max_characters=60),
    "heads_colour": Key("", max_characters=60),
    "heads_drawn": Key("points", choices=("points", "histograms")),
    # What is shown of one head (views.attention.many_texts.one_head)
    "heads_about": Key(
        "strongest places",
        choices=("strongest places", "from every tenth", "by kind", "pairs", "distance", "measures"),
    ),
    "heads_measure": Key(
        "strongest", choices=("previous", "first", "self", "same", "induction", "strongest", "spread", "distance")
    ),
    "heads_rule": Key("same-earlier", max_characters=400),  # model.surveys.rule_text
    "heads_side": Key("queries", choices=("queries", "keys", "outputs")),
    "heads_tint": Key("kind", choices=("kind", "token", "text")),
    "heads_beside": Key("", max_characters=200),  # views.attention.many_texts.other_model; "": chosen by the page
    "heads_compared": Key("", max_characters=60),  # a measure; "": what changed most
    # Positions
    "positions_part": Key(
        "heatmap",
        choices=("heatmap", "table", "circles", "distance", "rotary", "join", "order", "requirements"),
        always=True,
    ),
    "positions_source": Key("formula", choices=("formula", "model")),
    "positions_rows": Key("sentence", choices=("sentence", "length")),
    "positions_d": Key(32, low=-1_000_000, high=1_000_000),  # d, n and lengths are checked where they are typed
    "positions_base": Key(10000.0, low=-1e12, high=1e12),
    "positions_length": Key(64, low=-1_000_000, high=1_000_000),
    "positions_pairs": Key((0, 3), low=0),  # whose waves are shown
    "positions_words": Key("I am a robot"),
    "positions_wordwidth": Key(4, low=-1_000_000, high=1_000_000),
    "positions_wordbase": Key(100.0, low=-1e12, high=1e12),
    "positions_view": Key("clocks", choices=("clocks", "plane", "space")),
    "positions_phi": Key(3.0),
    "positions_clock": Key(0, low=0),  # the pair in whose plane the circles lie
    "positions_distance": Key("sinusoidal", choices=("sinusoidal", "learned", "rotary")),
    "positions_places": Key((), low=0),  # t and s; (): the run bar's token, and one a few places before it
    "positions_turned": Key(0, low=0),  # the pair of a head's features
    "positions_of": Key("paper", choices=("paper", "model")),
    "positions_joined": Key(64, low=-1_000_000, high=1_000_000),
    "positions_seed": Key(0, low=0, high=1_000_000_000),
    "positions_check": Key("sinusoidal", choices=("counter", "normalised", "sinusoidal", "learned", "rotary")),
    "positions_trained": Key(32, low=-1_000_000, high=1_000_000),
    # Concat and W_O
    "combine_view": Key("Side by side", choices=("Side by side", "Each head's part", "Mute heads")),
    "combine_muted": Key((), low=-1),  # (): chosen by the page. Other values: views.shared.ablation_choice
    "combine_scope": Key("this layer", choices=("this layer", "every layer")),
    # Block
    "block_part": Key("flow", choices=("flow", "stream", "norm", "ffn", "skips", "orders"), always=True),
    "block_step": Key(""),  # "": what the layer hands on
    "block_norm": Key(""),  # "": the first norm of the layer
    "block_factor": Key(1.0, low=0.1, high=10.0),
    "block_shift": Key(0.0, low=-5.0, high=5.0),
    "block_neuron": Key(-1, low=-1),  # -1: the strongest one of the token
    "block_depth": Key(12, low=1, high=48),
    # Training
    "training_part": Key("replay", choices=("replay", "published", "live", "forcing"), always=True),
    "training_of": Key("", choices=("", "tiny-lm", "tiny-lm-moe", "en-ur")),  # "": the bar's, where it has snapshots
    "training_snapshot": Key(-1, low=-1),  # -1: the last one
    "training_speed": Key("normal", choices=("slow", "normal", "fast")),
    "training_layer": Key(-1, low=-1),  # -1: the layer of the best head
    # the added model of the hub whose published steps are replayed; "": the run bar's, or the first that is one
    "training_published": Key(""),
    "training_checkpoints": Key((), low=0, high=999_999_999),  # the steps; (): about one for each doubling
    "training_checkpoint": Key(-1, low=-1),  # the place of the shown one among them; -1: the last that is measured
    "training_task": Key("reverse", choices=("reverse", "sort", "pairs")),
    "training_rate": Key(0.003, low=0.0, high=1e30),
    "training_warmup": Key(50, low=0, high=5000),
    "training_steps": Key(1000, low=1, high=5000),
    "training_seed": Key(0, low=0, high=9999),
    "training_forced": Key(True),
    "training_shifted": Key(True),
    "training_positions": Key(True),
    "training_scaled": Key(True),
    "training_row": Key(0, low=0),  # of the batch
    "training_look": Key(-1, low=-1),  # the step whose batch is shown; -1: the latest
    # Break a part
    # Names of model.experiments.surgery.PARTS, with commas between; "": chosen by the page
    # (views.shared.ablation_choice).
    "bench_parts": Key(""),
    "bench_heads": Key("none", choices=("none", "one", "all but one")),
    "bench_place": Key(""),  # "": the first attention
    "bench_head": Key(0, low=0),
    "bench_items": Key("60", choices=("20", "60", "200", "1000")),
    # Cost
    "cost_view": Key("Parts", choices=("Parts", "Growth", "Time", "Memory")),
    "cost_tokens": Key(64, low=1, high=1_000_000),
    "cost_width": Key(0, low=0, high=65_536),  # 0: as the model
    "cost_heads": Key(0, low=0, high=1024),
    "cost_layers": Key(0, low=0, high=512),
    # Lecture
    "lecture_open": Key("mine", max_characters=60),  # "mine", or the name of one that comes with the app
    "lecture_scene": Key(0, low=0),
    # A plain scene of a lecture
    "slide_title": Key("", max_characters=120),
    "slide_text": Key("", max_characters=MAX_CHARACTERS),  # a paragraph a line
    "slide_equation": Key("", max_characters=1000),  # LaTeX
    "slide_picture": Key("", max_characters=40),  # pages.teach.lectures.slide_pictures.name_of
    "slide_alt": Key("", max_characters=300),
    "slide_shown": Key(0, low=0),  # paragraphs; 0: all
    # Follow a lecture
    "follow_key": Key("", max_characters=80),
    # Practise
    "practise_level": Key("beginner", choices=tuple(LEVELS)),
    "practise_kind": Key("", choices=("", *QUESTION_TITLES)),  # "": one kind after another
    "practise_seed": Key(0, low=0, high=9999),
    # Glossary
    "glossary_part": Key("terms", choices=("terms", "sources")),
    "glossary_source": Key("", max_characters=60),  # model.bibliography.Work.key; "": none is singled out
    "glossary_term": Key("", max_characters=60),  # model.glossary.Term.anchor; "": none is singled out
    "glossary_find": Key("", max_characters=60),
    # Predict
    "predict_view": Key("attention", choices=("attention", "lens", "cache", "surprise", "branches")),
    "predict_path": Key((), low=0),  # ids of the tokens written after the sentence
    "predict_step": Key(0, low=0),  # the playhead
    "predict_tokens": Key(8, low=0, high=64),
    "predict_temperature": Key(0.0, low=0.0, high=3.0),
    "predict_k": Key(0, low=0),  # 0: all
    "predict_p": Key(1.0, low=0.0, high=1.0),
    "predict_min_p": Key(0.0, low=0.0, high=1.0),  # of the likeliest token's probability; 0: all
    "predict_seed": Key(0, low=0, high=9999),
    "predict_mean": Key(False),  # of all heads of the layer, in place of one head
    "predict_cell": Key((), low=0),  # the lens's chosen row and column
    # Why this word?
    "why_part": Key("account", choices=("account", "trail", "tokens", "cause", "patching", "paths", "head", "steer")),
    "why_answer": Key(-1, low=-1),  # the id of the token that is accounted for; -1: the likeliest
    "why_against": Key(-1, low=-1),  # the id of the token that it is compared with; -1: none
    "why_opened": Key("", max_characters=60),  # model.analysis.attribution.Account.parts; "": the largest that opens
    "why_trail": Key("", max_characters=600),  # model.analysis.trail; "": the one that is followed to its end
    "why_without": Key("nothing", choices=("nothing", "the mean", "another sentence")),  # in the place of a part
    "why_text2": Key("", max_characters=MAX_CHARACTERS),
    "why_site": Key("decoder.resid_in", choices=PATCHED_SITES),
    "why_over": Key("one pair", choices=("one pair", "several pairs")),
    # The pairs of prompts (model.experiments.pair_text), or the name of a task; "": the first one that the model knows
    "why_pairs": Key("", max_characters=MAX_CHARACTERS),
    "why_averaged": Key("heads", choices=("heads", "queries", "keys", "values", "patterns", "account")),
    "why_mean_cell": Key((), low=0),  # the chosen row and column of the averages; (): the largest
    "why_least": Key(0.04, low=0.01, high=0.3),  # the importance of an edge of the paths
    "why_route_opened": Key("", max_characters=60),  # a node or an edge of the paths; "": the highest of a head
    "why_dropped": Key("", max_characters=400),  # model.edits.edges
    # The part of the slider (pages.shared.model_runs.edited_parts); "": the page's own
    "why_steered": Key("", max_characters=40),
    "why_plus": Key("", max_characters=200),  # the sentences whose difference is added; "": the page's own
    "why_minus": Key("", max_characters=200),
    "why_cell": Key((), low=0),  # the chosen layer and column; (): the one that brings most back
    # Translate
    "translate_view": Key("steps", choices=("steps", "wiring", "beam", "forcing", "mistakes")),
    "translate_step": Key(-1, low=-1),  # 0: encoded; -1: the last word
    "translate_layer": Key(-2, low=-2),  # -2: chosen by the page; -1: the mean of all layers
    "translate_head": Key(-1, low=-1),  # -1: the mean of all heads
    "translate_order": Key("reading", choices=("reading", "time")),
    "translate_width": Key(4, low=1, high=8),
    "translate_alpha": Key(1.0, low=0.0, high=2.0),
    "translate_pruned": Key(False),
    "translate_truth": Key("", max_characters=400),  # "": by hand, or the model's own
    # Before attention
    "before_attention_part": Key(
        "sentence", choices=("sentence", "length", "memory", "order", "both", "shapes"), always=True
    ),
    "before_attention_step": Key(-1, low=-1),  # words of the translation that are shown; -1: all
    "before_attention_layer": Key(-1, low=-1),  # -1: chosen for the model by the page
    "before_attention_networks": Key("trained and fresh", choices=("trained", "fresh", "trained and fresh")),
    "before_attention_relative": Key(True),
    "before_attention_blank": Key("I am ___ tired, because I didn't sleep last night", max_characters=200),
    # Classify
    "classify_part": Key("kinds", choices=("kinds", "labels", "words", "sentences"), always=True),
    "classify_token": Key(0, low=0),  # whose attention is shown; 0: the one that gives the text's class
    "classify_model": Key("minilm-l6", choices=("minilm-l6", "tiny-encoder")),
    "classify_word": Key("bank", max_characters=60),
    "classify_sentences": Key(
        "I swam across the river to get to the other bank\nI walked across the road to get cash from the bank\n"
        "George drove to the bank\nShe fished from the bank of the river\nHe opened an account at the bank",
        max_characters=MAX_CHARACTERS,
    ),
    "classify_reference": Key(0, low=0),
    "classify_texts": Key(
        "I swam across the river to get to the other bank\nGeorge drove to the bank\nThe Transformer model is cool\n"
        "The weather is cool\nAJ's dog is a cutie\nAJ looks like a dog",
        max_characters=MAX_CHARACTERS,
    ),
    # See
    "see_part": Key(
        "patches", choices=("patches", "attention", "answer", "map", "place", "cost", "kinds"), always=True
    ),
    "see_at": Key("", max_characters=160),  # the place on the map, as home_at
    "see_model": Key("", always=True),  # "": the first here
    "see_source": Key("example", choices=("example", "upload", "paste", "camera", "draw")),
    "see_example": Key("", max_characters=20),  # "": the first of the model
    "see_sentences": Key(
        "a photo of a flower\na photo of a pagoda\na drawing of coloured shapes", max_characters=MAX_CHARACTERS
    ),  # of models that compare pictures with texts
    "see_fit": Key("", choices=("", "crop", "pad", "stretch", "steps")),  # "": by the model's files, or else "crop"
    "see_layer": Key(-1, low=-1),  # -1: the last one
    "see_head": Key(-1, low=-1),  # -1: head 0
    "see_patch": Key(-1, low=-64),  # -1: the class token; -2 and so on: the learnt tokens after it
    "see_change": Key("shuffle", choices=("shuffle", "blank", "shift")),
    "see_seed": Key(0, low=0, high=9999),
    "see_share": Key(0.3, low=0.0, high=1.0),
    "see_right": Key(2, low=-100, high=100),
    "see_down": Key(0, low=-100, high=100),
    # Tokens: the ladder
    "tokens_part": Key("tokeniser", choices=("tokeniser", "embedding", "ladder"), always=True),
    "tokens_place": Key(-1, low=-1),  # the word that is spelled; -1: that of the run bar's token
    "tokens_step": Key(0, low=-1),  # -1: the last one
    "tokens_samples": Key(
        "میں ایک روبوٹ ہوں\nI like 🙂 and 👍🏽\n1234567 + 0.5\nantidisestablishmentarianism\ncafé naïve",
        max_characters=MAX_CHARACTERS,
    ),
    "tokens_word1": Key("fox", max_characters=60),
    "tokens_word2": Key("dog", max_characters=60),
    "tokens_rung": Key("one-hot", choices=("one-hot", "presence", "tf-idf", "factorisation", "glove", "context")),
    "tokens_k": Key(2, low=1, high=10),
    "tokens_window": Key(5, low=0, high=10),
    "tokens_sentence1": Key("The quick brown fox jumps over the lazy dog", max_characters=MAX_CHARACTERS),
    "tokens_sentence2": Key("The weather is cool and the dog sleeps", max_characters=MAX_CHARACTERS),
}


def belongs(name: str, page: str) -> bool:
    return page in KEYS[name].pages or not KEYS[name].pages if "_" not in name else name.startswith(f"{page}_")
