"""What the account of a logit reads of a long text's run: of each layer the row of one token, taken while it is run."""

from __future__ import annotations

import torch
from torch import Tensor

from model import Trace
from model.analysis.attribution import keep_for_account
from model.device import PLAIN
from model.tape import matcher
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.run import Run
from views.run_hook import RunHook
from views.run_spec import RunSpec
from viz.shared.payload import pack, unpack

Row = tuple[int, Tensor]  # the place of the token, and its row of a tensor: (..., 1, features)
ENDINGS = (".heads", ".out", ".resid_mid", ".resid_out", "final_norm", "embed.tokens", "embed.positions")


def rows_hook() -> RunHook[Row]:
    """A hook that takes the rows of the token that the reader asks for, or of the last one."""
    return RunHook(ENDINGS, _row)


def _row(spec: RunSpec, name: str, tensor: Tensor) -> Row:
    asked, count = state.get("query"), len(spec.tokens)
    place = asked if 0 <= asked < count else count - 1
    return place, PLAIN.take(tensor[..., place : place + 1, :].clone())


def trace_of_rows(run: Run, position: int, rows: RunHook[Row]) -> Trace:
    """A trace that has the tensors of an account at one position alone, where the run would make its layers again.

    The rows are kept: those that the hook took, or those of one more pass through the layers.
    """
    if not run.trace.is_lazy or run.model.config.kind != "decoder" or run.edits:
        return run.trace
    is_read = matcher(keep_for_account(run.model.config))
    names = [name for name in run.trace.tensors if is_read(name)]

    def make() -> bytes:
        taken = rows.of(run, names)
        if taken is None or any(place != position for place, _ in taken):
            found = (run.trace[name][..., position : position + 1, :] for name in names)
        else:
            found = (row for _, row in taken)
        return pack({}, **{name: row.numpy() for name, row in zip(names, found, strict=True)})

    arrays = unpack(traces.pack(run, f"rows of an account {position}", make))[1]
    tokens = len(run.trace.tokens)
    # Every place has the numbers of this one, in the memory of one.
    tensors = {name: torch.from_numpy(row.copy()).expand(*row.shape[:-2], tokens, -1) for name, row in arrays.items()}
    return Trace(run.trace.tokens, tensors, origin=run.trace.origin)
