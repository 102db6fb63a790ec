import hashlib

import pytest

from bertflow_core.datasets import load_pairs

QUOTES = 'he said " hello .\t" stop " , she said .\n'


def load(name, tmp_path, **options):
    return load_pairs(name, data_dir=tmp_path, **options)


def test_stsb_takes_quotation_marks_and_commas_as_they_are(write, tmp_path):
    write("STS/STSBenchmark/sts-test.csv", f'g\tf\ty\t1\t2.400\t{QUOTES}g\tf\ty\t2\t5\t"a\tb\n')
    pairs = load("stsb", tmp_path)
    assert pairs.first == ('he said " hello .', '"a')
    assert pairs.second == ('" stop " , she said .', "b")
    assert pairs.gold.tolist() == [2.4, 5.0]
    assert pairs.scale == (0.0, 5.0)
    assert pairs.subset_names == ("stsb",)


def test_stsb_ignores_cells_beyond_the_seventh(write, tmp_path):
    write("STS/STSBenchmark/sts-test.csv", "g\tf\ty\t1\t2.4\tone\ttwo\tlicence\turl\n")
    assert load("stsb", tmp_path).sentences() == ("one", "two")


def test_lines_end_at_newlines_only(write, tmp_path):
    odd = "a\u2028b\u0085c\x1cd\x0be"
    write("STS/STSBenchmark/sts-test.csv", f"g\tf\ty\t1\t2.4\t{odd}\ttwo\n")
    assert load("stsb", tmp_path).first == (odd,)


def test_byte_order_mark_and_windows_lines_are_tolerated(write, tmp_path):
    write(
        "STS/STSBenchmark/sts-test.csv",
        b"\xef\xbb\xbfg\tf\ty\t1\t2.4\tone\ttwo\r\ng\tf\ty\t2\t3\tx\ty\r\n",
    )
    assert load("stsb", tmp_path).second == ("two", "y")


def test_sick_is_read_by_its_header(sick, tmp_path):
    sick()
    pairs = load("sickr", tmp_path)
    assert (pairs.sentences(), pairs.gold.tolist()) == (
        ("A test_annotated", "B test_annotated"),
        [5.0],
    )
    assert pairs.scale == (1.0, 5.0)
    assert pairs.subset_names == ("sickr",)


@pytest.mark.parametrize("word", ["dev", "trial"])
def test_sick_dev_is_also_called_trial(sick, tmp_path, word):
    sick()
    pairs = load("sickr", tmp_path, split=word)
    assert (pairs.first, pairs.split) == (("A trial",), "dev")


def test_year_joins_its_subsets_in_order(year, tmp_path):
    year("sts14", "OnWN", "c\td\n", "4.0\n")
    year("sts14", "deft-news", "a\tb\n", "1.5\n")
    pairs = load("sts14", tmp_path)
    assert pairs.subsets == ("deft-news", "OnWN")
    assert pairs.first == ("a", "c")
    assert pairs.gold.tolist() == [1.5, 4.0]
    assert pairs.provenance.counts == (("deft-news", 1), ("OnWN", 1))


def test_unscored_pairs_are_skipped_also_at_the_end(year, tmp_path):
    year("sts16", "headlines", "a\tA\nb\tB\nc\tC\nd\tD\n", "\n3\n \n\n")
    pairs = load("sts16", tmp_path)
    assert (pairs.first, pairs.second, pairs.gold.tolist()) == (("b",), ("B",), [3.0])


def test_further_cells_of_the_input_are_ignored(year, tmp_path):
    year("sts16", "headlines", "a\tA\tsource one\tsource two\n", "3\n")
    assert load("sts16", tmp_path).sentences() == ("a", "A")


def test_gold_without_sentences_is_not_used(year, tmp_path):
    year("sts13", "FNWN", "a\tb\n", "2\n")
    year("sts13", "SMT", None, "5\n5\n")
    assert load("sts13", tmp_path).subset_names == ("FNWN",)


@pytest.mark.parametrize("split", ["train", "dev"])
def test_years_have_only_a_test_split(year, tmp_path, refuses, split):
    year("sts12", "MSRpar", "a\tb\n", "1\n")
    with refuses("sts12", split, "'test'"):
        load("sts12", tmp_path, split=split)


def test_provenance_lists_files_below_the_layout_with_checksums(year, tmp_path):
    year("sts12", "MSRpar", "a\tb\nc\td", "1\n\n")
    files = load("sts12", tmp_path).provenance.files
    assert [(file.name, file.lines) for file in files] == [
        ("STS/STS12-en-test/STS.input.MSRpar.txt", 2),
        ("STS/STS12-en-test/STS.gs.MSRpar.txt", 2),
    ]
    assert files[1].sha256 == hashlib.sha256(b"1\n\n").hexdigest()
    assert str(tmp_path) not in str(load("sts12", tmp_path).provenance.to_dict())


SICK_HEADER = "sentence_A\tsentence_B\trelatedness_score\n"


@pytest.mark.parametrize(
    ("name", "file", "content", "words"),
    [
        ("stsb", "sts-test.csv", "g\tf\ty\t1\t2.4\ta\tb\ng\tf\ty\t1\t2.4\ta b\n",
         ("sts-test.csv", "line 2", "7 cells", "got 6")),
        ("stsb", "sts-test.csv", "g\tf\ty\t1\t2,4\ta\tb\n", ("line 1", "score", "'2,4'")),
        ("stsb", "sts-test.csv", "g\tf\ty\t1\t24\ta\tb\n", ("off the scale", "0 to 5", "24")),
        ("stsb", "sts-test.csv", "", ("stsb", "no pairs")),
        ("sickr", "SICK_test_annotated.txt", "1\tA\tB\t3.0\tNEUTRAL\n",
         ("header", "relatedness_score", "SICK_test_annotated.txt")),
        ("sickr", "SICK_test_annotated.txt", SICK_HEADER + "a\tb\n",
         ("line 2", "3 cells", "got 2")),
        ("sickr", "SICK_test_annotated.txt", SICK_HEADER + "a\tb\t3\na\tb\thigh\n",
         ("SICK_test_annotated.txt", "line 3", "'high'")),
    ],
)  # fmt: skip
def test_a_fault_in_a_file_is_named(write, tmp_path, refuses, name, file, content, words):
    write(f"{'STS/STSBenchmark' if name == 'stsb' else 'SICK'}/{file}", content)
    with refuses(*words):
        load(name, tmp_path)


@pytest.mark.parametrize(
    ("name", "subset", "sentences", "gold", "words"),
    [
        ("sts13", "FNWN", "a\tb\n", None, ("STS.input.FNWN.txt", "no gold", "STS.gs.FNWN.txt")),
        ("sts12", "MSRpar", "a\tb\nc\td\n", "1\n2\n3\n",
         ("2 lines", "STS.gs.MSRpar.txt", "has 3")),
        ("sts15", "belief", "a\tb\nc\td\n", "\nhigh\n",
         ("STS.gs.belief.txt", "line 2", "'high'")),
        ("sts15", "belief", "a\tb\n", "\n", ("sts15", "no pairs")),
    ],
)  # fmt: skip
def test_a_fault_in_a_year_is_named(year, tmp_path, refuses, name, subset, sentences, gold, words):
    year(name, subset, sentences, gold)
    with refuses(*words):
        load(name, tmp_path)
