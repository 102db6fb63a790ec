"""Bad data: each file is refused in one sentence, before anything is embedded, and kept."""

import json

import pandas as pd
import pytest
from tiny_pairs import pair_rows, write_pairs

HEAD = "sentence1,sentence2,score\n"
GOOD = HEAD + "the cat,a dog,1\nred mat,blue mat,4\n"


@pytest.fixture
def evaluate(here):
    """Return the arguments that evaluate a table of some content."""

    def args(content, *more, name="t.csv"):
        raw = content if isinstance(content, bytes) else content.encode("utf-8")
        (here / name).write_bytes(raw)
        return ("evaluate", "--dataset", here / name, *more)

    return args


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        ("\n\n\n", "is empty"),
        (HEAD, "a header and no rows"),
        ("sentence\nthe cat\n", "holds one sentence"),
        ("words\nthe cat\n", ("one column", "'words'", "call it sentence")),
        ("a,b,c\n1,2,3\n", "name the two sentence columns"),
        (HEAD.replace("\n", ",score\n") + "a,b,1,2\n", "more than one column named 'score'"),
        (HEAD.replace(",", "\t") + "a\tb\t1\n", "name it .tsv"),
        (GOOD.encode("utf-16"), "UTF-16"),
        (GOOD.encode("utf-32"), "UTF-32"),
        (GOOD.replace("cat", "caf\xe9").encode("latin-1"), ("not UTF-8", "line 2")),
        (b"PK\x03\x04" + bytes(50), "Excel workbook"),
        (GOOD.replace("cat", "c\0t"), "NUL byte in line 2"),
        (HEAD + 'the "cat,a dog,1\n"red,blue,2\n', "row"),
        (GOOD + "too,few\n", ("row 4", "expected 3 as in the header, got 2")),
        (GOOD + "one,too,many,1\n", ("row 4", "expected 3 as in the header, got 4")),
        (GOOD + "the cat, ,1\n", ("1 of 3 rows", "row 4: sentence2 is blank")),
        (GOOD + ",a dog,1\n", "row 4: sentence1 is blank"),
        (GOOD + "the cat,a dog,\n", "row 4: score is missing"),
        (GOOD + "the cat,a dog,high\n", "row 4: score is not a number: 'high'"),
        (GOOD + 'the cat,a dog,"1,5"\n', "row 4: score is not a number: '1,5'"),
        (GOOD + "the cat,a dog,nan\n", "row 4: score is not finite"),
        (GOOD + "the cat,a dog,-inf\n", "row 4: score is not finite"),
        (GOOD + "the cat,a dog,5.01\n", ("row 4", "off the scale", "0 to 5")),
        (GOOD + "the cat,a dog,-0.1\n", ("row 4", "off the scale")),
        (HEAD + "the cat,a dog,3\nred,blue,3\n", "two different gold scores"),
        (HEAD + "the cat,a dog,3\n", "two different gold scores"),
    ],
)
def test_a_bad_table(refuses, no_embedding, evaluate, content, words):
    refuses(*evaluate(content, "--strict"), words=words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--sentence2", "sentence2"), "--sentence1 and --sentence2"),
        (("--sentence1", "sentence1", "--score", "score"), "scores belong to pairs"),
        (("--sentence1", "sentense1", "--sentence2", "sentence2"), "did you mean sentence1"),
        (("--sentence1", "score", "--sentence2", "score"), "one column is chosen twice"),
        (("--score", "score"), "--sentence1 and --sentence2"),
        (("--scale", "5"), "LOW,HIGH"),
        (("--scale", "low,high"), "LOW,HIGH"),
        (("--scale", "0,5,10"), "LOW,HIGH"),
        (("--scale", "5,0"), "a higher highest score"),
        (("--scale", "0,nan"), "a higher highest score"),
        (("--scale", "0,inf"), "a higher highest score"),
        (("--scale", "2,5"), ("row 2", "off the scale", "2 to 5")),
        (("--split", "dev"), "no dev split"),
        (("--fit-on", "train"), "no train split"),
    ],
)
def test_a_bad_choice_for_a_good_table(refuses, no_embedding, evaluate, options, words):
    refuses(*evaluate(GOOD, *options, "--strict"), words=words)


