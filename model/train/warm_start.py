"""A warm start: a run begins with the weights of a trained model instead of random ones.

The vocabulary may have changed in between. A token that the old vocabulary has keeps its row of the table. The row of a
new token stays random.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from torch import Tensor, nn

from model.train.errors import CheckpointError
from model.train.task import Task
from model.zoo import bundled
from model.zoo.files import build_from, read_object

TABLE = "embed.tokens.weight"  # how the name of a table with one row for each token ends


def start_from(folder: Path, task: Task, network: nn.Module) -> None:
    """Gives `network` the weights of the model in `folder`. Raises `CheckpointError`, `DamagedWeights`."""
    weights = bundled.read_weights(folder / "model.safetensors")
    parameters = dict(network.named_parameters())
    for name, parameter in parameters.items():
        if name in weights and name.endswith(TABLE):
            weights[name] = _move_rows(folder, task, weights[name], parameter.data.cpu())
        if name not in weights or weights[name].shape != parameter.shape:
            raise CheckpointError(f"{folder} cannot be the start of {task.name}: its {name} does not fit.")
    for name, parameter in parameters.items():
        parameter.data.copy_(weights[name])


def _move_rows(folder: Path, task: Task, old: Tensor, table: Tensor) -> Tensor:
    """A copy of `table` (tokens, d_model) in which each token of the old vocabulary has its row of `old`."""
    if task.tokenizer is None or old.shape[1:] != table.shape[1:]:
        return old
    old_rows = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    moved = table.clone()
    for token, row in task.tokenizer.get_vocab().items():
        if token in old_rows:
            moved[row] = old[old_rows[token]]
    return moved


def describe_start(folder: Path) -> dict[str, Any]:
    """The card's entry on the training of the model in `folder`. Raises `DamagedWeights`."""
    return build_from(folder / "card.json", lambda card: dict(card["training"]), read_object(folder / "card.json"))
