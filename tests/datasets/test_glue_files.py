import pytest

from bertflow_core.datasets import load_corpus, load_pairs


def test_dev_is_read_by_its_header(glue, tmp_path):
    glue()
    pairs = load_pairs("stsb", split="dev", data_dir=tmp_path)
    assert pairs.first == ("GLUE dev 0", "GLUE dev 1")
    assert pairs.second == ("Other 0", "Other 1")
    assert pairs.gold.tolist() == [4.25, 0.0]
    assert (pairs.split, pairs.subset_names, pairs.provenance.layout) == ("dev", ("stsb",), "glue")


@pytest.mark.parametrize("splits", [("train", "dev"), ("train", "dev", "test")])
def test_hidden_gold_is_explained(glue, tmp_path, refuses, splits):
    glue(splits=splits)
    with refuses("GLUE", "SentEval", "the split dev"):
        load_pairs("stsb", data_dir=tmp_path)


def test_unscored_test_sentences_belong_to_the_target_corpus(glue, tmp_path):
    glue()
    corpus = load_corpus("stsb", "target", data_dir=tmp_path)
    assert len(corpus) == 12
    assert corpus.sentences[-4:] == ("GLUE test 0", "Other 0", "GLUE test 1", "Other 1")


def test_quotation_marks_are_text(write, tmp_path):
    write("STS-B/dev.tsv", 'sentence1\tsentence2\tscore\n"a\t"b" c\t1\n')
    assert load_pairs("stsb", split="dev", data_dir=tmp_path).sentences() == ('"a', '"b" c')


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("a\tb\t1\na\tb\tc\t1\n", ("line 3", "3 cells", "got 4")),
        ("a\tb\t1\na\tb\tone\n", ("line 3", "'one'")),
        (None, ("header", "sentence1")),
    ],
)
def test_a_fault_in_a_file_is_named(write, tmp_path, refuses, rows, words):
    write("STS-B/dev.tsv", "" if rows is None else f"sentence1\tsentence2\tscore\n{rows}")
    with refuses("dev.tsv", *words):
        load_pairs("stsb", split="dev", data_dir=tmp_path)
