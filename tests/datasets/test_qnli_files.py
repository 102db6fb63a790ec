import pytest

from bertflow_core.datasets import load_corpus, load_pairs

HEAD = "index\tquestion\tsentence\tlabel\n"
ROWS = '0\tWho?\tAn "answer.\tentailment\n1\tWhy?\tRain falls.\tnot_entailment\n'


def test_labels_are_declared_and_no_scores(write, tmp_path):
    write("glue/QNLI/dev.tsv", HEAD + ROWS)
    pairs = load_pairs("qnli", split="dev", data_dir=tmp_path)
    assert pairs.sentences() == ("Who?", 'An "answer.', "Why?", "Rain falls.")
    assert (pairs.labels.tolist(), pairs.gold, pairs.metric) == ([1.0, 0.0], None, "auc")
    assert pairs.provenance.counts == (("qnli", 2),)


def test_hidden_labels_are_explained_and_their_sentences_fitted_on(write, tmp_path, refuses):
    write("QNLI/dev.tsv", HEAD + ROWS)
    write("QNLI/test.tsv", "index\tquestion\tsentence\n0\tWhen?\tNow.\n")
    with refuses("GLUE", "labels", "the split dev"):
        load_pairs("qnli", data_dir=tmp_path)
    corpus = load_corpus("qnli", "target", data_dir=tmp_path)
    assert corpus.sentences[-2:] == ("When?", "Now.")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("0\tWho?\tx\tentailment\n1\ta\tb\tc\tentailment\n", ("line 3", "4 cells", "got 5")),
        (None, ("header", "question")),
    ],
)
def test_a_fault_in_a_file_is_named(write, tmp_path, refuses, rows, words):
    write("QNLI/dev.tsv", "" if rows is None else HEAD + rows)
    with refuses("dev.tsv", *words):
        load_pairs("qnli", split="dev", data_dir=tmp_path)


@pytest.mark.parametrize("label", ["neutral", "1", ""])
def test_an_unknown_label_is_named_with_its_line(write, tmp_path, refuses, label):
    write("QNLI/dev.tsv", f"{HEAD}{ROWS}2\tHow?\tSo.\t{label}\n")
    with refuses("dev.tsv", "line 4", "entailment or not_entailment"):
        load_pairs("qnli", split="dev", data_dir=tmp_path)
