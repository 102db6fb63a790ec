import json

import pytest

from bertflow_core.datasets.nli import nli_files, nli_pairs, nli_splits

PAIRS = [
    ("A dog runs.", 'It "moves.', "entailment"),
    ("Rain falls. ", "It is\u2028dry.", "contradiction"),
    ("Rain falls.", "It is warm.", "neutral"),
]
UNLABELLED = ("A dog runs.", "Nobody knows.", "-")
ROWS = [PAIRS[0], UNLABELLED, *PAIRS[1:]]
GLUE_HEAD = "index\tgenre\tsentence1\tsentence2\tlabel1\tgold_label\n"
SNLI_HEAD = "gold_label\tsentence1_parse\tsentence1\tsentence2\tpairID\tlabel1\n"


def aligned(write, stem, split):
    for name, column in zip(("s1", "s2", "labels"), zip(*ROWS, strict=True), strict=True):
        write(f"{stem}/{name}.{split}", "\n".join(column) + "\n")


def json_lines(write, name):
    rows = [
        {"annotator_labels": [], "gold_label": label, "sentence1": a, "sentence2": b}
        for a, b, label in ROWS
    ]
    write(name, "".join(json.dumps(row) + "\n" for row in rows))


def glue_table(write, name):
    rows = [f"{i}\tg\t{a}\t{b}\tneutral\t{label}\n" for i, (a, b, label) in enumerate(ROWS)]
    write(name, GLUE_HEAD + "".join(rows))


def own_table(write, name):
    rows = [f"{label}\t( )\t{a}\t{b}\t7\tneutral\r\n" for a, b, label in ROWS]
    write(name, SNLI_HEAD + "".join(rows))


@pytest.mark.parametrize(
    ("make", "where", "name", "split"),
    [
        (lambda w: aligned(w, "snli", "dev"), "snli/labels.dev", "snli", "dev"),
        (lambda w: aligned(w, "senteval/SNLI", "test"), "senteval/SNLI/s1.test", "snli", "test"),
        (lambda w: aligned(w, "mnli", "train"), "mnli/s2.train", "mnli", "train"),
        *(
            (lambda w, f=f: json_lines(w, f), f, name, split)
            for f, name, split in (
                ("snli_1.0/snli_1.0_train.jsonl", "snli", "train"),
                ("multinli_1.0/multinli_1.0_dev_matched.jsonl", "mnli", "dev"),
            )
        ),
        *(
            (lambda w, f=f: own_table(w, f), f, name, "train")
            for f, name in (
                ("snli_1.0/snli_1.0_train.txt", "snli"),
                ("multinli_1.0/multinli_1.0_train.txt", "mnli"),
            )
        ),
        *(
            (lambda w, f=f: glue_table(w, f), f, name, split)
            for f, name, split in (
                ("MNLI/train.tsv", "mnli", "train"),
                ("glue/MNLI/dev_matched.tsv", "mnli", "dev"),
                ("glue/SNLI/test.tsv", "snli", "test"),
            )
        ),
    ],
)
def test_every_layout_gives_the_same_labelled_pairs(write, tmp_path, make, where, name, split):
    make(write)
    assert list(nli_pairs(tmp_path, name, split)) == PAIRS
    assert tmp_path / where in nli_files(tmp_path, name, split)
    assert [str(each) for each in nli_splits(tmp_path, name)] == [split]


@pytest.mark.parametrize(
    ("name", "split", "words"),
    [
        ("xnli", "train", ("xnli", "mnli")),
        ("snli", "validation", ("validation", "train")),
        ("mnli", "test", ("no test split", "dev")),
        ("mnli", "dev", ("not found", "MNLI/dev_matched.tsv", "--data-dir")),
    ],
)
def test_what_cannot_be_found_is_said_at_once(tmp_path, refuses, name, split, words):
    with refuses(*words):
        nli_pairs(tmp_path, name, split)


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("snli/s2.dev", "b\n", ("s2.dev", "line 2")),
        ("snli/labels.dev", "neutral\nmaybe\n", ("labels.dev", "line 2", "maybe")),
        ("snli/s1.dev", b"a\n\xff\n", ("s1.dev", "line 2", "0xff", "UTF-8")),
        ("snli/s1.dev", b"a\nb\0\n", ("s1.dev", "NUL", "line 2")),
        ("snli/s1.dev", b"\xff\xfea\0", ("s1.dev", "UTF-16")),
        ("snli/s1.dev", "a\n" + "b" * 1_000_001, ("s1.dev", "line 2", "too large")),
    ],
)
def test_a_fault_in_an_aligned_file_is_named(write, tmp_path, refuses, file, content, words):
    write("snli/s1.dev", "a\nb\n")
    write("snli/s2.dev", "a\nb\n")
    write("snli/labels.dev", "neutral\nneutral\n")
    write(file, content)
    with refuses(*words):
        list(nli_pairs(tmp_path, "snli", "dev"))


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("MNLI/train.tsv", "sentence1\tgold_label\na\tneutral\n", ("line 1", "sentence2")),
        ("MNLI/train.tsv", GLUE_HEAD + "0\tg\ta\n", ("line 2", "6 cells", "got 3")),
        ("multinli_1.0/multinli_1.0_train.jsonl", "{}\n", ("line 1", "gold_label")),
        ("multinli_1.0/multinli_1.0_train.jsonl", "[" * 100_000, ("line 1", "an object")),
        (
            "multinli_1.0/multinli_1.0_train.jsonl",
            '{"sentence1": 1, "sentence2": "b", "gold_label": "neutral"}\n',
            ("line 1", "texts"),
        ),
    ],
)
def test_a_fault_in_a_release_is_named(write, tmp_path, refuses, file, content, words):
    write(file, content)
    with refuses(*words):
        list(nli_pairs(tmp_path, "mnli", "train"))


def test_the_first_pair_is_there_before_the_rest_is_read(write, tmp_path):
    write("snli/s1.dev", "a\n" * 2 + "\0")
    write("snli/s2.dev", "b\n" * 3)
    write("snli/labels.dev", "neutral\n" * 3)
    assert next(nli_pairs(tmp_path, "snli", "dev")) == ("a", "b", "neutral")


@pytest.mark.parametrize(("split", "n"), [("dev", 9_842), ("test", 9_824)])
def test_real_snli(data_dir, split, n):
    pairs = list(nli_pairs(data_dir, "snli", split))
    assert len(pairs) == n
    assert all(pair.premise and pair.hypothesis for pair in pairs)
