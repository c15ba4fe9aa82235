from __future__ import annotations

import itertools

import pytest
import torch

from model.errors import SamplingError
from model.generation.beam import beam_search, beam_steps
from model.generation.steps import generate
from model.run import ids_of
from tests.conftest import loaded
from tests.model.generation.transformers_search import search
from tests.model.networks import ids, variant

START, END = torch.tensor([1]), 2
ENDS = (END,)


@pytest.fixture(scope="module")
def translator():
    return variant("paper")


@pytest.mark.parametrize("seed", range(6))
def test_a_beam_of_width_one_is_greedy(translator, seed: int) -> None:
    source = ids(5, seed)
    tree = beam_search(translator, START, 8, ENDS, source=source, width=1)
    assert list(tree.best.ids) == [step.chosen for step in generate(translator, START, 8, ends=ENDS, source=source)]
    assert len(tree.finished) == 1


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
def test_scores_are_those_of_the_logits(translator, alpha: float) -> None:
    source = ids(5, 3)
    tree = beam_search(translator, START, 6, ENDS, source=source, width=3, alpha=alpha)
    for node in tree.nodes[1:]:
        written = torch.cat((START, torch.tensor(node.ids)))
        log_p = translator(written, source).log_softmax(-1)[:-1].gather(-1, written[1:, None]).sum()
        assert node.log_probability == pytest.approx(float(log_p), abs=1e-4)
        assert node.score == pytest.approx(float(log_p) / len(node.ids) ** alpha, abs=1e-4)


@pytest.mark.slow
def test_a_wide_beam_finds_the_best_of_all(translator) -> None:
    """As wide as the whole vocabulary, two tokens deep: every pair is looked at."""
    source, v = ids(5, 2), translator.config.target_vocab_size
    tree = beam_search(translator, START, 2, ENDS, source=source, width=v, alpha=0.0)
    first = translator(START, source)[-1].log_softmax(-1)
    scores: dict[tuple[int, ...], float] = {(END,): float(first[END])}
    for a, b in itertools.product(range(v), range(v)):
        if a != END:
            second = translator(torch.tensor([1, a]), source)[-1].log_softmax(-1)
            scores[a, b] = float(first[a] + second[b])
    assert tree.best.score == pytest.approx(max(scores.values()), abs=1e-4)
    assert scores[tree.best.ids] == pytest.approx(tree.best.score, abs=1e-4)


def test_the_tree_keeps_every_hypothesis(translator) -> None:
    width = 3
    *_, tree = trees = list(beam_steps(translator, START, 6, ENDS, source=ids(5), width=width))
    for before, after in itertools.pairwise(trees):
        assert after.nodes[: len(before.nodes)] == before.nodes
    parents = {node.parent for node in tree.nodes}
    for node in tree.nodes[1:]:
        assert node.parent is not None
        parent = tree.nodes[node.parent]
        assert parent.state == "live"
        assert node.ids[:-1] == parent.ids
        assert node.log_probability <= parent.log_probability
        if node.number in parents:
            assert node.state == "live"
        assert [each.ids for each in tree.path(node)] == [node.ids[: i + 1] for i in range(node.step)]
    for step in range(1, 7):
        assert sum(node.state == "live" and node.step == step for node in tree.nodes) <= width
    assert 1 <= len(tree.finished) <= width
    assert tree.best.score == max(node.score for node in tree.finished)
    assert any(node.state == "pruned" for node in tree.nodes)


def test_a_beam_also_serves_a_decoder_alone() -> None:
    made = variant("Llama")
    tree = beam_search(made, ids(4), 5, ENDS, width=1)
    assert list(tree.best.ids) == [step.chosen for step in generate(made, ids(4), 5, ends=ENDS)]


@pytest.mark.parametrize("name", ["paper", "T5", "Llama"])
@pytest.mark.parametrize(("width", "alpha"), [(2, 0.0), (3, 2.0), (4, 0.6), (5, 1.0)])
def test_the_hypotheses_are_those_of_transformers(name: str, width: int, alpha: float) -> None:
    made = variant(name)
    for ends, seed in (([2], 0), ([12], 1), ([10, 12], 2)):
        source = ids(5, seed) if name != "Llama" else None
        start = START if source is not None else ids(3, seed)
        expected = search(made, start, 7, ends, source, width, alpha)
        tree = beam_search(made, start, 7, ends, source=source, width=width, alpha=alpha)
        assert [list(node.ids) for node in tree.finished] == [written for written, _ in expected], (ends, seed)
        assert [node.score for node in tree.finished] == pytest.approx([score for _, score in expected], abs=1e-4)


@pytest.mark.parametrize(("width", "alpha"), [(2, 0.0), (4, 1.0), (8, 0.5)])
def test_translations_are_those_of_the_search_of_transformers(width: int, alpha: float) -> None:
    model = loaded("en-ur")
    writer = model.output_tokenizer
    start = torch.tensor([writer.sequence_start])
    for text in ("I am a robot", "The girl reads the book"):
        source = ids_of(model.tokens_of(text))
        expected = search(model.network, start, 16, list(writer.ends), source, width, alpha)
        tree = beam_search(model.network, start, 16, writer.ends, source=source, width=width, alpha=alpha)
        assert [list(node.ids) for node in tree.finished] == [written for written, _ in expected]


def test_a_late_end_with_a_better_score_is_waited_for(translator) -> None:
    """Two are finished after two steps. A live one has a better score than the worse of them, so the search goes on."""
    *_, tree = steps = list(beam_steps(translator, START, 7, [12], source=ids(5), width=2, alpha=2.0))
    assert len(steps[1].finished) == 2
    assert len(steps) == 7
    assert tree.best.step > 2


@pytest.mark.parametrize("values", [{"width": 0}, {"limit": 0}, {"alpha": -1.0}])
def test_values_out_of_range_are_errors(translator, values) -> None:
    with pytest.raises(SamplingError, match="at least 1"):
        beam_search(translator, START, values.pop("limit", 4), ENDS, source=ids(5), **values)
