"""`data` lists the data sets; `data cache` lists and clears what is stored."""

import re

import pytest
from tiny_models import MAX_TOKENS

from bertflow_core.datasets import DATASETS
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.store import EmbeddingStore


def test_every_data_set_is_listed_with_its_splits_or_where_to_look(lab):
    outcome = lab("data")
    assert (outcome.code, outcome.err) == (0, "")
    names = re.findall(r"^(\w+): ", outcome.out, re.MULTILINE)
    assert names == [*DATASETS, "snli", "mnli"]
    assert "    test 370 pairs\n" in outcome.out
    assert outcome.out.count("--data-dir") == len(DATASETS) - 2


def test_a_folder_is_looked_into(works, here, monkeypatch):
    folder = here / "STS" / "STSBenchmark"
    folder.mkdir(parents=True)
    row = "main\tnews\t2012\t1\t2.5\tthe cat\ta dog\n"
    (folder / "sts-dev.csv").write_text(row * 3, encoding="utf-8")
    listed = works("data", "--data-dir", here)
    assert "stsb: STS Benchmark\n    dev 3 pairs\n" in listed
    monkeypatch.setenv("BERTFLOW_DATA", str(here))
    assert works("data") == listed


def test_a_damaged_file_is_reported_in_its_row_and_hides_no_other(works, here):
    folder = here / "STS" / "STSBenchmark"
    folder.mkdir(parents=True)
    (folder / "sts-dev.csv").write_text("main\tnews\n", encoding="utf-8")
    listed = works("data", "--data-dir", ".")
    assert "sts-dev.csv" in listed
    assert "test 370 pairs" in listed


class TestCache:
    @pytest.fixture
    def stored(self, works, sentences, tiny):
        works("embed", sentences, *tiny, "--out", "x.npy")

    @pytest.mark.usefixtures("stored")
    def test_what_is_stored_is_listed(self, works, tiny_bert):
        (line,) = works("data", "cache").splitlines()
        assert line.startswith(f"{tiny_bert}, at most 40 tokens, float32: 5 sentences, ")
        assert re.search(r"\d+\.\d MB, last used \d{4}-\d\d-\d\d \d\d:\d\d$", line)

    @pytest.mark.usefixtures("stored")
    def test_clearing_deletes_it_and_nothing_else(self, lab, works, here, tiny_bert, sentences):
        root = EmbeddingStore().root
        (root / "mine.txt").write_text("kept", encoding="utf-8")
        before = sorted(here.iterdir())
        outcome = lab("data", "cache", "--clear")
        assert (outcome.code, outcome.out) == (0, "")
        assert re.match(r"freed \d+\.\d MB under ", outcome.err)
        assert works("data", "cache") == ""
        assert (root / "mine.txt").exists()
        assert sorted(here.iterdir()) == before
        encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS)
        lines = sentences.read_text(encoding="utf-8").splitlines()
        assert EmbeddingStore().missing(encoder, lines) == 5
