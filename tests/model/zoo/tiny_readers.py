"""Tiny random checkpoints of encoders with an answer, and a tokenizer of whole words with a mask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, processors

from tests.model.networks import SENTENCES
from tests.model.zoo import tiny_families

MASKED, CLASSES, SPANS = "ForMaskedLM", "ForSequenceClassification", "ForQuestionAnswering"
WORD_PIECES = {"start": "[CLS]", "end": "[SEP]", "pad": "[PAD]", "mask": "[MASK]"}
SENTENCE_MARKS = {"start": "<s>", "end": "</s>", "pad": "<pad>", "mask": "<mask>"}
LABELS = {0: "angry", 1: "calm", 2: "glad"}
READERS = {  # name of the model -> its family and its head
    "masked bert": ("bert", MASKED),
    "masked roberta": ("roberta", MASKED),
    "masked distilbert": ("distilbert", MASKED),
    "bert of classes": ("bert", CLASSES),
    "roberta of classes": ("roberta", CLASSES),
    "distilbert of classes": ("distilbert", CLASSES),
}
OTHERS = {  # encoders that have values which BERT has not, and the start and the end of an answer
    "masked albert": ("albert", MASKED),
    "modernbert of classes": ("modernbert", CLASSES),
    **{f"{family} of answers": (family, SPANS) for family in ("bert", "roberta", "distilbert", "electra", "albert")},
}
# Classifiers whose classes are not one of all -> their family and the values that say so.
SCORED: dict[str, tuple[str, dict[str, Any]]] = {
    "bert of labels": ("bert", {"problem_type": "multi_label_classification"}),
    "roberta of one label": ("roberta", {"id2label": {0: "calm"}, "num_labels": 1}),
    "distilbert of numbers": ("distilbert", {"problem_type": "regression"}),
}


def make(name: str, folder: Path, **changes: Any) -> Any:
    """The reference; its checkpoint is in the folder."""
    family, head = (READERS | OTHERS).get(name) or (SCORED[name][0], CLASSES)
    special = SENTENCE_MARKS if family == "roberta" else WORD_PIECES
    backend = word_pieces(special)
    values = {
        "vocab_size": backend.get_vocab_size(),
        "pad_token_id": backend.token_to_id(special["pad"]),
        "id2label": LABELS,
        "num_labels": len(LABELS),
        **({"id2label": None, "num_labels": 2} if head == SPANS else {}),
        **(SCORED[name][1] if name in SCORED else {}),
        **changes,
    }
    theirs = tiny_families.make_encoder(family, folder, head, **values)
    backend.save(str(folder / "tokenizer.json"))
    names = {"cls_token": special["start"], "sep_token": special["end"], "unk_token": "[UNK]"}
    names |= {"pad_token": special["pad"], "mask_token": special["mask"]}
    own = {"tokenizer_class": "PreTrainedTokenizerFast"}  # not that of the family, which would cut otherwise
    (folder / "tokenizer_config.json").write_text(json.dumps(own | names), encoding="utf-8")
    return theirs


def word_pieces(special: dict[str, str]) -> tokenizers.Tokenizer:
    """Whole words of the example sentences, cut as BERT does, between its start and end."""
    split = pre_tokenizers.BertPreTokenizer()
    words = sorted({word for text in SENTENCES for word, _ in split.pre_tokenize_str(text)})
    vocabulary = {
        piece: id
        for id, piece in enumerate([special["start"], special["pad"], special["end"], "[UNK]", special["mask"], *words])
    }
    backend = tokenizers.Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    backend.add_special_tokens([tokenizers.AddedToken(piece, special=True) for piece in (*special.values(), "[UNK]")])
    backend.pre_tokenizer, backend.decoder = split, decoders.WordPiece()
    start, end = special["start"], special["end"]
    backend.post_processor = processors.TemplateProcessing(
        single=[start, "$A", end], special_tokens=[(start, vocabulary[start]), (end, vocabulary[end])]
    )
    return backend
