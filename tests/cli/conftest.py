"""Fixtures that run the command line in this process, and give exit code, output and errors."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from saved_files import snapshot
from tiny_models import MAX_TOKENS
from tiny_pairs import write_pairs

from bertflow_core.cli import main
from bertflow_core.encoders import TransformerEncoder

LINES = ("the cat sat", "a dog runs fast", "the red mat", "big blue dog", "a small green cat")


@dataclass(frozen=True)
class Outcome:
    """What a user sees of a command."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def here(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with an empty cache and no data folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("BERTFLOW_DATA", "BERTFLOW_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def lab(capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Return a function that runs a command and captures what the process prints."""

    def run(*args: object) -> Outcome:
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(arg) for arg in args])
        return Outcome(left.value.code, *capfd.readouterr())

    return run


@pytest.fixture
def works(lab: Callable[..., Outcome]) -> Callable[..., str]:
    """Return a function that runs a command, expects success, and returns its output."""

    def run(*args: object) -> str:
        outcome = lab(*args)
        assert outcome.code == 0, outcome.err
        return outcome.out

    return run


@pytest.fixture
def refuses(lab: Callable[..., Outcome], here: Path) -> Callable[..., str]:
    """Return a function that runs a command and expects one error and no changed file."""

    def run(*args: object, code: int = 2, words: str | tuple[str, ...] = ()) -> str:
        before = snapshot(here)
        outcome = lab(*args)
        assert (outcome.code, outcome.out) == (code, ""), outcome
        assert re.fullmatch(r"bertflow-lab: \S.*\n", outcome.err), outcome.err
        for fault in ("BERTFLOW_DEBUG", "Traceback"):
            assert fault not in outcome.err
        for word in (words,) if isinstance(words, str) else words:
            assert word in outcome.err
        assert snapshot(here) == before
        return outcome.err

    return run


@pytest.fixture
def no_embedding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if a sentence is embedded."""

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("sentences were embedded before the fault was seen")

    monkeypatch.setattr(TransformerEncoder, "encode_blocks", refuse)


@pytest.fixture
def tiny_elsewhere(tiny_bert: Path) -> tuple[str, ...]:
    """The options for a tiny model, without layers."""
    return ("--model", str(tiny_bert), "--max-length", str(MAX_TOKENS), "--device", "cpu")


@pytest.fixture
def tiny(tiny_elsewhere: tuple[str, ...]) -> tuple[str, ...]:
    """The options for a tiny model, with a layer set."""
    return (*tiny_elsewhere, "--layers", "layer:2")


@pytest.fixture
def table(here: Path) -> Path:
    """A table of pairs, `pairs.csv`."""
    return write_pairs(here / "pairs.csv")


@pytest.fixture
def sentences(here: Path) -> Path:
    """A text file of five sentences, `sentences.txt`."""
    path = here / "sentences.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path
