"""Premises and hypotheses of MNLI and SNLI, streamed, as sentences to fit on."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from bertflow_core.datasets.benchmarks import Split
from bertflow_core.datasets.draw import MAX_SENTENCES, drawn, part_of
from bertflow_core.datasets.folders import data_root, every_folder, how_to_get
from bertflow_core.datasets.places import HUB, hub_rows
from bertflow_core.datasets.provenance import Provenance
from bertflow_core.datasets.raw_file import SourceFile, line_stream
from bertflow_core.errors import InputError, listed
from bertflow_core.files import disk_errors
from bertflow_core.wording import quoted

NLI_CORPUS = "nli"
"""The fit corpus of premises and hypotheses, as `--fit-on` names it."""

NLI = ("snli", "mnli")
"""The data sets that are parts of it, each a fit corpus too."""

# Aligned files with one sentence or label a line, and GLUE's tables.
_FILES = {
    "snli": ("snli/s1.{}", "snli/s2.{}", "snli/labels.{}"),
    "mnli": ("MNLI/{}.tsv",),
}
_HUB_LABELS = {0: "entailment", 1: "neutral", 2: "contradiction", -1: "-"}
_LABELS = frozenset(("entailment", "neutral", "contradiction"))
_NO_LABEL = frozenset(("-", ""))
"""What stands for the label of a pair on which the judges did not agree."""

# What the paper's released code takes for NLI.
_PARTS = (("mnli", "train"), ("snli", "train"), ("snli", "dev"), ("snli", "test"))
_NOT_HERE = "not here"
_Part = tuple[str, str]


class NliSentences(NamedTuple):
    """Sentences to fit on; the fields are those of a `Corpus`."""

    sentences: tuple[str, ...]
    description: str
    sources: tuple[Provenance, ...]
    n_pairs: int
    share: float


def is_part(description: str) -> bool:
    """Whether the description of a fit corpus says that parts of it were not there."""
    return _NOT_HERE in description


def nli_here(data_dir: str | Path | None, name: str) -> tuple[Split, ...]:
    """Return the splits of snli or mnli that are in the data folder; none where there is none."""
    root = data_root(data_dir)
    splits = [Split(split) for of, split in _PARTS if of == name]
    return tuple(each for each in splits if _found(root, (name, each)))


def nli_sentences(
    data_dir: str | Path | None, name: str = NLI_CORPUS, at_most: int | None = None
) -> NliSentences:
    """Stream the premises and hypotheses of MNLI (train) and SNLI, labels ignored.

    Parts that are not there are left out, and named. Pairs without an agreed label are left out, as
    the paper's code does. Both sides of a pair follow each other. The last corpus is kept, since
    every layer set and every data set of a study asks for it; a changed file is read again.

    Args:
        data_dir: As for `load_pairs`.
        name: `nli`, or snli or mnli for that one alone.
        at_most: Most sentences, of which pairs are drawn; `MAX_SENTENCES` by default.
    """
    root = data_root(data_dir)
    parts = [part for part in _PARTS if name in (NLI_CORPUS, part[0])]
    found = {part: _found(root, part) for part in parts}
    here = {part: files for part, files in found.items() if files}
    if not here:
        needed = list(dict.fromkeys(each for each, _ in parts))
        raise InputError(
            f"the fit corpus {name} needs {' or '.join(each.upper() for each in needed)}: "
            f"{how_to_get(' '.join(needed))}"
        )
    stamps = tuple(_stamp(path) for files in here.values() for path in files)
    absent = tuple(f"{of} {split}" for of, split in parts if (of, split) not in here)
    return _stream(tuple(here.items()), absent, (at_most or MAX_SENTENCES) // 2, stamps)


def _found(root: Path | None, part: _Part) -> tuple[Path, ...]:
    """Return the files of a part: in the data folder, else tables in the hub's cache."""
    name, split = part
    for folder in every_folder(root):
        paths = tuple(folder / file.format(split) for file in _FILES[name])
        if all(path.is_file() for path in paths):
            return paths
    return tuple(HUB[name].files(f"{split.replace('dev', 'validation')}-*.parquet"))