def test_a_good_table_works(works, evaluate, tiny):
    assert "2 pairs" in works(*evaluate(GOOD, *tiny, "--calibrator", "identity"))


@pytest.mark.parametrize(
    ("content", "options", "size", "words"),
    [
        ("sentence1,sentence2\nthe cat,a dog\nred,blue\n", (), "2 pairs", "no column of them"),
        (GOOD, ("--sentence1", "sentence1"), "2 sentences", "need pairs of sentences"),
        ("id,text\n1,the cat\n2,a dog\n3,red mat\n", (), "3 sentences", "need pairs"),
    ],
)
def test_what_has_no_gold_is_evaluated_without_rho(
    works, evaluate, tiny, content, options, size, words
):
    shown = works(*evaluate(content, *options, *tiny, "--calibrator", "standardize"))
    assert size in shown
    assert words in shown
    assert shown.splitlines()[3].split()[:3] == ["standardize", "-", "-"]


def test_a_parquet_table_with_empty_cells(refuses, no_embedding, here):
    rows = {"sentence1": ["a cat", None], "sentence2": ["a", "b"], "score": [1.0, float("nan")]}
    pd.DataFrame(rows).to_parquet(here / "t.parquet")
    options = ("--dataset", "t.parquet", "--strict")
    refuses("evaluate", *options, words="row 2: sentence1 is blank")


def test_rows_that_cannot_be_used_are_left_out_and_listed_once(lab, evaluate, tiny):
    bad = "the cat, ,1\n,a dog,2\nbig cat,dog,\nthe mat,dog,high\n"
    options = (*tiny, "--calibrator", "standardize", "--format", "json")
    whole = lab(*evaluate(GOOD + "big,red,3\n", *options))
    mixed = lab(*evaluate(GOOD + bad + "big,red,3\n", *options))
    assert (whole.code, whole.err, mixed.code) == (0, "", 0)
    assert mixed.err == (
        "bertflow-lab: warning: 't.csv': 4 of 7 rows cannot be used (row 4: sentence2 is blank; "
        "row 5: sentence1 is blank; row 6: score is missing; ...) and are left out; --strict "
        "refuses such a table\n"
    )
    assert rhos(mixed.out) == rhos(whole.out)


def rhos(text):
    return [each["spearman"]["all"] for each in json.loads(text)["results"]]


def test_scores_of_which_most_are_off_the_default_scale_are_refused(refuses, evaluate):
    refuses(*evaluate(GOOD + "a,b,50\n" * 3), words=("3 of 5 rows", "off the scale"))


@pytest.mark.parametrize("name", ["t.tsv", "t.jsonl", "t.parquet"])
def test_every_format_gives_the_same_scores(works, here, table, tiny, name):
    write = {
        "t.tsv": lambda frame: frame.to_csv(name, sep="\t", index=False),
        "t.jsonl": lambda frame: frame.to_json(name, orient="records", lines=True),
        "t.parquet": lambda frame: frame.to_parquet(name),
    }
    write[name](pd.read_csv(table))
    options = (*tiny, "--calibrator", "standardize", "--format", "json")
    expected = rhos(works("evaluate", "--dataset", table, *options))
    assert rhos(works("evaluate", "--dataset", name, *options)) == expected


def test_a_parquet_table_that_is_torn(refuses, no_embedding, here, evaluate):
    pd.DataFrame({"sentence1": ["a"], "sentence2": ["b"], "score": [1]}).to_parquet("t.parquet")
    torn = (here / "t.parquet").read_bytes()[:-20]
    refuses(*evaluate(torn, name="t.parquet"), words="t.parquet")


