"""Named data sets: their files, where they are found, errors, and pairs as a value."""

import hashlib
import pickle
from dataclasses import replace

import numpy as np
import pytest

from bertflow_core.datasets import (
    DATASETS,
    Pairs,
    Provenance,
    available,
    load_corpus,
    load_dataset,
)
from bertflow_core.datasets.corpus import nli_corpus, nli_here
from bertflow_core.datasets.locations import data_root
from bertflow_core.datasets.source import SourceFile
from bertflow_core.wording import DOCUMENT, QUERY

STSB, SICK = "STS/STSBenchmark/sts-test.csv", "SICK/SICK_{}.txt"
BELIEF = "STS/STS15-en-test/STS.{}.belief.txt"
SICK_HEAD = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
QNLI, QNLI_HEAD = "glue/QNLI/dev.tsv", "index\tquestion\tsentence\tlabel\n"
MNLI, MNLI_HEAD = "MNLI/train.tsv", "index\tgenre\tsentence1\tsentence2\tlabel1\tgold_label\n"
ODD = "a\u2028b\u0085c\x1cd\x0be"
NLI_PAIRS = [
    ("A dog runs.", 'It "moves.', "entailment"),
    ("A dog runs.", "Nobody knows.", "-"),
    ("Rain falls. ", "It is\u2028dry.", "contradiction"),
    ("Rain falls.", "It is warm.", "neutral"),
]
LABELLED = tuple(text for a, b, label in NLI_PAIRS if label != "-" for text in (a, b))


def test_stsb_is_cut_at_tabs_and_newlines_alone(write, tmp_path):
    for content, sentences, gold in [
        ('g\tf\ty\t1\t2.4\ta " b .\t" c " , d\n', ('a " b .', '" c " , d'), 2.4),
        ("g\tf\ty\t1\t5\tone\ttwo\tlicence\turl\n", ("one", "two"), 5),
        (f"g\tf\ty\t1\t0\t{ODD}\ttwo\n", (ODD, "two"), 0),
        (b"\xef\xbb\xbfg\tf\ty\t1\t2\tone\ttwo\r\n", ("one", "two"), 2),
    ]:
        write(STSB, content)
        pairs = load_dataset("stsb", data_dir=tmp_path)
        assert (pairs.sentences(), pairs.gold.tolist()) == (sentences, [gold])
        assert (pairs.scale, {*pairs.subsets}) == ((0, 5), {"stsb"})


def test_sick_is_read_by_its_header(write, tmp_path):
    for word in ("train", "trial", "test_annotated"):
        write(SICK.format(word), f"{SICK_HEAD}7\tA {word}\tB\t4.5\tNEUTRAL\n")
    pairs = load_dataset("sickr", split="dev", data_dir=tmp_path)
    assert (pairs.first, pairs.gold.tolist(), pairs.split) == (("A trial",), [4.5], "dev")
    assert pairs.scale == (1, 5)
    assert len(load_corpus("sickr", "target", data_dir=tmp_path)) == 6


def test_a_year_joins_the_scored_pairs_of_its_subsets_and_a_fault_is_listed(year, tmp_path):
    year("sts14", "OnWN", "c\td\tsource one\tsource two\nx\ty\n", "4.0\n \n")
    year("sts14", "deft-news", "a\tb\nc\td", "1.5\n\n")
    year("sts14", "SMT", None, "5\n5\n")  # gold alone
    pairs = load_dataset("sts14", data_dir=tmp_path)
    assert (pairs.subsets, pairs.first) == (("deft-news", "OnWN"), ("a", "c"))
    assert pairs.gold.tolist() == [1.5, 4.0]
    files = pairs.provenance.files
    assert [file.lines for file in files] == [2, 2, 2, 2]
    assert files[1].name == "STS/STS14-en-test/STS.gs.deft-news.txt"
    assert files[1].sha256 == hashlib.sha256(b"1.5\n\n").hexdigest()
    assert str(tmp_path) not in str(pairs.provenance.to_dict())
    year("sts15", "belief", "a\tb\n", "high\n")
    damaged = next(info for info in available(tmp_path) if info.name == "sts15")
    assert (damaged.found, "'high'" in damaged.where) == (False, True)


