"""`data get`: the real client, in a process of its own, against a hub on this machine."""

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator

import pandas as pd
import pytest
from fake_hub import FakeHub, Fault, Repository, serve
from hub_client import SHORT, command_apart

from bertflow_core.datasets import load_corpus, load_pairs
from bertflow_core.datasets.fetched import read_record
from bertflow_core.downloads import DOWNLOADS
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
LABELS = ["entailment", "neutral", "contradiction"]


def tar(files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return stream.getvalue()


def parquet(**columns):
    return pd.DataFrame(columns).to_parquet()


def inference(*labels):
    n = len(labels)
    return parquet(
        premise=[f"premise {i}\twith a tab" for i in range(n)],
        hypothesis=[f"hypothesis {i}\nin two lines" for i in range(n)],
        label=list(labels),
    )


def glue():
    tables = {"mnli/train": (0, 1, 2), "mnli/validation_matched": (2,), "mnli/test_matched": (-1,)}
    qnli = {"train": [0, 1], "validation": [1, 0], "test": [-1, -1]}
    return {
        **{f"{k}-00000-of-00001.parquet": inference(*v) for k, v in tables.items()},
        **{
            f"qnli/{k}-00000-of-00001.parquet": parquet(
                question=["Who?", "What?"], sentence=["He.", f"A {k}."], label=v, idx=[0, 1]
            )
            for k, v in qnli.items()
        },
    }


def snli():
    return {
        f"plain_text/{split}-00000-of-00001.parquet": inference(1, -1, 0)
        for split in ("train", "validation", "test")
    }


def repository(name, files, *faults):
    entry = DOWNLOADS[name]
    return {f"datasets/{entry.repository}": Repository(
        {entry.revision: files, "c" * 40: files}, {"main": entry.revision}, faults
    )}  # fmt: skip


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    archive = {"README.md": b"x", "senteval.tar": tar(SENTEVAL)}
    known = {
        **repository("stsb", archive),
        **repository("qnli", glue()),
        **repository("snli", snli()),
    }
    with serve(FakeHub(known)) as running:
        yield running


@pytest.fixture
def get(hub, tmp_path):
    """Run `data get` apart, with a cache of the test's own, into the folder `data`."""
    data = tmp_path / "data"
    data.mkdir()

    def run(*args, **options):
        environ = {"BERTFLOW_DATA": str(data), "BERTFLOW_CACHE": str(tmp_path / "cache")}
        environ |= options.pop("environ", {})
        return command_apart(
            hub.url, tmp_path / "home", "data", "get", *args, environ=environ, **options
        )

    return run


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def written(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_sentevals_files_come_as_they_are_and_nothing_else_of_the_archive(get, data, hub):
    assert get("stsb", "sts15", "sickr")["code"] == 0
    names = [*written(data / "senteval")]
    assert names == sorted(name for name in SENTEVAL if name != "MR/rt-polarity.pos")
    for name in names:
        assert (data / "senteval" / name).read_text() == SENTEVAL[name]
    assert hub.fetched == {"senteval.tar"}  # once for all three
    assert len(load_pairs("stsb", split="dev", data_dir=data)) == 90
    year = load_pairs("sts15", data_dir=data)
    assert (year.subset_names, year.gold.tolist()) == (("belief", "images"), [1.0, 4.0])
    assert len(load_corpus("sickr", "target", data_dir=data)) == 6


def test_inference_comes_in_the_layouts_that_are_read(get, data):
    assert get("qnli", "snli", "mnli")["code"] == 0
    qnli = load_pairs("qnli", split="dev", data_dir=data)
    assert qnli.labels.tolist() == [0.0, 1.0]  # the hub's 0 is entailment, the positive class
    assert qnli.sentences() == ("Who?", "He.", "What?", "A validation.")
    assert len(load_corpus("qnli", "target", data_dir=data)) == 12
    snli = load_corpus("captions", "snli", data_dir=data).sentences
    assert snli[-2:] == ("premise 2 with a tab", "hypothesis 2 in two lines")
    assert len(load_corpus("captions", "mnli", data_dir=data)) == 2 * len(LABELS)


def test_revision_and_digests_are_recorded_and_checked(get, data, hub):
    answer = get("sickr")
    record = read_record(data, "sickr")
    assert record.revision == DOWNLOADS["sickr"].revision
    assert record.revision in answer["text"]
    assert "CC BY-NC-SA" in answer["text"]
    assert record.sources["senteval.tar"].sha256 == digest(tar(SENTEVAL))
    assert {name: file.sha256 for name, file in record.files.items()} == {
        f"senteval/{name}": digest(text.encode())
        for name, text in SENTEVAL.items()
        if name.startswith("SICK")
    }
    n_requests = len(hub.requests)
    assert "here and whole" in get("sickr")["text"]
    assert len(hub.requests) == n_requests
    path = data / "senteval" / "SICK" / "SICK_trial.txt"
    path.write_text(SICK.replace("4.5", "4.0"))
    with pytest.raises(InputError, match=r"SICK_trial.txt.* was changed"):
        load_pairs("sickr", data_dir=data)
    assert get("sickr")["code"] == 0
    assert load_pairs("sickr", split="dev", data_dir=data).gold.tolist() == [4.5]


def test_another_revision_is_taken_where_it_is_asked_for(get, data):
    assert get("sickr", "--revision", "c" * 40)["code"] == 0
    assert read_record(data, "sickr").revision == "c" * 40
    assert "here and whole" in get("sickr")["text"]
    missing = get("sickr", "--revision", "v9")
    assert (missing["code"], "no revision 'v9'" in missing["text"]) == (2, True)


FILE = "GET senteval.tar"
FAULTS = {
    "gated": (
        Fault("GET tree", status=403, headers={"X-Error-Code": "GatedRepo"}),
        2,
        "accept its terms",
    ),
    "broken": (Fault(FILE, status=503), 1, "a fault (HTTP 503)"),
    "silent": (Fault("GET tree", "silent"), 1, f"did not answer within {SHORT} s"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_hub_that_fails_gives_a_sentence_and_leaves_no_file(get, data, hub, name):
    fault, code, words = FAULTS[name]
    hub.repositories |= repository("stsb", {"senteval.tar": tar(SENTEVAL)}, fault)
    answer = get("sts15", patience=SHORT)
    assert (answer["code"], words in answer["text"]) == (code, True), answer
    assert "data set 'sts15'" in answer["text"].splitlines()[-1]
    assert written(data) == []


def test_a_repository_that_is_gone_is_named(get, hub, data):
    hub.repositories.clear()
    answer = get("snli")
    assert answer["code"] == 2
    assert "unknown data set 'snli'" in answer["text"]
    assert written(data) == []


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"README.md": b""}, "holds no senteval.tar"),
        ({"senteval.tar": b"no archive"}, "senteval.tar is damaged"),
        ({"senteval.tar": tar({"MR/x": "y"})}, "holds no file like"),
    ],
)
def test_a_repository_of_other_things_is_refused(get, data, hub, files, words):
    hub.repositories |= repository("stsb", files)
    answer = get("sts15")
    assert (answer["code"], words in answer["text"]) == (2, True), answer
    assert written(data) == []


