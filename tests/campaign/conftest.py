"""The campaign, `make campaign`: faults by the thousand, each count and its seed at the end.

`BERTFLOW_SEED` names another seed than 0, so that what was found can be found again.
"""

import os
from collections.abc import Callable

import pytest

SEED = int(os.environ.get("BERTFLOW_SEED", "0"))
COUNTS = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COUNTS] = []


@pytest.fixture
def seed() -> int:
    """The seed of every random choice."""
    return SEED


@pytest.fixture
def counted(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Return a function that notes a count, such as "1,000 kills: 0 lost", for the last lines."""

    def note(sentence: str) -> None:
        request.config.stash[COUNTS].append(f"{request.node.name}: {sentence}, seed {SEED}")

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in terminalreporter.config.stash[COUNTS]:
        terminalreporter.write_line(line)
