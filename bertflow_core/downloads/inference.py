"""QNLI, SNLI and MNLI from the hub's parquet tables, written as GLUE's and SentEval's files.

A tab or an end of line within a sentence becomes a space, since these files cannot hold one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bertflow_core.datasets.parquet import read_parquet
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted

__all__ = ["mnli_files", "qnli_files", "snli_files"]

_THREE = {0: "entailment", 1: "neutral", 2: "contradiction", -1: "-"}
_TWO = {0: "entailment", 1: "not_entailment"}
_SPLITS = {"train": "train", "validation": "dev", "test": "test"}
_BREAKS = re.compile(r"[\t\r\n]+")

_Row = tuple[str, str, str]  # both sentences, label


def qnli_files(folder: Path) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield QNLI as GLUE's `QNLI/{train,dev,test}.tsv`; test has no labels.

    Raises:
        InputError: A table is missing, or not as expected.
    """
    for split, name in _SPLITS.items():
        is_hidden = split == "test"
        labels = {-1: ""} if is_hidden else _TWO
        rows = _rows(_tables(folder, "qnli", split), ("question", "sentence"), labels)
        columns = ("question", "sentence", "label")
        yield f"glue/QNLI/{name}.tsv", _tsv(columns[:2] if is_hidden else columns, rows)


def mnli_files(folder: Path) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield MNLI as GLUE's `MNLI/{train,dev_matched}.tsv`.

    Raises:
        InputError: A table is missing, or not as expected.
    """
    for split, name in {"train": "train", "validation_matched": "dev_matched"}.items():
        rows = _rows(_tables(folder, "mnli", split), ("premise", "hypothesis"), _THREE)
        columns = ("sentence1", "sentence2", "gold_label")
        yield f"glue/MNLI/{name}.tsv", _tsv(columns, rows)


def snli_files(folder: Path) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield SNLI as aligned files `snli/{s1,s2,labels}.{train,dev,test}`.

    Raises:
        InputError: A table is missing, or not as expected.
    """
    for split, name in _SPLITS.items():
        tables = _tables(folder, "plain_text", split)
        rows = list(_rows(tables, ("premise", "hypothesis"), _THREE))
        for place, file in enumerate(("s1", "s2", "labels")):
            yield f"snli/{file}.{name}", (f"{row[place]}\n".encode() for row in rows)


def _tables(folder: Path, config: str, split: str) -> list[Path]:
    """Return the parquet files of a split, in order."""
    files = sorted((folder / config).glob(f"{split}-*-of-*.parquet"))
    if not files:
        raise InputError(
            f"the repository holds no {config}/{split}-*.parquet: choose another revision"
        )
    return files


def _rows(
    files: Sequence[Path], columns: tuple[str, str], labels: dict[int, str]
) -> Iterator[_Row]:
    for path in files:
        name = f"{path.parent.name}/{path.name}"
        table = read_parquet(RawFile.read(path, name))
        absent = [column for column in (*columns, "label") if column not in table.header]
        if absent:
            raise InputError(f"{quoted(name)} has no column {quoted(absent[0])}")
        for record in table.records((*columns, "label")):
            yield _row(name, record.row, record.cells, labels)


def _row(name: str, row: int, cells: Sequence[object], labels: dict[int, str]) -> _Row:
    first, second, label = cells
    if not (isinstance(first, str) and isinstance(second, str)):
        raise InputError(f"{quoted(name)}, row {row}: expected two texts, got {quoted(cells)}")
    if not isinstance(label, int) or label not in labels:
        raise InputError(
            f"{quoted(name)}, row {row}: expected a label of {sorted(labels)}, got {quoted(label)}"
        )
    return _BREAKS.sub(" ", first), _BREAKS.sub(" ", second), labels[label]


def _tsv(columns: Sequence[str], rows: Iterable[_Row]) -> Iterator[bytes]:
    """Write GLUE's form: a header, a row's number first, tabs between cells, no quotes."""
    yield ("\t".join(("index", *columns)) + "\n").encode()
    for number, row in enumerate(rows):
        yield ("\t".join((str(number), *row[: len(columns)])) + "\n").encode()
