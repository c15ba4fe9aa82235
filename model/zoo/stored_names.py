"""The names under which files store tensors: what wrappers put before them, and what stands for no part of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from model.errors import DamagedWeights
from model.zoo.family import Family
from model.zoo.files import list_some

NUMBER = re.compile(r"\d+")  # in the name of a tensor: one of them is the layer
WHOLE = re.compile(r"(?<=\.)\d+(?=\.)")  # those that are a name of their own: the layer, and the expert
# What torch.compile, checkpointing and FSDP put before the names of what they wrap, wherever it stands.
WRAPPED = re.compile(r"(?:^|(?<=\.))(?:_orig_mod|_checkpoint_wrapped_module|_fsdp_wrapped_module)\.")
PARALLEL = "module."  # what DataParallel and DeepSpeed put before all names
# Beginnings of what reads an answer off a network, and what it reads, where no page shows it.
HEADS = {
    "qa_outputs.": "where the answer to a question begins and ends",
    "cls.seq_relationship.": "whether one text follows another",
    "cls.predictions.": "masked words",
    "predictions.": "masked words",
    "lm_head.": "masked words",
    "vocab_": "masked words",
    "discriminator_predictions.": "whether a word was replaced",
    "generator_": "masked words",
    "pooler.": "a vector of the whole text",
    "pre_classifier.": "classes",
    "classifier.": "classes",
    "classification_head.": "classes of a text",
    "score.": "classes of a text",
    "multiple_choice_head.": "which of several texts goes on",
    "v_head.": "a reward",
}
# What the names of tensors tell of files that no family here reads, and what to take instead.
ORIGINAL = "Take the model that it was made from, or a GGUF file of it."
NONE = "None of its files can be read"
MARKS = (  # what a name has in it, what the files hold, and what to do
    (
        r"lora_|^base_model\.model\.",
        "an adapter (LoRA), which changes another model",
        "Merge the two, and save the sum: merge_and_unload() of the library peft.",
    ),
    (r"\.(qweight|qzeros|g_idx|scales)$", "weights quantised by GPTQ or AWQ", ORIGINAL),
    (r"absmax|quant_map|quant_state|\.SCB$", "weights quantised by bitsandbytes", ORIGINAL),
    (r"weight_scale|input_scale|weight_packed|weight_zero_point", "quantised weights with their scales", ORIGINAL),
    (
        r"block_sparse_moe|_exps\.|ffn_gate_inp|experts\.|\.router\.|shared_expert",
        "a mixture of experts, where each token takes a few of many feed-forward networks",
        f"{NONE}; take a model without experts.",
    ),
    (
        r"flat_param",
        "parts of a training on several machines (FSDP)",
        "Save the whole model: save_pretrained() of the network that was trained.",
    ),
    (
        r"vision_tower|vision_model|visual\.|multi_modal_projector|image_newline",
        "a model that reads pictures and texts",
        "Take the model of text that it was made from.",
    ),
    (r"kv_a_proj|q_a_proj|A_log|\.mixer\.|linear_attn", "another kind of attention, or none", f"{NONE}."),
)


def bare_names(family: Family, stored: Iterable[str]) -> dict[str, str]:
    """The names of a family's table -> those of a file, or of a network in memory, that stand for them.

    Wrappers and the prefixes of the family are left out; the prefix that a base network lacks is put before. Raises
    `DamagedWeights` where two tensors then have one name.
    """
    bare: dict[str, str] = {}
    for name in stored:
        own = _own_name(family, name)
        if own in bare:
            raise DamagedWeights(
                f"The checkpoint holds one tensor twice: {bare[own][:100]} and {name[:100]}. Save the network alone, "
                "without what wraps it."
            )
        bare[own] = name
    return bare


def _own_name(family: Family, stored: str) -> str:
    name = WRAPPED.sub("", stored).removeprefix(PARALLEL)
    for prefix in family.prefixes:
        name = name.removeprefix(prefix)
    is_of_base = family.base and not find_rule(name, family.names) and find_rule(family.base + name, family.names)
    return family.base + name if is_of_base else name


def find_rule(name: str, table: Mapping[str, str | None]) -> tuple[str, tuple[str, ...]] | None:
    """The entry of a table that a tensor's name has, and its numbers; None if it has none.

    `{}` is the layer. Where it stands twice, the second is the expert.
    """
    numbers = ((name[: found.start()] + "{}" + name[found.end() :], (found[0],)) for found in NUMBER.finditer(name))
    every = WHOLE.sub("{}", name), tuple(WHOLE.findall(name))
    return next(((rule, found) for rule, found in ((name, ()), *numbers, every) if rule in table), None)


def rename(family: str, table: Mapping[str, str | None], bare: Iterable[str]) -> dict[str, str]:
    """Names of the table of a family -> ours. Heads that no page shows are left.

    Raises `DamagedWeights` for any other tensor that the table lacks: what in the file is the reason, and what to do.
    """
    renamed, unknown = {}, []
    for name in bare:
        if (found := find_rule(name, table)) is None:
            unknown += [] if _head(name) else [name]
        elif (ours := table[found[0]]) is not None:
            renamed[name] = ours.format(*found[1])
    if unknown:
        raise DamagedWeights(f"{say_unknown(family, unknown)} {_way_out(unknown)}")
    return renamed


def say_unknown(family: str, names: list[str]) -> str:
    """That a file has tensors which are none of a family's: "... does not know: a.b.c."."""
    held = next((what for mark, what, _ in MARKS if any(re.search(mark, name) for name in names)), "")
    return (
        f"The files hold {held}: they have tensors that the family {family} does not know: {list_some(names)}."
        if held
        else f"The checkpoint has tensors that the family {family} does not know: {list_some(names)}."
    )


def _way_out(names: list[str]) -> str:
    for mark, _, way in MARKS:
        if any(re.search(mark, name) for name in names):
            return way
    return (
        "Either config.json is that of another model, or the network has parts that its family has not. Another file "
        "of the same model would have them too."
    )


def heads_left(bare: Iterable[str]) -> tuple[str, ...]:
    """The heads among tensors that are not read, in words: "qa_outputs (where the answer ... ends)"."""
    heads = [head for name in bare if (head := _head(name))]
    return tuple(f"{head.rstrip('._')} ({HEADS[head]})" for head in dict.fromkeys(heads))


def _head(name: str) -> str:
    return next((head for head in HEADS if name.startswith(head)), "")


def say_tensor(ours: str, names: Mapping[str, str | None]) -> str:
    """A tensor of ours after the file's name of it: "wpe.weight (decoder.embed.positions.weight)".

    Where several of ours are one tensor of the file, ours alone. `names` is the table of the family.
    """
    rule, numbers = WHOLE.sub("{}", ours), WHOLE.findall(ours)
    theirs = next((theirs for theirs, each in names.items() if each == rule), "")
    return f"{theirs.format(*numbers)} ({ours})" if theirs else ours