@pytest.mark.parametrize("name", ["t.xlsx", "t.json", "./t", "t."])
def test_another_ending(refuses, no_embedding, evaluate, name):
    refuses(*evaluate(GOOD, name=name), words=".parquet")


@pytest.mark.parametrize("name", ["none.csv", "none/t.csv", "t.csv/t.csv"])
def test_a_missing_table(refuses, no_embedding, evaluate, name):
    evaluate(GOOD)
    refuses("evaluate", "--dataset", name, words="does not exist")


def test_a_folder_is_no_table(refuses, no_embedding, here):
    (here / "t.csv").mkdir()
    refuses("evaluate", "--dataset", "t.csv", words="expected a file")


class TestNamesOfDataSets:
    """What is called like a data set is one; what has a folder or an ending is a path."""

    def test_a_table_in_a_folder_called_like_a_data_set(self, works, here, tiny):
        (here / "stsb").mkdir()
        write_pairs(here / "stsb" / "pairs.csv")
        options = ("--dataset", "stsb/pairs.csv", "--calibrator", "identity")
        assert "stsb/pairs.csv test, 24 pairs" in works("evaluate", *tiny, *options)

    def test_the_folder_itself_is_not_taken_for_the_data(self, refuses, no_embedding, here):
        (here / "stsb").mkdir()
        write_pairs(here / "stsb" / "pairs.csv")
        refuses("evaluate", "--dataset", "stsb", words=("stsb", "--data-dir", "BERTFLOW_DATA"))
        refuses("evaluate", "--dataset", "./stsb", words=".parquet")

    def test_a_table_called_like_a_data_set(self, works, here, tiny):
        write_pairs(here / "teaching.csv")
        options = ("--dataset", "teaching.csv", "--calibrator", "identity")
        assert "24 pairs" in works("evaluate", *tiny, *options)

    def test_a_text_file_called_target_is_not_the_corpus(self, works, here, table, tiny):
        (here / "target").write_text("one\ntwo\n", encoding="utf-8")
        options = ("--dataset", table, "--calibrator", "identity")
        assert "48 sentences of pairs" in works("evaluate", *tiny, *options, "--fit-on", "target")
        assert "2 sentences of target" in works("evaluate", *tiny, *options, "--fit-on", "./target")


class TestFitCorpus:
    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "holds no sentences"),
            (b"\n \n\t\n", "holds no sentences"),
            ("caf\xe9".encode("latin-1"), "not UTF-8"),
            ("a cat".encode("utf-16"), "UTF-16"),
            (b"\x1f\x8b" + bytes(20), "gzip"),
        ],
    )
    def test_a_bad_file(self, refuses, no_embedding, here, table, content, words):
        (here / "fit.txt").write_bytes(content)
        refuses("evaluate", "--dataset", table, "--fit-on", "fit.txt", words=words)
        refuses("fit", "--dataset", table, "--fit-on", "fit.txt", "--out", "c", words=words)

    @pytest.mark.parametrize("name", ["none.txt", "pairs.csv/x", ".", "x" * 300])
    def test_a_missing_file(self, refuses, no_embedding, table, name):
        code = 1 if len(name) > 255 else 2
        refuses("evaluate", "--dataset", table, "--fit-on", name, code=code, words=name[:30])

    def test_a_table_without_a_column_of_sentences(self, refuses, no_embedding, table):
        options = ("--dataset", table, "--fit-on", table)
        refuses("evaluate", *options, words="no column named 'sentence' or 'text'")

    @pytest.mark.parametrize("spec", ["identity", "standardize", "null-top-k", "whiten", "flow"])
    def test_one_sentence_is_too_few(self, refuses, here, table, tiny, spec):
        (here / "fit.txt").write_text("the cat\n", encoding="utf-8")
        options = ("--dataset", table, "--fit-on", "fit.txt", "--calibrator", spec)
        refuses("evaluate", *tiny, *options, words=("1 sample", "minimum of 2"))
        refuses("fit", *tiny, *options, "--out", "c", words=("1 sample", "minimum of 2"))

    def test_one_sentence_again_and_again_cannot_be_whitened(self, refuses, here, table, tiny):
        (here / "fit.txt").write_text("the cat\n" * 9, encoding="utf-8")
        options = ("--dataset", table, "--fit-on", "fit.txt", "--calibrator", "whiten")
        refuses("evaluate", *tiny, *options, words="one embedding")

    @pytest.mark.parametrize(
        ("spec", "words"),
        [
            ("null-top-k:k=16", "n_features = 16"),
            ("null-top-k:k=100000", "n_features = 16"),
            ("whiten:n_components=17", "at most the number of features (16)"),
            ("whiten:n_components=4+null-top-k:k=4", "n_features = 4"),
        ],
    )
    def test_more_directions_than_features(self, refuses, table, tiny, spec, words):
        refuses("evaluate", *tiny, "--dataset", table, "--calibrator", spec, words=words)


