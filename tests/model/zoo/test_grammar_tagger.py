"""DistilBERT of grammar, against its own graph run by onnxruntime: with its rounding of activations, and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from torch.nn.utils.rnn import pad_sequence

from model import GlassformerError, Model
from model.analysis.attribution import attribute
from model.errors import DamagedWeights
from model.loading import load, load_tokenizer
from model.tape import Tape
from model.zoo import cards
from model.zoo.grammar_tagger import edit_in_words
from model.zoo.onnx_graph import GraphTensors
from model.zoo.opening import open_card

NAME = "distilbert-grammar"
SENTENCES = Path(__file__).with_name("grammar_sentences.txt").read_text(encoding="utf-8").splitlines()
LAYERS = range(6)
WEIGHTS = {
    f"encoder.{layer}.self_attn.weights": f"/distilbert/transformer/layer.{layer}/attention/Softmax_output_0"
    for layer in LAYERS
}
OURS = {"token_logits": "logits"} | WEIGHTS


@pytest.fixture(scope="module")
def tagger() -> Model:
    try:
        return load(NAME, device="cpu")
    except GlassformerError as error:
        pytest.fail(str(error), pytrace=False)


def session(graph: onnx.ModelProto, names: Any = ("logits",), optimised: bool = False) -> Any:
    """The graph as onnxruntime runs it, with these results; unless it is optimised, node by node."""
    graph.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name != "logits")
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 3, 1
    if not optimised:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])


def without_rounding(path: Path) -> onnx.ModelProto:
    """The graph whose nodes read what others made, and not what the graph rounds it to. The weights stay rounded."""
    graph = onnx.load(path)
    made_by = {node.output[0]: node for node in graph.graph.node}
    exact = {}
    for node in graph.graph.node:
        rounded = made_by.get(node.input[0]) if node.op_type == "DequantizeLinear" else None
        if rounded is not None and rounded.op_type == "QuantizeLinear":
            exact[node.output[0]] = rounded.input[0]
    for node in graph.graph.node:
        node.input[:] = [exact.get(name, name) for name in node.input]
    return graph


def fed(model: Model, text: str) -> dict[str, Any]:
    ids = np.array([[token.id for token in model.tokens_of(text)]])
    return {"input_ids": ids, "attention_mask": np.ones_like(ids)}


@pytest.mark.slow
def test_logits_and_weights_of_attention_equal_onnxruntimes_of_the_same_weights(tagger: Model) -> None:
    run = session(without_rounding(tagger.card.require()), OURS.values())
    for text in (SENTENCES[0], SENTENCES[5], "A word. " * 100):
        expected = dict(zip(OURS.values(), run.run(list(OURS.values()), fed(tagger, text)), strict=True))
        trace = tagger.trace(text, keep=tuple(OURS))
        for ours, theirs in OURS.items():
            difference = float((trace[ours] - torch.from_numpy(expected[theirs][0])).abs().max())
            assert difference < 1e-4, (ours, difference)


@pytest.mark.slow
def test_the_share_of_equal_edits_is_the_one_of_the_card(tagger: Model) -> None:
    cut = [tagger.tokens_of(text) for text in SENTENCES]
    ids = pad_sequence([torch.tensor([token.id for token in tokens]) for tokens in cut], batch_first=True)
    is_real = pad_sequence([torch.ones(len(tokens)) for tokens in cut], batch_first=True).bool()
    tape = Tape(("token_logits",))
    tagger.network(ids, tape=tape, ids_are_real=is_real)
    ours = tape.records["token_logits"].argmax(-1)  # (sentences, tokens)
    run = session(onnx.load(tagger.card.require()), optimised=True)
    logits = run.run(None, {"input_ids": ids.numpy(), "attention_mask": is_real.long().numpy()})[0]
    same = ours == torch.from_numpy(logits.argmax(-1))
    firsts = [
        (row, place)
        for row, tokens in enumerate(cut)
        for place, token in enumerate(tokens)
        if not (token.special or token.text.startswith("##"))
    ]
    limits = tagger.card.details["limits"]
    assert f"the {len(firsts)} words of {len(SENTENCES)} sentences" in limits
    stated = int(limits.partition(" of the ")[0].rpartition(" ")[2])
    found = sum(bool(same[place]) for place in firsts)
    assert abs(found - stated) <= 4  # whole numbers of other processors are rounded otherwise


@pytest.mark.slow
def test_it_mends_sentences_and_leaves_right_ones(tagger: Model) -> None:
    def edits(text: str) -> dict[str, str]:
        trace = tagger.trace(text, keep="token_logits")
        best = trace["token_logits"].argmax(-1).tolist()
        labels = [tagger.config.token_labels[label] for label in best]
        return {t.text: l for t, l in zip(trace.tokens, labels, strict=True) if l != "keep" and not t.special}

    assert edits("Their is a dog in the garden.") == {"Their": "write “There”"}
    assert edits("She could have went home yesterday.") == {"went": "write “gone”"}
    assert edits("The dog sleeps in the garden.") == {}


@pytest.mark.slow
def test_the_account_of_an_edit_sums_to_its_logit(tagger: Model) -> None:
    account = attribute(tagger, "Their is a dog in the garden.", position=1)
    assert account.asked == "write “There”"
    assert account.difference < 1e-4
    against = attribute(tagger, "Their is a dog in the garden.", account.token, against=0, position=1)
    assert against.difference < 1e-4 < against.value


def test_the_card_is_right() -> None:
    card = cards.card(NAME)
    checkpoint = open_card(card, card.require())
    assert card.parameters == checkpoint.nbytes // 4
    assert card.size == card.require().stat().st_size
    assert (card.layers, card.heads) == (str(checkpoint.config.n_encoder_layers), checkpoint.config.n_heads)
    assert card.answers == checkpoint.config.has_answer
    assert len(checkpoint.config.token_labels) == 213
    assert {path.name for path in card.hashes(card.require())} == {"tagger.onnx", "tokenizer.json", "tag_vocab.json"}


def test_its_tokenizer_keeps_capitals_and_cuts_nothing_off() -> None:
    tokenizer = load_tokenizer(NAME)
    assert [token.text.strip() for token in tokenizer.encode("Their Cat")][1:-1] == ["Their", "Cat"]
    assert len(tokenizer.encode("a " * 300)) == 302


def test_where_the_package_is_missing_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "_folders", lambda package, moment: ())
    with pytest.raises(GlassformerError, match=r"not installed\. To get it, run: make models"):
        load(NAME)


@pytest.mark.parametrize(
    ("tag", "words"),
    [("$KEEP", "keep"), ("$REPLACE_it's", "write “it's”"), ("$APPEND_,", "add “,”"), ("B-PER", "B-PER")],
)
def test_edits_are_told_in_words(tag: str, words: str) -> None:
    assert edit_in_words(tag) == words


def test_quantised_weights_become_floats_by_their_scale_and_zero(tmp_path: Path) -> None:
    stored = {"w_quantized": np.array([[1, -2, 3]], np.int8), "w_scale": np.float32(0.5), "w_zero_point": np.int8(1)}
    constants = [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in stored.items()]
    nodes = [
        onnx.helper.make_node("DequantizeLinear", list(stored), ["w"], "w_DequantizeLinear"),
        onnx.helper.make_node("MatMul", ["x", "w"], ["y"], "/layer.0/lin/MatMul"),
    ]
    files = GraphTensors(tmp_path, onnx.helper.make_graph(nodes, "small", [], [], constants))
    assert files.tensors["layer.0.lin.weight"].shape == (3, 1)
    (weight,) = files.read(["layer.0.lin.weight"], lambda name, tensor: tensor.clone())
    assert weight.tolist() == [[0.0], [-1.5], [1.0]]


def test_labels_that_do_not_fit_are_named(tmp_path: Path) -> None:
    folder = cards.card(NAME).require().parent
    for name in ("tagger.onnx", "tokenizer.json"):
        (tmp_path / name).symlink_to(folder / name)
    (tmp_path / "tag_vocab.json").write_text('{"tags": ["$KEEP", "$DELETE"]}', encoding="utf-8")
    with pytest.raises(DamagedWeights, match=r"token_head.*213"):
        open_card(cards.card(NAME), tmp_path / "tagger.onnx")
