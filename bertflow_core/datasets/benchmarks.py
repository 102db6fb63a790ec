"""The data sets that have names: their files, their terms, and how they are read.

SentEval's folder holds STS-B, SICK and the yearly tasks STS12 to STS16, GLUE's holds QNLI and MNLI;
captions and teaching ship with the package, so that everything runs without outside data.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path, PurePosixPath

from bertflow_core.datasets.pairs import AUC, PairRow, SentencePairs, pairs_of_rows
from bertflow_core.datasets.parquet import read_parquet
from bertflow_core.datasets.places import Package, Place, how_to_get, places_of
from bertflow_core.datasets.rows import Record, Table, score_cell, shown, too_long
from bertflow_core.datasets.source import RawFile
from bertflow_core.datasets.tables import tab_rows, text_table
from bertflow_core.errors import InputError, listed
from bertflow_core.files import MAX_SENTENCE
from bertflow_core.wording import quoted

PACKAGE = "package"
"""Whose files ship with the package."""

_PACKAGED = ("sentence1", "sentence2", "score", "subset")
_HUB_NLI = ("premise", "hypothesis", "label")


class Split(StrEnum):
    """A part of a data set; "trial", SICK's own word, means `DEV`.

    Example:
        >>> from bertflow_core.datasets import Split
        >>> [str(Split(name)) for name in ("test", "trial")]
        ['test', 'dev']
    """

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"

    @classmethod
    def _missing_(cls, value: object) -> "Split | None":
        return cls.DEV if isinstance(value, str) and value == "trial" else None


def _tables(place: Place, pattern: str, header: Sequence[str] = ()) -> list[Table]:
    """Open tables as the hub has them, or of cells between tabs, where a quotation mark is text."""
    return [
        read_parquet(raw)
        if raw.name.endswith(".parquet")
        else text_table([raw], tab_rows(raw), header)
        for raw in map(place.read, place.names(pattern))
    ]


def _year(place: Place, pattern: str) -> list[Table]:
    """Open every subset that has sentences; gold alone (SMT of STS13) is not used.

    The scored pairs of a subset are those whose line of the gold file is not empty.
    """
    tables = []
    for name in sorted(place.names(pattern), key=str.casefold):
        subset = PurePosixPath(name).stem.removeprefix("STS.input.")
        gold = PurePosixPath(name).with_name(f"STS.gs.{subset}.txt")
        files, lines = _side_by_side(place, (name, str(gold)))
        rows = [
            (number, [*text.split("\t")[:2], score, subset])
            for number, (text, score) in enumerate(lines, start=1)
            if score.strip()
        ]
        tables.append(text_table(files, rows, _PACKAGED))
    return tables


def _aligned(place: Place, pattern: str) -> list[Table]:
    """Open SNLI's three files, which have a line a pair."""
    names = [pattern.replace("/s1.", f"/{part}.") for part in ("s1", "s2", "labels")]
    files, lines = _side_by_side(place, names)
    rows = [(number, [*cells]) for number, cells in enumerate(lines, start=1)]
    return [text_table(files, rows, _HUB_NLI)]


def _side_by_side(
    place: Place, names: Sequence[str]
) -> tuple[list[RawFile], list[tuple[str, ...]]]:
    """Read files of which line i of each belongs together."""
    for name in names:
        if not place.names(name):
            raise InputError(
                f"{quoted(names[0])} has no {quoted(PurePosixPath(name).name)} beside it: get the "
                "original files again"
            )
    files = [place.read(name) for name in names]
    columns = [file.lines() for file in files]
    if len({len(lines) for lines in columns}) > 1:
        counts = [f"{f.name} {len(lines)}" for f, lines in zip(files, columns, strict=True)]
        raise InputError(
            f"expected as many lines in each file, got {listed(counts)}: get the original files "
            "again"
        )
    return files, list(zip(*columns, strict=True))


Files = Mapping[Split, str]
"""For each split a pattern of files; it exists if one matches."""


@dataclass(frozen=True, eq=False)
class Layout:
    """An arrangement of a data set's files: two columns of sentences, scores, perhaps subsets."""

    files: Files
    columns: tuple[str, ...]
    open: Callable[[Place, str], list[Table]] = _tables


@dataclass(frozen=True)
class Found:
    """A layout whose files are there, and those of its splits that exist."""

    place: Place
    layout: Layout
    splits: tuple[Split, ...]