@pytest.mark.parametrize("folder", ["none", "pairs.csv", "~nobody-at-all/data"])
def test_a_data_folder_that_is_none(refuses, no_embedding, monkeypatch, table, folder):
    refuses("data", "--data-dir", folder, words=("--data-dir", folder))
    refuses("evaluate", "--dataset", "stsb", "--data-dir", folder, words=("--data-dir", folder))
    monkeypatch.setenv("BERTFLOW_DATA", folder)
    refuses("data", words=("BERTFLOW_DATA", folder))
    refuses("evaluate", "--dataset", "stsb", words=("BERTFLOW_DATA", folder))
    refuses("fit", "--dataset", "stsb", "--out", "c", words=("BERTFLOW_DATA", folder))


class TestSentences:
    """Sources of `embed`; those of `calibrate` are read by the same function."""

    @pytest.mark.parametrize(
        ("name", "content", "words"),
        [
            ("s.txt", b"", "is empty"),
            ("s.txt", b"\n\n", "is empty"),
            ("s.txt", b"a cat\n\na dog\n", ("1 of 3 rows", "row 2", "blank")),
            ("s.txt", b"a cat\n \t\na dog\n", "row 2"),
            ("s.txt", "caf\xe9".encode("latin-1"), "not UTF-8"),
            ("s.txt", b"PAR1" + bytes(9), "parquet"),
            ("s.csv", b"sentence\n", "no rows"),
            ("s.csv", b"words\na cat\n", "'words'"),
            ("s.csv", b"sentence\na cat\n \na dog\n", "row 3"),
            ("s.doc", b"a cat\n", "'.txt'"),
            ("s", b"a cat\n", "'.txt'"),
        ],
    )
    def test_a_bad_file(self, refuses, no_embedding, here, name, content, words):
        (here / name).write_bytes(content)
        refuses("embed", name, "--out", "x.npy", words=words)

    def test_a_column_that_is_not_there(self, refuses, no_embedding, table, sentences):
        out = ("--out", "x.npy")
        refuses("embed", table, "--column", "sentence3", *out, words="did you mean sentence")
        refuses("embed", sentences, "--column", "sentence", *out, words="has no columns")

    @pytest.mark.parametrize("name", ["none.txt", "none.csv", "sentences.txt/x.txt"])
    def test_a_missing_file(self, refuses, no_embedding, sentences, name):
        refuses("embed", name, "--out", "x.npy", words=name)


def test_long_and_strange_sentences_are_scored(works, here, tiny):
    strange = ["cat " * 10_000, "\u2028 line\u0085s", "\U0001f600", "=1+1", "\u202eright to left"]
    rows = [
        (text, second, i, "odd")
        for i, (text, (_, second, *_)) in enumerate(zip(strange, pair_rows(), strict=False))
    ]
    path = write_pairs(here / "strange.csv", rows)
    shown = works("evaluate", *tiny, "--dataset", path, "--calibrator", "standardize")
    assert "5 pairs" in shown
    assert "1 of 10 distinct sentences were cut" in shown
