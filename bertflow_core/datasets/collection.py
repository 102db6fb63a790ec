"""A retrieval collection: documents, queries and relevance judgements in BEIR's layout."""

from pathlib import Path

from bertflow_core.datasets.own_table import DEFAULT_SCALE, first_of, need_column
from bertflow_core.datasets.pairs import OF_QUERIES, Collection, SentencePairs
from bertflow_core.datasets.source import Provenance
from bertflow_core.datasets.tables import (
    Table,
    is_blank,
    is_table,
    name_cell,
    open_table,
    score_cell,
    sentence_cell,
)
from bertflow_core.errors import InputError
from bertflow_core.runtime.shipped import resource
from bertflow_core.wording import quoted

BUILT_IN = "questions"
"""The built-in collection: questions of QNLI and sentences of Wikipedia."""

_IDS, _TEXTS = ("id", "queryid", "corpusid", "docid"), ("text", "sentence", "question", "document")
_JUDGED = ("queryid", "query"), ("corpusid", "document", "docid"), ("score", "grade", "relevance")


def collection_folder(name: str) -> Path | None:
    """Return the folder of a collection by its name or path, or None if there is no such folder."""
    if name == BUILT_IN:
        return Path(str(resource(f"{BUILT_IN}/README.md"))).parent
    return Path(name) if Path(name).is_dir() else None


def collection_splits(folder: Path) -> tuple[str, ...]:
    """Return the splits that have judgements; test if a folder has a single table of them."""
    found = sorted({path.stem for path in folder.glob("qrels/*") if is_table(path.name)})
    return tuple(found) or ("test",)


def load_collection(folder: Path, split: str) -> SentencePairs:
    """Return the documents of a collection, then its queries, as single texts to embed."""
    found = read_collection(str(folder), split)
    texts = (*found.documents.values(), *found.queries.values())
    return SentencePairs(
        name=folder.name,
        split=split,
        first=texts,
        second=(),
        gold=None,
        scale=DEFAULT_SCALE,
        subsets=("",) * len(texts),
        provenance=Provenance.of(
            f"The collection {folder.name}.", found.files, len(texts), layout="beir"
        ),
        collection=found,
        text_metric=OF_QUERIES[0],
    )


def read_collection(name: str, split: str = "test") -> Collection:
    """Read a folder in BEIR's layout, or the built-in questions.

    Raises:
        InputError: A missing table, or unusable rows.
    """
    folder = collection_folder(name) or Path(name)
    tables = [_table(folder, part) for part in ("corpus", "queries")]
    corpus, queries = map(_texts, tables)
    judgements = _table(folder, f"qrels/{split}", "qrels")
    grades: dict[str, dict[str, int]] = {}

    def judge(_: int, query: object, document: object, score: object) -> None:
        of, number = name_cell(query, "query"), name_cell(document, "document")
        for what, each, known in (("query", of, queries), ("document", number, corpus)):
            if each not in known:
                raise ValueError(f"there is no {what} {quoted(each)}")
        if number in grades.setdefault(of, {}):
            raise ValueError(f"{quoted(of)} and {quoted(number)} are judged twice")
        if (grade := score_cell(score, "score")) != int(grade):
            raise ValueError(f"score is not a whole number: {grade:g}")
        grades[of][number] = int(grade)

    judgements.sift([need_column(judgements, known) for known in _JUDGED], judge, strict=True)
    kept = [
        query for query in sorted(queries) if max(grades.get(query, {}).values(), default=0) > 0
    ]
    if not kept:
        raise InputError(f"{quoted(judgements.name)} has no relevant document for any query")
    return Collection(
        {number: corpus[number] for number in sorted(corpus)},
        {query: queries[query] for query in kept},
        {query: grades[query] for query in kept},
        len(queries) - len(kept),
        tuple(raw.source_file() for table in (*tables, judgements) for raw in table.files),
    )


def _table(folder: Path, *names: str) -> Table:
    """Open the first of these tables, named without endings, in a folder."""
    for name in names:
        for path in sorted(folder.glob(f"{name}.*")):
            if is_table(path.name):
                return open_table(path)
    raise InputError(
        f"{quoted(folder)} has no {' or '.join(names)} as .jsonl, .csv, .tsv, .parquet or .xlsx: "
        "expected a folder in BEIR's layout"
    )


def _texts(table: Table) -> dict[str, str]:
    found: dict[str, str] = {}

    def add(_: int, number: object, text: object, title: object) -> None:
        name = name_cell(number, "id")
        if name in found:
            raise ValueError(f"id {quoted(name)} occurs twice")
        whole = " ".join(str(each) for each in (title, text) if not is_blank(each))
        found[name] = sentence_cell(whole.strip(), "text")

    text = need_column(table, _TEXTS)
    title = first_of(table.header, ("title",))
    table.sift([need_column(table, _IDS), text, title], add, strict=True)
    return found
