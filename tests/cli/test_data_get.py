"""`data get`: the real client and a hub on this machine; data are read from its cache."""

import io
import tarfile
from collections.abc import Iterator

import pandas as pd
import pytest
from fake_hub import FakeHub, Repository, connected, serve

from bertflow_core.datasets import load_corpus, load_dataset
from bertflow_core.datasets.catalog import DOWNLOADS
from bertflow_core.errors import InputError

STSB = "main\tMSRvid\t2012\t1\t{score}\ta {split} cat\ta dog\n"
SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n7\tA\tB\t4.5\tX\n"
SENTEVAL = {
    **{f"STS/STSBenchmark/sts-{s}.csv": STSB.format(split=s, score=2.5) * 90
       for s in ("train", "dev", "test")},
    "STS/STS15-en-test/STS.input.images.txt": "a cat\ta dog\nunscored\tpair\n",
    "STS/STS15-en-test/STS.gs.images.txt": "4.0\n\n",
    "STS/STS15-en-test/STS.input.belief.txt": "rain\tsun\n",
    "STS/STS15-en-test/STS.gs.belief.txt": "1\n",
    **{f"SICK/SICK_{s}.txt": SICK for s in ("train", "trial", "test_annotated")},
    "MR/rt-polarity.pos": "other",
}  # fmt: skip


def tar(files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return stream.getvalue()


def inference(*labels):
    n = len(labels)
    return {
        "premise": [f"premise {i}\twith a tab" for i in range(n)],
        "hypothesis": [f"hypothesis {i}\nin two lines" for i in range(n)],
        "label": labels,
    }


def questions(split, *labels):
    sentences = ["He.", f"A {split}."]
    return {"question": ["Who?", "What?"], "sentence": sentences, "label": labels, "idx": [0, 1]}


GLUE = {
    "mnli/train": inference(0, 1, 2),
    "mnli/validation_matched": inference(2),
    "mnli/test_matched": inference(-1),
    "qnli/train": questions("train", 0, 1),
    "qnli/validation": questions("validation", 1, 0),
    "qnli/test": questions("test", -1, -1),
}
SNLI = {f"plain_text/{split}": inference(1, -1, 0) for split in ("train", "validation", "test")}


def parquet(tables):
    return {
        f"{name}-00000-of-00001.parquet": pd.DataFrame(columns).to_parquet()
        for name, columns in tables.items()
    }


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    archive = {"README.md": b"x", "senteval.tar": tar(SENTEVAL)}
    known = FakeHub()
    for name, files in {"stsb": archive, "qnli": parquet(GLUE), "snli": parquet(SNLI)}.items():
        source = DOWNLOADS[name].source
        repository = Repository({source.revision: files})
        known.repositories[f"datasets/{source.repository}"] = repository
    with serve(known) as running:
        yield running


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The folder with the test's own cache of the hub."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "home" / "hub"))
    return tmp_path / "home"


@pytest.fixture
def get(hub, home, lab):
    def run(*args, **options):
        with connected(hub.url, home, **options):
            return lab("data", "get", *args)

    return run


def test_sentevals_files_are_read_in_the_archive(get, hub):
    answer = get("stsb", "sts15", "sickr")
    assert answer.code == 0
    assert DOWNLOADS["stsb"].source.revision in answer.err
    assert "CC BY-NC-SA" in answer.err
    assert hub.fetched == {"senteval.tar"}  # once for all three
    pairs = load_dataset("stsb", split="dev")
    assert (len(pairs), pairs.first[0]) == (90, "a dev cat")
    assert pairs.provenance.files[0].name == "STS/STSBenchmark/sts-dev.csv"
    year = load_dataset("sts15")
    assert (year.subsets, year.gold.tolist()) == (("belief", "images"), [1.0, 4.0])
    assert len(load_corpus("sickr", "target")) == 6
    n_requests = len(hub.requests)
    assert get("sts15", offline=True).code == 0
    assert len(hub.requests) == n_requests


def test_inference_is_read_in_its_tables(get):
    assert get("qnli", "snli", "mnli").code == 0
    qnli = load_dataset("qnli", split="dev")
    assert qnli.targets.tolist() == [0.0, 1.0]  # the hub's 0 is entailment, the positive class
    assert qnli.sentences() == ("Who?", "He.", "What?", "A validation.")
    assert len(load_corpus("qnli", "target")) == 12
    snli = load_corpus("captions", "snli").sentences
    assert snli[-2:] == ("premise 2\twith a tab", "hypothesis 2\nin two lines")
    nli = load_corpus("captions", "nli")
    assert len(nli) == 2 * (3 + 3 * 2)  # train of MNLI, and three splits of SNLI
    assert "not here" not in nli.description


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"no archive", "senteval.tar is damaged"),
        (tar({"MR/x": "y"}), "data get sts15"),
        (tar({"../STS/STS15-en-test/STS.input.a.txt": "a\tb\n"}), "with equal numbers of lines"),
    ],
)
def test_an_archive_of_other_things_is_refused(content, words):
    cache = DOWNLOADS["sts15"].source.folder
    cache.mkdir(parents=True)
    (cache / "senteval.tar").write_bytes(content)  # as if it had been fetched
    with pytest.raises(InputError, match=words):
        load_dataset("sts15")
