"""Glassformer's library: run a transformer and look at every tensor inside it.

    from glassformer import available, load, ablate
    trace = load("smollm2-135m").trace("I am a robot", keep="*.weights")
    trace["decoder.3.self_attn.weights"]  # (heads, queries, keys)

A reading order for students. Each file holds one idea, with its equation and its source.

 1. `tokens/tokenizer.py`: a text becomes tokens, each with its id. All later files work with ids.
 2. `config.py`: the values that tell one architecture from another. Keep it at hand; the layers below ask for them.
 3. `network/positions.py`: the place of a token, as a vector or as a rotation. Attention alone knows no order.
 4. `network/masks.py`: the cells that a query may not see. It is short, and attention needs it.
 5. `network/attention.py`: the heart. Read it slowly, with the shapes behind the lines.
 6. `network/feed_forward.py` and `network/norms.py`: the two other parts of a layer.
 7. `network/block.py`: one layer made of these parts, around the residual stream.
 8. `network/embedding.py` and `network/transformer.py`: the whole model made of layers, from ids to logits.
 9. `tape.py` and `names.py`: how a run records its tensors, and the name of each tensor. `edits/` has what changes
    them: a run with one head silent is one line.
10. `run.py`: a model ready to use. It joins the tokenizer, the network and the tape. `device.py` chooses where it runs.
11. `generation/steps.py` and `generation/sampling.py`: a model writes, one token at a time.
12. `train/loop.py`: a network learns. By now every line of it is about things that you know.

Then follow your interest: `graph/` says where each number of a run comes from, `analysis/` reads a run,
`experiments/` changes a model and measures the effect, `cost/` counts, `vision/` reads pictures, `vectors/` and
`recurrent/` show the time before transformers, `zoo/` opens real checkpoints, `adding/` fetches them, `adopted.py`
takes a network of yours, `chat/` writes conversations, `texts/` has texts and `surveys/` what heads do on them,
`engine/` makes runs on other machines, `notebook/` shows them in notebooks, and `questions/` asks whether you have
understood.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from model.spin_wait import shorten_spin_wait

if TYPE_CHECKING:
    from model.adding.add import add
    from model.adopted import adopt
    from model.analysis.attribution import attribute
    from model.analysis.score_account import account_of_score
    from model.chat.turns import Conversation, Turn
    from model.edits.edit import Change, Edit
    from model.edits.parts import ablate
    from model.edits.tensors import replace
    from model.errors import GlassformerError
    from model.generation.kept_cache import KeptCache
    from model.graph.explain import explain
    from model.graph.uses import uses
    from model.loading import load, load_tokenizer
    from model.run import Model
    from model.surveys.survey import survey
    from model.tape import Trace
    from model.texts.own import own_texts
    from model.texts.reading import read_file, read_pasted
    from model.zoo.cards import Card, available

__all__ = [
    "Card",
    "Change",
    "Conversation",
    "Edit",
    "GlassformerError",
    "KeptCache",
    "Model",
    "Trace",
    "Turn",
    "ablate",
    "account_of_score",
    "add",
    "adopt",
    "attribute",
    "available",
    "explain",
    "load",
    "load_tokenizer",
    "own_texts",
    "read_file",
    "read_pasted",
    "replace",
    "survey",
    "uses",
]

shorten_spin_wait(os.environ)  # here, since every program of ours passes this line before it loads torch

_NAMES_OF_MODULE = {
    ".adding.add": ("add",),
    ".adopted": ("adopt",),
    ".analysis.attribution": ("attribute",),
    ".analysis.score_account": ("account_of_score",),
    ".chat.turns": ("Conversation", "Turn"),
    ".edits.edit": ("Change", "Edit"),
    ".edits.parts": ("ablate",),
    ".edits.tensors": ("replace",),
    ".errors": ("GlassformerError",),
    ".generation.kept_cache": ("KeptCache",),
    ".graph.explain": ("explain",),
    ".graph.uses": ("uses",),
    ".loading": ("load", "load_tokenizer"),
    ".run": ("Model",),
    ".surveys.survey": ("survey",),
    ".tape": ("Trace",),
    ".texts.own": ("own_texts",),
    ".texts.reading": ("read_file", "read_pasted"),
    ".zoo.cards": ("Card", "available"),
}


def __getattr__(name: str) -> Any:
    """Imports a name of `__all__` when it is first used.

    Most of these modules load torch, which takes a second. An app that only needs the errors would wait for it before
    it serves its first page.
    """
    for module, names in _NAMES_OF_MODULE.items():
        if name in names:
            value = globals()[name] = getattr(import_module(module, __name__), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
