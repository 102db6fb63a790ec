"""Where compiled code is kept, and how one waits for it."""

import os
import stat
import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from bertflow_core import compiled_code
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.flows import engine, fit_flow
from bertflow_core.flows import rows as flow_rows
from bertflow_core.flows.compiled import fitting, loading
from bertflow_core.flows.config import GlowConfig, TrainingConfig
from bertflow_core.flows.engine import Engine
from bertflow_core.flows.rows import by_batches, latent_of


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    monkeypatch.delenv("BERTFLOW_COMPILED", raising=False)
    monkeypatch.setenv("BERTFLOW_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "compiled" / str(os.getuid())


def test_code_is_kept_in_the_cache_where_only_its_owner_writes(home):
    folder = compiled_code.code_folder.__wrapped__()
    assert folder.parent == home
    assert stat.S_IMODE(folder.stat().st_mode) & 0o077 == 0
    assert compiled_code.code_folder.__wrapped__() == folder


def test_a_folder_of_its_own_comes_first(home, tmp_path, monkeypatch):
    monkeypatch.setenv("BERTFLOW_COMPILED", str(tmp_path / "code"))
    assert compiled_code.code_folder.__wrapped__().parent.parent == tmp_path / "code"


def test_a_folder_that_others_can_write_to_is_not_read(home):
    compiled_code.code_folder.__wrapped__().chmod(0o777)
    assert compiled_code.code_folder.__wrapped__() is None


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path, monkeypatch, home):
    (tmp_path / "cache").write_text("no folder")
    assert compiled_code.code_folder.__wrapped__() is None


def test_code_of_old_versions_goes(home):
    for age in range(6):
        (home / str(age)).mkdir(parents=True)
        os.utime(home / str(age), (age, age))
    kept = {compiled_code.code_folder.__wrapped__().name, "5", "4", "3"}
    assert {folder.name for folder in home.iterdir()} == kept


@pytest.fixture
def first_use(monkeypatch):
    """Make loading new, instead of what the process has loaded."""
    monkeypatch.setattr(loading, "_loads", {})
    monkeypatch.setattr(loading, "_POLL_SECONDS", 0.001)


@pytest.mark.usefixtures("first_use")
def test_who_waits_hears_first_of_loading_then_of_the_compiler(monkeypatch):
    done, heard = threading.Event(), []
    monkeypatch.setattr(fitting, "use_all", lambda dtype: done.wait())

    def announce() -> None:
        heard.append("compiling")
        done.set()

    loading.load(torch.float32, lambda: heard.append("loading"), announce)
    assert heard[: loading._POLLS_OF_LOADING] == ["loading"] * loading._POLLS_OF_LOADING
    assert set(heard[loading._POLLS_OF_LOADING :]) == {"compiling"}


@pytest.mark.usefixtures("first_use")
def test_who_waits_may_leave_and_the_next_one_finds_the_code(monkeypatch):
    done, taken = threading.Event(), []

    def compile_(dtype: torch.dtype) -> None:
        done.wait()
        taken.append(dtype)

    def leave() -> None:
        raise Cancelled("stopped by the user")

    monkeypatch.setattr(fitting, "use_all", compile_)
    with pytest.raises(Cancelled):
        loading.load(torch.float32, leave, leave)
    done.set()
    loading.load(torch.float32, lambda: None, lambda: None)
    assert taken == [torch.float32]


@pytest.mark.usefixtures("first_use")
def test_damaged_code_is_removed_and_compiled_again(monkeypatch, tmp_path):
    damaged = tmp_path / "code"
    damaged.mkdir()

    def take(dtype: torch.dtype) -> None:
        if damaged.exists():
            raise EOFError("Ran out of input")

    monkeypatch.setattr(fitting, "use_all", take)
    monkeypatch.setattr(loading, "code_folder", lambda: damaged)
    loading.load(torch.float32, lambda: None, lambda: None)
    assert not damaged.exists()


@pytest.mark.usefixtures("first_use")
def test_a_failure_is_told_and_tried_again_by_the_next_one(monkeypatch):
    failures = [MemoryError(), MemoryError()]

    def take(dtype: torch.dtype) -> None:
        if failures:
            raise failures.pop()

    monkeypatch.setattr(fitting, "use_all", take)
    monkeypatch.setattr(loading, "code_folder", lambda: None)
    with pytest.raises(MemoryError):
        loading.load(torch.float32, lambda: None, lambda: None)
    loading.load(torch.float32, lambda: None, lambda: None)


def test_a_process_of_its_own_compiles_only_where_nothing_is_kept(monkeypatch, tmp_path):
    code = tmp_path / "code.nbi"
    monkeypatch.setattr(compiled_code, "_compilers", started := [])
    monkeypatch.setattr(compiled_code, "code_folder", lambda: tmp_path)
    monkeypatch.setattr(compiled_code, "_COMPILE", f"open({str(code)!r}, 'w').close()")
    for _ in range(2):
        compiled_code.compile_ahead()
        compiled_code.wait_for_compiler()
        assert code.exists()
    assert len(started) == 1
    monkeypatch.setattr(compiled_code, "code_folder", lambda: None)
    compiled_code.compile_ahead()
    assert len(started) == 1


def test_while_a_process_compiles_torch_takes_what_is_small(monkeypatch):
    x = torch.randn(4_500, 16, generator=torch.Generator().manual_seed(0))
    options = {"glow": GlowConfig(coupling_width=8), "training": TrainingConfig()}
    by_torch = fit_flow(x, engine=Engine.TORCH, **options)
    rows = np.tile(x.numpy(), (4, 1))

    def refuse(*_: object) -> None:
        raise InputError("waited for the compiler")

    class Busy:
        def poll(self) -> None:
            return None

    monkeypatch.setattr(compiled_code, "_compilers", [Busy()])
    monkeypatch.setattr(loading, "load", refuse)
    meanwhile = fit_flow(x, **options)
    assert torch.equal(meanwhile.flow.to_latent(x), by_torch.flow.to_latent(x))
    expected = by_batches(by_torch.flow.to_latent, rows)
    assert np.array_equal(latent_of(meanwhile.flow, rows), expected)
    for module in (engine, flow_rows):
        monkeypatch.setattr(module, "_MOST_MEANWHILE", 1000)
    with pytest.raises(InputError, match="waited"):
        fit_flow(x, **options)
    with pytest.raises(InputError, match="waited"):
        latent_of(meanwhile.flow, rows)
    monkeypatch.setattr(compiled_code, "_compilers", [])
    with pytest.raises(InputError, match="waited"):
        fit_flow(x, **options)
