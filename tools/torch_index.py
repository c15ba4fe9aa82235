"""Which build of torch pip is to take: prints the options for it, or nothing where pip takes the right one by itself.

On Linux, PyPI's torch carries Nvidia's libraries, about 2 GB. Where there is no Nvidia driver they are of no use, and
the index of torch's CPU builds has it without them. Whoever has told pip where to look, or has no way to that index,
gets what pip finds. `make` asks this before it installs, so it needs nothing but Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

INDEX = "https://download.pytorch.org/whl/cpu"
INDEX_SECONDS = 3.0  # that the index has to answer
PIP_SETTINGS = (
    "index-url",
    "no-index",
    "find-links",
)  # settings of pip that say where to look; extra-index-url is one too


def options() -> list[str]:
    """The options of `pip install`."""
    if not sys.platform.startswith("linux") or has_nvidia_driver() or pip_has_an_index():
        return []
    index = os.environ.get("GLASSFORMER_TORCH_INDEX", INDEX)
    return ["--extra-index-url", index] if has_torch(index) else []


def has_nvidia_driver() -> bool:
    """Whether this machine has a driver that CUDA could use."""
    return bool(shutil.which("nvidia-smi")) or Path("/proc/driver/nvidia").exists() or "libcuda.so" in _list_libraries()


def _list_libraries() -> str:
    program = shutil.which("ldconfig", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    return _run(program, "-p") if program else ""


def pip_has_an_index() -> bool:
    """Whether a variable like PIP_INDEX_URL or a file of pip's names a place."""
    return any(name in _run(sys.executable, "-m", "pip", "config", "list") for name in PIP_SETTINGS)


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def has_torch(index: str, seconds: float = INDEX_SECONDS) -> bool:
    """Whether the index has a page of torch, told within so many seconds, the search for its address included."""
    found = []

    def ask() -> None:
        try:
            with urlopen(f"{index}/torch/", timeout=seconds) as page:
                found.append(page.status == 200)
        except (OSError, ValueError):
            return

    asking = Thread(target=ask, daemon=True)  # one that hangs ends with the program
    asking.start()
    asking.join(seconds)
    return found == [True]


if __name__ == "__main__":
    print(*options())
