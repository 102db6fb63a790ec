"""Tiny data folders in the benchmarks' own formats, and the real ones where they are at hand."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from bertflow_core.errors import InputError

REAL_DATA = os.environ.get("BERTFLOW_DATA")

STSB_LINE = "main\tMSRvid\t2012test\t{id}\t{score}\t{first}\t{second}"
SICK_HEADER = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"


@pytest.fixture(autouse=True)
def _nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BERTFLOW_DATA", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.fixture
def data_dir() -> Path:
    """The folder of real data that `BERTFLOW_DATA` names."""
    if not REAL_DATA:
        pytest.skip("set BERTFLOW_DATA to a folder that holds senteval/ and glue/")
    return Path(REAL_DATA)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file below the test's folder, byte for byte."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write_file


@pytest.fixture
def refuses(tmp_path: Path) -> Callable[..., AbstractContextManager[None]]:
    """Expect one sentence that holds each of the words, and no file written, changed or lost."""

    @contextmanager
    def expect(*words: str) -> Iterator[None]:
        before = snapshot(tmp_path)
        with pytest.raises(InputError) as caught:
            yield
        text = str(caught.value)
        for word in words:
            assert re.search(re.escape(word), text, re.IGNORECASE), f"{word!r} not in {text!r}"
        assert "\n" not in text
        assert not text.endswith(".")
        assert snapshot(tmp_path) == before

    return expect


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def stsb(write: Callable[[str, str], Path]) -> Callable[..., None]:
    """Write STS-B in SentEval's format below `root`: `n` pairs in each split."""

    def build(root: str = "", splits: tuple[str, ...] = ("train", "dev", "test")) -> None:
        for n, split in enumerate(splits, start=2):
            lines = [
                STSB_LINE.format(id=i, score=f"{i}.500", first=f"{split} a {i}", second=f"b {i}")
                for i in range(n)
            ]
            write(f"{root}/STS/STSBenchmark/sts-{split}.csv".strip("/"), "\n".join(lines) + "\n")

    return build


@pytest.fixture
def sick(write: Callable[[str, str], Path]) -> Callable[..., None]:
    """Write SICK below `root`: one pair in each split."""

    def build(root: str = "") -> None:
        for word, score in (("train", "4.5"), ("trial", "1"), ("test_annotated", "5.0")):
            text = f"{SICK_HEADER}\n7\tA {word}\tB {word}\t{score}\tNEUTRAL\n"
            write(f"{root}/SICK/SICK_{word}.txt".strip("/"), text)

    return build


@pytest.fixture
def year(write: Callable[[str, str | bytes], Path]) -> Callable[..., None]:
    """Write a subset of a yearly task: its input and its gold file, as given."""

    def build(name: str, subset: str, sentences: str | None, gold: str | None) -> None:
        folder = f"STS/{name.upper()}-en-test"
        if sentences is not None:
            write(f"{folder}/STS.input.{subset}.txt", sentences)
        if gold is not None:
            write(f"{folder}/STS.gs.{subset}.txt", gold)

    return build
