"""One process plays the server for all pages; nothing in it depends on how fast it is."""

from collections.abc import Iterator

import pytest
from app_pages import clear_server
from bertflow_app import jobs


@pytest.fixture(scope="module", autouse=True)
def _server() -> Iterator[None]:
    """A server that was just started, without benchmark data, whose jobs nobody need look after."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLIT_RUNNER_MAGIC_ENABLED", "false")
        patch.delenv("BERTFLOW_DATA", raising=False)
        patch.setattr(jobs, "ABANDONED_AFTER", float("inf"))
        clear_server()
        yield
        clear_server()
