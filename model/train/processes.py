"""Training in one process or in several that `torchrun` starts, with their sums, devices and precision."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist

from model.errors import DeviceMissing


@dataclass(frozen=True)
class Processes:
    """The place of this process among the `world` processes that train together. Alone it is rank 0 of 1."""

    rank: int = 0
    world: int = 1

    @property
    def first(self) -> bool:
        """Whether this is the process that writes files and shows progress."""
        return self.rank == 0

    def total(self, value: float, device: torch.device) -> float:
        """The sum of `value` over all processes."""
        if self.world == 1:
            return value
        shared = torch.tensor(value, dtype=torch.float64, device=device)
        dist.all_reduce(shared)
        return float(shared)

    def merge(self, mine: dict[int, Any]) -> dict[int, Any]:
        """The entries of all processes. Each gives its own, under keys that no other has."""
        parts: list[dict[int, Any]] = [{}] * self.world
        dist.all_gather_object(parts, mine)
        return {key: value for part in parts for key, value in part.items()}


@contextmanager
def join_processes(device: torch.device) -> Iterator[Processes]:
    """Connects the processes that `torchrun` started, as long as the block runs."""
    world = int(os.environ.get("WORLD_SIZE", "1"))
    if world == 1:
        yield Processes()
        return
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Processes(dist.get_rank(), world)
    finally:
        dist.destroy_process_group()


def choose_device(asked: str) -> torch.device:
    """The device. `auto` takes a GPU if there is one; under `torchrun`, each process takes its own.

    Raises `DeviceMissing`, also for a process that finds no GPU left.
    """
    has_gpu = torch.cuda.is_available()
    if asked == "cuda" and not has_gpu:
        raise DeviceMissing("There is no CUDA GPU that torch can use here. Take --device cpu, or auto.")
    if asked == "cpu" or not has_gpu:
        return torch.device("cpu")
    rank, gpus = int(os.environ.get("LOCAL_RANK", "0")), torch.cuda.device_count()
    if rank >= gpus:
        raise DeviceMissing(
            f"Process {rank + 1} finds no GPU left: this machine has {gpus}. Start torchrun with "
            f"--nproc-per-node {gpus}, or take --device cpu."
        )
    device = torch.device("cuda", rank)
    torch.cuda.set_device(device)
    return device


def choose_precision(asked: str, device: torch.device) -> torch.dtype:
    """The type for products. `auto` takes bfloat16 if the hardware supports it. Weights and sums stay in float32."""
    if asked == "auto":
        if device.type == "cuda":
            fast = torch.cuda.is_bf16_supported()
        else:
            fast = torch.backends.cpu.get_cpu_capability() == "AVX512" and torch.cpu._is_avx512_bf16_supported()
        return torch.bfloat16 if fast else torch.float32
    return {"bfloat16": torch.bfloat16, "float32": torch.float32}[asked]
