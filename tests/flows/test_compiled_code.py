"""Compiled code made ready: who waits hears of it, and loaded code is the code that was made."""

import os
import subprocess
import sys
import threading

import pytest

from bertflow_core.errors import Cancelled
from bertflow_core.flows import compiled

FIT = """
import torch
from bertflow_core import context
from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow
x = torch.randn(4_500, 4, generator=torch.Generator().manual_seed(0))
heard = []
glow = GlowConfig(n_levels=1, depth=1, coupling_width=2)
with context.reporting(lambda *said: heard.append(said[2])):
    found = fit_flow(x, glow=glow, training=TrainingConfig())
print(sum("compiled" in unit for unit in heard), [each.gradient_norm for each in found.steps])
"""


def test_who_waits_may_leave(monkeypatch):
    def leave() -> None:
        raise Cancelled("stopped by the user")

    compiled.load()
    compiled.load(leave)  # nothing to wait for
    monkeypatch.setattr(compiled, "_is_ready", threading.Event())
    monkeypatch.setattr(compiled, "_use_all", (release := threading.Event()).wait)
    with pytest.raises(Cancelled):
        compiled.load(leave)
    release.set()


def test_code_is_kept_said_so_while_it_is_compiled_and_made_again_where_damaged(tmp_path):
    results = set()

    def compilations() -> int:
        options = {"env": {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, "text": True}
        done = subprocess.run([sys.executable, "-c", FIT], capture_output=True, **options)
        assert done.returncode == 0, done.stderr
        heard, result = done.stdout.split(maxsplit=1)
        results.add(result)
        return int(heard)

    assert compilations() > 0
    kept = [*tmp_path.rglob("*.nbc")]
    assert len(kept) == 5
    compilations()  # loading may be heard of too
    for each in kept:
        each.write_bytes(b"")
    assert compilations() > 0
    assert all(each.stat().st_size for each in tmp_path.rglob("*.nbc"))
    tmp_path.chmod(0o777)
    for each in tmp_path.rglob("*.nb?"):
        each.unlink()
    assert compilations() > 0
    assert not [*tmp_path.rglob("*.nbc")]
    assert len(results) == 1  # bit for bit, whether compiled here or loaded