@dataclass(frozen=True)
class Benchmark:
    """A data set that has a name; `origin` is one sentence for the provenance."""

    name: str
    title: str
    origin: str
    licence: str
    kind: str  # senteval, glue, package or text: whose arrangement its files have
    layouts: tuple[Layout, ...]  # the first that is found is read
    scale: tuple[float, float] = (0.0, 5.0)
    labels: Mapping[object, float | None] | None = None  # their values; None of one that is no use
    more: str = ""  # the packaged file of further sentences to fit on
    hidden: Mapping[Split, str] = field(default_factory=dict)  # why there are no gold scores

    def find(self, root: Path | None, splits: Sequence[Split] = tuple(Split)) -> Found | None:
        """Return where its files are, if any of these splits is in the folder or the hub."""
        for place in [Package()] if self.kind == PACKAGE else places_of(self.name, root):
            for layout in self.layouts:
                wanted = [split for split in splits if split in layout.files]
                here = tuple(split for split in wanted if place.names(layout.files[split]))
                if here:
                    return Found(place, layout, here)
        return None

    def open(self, root: Path | None) -> Found:
        """Return where its files are, or say what to do."""
        found = self.find(root)
        if found is not None:
            return found
        if root is None:
            raise InputError(
                f"{self.name} is not shipped with the package: {how_to_get(self.name)}"
            )
        below = [f"{self.kind}/{pattern}" for pattern in self.layouts[0].files.values()]
        raise InputError(
            f"{self.name} was not found in {quoted(root)}: looked for {listed(below)}; "
            f"{how_to_get(self.name)}"
        )

    def rows(self, found: Found, split: Split) -> tuple[list[PairRow], list[RawFile]]:
        """Return every row of a split, and the files that they are of."""
        tables = found.layout.open(found.place, found.layout.files[split])
        columns = found.layout.columns[: 2 if split in self.hidden else None]
        rows: list[PairRow] = []
        for table in tables:
            if not set(columns) <= set(table.header):
                raise InputError(
                    f"{quoted(table.name)}: expected a header with {listed(columns)}, got "
                    f"{listed(table.header)}; is this the original file?"
                )
            rows += table.sift(columns, partial(self._row, columns), strict=True)[0]
        return rows, [file for table in tables for file in table.files]

    def load(self, found: Found, split: Split) -> SentencePairs:
        """Read a split."""
        rows, files = self.rows(found, split)
        pairs = pairs_of_rows(
            rows,
            [file.source_file() for file in files],
            name=self.name,
            split=str(split),
            scale=self.scale,
            source=self.origin,
            licence=self.licence,
            layout=self.kind,
        )
        return pairs if self.labels is None else pairs.scored_by(AUC)

    def _row(self, columns: Sequence[str], record: Record) -> PairRow:
        first, second, *rest = record.cells
        if not (isinstance(first, str) and isinstance(second, str)):
            raise ValueError(f"expected two texts, got {shown((first, second))}")
        if max(len(first), len(second)) > MAX_SENTENCE:
            raise ValueError(too_long(max(first, second, key=len), "a text"))
        score = self._judged(rest[0], columns[2]) if rest else None
        return PairRow(first, second, score, str(rest[1]) if len(rest) > 1 else self.name)

    def _judged(self, cell: object, column: str) -> float | None:
        if self.labels is None:
            return score_cell(cell, column)
        label = cell.strip() if isinstance(cell, str) else cell
        if label not in self.labels:
            words = [word for word in self.labels if isinstance(word, str) and word]
            raise ValueError(f"{column}: expected {' or '.join(words)}, got {shown(cell)}")
        return self.labels[label]


def _splits(pattern: str, train: str = "train", dev: str = "dev", test: str = "test") -> Files:
    names = {Split.TRAIN: train, Split.DEV: dev, Split.TEST: test}
    return {split: pattern.format(name) for split, name in names.items()}


_STS_TERMS = "sentences under the terms of their own sources, some of them restricted"

