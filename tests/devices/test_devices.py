"""Run the tests of other devices, `on_devices.py`, in their own process.

Torch registers another device for the rest of a process.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

TESTS = Path(__file__).with_name("on_devices.py")


@pytest.mark.gate  # a fresh process
def test_other_devices():
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
