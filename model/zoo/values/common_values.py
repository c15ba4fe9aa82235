"""The keys of `config.json` that every family has, and what each of them does to a number: nothing, mostly.

Those of `PreTrainedConfig` of `transformers`, those of its earlier versions, and the notes that programs leave.
"""

from __future__ import annotations

from model.zoo.values.known_values import KnownValues, Only

READ = ("model_type", "architectures", "id2label", "num_labels", "problem_type", "pad_token_id", "eos_token_id")

# Names, and how a network of `transformers` runs: in which number type, how its attention is computed, what it returns.
OF_THE_LIBRARY = (
    "_name_or_path", "name_or_path", "_commit_hash", "transformers_version", "label2id", "_num_labels",
    "dtype", "torch_dtype", "chunk_size_feed_forward", "output_hidden_states", "return_dict", "use_return_dict",
    "output_attentions", "_output_attentions", "attn_implementation", "_attn_implementation",
    "_attn_implementation_internal", "_attn_implementation_autoset", "_experts_implementation",
    "_experts_implementation_internal", "experts_implementation", "torchscript", "output_past", "use_cache",
    "cache_implementation", "gradient_checkpointing", "use_bfloat16", "tf_legacy_loss", "_pre_quantization_dtype",
)  # fmt: skip

# Chances and beginnings of training. They change no number of a run of a trained network.
OF_TRAINING = (
    "initializer_range", "initializer_factor", "init_std", "dropout", "attention_dropout", "hidden_dropout",
    "activation_dropout", "classifier_dropout", "classif_dropout", "hidden_dropout_prob",
    "attention_probs_dropout_prob", "layerdrop", "drop_path_rate", "finetuning_task", "task_specific_params",
    "router_aux_loss_coef", "loss_type", "pretraining_tp",
)  # fmt: skip

# Tokens: the tokenizer's own files say them. And how `transformers` writes, which generation_config.json says.
OF_TOKENS_AND_WRITING = (
    "bos_token_id", "sep_token_id", "cls_token_id", "mask_token_id", "unk_token_id", "eos_token_ids",
    "tokenizer_class", "prefix", "model_max_length", "max_sequence_length", "max_seq_length",
    "max_length", "min_length", "do_sample", "early_stopping", "num_beams", "num_beam_groups", "diversity_penalty",
    "temperature", "top_k", "top_p", "typical_p", "repetition_penalty", "length_penalty", "no_repeat_ngram_size",
    "encoder_no_repeat_ngram_size", "bad_words_ids", "num_return_sequences", "output_scores",
    "return_dict_in_generate", "forced_bos_token_id", "forced_eos_token_id", "force_bos_token_to_be_generated",
    "remove_invalid_values", "exponential_decay_length_penalty", "suppress_tokens", "begin_suppress_tokens",
    "epsilon_cutoff", "eta_cutoff", "encoder_repetition_penalty", "num_assistant_tokens",
    "num_assistant_tokens_schedule", "assistant_confidence_threshold", "assistant_lookbehind",
    "target_lookbehind", "use_mtp", "max_new_tokens", "min_new_tokens", "renormalize_logits",
)  # fmt: skip

# Notes of programs that train, convert or run models. No version of `transformers` reads them.
OF_PROGRAMS = (
    "unsloth_version", "unsloth_fixed", "unsloth_training", "_unsloth_version", "is_llama_config",
    "transformers.js_config", "sentence_transformers", "sbert_ce_default_activation_function",
    "custom_pipelines", "model_name", "language", "license", "trl_version", "neftune_noise_alpha", "nemo_version",
    "_flash_attn_2_enabled", "use_flash_attention", "use_flash_attn", "use_flash_attention_2", "training", "seed",
    "onnx_export_config", "tie_weights_", "adapters", "tokenizer_model_max_length", "tokenizer_padding_side",
    "optimum_version", "neuron", "seq_length", "architecture", "max_batch_size", "save_step",
)  # fmt: skip

COMMON = KnownValues(
    read=READ,
    without_effect=(*OF_THE_LIBRARY, *OF_TRAINING, *OF_TOKENS_AND_WRITING, *OF_PROGRAMS),
    refused={
        "quantization_config": Only((None, {}), "the weights are packed numbers of another kind"),
        "compression_config": Only((None, {}), "the weights are packed numbers of another kind"),
        "quantization": Only((None, {}), "the weights are packed numbers of another kind"),
        "auto_map": Only((None, {}), "a program that lies beside the weights computes the numbers"),
        "pruned_heads": Only((None, {}), "some layers have fewer heads than others"),
        "per_layer_config": Only((None, {}), "layers have values of their own"),
        "cross_attention_hidden_size": Only((None,), "a second attention reads another network"),
        "encoder_hidden_size": Only((None,), "a second attention reads another network"),
        "add_cross_attention": Only((False, None), "a second attention reads another network"),
        "tie_encoder_decoder": Only((False, None), "both stacks have the same weights"),
        "is_encoder_decoder": Only((False, None), "there is a second stack"),
    },
)
IS_DECODER = Only((False, None), "a token sees only the tokens before it")
IS_CAUSAL = Only((True,), "a token also sees the tokens after it")
TURNED = Only((False, None), "neighbouring features of a head turn together in the stored weights")
# `transformers` has no window in these families, but forgets keys that lie further back where it writes with a cache.
OF_PLACES = Only((False, None), "a token has a place in time, height and width, as one of a film")
ALL_SEEN = Only((None,), "a token that is written sees fewer tokens before it than one that is read")

# Of a decoder: it is one whatever `is_decoder` says, and it is asked for no class.
DECODER = COMMON | KnownValues(without_effect=("is_decoder",), refused={"is_causal": IS_CAUSAL})
# Of an encoder: its tokens see one another whatever these say, but for those of BERT and RoBERTa (`IS_DECODER`).
ENCODER = COMMON | KnownValues(without_effect=("is_decoder", "is_causal"))
# Of an encoder-decoder.
BOTH_STACKS = COMMON | KnownValues(
    read=("decoder_start_token_id",),
    without_effect=("is_decoder",),  # each stack is told for itself what it is
    refused={"is_encoder_decoder": Only((True,), "there is one stack"), "is_causal": IS_CAUSAL},
)
