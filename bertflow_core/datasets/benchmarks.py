"""The data sets that have names, layout by layout: their files, terms, and how they are read.

SentEval's folder holds STS-B, SICK and the yearly tasks STS12 to STS16; GLUE's holds STS-B as raw
text, and QNLI; captions and teaching ship with the package, so that everything runs without outside
data.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from bertflow_core.datasets.benchmark_cells import cells_at, named_cells, not_original, rows_of
from bertflow_core.datasets.pairs import AUC
from bertflow_core.datasets.raw_file import RawFile
from bertflow_core.datasets.rows import Rows
from bertflow_core.datasets.source import Layout, Source, Split
from bertflow_core.errors import InputError
from bertflow_core.files import resource
from bertflow_core.wording import quoted

__all__ = ["BENCHMARKS", "PACKAGED"]

INPUT, GOLD = "STS.input.", "STS.gs."
STSB_PLACES, STSB_CELLS = (5, 6, 4), 7
STSB_FILES = {split: f"STS/STSBenchmark/sts-{split}.csv" for split in Split}
SICK_COLUMNS = ("sentence_A", "sentence_B", "relatedness_score")
SICK_FILES = {
    Split.TRAIN: "SICK/SICK_train.txt",
    Split.DEV: "SICK/SICK_trial.txt",
    Split.TEST: "SICK/SICK_test_annotated.txt",
}
GLUE_FILES = {split: f"STS-B/{split}.tsv" for split in Split}
GLUE_COLUMNS = ("sentence1", "sentence2", "score")
GLUE_HIDDEN = {
    Split.TEST: "GLUE does not publish the gold scores of STS-B's test split: use SentEval's files "
    "(STS/STSBenchmark/sts-test.csv) or the split dev"
}
QNLI_FILES = {split: f"QNLI/{split}.tsv" for split in Split}
QNLI_COLUMNS = ("question", "sentence", "label")
QNLI_LABELS = {"entailment": 1.0, "not_entailment": 0.0}
QNLI_HIDDEN = {
    Split.TEST: "GLUE does not publish the labels of QNLI's test split: use the split dev"
}
TEACHING_FILES = {Split.TEST: "teaching.tsv"}
TEACHING_COLUMNS = ("sentence1", "sentence2", "score", "corner")
CAPTIONS_FILES = {split: f"captions/{split}.tsv" for split in Split}
CAPTIONS_COLUMNS = ("sentence1", "sentence2", "score", "subset")
CAPTIONS_SENTENCES = "captions/sentences.txt"
STS_TERMS = "sentences under the terms of their own sources, some of them restricted"
STSB_LICENCE = f"scores CC BY-SA 4.0; {STS_TERMS}"


def _read_stsb(folder: Path, split: Split) -> Rows:
    """Read genre, file, year, id, score, sentence, sentence; some releases add further cells."""
    raw = RawFile.read(folder / STSB_FILES[split], STSB_FILES[split])
    return rows_of(raw, cells_at(raw, STSB_PLACES, STSB_CELLS), subset="stsb")


def _read_sick(folder: Path, split: Split) -> Rows:
    raw = RawFile.read(folder / SICK_FILES[split], SICK_FILES[split])
    return rows_of(raw, named_cells(raw, SICK_COLUMNS), subset="sickr")


def _read_glue(folder: Path, split: Split) -> Rows:
    raw = RawFile.read(folder / GLUE_FILES[split], GLUE_FILES[split])
    columns = GLUE_COLUMNS[:2] if split in GLUE_HIDDEN else GLUE_COLUMNS
    return rows_of(raw, named_cells(raw, columns), subset="stsb")


def _read_qnli(folder: Path, split: Split) -> Rows:
    raw = RawFile.read(folder / QNLI_FILES[split], QNLI_FILES[split])
    columns = QNLI_COLUMNS[:2] if split in QNLI_HIDDEN else QNLI_COLUMNS
    return rows_of(raw, named_cells(raw, columns), subset="qnli", read=_label)


def _label(raw: RawFile, line: int, text: str) -> float:
    if text not in QNLI_LABELS:
        raise not_original(raw, line, " or ".join(QNLI_LABELS), repr(text[:40]))
    return QNLI_LABELS[text]


def _read_packaged(
    files: Mapping[Split, str], columns: Sequence[str], folder: Path, split: Split
) -> Rows:
    """Read one of the package's own files; `folder` is ignored."""
    raw = _packaged(files[split])
    return rows_of(raw, named_cells(raw, columns))


def _packaged(name: str) -> RawFile:
    return RawFile(name, resource(name).read_bytes())


