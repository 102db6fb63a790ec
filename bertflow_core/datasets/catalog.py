"""The data sets by name: find, load and list them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from types import NoneType

from bertflow_core.datasets.benchmarks import BENCHMARKS, PACKAGED
from bertflow_core.datasets.column_names import TableColumns
from bertflow_core.datasets.fetched import check_fetched
from bertflow_core.datasets.folders import data_root, locate, missing
from bertflow_core.datasets.pairs import SentencePairs
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.source import Layout, Source, Split
from bertflow_core.datasets.table_pairs import load_table
from bertflow_core.errors import BertFlowError, InputError, check_name, check_type, choose, listed
from bertflow_core.files import PATHS
from bertflow_core.wording import quoted

__all__ = ["DATASETS", "Dataset", "DatasetInfo", "available", "load_pairs", "open_dataset"]

DATASETS = tuple(dict.fromkeys(source.name for source in (*PACKAGED, *BENCHMARKS)))


@dataclass(frozen=True)
class Dataset:
    """A data set whose files exist.

    Attributes:
        name: A catalogue name, or the table's file name without its ending.
        splits: Those whose files exist.
        load: Reads one of them.
        layout: Where it was found: senteval, glue, package or table.
        more: Reads further sentences to fit on; None where there are none.
        hidden: The splits without published gold scores, each with the sentence that says so.
    """

    name: str
    splits: tuple[Split, ...]
    load: Callable[[Split], SentencePairs]
    layout: str
    more: Callable[[], RawFile] | None = None
    hidden: Mapping[Split, str] = field(default_factory=dict)

    def check_split(self, split: Split) -> None:
        """Refuse a split that does not exist.

        Raises:
            InputError: The sentence lists the splits that are.
        """
        if split not in self.splits:
            raise InputError(
                f"{self.name} has no {split} split here: expected one of {listed(self.splits)}"
            )


@dataclass(frozen=True)
class DatasetInfo:
    """A row of the listing of data sets.

    Attributes:
        name: As `load_pairs` takes it.
        title: For people.
        source: One sentence on its origin.
        licence: Terms of use, in words.
        splits: (split, number of pairs with gold scores) for those that exist.
        where: The layout it was found in, or the sentence that says why it was not.
        layouts: (layout, its splits as above) for each that holds it, the preferred first.

    Example:
        >>> from bertflow_core.datasets import available
        >>> captions = next(info for info in available() if info.name == "captions")
        >>> captions.found, captions.splits
        (True, (('train', 1000), ('dev', 375), ('test', 375)))
    """

    name: str
    title: str
    source: str
    licence: str
    splits: tuple[tuple[str, int], ...]
    where: str
    layouts: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()

    @property
    def found(self) -> bool:
        """Whether any split can be loaded."""
        return bool(self.splits)


def load_pairs(
    dataset: str | Path | RawFile,
    *,
    split: str = "test",
    data_dir: str | Path | None = None,
    layout: str | None = None,
    columns: TableColumns | None = None,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
) -> SentencePairs:
    """Load the sentence pairs of one split.

    Args:
        dataset: A name of `DATASETS`, or a .csv, .tsv, .jsonl or .parquet table: its path or its
            bytes.
        split: train, dev (SICK's trial) or test; the years, teaching and tables have test only.
        data_dir: SentEval's or GLUE's folder, or one that holds both; by default the one that
            `BERTFLOW_DATA` names.
        layout: senteval or glue, where both hold the data set; SentEval's is preferred.
        columns: The columns of a table; guessed from well-known names by default.
        scale: Lowest and highest gold score of a table; see `read_table`.
        strict: Refuse a table with rows that cannot be used, rather than leave them out with a
            warning.

    Raises:
        InputError: Unknown name or split, data that is not there or not in the expected format,
            or gold scores that are not published.
        ResourceError: The disk refused.

    Example:
        >>> from bertflow_core import load_pairs
        >>> pairs = load_pairs("teaching")
        >>> len(pairs), pairs.gold.shape
        (370, (370,))
    """
    part = choose(Split, split, "split")
    opened = open_dataset(
        dataset, data_dir=data_dir, layout=layout, columns=columns, scale=scale, strict=strict
    )
    if part in opened.hidden:
        raise InputError(opened.hidden[part])
    opened.check_split(part)
    return opened.load(part)


def open_dataset(
    dataset: str | Path | RawFile,
    *,
    data_dir: str | Path | None = None,
    layout: str | None = None,
    columns: TableColumns | None = None,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
) -> Dataset:
    """Find a data set without reading its pairs; the arguments are those of `load_pairs`.

    Raises:
        InputError: Unknown name, not found, or an option that this data set does not have.
    """
    check_type(dataset, (*PATHS, RawFile), "a data set", "a name, a path or a RawFile")
    check_type(data_dir, (*PATHS, NoneType), "data_dir", "a folder's path, or None")
    check_type(columns, (TableColumns, NoneType), "columns", "a TableColumns, or None")
    if isinstance(dataset, RawFile) or _is_path(dataset):
        _refuse_option("layout", layout, "a table")
        source = dataset if isinstance(dataset, RawFile) else Path(dataset)
        return _open_table(source, columns, scale, strict=strict)
    name = str(dataset)
    check_name(name, DATASETS, "data set")
    _refuse_option("columns", columns, name)
    _refuse_option("scale", scale, name)
    packaged = next((source for source in PACKAGED if source.name == name), None)
    if packaged is not None:
        _refuse_option("layout", layout, name)
        return _opened(packaged, Path(), tuple(packaged.files))
    return _open_benchmark(name, data_root(data_dir), layout)


def available(data_dir: str | Path | None = None) -> list[DatasetInfo]:
    """List every named data set with the splits that exist, whose files are read.

    Raises:
        InputError: `data_dir` or `BERTFLOW_DATA` names no folder.

    Example:
        >>> from bertflow_core.datasets import available
        >>> [info.name for info in available()][:2]
        ['captions', 'teaching']
    """
    root = data_root(data_dir)
    return [_info(name, root) for name in DATASETS]


def _is_path(dataset: str | Path) -> bool:
    """Names of data sets have neither a folder nor an ending."""
    return isinstance(dataset, Path) or PurePath(dataset).name != dataset or "." in dataset


def _open_table(
    source: Path | RawFile,
    columns: TableColumns | None,
    scale: tuple[float, float] | None,
    *,
    strict: bool,
) -> Dataset:
    def load(split: Split) -> SentencePairs:
        return load_table(source, columns, scale=scale, strict=strict)

    return Dataset(PurePath(source.name).stem, (Split.TEST,), load, "table")


def _open_benchmark(name: str, root: Path | None, layout: str | None) -> Dataset:
    wanted = None if layout is None else choose(Layout, layout, "layout")
    known = [source for source in BENCHMARKS if source.name == name]
    sources = [source for source in known if wanted in (None, source.layout)]
    if not sources:
        layouts = listed([source.layout for source in known])
        raise InputError(f"{name} is not part of layout {quoted(layout)}: expected {layouts}")
    located = locate(sources, root)
    if root is None or located is None:
        raise InputError(missing(sources, root))
    check_fetched(root, name)
    source, folder = located
    return _opened(source, folder, source.present(folder))


def _opened(source: Source, folder: Path, splits: tuple[Split, ...]) -> Dataset:
    load = partial(source.load, folder)
    return Dataset(source.name, splits, load, source.layout, source.more, source.hidden)


def _refuse_option(option: str, value: object, name: str) -> None:
    if value is not None:
        raise InputError(f"{option} has no meaning for {name}: leave it out")


def _info(name: str, root: Path | None) -> DatasetInfo:
    source = next(each for each in (*PACKAGED, *BENCHMARKS) if each.name == name)
    layouts, faults = [], []
    known = [each for each in BENCHMARKS if each.name == name]
    present: list[str | None] = [each.layout for each in known if locate([each], root)]
    for layout in present or [None]:  # None: what is packaged, or the sentence that it is missing
        try:
            opened = open_dataset(name, data_dir=root, layout=layout)
            scored = [split for split in opened.splits if split not in opened.hidden]
            sizes = tuple((str(split), len(opened.load(split))) for split in scored)
            layouts.append((opened.layout, sizes))
        except BertFlowError as error:
            faults.append(str(error))
    where, splits = layouts[0] if layouts else (faults[0], ())
    return DatasetInfo(
        name, source.title, source.origin, source.licence, splits, where, tuple(layouts)
    )
