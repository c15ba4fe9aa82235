"""What a notebook waits for and keeps: the import of the package, and the size of its wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.benchmarks.row import Row

ROOT = Path(__file__).resolve().parents[2]
MAX_WHEEL_BYTES = 100_000_000
MAX_IMPORT_SECONDS = 0.5
TRIES = 5
IMPORT = "import time; began = time.perf_counter(); import glassformer; print(time.perf_counter() - began)"


def main() -> list[Row]:
    return [
        Row("import glassformer", import_seconds(), MAX_IMPORT_SECONDS, "budget", "s"),
        Row("wheel", wheel_bytes() / 1e6, MAX_WHEEL_BYTES / 1e6, "budget", "MB"),
    ]


def import_seconds() -> float:
    """The median of some fresh processes."""
    command = [sys.executable, "-c", IMPORT]
    return median(float(subprocess.check_output(command, cwd=ROOT, text=True)) for _ in range(TRIES))


def wheel_bytes() -> int:
    """The size of the wheel of the checkout."""
    with TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, str(ROOT)]
        subprocess.run(build, check=True, capture_output=True)
        return next(Path(folder).glob("*.whl")).stat().st_size
