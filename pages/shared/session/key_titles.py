"""What a reader calls a key of the state, and its value: names for messages, for prompts and for lectures.

A name of `keys.KEYS` is for links, files and code. Readers know the control that sets the key.
"""

from __future__ import annotations

from collections.abc import Mapping

from model.names import SITES
from pages.shared.session.keys import KEYS
from viz.shared.tensor_titles import path_title, title_in_layer
from viz.shared.tokens import shorten

# Of keys whose last word is not what a page calls them. Lower case: they stand inside sentences.
_TITLES = {
    # every page
    "text": "sentence",
    "turns": "conversation",
    "begin": "begin token",
    "target": "translation",
    "urdu": "writing of Urdu",
    "query": "token",
    "columns": "window of the columns",
    "beside": "model beside it",
    # Home and Attention
    "home_at": "place on the map",
    "home_with": "compared with",
    "home_text2": "second sentence",
    "scores_of": "projected vectors",
    "scores_width": "width d_k",
    "masks_kind": "mask",
    "masks_paint": "painted mask",
    "masks_width": "width of the window",
    "masks_where": "layers with the mask",
    "masks_batch": "the other sentences of the batch",
    "masks_position": "token that predicts",
    "masks_place": "changed word",
    "masks_word": "new word",
    "masks_row": "hidden row",
    "heads_work": "what is measured",
    "heads_sweep": "measured on",
    "asked": "queries",
    "summed": "summed by",
    "heads_shown": "heads with lines",
    "heads_least": "least weight",
    "heads_hide": "hidden tokens",
    "heads_sort": "order",
    "heads_with": "compared with",
    "heads_against": "compared with",
    "heads_layer2": "second layer",
    "heads_head2": "second head",
    "heads_text2": "second sentence",
    "heads_many": "shown of many texts",
    "heads_kinds": "kinds of texts",
    "heads_about": "shown of this head",
    "heads_measure": "measure by kind",
    "heads_x": "across",
    "heads_y": "upwards",
    "heads_drawn": "drawn as",
    "heads_rule": "rule",
    "heads_side": "points",
    "heads_tint": "coloured by",
    "heads_beside": "other model",
    "heads_compared": "compared measure",
    # Positions
    "positions_d": "width d",
    "positions_base": "base n",
    "positions_wordwidth": "width d",
    "positions_wordbase": "base n",
    "positions_phi": "shift φ",
    "positions_clock": "pair",
    "positions_distance": "scheme",
    "positions_places": "two positions",
    "positions_turned": "pair",
    "positions_of": "model of the costs",
    "positions_joined": "width of p",
    "positions_check": "scheme",
    "positions_trained": "length",
    # Concat and W_O, Block, Learning
    "combine_muted": "muted heads",
    "combine_scope": "muted in",
    "block_factor": "scale of the input",
    "block_depth": "layers of the untrained networks",
    "training_of": "model",
    "training_snapshot": "snapshot of the training",
    "training_published": "published model",
    "training_checkpoints": "steps of the checkpoints",
    "training_rate": "learning rate",
    "training_warmup": "warm-up steps",
    "training_forced": "teacher forcing",
    "training_shifted": "target shifted",
    "training_scaled": "divide by √d_k",
    "training_row": "row of the batch",
    "training_look": "step of the batch",
    "bench_parts": "parts taken away",
    "bench_heads": "heads to silence",
    "bench_place": "attention of the silenced heads",
    "bench_items": "items a measure",
    # Lectures, Practise and help
    "lecture_open": "open lecture",
    "slide_text": "paragraphs",
    "slide_alt": "description of the picture",
    "slide_shown": "paragraphs on the screen",
    "follow_key": "code of the room",
    "practise_kind": "kind of question",
    "glossary_find": "search",
    # Predict and Why this word
    "predict_view": "part",
    "predict_path": "written tokens",
    "predict_tokens": "new tokens",
    "predict_k": "top-k",
    "predict_p": "top-p",
    "predict_min_p": "min-p",
    "predict_mean": "mean of all heads",
    "why_answer": "answer",
    "why_against": "answer that it is compared with",
    "why_opened": "opened part",
    "why_trail": "trail",
    "why_without": "what stands in a part's place",
    "why_text2": "second sentence",
    "why_site": "patched part",
    "why_over": "pairs that are patched",
    "why_pairs": "pairs of prompts",
    "why_averaged": "averaged over pairs",
    "why_mean_cell": "cell of the averages",
    "why_least": "least importance",
    "why_route_opened": "opened edge",
    "why_dropped": "dropped edges",
    "why_steered": "steered part",
    "why_plus": "sentence that is added",
    "why_minus": "sentence that is subtracted",
    # Translate, Before attention, Classify, See, Tokens
    "translate_view": "part",
    "translate_alpha": "length normalisation α",
    "translate_pruned": "all pruned hypotheses",
    "translate_truth": "true translation",
    "before_attention_step": "words written",
    "before_attention_layer": "decoder layer",
    "before_attention_relative": "relative to the last token itself",
    "before_attention_blank": "sentence with a blank",
    "classify_reference": "word to compare with",
    "classify_texts": "sentences",
    "see_at": "place on the map",
    "see_model": "vision model",
    "see_source": "picture",
    "see_sentences": "sentences for the picture",
    "see_fit": "part of the picture that is read",
    "see_share": "share of the patches",
    "see_right": "pixels to the right",
    "see_down": "pixels down",
    "tokens_place": "word",
    "tokens_samples": "sample texts",
    "tokens_word1": "first word",
    "tokens_word2": "second word",
    "tokens_k": "K",
    "tokens_sentence1": "sentence with word 1",
    "tokens_sentence2": "sentence with word 2",
}

_CODES = {  # keys whose values are codes that a reader cannot read
    *("home_at", "see_at", "edits", "masks_paint", "scores_table", "slide_picture", "predict_path", "why_opened"),
    *("why_route_opened", "why_dropped", "why_steered", "why_trail", "why_answer", "why_against", "bench_place"),
}

_VALUES = {  # of choices that are names of tensors, as menus write them
    "encoder.self_attn": "self-attention of the encoder",
    "decoder.self_attn": "self-attention of the decoder",
    "decoder.cross_attn": "cross-attention",
    **SITES,
}


def title_of(name: str) -> str:
    """What a reader calls a key: "second layer" for "heads_layer2". An unknown key has no other name than its own."""
    if name not in KEYS:
        return name
    return _TITLES.get(name, name.rpartition("_")[2])


def is_code(name: str) -> bool:
    """Whether a reader cannot read the values of a key."""
    return name in _CODES


def value_title(value: str) -> str:
    """A choice in words: "residual stream" for "decoder.resid_in", "layer 3, feed-forward" for "decoder.3.ffn"."""
    known = _VALUES.get(value) or _VALUES.get(value.partition(".")[2])
    return known or path_title(title_in_layer(value))


def write_values(values: Mapping[str, str], max_characters: int = 40) -> str:
    """Values of a view, as in its URL, in words: "view: Matrix, layer: 3", as plain text."""
    return ", ".join(_write(name, value, max_characters) for name, value in values.items())


def _write(name: str, value: str, max_characters: int) -> str:
    if is_code(name) and value:
        return f"{title_of(name)}: changed"
    shown = value_title(value) if name in KEYS and KEYS[name].choices else value
    return f"{title_of(name)}: {shorten(shown, max_characters) or 'chosen by the page'}"
