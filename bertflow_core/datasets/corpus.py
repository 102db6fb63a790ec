"""The sentences that a calibrator is fitted on: of a data set, of its train split, of a file."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from bertflow_core.datasets.benchmarks import Split
from bertflow_core.datasets.catalog import DATASETS, Dataset, open_dataset
from bertflow_core.datasets.column_names import TableColumns
from bertflow_core.datasets.draw import MAX_SENTENCES, drawn, part_of, sized
from bertflow_core.datasets.nli import NLI, NLI_CORPUS, nli_sentences
from bertflow_core.datasets.pairs import SentencePairs
from bertflow_core.datasets.provenance import Provenance, digest
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.rows import Record
from bertflow_core.datasets.sentence_list import is_table, read_sentences, strict_sentences
from bertflow_core.datasets.tables import open_table
from bertflow_core.errors import InputError, check_list, check_type, listed
from bertflow_core.files import PATHS, disk_errors
from bertflow_core.wording import quoted

TARGET, TRAIN = "target", "train"


@dataclass(frozen=True)
class Corpus:
    """Sentences to fit on, duplicates kept.

    Attributes:
        sentences: N strings; of pairs both sides interleaved, split after split.
        description: One sentence that says which they are.
        sources: Where they came from, one per split or file.
        n_pairs: Pairs whose two sides are the first 2 n_pairs sentences.
        share: The share of a larger corpus that these sentences are, drawn at random.

    Example:
        >>> from bertflow_core import load_corpus
        >>> corpus = load_corpus("captions", "target")
        >>> len(corpus), corpus.n_pairs  # both sides of 1,750 pairs, and 4,000 more
        (7500, 1750)
    """

    sentences: tuple[str, ...] = field(repr=False)
    description: str
    sources: tuple[Provenance, ...] = field(repr=False)
    n_pairs: int = 0
    share: float = 1.0

    def __len__(self) -> int:
        return len(self.sentences)

    def n_among(self, sentences: Iterable[str]) -> int:
        """Count how many of some sentences are in the corpus; a repeated one counts each time."""
        own = frozenset(self.sentences)
        return sum(sentence in own for sentence in sentences)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the sentences in their order."""
        return digest(self.sentences)


def load_corpus(
    dataset: str | Path | RawFile,
    fit_on: str | Path | RawFile,
    *,
    data_dir: str | Path | None = None,
    columns: TableColumns | None = None,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
) -> Corpus:
    """Load the sentences to fit on; gold scores are ignored.

    Args:
        dataset: What will be evaluated: a name or a table, with the options of `load_pairs`.
        fit_on: "target": every sentence of each split that exists (of the years: of every scored
            pair; of captions: with its 4,000 further sentences); "train": both sides of the train
            split's pairs; "nli": premises and hypotheses of those parts of MNLI and SNLI that are
            there, and "snli" or "mnli" of one of them; the name of a data set: every sentence of
            that one; else the path of a UTF-8 text file with one sentence per line (blank lines
            are skipped and counted), or of a table with a column named "sentence" or "text", or
            FILE#COLUMN, or the bytes of such a file. For a name or a path,
            `dataset` is ignored. Of a large file 300,000 sentences are drawn, the same each time;
            of nli, snli, mnli or a file fewer where a number stands behind it, as in "nli:20000".
        data_dir: See `load_pairs`.
        columns: See `load_pairs`.
        scale: See `load_pairs`.
        strict: See `load_pairs`.

    Raises:
        InputError: `fit_on` is none of these, the data set has no train split, or as `load_pairs`.
        ResourceError: The disk refused.

    Example:
        >>> from bertflow_core import load_corpus
        >>> load_corpus("teaching", "target").description
        '740 sentences of teaching (test; package): both sides of every pair, ...'
    """
    check_type(fit_on, (*PATHS, RawFile), "fit_on", "a name, a path or a RawFile")
    if isinstance(fit_on, RawFile):
        return _file_corpus(fit_on)
    if fit_on in DATASETS:
        return _whole(open_dataset(fit_on, data_dir=data_dir))
    if fit_on not in (TARGET, TRAIN):
        name, at_most = _sized(fit_on)
        if name in (*DATASETS, TARGET, TRAIN):
            raise InputError(
                f"{quoted(name)} is fitted on whole, got {quoted(str(fit_on))}: leave the number "
                f"out; it can stand behind {listed((NLI_CORPUS, *NLI))} or a file"
            )
        if name in (NLI_CORPUS, *NLI):
            return Corpus(*nli_sentences(data_dir, name, at_most))
        return _file_corpus(*_column_of(name), at_most=at_most)
    opened = open_dataset(dataset, data_dir=data_dir, columns=columns, scale=scale, strict=strict)
    if fit_on == TARGET:
        return _whole(opened)
    if Split.TRAIN not in opened.splits:
        raise InputError(
            f"{opened.name} has no train split here: fit on {quoted(TARGET)} or name a text file"
        )
    return corpus_of([opened.load(Split.TRAIN)])