def test_labels_of_qnli_are_declared_and_hidden_ones_explained(write, tmp_path, refuses):
    rows = '0\tWho?\tAn "answer.\tentailment\n1\tWhy?\tRain falls.\tnot_entailment\n'
    write(QNLI, QNLI_HEAD + rows)
    write("glue/QNLI/test.tsv", "index\tquestion\tsentence\n0\tWhen?\tNow.\n")
    pairs = load_dataset("qnli", split="dev", data_dir=tmp_path)
    assert pairs.sentences() == ("Who?", 'An "answer.', "Why?", "Rain falls.")
    assert (pairs.targets.tolist(), pairs.gold, pairs.metric) == ([1, 0], None, "auc")
    assert pairs.sides == (QUERY, QUERY, DOCUMENT, DOCUMENT)
    with refuses("GLUE", "labels", "the split dev"):
        load_dataset("qnli", data_dir=tmp_path)
    corpus = load_corpus("qnli", "target", data_dir=tmp_path)
    assert corpus.sentences[-2:] == ("When?", "Now.")
    assert corpus.sides_beside(pairs) == (QUERY, DOCUMENT) * 3
    assert corpus.sides_beside(load_dataset("teaching")) == ()
    info = next(info for info in available(tmp_path) if info.name == "qnli")
    assert (info.splits, info.where) == ((("dev", "2 pairs"),), "glue")


@pytest.mark.parametrize("root", ["", "senteval/", "glue/"])
@pytest.mark.parametrize(("name", "split"), [("snli", "dev"), ("mnli", "train")])
def test_the_labelled_pairs_of_nli_are_read(write, tmp_path, root, name, split):
    if name == "snli":
        for part, column in zip(("s1", "s2", "labels"), zip(*NLI_PAIRS, strict=True), strict=True):
            write(f"{root}snli/{part}.dev", "\n".join(column) + "\n")
    else:
        rows = [f"{i}\tg\t{a}\t{b}\t-\t{label}\n" for i, (a, b, label) in enumerate(NLI_PAIRS)]
        write(f"{root}{MNLI}", MNLI_HEAD + "".join(rows))
    assert nli_corpus(tmp_path, name, 1_000).sentences == LABELLED
    assert nli_here(tmp_path, name) == (split,)


FAULTS = [
    ("stsb", STSB, "g\tf\ty\t1\t2\ta\tb\ng\tf\ty\t1\t2\ta b\n", ("row 2", "expected 7", "got 6")),
    ("stsb", STSB, "g\tf\ty\t1\t24\ta\tb\n", ("off the scale", "0 to 5", "24")),
    ("sickr", SICK.format("test_annotated"), "1\tA\tB\t3.0\n", ("header", "relatedness_score")),
    ("qnli", QNLI, f"{QNLI_HEAD}0\ta\tb\t2\n", ("row 2", "entailment or not_entailment")),
    ("snli", "snli/s2.dev", "b\n", ("s1.dev 2", "s2.dev 1")),
    ("snli", "snli/labels.dev", "neutral\nmaybe\n", ("snli", "row 2", "maybe")),
    ("snli", "snli/s1.dev", b"a\n\xff\n", ("s1.dev", "0xff", "UTF-8")),
    ("snli", "snli/s1.dev", "a\n" + "b" * 1_000_001, ("s1", "row 2", "100,000 characters")),
    ("sts15", BELIEF.format("gs"), "1\n2\n3\n", ("input.belief.txt 2", "gs.belief.txt 3")),
    ("sts15", BELIEF.format("gs"), "\nhigh\n", ("belief", "row 2", "'high'")),
    ("sts15", BELIEF.format("gs"), "\n\n", ("sts15", "no pairs")),
]


