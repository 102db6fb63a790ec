"""Compiled code made ready: who waits hears of it and may leave; damaged files; whose folder."""

import os
import subprocess
import sys
import threading

import pytest

from bertflow_core.errors import Cancelled
from bertflow_core.flows import compiled_fit

FIT = """
import torch
from bertflow_core import context
from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow
x = torch.randn(4_500, 4, generator=torch.Generator().manual_seed(0))
heard = []
glow = GlowConfig(n_levels=1, depth=1, coupling_width=2)
with context.reporting(lambda *said: heard.append(said[2])):
    fit_flow(x, glow=glow, training=TrainingConfig())
print(sum("compiled" in unit for unit in heard))
"""


def test_who_waits_may_leave_and_the_next_one_finds_the_code():
    done, taken = threading.Event(), []

    def compile_() -> None:
        done.wait()
        taken.append("compiled")

    def leave() -> None:
        raise Cancelled("stopped by the user")

    with pytest.raises(Cancelled):
        compiled_fit.load(compile_, leave)
    compiled_fit.load(compile_, done.set)
    assert taken == ["compiled"]


def test_a_failure_is_told_and_tried_again_by_the_next_one():
    failures = [MemoryError(), MemoryError()]

    def take() -> None:
        if failures:
            raise failures.pop()

    with pytest.raises(MemoryError):
        compiled_fit.load(take)
    compiled_fit.load(take)


def test_code_is_kept_said_so_while_it_is_compiled_and_made_again_where_damaged(tmp_path):
    def compilations() -> int:
        options = {"env": {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, "text": True}
        done = subprocess.run([sys.executable, "-c", FIT], capture_output=True, **options)
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    assert compilations() > 0
    kept = [*tmp_path.rglob("*.nbc")]
    assert len(kept) == 1
    assert compilations() <= 10  # loading may be heard of too
    for each in kept:
        each.write_bytes(b"")
    assert compilations() > 0
    assert all(each.stat().st_size for each in tmp_path.rglob("*.nbc"))
    tmp_path.chmod(0o777)
    for each in tmp_path.rglob("*.nb?"):
        each.unlink()
    assert compilations() > 0
    assert not [*tmp_path.rglob("*.nbc")]
