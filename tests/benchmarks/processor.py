"""Which processor multiplies here, and with which kernels: what a ratio of times rests on."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

# One product of the size of a real layer's, by each of the two libraries.
PRODUCTS = """
import torch
from model.network.linear import linear
x, w = torch.ones(64, 576), torch.ones(1536, 576)
with torch.inference_mode():
    linear(x, w), x @ w.mT
"""


@dataclass(frozen=True)
class Kernels:
    """What the two libraries say of their products; "" where one was not used."""

    onednn: str
    mkl: str

    @property
    def widths(self) -> tuple[int, int]:
        """The bits of the vectors that oneDNN and MKL use. MKL names AVX-512 where it uses it, which is on Intel's
        processors alone."""
        return 512 if "avx512" in self.onednn else 256, 512 if "AVX-512" in self.mkl else 256


def kernels(environment: dict[str, str] | None = None) -> Kernels:
    """Asked of a fresh process: both libraries choose once."""
    said = subprocess.run(
        [sys.executable, "-c", PRODUCTS],
        env={**os.environ, **(environment or {}), "ONEDNN_VERBOSE": "1", "MKL_VERBOSE": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    onednn = re.search(r",exec,cpu,(?:inner_product|matmul),([^,]+),", said)
    mkl = re.search(r"MKL_VERBOSE (?:Intel\(R\) |one)MKL (.*?) Lnx|MKL_VERBOSE (.*)", said)
    return Kernels(onednn[1] if onednn else "", (mkl[1] or mkl[2]) if mkl else "")


def same_width(found: Kernels) -> dict[str, str] | None:
    """The environment in which oneDNN uses no wider vectors than MKL; None where that is so as it is."""
    wide, narrow = found.widths
    return {"ONEDNN_MAX_CPU_ISA": "AVX2"} if found.mkl and wide > narrow else None


def describe(found: Kernels) -> str:
    """One line for people."""
    wide, narrow = found.widths
    return (
        f"{name()}, {os.cpu_count()} cores. oneDNN: {found.onednn or 'not used'} ({wide} bits). "
        f"MKL: {found.mkl or 'not used'} ({narrow} bits)."
    )


def name() -> str:
    """The processor's own name."""
    try:
        return re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())[1]  # type: ignore[index]
    except (OSError, TypeError):
        return platform.processor() or platform.machine()