@pytest.mark.parametrize(("name", "file", "content", "words"), FAULTS)
def test_a_fault_in_a_file_is_named(write, tmp_path, refuses, name, file, content, words):
    for part, text in (("s1", "a\nb\n"), ("s2", "a\nb\n"), ("labels", "neutral\nneutral\n")):
        write(f"snli/{part}.dev", text)
    write(BELIEF.format("input"), "a\tb\nc\td\n")
    write(file, content)
    with refuses(*words):
        if name in DATASETS:
            load_dataset(name, split="dev" if "dev" in file else "test", data_dir=tmp_path)
        else:
            nli_corpus(tmp_path, name, 1_000)


def test_folders_are_looked_into_in_their_order(stsb, write, tmp_path, monkeypatch):
    stsb("senteval")
    write(SICK.format("trial"), f"{SICK_HEAD}7\tA\tB\t4\tX\n")
    assert len(load_dataset("sickr", split="dev", data_dir=tmp_path)) == 1
    pairs = load_dataset("stsb", data_dir=tmp_path)
    assert (len(pairs), pairs.provenance.files[0].name) == (4, STSB)
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path))
    assert len(load_dataset("stsb")) == 4
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path / "nothing"))
    assert len(load_dataset("stsb", data_dir=tmp_path)) == 4  # the argument takes precedence
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_root("~") == tmp_path


def test_what_is_not_there_says_where_it_was_looked_for(
    stsb, write, tmp_path, refuses, monkeypatch
):
    with refuses("stsb", "--data-dir", "BERTFLOW_DATA", "the data set 'teaching'"):
        load_dataset("stsb")
    with refuses("sts15", "STS/STS15-en-test/STS.input.*.txt", "senteval", "--data-dir"):
        load_dataset("sts15", data_dir=tmp_path)
    file = write("a.txt", "x")
    with refuses("--data-dir", "a.txt", "not a folder"):
        load_dataset("stsb", data_dir=file)
    stsb(splits=("train", "dev"))
    with refuses("stsb", "test", "'train', 'dev'"):
        load_dataset("stsb", data_dir=tmp_path)
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path / "gone"))
    with refuses("BERTFLOW_DATA", "gone", "not a folder"):
        load_dataset("stsb")


PROVENANCE = Provenance(
    "A test.", "none", "table", (SourceFile("a.tsv", "0" * 64, 3),), (("s", 2),)
)
PAIRS = Pairs(
    name="toy",
    split="test",
    first=("a", "b", "c"),
    second=("A", "B", "C"),
    targets=np.array([0, 5, 2], np.int32),
    scale=(0, 5),
    subsets=("late", "early", "late"),
    provenance=PROVENANCE,
)


def test_the_value_is_read_only_and_its_fingerprint_is_of_the_content_alone():
    assert PAIRS.sentences() == ("a", "A", "b", "B", "c", "C")
    assert (PAIRS.texts, len(PAIRS)) == (tuple("abcABC"), 3)
    mine = np.array([1.0, 2.0, 3.0])
    pairs = replace(PAIRS, targets=mine)
    mine[0] = 5
    assert (pairs.gold.dtype, pairs.gold.tolist()) == (np.float64, [1, 2, 3])
    with pytest.raises(ValueError, match="read-only"):
        pairs.gold[0] = 4.0
    assert "'A'" not in repr(PAIRS)
    for change in (
        {"first": ("a", "b", "d")},
        {"targets": np.array([0.0, 5.0, 2.0000001])},
        {"subsets": ("late", "late", "early")},
        {"first": ("aA", "b", "c"), "second": ("", "B", "C")},
    ):
        assert replace(PAIRS, **change).fingerprint != PAIRS.fingerprint
    other = replace(PROVENANCE, source="Elsewhere.")
    assert replace(PAIRS, name="x", split="dev", provenance=other).fingerprint == PAIRS.fingerprint
    asked = replace(PAIRS, roles=("query", "document"))
    assert asked.sides == ("query",) * 3 + ("document",) * 3
    copy = pickle.loads(pickle.dumps(PAIRS))  # as a cache does
    assert (copy.fingerprint, copy.provenance) == (PAIRS.fingerprint, PROVENANCE)
