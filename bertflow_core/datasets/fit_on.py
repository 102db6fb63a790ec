"""What a calibrator is fitted on, by name: a data set, its train split, NLI, or a file."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from bertflow_core.datasets.benchmarks import INFERENCE, Found, Split
from bertflow_core.datasets.catalog import DATASETS, Dataset, open_dataset
from bertflow_core.datasets.columns import TableColumns
from bertflow_core.datasets.corpus import MAX_SENTENCES, Corpus, corpus_of, drawn, sized
from bertflow_core.datasets.own_table import read_sentences
from bertflow_core.datasets.places import data_root, how_to_get
from bertflow_core.datasets.source import Provenance, RawFile
from bertflow_core.datasets.tables import LINE, is_table, line_table
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.files import PATHS, disk_errors
from bertflow_core.wording import quoted

TARGET, TRAIN = "target", "train"
NLI_CORPUS = "nli"
"""The fit corpus of premises and hypotheses, as `--fit-on` names it."""

NLI = tuple(INFERENCE)
"""The data sets that are parts of it, each a fit corpus too."""

# What the paper's released code takes for NLI.
_PARTS = (
    ("mnli", Split.TRAIN),
    ("snli", Split.TRAIN),
    ("snli", Split.DEV),
    ("snli", Split.TEST),
)
_NOT_HERE = "not here"
_Part = tuple[str, Split]


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
        with disk_errors(fit_on):
            if (file := _file(str(fit_on))) is not None:
                return _file_corpus(*file)
        name, at_most = sized(str(fit_on))
        if name not in (NLI_CORPUS, *NLI):
            raise _unknown(name, str(fit_on))
        return nli_corpus(data_dir, name, at_most)
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


def _file(fit_on: str) -> tuple[Path, str | None, int] | None:
    """Return the file, its column and the most sentences that FILE, FILE#COLUMN and ...:N mean."""
    if Path(fit_on).is_file():
        return Path(fit_on), None, MAX_SENTENCES
    name, at_most = sized(fit_on)
    table, _, column = name.rpartition("#")
    for file, of in ((name, None), (table, column)):
        if Path(file).is_file() and (of is None or is_table(file)):
            return Path(file), of, at_most
    return None


def _unknown(name: str, fit_on: str) -> InputError:
    if name in (*DATASETS, TARGET, TRAIN):
        return InputError(
            f"{quoted(name)} is fitted on whole, got {quoted(fit_on)}: leave the number "
            f"out; it can stand behind {listed((NLI_CORPUS, *NLI))} or a file"
        )
    return InputError(
        f"cannot fit on {quoted(fit_on)}: expected {quoted(TARGET)}, {quoted(TRAIN)}, "
        f"{quoted(NLI_CORPUS)}, a data set's name, or the path of a text file with one sentence "
        "per line or of a table (FILE#COLUMN)"
    )


def _file_corpus(
    source: Path | RawFile, column: str | None = None, at_most: int = MAX_SENTENCES
) -> Corpus:
    raw = source if isinstance(source, RawFile) else RawFile.read(source)
    lines = read_sentences(raw, column) if is_table(raw.name) else raw.lines()
    filled = [(row, line) for row, line in enumerate(lines, start=1) if line.strip()]
    if not filled:
        raise InputError(f"{quoted(raw.name)} holds no sentences: expected one per line")
    blank = len(lines) - len(filled)
    skipped = f" ({blank:,} blank lines skipped)" if blank else ""
    chosen, total = drawn(filled, at_most)
    sentences = line_table(raw, chosen).sentences(LINE)
    provenance = Provenance(
        source=f"The file {raw.name}.",
        licence="not stated",
        layout="text",
        files=(raw.source_file(),),
        counts=(("sentences", len(sentences)),),
    )
    description = f"{_part_of(len(sentences), total, 'sentences')} of {raw.name}{skipped}."
    return Corpus(sentences, description, (provenance,), share=len(sentences) / total)


def _part_of(n: int, total: int, what: str) -> str:
    if n == total:
        return f"{total:,} {what}"
    return f"{n:,} of {total:,} {what}, drawn at random and the same each time"


def is_part(description: str) -> bool:
    """Whether the description of a fit corpus says that parts of it were not there."""
    return _NOT_HERE in description


def nli_here(data_dir: str | Path | None, name: str) -> tuple[Split, ...]:
    """Return the splits of snli or mnli that are there; none where there is none."""
    root = data_root(data_dir)
    return tuple(part for of, part in _PARTS if of == name and INFERENCE[of].find(root, [part]))


def nli_corpus(data_dir: str | Path | None, name: str, at_most: int) -> Corpus:
    """Return at most so many premises and hypotheses of MNLI (train) and SNLI, or of one of them.

    Parts that are not there are left out, and named. Pairs without an agreed label are left out, as
    the paper's code does; other labels are ignored. Both sides of a pair follow each other.
    """
    root = data_root(data_dir)
    wanted = [(of, split) for of, split in _PARTS if name in (NLI_CORPUS, of)]
    found = [(part, INFERENCE[part[0]].find(root, part[1:])) for part in wanted]
    here = tuple((part, where) for part, where in found if where is not None)
    if not here:
        needed = list(dict.fromkeys(of for of, _ in wanted))
        raise InputError(
            f"the fit corpus {name} needs {' or '.join(each.upper() for each in needed)}: "
            f"{how_to_get(' '.join(needed))}"
        )
    absent = tuple(f"{of} {split}" for (of, split), where in found if where is None)
    return _drawn(here, absent, at_most // 2)


@lru_cache(maxsize=1)  # every layer set and every data set of a study asks for it
def _drawn(parts: tuple[tuple[_Part, Found], ...], absent: tuple[str, ...], n_pairs: int) -> Corpus:
    """Read the parts one after the other, and draw so many pairs of them."""
    sources: list[Provenance] = []
    said: list[str] = []

    def pairs() -> Iterator[tuple[str, str]]:
        for (name, split), found in parts:
            known = INFERENCE[name]
            rows, files = known.rows(found, split)
            agreed = [(row.first, row.second or "") for row in rows if row.gold is not None]
            said.append(f"{name} {split} {len(agreed):,} pairs")
            sources.append(
                Provenance(
                    f"{known.title}, {split}.",
                    known.licence,
                    known.kind,
                    tuple(file.source_file() for file in files),
                    (("pairs", len(agreed)),),
                )
            )
            yield from agreed

    chosen, total = drawn(pairs(), n_pairs)
    which = _part_of(2 * len(chosen), 2 * total, "premises and hypotheses")
    lacks = f"; {_NOT_HERE}: {listed(absent)}" if absent else ""
    return Corpus(
        tuple(sentence for pair in chosen for sentence in pair),
        f"{which} of NLI ({', '.join(said)}{lacks}), labels not used.",
        tuple(sources),
        len(chosen),
        len(chosen) / total,
    )
