"""Fit corpora by name, samples of large ones, and which sentences are partners."""

import itertools
import random

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

from bertflow_core import build_calibrator
from bertflow_core.datasets import Corpus, corpus, load_corpus
from bertflow_core.datasets.corpus import drawn, one_side, partners_of
from bertflow_core.errors import InputError

PAIRS = [(f"premise {i}.", f"hypothesis {i}.") for i in range(60)]
SPLITS = {"train": PAIRS[:30], "dev": PAIRS[30:40], "test": PAIRS[40:60]}


@pytest.fixture
def snli(write, tmp_path):
    """SNLI in aligned files, every fifth pair without an agreed label."""
    for split, pairs in SPLITS.items():
        labels = ["-" if i % 5 == 0 else "neutral" for i in range(len(pairs))]
        columns = {"s1": [a for a, _ in pairs], "s2": [b for _, b in pairs], "labels": labels}
        for name, lines in columns.items():
            write(f"snli/{name}.{split}", "\n".join(lines) + "\n")
    return tmp_path


def labelled(*splits):
    pairs = [pair for split in splits for i, pair in enumerate(SPLITS[split]) if i % 5]
    return tuple(sentence for pair in pairs for sentence in pair)


def test_target_and_train_of_a_data_set(stsb, year, tmp_path, refuses):
    stsb()
    found = load_corpus("stsb", "target", data_dir=tmp_path)
    assert (len(found), found.n_pairs, len(found.sources)) == (2 * (2 + 3 + 4), 9, 3)
    assert found.sentences.count("b 0") == 3
    assert "18 sentences of stsb (train, dev, test; senteval)" in found.description
    train = load_corpus("stsb", "train", data_dir=tmp_path)
    assert train.sentences == found.sentences[:4] == ("train a 0", "b 0", "train a 1", "b 1")
    assert load_corpus("teaching", "stsb", data_dir=tmp_path) == found
    (tmp_path / "STS/STSBenchmark/sts-test.csv").unlink()
    assert len(load_corpus("stsb", "target", data_dir=tmp_path)) == 10  # of the remaining splits
    year("sts15", "belief", "a\tb\nc\td\n", "\n4\n")
    assert load_corpus("sts15", "target", data_dir=tmp_path).sentences == ("c", "d")
    with refuses("sts15", "no train split"):
        load_corpus("sts15", "train", data_dir=tmp_path)


def test_a_file_of_any_name_gives_its_sentences(write):
    for name, content, sentences in [
        ("wiki.txt", "one\n\n two \n   \nthree\r\n", ("one", " two ", "three")),
        ("corpus.en", "a\nb", ("a", "b")),
        ("w.tsv", "id\ttext\n1\ta b\n", ("a b",)),
    ]:
        found = load_corpus("teaching", str(write(name, content)))
        assert found.sentences == sentences
        assert ("2 blank lines skipped" in found.description) == (name == "wiki.txt")
        assert found.sources[0].counts == (("sentences", len(sentences)),)
        assert found.sources[0].files[0].lines == len(content.splitlines())


def test_a_column_and_a_number_stand_behind_a_file(tmp_path):
    frame = pd.DataFrame({"title": list("abcdef"), "text": list("uvwxyz")})
    frame.to_parquet(tmp_path / "x.parquet")
    frame.to_csv(tmp_path / "x.csv", index=False)
    (tmp_path / "x.csv:3").write_text("one\ntwo\n")
    for name, sentences in (
        ("x.parquet#title", "abcdef"),
        ("x.csv", "uvwxyz"),
        ("x.csv#title:6", "abcdef"),
        ("x.csv:3", ("one", "two")),  # a file of that name
    ):
        assert load_corpus("captions", str(tmp_path / name)).sentences == tuple(sentences)
    part = load_corpus("captions", str(tmp_path / "x.csv#title:4"))
    assert (len(part), part.share) == (4, 4 / 6)
    assert set(part.sentences) < set("abcdef")
    with pytest.raises(InputError, match="did you mean title"):
        load_corpus("captions", str(tmp_path / "x.csv#titel"))


