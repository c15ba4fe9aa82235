"""Writes requirements.lock: each package that the app needs, with its version and the hashes of its files.

`uv` finds versions that hold together on every system and for every Python from 3.11 on. The lock leaves out torch and
what only its CUDA build needs, since which build of torch is installed is the user's choice: see `make run`. It also
leaves out what only a Python inside a browser needs (Emscripten).

`make lock` runs this. A version that the lock has already stays, unless requirements.txt asks for another one;
`make lock UPGRADE=--upgrade` takes the newest versions of what requirements.txt does not pin.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
OLDEST_PYTHON = "3.11"
LEFT_OUT = re.compile(
    r"(torch|triton|cuda-[\w-]+|nvidia-[\w-]+)==|\S+ ; (?![^\n]* or )[^\n]*sys_platform == 'emscripten'"
)
HEADER = """\
# Made by `make lock` from requirements.txt: change that file, not this one.
# torch and the libraries of its CUDA build are not here: which build is installed is the user's choice.
"""


def compile_lock(options: list[str]) -> str:
    """The text that uv writes, for every system. Raises CalledProcessError if no versions hold together."""
    command = ["uv", "pip", "compile", "requirements.txt", "--universal", "--python-version", OLDEST_PYTHON]
    command += ["--generate-hashes", "--no-header", "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
    program = [sys.executable, "-m", *command, "--no-python-downloads", "--output-file", str(LOCK), *options]
    subprocess.run(program, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return LOCK.read_text(encoding="utf-8")


def locked_packages(text: str) -> str:
    """The text without the packages that the lock leaves out. A package begins at the left margin."""
    packages = re.split(r"^(?=\w)", text, flags=re.MULTILINE)
    return "".join(package for package in packages if not LEFT_OUT.match(package))


def main() -> None:
    LOCK.write_text(HEADER + locked_packages(compile_lock(sys.argv[1:])), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
