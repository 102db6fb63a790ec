"""Pairs for natural language inference (SNLI, MNLI), streamed from the layouts they come in."""

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from bertflow_core.datasets.fetched import check_fetched
from bertflow_core.datasets.folders import data_root, every_root
from bertflow_core.datasets.raw_file import line_stream
from bertflow_core.datasets.source import Split
from bertflow_core.errors import InputError, check_name, choose, listed
from bertflow_core.wording import quoted

__all__ = ["NLI", "NliLabel", "NliPair", "nli_files", "nli_here", "nli_pairs", "nli_splits"]

COLUMNS = ("sentence1", "sentence2", "gold_label")
NO_LABEL = frozenset({"-", ""})
"""What stands for the label of a pair on which the judges did not agree."""

# For each data set the files of a split in each layout: aligned files (one sentence or label a
# line), the authors' own release, and GLUE's folders. A layout found first is preferred.
_FILES = {
    "snli": (
        ("snli/s1.{}", "snli/s2.{}", "snli/labels.{}"),
        ("SNLI/s1.{}", "SNLI/s2.{}", "SNLI/labels.{}"),
        ("snli_1.0/snli_1.0_{}.jsonl",),
        ("snli_1.0/snli_1.0_{}.txt",),
        ("SNLI/{}.tsv",),
    ),
    "mnli": (
        ("mnli/s1.{}", "mnli/s2.{}", "mnli/labels.{}"),
        ("multinli_1.0/multinli_1.0_{}.jsonl",),
        ("multinli_1.0/multinli_1.0_{}.txt",),
        ("MNLI/{}.tsv",),
    ),
}
_SPLITS = {
    "snli": {split: str(split) for split in Split},
    "mnli": {Split.TRAIN: "train", Split.DEV: "dev_matched"},  # the gold of test is not published
}
NLI = tuple(_FILES)
"""The data sets that `nli_pairs` reads."""

_Row = tuple[int, str, str, str]  # line, both sentences, label


class NliLabel(StrEnum):
    """What a premise says of a hypothesis."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"


class NliPair(NamedTuple):
    """Two sentences, as they stand in the file, and the label that the judges agreed on."""

    premise: str
    hypothesis: str
    label: NliLabel


def nli_pairs(folder: Path, name: str, split: str) -> Iterator[NliPair]:
    """Stream the labelled pairs of one split; pairs without an agreed label are left out.

    Args:
        folder: The data folder: SentEval's or GLUE's, the one above `snli/`, or one that holds
            them.
        name: snli or mnli.
        split: train, dev (of MNLI the matched one) or test (SNLI only).

    Raises:
        InputError: Unknown name or split, files that are not there, or, while pairs are read, a
            line that is not in the format.
        ResourceError: The disk refused.
    """
    files = nli_files(folder, name, split)
    return _pairs(files)


def nli_files(folder: Path, name: str, split: str) -> tuple[Path, ...]:
    """Return the files that hold one split: one, or three that are aligned.

    Raises:
        InputError: Unknown name or split, no such files, or not as they were fetched.
    """
    check_name(name, NLI, "data set for inference")
    part = choose(Split, split, "split")
    if part not in _SPLITS[name]:
        raise InputError(
            f"{name} has no {part} split with labels: expected one of {listed(_SPLITS[name])}"
        )
    found = _found(folder, name, part)
    if found is None:
        looked = [_below(files, name, part)[-1] for files in _FILES[name]]
        raise InputError(
            f"{name} ({part}) was not found in {quoted(folder)}: looked for {listed(looked)}; "
            f"fetch it with `bertflow-lab data get {name}`, or name the folder that holds it with "
            "--data-dir or BERTFLOW_DATA"
        )
    check_fetched(folder, name)
    return found


def nli_splits(folder: Path, name: str) -> tuple[Split, ...]:
    """Return the splits of a data set whose files are there."""
    return tuple(split for split in _SPLITS[name] if _found(folder, name, split) is not None)


def nli_here(data_dir: str | Path | None, name: str) -> tuple[Split, ...]:
    """Return the splits of a data set that are in the data folder; none where there is none.

    Raises:
        InputError: `data_dir` or `BERTFLOW_DATA` names no folder.
    """
    root = data_root(data_dir)
    return () if root is None else nli_splits(root, name)


def _found(folder: Path, name: str, split: Split) -> tuple[Path, ...] | None:
    for files in _FILES[name]:
        for root in every_root(folder):
            paths = tuple(root / below for below in _below(files, name, split))
            if all(path.is_file() for path in paths):
                return paths
    return None


def _below(files: Sequence[str], name: str, split: Split) -> list[str]:
    return [file.format(_SPLITS[name][split]) for file in files]


def _pairs(files: Sequence[Path]) -> Iterator[NliPair]:
    rows = _aligned(files) if len(files) > 1 else _READERS[files[0].suffix](files[0])
    for line, first, second, label in rows:
        if label.strip() not in NO_LABEL:
            yield NliPair(first, second, _label(files[-1], line, label.strip()))


def _label(path: Path, line: int, label: str) -> NliLabel:
    try:
        return NliLabel(label)
    except ValueError:
        raise _fault(path, line, f"one of {listed([*NliLabel, '-'])}", quoted(label)) from None


def _aligned(paths: Sequence[Path]) -> Iterator[_Row]:
    """Read first sentences, second sentences and labels from three files, line by line."""
    for line, cells in enumerate(zip_longest(*map(line_stream, paths)), start=1):
        if None in cells:
            short = paths[cells.index(None)]
            raise _fault(short, line, "a line as in the files beside it", "the end of the file")
        first, second, label = cells
        yield line, first, second, label


def _tabbed(path: Path) -> Iterator[_Row]:
    """Read the columns by their names; a quotation mark is text."""
    lines = line_stream(path)
    header = next(lines, "").split("\t")
    if not set(COLUMNS) <= set(header):
        raise _fault(path, 1, f"a header line with {listed(COLUMNS)}", listed(header))
    places = [header.index(column) for column in COLUMNS]
    for line, text in enumerate(lines, start=2):
        cells = text.split("\t")
        if len(cells) <= max(places):
            raise _fault(path, line, f"{len(header)} cells between tabs", str(len(cells)))
        first, second, label = (cells[place] for place in places)
        yield line, first, second, label


def _json_lines(path: Path) -> Iterator[_Row]:
    """Read an object a line."""
    for line, text in enumerate(line_stream(path), start=1):
        try:
            record: Any = json.loads(text)
            first, second, label = (record[column] for column in COLUMNS)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise _fault(path, line, f"an object with {listed(COLUMNS)}", quoted(text)) from None
        if not (isinstance(first, str) and isinstance(second, str) and isinstance(label, str)):
            raise _fault(path, line, "texts", quoted(text))
        yield line, first, second, label


_READERS = {".tsv": _tabbed, ".txt": _tabbed, ".jsonl": _json_lines}


def _fault(path: Path, line: int, expected: str, got: str) -> InputError:
    return InputError(
        f"{quoted(path.name)}, line {line}: expected {expected}, got {got}; is this the original "
        "file?"
    )
