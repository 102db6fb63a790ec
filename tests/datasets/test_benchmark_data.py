"""Shipped data follow their own rules; real data have the published counts."""

import csv
import hashlib
import re
import runpy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bertflow_core.datasets import load_corpus, load_dataset
from bertflow_core.datasets.benchmarks import BENCHMARKS
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.lexical_baselines import above_published, lexical_results

DATA = Path(__file__).parents[2] / "data"
CORNERS = {  # range of the scores, and of the share of words that both sentences have
    "many-same": ((3.5, 5.0), (0.5, 1.0)),
    "many-different": ((0.0, 2.5), (0.5, 1.0)),
    "few-same": ((3.5, 5.0), (0.0, 0.25)),
    "few-different": ((0.0, 2.5), (0.0, 0.25)),
}
# Number of scored pairs of each subset in SentEval's files.
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
    """Return the data folder, or skip a test whose data set it lacks."""

    def check(name):
        if BENCHMARKS[name].find(data_dir) is None:
            pytest.skip(f"BERTFLOW_DATA does not hold {name}")
        return data_dir

    return check


def test_qnli_has_labels_and_word_pieces_alone_beat_what_was_published(need):
    recipe = Recipe(dataset="qnli", split="dev")
    found = lexical_results(recipe, Lab(data_dir=need("qnli")))
    assert np.bincount(found[0].pairs.targets.astype(int)).tolist() == [2761, 2702]
    auc = {each.spec: 100 * each.score for each in found}
    # Computed by another program from the same file.
    assert auc == pytest.approx({"lexical-jaccard": 75.73, "lexical-coverage": 80.86}, abs=0.005)
    said = above_published(found)
    assert "lexical-coverage (80.86) is above every one of the 6 published" in said
    assert "77.09, BERT_large-NLI-flow (target) (Li et al. (2020), Table 4)" in said
    assert above_published(found[:1]) == ""


@pytest.mark.parametrize("name", SUBSETS)
def test_years(need, name):
    pairs = load_dataset(name, data_dir=need(name))
    subsets, counts = SUBSETS[name].split()[::2], [*map(int, SUBSETS[name].split()[1::2])]
    assert dict(pairs.provenance.counts) == dict(zip(subsets, counts, strict=True))
    assert len(pairs) == sum(counts)
    assert len(set(pairs.sentences())) == UNIQUE[name]


@pytest.mark.parametrize("name", SPLITS)
def test_splits(need, name):
    folder = need(name)
    counts = {
        split: len(load_dataset(name, split=split, data_dir=folder)) for split in SPLITS[name]
    }
    assert counts == SPLITS[name]
    corpus = load_corpus(name, "target", data_dir=folder)
    assert len(corpus) == 2 * sum(SPLITS[name].values())


def test_snli(data_dir):
    described = load_corpus("teaching", "snli", data_dir=data_dir).description
    assert "snli dev 9,842 pairs" in described
    assert "snli test 9,824 pairs" in described


def test_the_teaching_pairs_are_those_that_their_readme_describes():
    raw, readme = resource("teaching.tsv").read_bytes(), resource("README.md").read_text("utf-8")
    (stated,) = re.findall(r"`teaching.tsv`: `([0-9a-f]{64})`", readme)
    assert stated == hashlib.sha256(raw).hexdigest()
    pairs = list(csv.DictReader(raw.decode("utf-8").split("\n")[:-1], delimiter="\t"))
    stated = {tag: int(n) for tag, n in re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", readme, re.M)}
    assert stated == Counter(pair[name] for pair in pairs for name in ("corner", "phenomenon"))
    loaded = load_dataset("teaching")
    assert (loaded.split, loaded.scale, {*loaded.subsets}) == ("test", (0, 5), {*CORNERS})
    assert len(load_corpus("teaching", "target")) == 2 * len(loaded) == 2 * len(pairs)
    for corner, ((low, high), (fewest, most)) in CORNERS.items():
        mine = [pair for pair in pairs if pair["corner"] == corner]
        assert all(low <= float(pair["score"]) <= high for pair in mine)
        assert all(fewest <= overlap(pair) <= most for pair in mine)


def overlap(pair):
    first, second = (
        set(re.findall(r"\w+", pair[name].lower())) for name in ("sentence1", "sentence2")
    )
    return len(first & second) / len(first | second)


def test_captions_and_questions_are_what_the_scripts_make_from_their_sources(data_dir):
    captions = runpy.run_path(str(DATA / "make_captions.py"))["tables"](data_dir)
    assert sorted(captions) == ["dev.tsv", "sentences.txt", "test.tsv", "train.tsv"]
    questions = runpy.run_path(str(DATA / "make_questions.py"))["files"](data_dir)
    for folder, made in (("captions", captions), ("questions", questions)):
        for name, text in made.items():
            assert resource(f"{folder}/{name}").read_text(encoding="utf-8") == text, name


def test_only_captions_that_may_be_shared_are_there():
    counts = {
        split: dict(load_dataset("captions", split=split).provenance.counts)
        for split in ("train", "dev", "test")
    }
    both = {"images": 250, "track5.en-en": 125}
    assert counts == {"train": {"images": 1000}, "dev": both, "test": both}
    corpus = load_corpus("captions", "target")
    assert len(corpus) == 2 * (1000 + 375 + 375) + 4000 == 7500
    train = load_corpus("captions", "train")
    assert len(train) == 2000
    assert corpus.sentences[:2000] == train.sentences
    assert len(set(corpus.sentences[3500:])) == 4000
