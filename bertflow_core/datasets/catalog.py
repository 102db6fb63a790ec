"""Data sets by name and tables by path: find, load, list and fetch them."""

import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from bertflow_core.arguments import checked
from bertflow_core.datasets.benchmarks import BENCHMARKS, INFERENCE, TEST, Dataset
from bertflow_core.datasets.collection import (
    BUILT_IN,
    collection_splits,
    collection_tables,
    find_collection,
    load_collection,
)
from bertflow_core.datasets.locations import data_root
from bertflow_core.datasets.own_table import TableColumns, read_table
from bertflow_core.datasets.source import RawFile
from bertflow_core.datasets.tables import open_table, unusable
from bertflow_core.datasets.texts import Texts
from bertflow_core.errors import BertFlowError, InputError, check_name, listed

DATASETS = (*BENCHMARKS, BUILT_IN)


@checked
def load_dataset(
    dataset: str | Path | RawFile,
    *,
    split: str = TEST,
    data_dir: str | Path | None = None,
    columns: TableColumns | None = None,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
) -> Texts:
    """Load one split of a data set: `Pairs`, `LabelledTexts`, a `Collection`, or just `Texts`.

    Args:
        dataset: A name of `DATASETS`; a .csv, .tsv, .jsonl, .parquet or .xlsx table, by its path or
            its bytes; or a collection: `questions`, or a folder or .zip in BEIR's layout.
        split: train, dev or test; STS12 to STS16, teaching and tables have test only.
        data_dir: SentEval's or GLUE's folder, or a folder with both as `senteval` and `glue`; by
            default `BERTFLOW_DATA`.
        columns: Columns of a table; by default, well-known names are recognised.
        scale: Lowest and highest gold score of a table; see `read_table`.
        strict: Whether to refuse a table with unusable rows; otherwise they are left out with a
            warning.

    Raises:
        InputError: Unknown name or split, missing data, an unexpected format, or unpublished gold
            scores.
        ResourceError: The disk failed.

    Example:
        >>> from bertflow_core import load_dataset
        >>> pairs = load_dataset("teaching")
        >>> len(pairs), pairs.gold.shape
        (370, (370,))
    """
    opened = open_dataset(dataset, data_dir=data_dir, columns=columns, scale=scale, strict=strict)
    if split in opened.hidden:
        raise InputError(opened.hidden[split])
    if split not in opened.splits:
        raise InputError(
            f"{opened.name} has no {split} split here: expected one of {listed(opened.splits)}"
        )
    return opened.load(split)


@checked
def open_dataset(
    dataset: str | Path | RawFile,
    *,
    data_dir: str | Path | None = None,
    columns: TableColumns | None = None,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
) -> Dataset:
    """Find a data set without reading its pairs; the arguments are those of `load_dataset`."""
    name = dataset.name if isinstance(dataset, RawFile) else str(dataset)
    found = None if name in BENCHMARKS else find_collection(dataset)
    if found is None and (isinstance(dataset, RawFile) or _is_path(dataset)):
        source = dataset if isinstance(dataset, RawFile) else Path(dataset)

        def load(split: str) -> Texts:
            table = open_table(source)
            for remark in table.remarks:
                warnings.warn(remark, stacklevel=1)
            reading = read_table(table, columns, scale=scale, strict=strict)
            if reading.refused:
                rest = f"{unusable(source.name, reading.n_rows, reading.refused)} and are left out"
                warnings.warn(f"{rest}; --strict refuses such a table", stacklevel=1)
            return reading.data

        return Dataset(PurePath(source.name).stem, (TEST,), load)
    if found is None:
        check_name(name, DATASETS, "data set")
    of_tables = {} if columns is None else vars(columns)
    for option, value in {**of_tables, "scale": scale}.items():
        if value is not None:
            raise InputError(f"{option} has no meaning for {name}: leave it out")
    if found is not None:
        tables = collection_tables(found)
        load_split = partial(load_collection, name, tables)
        return Dataset(PurePath(name).name, collection_splits(tables), load_split)
    return BENCHMARKS[name].open(data_root(data_dir))


def _is_path(dataset: str | Path) -> bool:
    """Tell whether a text is a path; names of data sets have neither a folder nor an ending."""
    return isinstance(dataset, Path) or PurePath(dataset).name != dataset or "." in dataset


@dataclass(frozen=True)
class DatasetInfo:
    """A row of the listing of data sets."""

    name: str
    title: str
    source: str
    licence: str
    splits: tuple[tuple[str, str], ...]  # each split with gold scores, and its size
    where: str  # the layout of its files, or a sentence on why they were not found

    @property
    def found(self) -> bool:
        """Whether any split can be loaded."""
        return bool(self.splits)


@checked
def available(data_dir: str | Path | None = None) -> list[DatasetInfo]:
    """List every named data set with the splits that exist, after reading their files.

    Raises:
        InputError: `data_dir` or `BERTFLOW_DATA` is not a folder.

    Example:
        >>> from bertflow_core.datasets import available
        >>> [info.splits for info in available() if info.name == "captions"]
        [(('train', '1,000 pairs'), ('dev', '375 pairs'), ('test', '375 pairs'))]
    """
    root = data_root(data_dir)
    found = []
    for each in BENCHMARKS.values():
        splits: tuple[tuple[str, str], ...] = ()
        where = each.kind
        try:
            opened = each.open(root)
            scored = [split for split in opened.splits if split not in opened.hidden]
            splits = tuple((split, opened.load(split).size) for split in scored)
        except BertFlowError as error:
            where = str(error)
        found.append(DatasetInfo(each.name, each.title, each.origin, each.licence, splits, where))
    questions = load_dataset(BUILT_IN)
    about = (
        "Questions to search with, and sentences to find",
        "SQuAD by way of QNLI",
        "CC BY-SA 4.0",
    )
    return [*found, DatasetInfo(BUILT_IN, *about, ((TEST, questions.size),), "package")]


DOWNLOADS = {name: each for name, each in (BENCHMARKS | INFERENCE).items() if each.hub}
"""The data sets that can be fetched."""
_MOST_BYTES = 1 << 30


def get_data(name: str) -> int:
    """Fetch one of `DOWNLOADS` into the hub's cache; return the bytes of its files."""
    from bertflow_core.runtime.hub import fetch  # late: the hub's client is slow to import

    source = DOWNLOADS[name].source
    fetch(
        source.repository,
        source.patterns,
        revision=source.revision,
        most=_MOST_BYTES,
        kind="dataset",
        name=name,
    )
    return sum(path.stat().st_size for path in source.files())


def missing_downloads() -> list[str]:
    """Return the names of data sets that can be fetched but have not been yet."""
    return [name for name, each in DOWNLOADS.items() if not each.source.files()]
