"""The configuration of a transformer. Every architecture here is one choice of its values."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from model.config_checks import check_choices, check_types, make_config
from model.config_values import CHOICES, IF_GIVEN, ConfigValues
from model.errors import ConfigError

Kind = Literal["encoder", "decoder", "encoder-decoder"]


@dataclass(frozen=True)
class TransformerConfig(ConfigValues):
    """One transformer, of the values of `model.config_values`.

    `n_encoder_layers` and `n_decoder_layers` decide the kind: encoder-only, decoder-only, or both.
    Raises `ConfigError` where the values describe no transformer. The error names the value and how to mend it.
    """

    def __post_init__(self) -> None:
        check_types(self)
        given = (name for name in IF_GIVEN if getattr(self, name) is not None)
        sizes = ("d_model", "n_heads", "d_ff", "max_length", *given)
        for name in sizes if self.image_size else ("vocab_size", *sizes):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at least 1.")
        counts = ("d_position", "d_shared", "n_segments", "image_size", "patch_size", "channels", "n_registers")
        for name in (*counts, "shared_width", "embedding_size", "norm_eps"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be at least 0.")
        check_choices(self, CHOICES)
        self._check_layers()
        self._check_experts()
        if self.positions == "rotary":
            self._check_rotary()
        if self.positions == "relative":
            self._check_relative()
        if self.has_position_vectors:
            self._check_position_width()
        if self.embedding_size:
            self._check_embedding()
        if self.image_size:
            self._check_picture()
        self._check_answer()
        if (self.distillation_token or self.n_registers) and not self.image_size:
            raise ConfigError("A distillation token and registers are for models that read pictures.")
        if (self.causal or self.shared_width) and self.kind != "encoder":
            raise ConfigError("causal and shared_width are for encoder-only models: the towers of pictures and texts.")
        if self.pooled == "probe" and self.shared_width not in (0, self.d_model):
            raise ConfigError("What a probe gathers is not projected: shared_width is d_model.")
        if self.distillation_head and not (self.distillation_token and self.image_labels):
            raise ConfigError("A distillation head needs a distillation token and image_labels.")
        if self.positions in ("sinusoidal", "rotary") and not self.position_base > 1:
            raise ConfigError(f"position_base is {self.position_base}; it must be greater than 1.")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout is {self.dropout}; it must be at least 0 and below 1.")

    def _check_layers(self) -> None:
        if self.n_encoder_layers < 0 or self.n_decoder_layers < 0:
            raise ConfigError("A stack cannot have a negative number of layers.")
        if self.n_encoder_layers + self.n_decoder_layers == 0:
            raise ConfigError("Give n_encoder_layers, n_decoder_layers, or both: a transformer needs a layer.")
        if self.d_head is None and self.d_model % self.n_heads:
            raise ConfigError(
                f"d_model = {self.d_model} does not divide into {self.n_heads} heads; change one, or give d_head."
            )
        if self.n_heads % self.kv_heads:
            raise ConfigError(f"n_heads = {self.n_heads} must be a multiple of n_kv_heads = {self.kv_heads}.")
        stack = self.stacks[-1]
        for name in ("window_layers", "unturned_layers"):
            if any(not 0 <= layer < self.n_layers(stack) for layer in getattr(self, name)):
                raise ConfigError(f"{name} are layers of the {stack}: 0 to {self.n_layers(stack) - 1}.")
        if self.unnormed_first and not (self.norm_position == "pre" and self.embed_norm):
            raise ConfigError("unnormed_first is for pre-norm blocks after an embedding that has a norm.")
        if self.shared_layers and (self.unnormed_first or self.scores_by_layer):
            raise ConfigError("shared_layers is for layers that are all alike.")
        if self.qk_norm_whole and not self.qk_norm:
            raise ConfigError("qk_norm_whole says how queries and keys are normalised: set qk_norm, too.")
        for name in ("score_width", "score_cap", "token_scale", "residual_scale", "logit_scale", "logit_cap"):
            if not (getattr(self, name) is None or getattr(self, name) > 0):
                raise ConfigError(f"{name} is {getattr(self, name)}; it must be greater than 0.")
        if self.residual_scale != 1 and (self.layer_scale or self.kind == "encoder-decoder"):
            raise ConfigError("residual_scale is for stacks without cross-attention and without layer_scale.")
        if self.parallel_residual and (self.norm_position != "pre" or self.kind == "encoder-decoder"):
            raise ConfigError("Sublayers that read the same stream need pre-norm blocks without cross-attention.")

    def _check_experts(self) -> None:
        if not 0 <= self.n_taken <= self.n_experts or bool(self.n_taken) != bool(self.n_experts):
            raise ConfigError(f"n_taken is {self.n_taken}; a token takes 1 to {self.n_experts} experts (n_experts).")
        if (self.d_shared and not self.n_experts) or (self.shared_gate and not self.d_shared):
            raise ConfigError("d_shared is for models with experts, and shared_gate for those with d_shared.")

    def _check_answer(self) -> None:
        if (self.text_labels or self.token_labels) and self.kind != "encoder":
            raise ConfigError("Class labels are for encoder-only models.")
        if self.masked_words and (self.kind != "encoder" or self.text_labels or self.token_labels or self.image_size):
            raise ConfigError("Masked words are for encoder-only models of text without class labels.")
        if self.transform != "none" and not (self.masked_words or self.text_labels):
            raise ConfigError("A transform stands before masked words or text_labels, and this model has neither.")
        if self.answer_span and (len(self.token_labels) != 2 or self.text_labels or self.label_scores != "none"):
            raise ConfigError('answer_span needs two token_labels, no text_labels, and label_scores "none".')
        scored = self.text_labels or self.image_labels or self.shared_width or self.answer_span
        if self.label_scores != "softmax" and not scored:
            raise ConfigError("label_scores is for models with text_labels, image_labels or shared vectors.")
        if self.masked_words and self.transform == "none":
            raise ConfigError("Masked words need a transform: name its activation.")
        if self.output_bias and not self.answers_words:
            raise ConfigError("This encoder has no output layer, so output_bias is for models with a decoder.")

    def _check_rotary(self) -> None:
        width = self.rotary_width or self.head_width
        if self.head_width % 2 or width % 2 or width > self.head_width:
            raise ConfigError(
                f"Rotary positions turn pairs of features: d_head = {self.head_width} must be even, and so must "
                f"rotary_width = {width}, which is at most d_head."
            )
        if self.rotary_scaling and (len(self.rotary_scaling) != width // 2 or min(self.rotary_scaling) <= 0):
            raise ConfigError(f"rotary_scaling has a positive number for each of the {width // 2} pairs that turn.")
        if self.window_base is not None and not self.window_base > 1:
            raise ConfigError(f"window_base is {self.window_base}; it must be greater than 1.")
        if not self.rotary_gain > 0:
            raise ConfigError(f"rotary_gain is {self.rotary_gain}; it must be greater than 0.")

    def _check_relative(self) -> None:
        if self.relative_buckets < 4:
            raise ConfigError(f"relative_buckets is {self.relative_buckets}; relative positions need at least 4.")
        if self.relative_reach <= self.relative_buckets // 2:
            raise ConfigError(
                f"relative_reach is {self.relative_reach}; it must be greater than "
                f"{self.relative_buckets // 2}, half of relative_buckets: nearer keys have buckets of their own."
            )

    def _check_picture(self) -> None:
        if self.patch_size < 1 or self.image_size % self.patch_size:
            raise ConfigError(
                f"A picture of {self.image_size} pixels a side does not divide into patches of {self.patch_size}."
            )
        if self.channels < 1 or self.kind != "encoder" or self.n_segments:
            raise ConfigError("A vision model is an encoder without segments, and its pictures have channels.")
        tokens = self.n_special_tokens + self.n_patches
        if self.max_length != tokens:
            special = ", ".join(self.special_tokens)
            raise ConfigError(f"max_length must be {tokens}: {special} and {self.n_patches} patches.")

    def _check_embedding(self) -> None:
        has_sum = self.embed_norm and self.position_mix == "add" and not self.image_size
        if self.kind != "encoder" or not has_sum:
            raise ConfigError("embedding_size is for encoders of text whose embedding is a sum with a norm.")

    def _check_position_width(self) -> None:
        if self.position_mix == "concat" and not 0 < self.d_position < self.d_model:
            raise ConfigError("Concatenated positions need 0 < d_position < d_model: x = (e, p) is d_model wide.")
        if self.position_mix == "add" and self.d_position:
            raise ConfigError('Added positions are d_model wide: leave d_position at 0, or set position_mix="concat".')
        if self.positions == "sinusoidal" and self.position_width % 2:
            raise ConfigError(f"Sine and cosine come in pairs: the position width {self.position_width} must be even.")

    @property
    def kind(self) -> Kind:
        """The stacks of the model: "encoder", "decoder" or "encoder-decoder"."""
        if self.n_encoder_layers and self.n_decoder_layers:
            return "encoder-decoder"
        return "encoder" if self.n_encoder_layers else "decoder"

    @property
    def stacks(self) -> tuple[str, ...]:
        """The stacks that this model has, in the order in which they run."""
        layers = (("encoder", self.n_encoder_layers), ("decoder", self.n_decoder_layers))
        return tuple(name for name, n_layers in layers if n_layers)

    def n_layers(self, stack: str) -> int:
        """The number of layers of the "encoder" or the "decoder"; 0 if the model does not have that stack."""
        return {"encoder": self.n_encoder_layers, "decoder": self.n_decoder_layers}[stack]

    def attentions(self, stack: str) -> tuple[str, ...]:
        """The attentions of one layer of a stack, in the order in which they run.

        Only the decoder of an encoder-decoder model has cross-attention.
        """
        crosses = stack == "decoder" and self.kind == "encoder-decoder"
        return ("self_attn", "cross_attn") if crosses else ("self_attn",)

    def is_causal(self, stack: str) -> bool:
        """Whether a token of that stack sees itself and those before it alone."""
        return stack == "decoder" or self.causal

    def window_of(self, stack: str, layer: int) -> int | None:
        """How many of the last keys a query of self-attention sees in that layer; None: no window bounds them."""
        windowed = stack == self.stacks[-1] and (not self.window_layers or layer in self.window_layers)
        return self.window if windowed else None

    def of_layer(self, stack: str, layer: int) -> TransformerConfig:
        """The configuration with the window and the positions that one layer's self-attention has."""
        window = self.window_of(stack, layer)
        own: dict[str, Any] = {"window": window, "window_layers": (), "window_base": None, "unturned_layers": ()}
        if self.scores_by_layer:
            width = (self.score_width or self.head_width) if self.scale_scores else 1
            own |= {"scale_scores": True, "score_width": float(width * (layer + 1) ** 2), "scores_by_layer": False}
        if stack == self.stacks[-1] and layer in self.unturned_layers:
            own["positions"] = "none"
        if window is not None and self.window_base is not None:
            own |= {"position_base": self.window_base, "rotary_scaling": (), "rotary_gain": 1.0}
        return self if all(getattr(self, name) == value for name, value in own.items()) else replace(self, **own)

    @property
    def head_width(self) -> int:
        """d_k, the features of one query, key or value."""
        return self.d_head or self.d_model // self.n_heads

    @property
    def has_qkv_bias(self) -> bool:
        """Whether the maps to queries, keys and values have biases."""
        return self.bias if self.qkv_bias is None else self.qkv_bias

    @property
    def has_out_bias(self) -> bool:
        """Whether W_O, after the heads, has a bias."""
        return self.bias if self.out_bias is None else self.out_bias

    @property
    def kv_heads(self) -> int:
        """Key and value heads: as many as query heads unless fewer are given."""
        return self.n_kv_heads or self.n_heads

    def kv_head_of(self, head: int) -> int:
        """The key and value head that a query head reads. Query heads in a row share one."""
        return head // self.heads_per_kv_head

    @property
    def heads_per_kv_head(self) -> int:
        """How many query heads share one key and value head: 1 where each has its own."""
        return self.n_heads // self.kv_heads

    @property
    def score_divisor(self) -> float:
        """What q.k is divided by: the root of d_k, or of the number that the model has in its place, or 1."""
        return math.sqrt(self.score_width or self.head_width) if self.scale_scores else 1.0

    @property
    def token_factor(self) -> float:
        """What token embeddings are multiplied by: sqrt(d_model), the model's own number, or 1."""
        return self.token_scale or (math.sqrt(self.d_model) if self.embed_scale else 1.0)

    @property
    def logit_factor(self) -> float:
        """What the last hidden states are multiplied by before the output layer."""
        return self.logit_scale or (self.d_model**-0.5 if self.scale_logits else 1.0)

    @property
    def norms_sums(self) -> bool:
        """Whether a norm stands after each sum on the residual stream, as in a post-norm block."""
        return self.norm_position == "post"

    @property
    def norms_inputs(self) -> bool:
        """Whether a sublayer reads a normalised copy of the stream."""
        return self.norm_position in ("pre", "both")

    @property
    def norms_outputs(self) -> bool:
        """Whether a sublayer's output passes a norm before it is added to the stream."""
        return self.norm_position in ("output", "both")

    @property
    def has_positions(self) -> bool:
        """Whether the model knows the order of its tokens by positions of any kind."""
        return self.positions != "none"

    @property
    def has_position_bias(self) -> bool:
        """Whether self-attention adds a number to its scores for each distance between query and key."""
        return self.positions in ("relative", "alibi")

    @property
    def has_position_vectors(self) -> bool:
        """Whether the embedding has a vector for each position. Rotary positions are in the attention instead."""
        return self.positions in ("sinusoidal", "learned")

    @property
    def adds_positions(self) -> bool:
        """Whether the embedding adds position vectors to token vectors, instead of putting them side by side."""
        return self.has_position_vectors and self.position_mix == "add"

    @property
    def position_width(self) -> int:
        """Features of one position vector p(t); 0 where positions are not part of the embedding."""
        if not self.has_position_vectors:
            return 0
        return self.d_position if self.position_mix == "concat" else self.embedding_width

    @property
    def embedding_width(self) -> int:
        """Features of the embedding before it is widened; d_model where it is not."""
        return self.embedding_size or self.d_model

    @property
    def transform_width(self) -> int:
        """Features of what an encoder's transform makes: as many as its answer reads."""
        return self.embedding_width if self.masked_words else self.d_model

    @property
    def token_width(self) -> int:
        """Features of one token embedding e."""
        return self.embedding_width - (self.position_width if self.position_mix == "concat" else 0)

    @property
    def answers_words(self) -> bool:
        """Whether the model gives every token of a vocabulary a logit: as the next one, or as the one at a place."""
        return self.n_decoder_layers > 0 or self.masked_words

    @property
    def has_answer(self) -> bool:
        """Whether the model gives a text, or its tokens, words or classes."""
        return self.answers_words or bool(self.classes)

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels of an encoder's answer: of the text, or else of each token."""
        return self.text_labels or self.token_labels

    @property
    def answers_places(self) -> bool:
        """Whether each place has an answer of its own: a word, or the class of its token."""
        return self.answers_words or bool(self.token_labels and not self.text_labels)

    @property
    def answer_tensor(self) -> str:
        """The recorded tensor that has the logits of the answer."""
        return "logits" if self.answers_words else "text_logits" if self.text_labels else "token_logits"

    @property
    def shares_output_table(self) -> bool:
        """Whether the output layer is the embedding table. The two must have the same width."""
        return self.tied_embeddings and self.token_width == self.embedding_width

    def to_dict(self) -> dict[str, Any]:
        """The values by name, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> TransformerConfig:
        """The inverse of `to_dict`, also for values that came through JSON. Raises `ConfigError`."""
        return make_config(cls, values)
