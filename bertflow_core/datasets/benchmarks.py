"""The data sets that have names: their files, their terms, and how they are read.

SentEval's folder holds STS-B, SICK and the yearly tasks STS12 to STS16, GLUE's holds QNLI; captions
and teaching ship with the package, so that everything runs without outside data.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path, PurePosixPath

from bertflow_core.datasets.pairs import AUC, RHO, PairRow, SentencePairs, pairs_of_rows
from bertflow_core.datasets.places import Archive, Folder, GlueTables, Package, Place
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.errors import InputError, listed
from bertflow_core.wording import quoted

PACKAGE = "package"
"""The layout of what ships with the package."""


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


_Read = tuple[list[PairRow], list[RawFile]]


@dataclass(frozen=True)
class Benchmark:
    """A data set that has a name.

    Attributes:
        name: As `load_pairs` takes it.
        title: What a listing calls it.
        origin: One sentence for the provenance.
        licence: Terms of use, in words.
        layout: senteval, glue or package: the arrangement of its files.
        scale: Lowest and highest gold score.
        files: For each split a pattern below the layout's folder; the split exists if one matches.
        read: Reads a split: (itself, where it is, split) -> rows and the files they are of.
        more: The packaged file of further sentences to fit on; empty where there is none.
        hidden: For each split whose gold scores are not published, the sentence that says so.
        metric: What agreement is measured by: `rho` for graded scores, `auc` for labels, which
            `read` gives as 1 and 0.
    """

    name: str
    title: str
    origin: str
    licence: str
    layout: str
    scale: tuple[float, float]
    files: Mapping[Split, str]
    read: Callable[["Benchmark", Place, Split], _Read]
    more: str = ""
    hidden: Mapping[Split, str] = field(default_factory=dict)
    metric: str = RHO

    def places(self, folders: Sequence[Path]) -> tuple[Place, ...]:
        """Return where to look for it, the first choice first: in folders, then the hub's cache."""
        if self.layout == PACKAGE:
            return (Package(),)
        hub = Archive() if self.layout == "senteval" else GlueTables()
        return (*map(Folder, folders), hub)

    def present(self, place: Place) -> tuple[Split, ...]:
        """Return the splits whose files are there."""
        return tuple(split for split, pattern in self.files.items() if place.names(pattern))

    def load(self, place: Place, split: Split) -> SentencePairs:
        """Read `split` from its files."""
        rows, files = self.read(self, place, split)
        pairs = pairs_of_rows(
            rows,
            [file.source_file() for file in files],
            name=self.name,
            split=str(split),
            scale=self.scale,
            source=self.origin,
            licence=self.licence,
            layout=self.layout,
        )
        return pairs.scored_by(self.metric)


