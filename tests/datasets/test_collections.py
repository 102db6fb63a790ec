"""Packed collections equal the folder that they hold; damaged ones are refused in one sentence."""

import shutil
import zipfile

from bertflow_core.datasets import RawFile, load_corpus, load_dataset
from bertflow_core.datasets.collection import packed
from bertflow_core.runtime.shipped import resource


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
