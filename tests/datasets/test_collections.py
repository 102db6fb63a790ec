"""Packed collections equal the folder that they hold; damaged ones are refused in one sentence."""

import io
import shutil
import zipfile

import numpy as np
import pytest

from bertflow_core.datasets import RawFile, load_corpus, load_dataset
from bertflow_core.datasets.collection import MAX_UNPACKED, packed
from bertflow_core.runtime.shipped import resource

HEADER = "query-id\tcorpus-id\tscore\n"
GOOD = {
    "corpus.jsonl": '{"_id": "d", "text": "A cat."}\n{"_id": "e", "text": "A dog."}\n',
    "queries.jsonl": '{"_id": "q", "text": "Which animal?"}\n',
    "qrels/test.tsv": f"{HEADER}q\td\t2\nq\te\t0\n",
}


def test_a_zip_and_three_files_are_the_folder(tmp_path):
    folder = resource("questions/README.md").parent
    path = shutil.make_archive(tmp_path / "mine", "zip", folder.parent, "questions")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("__MACOSX/questions/._corpus.jsonl", b"\0")
    files = [folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / "test.tsv"]
    three = packed(map(RawFile.of, files))
    known, corpus = load_dataset("questions"), load_corpus("questions", "target").sentences
    for source in (path, three):
        assert load_dataset(source).fingerprint == known.fingerprint
        assert load_corpus(source, "target").sentences == corpus
    assert load_dataset(path).provenance.files == known.provenance.files
    assert packed(map(RawFile.of, files)) == three, "the same files are the same upload"


def zipped(method=zipfile.ZIP_DEFLATED, **changes):
    """Return a good collection with these changes; None leaves a table out."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in {**GOOD, **changes}.items():
            if content is not None:
                archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (zipped(**{"queries.jsonl": None}), ["'own.zip' has no queries as .jsonl, .csv"]),
        (zipped(**{"qrels/test.tsv": None}), ["'own.zip' has no qrels/test or qrels as"]),
        (zipped(**dict.fromkeys(GOOD)), ["'own.zip' has no corpus"]),
        (zipped(**{"/etc/passwd.csv": "a"}), ["cannot be read as .zip", "absolute"]),
        (zipped(**{"qrels/test.tsv": f"{HEADER}q\tx\t1\n"}), ["row 2", "no document 'x'"]),
        (zipped(**{"corpus.jsonl": '{"_id": "d", "text": "A."}\n{"_id'}), ["row 2: not a JSON"]),
        (zipped(**{"corpus.jsonl": b'{"_id": "d"}\n{"text": "\xe9"}'}), ["not UTF-8 text (line 2"]),
        (zipped(zipfile.ZIP_BZIP2), ["a method other than deflate"]),
        (zipped()[:-30], ["cannot be read as .zip", "zip the folder again"]),
    ],
)
def test_a_zip_that_is_no_collection_is_refused_in_one_sentence(content, words, refuses):
    with refuses(*words):
        load_dataset(RawFile("own.zip", content))


def test_what_unpacks_to_too_much_is_refused(refuses):
    content = zipped(**{"other.csv": b" " * (MAX_UNPACKED + 1)})
    with refuses("own.zip when unpacked' is too large", "at most 67 MB"):
        load_dataset(RawFile("own.zip", content))


def test_no_damage_is_more_than_a_sentence():
    whole, rng = zipped(), np.random.default_rng(0)
    assert load_dataset(RawFile("own.zip", whole)).size == (
        "2 documents, 1 queries, 1 relevant pairs"
    )
    for _ in range(400):
        content = bytearray(whole)
        for place in rng.integers(len(whole), size=3):
            content[place] = rng.integers(256)
        try:
            load_dataset(RawFile("own.zip", bytes(content)))
        except ValueError as error:
            assert "\n" not in str(error)
