"""The values of a transformer: what an architecture is chosen by. `model.config` checks them, and derives others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from model.picture_values import PictureValues, Pooled

Norm = Literal["layer", "rms", "none"]
NormPosition = Literal["post", "pre", "output", "both"]
Positions = Literal["sinusoidal", "learned", "rotary", "relative", "alibi", "none"]
PositionMix = Literal["add", "concat"]
Activation = Literal["relu", "gelu", "gelu_tanh", "gelu_quick", "silu", "tanh"]
LabelScores = Literal["softmax", "sigmoid", "none"]
Transform = Literal["none", "relu", "gelu", "gelu_tanh", "gelu_quick", "silu", "tanh"]
ACTIVATIONS: dict[str, str] = {  # name -> spelling on screen
    "relu": "ReLU",
    "gelu": "GELU",
    "gelu_tanh": "tanh-GELU",
    "gelu_quick": "quick GELU",
    "silu": "SiLU",
    "tanh": "tanh",
}

IF_GIVEN = ("n_kv_heads", "d_head", "target_vocab_size", "rotary_width", "window")  # sizes that may be None
CHOICES: dict[str, tuple[str, ...]] = {
    "norm": get_args(Norm),
    "norm_position": get_args(NormPosition),
    "positions": get_args(Positions),
    "position_mix": get_args(PositionMix),
    "activation": get_args(Activation),
    "transform": get_args(Transform),
    "label_scores": get_args(LabelScores),
    "pooled": get_args(Pooled),
}


@dataclass(frozen=True)
class ConfigValues(PictureValues):
    """What a model is chosen by. The defaults are those of Vaswani et al. (2017), arXiv:1706.03762."""

    vocab_size: int
    d_model: int
    n_heads: int
    d_ff: int
    max_length: int
    n_encoder_layers: int = 0
    n_decoder_layers: int = 0
    shared_layers: bool = False  # all layers of a stack have the same weights, as in ALBERT
    target_vocab_size: int | None = None  # the decoder's own vocabulary; None: shared with the encoder
    n_kv_heads: int | None = None  # fewer than n_heads: grouped-query attention (Ainslie et al. 2023)
    d_head: int | None = None  # d_k = d_v; None: d_model / n_heads
    bias: bool = True  # of every linear map in a layer, unless the next two say otherwise
    qkv_bias: bool | None = None  # of the maps to queries, keys and values
    out_bias: bool | None = None  # of W_O
    qk_norm: bool = False  # each head's queries and keys divided by their RMS, times a learnt gain; Henry et al. (2020)
    qk_norm_whole: bool = False  # the queries of all heads have one norm together, and so have the keys, as in OLMo 2
    scale_scores: bool = True  # divide q.k by sqrt(d_k)
    score_width: float | None = None  # by the root of this number instead, as in Gemma and Granite
    scores_by_layer: bool = False  # layer n, counted from 1, divides its scores by n, too
    score_cap: float | None = None  # c: scores become c tanh(score / c), between -c and c, as in Gemma 2
    window: int | None = None  # a decoder's query sees the last so many keys, its own included; None: all before it
    # An encoder's query sees as many on each side.
    window_layers: tuple[int, ...] = ()  # the layers that have the window; (): all of them
    residual: bool = True  # add a sublayer's output to its input
    residual_scale: float = 1.0  # times this number, as in Granite
    parallel_residual: bool = False  # attention and feed-forward read the same stream; Black et al. (2022)
    norm: Norm = "layer"
    norm_position: NormPosition = "post"
    norm_bias: bool = True  # of LayerNorms; without, they have gains alone, as in MPT
    unnormed_first: bool = False  # attention of the first layer reads the embedding, which has a norm, as it is
    norm_eps: float = 1e-5
    positions: Positions = "sinusoidal"
    position_mix: PositionMix = "add"
    d_position: int = 0  # width of the position part when concatenated: x = (e, p)
    position_base: float = 10000.0  # n in w_k = n^(-2k / d)
    sines_first: bool = False  # sinusoidal positions have all sines, then all cosines, as in Marian; else in turns
    rotary_width: int | None = None  # how many features of a head turn, the first ones; None: all
    rotary_scaling: tuple[float, ...] = ()  # divides the speeds of its pairs: `model.network.rotary_scaling`; (): none
    rotary_gain: float = 1.0  # turned queries and keys are multiplied by it, as in YaRN
    window_base: float | None = None  # n in layers with a window, whose speeds no scaling divides; None: as in all
    unturned_layers: tuple[int, ...] = ()  # the layers of the decoder without rotary positions, as in SmolLM3
    relative_buckets: int = 32  # rows of the table of biases of relative positions: `model.network.relative_positions`
    relative_reach: int = 128  # from this distance on, relative positions have one bucket for all keys
    own_biases: bool = False  # each layer has a table of its own, as in UMT5; else all layers of a stack share one
    unplaced_token: int | None = None  # the id of a token without a position, RoBERTa's padding: no text may have it
    n_segments: int = 0  # segment embeddings, as in BERT
    segment_border: int | None = None  # the id of the token after which another segment begins; None: there is one
    embed_scale: bool = True  # e * sqrt(d_model), Vaswani et al. section 3.4
    token_scale: float | None = None  # e times this number instead, as in Granite
    embed_norm: bool = False  # a norm right after the embedding, as in BERT
    embedding_size: int = 0  # encoder-only: tables are so wide, and a linear map widens what their norm gives
    # to d_model: Lan et al. (2020), arXiv:1909.11942, section 3.1. 0: they are as wide as the model, without a map.
    activation: Activation = "relu"
    gated: bool = False  # act(x W_gate) * (x W_up), Shazeer (2020)
    n_experts: int = 0  # feed-forward networks of d_ff of which a token takes some: `model.network.experts`; 0: one
    n_taken: int = 0  # how many experts a token takes, those that its router prefers
    normalise_taken: bool = True  # the weights of the taken experts sum to 1; otherwise those of all would
    d_shared: int = 0  # hidden features of an expert that every token takes besides; 0: there is none
    shared_gate: bool = False  # what it gives is multiplied by sigmoid(w x), as in Qwen2-MoE
    tied_embeddings: bool = True  # u = h E^T: the output layer is the embedding table
    scale_logits: bool = False  # u = (h / sqrt(d_model)) E^T, as in T5
    logit_scale: float | None = None  # h times this number instead, as in Granite
    logit_cap: float | None = None  # c: logits become c tanh(u / c), as in Gemma 2
    output_bias: bool = False  # u = h E^T + b: a learnt number for each token of the vocabulary, as in Marian
    causal: bool = False  # encoder-only: a token sees those before it alone, as in the text tower of CLIP
    text_labels: tuple[str, ...] = ()  # encoder-only: classes read off the first token
    masked_words: bool = False  # encoder-only: the word at each place, also where a mask stands; a norm before it
    transform: Transform = "none"  # encoder-only: act(W x + b) between the last layer and the answer, as in BERT
    transform_bias: bool = True
    transform_norm: bool = False  # a norm after it before classes, too, as in ModernBERT
    token_labels: tuple[str, ...] = ()  # encoder-only: classes read off every token
    answer_span: bool = False  # they are two, the start and the end of an answer: `model.analysis.answer_span`
    label_scores: LabelScores = "softmax"  # of texts and pictures: `model.network.answer_scores`
    layer_scale: bool = False  # a sublayer's output times a learnt gain a feature, Touvron et al. (2021)
    dropout: float = 0.0
