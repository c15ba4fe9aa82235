"""JupyterLab for tests: a server with a folder of notebooks, and one notebook in a tab of a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import nbformat
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.conftest import ROOT, START_LIMIT, STOP_LIMIT, free_port

KERNEL_LIMIT = 60_000  # milliseconds until a kernel has imported torch and run the cells, on a machine with other work
FRAMES = "iframe[data-glassformer]"
# A command of JupyterLab's. Some have a promise that never ends, so nobody waits for it.
COMMAND = "([name, how]) => { window.jupyterapp.commands.execute(name, how); }"
PRINTED = """async (code) => {
  const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
  const run = kernel.requestExecute({ code });
  let said = "";
  run.onIOPub = ({ header, content }) => {
    if (header.msg_type === "stream") said += content.text;
    if (header.msg_type === "error") said += `${content.ename}: ${content.evalue}`;
  };
  await run.done;
  return said.trim();
}"""


class JupyterLab:
    """`jupyter lab` in a process of its own, with a home and a folder of its own. Its kernels see the project."""

    def __init__(self) -> None:
        self._home = tempfile.TemporaryDirectory()
        self.folder = Path(self._home.name) / "notebooks"
        self.folder.mkdir()
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        how = {
            "ServerApp.port": port,
            "ServerApp.root_dir": self.folder,
            "ServerApp.allow_root": True,
            "IdentityProvider.token": "",
            "LabApp.expose_app_in_browser": True,
            "LabApp.extension_manager": "readonly",
            "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
            "LabApp.news_url": None,
        }
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", *(f"--{name}={it}" for name, it in how.items())]
        own = {"HOME": self._home.name, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, env={**os.environ, **own}, stdout=quiet, stderr=quiet)
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/api", timeout=1):
                    return
            except (urllib.error.URLError, OSError):
                try:
                    raise RuntimeError(f"JupyterLab stopped with exit code {self._process.wait(0.05)}.")
                except subprocess.TimeoutExpired:
                    continue
        self.stop()
        raise RuntimeError(f"JupyterLab did not answer within {START_LIMIT} s.")

    def write(self, name: str, cells: Sequence[str]) -> None:
        """A notebook in the folder, with these cells of code, which have not run."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, self.folder / name)

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._home.cleanup()


class Notebook:
    """A notebook of a `JupyterLab` in a tab."""

    def __init__(self, page: Page, lab: JupyterLab) -> None:
        self.page = page
        page.goto(f"{lab.url}/lab?reset")
        page.wait_for_function("() => window.jupyterapp?.shell && document.querySelector('.jp-Launcher')")

    def command(self, name: str, **how: object) -> None:
        """Start a command of JupyterLab's."""
        self.page.evaluate(COMMAND, [name, how])

    def open(self, name: str, *, has_kernel: bool) -> None:
        """Open a notebook of the folder, with a kernel of its own or without one."""
        starts = {"shouldStart": has_kernel, "canStart": has_kernel}
        self.command("docmanager:open", path=name, kernelPreference=starts | {"name": "python3"})
        expect(self.page.locator(".jp-Notebook .jp-Cell").first).to_be_visible()
        if has_kernel:
            self.page.wait_for_function(
                "() => window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
                timeout=KERNEL_LIMIT,
            )

    def printed(self, code: str) -> str:
        """What the kernel prints when it runs `code`, after all that it was told before."""
        said: str = self.page.evaluate(PRINTED, code)
        return said

    def frame(self, place: int) -> FrameLocator:
        """The frame of a view, in their order, when its picture is drawn."""
        frame = self.page.frame_locator(FRAMES).nth(place)
        frame.locator("html[data-ready=yes]").wait_for(timeout=KERNEL_LIMIT)
        return frame
