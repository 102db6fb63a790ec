"""Tiny data folders in the benchmarks' own formats."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from bertflow_core.errors import InputError


@pytest.fixture(autouse=True)
def _nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BERTFLOW_DATA", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


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
def refuses() -> Callable[..., AbstractContextManager[None]]:
    """Expect an error of one sentence with each of these words."""

    @contextmanager
    def expect(*words: str) -> Iterator[None]:
        with pytest.raises(InputError) as caught:
            yield
        text = str(caught.value)
        for word in words:
            assert re.search(re.escape(word), text, re.IGNORECASE), f"{word!r} not in {text!r}"
        assert "\n" not in text
        assert not text.endswith(".")

    return expect


@pytest.fixture
def stsb(write: Callable[[str, str], Path]) -> Callable[..., None]:
    """Write STS-B in SentEval's format below `root`: 2, 3 and 4 pairs in its splits."""

    def build(root: str = "", splits: tuple[str, ...] = ("train", "dev", "test")) -> None:
        for n, split in enumerate(splits, start=2):
            lines = [f"g\tf\ty\t{i}\t{i}.500\t{split} a {i}\tb {i}\n" for i in range(n)]
            write(f"{root}/STS/STSBenchmark/sts-{split}.csv".strip("/"), "".join(lines))

    return build


@pytest.fixture
def year(write: Callable[[str, str | bytes], Path]) -> Callable[..., None]:
    """Write a subset of a yearly task: its input and its gold file, as given."""

    def build(name: str, subset: str, sentences: str | None, gold: str | None) -> None:
        for kind, content in (("input", sentences), ("gs", gold)):
            if content is not None:
                write(f"STS/{name.upper()}-en-test/STS.{kind}.{subset}.txt", content)

    return build
