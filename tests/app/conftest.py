"""One process plays the server for all pages; nothing in it depends on how fast it is."""

from collections.abc import Iterator

import pytest
from app_pages import clear_server
from bertflow_app import first_data


@pytest.fixture(scope="module", autouse=True)
def _server() -> Iterator[None]:
    """A server that was just started, without benchmark data."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLIT_RUNNER_MAGIC_ENABLED", "false")
        patch.delenv("BERTFLOW_DATA", raising=False)
        patch.setattr(first_data, "want", lambda: None)  # half a minute of work
        clear_server()
        yield
        clear_server()
