"""What libraries and the system raise in the middle of a command: one sentence, one exit code."""

import pytest
from known_faults import KNOWN

from bertflow_core.lab import Lab


@pytest.mark.parametrize(("error", "kind", "words"), KNOWN)
def test_what_is_known_is_one_sentence(refuses, monkeypatch, error, kind, words):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Lab, "evaluate", fail)
    said = refuses("evaluate", code=kind.exit_code, words=words)
    assert "unexpected" not in said


def test_it_is_shown_whole_on_demand(monkeypatch):
    from bertflow_core.cli import main

    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr(Lab, "evaluate", fail)
    monkeypatch.setenv("BERTFLOW_DEBUG", "1")
    with pytest.raises(MemoryError):
        main(["evaluate"])
