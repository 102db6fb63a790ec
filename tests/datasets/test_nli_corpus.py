"""The fit corpus nli, and the bounded part of a large corpus."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.saved import load_calibrator, save_calibrator
from bertflow_core.datasets import corpus as module
from bertflow_core.datasets import load_corpus
from bertflow_core.datasets.corpus import drawn
from bertflow_core.errors import InputError

PAIRS = [(f"premise {i}.", f"hypothesis {i}.") for i in range(60)]
SPLITS = {"train": PAIRS[:30], "dev": PAIRS[30:40], "test": PAIRS[40:60]}


@pytest.fixture
def snli(tmp_path):
    """SNLI in aligned files, every fifth pair without an agreed label."""
    folder = tmp_path / "snli"
    folder.mkdir()
    for split, pairs in SPLITS.items():
        labels = ["-" if i % 5 == 0 else "neutral" for i in range(len(pairs))]
        columns = {"s1": [a for a, _ in pairs], "s2": [b for _, b in pairs], "labels": labels}
        for name, lines in columns.items():
            (folder / f"{name}.{split}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def labelled(split):
    return [pair for i, pair in enumerate(SPLITS[split]) if i % 5]


def sentences(pairs):
    return tuple(sentence for pair in pairs for sentence in pair)


def test_parts_that_are_there_are_used_in_order_and_the_others_named(snli):
    corpus = load_corpus("captions", "nli", data_dir=snli)
    every = [*labelled("train"), *labelled("dev"), *labelled("test")]
    assert corpus.sentences == sentences(every)
    assert corpus.n_pairs == len(every) == 48
    assert "snli train 24 pairs" in corpus.description
    assert "not here: 'mnli train'" in corpus.description
    for file in (snli / "snli").glob("*.train"):
        file.unlink()
    corpus = load_corpus("captions", "nli", data_dir=snli)
    assert corpus.sentences == sentences([*labelled("dev"), *labelled("test")])
    assert "not here: 'mnli train', 'snli train'" in corpus.description


def test_nothing_there_is_refused(tmp_path, monkeypatch):
    monkeypatch.delenv("BERTFLOW_DATA", raising=False)
    for folder in (None, tmp_path):
        with pytest.raises(InputError, match="needs MNLI or SNLI"):
            load_corpus("captions", "nli", data_dir=folder)


def test_one_of_them_can_be_named_alone(snli):
    alone, both = (load_corpus("captions", name, data_dir=snli) for name in ("snli", "nli"))
    assert alone.sentences == both.sentences  # MNLI is not here
    assert "mnli" not in alone.description
    with pytest.raises(InputError, match="needs MNLI: fetch it with `bertflow-lab data get mnli`"):
        load_corpus("captions", "mnli", data_dir=snli)


def test_a_large_corpus_is_drawn_by_pairs_in_order_the_same_each_time(snli, monkeypatch):
    monkeypatch.setattr(module, "MAX_SENTENCES", 20)
    corpus, again = (load_corpus("captions", "nli", data_dir=snli) for _ in range(2))
    assert corpus.sentences == again.sentences
    first, second = corpus.sentences[::2], corpus.sentences[1::2]
    assert [a.split()[1] for a in first] == [b.split()[1] for b in second]
    numbers = [int(a.split()[1][:-1]) for a in first]
    assert numbers == sorted(numbers)
    assert len(numbers) == len(set(numbers)) == 10
    assert "20 of 96 premises" in corpus.description
    assert corpus.share == 20 / 96


def test_a_number_behind_the_name_draws_as_many(snli, tmp_path, monkeypatch):
    fewer = load_corpus("captions", "nli:20", data_dir=snli)
    assert (len(fewer), fewer.share) == (20, 20 / 96)
    assert load_corpus("captions", "snli:20", data_dir=snli).sentences == fewer.sentences
    monkeypatch.setattr(module, "MAX_SENTENCES", 20)
    assert load_corpus("captions", "nli", data_dir=snli).sentences == fewer.sentences
    monkeypatch.undo()
    lines = [f"line {i}" for i in range(50)]
    for name in ("texts.txt", "texts.txt:7"):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    part = load_corpus("captions", str(tmp_path / "texts.txt:8"))
    assert (len(part), part.share) == (8, 8 / 50)
    assert set(part.sentences) < set(lines)
    assert len(load_corpus("captions", str(tmp_path / "texts.txt:7"))) == 50  # a file of that name
    for wrong in ("nli:1", "nli:300001", "nli:999999999"):
        with pytest.raises(InputError, match="2 to 300,000 sentences can be drawn"):
            load_corpus("captions", wrong, data_dir=snli)
    for whole in ("stsb:100", "train:100", "target:100"):
        with pytest.raises(InputError, match=r"can stand behind .nli., .snli.* or a file"):
            load_corpus("captions", whole, data_dir=snli)


def n_steps(calibrator):
    """Count the steps of a flow's training; a pipeline's steps are calibrators."""
    last = calibrator.steps_[-1]
    return n_steps(last) if hasattr(last, "steps_") else len(calibrator.steps_)


@pytest.mark.parametrize("spec", ["flow:preset=nli", "standardize+flow:preset=nli,epochs=0.25"])
def test_epochs_of_the_whole_have_as_many_steps_on_a_share(spec, tmp_path):
    x = np.random.default_rng(0).standard_normal((6_400, 4)).astype(np.float32)
    whole = build_calibrator(spec).fit(x)
    share = build_calibrator(spec, share=0.25).fit(x[:1_600])
    assert n_steps(whole) == n_steps(share) > 10
    assert share.resolved_parameters() == whole.resolved_parameters()
    save_calibrator(share, tmp_path / "saved", spec=spec)
    again, _ = load_calibrator(tmp_path / "saved")
    np.testing.assert_array_equal(again.transform(x), share.transform(x))


def test_every_item_has_the_same_chance():
    """Over many lists the draw is uniform by place: the generator begins anew, so lists differ."""
    counts = np.zeros(12)
    rng = np.random.default_rng(0)
    for _ in range(2_000):
        order = rng.permutation(12)
        kept, n = drawn(order, 5)
        assert n == 12
        assert [*kept] == [item for item in order if item in set(kept)]
        counts[kept] += 1
    assert counts.sum() == 5 * 2_000
    assert chisquare(counts).pvalue > 1e-3
    places = drawn(range(10_000), 1_000)[0]
    assert abs(np.mean(places) - 5_000) < 4 * 10_000 / np.sqrt(12 * 1_000)
    assert drawn(range(3), 5) == ([0, 1, 2], 3)


def test_a_column_of_a_table_is_named_behind_its_file(tmp_path):
    frame = pd.DataFrame({"title": ["a b", "c d"], "text": ["e", "f"]})
    for name in ("x.parquet", "x.csv", "x.jsonl"):
        path = tmp_path / name
        if name.endswith("parquet"):
            frame.to_parquet(path)
        elif name.endswith("csv"):
            frame.to_csv(path, index=False)
        else:
            frame.to_json(path, orient="records", lines=True)
        assert load_corpus("captions", f"{path}#title").sentences == ("a b", "c d")
        assert load_corpus("captions", str(path)).sentences == ("e", "f")
    with pytest.raises(InputError, match="cannot fit on"):
        load_corpus("captions", f"{tmp_path / 'none.csv'}#title")


def test_a_column_whose_name_ends_in_a_number_is_read_whole(tmp_path):
    path = tmp_path / "x.csv"
    pd.DataFrame({"a": list("uvwxyz"), "a:5": list("abcdef")}).to_csv(path, index=False)
    assert load_corpus("captions", f"{path}#a:5").sentences == tuple("abcdef")
    assert load_corpus("captions", f"{path}#a:5:6").sentences == tuple("abcdef")
    assert load_corpus("captions", f"{path}#a:6").sentences == tuple("uvwxyz")
