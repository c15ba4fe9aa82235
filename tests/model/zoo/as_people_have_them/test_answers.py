"""What a classifier's logits are shown as: `problem_type`, models of one label, labels without names, as the pipeline
of `transformers` decides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from model import load
from model.analysis.attribution import attribute
from model.config import TransformerConfig
from model.errors import ConfigError, DamagedWeights, GlassformerError
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair
from model.network.answer_scores import answer_scores
from model.run import ids_of
from model.vision.model import load_vision
from tests.model.zoo import tiny_families, tiny_readers
from tests.model.zoo.tiny_readers import LABELS

TEXT = "The weather is cool"
ONE = {"id2label": {0: "calm"}, "num_labels": 1}
KINDS: dict[str, dict[str, Any]] = {  # as it stands in config.json
    "nothing said": {},
    "a kind that is unknown": {"problem_type": "ranking"},
    "one of them": {"problem_type": "single_label_classification"},
    "several labels": {"problem_type": "multi_label_classification"},
    "numbers": {"problem_type": "regression"},
    "one label": ONE,
    "one label, several": {**ONE, "problem_type": "multi_label_classification"},
    "one number": {**ONE, "problem_type": "regression"},
}


def pipeline_scores(theirs: Any, logits: torch.Tensor, task: str) -> dict[str, float]:
    """The scores by label, as the pipeline makes them of these logits. It needs no tokenizer for that."""
    kind = {"text": transformers.TextClassificationPipeline, "image": transformers.ImageClassificationPipeline}[task]
    pipeline = kind.__new__(kind)
    pipeline.model = theirs
    more = {"_legacy": False} if task == "text" else {}
    found = pipeline.postprocess(
        transformers.modeling_outputs.SequenceClassifierOutput(logits=logits[None]), top_k=len(logits), **more
    )
    return {each["label"]: each["score"] for each in found}


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_text_gets_the_scores_of_the_pipeline(family: str, kind: str, tmp_path: Path) -> None:
    theirs = tiny_readers.make(f"{family} of classes", tmp_path, **KINDS[kind])
    model = load(str(tmp_path))
    trace = model.trace(TEXT, keep="text_logits")
    ours = answer_scores(trace["text_logits"], model.config)
    with torch.inference_mode():
        wanted = pipeline_scores(theirs, theirs(ids_of(trace.tokens)[None]).logits[0], "text")
    assert dict(zip(model.config.text_labels, ours.tolist(), strict=True)) == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("kind", ["several labels", "one label", "numbers"])
def test_a_picture_gets_the_scores_of_the_pipeline(kind: str, tmp_path: Path) -> None:
    theirs = tiny_families.make_vision("vit", tmp_path)
    values = json.loads((tmp_path / "config.json").read_text())
    changes = {"several labels": "multi_label_classification", "numbers": "regression", "one label": None}
    values["problem_type"] = theirs.config.problem_type = changes[kind]
    if kind == "one label":  # the first of the others
        theirs = tiny_families.make_vision("vit", tmp_path, changes={"id2label": {0: "cat"}})
        values = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(values))
    model = load_vision(str(tmp_path))
    pixels = torch.rand(3, 32, 32, generator=torch.Generator().manual_seed(0))
    ours = model.probabilities(model.trace_image(pixels, keep="image_logits"))
    with torch.inference_mode():
        wanted = pipeline_scores(theirs, theirs(pixels[None]).logits[0], "image")
    assert dict(zip(model.config.image_labels, ours.tolist(), strict=True)) == pytest.approx(wanted, abs=1e-5)


def test_a_logit_of_one_label_is_its_log_odds() -> None:
    one = TransformerConfig(
        vocab_size=8, d_model=4, n_heads=1, d_ff=4, max_length=8, n_encoder_layers=1, text_labels=("toxic",),
        label_scores="sigmoid",
    )  # fmt: skip
    assert float(answer_scores(torch.tensor([-0.016]), one)[0]) == pytest.approx(0.496, abs=1e-5)


def test_one_class_of_one_is_refused_as_theirs(tmp_path: Path) -> None:
    tiny_readers.make("roberta of one label", tmp_path)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"problem_type": "single_label_classification"}))
    with pytest.raises(ValueError, match="num_labels"):
        transformers.AutoConfig.from_pretrained(tmp_path)
    with pytest.raises(DamagedWeights, match="chooses one of several labels, but the model has one"):
        load(str(tmp_path))


def test_scores_need_labels() -> None:
    with pytest.raises(ConfigError, match="label_scores"):
        TransformerConfig(
            vocab_size=8, d_model=4, n_heads=1, d_ff=4, max_length=8, n_encoder_layers=1, label_scores="none"
        )


def test_an_encoder_of_sentences_keeps_nothing_of_the_problem_that_it_was_trained_from(tmp_path: Path) -> None:
    tiny_families.make_encoder("bert", tmp_path)
    path = tmp_path / "config.json"
    values = json.loads(path.read_text())
    said = {"architectures": ["BertForSequenceClassification"], "problem_type": "multi_label_classification"}
    path.write_text(json.dumps(values | said))
    assert load(str(tmp_path)).config.label_scores == "softmax"


@pytest.mark.parametrize("name", tiny_readers.SCORED)
def test_a_label_by_itself_is_accounted_for_and_patched(name: str, tmp_path: Path) -> None:
    """Its logit is compared with itself in the other sentence, not with another label, which it does not exclude."""
    tiny_readers.make(name, tmp_path)
    model = load(str(tmp_path))
    account = attribute(model, TEXT)
    assert account.total == pytest.approx(account.value, abs=1e-4)
    clean, other = (ids_of(model.tokens_of(text)) for text in (TEXT, "The robot is cool"))
    pair = record_pair(model.network, Prompt(clean), Prompt(other))
    patching = Patching(model.network, pair, *pair.telling_tokens(0, exclusive=False))
    assert patching.measures == pytest.approx([float(each[0]) for each in pair.logits])
    shares = torch.stack(list(patching.run(Site("encoder", "resid_in"))))
    changed = int((clean != other).nonzero()[0, 0])
    # The two answers lie near each other, so their rounding is some 1e-4 of the difference: on each processor another.
    assert float(shares[0, changed]) == pytest.approx(1, abs=1e-3), "all of it enters by the word that differs"
    with pytest.raises(GlassformerError, match="compared with itself"):
        Patching(model.network, pair, 0, 0)


@pytest.mark.parametrize(
    ("labels", "names"), [(None, ("LABEL_0", "LABEL_1", "LABEL_2")), (LABELS, tuple(LABELS.values()))]
)
def test_labels_without_names_are_numbered_as_theirs(labels: Any, names: tuple[str, ...], tmp_path: Path) -> None:
    theirs = tiny_readers.make("bert of classes", tmp_path, id2label=labels, num_labels=3)
    model = load(str(tmp_path))
    assert model.config.text_labels == names == tuple(theirs.config.id2label.values())
