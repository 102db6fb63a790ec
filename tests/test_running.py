"""Devices, precisions and threads; the clock, and progress."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import torch
from torch_threads import thread_counts, torch_threads
from waiting import PATIENCE, wait_for

from bertflow_core import Lab
from bertflow_core.errors import InputError
from bertflow_core.runtime import context, device
from bertflow_core.scale import Embed
from bertflow_core.store import Unstored


@pytest.fixture
def machine(monkeypatch):
    """Pretend to be a machine with some CUDA devices, and with or without MPS."""

    def pretend(n_cuda: int, has_mps: bool) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: n_cuda > 0)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: n_cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: has_mps)

    return pretend


@pytest.mark.parametrize(
    ("n_cuda", "has_mps", "name", "best"),
    [
        (0, False, None, "cpu"),
        (0, True, None, "mps"),
        (2, True, None, "cuda"),  # CUDA comes before MPS
        (2, True, "cpu", "cpu"),  # the chosen device comes before the best
        (1, True, "mps", "mps"),
        (12, False, "cuda:11", "cuda:11"),
    ],
)
def test_the_device_is_the_one_asked_for_or_the_best(machine, n_cuda, has_mps, name, best):
    machine(n_cuda, has_mps)
    assert device.resolve_device(name) == torch.device(best)


@pytest.mark.parametrize(
    ("n_cuda", "has_mps", "name", "pattern"),
    [
        (0, False, "cuda", "device 'cuda' is not available here: use --device cpu$"),
        (2, False, "mps", "device 'mps' is not available here: use --device cpu$"),
        (1, False, "cuda:1", r"'cuda:1' does not exist: this machine has 1 CUDA device$"),
        (2, False, "cuda:2", r"'cuda:2' does not exist: this machine has 2 CUDA devices$"),
        *(
            (2, True, odd, f"device {re.escape(repr(odd))}: expected cpu, cuda, cuda:N or mps$")
            for odd in ("", "meta", "cpu:0", "cuda:-1", "cuda:01", "cuda:1 ", "cuda:²", "mps:0")
        ),
    ],
)
def test_a_device_that_is_not_here_or_nowhere_is_refused(machine, n_cuda, has_mps, name, pattern):
    machine(n_cuda, has_mps)
    with pytest.raises(InputError, match=pattern):
        device.resolve_device(name)


@pytest.mark.parametrize(
    ("n_cuda", "has_mps", "flags", "is_new_gpu", "asked", "settled"),
    [
        (0, False, "avx2 avx512f", False, None, "float32"),
        (0, False, "avx512f avx512_bf16 sse", False, None, "bfloat16"),
        (0, False, "fp asimd bf16", False, None, "bfloat16"),  # ARM
        (0, False, None, False, None, "float32"),  # no Linux
        (1, False, "avx2", True, None, "bfloat16"),
        (1, False, "avx512_bf16", False, None, "float16"),
        (1, False, "avx2", True, "cpu", "float32"),  # the chosen device counts
        (0, True, "avx2", False, None, "float16"),
    ],
)
def test_auto_is_the_precision_that_the_device_is_made_for(
    machine, monkeypatch, tmp_path, n_cuda, has_mps, flags, is_new_gpu, asked, settled
):
    machine(n_cuda, has_mps)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: is_new_gpu)
    monkeypatch.setattr(device, "_CPU_INFO", tmp_path / "cpuinfo")
    if flags is not None:
        (tmp_path / "cpuinfo").write_text(f"processor : 0\nflags\t\t: {flags}\n")
    device._cpu_has_bfloat16.cache_clear()
    assert device.settle_precision("auto", asked) == settled
    assert [device.settle_precision(name, asked) for name in device.DTYPES] == [*device.DTYPES]
    device._cpu_has_bfloat16.cache_clear()


def test_auto_follows_the_device_of_the_lab(machine, monkeypatch, tmp_path):
    """The machine has a GPU with bfloat16, and a processor without."""
    machine(1, False)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda **_: True)
    monkeypatch.setattr(device, "_CPU_INFO", tmp_path / "none")
    device._cpu_has_bfloat16.cache_clear()
    asked = []

    def embedded(lab, recipes, sentences):
        asked.extend(each.precision for each in recipes)
        return [SimpleNamespace(x=None) for _ in recipes]

    monkeypatch.setattr(Lab, "vectors", embedded)
    for where in ("cpu", "cuda", None):
        lab = Lab(store=Unstored(), device=where)
        lab.embed("minilm", ["a"], precision="auto")
        asked.append(Embed("minilm", precision="auto", device=where).recipe.precision)
    assert asked == 2 * ["float32"] + 4 * ["bfloat16"]
    device._cpu_has_bfloat16.cache_clear()


def test_one_thread_is_that_of_who_asks_for_it_and_blocks_of_two_may_overlap():
    """The second block begins within the first and ends after it."""
    counts, first_ended = [], threading.Event()

    def second():
        with device.one_thread():
            counts.append(thread_counts())
            first_ended.wait(PATIENCE)
            counts.append(thread_counts())
        counts.append(thread_counts())

    with torch_threads(3), ThreadPoolExecutor(1, initializer=device.stay_on_one_thread) as alone:
        assert alone.submit(thread_counts).result() == (1, 3)
        assert thread_counts() == (3, 3)
        with device.one_thread():
            other = threading.Thread(target=second)
            other.start()
            wait_for(lambda: counts)
        first_ended.set()
        other.join()
        assert (counts, thread_counts()) == ([(1, 3), (1, 3), (3, 3)], (3, 3))


def test_loading_within_loading_is_left_out_once(monkeypatch):
    now = 0
    monkeypatch.setattr(context, "time", SimpleNamespace(perf_counter=lambda: now))
    start = context.seconds()
    now += 1
    with pytest.raises(KeyError), context.loading():
        now += 10
        with context.loading():
            now += 100
        now += 1_000
        raise KeyError
    now += 2
    assert context.seconds() - start == pytest.approx(3)  # without all loading


def test_what_is_reported_within_reaches_who_listens_and_nobody_after():
    told = []
    with context.reporting(lambda *report: told.append(report)):
        context.report(1, 3, "sentences")
        with context.repeating(2, 3, "layers"):
            context.report(7, 9, "steps")
        with context.renamed("{}, space 2"):
            context.report(3, 3, "rows")
        with context.reporting(None):
            context.report(4, 4, "pairs")
    context.report(5, 5, "rows")
    assert told == [
        (1, 3, "sentences"),
        (2, 3, "layers"),
        (2, 3, "layers"),
        (3, 3, "rows, space 2"),
        (4, 4, "pairs"),
    ]
