"""What the control tokens of known vocabularies mean. They stand for no text: they tell a model where something begins
or ends, or what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ControlToken:
    """One meaning, a clause, of tokens with these `names`. `source` says where it is defined; it may cite a work."""

    names: tuple[str, ...]
    meaning: str
    source: str


CHAT = "The chat template in the model's file"
STAR_CODER = "Li et al. (2023), Lozhkov et al. (2024)"
CONTROL_TOKENS = (
    ControlToken(
        ("<|im_end|>",),
        "the end of a turn in a conversation. An Instruct model, as SmolLM2 135M here, learnt from conversations that "
        "each turn ends so. It writes this token where it takes its answer to be complete, and the writing stops there",
        CHAT,
    ),
    ControlToken(
        ("<|im_start|>",),
        "the beginning of a turn in a conversation. The name of the speaker follows: system, user or assistant",
        CHAT,
    ),
    ControlToken(
        ("<|endoftext|>",),
        "the border between two texts of the training data: what follows has nothing to do with what came before",
        "Radford et al. (2019)",
    ),
    ControlToken(
        ("[CLS]", "<CLS>"),
        "stands before every text. It is no word: where a model of the kind of BERT gives a text a class, it is read "
        "off at this place",
        "Devlin et al. (2019)",
    ),
    ControlToken(
        ("[SEP]",), "the end of a text, or the border between two that are read together", "Devlin et al. (2019)"
    ),
    ControlToken(
        ("[MASK]", "<mask>"), "stands in the place of a word that the model is to find", "Devlin et al. (2019)"
    ),
    ControlToken(
        ("[PAD]", "<PAD>", "<pad>"),
        "fills up the shorter texts of a batch to the length of the longest. No token may look at it",
        "Vaswani et al. (2017)",
    ),
    ControlToken(("[UNK]", "<unk>"), "stands for what the vocabulary has no piece for", "Wu et al. (2016)"),
    ControlToken(
        ("<SOS>",),
        "stands before a translation, since its first word too must be predicted from something",
        "Vaswani et al. (2017), section 3.1: the outputs are shifted by one position",
    ),
    ControlToken(
        ("<EOS>",),
        "the end of a text. A model that writes it has said all it wants to say, and the writing stops there",
        "Sutskever et al. (2014)",
    ),
    ControlToken(("<s>",), "the beginning of a text", "Liu et al. (2019)"),
    ControlToken(("</s>",), "the end of a text", "Liu et al. (2019)"),
    ControlToken(("<repo_name>", "<reponame>"), "the name of a repository of code follows", STAR_CODER),
    ControlToken(("<file_sep>", "<filename>"), "the name of a file of code follows", STAR_CODER),
    ControlToken(("<gh_stars>",), "the number of stars of a repository follows", STAR_CODER),
    ControlToken(
        ("<issue_start>", "<issue_comment>", "<issue_closed>"),
        "the beginning, a comment or the end of a discussion about code",
        STAR_CODER,
    ),
    ControlToken(
        (
            "<jupyter_start>",
            "<jupyter_text>",
            "<jupyter_code>",
            "<jupyter_output>",
            "<jupyter_script>",
            "<empty_output>",
        ),
        "a part of a notebook of code, or its output",
        STAR_CODER,
    ),
)
OF_NAME = {name: each for each in CONTROL_TOKENS for name in each.names}


def known_among(names: Iterable[str]) -> dict[str, ControlToken]:
    """The control tokens among these names whose meaning is known, each once and in order."""
    return {name: OF_NAME[name] for name in dict.fromkeys(names) if name in OF_NAME}
