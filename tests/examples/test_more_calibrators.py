"""The example package of calibrators: registered beside the lab, it passes its own tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "more-calibrators"


@pytest.mark.gate  # a fresh process, and zuko's flows
def test_the_registered_package_passes_its_tests(tmp_path):
    for name in ("setuptools", "zuko"):
        pytest.importorskip(name)
    source = shutil.copytree(EXAMPLE, tmp_path / "source")

    def run(*words):
        environment = {**os.environ, "PYTHONPATH": str(source)}
        done = subprocess.run(
            [sys.executable, *words], cwd=source, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]

    run("-c", "import setuptools; setuptools.setup()", "egg_info")  # its entry points
    run("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests")
