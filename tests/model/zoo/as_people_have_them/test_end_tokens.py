"""What ends a text: the files name no token, one, several, or one of another vocabulary, as `generate` reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, PreTrainedTokenizerFast

from model.adopted import adopt, release
from model.errors import DamagedWeights
from model.generation.steps import GenerationStep
from model.loading import read_checkpoint
from tests.model.zoo import tiny, tiny_families, tiny_t5
from tests.model.zoo.opened import read_tokenizer
from tests.model.zoo.tiny_gguf import write_gguf

TEXT, TOKENS = "I am a robot", 8
FOREIGN = 50_256  # the end of GPT-2's own vocabulary, which a small one keeps
GONE: Any = object()  # the file has no such key, or there is no such file


def say_ends(folder: Path, config: Any = GONE, generation: Any = GONE, **more: Any) -> None:
    """Writes `eos_token_id` into config.json and generation_config.json of a checkpoint."""
    path = folder / "config.json"
    values = json.loads(path.read_text())
    values.pop("eos_token_id", None)
    path.write_text(json.dumps(values | ({} if config is GONE else {"eos_token_id": config})))
    (folder / "generation_config.json").unlink(missing_ok=True)
    if generation is not GONE or more:
        ends = {} if generation is GONE else {"eos_token_id": generation}
        (folder / "generation_config.json").write_text(json.dumps(ends | more))


def ours(folder: Path) -> list[GenerationStep]:
    return list(read_checkpoint(folder).generate(TEXT, max_new_tokens=TOKENS))


def theirs(network: Any, folder: Path) -> list[int]:
    ids = torch.tensor([[token.id for token in read_tokenizer(folder).encode(TEXT)]])
    how = {"attention_mask": torch.ones_like(ids), "pad_token_id": 0, "do_sample": False, "max_new_tokens": TOKENS}
    written = network.generate(ids, **how)[0].tolist()
    return written[1:] if network.config.is_encoder_decoder else written[ids.shape[1] :]


@pytest.mark.parametrize(
    ("config", "generation", "ends_after"),
    [  # places in what is written without an end, in the place of ids
        pytest.param(3, GONE, 3, id="one in config.json"),
        pytest.param([5, 2], GONE, 2, id="a list in config.json"),
        pytest.param(5, [FOREIGN, 2, 4], 2, id="a list in generation_config.json, as Llama 3 Instruct has it"),
        pytest.param(1, 4, 4, id="generation_config.json wins"),
        pytest.param(1, GONE, 1, id="config.json where the other is missing"),
        pytest.param(1, None, TOKENS, id="null in generation_config.json"),
        pytest.param(GONE, GONE, TOKENS, id="none at all"),
        pytest.param([], GONE, TOKENS, id="an empty list"),
        pytest.param(FOREIGN, GONE, TOKENS, id="of another vocabulary"),
        pytest.param(-1, GONE, TOKENS, id="minus one"),
        pytest.param([FOREIGN, 2], GONE, 2, id="of another vocabulary, and of this one"),
    ],
)
def test_a_text_ends_where_transformers_ends_it(config: Any, generation: Any, ends_after: int, tmp_path: Path) -> None:
    tiny_families.make("llama", tmp_path)
    say_ends(tmp_path)
    free = dict(enumerate((step.chosen for step in ours(tmp_path)), start=1))

    def ids(named: Any) -> Any:
        if isinstance(named, list):
            return [ids(each) for each in named]
        return free.get(named, named)

    say_ends(tmp_path, ids(config), ids(generation))
    steps = ours(tmp_path)
    assert [step.chosen for step in steps] == theirs(AutoModelForCausalLM.from_pretrained(tmp_path), tmp_path)
    assert len(steps) == ends_after
    assert steps[-1].stop == ("limit" if ends_after == TOKENS else "end")


def test_generation_config_without_an_end_has_none(tmp_path: Path) -> None:
    tiny_families.make("gpt2", tmp_path)
    say_ends(tmp_path, config=3, bos_token_id=0)
    assert AutoModelForCausalLM.from_pretrained(tmp_path).generation_config.eos_token_id is None
    assert read_tokenizer(tmp_path).end is None


@pytest.mark.parametrize("named", ["</s>", [[2]], 2.5, True, {"id": 2}])
def test_what_is_no_id_is_refused(named: Any, tmp_path: Path) -> None:
    tiny.llama(tmp_path)
    say_ends(tmp_path, generation=named)
    with pytest.raises(DamagedWeights, match=r"generation_config.json.*eos_token_id"):
        read_tokenizer(tmp_path)


def test_the_first_of_several_is_the_end(tmp_path: Path) -> None:
    tiny.llama(tmp_path)
    say_ends(tmp_path, config=[2, 7, 2, FOREIGN, None])
    tokenizer = read_tokenizer(tmp_path)
    assert (tokenizer.end, tokenizer.ends) == (2, (2, 7))


@pytest.mark.slow
@pytest.mark.parametrize("generation", [GONE, [1, 5]])
def test_a_translation_ends_where_transformers_ends_it(generation: Any, tmp_path: Path) -> None:
    tiny_t5.make("t5", tmp_path)
    say_ends(tmp_path, 1, generation, **({} if generation is GONE else {"decoder_start_token_id": 0}))
    written = theirs(AutoModelForSeq2SeqLM.from_pretrained(tmp_path), tmp_path)
    assert [step.chosen for step in ours(tmp_path)] == written


def test_a_translator_without_a_named_end_has_that_of_its_tokenizer(tmp_path: Path) -> None:
    tiny_t5.make("t5", tmp_path)
    say_ends(tmp_path)
    assert read_tokenizer(tmp_path).ends == (tiny_t5.END,)


@pytest.mark.parametrize("ends", [None, FOREIGN, [FOREIGN, 6]])
def test_a_network_in_memory_ends_where_it_ends(ends: Any, tmp_path: Path) -> None:
    network = tiny_families.make("gpt2", tmp_path)
    network.config.eos_token_id = FOREIGN
    network.generation_config.eos_token_id = ends
    model = adopt(network, PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json")))
    assert model.tokenizer.ends == ((6,) if isinstance(ends, list) else ())
    release(model)


@pytest.mark.parametrize(("end", "ends"), [(22, (22, 5)), (FOREIGN, (5,))])
def test_a_gguf_file_names_the_end_of_a_turn_too(end: int, ends: tuple[int, ...], tmp_path: Path) -> None:
    path = write_gguf(tiny.llama(tmp_path)[1], end=end, turn_end=5)
    assert read_checkpoint(path).tokenizer.ends == ends