def test_a_full_disk_is_said_and_nothing_half_written_stays(get, data):
    assert get("sickr")["code"] == 0  # the archive is in the hub's cache now
    answer = get("stsb", most_bytes=200)
    assert (answer["code"], "cannot write" in answer["text"]) == (1, True), answer
    assert not any("STS" in name for name in written(data))


def test_a_folder_that_cannot_be_written_is_said_before_the_hub_is_asked(get, hub, data):
    (data.parent / "file").write_text("")
    answer = get(
        "sickr", environ={"BERTFLOW_DATA": "", "BERTFLOW_CACHE": str(data.parent / "file")}
    )
    assert (answer["code"], "cannot write" in answer["text"]) == (1, True), answer
    assert hub.requests == []


def test_what_another_revision_no_longer_has_is_gone(get, hub, data):
    fewer = {name: text for name, text in SENTEVAL.items() if "belief" not in name}
    commits = {DOWNLOADS["stsb"].revision: {"senteval.tar": tar(SENTEVAL)}}
    commits["d" * 40] = {"senteval.tar": tar(fewer)}
    hub.repositories |= {f"datasets/{DOWNLOADS['stsb'].repository}": Repository(commits, {})}
    assert get("sts15")["code"] == 0
    assert get("sts15", "--revision", "d" * 40)["code"] == 0
    assert load_pairs("sts15", data_dir=data).subset_names == ("images",)


def test_files_that_were_not_fetched_are_not_replaced_unless_forced(get, data):
    mine = data / "senteval" / "SICK" / "SICK_train.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    answer = get("sickr")
    assert (answer["code"], "was not fetched" in answer["text"]) == (2, True)
    assert written(data) == ["senteval/SICK/SICK_train.txt"]
    assert get("sickr", "--force")["code"] == 0
    assert mine.read_text() == SICK


def test_without_a_named_folder_the_caches_own_is_used_and_found(get, tmp_path, monkeypatch):
    assert get("sickr", environ={"BERTFLOW_DATA": ""})["code"] == 0
    monkeypatch.delenv("BERTFLOW_DATA", raising=False)
    monkeypatch.setenv("BERTFLOW_CACHE", str(tmp_path / "cache"))
    assert load_pairs("sickr").first == ("A",)


def test_a_missing_file_of_a_year_is_never_taken_for_a_smaller_year(get, data):
    get("sts15")
    (data / "senteval/STS/STS15-en-test/STS.input.belief.txt").unlink()
    with pytest.raises(InputError, match=r"belief\.txt' is missing"):
        load_pairs("sts15", data_dir=data)


@pytest.mark.parametrize("damage", ["{", json.dumps({"files": {"../x": {}}})])
def test_a_damaged_record_is_the_users_to_fetch_again(get, data, damage):
    get("sickr")
    (data / "fetched" / "sickr.json").write_text(damage)
    with pytest.raises(InputError, match="damaged"):
        load_pairs("sickr", data_dir=data)
    assert get("sickr", "--force")["code"] == 0
    assert len(load_pairs("sickr", data_dir=data)) == 1


def digest(content):
    return hashlib.sha256(content).hexdigest()
