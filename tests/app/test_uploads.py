"""Where visitors' tables are kept: named by what they are, bounded, safe to share."""

import threading

import pytest
from bertflow_app.uploads import PREFIX, Uploads, is_upload

CONTENT = b"sentence1,sentence2\na,b\n"


def test_a_table_is_found_by_the_name_it_was_given():
    uploads = Uploads()
    dataset = uploads.add("mine.csv", CONTENT)
    assert is_upload(dataset)
    file = uploads.get(dataset)
    assert (file.name, file.content) == ("mine.csv", CONTENT)


def test_the_same_file_has_the_same_name_on_every_server():
    assert Uploads().add("mine.csv", CONTENT) == Uploads().add("mine.csv", CONTENT)
    assert Uploads().add("mine.csv", CONTENT) != Uploads().add("mine.csv", CONTENT + b"c,d\n")


def test_two_visitors_with_one_content_keep_their_own_file_names():
    uploads = Uploads()
    first, second = uploads.add("mine.csv", CONTENT), uploads.add("yours.tsv", CONTENT)
    assert first != second
    assert uploads.get(first).name == "mine.csv"
    assert uploads.get(second).name == "yours.tsv"


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
    uploads = Uploads()
    assert uploads.get(uploads.add(given, CONTENT)).name == kept


def test_the_least_recently_used_goes_first():
    uploads = Uploads(limit_bytes=30)
    first, second = uploads.add("1", b"x" * 12), uploads.add("2", b"x" * 12)
    assert uploads.get(first) is not None
    third = uploads.add("3", b"x" * 12)
    assert uploads.get(second) is None
    assert uploads.get(first) is not None
    assert uploads.get(third) is not None


def test_what_is_there_already_takes_no_second_place():
    uploads = Uploads(limit_bytes=30)
    first = uploads.add("1", b"x" * 12)
    second = uploads.add("2", b"x" * 12)
    assert uploads.add("1", b"x" * 12) == first
    assert uploads.get(second) is not None


def test_a_file_over_the_limit_is_not_kept_and_does_no_harm():
    uploads = Uploads(limit_bytes=30)
    assert uploads.get(uploads.add("large", b"x" * 31)) is None
    assert uploads.get(uploads.add("small", b"x")) is not None


@pytest.mark.parametrize(
    "name",
    [
        None,
        7,
        "",
        "teaching",
        PREFIX,
        PREFIX + "0" * 31,
        PREFIX + "0" * 33,
        PREFIX + "0" * 32 + "\n",
        PREFIX + "G" * 32,
        PREFIX + "<script>",
        " " + PREFIX + "0" * 32,
        PREFIX + "../" * 16,
    ],
)
def test_what_an_address_holds_is_no_upload_unless_it_looks_like_one(name):
    assert not is_upload(name)
    assert is_upload(PREFIX + "0123456789abcdef" * 2)


def test_many_visitors_at_once_stay_within_the_limit():
    uploads = Uploads(limit_bytes=1_000)
    faults = []

    def bring(visitor):
        try:
            for i in range(200):
                dataset = uploads.add(f"{visitor}-{i}.csv", b"x" * 100)
                found = uploads.get(dataset)
                assert found is None or found.name == f"{visitor}-{i}.csv"
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=bring, args=(visitor,)) for visitor in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert sum(len(file.content) for file in uploads._files.values()) <= 1_000
