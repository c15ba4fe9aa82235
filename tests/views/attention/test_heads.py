"""The views of Heads: the weights that they show, and words that match the numbers."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from model import Model, load
from model.analysis import head_measures
from model.analysis.induction import induction, repeated_tokens
from model.analysis.rollout import rollout
from model.experiments.head_ablation import AblationSweep
from model.run import ids_of
from model.tape import Trace
from pages.shared.elements.example_sentences import FOX
from tests.views.heads import arrays, head_of, header, programs, sums, whole, words
from views import head_tiles
from views.attention import all_heads
from views.attention.all_heads import STRONGEST, AllHeads
from views.attention.compare import Compared
from views.attention.head_view import MOST_LOOKED_AT
from views.attention.lines import LineChoice, Lines
from views.attention.matrix import HeadMatrix
from views.attention.measures import Measures
from views.attention.query_key import NO_PAIR, QueryKey
from views.attention.rollout import Rollout
from views.attention.sweep import Sweep
from views.head_of_run import HeadOfRun
from views.parts import Canvas
from views.plain import plain_view
from views.shared.quotes import quote
from views.view import DEPTHS
from viz.attention.heads import pack_tiles
from viz.documents.page_parts import Group, Plot, Text, flatten
from viz.shared.payload import printed_codes
from viz.shared.style import number

HUNGRY = "The fox jumps over the lazy dog because it is hungry"
SENTENCE = "George drove to the bank"  # [CLS] george drove to the bank [SEP]
WORDS = ["[CLS]", "george", "drove", "to", "the", "bank", "[SEP]"]
PATH = "encoder.2.self_attn"
SHORT = "I am a robot"


@pytest.fixture(scope="module")
def weights(minilm: Model) -> Trace:
    return minilm.trace(SENTENCE, keep="*.weights")


@pytest.fixture(scope="module")
def head(minilm: Model) -> HeadOfRun:
    return head_of(minilm, SENTENCE, PATH, 4, 2, 5)


def lines(head: HeadOfRun) -> tuple[Canvas, ...]:
    """The lines, and where they travel along, the weights of all layers."""
    choice = LineChoice((head.head,), 0.0, (), "beside", has_key=head.key >= 0)
    return tuple(Lines(head, choice, whole(head)).picture().parts)


def test_the_lines_are_the_weights_of_the_layer(head: HeadOfRun, weights: Trace) -> None:
    picture = lines(head)[0]
    told = header(picture)
    assert (arrays(picture)["weights"] == printed_codes(weights[f"{PATH}.weights"].numpy())).all()
    assert [each["label"] for each in told["queries"]] == WORDS
    assert [each["special"] for each in told["queries"]] == [True, *[False] * 5, True]
    assert told["view"]["heads"] == [4]
    assert not told["causal"]


def test_all_layers_travel_once_beside_the_lines_of_one(head: HeadOfRun) -> None:
    one, every = lines(head)
    assert (arrays(every)["weights"][2] == arrays(one)["weights"]).all()
    assert header(every)["titles"][2] == header(one)["title"]
    assert header(every)["id"] == header(one)["stack"]
    moved = HeadOfRun(head.run, head.at.in_layer(5), 0, 5, 1)
    assert header(lines(moved)[1]) == header(every), "it changes with the run alone"


def test_the_layers_of_a_long_sentence_do_not_travel_along(minilm: Model) -> None:
    assert len(lines(head_of(minilm, "the dog sees the cat and " * 16, PATH, 4, 2, 5))) == 1


def test_the_caption_tells_the_strongest_key(head: HeadOfRun, weights: Trace) -> None:
    view = HeadMatrix(head, "weights", whole(head))
    row = weights[f"{PATH}.weights"][4, 2]
    best = int(row.argmax())
    said = view.caption().replace("\\", "")
    assert f"{quote('drove', 2)} looks most at :gray-background[**{WORDS[best]}** :small[{best}]] " in said
    assert f"({float(row.max()):.2f})" in said
    assert view.told()[MOST_LOOKED_AT] == WORDS[best]


def test_the_story_tells_the_weight_of_the_chosen_pair(head: HeadOfRun, weights: Trace) -> None:
    view = HeadMatrix(head, "weights", whole(head))
    weight = float(weights[f"{PATH}.weights"][4, 2, 5])
    _, story = view.at("Picture")[0].parts
    said = words(story.parts[1].at("Picture"))
    assert f"{quote('drove', 2, 'blue')} → {quote('bank', 5, 'orange')} :gray[weight] {number(weight, 2)}" in said
    assert f"= {weight:.3f}" in "\n".join(sums(view.at("Formula")))
    code = "\n".join(programs(view.at("Code")))
    assert f"assert abs(weight - {weight:.6f}) < 1e-4" in code
    assert "from glassformer import load" in code
    exec(programs(view.at("Code"))[0], {})


def test_without_a_pair_a_view_says_how_to_get_one(head: HeadOfRun) -> None:
    alone = replace(head, query=-1, key=-1)
    _, story = HeadMatrix(alone, "weights", whole(alone)).at("Picture")[0].parts
    assert "Click a query and then a key" in words(story.parts[1].at("Picture"))
    assert NO_PAIR in words(QueryKey(alone).at("Numbers"))


def test_the_matrix_shows_weights_or_scores(head: HeadOfRun, weights: Trace) -> None:
    truth = weights[f"{PATH}.weights"][4].numpy()
    shown = HeadMatrix(head, "weights", whole(head)).picture().draw().data[0]
    assert (shown["zmin"], shown["zmax"]) == (0, 1)
    assert np.asarray(shown["z"]) == pytest.approx(truth, abs=1e-6)
    scores = np.asarray(HeadMatrix(head, "scores", whole(head)).picture().draw().data[0]["z"])
    again = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    assert again == pytest.approx(truth, abs=1e-4)


def test_the_products_sum_to_the_score(head: HeadOfRun) -> None:
    view = QueryKey(head)
    bars, line = view.picture().draw().data
    told = re.search(r"sum to ([\d.,−]+)\.", view.caption())
    assert told is not None
    total = float(told[1].replace("−", "-").replace(",", ""))
    assert np.asarray(bars["y"]).sum() == pytest.approx(total, abs=0.01)
    assert np.asarray(line["y"])[-1] == pytest.approx(total, abs=0.01)
    table = view.table().make()
    assert table["running sum"].iloc[-1] == pytest.approx(total, abs=0.01)
    place = table["feature"].to_numpy()
    here, number = head.at.path, head.head
    assert table["q"].to_numpy() == pytest.approx(head.run.trace[f"{here}.q"][number, head.query].numpy()[place])
    key_head = head.config.kv_head_of(number)
    assert table["k"].to_numpy() == pytest.approx(head.run.trace[f"{here}.k"][key_head, head.key].numpy()[place])


def test_the_atlas_has_every_head_and_its_measures(head: HeadOfRun) -> None:
    picture = AllHeads(head, "previous").picture()
    found = arrays(picture)
    assert found["tiles"].shape == (6, 12, 7, 7)
    assert found["metrics"].shape == (6, 12, 5)
    told = header(picture)
    assert (told["sort"], told["layer"], told["head"]) == ("previous", 2, 4)
    assert picture.picks["pick"]([3, 7])["heads_view"] == "Lines"


@pytest.fixture(scope="module")
def measured(smollm2: Model) -> np.ndarray:
    """Every measure of every head of SmolLM2 on one sentence: (layers, heads, kinds)."""
    trace, layers = smollm2.trace(HUNGRY, keep="*.weights"), range(smollm2.config.n_decoder_layers)
    ids = [token.id for token in trace.tokens]
    every = [head_measures.measure(trace[f"decoder.{layer}.self_attn.weights"], ids) for layer in layers]
    return np.stack([np.stack([found[kind.key].numpy() for kind in head_measures.KINDS], -1) for found in every])


@pytest.mark.slow
def test_heads_are_counted_ranked_and_printed_by_the_measures_themselves(smollm2: Model, measured: np.ndarray) -> None:
    first = measured[..., 1]
    assert int((first >= 0.5).sum()) == 188
    assert divmod(int(first.argmax()), 9) == (18, 8)
    view = AllHeads(head_of(smollm2, HUNGRY, "decoder.9.self_attn", 2, 8, 3), "first")
    assert "188 of 270 heads are of the kind “first token”, most of all layer 18, head 8" in view.caption()
    assert (arrays(view.picture())["metrics"] == measured).all()
    assert view.told()[STRONGEST] == first.max()
    table = view.table().make()
    assert tuple(table.iloc[0][["layer", "head"]]) == (18, 8)
    assert (table.sort_values(["layer", "head"]).iloc[:, 2:].to_numpy() == measured.reshape(270, -1)).all()


def test_the_files_hold_the_measures_themselves(measured: np.ndarray) -> None:
    tiles = pack_tiles(np.zeros((30, 9, 2, 2), np.float32), measured)
    table = all_heads.measures_table(tiles, head_measures.KINDS, "layer")
    assert (table.iloc[:, 2:].to_numpy() == measured.reshape(270, -1)).all()
    assert head_tiles.kinds_of("self_attn") == head_measures.KINDS


ANY = [
    "<script>alert(1)</script> <b>bold</b>",
    "$x^2$ **bold** :red[red] [a](b) `code` | table |",
    "😀 👩‍👩‍👧 \u0000 \u202e \x07 tab\there",
    "میں ایک روبوٹ ہوں and English",
    "x",
]


@pytest.mark.parametrize("text", ANY)
def test_any_text_is_text(minilm: Model, text: str) -> None:
    head = head_of(minilm, text, PATH, 4, 1, 1)
    other = HeadOfRun(head.run, head.at.in_layer(1), 3)
    choice = LineChoice((4,), 0.0, (), "beside", has_key=True)
    part = whole(head)
    for view in (Lines(head, choice, part), HeadMatrix(head, "weights", part), Compared(head, other, part)):
        for depth in DEPTHS:
            for each in flatten(Group(plain_view(view, depth))):
                if isinstance(each, Plot):
                    assert "<script>" not in each.figure
                if isinstance(each, Text):
                    assert "<script>" not in each.text, "only Markdown, in which it is escaped"


def test_who_is_hungry_is_the_fox(smollm2: Model) -> None:
    head = head_of(smollm2, FOX["text"], "decoder.9.self_attn", 2, 10, 3)
    _, story = HeadMatrix(head, "weights", whole(head)).at("Picture")[0].parts
    pair = f"{quote('it', 10, 'blue')} → {quote('fox', 3, 'orange')} :gray[weight] 0.35"
    assert pair in words(story.parts[1].at("Picture"))
    picture = lines(head)[0]
    assert header(picture)["causal"]
    assert np.triu(arrays(picture)["weights"][2], 1).max() == 0


def compared(head: HeadOfRun, other: HeadOfRun) -> list[np.ndarray]:
    columns = Compared(head, other, whole(head)).picture().parts[0].parts
    return [np.asarray(column.parts[1].draw().data[0]["z"]) for column in columns]


def test_two_heads_are_subtracted(head: HeadOfRun, weights: Trace) -> None:
    ours, theirs = weights[f"{PATH}.weights"][4], weights["encoder.1.self_attn.weights"][3]
    first, second, difference = compared(head, HeadOfRun(head.run, head.at.in_layer(1), 3))
    assert first == pytest.approx(ours.numpy(), abs=1e-6)
    assert second == pytest.approx(theirs.numpy(), abs=1e-6)
    assert difference == pytest.approx((ours - theirs).numpy(), abs=1e-6)


def test_two_sentences_of_equal_length_are_subtracted(head: HeadOfRun, minilm: Model) -> None:
    other = head_of(minilm, "George drove to the park", PATH, 4)
    assert "bank / park" in Compared(head, other, whole(head)).difference.matrices()[2].keys


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("encoder.1.self_attn", "Encoder self-attention, layer 1, head 1"),
        ("decoder.1.self_attn", "Decoder masked self-attention, layer 1, head 1"),
        ("decoder.1.cross_attn", "Decoder cross-attention, layer 1, head 1"),
    ],
)
def test_every_attention_of_a_translator_is_shown(path: str, title: str) -> None:
    head = head_of(load("en-ur"), SHORT, path, 1, 1, 1)
    picture = lines(head)[0]
    truth = head.run.again("*.weights")[f"{path}.weights"].numpy()
    assert title in HeadMatrix(head, "weights", whole(head)).caption()
    assert (arrays(picture)["weights"] == printed_codes(truth)).all()
    told = header(picture)
    assert (len(told["queries"]), len(told["keys"])) == truth.shape[1:]
    assert told["causal"] is (path == "decoder.1.self_attn")


@pytest.fixture(scope="module")
def robot() -> HeadOfRun:
    return head_of(load("tiny-lm"), SHORT, "decoder.1.self_attn", 0, 3, 1)


def test_the_measures_are_those_of_the_library(robot: HeadOfRun) -> None:
    model = robot.run.model
    view = Measures(robot)
    table = view.table().make().set_index(["layer", "head"])
    assert len(table) == model.config.n_decoder_layers * model.config.n_heads
    weights = model.trace(SHORT)["decoder.1.self_attn.weights"]
    rows = torch.arange(1, weights.shape[-1])
    before = weights[:, rows, rows - 1].mean(-1)
    assert table.loc[1]["Previous token"].tolist() == pytest.approx(before.tolist(), abs=1e-6)
    ids = repeated_tokens(model.tokenizer, model.config.vocab_size)
    again = model.trace_tokens(model.tokenizer.tokens(ids.tolist()))["decoder.1.self_attn.weights"]
    assert table.loc[1]["Induction"].tolist() == pytest.approx(induction(again).tolist(), abs=1e-6)
    assert "Highest: layer" in words(view.at("Picture"))


def test_cross_attention_has_only_what_means_something() -> None:
    view = Measures(head_of(load("en-ur"), SHORT, "decoder.1.cross_attn", 0, 1, 1))
    assert list(view.table().make().columns) == ["layer", "head", "Entropy bits", "First token"]


def test_the_rollout_is_that_of_the_library(robot: HeadOfRun) -> None:
    view = Rollout(robot, False, whole(robot))
    expected = rollout(load("tiny-lm").trace(SHORT, keep="*.weights").tensors.values())
    torch.testing.assert_close(torch.tensor(view.table().make().to_numpy()), expected)
    assert f"layers, {quote('robot', 3)} keeps" in view.caption()


def test_the_rollout_without_the_first_token_names_another_source() -> None:
    head = head_of(load("tiny-lm"), "The cat sees the dog", "decoder.1.self_attn", 0, 4, 1)
    every, rest = (Rollout(head, hides, whole(head)) for hides in (False, True))
    table = every.table().make()
    assert list(rest.table().make().columns) == list(table.columns)[1:]
    assert f"hidden here, gives it {table.iloc[-1, 0]:.0%}" in rest.caption()
    most = table.iloc[-1, 1:-1].idxmax().split()[-1]
    assert re.search(rf"takes most from .*{most}", rest.caption())


def test_the_sweep_shows_what_is_lost_without_each_head(robot: HeadOfRun) -> None:
    model = robot.run.model
    harms = tuple(AblationSweep(model.network, ids_of(robot.run.trace.tokens)).run())
    view = Sweep(robot, harms, "your sentence", None)
    found = view.table().make()["rise of the loss, in nats"]
    assert found.tolist() == pytest.approx(torch.cat([harm.rise for harm in harms]).tolist(), abs=1e-6)
    assert "**Partial**" not in words(view.at("Picture"))
    part = Sweep(robot, harms[:1], "your sentence", None)
    assert "**Partial**: 1 of 4 attentions are measured" in words(part.at("Picture"))
    assert "Most is lost without head" in part.caption()
    assert len(part.table().make()) == model.config.n_heads