def _number(raw: RawFile, line: int, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise _not_original(raw, line, "a score", repr(text[:40])) from None


def _qnli_label(raw: RawFile, line: int, text: str) -> float:
    values = {"entailment": 1.0, "not_entailment": 0.0}
    if text not in values:
        raise _not_original(raw, line, " or ".join(values), repr(text[:40]))
    return values[text]


def _not_original(raw: RawFile, line: int, expected: str, got: object) -> InputError:
    return InputError(
        f"{quoted(raw.name)}, line {line}: expected {expected}, got {got}; is this the original "
        "file?"
    )


def _cut(raw: RawFile, least: int) -> Iterable[tuple[int, list[str]]]:
    """Yield the number and the cells of each line; those beyond the first `least` are extra."""
    for line, text in enumerate(raw.lines(), start=1):
        cells = text.split("\t")
        if len(cells) < least:
            raise _not_original(raw, line, f"{least} cells between tabs", len(cells))
        yield line, cells


def _read_stsb(self: Benchmark, place: Place, split: Split) -> _Read:
    """Read genre, file, year, id, score, sentence, sentence; some releases add further cells."""
    raw = place.read(self.files[split])
    rows = [
        PairRow(cells[5], cells[6], _number(raw, line, cells[4]), self.name)
        for line, cells in _cut(raw, 7)
    ]
    return rows, [raw]


def _read_named(
    columns: Sequence[str],
    self: Benchmark,
    place: Place,
    split: Split,
    judge: Callable[[RawFile, int, str], float] = _number,
) -> _Read:
    """Read columns by their names: two sentences, the score, and the subset if there are four."""
    raw = place.read(self.files[split])
    if split in self.hidden:
        columns = columns[:2]
    header: list[str] = []
    rows = []
    for line, cells in _cut(raw, 1):
        if not header:
            header = cells
            if not set(columns) <= set(header):
                break
            places = [header.index(column) for column in columns]
            continue
        if len(cells) != len(header):
            expected = f"{len(header)} cells between tabs like the header"
            raise _not_original(raw, line, expected, len(cells))
        first, second, *rest = (cells[place] for place in places)
        score = judge(raw, line, rest[0]) if rest else None
        rows.append(PairRow(first, second, score, rest[1] if len(rest) > 1 else self.name))
    if not set(columns) <= set(header):
        raise InputError(
            f"{quoted(raw.name)}: expected a header line with {listed(columns)} between tabs, "
            f"got {listed(header)}; is this the original file?"
        )
    return rows, [raw]


def _read_year(self: Benchmark, place: Place, split: Split) -> _Read:
    """Read every subset that has sentences; gold alone (SMT of STS13) is not used.

    The scored pairs of a subset are those whose line of the gold file is not empty.
    """
    rows: list[PairRow] = []
    files: list[RawFile] = []
    for name in sorted(place.names(self.files[split]), key=str.casefold):
        subset = PurePosixPath(name).stem.removeprefix("STS.input.")
        gold = PurePosixPath(name).with_name(f"STS.gs.{subset}.txt")
        sentences = place.read(name)
        if not place.names(str(gold)):
            raise InputError(
                f"{quoted(sentences.name)} has no gold scores beside it: expected "
                f"{quoted(gold.name)}; add it or take the sentences away"
            )
        scores = place.read(str(gold))
        pairs, judged = list(_cut(sentences, 2)), scores.lines()
        if len(pairs) != len(judged):
            raise InputError(
                f"{quoted(sentences.name)} has {len(pairs)} lines and {quoted(gold.name)} has "
                f"{len(judged)}: expected as many; get the original files again"
            )
        rows += [
            PairRow(cells[0], cells[1], _number(scores, line, score), subset)
            for (line, cells), score in zip(pairs, judged, strict=True)
            if score.strip()
        ]
        files += [sentences, scores]
    return rows, files


_STS_TERMS = "sentences under the terms of their own sources, some of them restricted"
_PACKAGED_COLUMNS = ("sentence1", "sentence2", "score")

# What ships with the package first, of it the default.
_ALL = (
    Benchmark(
        name="captions",
        title="Captions",
        origin="Captions of pictures: the STS Benchmark's files images and track5.en-en in "
        "SentEval's text, and 4,000 sentences of SNLI's dev and test splits to fit on.",
        licence="CC BY-SA 4.0; PASCAL captions (Rashtchian et al., 2010) CC BY-SA",
        layout=PACKAGE,
        scale=(0.0, 5.0),
        files={split: f"captions/{split}.tsv" for split in Split},
        read=partial(_read_named, (*_PACKAGED_COLUMNS, "subset")),
        more="captions/sentences.txt",
    ),
    Benchmark(
        name="teaching",
        title="Adversarial pairs",
        origin="Pairs written for BERT-flow Lab, adversarial: what calibration cannot fix.",
        licence="Apache-2.0",
        layout=PACKAGE,
        scale=(0.0, 5.0),
        files={Split.TEST: "teaching.tsv"},
        read=partial(_read_named, (*_PACKAGED_COLUMNS, "corner")),
    ),
    Benchmark(
        name="stsb",
        title="STS Benchmark",
        origin="STS Benchmark (Cer et al., 2017), tokenised and lower-cased by SentEval.",
        licence=f"scores CC BY-SA 4.0; {_STS_TERMS}",
        layout="senteval",
        scale=(0.0, 5.0),
        files={split: f"STS/STSBenchmark/sts-{split}.csv" for split in Split},
        read=_read_stsb,
    ),
    Benchmark(
        name="sickr",
        title="SICK relatedness",
        origin="SICK (Marelli et al., 2014), relatedness scores, raw text.",
        licence="CC BY-NC-SA 3.0",
        layout="senteval",
        scale=(1.0, 5.0),
        files={
            Split.TRAIN: "SICK/SICK_train.txt",
            Split.DEV: "SICK/SICK_trial.txt",
            Split.TEST: "SICK/SICK_test_annotated.txt",
        },
        read=partial(_read_named, ("sentence_A", "sentence_B", "relatedness_score")),
    ),
    *(
        Benchmark(
            name=f"sts{year}",
            title=f"STS 20{year}",
            origin=f"SemEval STS 20{year}, English test pairs with a gold score, prepared by "
            "SentEval.",
            licence=f"as stated by the SemEval task; {_STS_TERMS}",
            layout="senteval",
            scale=(0.0, 5.0),
            files={Split.TEST: f"STS/STS{year}-en-test/STS.input.*.txt"},
            read=_read_year,
        )
        for year in range(12, 17)
    ),
    Benchmark(
        name="qnli",
        title="QNLI",
        origin="Questions and sentences of SQuAD (Rajpurkar et al., 2016): does the sentence hold "
        "the answer? As distributed with GLUE (Wang et al., 2019).",
        licence="CC BY-SA 4.0",
        layout="glue",
        scale=(0.0, 1.0),
        files={split: f"QNLI/{split}.tsv" for split in Split},
        read=partial(_read_named, ("question", "sentence", "label"), judge=_qnli_label),
        hidden={
            Split.TEST: "GLUE does not publish the labels of QNLI's test split: use the split dev"
        },
        metric=AUC,
    ),
)

BENCHMARKS = {each.name: each for each in _ALL}
