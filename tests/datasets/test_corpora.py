import pytest

from bertflow_core.datasets import load_corpus, load_pairs


def test_target_is_both_sides_of_every_split_with_duplicates(stsb, tmp_path):
    stsb()
    corpus = load_corpus("stsb", "target", data_dir=tmp_path)
    assert len(corpus) == 2 * (2 + 3 + 4)
    assert corpus.sentences[:4] == ("train a 0", "b 0", "train a 1", "b 1")
    assert corpus.sentences.count("b 0") == 3
    assert "18 sentences of stsb (train, dev, test; senteval)" in corpus.description
    assert len(corpus.sources) == 3


def test_target_takes_the_splits_that_are_there(stsb, tmp_path):
    stsb(splits=("train", "dev"))
    assert len(load_corpus("stsb", "target", data_dir=tmp_path)) == 10


def test_target_of_a_year_is_its_scored_pairs(year, tmp_path):
    year("sts15", "belief", "a\tb\nc\td\n", "\n4\n")
    assert load_corpus("sts15", "target", data_dir=tmp_path).sentences == ("c", "d")


def test_target_of_a_table_is_the_whole_table(write):
    path = write("own.csv", "sentence1,sentence2\na,b\na,c\n")
    corpus = load_corpus(path, "target")
    assert corpus.sentences == ("a", "b", "a", "c")
    assert corpus.sentences == load_pairs(path).sentences()


def test_train_is_the_train_split(stsb, tmp_path):
    stsb()
    corpus = load_corpus("stsb", "train", data_dir=tmp_path)
    assert corpus.sentences == ("train a 0", "b 0", "train a 1", "b 1")


def test_labels_play_no_part(stsb, write, tmp_path):
    stsb()
    before = load_corpus("stsb", "target", data_dir=tmp_path)
    path = tmp_path / "STS/STSBenchmark/sts-dev.csv"
    write(path.name, "")
    path.write_text(path.read_text().replace(".500", ".125"))
    after = load_corpus("stsb", "target", data_dir=tmp_path)
    assert after.fingerprint == before.fingerprint
    assert after.sources != before.sources


@pytest.mark.parametrize("name", ["teaching", "sts12"])
def test_data_sets_without_train_split_say_so(year, tmp_path, refuses, name):
    year("sts12", "MSRpar", "a\tb\n", "1\n")
    with refuses(name, "no train split", "'target'"):
        load_corpus(name, "train", data_dir=tmp_path)


def test_text_file_skips_blank_lines_and_counts_them(write):
    path = write("wiki.txt", "one\n\n two \n   \nthree\r\n")
    corpus = load_corpus("teaching", path)
    assert corpus.sentences == ("one", " two ", "three")
    assert "3 sentences of wiki.txt (2 blank lines skipped)" in corpus.description
    assert corpus.sources[0].counts == (("sentences", 3),)
    assert corpus.sources[0].files[0].lines == 5


def test_text_file_without_blank_lines_mentions_none(write):
    assert "blank" not in load_corpus("teaching", str(write("w.txt", "a\nb"))).description


def test_text_file_may_have_any_name(write):
    assert load_corpus("teaching", write("corpus.en", "a\n")).sentences == ("a",)


def test_table_gives_its_column_of_sentences(write):
    assert load_corpus("teaching", write("w.tsv", "id\ttext\n1\ta b\n")).sentences == ("a b",)


def test_another_data_set_is_named(tmp_path):
    own = tmp_path / "own.csv"
    own.write_text("sentence1,sentence2\na cat,a dog\n")
    result = load_corpus(own, "teaching")
    assert result == load_corpus("teaching", "target")
    assert "of teaching (test" in result.description


@pytest.mark.parametrize("fit_on", ["tagret", "none.txt", ""])
def test_what_is_neither_lists_the_choices(refuses, fit_on):
    with refuses(repr(fit_on), "'target'", "'train'", "text file"):
        load_corpus("teaching", fit_on)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "no sentences"), (b" \n\n", "no sentences"), (b"caf\xe9\n", "UTF-8"), (b"a\0b", "NUL")],
)
def test_bad_text_file_is_refused(write, refuses, content, words):
    path = write("w.txt", content)
    with refuses("w.txt", words):
        load_corpus("teaching", path)
