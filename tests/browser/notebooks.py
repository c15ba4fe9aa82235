"""JupyterLab and marimo for tests: servers with a folder of notebooks, and a notebook of JupyterLab in a tab."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.conftest import ROOT, START_LIMIT, free_port

KERNEL_LIMIT = 120_000  # milliseconds until a kernel has imported torch and run the cells, on a machine with other work
STOP_SECONDS = 5  # until a server that does not end is killed
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


class NotebookServer:
    """A server of notebooks in a process of its own, with its own home and folder. Its kernels see the project."""

    def __init__(self, health: str) -> None:
        """`health`: the address that answers when it is ready."""
        self._home = tempfile.TemporaryDirectory()
        self.folder = Path(self._home.name) / "notebooks"
        self.folder.mkdir()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        own = {"HOME": self._home.name, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", *self.command()]
        self._process = subprocess.Popen(command, env={**os.environ, **own}, stdout=quiet, stderr=quiet)
        self._wait(health)

    def command(self) -> list[str]:
        """The module to run, and its arguments."""
        raise NotImplementedError

    def _wait(self, health: str) -> None:
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}{health}", timeout=1):
                    return
            except (urllib.error.URLError, OSError):
                self._stay_alive()
        self.stop()
        raise RuntimeError(f"The server of notebooks did not answer within {START_LIMIT} s.")

    def _stay_alive(self) -> None:
        """Gives the process a moment; raises if it ends."""
        try:
            code = self._process.wait(0.05)
        except subprocess.TimeoutExpired:
            return
        raise RuntimeError(f"The server of notebooks stopped with exit code {code}.")

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)  # a kernel ends by itself when its server is gone
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._home.cleanup()


class JupyterLab(NotebookServer):
    """`jupyter lab`, without what it asks of the network."""

    def __init__(self) -> None:
        super().__init__("/api")

    def command(self) -> list[str]:
        how = {
            "ServerApp.port": self.port,
            "ServerApp.root_dir": self.folder,
            "ServerApp.allow_root": True,
            "IdentityProvider.token": "",
            "LabApp.expose_app_in_browser": True,
            "LabApp.extension_manager": "readonly",
            "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
            "LabApp.news_url": None,
        }
        return ["jupyterlab", "--no-browser", *(f"--{name}={value}" for name, value in how.items())]

    def write(self, name: str, cells: Sequence[str], shown: Mapping[str, Any] | None = None) -> None:
        """A notebook in the folder, with these cells of code, which have not run. The last one has the output `shown`
        of a notebook that a stranger has run."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        if shown:
            notebook.cells[-1].outputs = [nbformat.v4.new_output("display_data", data=dict(shown))]
        nbformat.write(notebook, self.folder / name)


class Marimo(NotebookServer):
    """`marimo run` of a notebook with this code."""

    def __init__(self, code: str) -> None:
        self._code = code
        super().__init__("/health")

    def command(self) -> list[str]:
        notebook = self.folder / "notebook.py"
        notebook.write_text(self._code, encoding="utf-8")
        return ["marimo", "run", str(notebook), "--headless", "--no-token", f"--port={self.port}"]


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
