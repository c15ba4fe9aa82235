"""One run of a network, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import torch
from torch import Tensor

from model.device import to_cpu, within_memory
from model.edits.edit import Edit
from model.graph.on_demand import last_kept
from model.network.transformer import Transformer
from model.tape import AllRecorded, Tape


@dataclass(frozen=True)
class RunRequest:
    """One run, as a value that may go to another process.

    It names no model: an engine sends it to a process that has the model already. `ids` are those that the last stack
    reads, `source` those of an encoder before it, `keep` the tensors to keep.
    """

    ids: tuple[int, ...]
    source: tuple[int, ...]
    keep: tuple[str, ...]

    @torch.inference_mode()
    def record(self, network: Transformer, edits: tuple[Edit, ...] = ()) -> Mapping[str, Tensor]:
        """The kept tensors, on the CPU. Raises `DeviceFull`, and `EditError` for an edit that names none of them.

        A run of a transformer ends with the last tensor that is kept, and does not begin where none is.
        """
        ends_after = last_kept(network, self.keep, edits) if isinstance(network, Transformer) else None
        if ends_after == 0:
            return {}
        tape = Tape(self.keep, edits, ends_after=ends_after)
        with within_memory():
            with suppress(AllRecorded):
                network(torch.tensor(self.ids), torch.tensor(self.source) if self.source else None, tape)
                tape.check_edits()
            return to_cpu(tape.records)
