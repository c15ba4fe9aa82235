import numpy as np

from viz.inputs.vocabulary import vocabulary_figure


def test_the_map_names_the_sentence_and_takes_any_text_as_text() -> None:
    figure = vocabulary_figure(
        (np.array([[0.0, 1.0]]), ["a"]), (np.array([[2.0, 3.0]]), ["b"]), (np.array([[4.0, 5.0]]), ["<b>"])
    )
    others, near, sentence = figure.data
    assert (others.mode, near.mode) == ("markers", "markers")
    assert (sentence.x[0], sentence.y[0], sentence.text[0]) == (4, 5, "&lt;b&gt;")
