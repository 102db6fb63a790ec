"""Where visitors' tables are kept: named by what they are, bounded, safe to share."""

import pytest
from app_pages import clear_server
from bertflow_app import services, uploads
from bertflow_app.uploads import is_upload

from bertflow_core.recipe import Recipe

CONTENT = b"sentence1,sentence2\na,b\n"
TAG = " (abcdefgh2345)"


def test_a_table_is_found_by_the_name_it_was_given():
    dataset = uploads.add("mine.csv", CONTENT)
    assert is_upload(dataset)
    assert dataset.startswith("mine.csv (")
    file = uploads.file_of(dataset)
    assert (file.name, file.content) == ("mine.csv", CONTENT)
    clear_server()
    assert uploads.file_of(dataset) is None
    assert uploads.add("mine.csv", CONTENT) == dataset
    assert len({dataset, uploads.add("a.csv", CONTENT), uploads.add("mine.csv", CONTENT * 2)}) == 3


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\Users\\me\\t.csv", "t.csv"),
        ("a\0b\n\x1b[31m\u202e.csv", "ab[31m.csv"),
        ("\ud800.csv", ".csv"),
        ("x" * 500 + ".parquet", "x" * 92 + ".parquet"),
        ("", "table"),
        ("folder/", "table"),
        ("\n", "table"),
    ],
)
def test_a_file_name_is_shown_without_folders_and_control_characters(given, kept):
    assert uploads.file_of(uploads.add(given, CONTENT)).name == kept


@pytest.mark.parametrize(
    "name",
    [
        None,
        7,
        "",
        "teaching",
        TAG,
        " " + TAG[:-2] + ")",
        f"a.csv{TAG[:-2]})",
        f"a.csv{TAG[:-1]}a)",
        f"a.csv{TAG}\n",
        f"a\n.csv{TAG}",
        f"a.csv{TAG.upper()}",
        f"a.csv{TAG}.csv",
        "a.csv (" + "../" * 4 + ")",
    ],
)
def test_what_an_address_holds_is_no_upload_unless_it_looks_like_one(name):
    assert not is_upload(name)
    assert is_upload(f"a.csv{TAG}")


def test_a_table_is_read_on_the_scale_that_is_asked_for():
    dataset = uploads.add("scored.csv", b"sentence1,sentence2,score\na,b,0.5\nc,d,1\n")
    asked = (Recipe(dataset=dataset), Recipe(dataset=dataset, scale="0,4"))
    assert [uploads.reading_of(each).pairs.scale for each in asked] == [(0, 1), (0, 4)]


def test_what_is_kept_beside_a_table_is_no_table():
    dataset = uploads.add("mine.csv", CONTENT)
    services.kept().put(f"header {dataset}", ("sentence1", "sentence2"))
    assert is_upload(f"header {dataset}")
    assert uploads.file_of(f"header {dataset}") is None
    assert uploads.vectors_of(f"header {dataset}") == ()
