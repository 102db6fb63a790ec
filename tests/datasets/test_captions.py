"""The captions: what ships is what the script makes from its sources, and nothing else."""

import csv
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from bertflow_core.datasets import load_corpus, load_pairs
from bertflow_core.files import resource
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

MAKE = Path(__file__).parents[2] / "data/make_captions.py"
MEASURED = {  # rho x 100 on test and dev, measured independently, all from one pass of the encoder
    ("layer:1", "identity"): (66.0, 72.8),
    ("layer:1", "standardize"): (73.0, 77.5),
    ("layer:1", "null-top-k:k=1"): (73.9, 77.6),
    ("layer:1", "null-top-k:k=6"): (76.7, 78.4),
    ("layer:1", "whiten"): (73.7, 77.3),
    ("layer:1", "whiten:n_components=128"): (76.1, 79.8),
    ("layer:1", "flow"): (76.3, 78.8),
    ("layer:4", "identity"): (70.8, 74.6),
    ("layer:4", "standardize"): (73.4, 74.8),
    ("layer:4", "null-top-k:k=1"): (77.1, 78.4),
    ("layer:4", "null-top-k:k=6"): (78.2, 78.3),
    ("layer:4", "whiten"): (77.2, 78.4),
    ("layer:4", "whiten:n_components=128"): (79.1, 80.3),
    ("layer:4", "flow"): (78.7, 80.3),
    ("last", "identity"): (90.8, 91.3),
    ("last", "standardize"): (90.8, 91.3),
    ("last", "null-top-k:k=1"): (90.2, 90.0),
    ("last", "null-top-k:k=6"): (86.7, 87.3),
    ("last", "whiten"): (83.3, 84.5),
    ("last", "whiten:n_components=128"): (86.1, 87.4),
    ("last", "flow"): (85.2, 87.0),
}


def test_what_ships_is_what_the_script_makes(data_dir):
    made = runpy.run_path(str(MAKE))["tables"](data_dir)
    assert sorted(made) == ["dev.tsv", "sentences.txt", "test.tsv", "train.tsv"]
    for name, text in made.items():
        assert resource(f"captions/{name}").read_text(encoding="utf-8") == text, name


def test_only_files_that_may_be_shared_are_there_with_their_attribution():
    counts = {}
    for split in ("train", "dev", "test"):
        text = resource(f"captions/{split}.tsv").read_text(encoding="utf-8")
        for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
            counts[split, row["subset"]] = counts.get((split, row["subset"]), 0) + 1
    assert counts == {
        ("train", "images"): 1000,
        ("dev", "images"): 250,
        ("dev", "track5.en-en"): 125,
        ("test", "images"): 250,
        ("test", "track5.en-en"): 125,
    }
    card = resource("captions/README.md").read_text(encoding="utf-8")
    assert {"Rashtchian", "Bowman", "Cer", "Conneau"} <= set(card.replace(",", " ").split())
    assert "ShareAlike 4.0" in resource("captions/LICENSE.txt").read_text(encoding="utf-8")
    folder = [each for each in resource("captions/README.md").parent.iterdir() if each.is_file()]
    assert sum(len(each.read_bytes()) for each in folder) < 1_000_000


def test_the_target_is_every_sentence_of_the_pairs_and_the_further_ones():
    corpus, pairs = load_corpus("captions", "target"), load_pairs("captions", split="train")
    assert len(corpus) == 2 * (1000 + 375 + 375) + 4000 == 7500
    assert corpus.sentences[:2] == (pairs.first[0], pairs.second[0])
    assert len(set(corpus.sentences[3500:])) == 4000
    assert "4,000" in corpus.description
    assert len(load_corpus("captions", "train")) == 2000
    assert load_corpus("teaching", "captions") == corpus


@pytest.mark.usefixtures("embedded_captions")
@pytest.mark.parametrize("layers", ["layer:1", "layer:4", "last"])
def test_calibrating_helps_the_middle_layers_and_harms_the_last(layers):
    test, dev = (
        Lab().prepare(Recipe(dataset="captions", split=split, layers=layers))
        for split in ("test", "dev")
    )
    for spec in dict.fromkeys(spec for _, spec in MEASURED):
        result = test.under(spec)
        first, second = map(result.calibrator.transform, (dev.x_first, dev.x_second))
        norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        on_dev = spearmanr((first * second).sum(axis=1) / norms, dev.pairs.gold).statistic
        close = 1.0 if spec == "flow" else 0.2
        measured = 100 * result.rho, 100 * on_dev
        assert measured == pytest.approx(MEASURED[layers, spec], abs=close), spec