def _whole(opened: Dataset) -> Corpus:
    """Return every sentence of a data set, and those that come with it."""
    corpus = corpus_of([opened.load(split) for split in opened.splits])
    if opened.more is None:
        return corpus
    raw = opened.more()
    more = tuple(raw.lines())
    source = corpus.sources[0]
    provenance = replace(source, files=(raw.source_file(),), counts=(("sentences", len(more)),))
    description = (
        f"{corpus.description.removesuffix('.')}; and {len(more):,} further sentences ({raw.name})."
    )
    every = (*corpus.sentences, *more)
    return Corpus(every, description, (*corpus.sources, provenance), corpus.n_pairs)


def corpus_of(parts: list[SentencePairs]) -> Corpus:
    """Return every sentence of some splits of one data set, duplicates kept.

    Raises:
        InputError: No splits.

    Example:
        >>> from bertflow_core import load_pairs
        >>> from bertflow_core.datasets import corpus_of
        >>> len(corpus_of([load_pairs("teaching")]))
        740
    """
    check_list(parts, "splits")
    for pairs in parts:
        check_type(pairs, SentencePairs, "each split", "what load_pairs returned")
    if not parts:
        raise InputError("a corpus needs the pairs of at least one split, got none")
    sentences = tuple(sentence for pairs in parts for sentence in pairs.sentences())
    splits = ", ".join(pairs.split for pairs in parts)
    sources = tuple(pairs.provenance for pairs in parts)
    rows = "sentences" if parts[0].has_words else "vectors"
    every = "both sides of every pair" if parts[0].is_paired else f"every {rows[:-1]}"
    description = (
        f"{len(sentences):,} {rows} of {parts[0].name} ({splits}; {sources[0].layout}): "
        f"{every}, duplicates kept, gold scores not used."
    )
    n_pairs = sum(len(pairs) for pairs in parts if pairs.is_paired)
    return Corpus(sentences, description, sources, n_pairs)


def _sized(fit_on: str | Path) -> tuple[str, int]:
    """Return a fit corpus and the most sentences of it.

    A file and a column may have a colon in their names: the whole name comes first.
    """
    path = Path(fit_on)
    with disk_errors(path):
        is_whole = path.is_file()
        if not is_whole and ":" in path.name.rpartition("#")[2]:
            file, column = _split(path)
            is_whole = column != "" and file.is_file() and column in open_table(file).header
    return (str(fit_on), MAX_SENTENCES) if is_whole else sized(str(fit_on))


def _file_corpus(
    source: Path | RawFile, column: str | None = None, *, at_most: int = MAX_SENTENCES
) -> Corpus:
    raw = source if isinstance(source, RawFile) else RawFile.read(source)
    lines = read_sentences(source, column) if is_table(raw.name) else raw.lines()
    rows = [Record(row, (line,)) for row, line in enumerate(lines, start=1) if line.strip()]
    if not rows:
        raise InputError(f"{quoted(raw.name)} holds no sentences: expected one per line")
    blank = len(lines) - len(rows)
    skipped = f" ({blank:,} blank lines skipped)" if blank else ""
    chosen, total = drawn(rows, at_most)
    sentences = strict_sentences(raw.name, chosen)
    provenance = Provenance(
        source=f"The file {raw.name}.",
        licence="not stated",
        layout="text",
        files=(raw.source_file(),),
        counts=(("sentences", len(sentences)),),
    )
    which = part_of(len(sentences), total, "sentences")
    description = f"{which} of {raw.name}{skipped}."
    return Corpus(sentences, description, (provenance,), share=len(sentences) / total)


def _split(path: Path) -> tuple[Path, str]:
    """Return the table and the column that a name may stand for; the column may be empty."""
    name, _, column = path.name.rpartition("#")
    return (path.with_name(name), column) if is_table(name) else (path, "")


def _column_of(fit_on: str | Path) -> tuple[Path, str | None]:
    """Return a file and the column that stands behind its name, as in `corpus.parquet#title`."""
    path = Path(fit_on)
    with disk_errors(path):
        if path.is_file():
            return path, None
        file, column = _split(path)
        if column and file.is_file():
            return file, column
    raise InputError(
        f"cannot fit on {quoted(str(fit_on))}: expected {quoted(TARGET)}, {quoted(TRAIN)}, "
        f"{quoted(NLI_CORPUS)}, a data set's name, or the path of a text file with one sentence "
        "per line or of a table (FILE#COLUMN)"
    )