# What ships with the package first, of it the default.
_ALL = (
    Benchmark(
        name="captions",
        title="Captions",
        origin="Captions of pictures: the STS Benchmark's files images and track5.en-en in "
        "SentEval's text, and 4,000 sentences of SNLI's dev and test splits to fit on.",
        licence="CC BY-SA 4.0; PASCAL captions (Rashtchian et al., 2010) CC BY-SA",
        kind=PACKAGE,
        layouts=(Layout(_splits("captions/{}.tsv"), _PACKAGED),),
        more="captions/sentences.txt",
    ),
    Benchmark(
        name="teaching",
        title="Adversarial pairs",
        origin="Pairs written for BERT-flow Lab, adversarial: what calibration cannot fix.",
        licence="Apache-2.0",
        kind=PACKAGE,
        layouts=(Layout({Split.TEST: "teaching.tsv"}, (*_PACKAGED[:3], "corner")),),
    ),
    Benchmark(
        name="stsb",
        title="STS Benchmark",
        origin="STS Benchmark (Cer et al., 2017), tokenised and lower-cased by SentEval.",
        licence=f"scores CC BY-SA 4.0; {_STS_TERMS}",
        kind="senteval",
        layouts=(
            Layout(
                _splits("STS/STSBenchmark/sts-{}.csv"),
                _PACKAGED[:3],
                partial(_tables, header=("genre", "file", "year", "id", "score", *_PACKAGED[:2])),
            ),
        ),
    ),
    Benchmark(
        name="sickr",
        title="SICK relatedness",
        origin="SICK (Marelli et al., 2014), relatedness scores, raw text.",
        licence="CC BY-NC-SA 3.0",
        kind="senteval",
        layouts=(
            Layout(
                _splits("SICK/SICK_{}.txt", dev="trial", test="test_annotated"),
                ("sentence_A", "sentence_B", "relatedness_score"),
            ),
        ),
        scale=(1.0, 5.0),
    ),
    *(
        Benchmark(
            name=f"sts{year}",
            title=f"STS 20{year}",
            origin=f"SemEval STS 20{year}, English test pairs with a gold score, prepared by "
            "SentEval.",
            licence=f"as stated by the SemEval task; {_STS_TERMS}",
            kind="senteval",
            layouts=(
                Layout({Split.TEST: f"STS/STS{year}-en-test/STS.input.*.txt"}, _PACKAGED, _year),
            ),
        )
        for year in range(12, 17)
    ),
    Benchmark(
        name="qnli",
        title="QNLI",
        origin="Questions and sentences of SQuAD (Rajpurkar et al., 2016): does the sentence hold "
        "the answer? As distributed with GLUE (Wang et al., 2019).",
        licence="CC BY-SA 4.0",
        kind="glue",
        layouts=tuple(
            Layout(files, ("question", "sentence", "label"))
            for files in (
                _splits("QNLI/{}.tsv"),
                _splits("qnli/{}-*.parquet", dev="validation"),
            )
        ),
        labels={"entailment": 1.0, "not_entailment": 0.0, 0: 1.0, 1: 0.0},
        hidden={
            Split.TEST: "GLUE does not publish the labels of QNLI's test split: use the split dev"
        },
    ),
)

BENCHMARKS = {each.name: each for each in _ALL}

_LABELS = dict.fromkeys(("entailment", "neutral", "contradiction", 0, 1, 2), 1.0)
_NO_LABEL = dict.fromkeys(("-", "", -1))  # the judges did not agree

INFERENCE = {
    "snli": Benchmark(
        name="snli",
        title="SNLI",
        origin="Premises and hypotheses of SNLI (Bowman et al., 2015).",
        licence="CC BY-SA 4.0",
        kind="text",
        layouts=(
            Layout(_splits("snli/s1.{}"), _HUB_NLI, _aligned),
            Layout(_splits("plain_text/{}-*.parquet", dev="validation"), _HUB_NLI),
        ),
        labels=_LABELS | _NO_LABEL,
    ),
    "mnli": Benchmark(
        name="mnli",
        title="MultiNLI",
        origin="Premises and hypotheses of MultiNLI (Williams et al., 2018), train.",
        licence="OANC, CC BY-SA 3.0 and CC BY 3.0, by genre (Williams et al., 2018)",
        kind="text",
        layouts=(
            Layout({Split.TRAIN: "MNLI/train.tsv"}, (*_PACKAGED[:2], "gold_label")),
            Layout({Split.TRAIN: "mnli/train-*.parquet"}, _HUB_NLI),
        ),
        labels=_LABELS | _NO_LABEL,
    ),
}
"""Corpora of pairs to fit on; a pair whose label is None is left out."""
