"""Premises and hypotheses as they come: aligned files of SNLI, a table of MNLI."""

import pytest

from bertflow_core.datasets.nli import nli_here, nli_sentences

PAIRS = [
    ("A dog runs.", 'It "moves.', "entailment"),
    ("A dog runs.", "Nobody knows.", "-"),
    ("Rain falls. ", "It is\u2028dry.", "contradiction"),
    ("Rain falls.", "It is warm.", "neutral"),
]
LABELLED = tuple(text for a, b, label in PAIRS if label != "-" for text in (a, b))
GLUE_HEAD = "index\tgenre\tsentence1\tsentence2\tlabel1\tgold_label\n"


def aligned(write, stem):
    for name, column in zip(("s1", "s2", "labels"), zip(*PAIRS, strict=True), strict=True):
        write(f"{stem}/{name}.dev", "\n".join(column) + "\n")


def glue_table(write, stem):
    rows = [f"{i}\tg\t{a}\t{b}\tneutral\t{label}\n" for i, (a, b, label) in enumerate(PAIRS)]
    write(f"{stem}/train.tsv", GLUE_HEAD + "".join(rows))


@pytest.mark.parametrize(
    ("make", "stem", "name", "split"),
    [
        (aligned, "snli", "snli", "dev"),
        (aligned, "senteval/snli", "snli", "dev"),
        (glue_table, "MNLI", "mnli", "train"),
        (glue_table, "glue/MNLI", "mnli", "train"),
    ],
)
def test_the_labelled_pairs_are_read(write, tmp_path, make, stem, name, split):
    make(write, stem)
    assert nli_sentences(tmp_path, name).sentences == LABELLED
    assert nli_here(tmp_path, name) == (split,)


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("snli/s2.dev", "b\n", ("s2.dev", "line 2")),
        ("snli/labels.dev", "neutral\nmaybe\n", ("labels.dev", "line 2", "maybe")),
        ("snli/s1.dev", b"a\n\xff\n", ("s1.dev", "line 2", "0xff", "UTF-8")),
        ("snli/s1.dev", b"a\nb\0\n", ("s1.dev", "NUL", "line 2")),
        ("snli/s1.dev", b"\xff\xfea\0", ("s1.dev", "UTF-16")),
        ("snli/s1.dev", "a\n" + "b" * 1_000_001, ("s1.dev", "line 2", "too large")),
        ("MNLI/train.tsv", "sentence1\tgold_label\na\tneutral\n", ("line 1", "sentence2")),
        ("MNLI/train.tsv", GLUE_HEAD + "0\tg\ta\n", ("line 2", "6 cells", "got 3")),
    ],
)
def test_a_fault_in_a_file_is_named(write, tmp_path, refuses, file, content, words):
    write("snli/s1.dev", "a\nb\n")
    write("snli/s2.dev", "a\nb\n")
    write("snli/labels.dev", "neutral\nneutral\n")
    write(file, content)
    with refuses(*words):
        nli_sentences(tmp_path)


@pytest.mark.parametrize(("split", "n"), [("dev", 9_842), ("test", 9_824)])
def test_real_snli(data_dir, split, n):
    assert f"snli {split} {n:,} pairs" in nli_sentences(data_dir, "snli").description
