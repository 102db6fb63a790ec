"""What ships with the package: the teaching pairs by their own rules, the captions as measured."""

import csv
import hashlib
import re
import runpy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from bertflow_core.datasets import load_corpus, load_pairs
from bertflow_core.files import resource
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

MAKE = Path(__file__).parents[2] / "data/make_captions.py"
QUESTIONS = MAKE.with_name("make_questions.py")
CORNERS = {  # range of the scores, and of the share of words that both sentences have
    "many-same": ((3.5, 5.0), (0.5, 1.0)),
    "many-different": ((0.0, 2.5), (0.5, 1.0)),
    "few-same": ((3.5, 5.0), (0.0, 0.25)),
    "few-different": ((0.0, 2.5), (0.0, 0.25)),
}
SPECS = [
    *("identity", "standardize", "null-top-k:k=1", "null-top-k:k=6", "whiten"),
    *("whiten:n_components=128", "flow"),
]
MEASURED = {  # rho x 100 on test and dev by spec, measured apart, all from one pass of the encoder
    "layer:1": [
        *((66.0, 72.8), (73.0, 77.5), (73.9, 77.6), (76.7, 78.4), (73.7, 77.3)),
        *((76.1, 79.8), (76.3, 78.8)),
    ],
    "layer:4": [
        *((70.8, 74.6), (73.4, 74.8), (77.1, 78.4), (78.2, 78.3), (77.2, 78.4)),
        *((79.1, 80.3), (78.7, 80.3)),
    ],
    "last": [
        *((90.8, 91.3), (90.8, 91.3), (90.2, 90.0), (86.7, 87.3), (83.3, 84.5)),
        *((86.1, 87.4), (85.2, 87.0)),
    ],
}


def test_the_teaching_pairs_are_those_that_their_readme_describes():
    raw, readme = resource("teaching.tsv").read_bytes(), resource("README.md").read_text("utf-8")
    assert re.findall(r"\b[0-9a-f]{64}\b", readme) == [hashlib.sha256(raw).hexdigest()]
    pairs = list(csv.DictReader(raw.decode("utf-8").split("\n")[:-1], delimiter="\t"))
    stated = {tag: int(n) for tag, n in re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", readme, re.M)}
    assert stated == Counter(pair[name] for pair in pairs for name in ("corner", "phenomenon"))
    loaded = load_pairs("teaching")
    assert (loaded.split, loaded.scale, loaded.subset_names) == ("test", (0, 5), tuple(CORNERS))
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


def test_captions_are_what_the_script_makes_from_its_sources(data_dir):
    made = runpy.run_path(str(MAKE))["tables"](data_dir)
    assert sorted(made) == ["dev.tsv", "sentences.txt", "test.tsv", "train.tsv"]
    for name, text in made.items():
        assert resource(f"captions/{name}").read_text(encoding="utf-8") == text, name


def test_questions_are_what_the_script_makes_from_qnli(data_dir):
    for name, text in runpy.run_path(str(QUESTIONS))["files"](data_dir).items():
        assert resource(f"questions/{name}").read_text(encoding="utf-8") == text, name
    card = resource("questions/README.md").read_text(encoding="utf-8")
    assert {"Rajpurkar", "Wang", "CC BY-SA 4.0"} == {
        name for name in ("Rajpurkar", "Wang", "CC BY-SA 4.0") if name in card
    }


def test_only_captions_that_may_be_shared_are_there_with_their_attribution():
    counts = {
        split: dict(load_pairs("captions", split=split).provenance.counts)
        for split in ("train", "dev", "test")
    }
    both = {"images": 250, "track5.en-en": 125}
    assert counts == {"train": {"images": 1000}, "dev": both, "test": both}
    card = resource("captions/README.md").read_text(encoding="utf-8")
    assert {"Rashtchian", "Bowman", "Cer", "Conneau"} <= set(card.replace(",", " ").split())
    assert "ShareAlike 4.0" in resource("captions/LICENSE.txt").read_text(encoding="utf-8")
    folder = [each for each in resource("captions/README.md").parent.iterdir() if each.is_file()]
    assert sum(len(each.read_bytes()) for each in folder) < 1_000_000
    corpus = load_corpus("captions", "target")
    assert len(corpus) == 2 * (1000 + 375 + 375) + 4000 == 7500
    train = load_corpus("captions", "train")
    assert len(train) == 2000
    assert corpus.sentences[:2000] == train.sentences
    assert len(set(corpus.sentences[3500:])) == 4000


@pytest.mark.usefixtures("embedded_captions")
@pytest.mark.parametrize("layers", MEASURED)
def test_calibrating_helps_the_middle_layers_and_harms_the_last(layers):
    test, dev = (
        Lab().prepare(Recipe(dataset="captions", split=split, layers=layers))
        for split in ("test", "dev")
    )
    for spec, measured in zip(SPECS, MEASURED[layers], strict=True):
        result = test.under(spec)
        first, second = map(result.calibrator.transform, (dev.x_first, dev.x_second))
        norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        on_dev = spearmanr((first * second).sum(axis=1) / norms, dev.pairs.gold).statistic
        close = 1.0 if spec == "flow" else 0.2
        assert (100 * result.rho, 100 * on_dev) == pytest.approx(measured, abs=close), spec
