"""`data`: what is here and what is stored."""

import re

from tiny_models import MAX_TOKENS

from bertflow_core.datasets import DATASETS
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.store import EmbeddingStore


def test_every_data_set_is_listed_with_its_splits_or_where_to_look(lab, works, here, monkeypatch):
    outcome = lab("data")
    assert (outcome.code, outcome.err) == (0, "")
    names = re.findall(r"^(\w+): ", outcome.out, re.MULTILINE)
    assert names == [*DATASETS, "snli", "mnli"]
    assert "    test 370 pairs\n" in outcome.out
    assert outcome.out.count("--data-dir") == len(DATASETS) - 2
    folder = here / "STS" / "STSBenchmark"
    folder.mkdir(parents=True)
    row = "main\tnews\t2012\t1\t2.5\tthe cat\ta dog\n"
    (folder / "sts-dev.csv").write_text(row * 3, encoding="utf-8")
    listed = works("data", "--data-dir", here)
    assert "stsb: STS Benchmark\n    dev 3 pairs\n" in listed
    monkeypatch.setenv("BERTFLOW_DATA", str(here))
    assert works("data") == listed
    (folder / "sts-dev.csv").write_text("main\tnews\n", encoding="utf-8")
    listed = works("data")  # a damaged file hides no other
    assert "sts-dev.csv" in listed and "test 370 pairs" in listed


def test_what_is_stored_is_listed_and_clearing_deletes_it_and_nothing_else(
    lab, works, here, tiny, tiny_bert, sentences
):
    works("embed", sentences, *tiny, "--out", "x.npy")
    (line,) = works("data", "cache").splitlines()
    assert line.startswith(f"{tiny_bert}, at most 40 tokens, float32: 5 sentences, ")
    assert re.search(r"\d+\.\d MB, last used \d{4}-\d\d-\d\d \d\d:\d\d$", line)
    outcome = lab("data", "cache", "--clear")
    assert (outcome.code, outcome.out) == (0, "")
    assert re.match(r"freed \d+\.\d MB under ", outcome.err)
    assert works("data", "cache") == ""
    assert (here / "x.npy").exists()
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS)
    lines = sentences.read_text(encoding="utf-8").splitlines()
    assert EmbeddingStore().missing(encoder, lines) == 5