def _stamp(path: Path) -> tuple[Path, int, int]:
    """Return what tells a file from a later one of its name."""
    with disk_errors(path):
        status = path.stat()
    return path, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=1)
def _stream(
    parts: tuple[tuple[_Part, tuple[Path, ...]], ...],
    absent: tuple[str, ...],
    n_pairs: int,
    stamps: tuple[tuple[Path, int, int], ...],
) -> NliSentences:
    """Read the parts that are there and draw so many pairs of them."""
    counts = {part: 0 for part, _ in parts}

    def pairs() -> Iterator[tuple[str, str]]:
        for part, files in parts:
            for pair in _pairs(files):
                counts[part] += 1
                yield pair

    chosen, total = drawn(pairs(), n_pairs)
    here = ", ".join(f"{of} {split} {n:,} pairs" for (of, split), n in counts.items())
    description = (
        f"{part_of(2 * len(chosen), 2 * total, 'premises and hypotheses')} of NLI ({here}"
        f"{f'; {_NOT_HERE}: {listed(absent)}' if absent else ''}), labels not used."
    )
    return NliSentences(
        tuple(sentence for pair in chosen for sentence in pair),
        description,
        tuple(_provenance(part, files, counts[part]) for part, files in parts),
        len(chosen),
        len(chosen) / total,
    )


def _provenance(part: _Part, files: tuple[Path, ...], n: int) -> Provenance:
    name, split = part
    return Provenance(
        source=f"{name.upper()}, {split}.",
        licence="CC BY-SA 4.0" if name == "snli" else "OANC and others, see its licence file",
        layout="text",
        files=tuple(map(_source_file, files)),
        counts=(("pairs", n),),
    )


def _source_file(path: Path) -> SourceFile:
    with disk_errors(path), path.open("rb") as stream:
        return SourceFile(path.name, hashlib.file_digest(stream, "sha256").hexdigest(), None)


def _pairs(files: tuple[Path, ...]) -> Iterator[tuple[str, str]]:
    """Yield the labelled pairs of one split: of aligned files, of a table, or of the hub's."""
    if files[0].suffix == ".parquet":
        rows = hub_rows(files, ("premise", "hypothesis"), _HUB_LABELS)
    else:
        rows = _aligned(files) if len(files) > 1 else _tabbed(files[0])
    for line, first, second, label in rows:
        if label.strip() in _NO_LABEL:
            continue
        if label.strip() not in _LABELS:
            expected = f"one of {listed([*sorted(_LABELS), '-'])}"
            raise _fault(files[-1], line, expected, quoted(label.strip()))
        yield first, second


def _aligned(paths: tuple[Path, ...]) -> Iterator[tuple[int, str, str, str]]:
    for line, cells in enumerate(zip_longest(*map(line_stream, paths)), start=1):
        if None in cells:
            short = paths[cells.index(None)]
            raise _fault(short, line, "a line as in the files beside it", "the end of the file")
        first, second, label = cells
        yield line, first, second, label


def _tabbed(path: Path) -> Iterator[tuple[int, str, str, str]]:
    """Read the columns by their names; a quotation mark is text."""
    columns = ("sentence1", "sentence2", "gold_label")
    lines = line_stream(path)
    header = next(lines, "").split("\t")
    if not set(columns) <= set(header):
        raise _fault(path, 1, f"a header line with {listed(columns)}", listed(header))
    places = [header.index(column) for column in columns]
    for line, text in enumerate(lines, start=2):
        cells = text.split("\t")
        if len(cells) <= max(places):
            raise _fault(path, line, f"{len(header)} cells between tabs", str(len(cells)))
        first, second, label = (cells[place] for place in places)
        yield line, first, second, label


def _fault(path: Path, line: int, expected: str, got: str) -> InputError:
    return InputError(
        f"{quoted(path.name)}, line {line}: expected {expected}, got {got}; is this the original "
        "file?"
    )