def test_parts_of_nli_that_are_there_are_used_in_order_and_the_others_named(snli):
    found = load_corpus("captions", "nli", data_dir=snli)
    assert found.sentences == labelled("train", "dev", "test")
    assert found.n_pairs == 48
    assert "snli train 24 pairs" in found.description
    assert "not here: 'mnli train'" in found.description
    alone = load_corpus("captions", "snli", data_dir=snli)
    assert (alone.sentences, "mnli" in alone.description) == (found.sentences, False)
    for file in (snli / "snli").glob("*.train"):
        file.unlink()
    found = load_corpus("captions", "nli", data_dir=snli)
    assert found.sentences == labelled("dev", "test")
    for name in ("nli", "mnli"):
        with pytest.raises(InputError, match=r"needs MNLI.*`bertflow-lab data get mnli"):
            load_corpus("captions", name)


def test_a_large_corpus_is_drawn_by_pairs_in_order_the_same_each_time(snli, refuses, monkeypatch):
    found, again = (load_corpus("captions", name, data_dir=snli) for name in ("nli:20", "snli:20"))
    assert found.sentences == again.sentences
    numbers = [int(first.split()[1][:-1]) for first in found.sentences[::2]]
    assert found.sentences[1::2] == tuple(f"hypothesis {i}." for i in numbers)
    assert numbers == sorted(set(numbers))
    assert len(numbers) == found.n_pairs == 10
    assert "20 of 96 premises" in found.description
    assert found.share == 20 / 96
    for number in (1, 300_001):
        with refuses("2 to 300,000"):
            load_corpus("captions", f"nli:{number}")
    with refuses("append :N"):
        load_corpus("captions", "nowhere:100")
    monkeypatch.setattr(corpus, "MAX_SENTENCES", 20)
    assert load_corpus("captions", "nli", data_dir=snli).sentences == found.sentences


def test_epochs_of_the_whole_have_as_many_steps_on_a_share():
    spec = "standardize+flow:preset=nli,epochs=0.25"
    x = np.random.default_rng(0).normal(size=(6_400, 4))
    whole = build_calibrator(spec).fit(x)
    share = build_calibrator(spec, share=0.25).fit(x[:1_600])
    assert len(whole.steps_[-1].steps_) == len(share.steps_[-1].steps_) > 10
    assert share.resolved_parameters() == whole.resolved_parameters()


def test_every_item_has_the_same_chance(monkeypatch):
    seeds, real, counts = itertools.count(), random.Random, np.zeros(12)
    monkeypatch.setattr(corpus.random, "Random", lambda _: real(next(seeds)))
    for _ in range(2_000):
        kept, n = drawn(range(12), 5)
        assert n == 12
        assert [*kept] == sorted(kept)
        counts[kept] += 1
    assert chisquare(counts).pvalue > 1e-3
    assert drawn(range(3), 5) == ([0, 1, 2], 3)


def test_no_two_kept_rows_are_a_pair_and_none_could_be_added():
    names = [f"s{i}" for i in range(40)]
    pairs = np.random.default_rng(0).choice(names, (60, 2)).tolist()
    single = [*names[:5], "x", "x"]
    sides = (side for pair in pairs for side in pair)
    found = Corpus((*sides, *single), "by hand", (), len(pairs))
    rows = one_side(found)
    kept = {found.sentences[row] for row in rows}
    assert len(kept) == len(rows)
    linked = {frozenset(pair) for pair in pairs if len(set(pair)) == 2}
    assert not any(pair <= kept for pair in linked)
    for other in set(found.sentences) - kept:
        assert any(other in pair and pair & kept for pair in linked)
    assert partners_of(found) == {
        name: {next(iter(pair - {name})) for pair in linked if name in pair}
        for name in set().union(*linked)
    }
