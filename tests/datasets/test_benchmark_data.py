"""Counts of the real data, as published; the files are read, never copied."""

import numpy as np
import pytest

from bertflow_core.datasets import available, load_corpus, load_pairs
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical_baselines import above_published, lexical_results

# The scored pairs of each subset, in SentEval's files.
SUBSETS = {
    "sts12": "MSRpar 750 MSRvid 750 SMTeuroparl 459 surprise.OnWN 750 surprise.SMTnews 399",
    "sts13": "FNWN 189 headlines 750 OnWN 561",
    "sts14": "deft-forum 450 deft-news 300 headlines 750 images 750 OnWN 750 tweet-news 750",
    "sts15": "answers-forums 375 answers-students 750 belief 375 headlines 750 images 750",
    "sts16": "answer-answer 254 headlines 249 plagiarism 230 postediting 244 question-question 209",
}
SPLITS = {
    "stsb": {"train": 5749, "dev": 1500, "test": 1379},
    "sickr": {"train": 4500, "dev": 500, "test": 4927},
}
UNIQUE = {"sts12": 4946, "sts13": 2638, "sts14": 6351, "sts15": 5170, "sts16": 1867}


@pytest.fixture
def need(data_dir):
    """Skip where the data set is not below the folder; return the folder."""
    there = {info.name for info in available(data_dir) if info.found}

    def check(name):
        if name not in there:
            pytest.skip(f"BERTFLOW_DATA does not hold {name}")
        return data_dir

    return check


def test_qnli_has_labels_and_word_pieces_alone_beat_what_was_published(need):
    recipe = Recipe(dataset="qnli", split="dev")
    found = lexical_results(recipe, Lab(data_dir=need("qnli")))
    assert np.bincount(found[0].pairs.labels.astype(int)).tolist() == [2761, 2702]
    auc = {each.spec: 100 * each.score for each in found}
    # Computed apart from this program, from the same file.
    assert auc == pytest.approx({"lexical-jaccard": 75.73, "lexical-coverage": 80.86}, abs=0.005)
    said = above_published(found)
    assert "lexical-coverage (80.86) is above every one of the 6 published" in said
    assert "77.09, BERT_large-NLI-flow (target) (Li et al. (2020), Table 4)" in said
    assert above_published(found[:1]) == ""


@pytest.mark.parametrize("name", SUBSETS)
def test_years(need, name):
    pairs = load_pairs(name, data_dir=need(name))
    subsets, counts = SUBSETS[name].split()[::2], [*map(int, SUBSETS[name].split()[1::2])]
    assert dict(pairs.provenance.counts) == dict(zip(subsets, counts, strict=True))
    assert len(pairs) == sum(counts)
    assert len(set(pairs.sentences())) == UNIQUE[name]


@pytest.mark.parametrize("name", SPLITS)
def test_splits(need, name):
    folder = need(name)
    counts = {split: len(load_pairs(name, split=split, data_dir=folder)) for split in SPLITS[name]}
    assert counts == SPLITS[name]
    corpus = load_corpus(name, "target", data_dir=folder)
    assert len(corpus) == 2 * sum(SPLITS[name].values())


@pytest.mark.parametrize(("split", "n"), [("dev", 9_842), ("test", 9_824)])
def test_snli(data_dir, split, n):
    assert (
        f"snli {split} {n:,} pairs"
        in load_corpus("teaching", "snli", data_dir=data_dir).description
    )
