"""One word in many sentences: where it stands, its vectors, and the plane that they are drawn in."""

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA

from model import Model
from model.analysis.word_in_context import layer_names, nearest_words, plane, planes, word_layers, word_places


def found(model: Model, text: str, word: str) -> list[list[str]]:
    tokens = model.tokens_of(text)
    return [[tokens[i].text for i in at] for at in word_places(model.tokenizer, text, word)]


def test_only_whole_words_are_found_and_capitals_do_not_count(minilm: Model) -> None:
    assert found(minilm, "The Bank, a banker and the bank.", "bank") == [["bank"], ["bank"]]
    assert found(minilm, "The weather is cool", "bank") == []


def test_a_word_may_be_of_several_tokens(minilm: Model) -> None:
    assert found(minilm, "It is unbelievably cool", "unbelievably") == [["un", "##bel", "##ie", "##va", "##bly"]]


def test_a_word_with_signs_of_its_own_is_no_pattern(minilm: Model) -> None:
    assert found(minilm, "a b", "a.b") == []
    assert found(minilm, "This is a machine-learning model", "machine-learning") == [["machine", "-", "learning"]]


def test_the_vectors_are_the_trace_and_their_mean(minilm: Model) -> None:
    trace = minilm.trace("It is unbelievably cool", keep=layer_names(minilm.config))
    layers = word_layers(minilm.config, trace, (3, 4, 5, 6, 7))
    assert layers.shape == (7, 384)
    torch.testing.assert_close(layers[2], trace["encoder.1.ffn_norm"][3:8].mean(0))
    torch.testing.assert_close(word_layers(minilm.config, trace, (8,))[0], trace["embed.out"][8])


def test_the_plane_is_that_of_scikit_learn() -> None:
    vectors = torch.randn(6, 20, generator=torch.Generator().manual_seed(0))
    places, shares = plane(vectors)
    reference = PCA(2).fit(vectors.numpy())
    assert shares.numpy() == pytest.approx(reference.explained_variance_ratio_, rel=1e-4)
    assert np.abs(places.numpy()) == pytest.approx(np.abs(reference.transform(vectors.numpy())), abs=1e-4)


def test_two_points_lie_on_a_line_and_equal_ones_nowhere() -> None:
    assert plane(torch.tensor([[1.0, 0, 0], [0, 1, 0]]))[1].tolist() == pytest.approx([1.0, 0.0], abs=1e-6)
    places, shares = plane(torch.ones(3, 4))
    assert shares.tolist() == [0, 0]
    assert places.abs().max() == 0


def test_a_layer_is_turned_to_agree_with_the_one_before() -> None:
    vectors = torch.randn(5, 8, generator=torch.Generator().manual_seed(1))
    mirrored = vectors @ torch.diag(torch.tensor([-1.0] * 8))
    (first, _), (second, _) = planes(torch.stack([vectors, mirrored]))
    assert ((first * second).sum(0) > 0).all()


def test_the_nearest_words_of_a_sentence_are_ranked_and_leave_out_the_word_itself(minilm: Model) -> None:
    sentence = "The bank lends money, and the bank keeps money."
    trace = minilm.trace(sentence, keep=layer_names(minilm.config))
    nearest = nearest_words(minilm.tokenizer, minilm.config, trace, sentence, "bank", 3)
    assert len(nearest) == 3
    assert {word for word, _ in nearest} <= {"the", "lends", "money", "and", "keeps"}
    assert [cosine for _, cosine in nearest] == sorted((cosine for _, cosine in nearest), reverse=True)
    assert nearest_words(minilm.tokenizer, minilm.config, trace, sentence, "river", 3) == []
