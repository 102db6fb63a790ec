"""What ships with the package: the teaching pairs by their own rules, captions, questions."""

import csv
import hashlib
import re
import runpy
from collections import Counter
from pathlib import Path

from bertflow_core.datasets import load_corpus, load_pairs
from bertflow_core.files import resource

MAKE = Path(__file__).parents[2] / "data/make_captions.py"
QUESTIONS = MAKE.with_name("make_questions.py")
CORNERS = {  # range of the scores, and of the share of words that both sentences have
    "many-same": ((3.5, 5.0), (0.5, 1.0)),
    "many-different": ((0.0, 2.5), (0.5, 1.0)),
    "few-same": ((3.5, 5.0), (0.0, 0.25)),
    "few-different": ((0.0, 2.5), (0.0, 0.25)),
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


def test_only_captions_that_may_be_shared_are_there():
    counts = {
        split: dict(load_pairs("captions", split=split).provenance.counts)
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
