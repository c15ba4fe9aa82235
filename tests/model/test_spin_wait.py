"""Threads of torch wait for one another for a short time only."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import model
from model.spin_wait import COUNT, shorten_spin_wait


def test_an_operator_who_says_how_threads_wait_has_the_last_word() -> None:
    for theirs in ({"GOMP_SPINCOUNT": "7"}, {"OMP_WAIT_POLICY": "ACTIVE"}):
        environment = dict(theirs)
        shorten_spin_wait(environment)
        assert environment == theirs


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere torch is built with another library of threads")
def test_torch_waits_as_long_as_it_is_told() -> None:
    """libgomp prints the values that it goes by when it is loaded, which is with torch."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
    }
    program = f"import sys, {model.__name__}; assert 'torch' not in sys.modules; import torch"
    command = [sys.executable, "-c", program]
    told = subprocess.run(
        command, env=environment | {"OMP_DISPLAY_ENV": "verbose"}, capture_output=True, text=True, check=True
    )
    assert f"GOMP_SPINCOUNT = '{COUNT}'" in told.stderr
