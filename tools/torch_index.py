"""Choose the build of torch that pip installs: print pip's options for it, or nothing if its usual choice is right.

On Linux, PyPI's torch contains Nvidia's libraries, about 2 GB, which are useless without an Nvidia driver. The index of
torch's CPU builds has it without them. If pip's settings name an index, or that index does not answer, pip decides.
`make` runs this program before it installs anything, so it needs nothing but Python.
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
INDEX_SECONDS = 3.0  # to wait for an answer of the index
# The settings of pip that name an index. "index-url" is also the end of "extra-index-url".
PIP_SETTINGS = ("index-url", "no-index", "find-links")


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
    """Whether a variable like PIP_INDEX_URL or a settings file of pip names an index."""
    settings = _run(sys.executable, "-m", "pip", "config", "list")
    return any(name in settings for name in PIP_SETTINGS)


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def has_torch(index: str, seconds: float = INDEX_SECONDS) -> bool:
    """Whether the index answers with a page of torch within so many seconds, with the search for its address."""
    answers = []

    def ask() -> None:
        try:
            with urlopen(f"{index}/torch/", timeout=seconds) as page:
                answers.append(page.status == 200)
        except (OSError, ValueError):
            return

    thread = Thread(target=ask, daemon=True)  # a thread that hangs ends with the program
    thread.start()
    thread.join(seconds)
    return answers == [True]


if __name__ == "__main__":
    print(*options())
