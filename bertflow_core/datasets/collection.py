"""A retrieval collection: documents, queries and relevance judgements in BEIR's layout."""

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path, PurePath, PurePosixPath
from posixpath import commonpath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets.own_table import first_of, need_column
from bertflow_core.datasets.source import UNKNOWN, Provenance, RawFile, digest, open_zip
from bertflow_core.datasets.tables import (
    Table,
    is_blank,
    is_table,
    name_cell,
    open_table,
    score_cell,
    sentence_cell,
    shown,
)
from bertflow_core.datasets.texts import OF_QUERIES, Texts
from bertflow_core.errors import InputError
from bertflow_core.runtime.files import too_large
from bertflow_core.runtime.shipped import resource
from bertflow_core.wording import DOCUMENT, QUERY, quoted, reason

BUILT_IN = "questions"
"""The built-in collection: questions of QNLI and sentences of Wikipedia."""

ZIP, MAX_UNPACKED = ".zip", 64 << 20
"""The ending of a packed collection, and the largest size of its unpacked tables in bytes."""

_METHODS, _OF_MACS = (ZIP_STORED, ZIP_DEFLATED), "__MACOSX"
_LEAST, _MOST = -2, 1_000  # of grades: TREC marks spam by -2, what nobody judged by -1
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_IDS, _TEXTS = ("id", "queryid", "corpusid", "docid"), ("text", "sentence", "question", "document")
_JUDGED = ("queryid", "query"), ("corpusid", "document", "docid"), ("score", "grade", "relevance")


