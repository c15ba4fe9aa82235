"""Each family beside `transformers`, at the shape of a published small model, with equal random weights.

A trace that keeps everything against their eager run with attentions and hidden states, writing with the cache against
`generate`, and loading against reading the file once and copying it. The vocabulary is small (`tiny_families`), so that
the layers are compared.
"""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from model import Model
from model.loading import read_checkpoint
from model.process_memory import give_back_memory
from model.run import ids_of
from model.vision.model import VisionModel, load_vision
from tests.benchmarks import processor
from tests.benchmarks.row import Row, table
from tests.benchmarks.trace import interleaved
from tests.model.zoo import tiny_families
from tests.model.zoo.reference import outputs
from tests.model.zoo.tiny_towers import make_clip, make_siglip

LENGTHS = (16, 64, 256)
LIMIT = 1.0
WRITTEN = 32  # tokens
WRITING_LIMIT = 1 / 1.5
LOADING_LIMIT = 1.2
SMOLLM2: dict[str, Any] = {
    "hidden_size": 576, "intermediate_size": 1536, "num_hidden_layers": 30, "num_attention_heads": 9,
    "num_key_value_heads": 3, "max_position_embeddings": 2048, "tie_word_embeddings": True,
}  # fmt: skip
QWEN: dict[str, Any] = {  # six of its 24 layers
    "hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 6, "num_attention_heads": 14,
    "num_key_value_heads": 2, "max_position_embeddings": 2048,
}  # fmt: skip
SIX_LAYERS: dict[str, Any] = {  # of models of this width, which have 16 to 40
    "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 6, "num_attention_heads": 16,
    "num_key_value_heads": 16, "max_position_embeddings": 2048,
}  # fmt: skip
WRITERS: dict[str, tuple[str, dict[str, Any]]] = {
    "GPT-2": ("gpt2", {"n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024}),
    "Pythia 70M": (
        "gpt_neox",
        {"hidden_size": 512, "intermediate_size": 2048, "num_hidden_layers": 6, "num_attention_heads": 8,
         "max_position_embeddings": 2048},
    ),
    "SmolLM2": ("llama", SMOLLM2),
    "Qwen2.5 0.5B": ("qwen2", QWEN),
    "Qwen3": ("qwen3", {**QWEN, "head_dim": 64}),
    "Mistral": ("mistral", SMOLLM2),
    "Gemma 3 270M": (
        "gemma3_text",
        {"hidden_size": 640, "intermediate_size": 2048, "num_hidden_layers": 18, "num_attention_heads": 4,
         "num_key_value_heads": 1, "head_dim": 256, "max_position_embeddings": 2048, "query_pre_attn_scalar": 256,
         "sliding_window": 512},
    ),
    "OLMo 2 1B": ("olmo2", SIX_LAYERS),
    "SmolLM3": ("smollm3", {**SIX_LAYERS, "num_key_value_heads": 4}),
    "Granite 3 2B": ("granite", {**SIX_LAYERS, "num_key_value_heads": 8, "residual_multiplier": 0.22}),
    "Granite 3 1B, of experts": (
        "granitemoe",
        {"hidden_size": 1024, "intermediate_size": 512, "num_hidden_layers": 6, "num_attention_heads": 16,
         "num_key_value_heads": 8, "max_position_embeddings": 2048, "num_local_experts": 32, "num_experts_per_tok": 8},
    ),
    "StableLM 2 1.6B": ("stablelm", {**SIX_LAYERS, "num_key_value_heads": 16}),
    "OPT 125M": (
        "opt",
        {"hidden_size": 768, "ffn_dim": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
         "max_position_embeddings": 2048},
    ),
    "BLOOM 560M": ("bloom", {"hidden_size": 1024, "n_layer": 6, "n_head": 16}),
}  # fmt: skip
BERT: dict[str, Any] = {
    "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
    "max_position_embeddings": 514,
}  # fmt: skip
READERS: dict[str, tuple[str, dict[str, Any]]] = {
    "BERT": ("bert", BERT),
    "RoBERTa": ("roberta", BERT),
    "ALBERT base": ("albert", {**BERT, "embedding_size": 128}),
    "ModernBERT": ("modernbert", {**BERT, "intermediate_size": 1152, "num_hidden_layers": 11}),
    "DistilBERT": (
        "distilbert",
        {"dim": 768, "hidden_dim": 3072, "n_layers": 6, "n_heads": 12, "max_position_embeddings": 512},
    ),
}
VIT: dict[str, Any] = {
    "hidden_size": 384, "intermediate_size": 1536, "num_hidden_layers": 12, "num_attention_heads": 6,
    "image_size": 224, "patch_size": 16,
}  # fmt: skip
WITH_REGISTERS = {**VIT, "patch_size": 14, "mlp_ratio": 4}
VIEWERS = {"ViT-S": ("vit", VIT), "DeiT-S": ("deit", VIT), "DINOv2-S with registers": ("registers", WITH_REGISTERS)}
TOWER: dict[str, Any] = {
    "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
    "image_size": 224,
}  # fmt: skip
TOWERS = {
    "CLIP B/32, pictures": partial(make_clip, "clip", **TOWER, patch_size=32),
    "SigLIP B/16, pictures": partial(make_siglip, "siglip", **TOWER, patch_size=16),
}
OPUS: dict[str, Any] = {
    "d_model": 512, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 8,
    "decoder_attention_heads": 8, "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "max_position_embeddings": 512,
}  # fmt: skip


def main() -> list[Row]:
    print(processor.describe(processor.kernels()), file=sys.stderr)
    return list(rows())


def rows() -> Iterator[Row]:
    """One family after another, so that the memory holds one pair of networks."""
    for title, (name, values) in WRITERS.items():
        with tempfile.TemporaryDirectory() as made:
            theirs = tiny_families.make(name, Path(made), **values)
            model = read_checkpoint(Path(made))
            yield from traces(title, model, theirs)
            if title in ("GPT-2", "SmolLM2"):
                yield writing(title, model, theirs)
            yield loading(title, Path(made))
    for title, (name, values) in READERS.items():
        with tempfile.TemporaryDirectory() as made:
            theirs = tiny_families.make_encoder(name, Path(made), **values)
            yield from traces(title, read_checkpoint(Path(made)), theirs)
            yield loading(title, Path(made))
    for title, (name, values) in VIEWERS.items():
        with tempfile.TemporaryDirectory() as made:
            head = "Model" if name == "registers" else "ForImageClassification"
            theirs = tiny_families.make_vision(name, Path(made), head, changes=values)
            yield pictures(title, load_vision(made), theirs)
    for title, make in TOWERS.items():
        with tempfile.TemporaryDirectory() as made:
            theirs = make(Path(made))
            yield pictures(title, load_vision(made), theirs.vision_model)
    with tempfile.TemporaryDirectory() as made:
        theirs = tiny_families.make_translator("marian", Path(made), **OPUS)
        yield from translations("opus-mt", read_checkpoint(Path(made)), theirs)
        yield loading("opus-mt", Path(made))


def random_ids(length: int) -> torch.Tensor:
    return torch.randint(3, 60, (length,), generator=torch.Generator().manual_seed(length))


def traces(title: str, model: Model, theirs: Any) -> Iterator[Row]:
    for length in LENGTHS:
        ids = random_ids(length)
        ours = partial(model.trace_tokens, model.tokenizer.tokens(ids.tolist()))
        yield row(f"{title}, {length} tokens", ours, partial(outputs, theirs, ids))


def translations(title: str, model: Model, theirs: Any) -> Iterator[Row]:
    """The encoder reads so many tokens, and the decoder as many."""
    for length in LENGTHS:
        ids = random_ids(length)
        tokens = model.tokenizer.tokens(ids.tolist())
        reference = partial(everything, theirs, input_ids=ids[None], decoder_input_ids=ids[None])
        yield row(f"{title}, {length} + {length} tokens", partial(model.trace_tokens, tokens, tokens), reference)


def pictures(title: str, model: VisionModel, theirs: Any) -> Row:
    size = model.config.image_size
    pixels = torch.randn(3, size, size, generator=torch.Generator().manual_seed(0))
    reference = partial(everything, theirs, pixel_values=pixels[None])
    return row(f"{title}, {len(model.tokens())} tokens", partial(model.trace_image, pixels), reference)


@torch.inference_mode()
def everything(theirs: Any, **given: torch.Tensor) -> Any:
    return theirs(**given, output_attentions=True, output_hidden_states=True)


def row(what: str, ours: Callable[[], object], theirs: Callable[[], object]) -> Row:
    mine, others = interleaved(ours, theirs)
    return Row(f"trace, {what}", mine * 1000, others * 1000, "transformers eager", "ms", LIMIT)


def writing(title: str, model: Model, theirs: Any) -> Row:
    """Milliseconds a token, greedy, with the cache and full-width weights on both sides."""
    start = ids_of(model.tokens_of("I am a robot")).to(theirs.device)
    model.tokenizer.ends = ()

    def ours() -> list[int]:
        return [step.chosen for step in model.generate("I am a robot", max_new_tokens=WRITTEN)]

    @torch.inference_mode()
    def reference() -> list[int]:
        whole = theirs.generate(
            start[None], attention_mask=torch.ones_like(start)[None], max_new_tokens=WRITTEN, do_sample=False,
            eos_token_id=None, pad_token_id=0,
        )  # fmt: skip
        return whole[0, len(start) :].tolist()

    if ours() != reference():
        raise AssertionError(f"{title} writes other tokens than transformers")
    mine, others = (seconds / WRITTEN * 1000 for seconds in interleaved(ours, reference))
    return Row(f"a written token, {title}", mine, others, "transformers.generate", "ms", WRITING_LIMIT)


def loading(title: str, folder: Path) -> Row:
    """From the folder to the model, against reading the file once and copying its tensors.

    The reading brings all bytes into memory. `load_file` alone would not: it maps the file, and its tensors are read
    while they are copied, in one pass. Both sides take new memory from the system, as in a process that has just begun:
    else whoever finds the freed memory of a run before spares half of the time. As in the app, the garbage collector
    does not look at what has been imported.
    """
    path = folder / "model.safetensors"
    stored = [tensor.clone() for tensor in load_file(path).values()]
    gc.collect()
    gc.freeze()

    def ours() -> Model:
        give_back_memory()
        return read_checkpoint(folder)

    def read_and_copy() -> list[torch.Tensor]:
        give_back_memory()
        path.read_bytes()
        return [tensor.clone() for tensor in stored]

    mine, others = interleaved(ours, read_and_copy)
    return Row(f"loading, {title}", mine * 1000, others * 1000, "read and copied", "ms", LOADING_LIMIT)


if __name__ == "__main__":
    print(table(found := main()))
    sys.exit(not all(each.within for each in found))
