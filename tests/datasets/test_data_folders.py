import pytest

from bertflow_core.datasets import load_pairs
from bertflow_core.datasets.folders import data_root
from bertflow_core.errors import ResourceError


@pytest.mark.parametrize("root", ["", "senteval"])
def test_a_layout_may_lie_in_the_folder_or_below_it(stsb, tmp_path, root):
    stsb(root)
    pairs = load_pairs("stsb", data_dir=tmp_path)
    assert pairs.first[0] == "test a 0"
    assert pairs.provenance.files[0].name == "STS/STSBenchmark/sts-test.csv"


def test_parts_may_lie_in_different_places(stsb, sick, tmp_path):
    stsb("senteval")
    sick()
    assert len(load_pairs("sickr", data_dir=tmp_path)) == 1
    assert len(load_pairs("stsb", data_dir=tmp_path)) == 4


def test_the_environment_names_the_folder(stsb, tmp_path, monkeypatch):
    stsb()
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path))
    assert len(load_pairs("stsb")) == 4


def test_the_argument_goes_before_the_environment(stsb, tmp_path, monkeypatch):
    stsb("mine")
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path / "nothing"))
    assert len(load_pairs("stsb", data_dir=tmp_path / "mine")) == 4


def test_home_is_understood(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_root("~") == tmp_path


def test_without_any_folder_the_sentence_says_what_to_do(refuses):
    with refuses("stsb", "--data-dir", "BERTFLOW_DATA", "the data set teaching"):
        load_pairs("stsb")


def test_not_found_says_what_was_looked_for(tmp_path, refuses):
    with refuses("sts15", "STS/STS15-en-test/STS.input.*.txt", "senteval", "--data-dir"):
        load_pairs("sts15", data_dir=tmp_path)
    with refuses("stsb", "sts-dev.csv", "BERTFLOW_DATA", "teaching"):
        load_pairs("stsb", data_dir=tmp_path)


def test_a_named_folder_that_is_none_is_refused(write, tmp_path, refuses, monkeypatch):
    file = write("a.txt", "x")
    with refuses("--data-dir", "a.txt", "not a folder"):
        load_pairs("stsb", data_dir=file)
    monkeypatch.setenv("BERTFLOW_DATA", str(tmp_path / "gone"))
    with refuses("BERTFLOW_DATA", "gone", "not a folder"):
        load_pairs("stsb")


def test_missing_split_lists_those_present(stsb, tmp_path, refuses):
    stsb(splits=("train", "dev"))
    with refuses("stsb", "test", "'train', 'dev'"):
        load_pairs("stsb", data_dir=tmp_path)


def test_a_file_that_cannot_be_read_gives_the_reason_of_the_disk(stsb, tmp_path, monkeypatch):
    stsb()

    def deny(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", deny)
    with pytest.raises(ResourceError, match=r"sts-test\.csv.*Permission denied"):
        load_pairs("stsb", data_dir=tmp_path)