def _read_year(pattern: str, folder: Path, split: Split) -> Rows:
    """Read every subset that has sentences; gold alone (SMT of STS13) is not used."""
    paths = sorted(folder.glob(pattern), key=lambda path: path.name.casefold())
    parts = [_read_subset(folder, path) for path in paths]
    return Rows(
        first=[sentence for part in parts for sentence in part.first],
        second=[sentence for part in parts for sentence in part.second],
        gold=[score for part in parts for score in part.gold or ()],
        subsets=[subset for part in parts for subset in part.subsets],
        files=[file for part in parts for file in part.files],
    )


def _read_subset(folder: Path, input_path: Path) -> Rows:
    """Read the scored pairs of one subset: those whose line of the gold file is not empty."""
    subset = input_path.stem.removeprefix(INPUT)
    gold_path = input_path.with_name(f"{GOLD}{subset}.txt")
    sentences = RawFile.read(input_path, input_path.relative_to(folder).as_posix())
    if not gold_path.is_file():
        raise InputError(
            f"{quoted(sentences.name)} has no gold scores beside it: expected "
            f"{quoted(gold_path.name)}; add it or take the sentences away"
        )
    scores = RawFile.read(gold_path, gold_path.relative_to(folder).as_posix())
    pairs, gold = cells_at(sentences, (0, 1), 2), scores.lines()
    if len(pairs) != len(gold):
        raise InputError(
            f"{quoted(sentences.name)} has {len(pairs)} lines and {quoted(gold_path.name)} has "
            f"{len(gold)}: expected as many; get the original files again"
        )
    scored = [
        (line, (*cells, score))
        for (line, cells), score in zip(pairs, gold, strict=True)
        if score.strip()
    ]
    return rows_of(scores, scored, subset=subset, files=[sentences, scores])


def _year(year: int) -> Source:
    pattern = f"STS/STS{year}-en-test/{INPUT}*.txt"
    return Source(
        name=f"sts{year}",
        title=f"STS 20{year}",
        origin=f"SemEval STS 20{year}, English test pairs with a gold score, prepared by SentEval.",
        licence=f"as stated by the SemEval task; {STS_TERMS}",
        layout=Layout.SENTEVAL.value,
        scale=(0.0, 5.0),
        files={Split.TEST: pattern},
        read=partial(_read_year, pattern),
    )


# In order of preference where two layouts hold the same data set.
BENCHMARKS = (
    Source(
        name="stsb",
        title="STS Benchmark",
        origin="STS Benchmark (Cer et al., 2017), tokenised and lower-cased by SentEval.",
        licence=STSB_LICENCE,
        layout=Layout.SENTEVAL.value,
        scale=(0.0, 5.0),
        files=STSB_FILES,
        read=_read_stsb,
    ),
    Source(
        name="sickr",
        title="SICK relatedness",
        origin="SICK (Marelli et al., 2014), relatedness scores, raw text.",
        licence="CC BY-NC-SA 3.0",
        layout=Layout.SENTEVAL.value,
        scale=(1.0, 5.0),
        files=SICK_FILES,
        read=_read_sick,
    ),
    *(_year(year) for year in range(12, 17)),
    Source(
        name="stsb",
        title="STS Benchmark",
        origin="STS Benchmark (Cer et al., 2017), raw text as distributed with GLUE.",
        licence=STSB_LICENCE,
        layout=Layout.GLUE.value,
        scale=(0.0, 5.0),
        files=GLUE_FILES,
        read=_read_glue,
        hidden=GLUE_HIDDEN,
    ),
    Source(
        name="qnli",
        title="QNLI",
        origin="Questions and sentences of SQuAD (Rajpurkar et al., 2016): does the sentence hold "
        "the answer? As distributed with GLUE (Wang et al., 2019).",
        licence="CC BY-SA 4.0",
        layout=Layout.GLUE.value,
        scale=(0.0, 1.0),
        files=QNLI_FILES,
        read=_read_qnli,
        hidden=QNLI_HIDDEN,
        metric=AUC,
    ),
)

# What ships with the package, the default first.
PACKAGED = (
    Source(
        name="captions",
        title="Captions",
        origin="Captions of pictures: the STS Benchmark's files images and track5.en-en in "
        "SentEval's text, and 4,000 sentences of SNLI's dev and test splits to fit on.",
        licence="CC BY-SA 4.0; PASCAL captions (Rashtchian et al., 2010) CC BY-SA",
        layout="package",
        scale=(0.0, 5.0),
        files=CAPTIONS_FILES,
        read=partial(_read_packaged, CAPTIONS_FILES, CAPTIONS_COLUMNS),
        more=partial(_packaged, CAPTIONS_SENTENCES),
    ),
    Source(
        name="teaching",
        title="Adversarial pairs",
        origin="Pairs written for BERT-flow Lab, adversarial: what calibration cannot fix.",
        licence="Apache-2.0",
        layout="package",
        scale=(0.0, 5.0),
        files=TEACHING_FILES,
        read=partial(_read_packaged, TEACHING_FILES, TEACHING_COLUMNS),
    ),
)
