"""Two sentences in one text: the segments of an encoder, beside `transformers`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from model import explain, uses
from model.loading import read_checkpoint
from model.network.segments import segments_of
from tests.conftest import loaded
from tests.model.zoo import tiny_readers

PAIR = "I am a robot [SEP] I am"


def test_a_border_belongs_to_the_segment_that_it_ends() -> None:
    config = replace(loaded("tiny-encoder").config, n_segments=2, segment_border=9)
    assert segments_of(torch.tensor([[1, 9, 2, 9, 3]]), config).tolist() == [[0, 0, 1, 1, 1]]


ONE_SCORE = {"id2label": {0: "score"}, "num_labels": 1}  # of a cross-encoder, which says how well two texts fit


@pytest.mark.slow
@pytest.mark.parametrize("labels", [{}, ONE_SCORE], ids=["classes", "one score"])
def test_a_pair_is_read_as_transformers_reads_it(labels: dict[str, Any], tmp_path: Path) -> None:
    theirs = tiny_readers.make("bert of classes", tmp_path, **labels)
    model = read_checkpoint(tmp_path)
    assert model.config.segment_border == model.tokenizer.id_of("[SEP]")
    trace = model.trace(PAIR)
    ids = torch.tensor([[token.id for token in trace.tokens]])
    border = ids[0].tolist().index(model.config.segment_border)
    segments = torch.tensor([[int(at > border) for at in range(ids.shape[1])]])
    with torch.inference_mode():
        expected = theirs(ids, token_type_ids=segments).logits[0]
        alone = theirs(ids).logits[0]
    torch.testing.assert_close(trace["text_logits"], expected, rtol=1e-4, atol=1e-4)
    assert not torch.allclose(expected, alone, atol=1e-4), "the segments count"
    both = model.trace_batch([PAIR, "I am"], keep="text_logits")
    torch.testing.assert_close(both[0]["text_logits"], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.slow
def test_each_row_says_where_it_comes_from_and_where_it_goes(tmp_path: Path) -> None:
    tiny_readers.make("bert of classes", tmp_path)
    model = read_checkpoint(tmp_path)
    trace = model.trace_on_demand(PAIR)
    last = len(trace.tokens) - 1
    read = [[cells.index[0] for cells in uses(trace, "encoder.embed.segments.weight", (row, 3))] for row in (0, 1)]
    assert read == [[0, 1, 2, 3, 4, 5], [6, 7, last]]
    for place, row in ((0, 0), (last, 1)):
        found = explain(trace, "embed.segments", (place, 3))
        assert found.terms[0].index == (row, 3)
        assert found.value == pytest.approx(found.total)
