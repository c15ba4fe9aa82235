"""The points of a head are its vectors of runs of each text alone, along their principal components."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA

from model import survey
from model.analysis.head_steps import Attention, keep_for_one, of_head
from model.errors import ModelMismatch
from model.surveys.points import SIDES, Points, head_points
from tests.model.networks import small_model
from tests.model.surveys.test_survey import SENTENCES


@pytest.mark.parametrize(
    ("name", "part"),
    [("Llama", "self_attn"), pytest.param("one vocabulary", "cross_attn", marks=pytest.mark.slow)],
)
def test_they_are_the_vectors_of_each_text_alone(name: str, part: str) -> None:
    model, at = small_model(name), Attention("decoder", 1, part)
    found = head_points(model, survey(model, SENTENCES, keep=False), 1, 2, f"decoder.{part}")
    steps = [of_head(model, model.trace(text, keep=keep_for_one(model.config, at)), at, 2) for text in SENTENCES]
    for side, vectors in {
        "queries": [each.q_unrotated for each in steps],
        "keys": [each.k_unrotated for each in steps],
        "outputs": [each.part for each in steps],
    }.items():
        points = found.sides[side]
        places = zip(points.numbers, points.places, strict=True)
        rows = torch.stack([vectors[number][place] for number, place in places]).double()
        assert len(rows) == sum(len(each) - 1 for each in vectors)
        pca = PCA(2, svd_solver="full").fit(rows.numpy())
        np.testing.assert_allclose(points.shares, pca.explained_variance_ratio_, atol=1e-4)
        np.testing.assert_allclose(np.abs(points.along), np.abs(pca.transform(rows.numpy())), atol=1e-3)


def test_a_sample_is_of_texts_that_are_drawn_by_lot() -> None:
    model = small_model("Llama")
    reading = survey(model, SENTENCES, keep=False)
    found, again = (head_points(model, reading, 1, 2, most=9) for _ in range(2))
    assert found == again != head_points(model, reading, 1, 1, most=9)
    for side in SIDES:
        points = found.sides[side]
        assert len(points.numbers) == len(points.along) == 9
        np.testing.assert_array_equal(points.along, again.sides[side].along)
        assert (points.places > 0).all(), "the first token of a text is left out"
        texts = [model.tokens_of(SENTENCES[number]) for number in points.numbers]
        expected = [tokens[place].id for tokens, place in zip(texts, points.places, strict=True)]
        assert found.ids(side) == expected


def test_a_head_that_is_not_there_is_refused() -> None:
    model = small_model("Llama")
    with pytest.raises(ModelMismatch, match="2 layers of 4 heads"):
        head_points(model, survey(model, SENTENCES, keep=False), 0, 4)


def test_labels_tell_where_points_lie_or_nothing() -> None:
    chance = np.random.default_rng(0)
    groups = np.repeat(["a", "b", "c"], 100)
    centres = {"a": (0, 0), "b": (9, 0), "c": (0, 9)}
    along = np.array([centres[each] for each in groups]) + chance.normal(size=(300, 2))
    points = Points(np.arange(300), np.arange(300), along, np.ones(2))
    within = 2 * 297 / 297  # the mean square within a group, of both axes
    whole = np.square(along - along.mean(0)).sum() / 299
    assert points.share_between(groups.tolist()) == pytest.approx(1 - within / whole, abs=0.01)
    assert points.share_between(chance.permutation(groups).tolist()) == pytest.approx(0, abs=0.02)
    assert np.isnan(points.share_between([str(each) for each in range(300)]))