Tables = Mapping[str, Path | RawFile]
"""The tables of a collection, by path in its folder, such as `qrels/test.tsv`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Collection(Texts):
    """Documents and queries by id, in ascending order of ids, and relevance judgements.

    The texts are the documents, then the queries.

    Example:
        >>> from bertflow_core import load_dataset
        >>> load_dataset("questions").size
        '956 documents, 700 queries, 700 relevant pairs'
    """

    documents: dict[str, str] = field(repr=False)
    queries: dict[str, str] = field(repr=False)  # those with a relevant document
    grades: dict[str, dict[str, int]] = field(repr=False)  # by query and document; relevant if > 0
    n_unjudged: int  # queries without a relevant document, which are left out
    texts: tuple[str, ...] = field(repr=False, init=False)
    subsets: tuple[str, ...] = field(repr=False, init=False)
    targets: FloatArray = field(repr=False, init=False)  # zeros, since metrics are means
    metric: str = OF_QUERIES[0]
    metrics = OF_QUERIES

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", (*self.documents.values(), *self.queries.values()))
        object.__setattr__(self, "subsets", ("",) * len(self.queries))
        object.__setattr__(self, "targets", np.zeros(len(self.queries)))

    @property
    def size(self) -> str:
        """The numbers of documents, queries and relevant pairs, in words."""
        n_relevant = sum(grade > 0 for of in self.grades.values() for grade in of.values())
        return (
            f"{len(self.documents):,} documents, {len(self.queries):,} queries, "
            f"{n_relevant:,} relevant pairs"
        )

    @property
    def sides(self) -> tuple[str, ...]:
        """The side of each text, query or document."""
        return (DOCUMENT,) * len(self.documents) + (QUERY,) * len(self.queries)

    def compared(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the vectors of the queries and of the documents, of `x`, those of the texts."""
        return x[len(self.documents) :], x[: len(self.documents)]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of what decides scores: texts and their ids, judgements and metric."""
        return digest((*self.documents, *self.texts, repr(self.grades), self.metric))


def find_collection(dataset: str | Path | RawFile) -> Path | RawFile | None:
    """Return the folder or the .zip of a collection, by its name or path; None for other data."""
    if dataset == BUILT_IN:
        return Path(str(resource(f"{BUILT_IN}/README.md"))).parent
    if isinstance(dataset, RawFile):
        return dataset if dataset.name.lower().endswith(ZIP) else None
    if str(dataset).lower().endswith(ZIP) and not Path(dataset).is_dir():
        return RawFile.of(dataset)
    return Path(dataset) if Path(dataset).is_dir() else None


def collection_tables(source: Path | RawFile) -> Tables:
    """Return the tables of a folder or a .zip, which is unpacked in memory up to a limit.

    Raises:
        InputError: The .zip is damaged, encrypted, larger than 64 MiB when unpacked, or has more
            than 10,000 entries.
    """
    if isinstance(source, RawFile):
        return _unpacked(source)
    paths = (*source.glob("*"), *source.glob("qrels/*"))
    return {path.relative_to(source).as_posix(): path for path in paths if is_table(path.name)}


def _unpacked(raw: RawFile) -> Tables:
    """Read the tables of a .zip; a folder that encloses all of them is left out of their paths."""
    try:
        with open_zip(raw) as archive:
            parts = {PurePosixPath(part.filename): part for part in archive.infolist()}
            tables = {
                path: part
                for path, part in parts.items()
                if is_table(path.name) and path.parts[0] != _OF_MACS
            }
            size = sum(part.file_size for part in tables.values())  # reading stops there
            if size > MAX_UNPACKED:
                why = too_large(f"{raw.name} when unpacked", size, MAX_UNPACKED)
                raise InputError(f"{why}: take fewer documents, or unpack it and name the folder")
            if any(part.compress_type not in _METHODS for part in tables.values()):
                raise BadZipFile("compressed by a method other than deflate")
            top = commonpath([path.parent for path in tables]) if tables else ""
            return {
                path.relative_to(top).as_posix(): RawFile(path.name, archive.read(part))
                for path, part in tables.items()
            }
    except InputError:
        raise
    except (BadZipFile, EOFError, RuntimeError, ValueError, zlib.error) as fault:
        raise InputError(
            f"{quoted(raw.name)} cannot be read as .zip ({reason(fault)}): zip the folder again"
        ) from None


def packed(files: Sequence[RawFile]) -> RawFile:
    """Pack tables into a collection's .zip: corpus and queries, and judgements in `qrels/`.

    Example:
        >>> from bertflow_core.datasets import RawFile
        >>> from bertflow_core.datasets.collection import collection_tables, packed
        >>> [*collection_tables(packed([RawFile("corpus.csv", b""), RawFile("test.tsv", b"")]))]
        ['corpus.csv', 'qrels/test.tsv']
    """
    stream, known = BytesIO(), ("corpus", "queries", "qrels")
    with ZipFile(stream, "w") as archive:
        for file in files:
            folder = "" if PurePosixPath(file.name).stem in known else "qrels/"
            archive.writestr(ZipInfo(f"{folder}{file.name}"), file.content)  # without a date
    return RawFile(f"collection{ZIP}", stream.getvalue())


def collection_splits(tables: Tables) -> tuple[str, ...]:
    """Return the splits that have judgements; `test` alone if one table holds all of them."""
    found = {PurePath(name).stem for name in tables if name.startswith("qrels/")}
    return tuple(sorted(found)) or ("test",)


def load_collection(name: str, tables: Tables, split: str) -> Collection:
    """Read one split of a collection."""
    opened = [_table(name, tables, part) for part in ("corpus", "queries")]
    corpus, queries = map(_texts, opened)
    judgements = _table(name, tables, f"qrels/{split}", "qrels")
    grades: dict[str, dict[str, int]] = {}

    def judge(_: int, query: object, document: object, score: object) -> None:
        of, number = name_cell(query, "query"), name_cell(document, "document")
        for what, each, known in (("query", of, queries), ("document", number, corpus)):
            if each not in known:
                raise ValueError(f"there is no {what} {quoted(each)}")
        if number in grades.setdefault(of, {}):
            raise ValueError(f"{quoted(number)} is judged twice for {quoted(of)}")
        grade = score_cell(score, "score")
        if grade % 1 or not _LEAST <= grade <= _MOST:
            raise ValueError(
                f"score is {grade:g}: expected a whole number from {_LEAST} to {_MOST:,}"
            )
        grades[of][number] = int(grade)

    judgements.sift([need_column(judgements, known) for known in _JUDGED], judge, strict=True)
    kept = [
        query for query in sorted(queries) if max(grades.get(query, {}).values(), default=0) > 0
    ]
    if not kept:
        raise InputError(f"{quoted(judgements.name)} has no relevant document for any query")
    opened.append(judgements)
    files = tuple(raw.source_file() for table in opened for raw in table.files)
    assumed = tuple(remark for table in opened for remark in table.remarks)
    stem = PurePath(name).stem if name.endswith(ZIP) else PurePath(name).name
    counts = (("sentences", len(corpus) + len(kept)),)
    return Collection(
        name=stem,
        split=split,
        documents={number: corpus[number] for number in sorted(corpus)},
        queries={query: queries[query] for query in kept},
        grades={query: grades[query] for query in kept},
        n_unjudged=len(queries) - len(kept),
        provenance=Provenance(f"The collection {stem}.", UNKNOWN, "beir", files, counts, assumed),
    )


def _table(name: str, tables: Tables, *parts: str) -> Table:
    """Open the first of these tables that exists; `parts` are names without endings."""
    for part in parts:
        for path in sorted(tables):
            if path.rpartition(".")[0] == part:
                return open_table(tables[path])
    raise InputError(
        f"{quoted(name)} has no {' or '.join(parts)} as .jsonl, .csv, .tsv, .parquet or .xlsx: "
        "expected the tables corpus, queries and qrels/SPLIT, as in BEIR's layout"
    )


def _texts(table: Table) -> dict[str, str]:
    found: dict[str, str] = {}

    def add(_: int, number: object, text: object, title: object) -> None:
        name = name_cell(number, "id")
        if _CONTROLS.search(name):
            raise ValueError(f"id holds a control character: {shown(name)}")
        if name in found:
            raise ValueError(f"id {quoted(name)} occurs twice")
        whole = " ".join(str(each) for each in (title, text) if not is_blank(each))
        found[name] = sentence_cell(whole.strip(), "text")

    text = need_column(table, _TEXTS)
    title = first_of(table.header, ("title",))
    table.sift([need_column(table, _IDS), text, title], add, strict=True)
    return found
