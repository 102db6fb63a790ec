import subprocess
import sys

import pytest

from bertflow_core.datasets import (
    DATASETS,
    TableColumns,
    available,
    load_corpus,
    load_pairs,
    read_sentences,
)

HEAVY = ("torch", "transformers", "pandas", "pyarrow", "scipy", "sklearn")


def test_the_names():
    assert DATASETS == (
        "captions",
        "teaching",
        "stsb",
        "sickr",
        "sts12",
        "sts13",
        "sts14",
        "sts15",
        "sts16",
        "qnli",
    )


def test_teaching_needs_nothing_and_has_its_corners_as_subsets():
    pairs = load_pairs("teaching")
    assert len(pairs) >= 340
    assert len(pairs.subset_names) == 4
    assert (pairs.split, pairs.scale, pairs.provenance.layout) == ("test", (0.0, 5.0), "package")
    assert pairs.provenance.files[0].lines == len(pairs) + 1
    assert len(load_corpus("teaching", "target")) == 2 * len(pairs)


def test_teaching_has_only_a_test_split(refuses):
    with refuses("teaching", "train", "'test'"):
        load_pairs("teaching", split="train")


@pytest.mark.parametrize(("name", "near"), [("sts-b", "stsb"), ("teachin", "teaching")])
def test_unknown_name_offers_the_nearest(name, near, refuses):
    with refuses(name, near):
        load_pairs(name)


def test_name_unlike_any_gets_the_list(refuses):
    with refuses("qqqq", *DATASETS):
        load_pairs("qqqq")


def test_unknown_split_lists_the_splits(refuses):
    with refuses("split", "'validate'", "'train', 'dev', 'test'"):
        load_pairs("teaching", split="validate")


def test_options_without_meaning_are_refused(stsb, tmp_path, refuses):
    stsb()
    with refuses("columns", "stsb"):
        load_pairs("stsb", data_dir=tmp_path, columns=TableColumns("a", "b"))
    with refuses("scale", "stsb"):
        load_pairs("stsb", data_dir=tmp_path, scale=(0, 5))


def test_listing_counts_what_is_there(stsb, tmp_path):
    stsb("senteval")
    listed = {info.name: info for info in available(tmp_path)}
    assert tuple(listed) == DATASETS
    assert listed["stsb"].splits == (("train", 2), ("dev", 3), ("test", 4))
    assert listed["stsb"].where == "senteval"
    assert listed["teaching"].found
    assert not listed["sickr"].found
    assert "SICK_train.txt" in listed["sickr"].where


def test_listing_leaves_out_a_split_without_labels(write, tmp_path):
    rows = "a\tb\tentailment\nc\td\tnot_entailment\n"
    write("glue/QNLI/dev.tsv", f"question\tsentence\tlabel\n{rows}")
    write("glue/QNLI/test.tsv", "question\tsentence\na\tb\n")
    info = next(info for info in available(tmp_path) if info.name == "qnli")
    assert (info.splits, info.where) == ((("dev", 2),), "glue")


def test_listing_tells_of_a_damaged_file(year, tmp_path):
    year("sts12", "MSRpar", "a\tb\n", "1\n2\n")
    info = next(info for info in available(tmp_path) if info.name == "sts12")
    assert not info.found
    assert "STS.gs.MSRpar.txt" in info.where


def test_listing_works_without_any_folder():
    assert [info.name for info in available() if info.found] == ["captions", "teaching"]


def test_missing_table_is_refused(tmp_path, refuses):
    for read in (load_pairs, read_sentences):
        with refuses("gone.csv", "does not exist"):
            read(tmp_path / "gone.csv")


def test_import_and_text_files_load_nothing_heavy():
    code = (
        "import sys, bertflow_core.datasets as d; d.load_pairs('teaching'); "
        f"sys.exit(', '.join(m for m in {HEAVY} if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.strip() == ""
