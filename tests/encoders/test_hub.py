"""Models from the hub: the real client against a hub on this machine."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_hub import SHORT, FakeHub, Fault, Repository, connected, serve

from bertflow_core.encoders import ModelFolder, catalog, resolve_model
from bertflow_core.errors import BertFlowError, Cancelled, InputError, ResourceError
from bertflow_core.runtime import context

OLD, NEW = "a" * 40, "b" * 40
BESIDE = {
    "pytorch_model.bin": b"a pickle",
    "modeling_tiny.py": b"raise SystemExit",
    "1_Pooling/config.json": b"{}",
    "other/weights.safetensors": b"",
}
API = "GET /api/models/org/tiny"


@pytest.fixture(scope="module")
def files(tiny_bert) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in tiny_bert.iterdir()}


@pytest.fixture
def hub(files) -> Iterator[FakeHub]:
    commits = {OLD: files, NEW: {**files, "vocab.txt": b"the\n", **BESIDE}}
    tiny = Repository(commits, refs={"main": NEW, "v1": OLD})
    with serve(FakeHub({"org/tiny": tiny})) as running:
        yield running


@pytest.fixture
def resolve(hub, tmp_path) -> Callable[..., ModelFolder]:
    """Return a function like `resolve_model` that uses the test's own cache."""

    def ask(name: str, revision: str | None = None, **options: Any) -> ModelFolder:
        with connected(hub.url, tmp_path / "home", **options):
            return resolve_model(name, revision=revision)

    return ask


def test_a_revision_becomes_the_commit_that_was_found(resolve, hub, tiny_bert):
    hub.repositories["google-bert/bert-base-uncased"] = hub.repositories["org/tiny"]
    for name, revision, commit in [
        ("org/tiny", None, NEW),
        ("org/tiny", OLD, OLD),
        ("bert-base", "v1", OLD),
    ]:
        found = resolve(name, revision)
        assert found.revision == commit
        assert (found.digest == resolve_model(str(tiny_bert)).digest) == (commit == OLD)


def test_only_what_loading_reads_is_fetched_and_only_once(resolve, hub, files):
    old, found = resolve("org/tiny", "v1"), resolve("org/tiny")
    assert {path.name for path in found.path.iterdir()} == {*files, "vocab.txt", "1_Pooling"}
    assert hub.fetched == {*files, "vocab.txt"}  # empty files are not requested
    n_requests = len(hub.requests)
    hub.repositories.clear()
    assert resolve("org/tiny", offline=True) == found
    assert resolve("org/tiny", "v1", offline=True) == old
    assert len(hub.requests) == n_requests


FILE = f"GET /org/tiny/resolve/{OLD}/model.safetensors"
REFUSALS = {
    "gated": (Fault(API, 403, {"X-Error-Code": "GatedRepo"}), InputError, "accept its terms"),
    "broken": (Fault(f"{API}/tree", 503), ResourceError, "refused or failed"),
    "no hub": (Fault(API, 200), ResourceError, "check HF_ENDPOINT"),
    "silent": (Fault(API, "silent"), ResourceError, "did not answer in time"),
    "a file cut each time": (Fault(FILE, "cut"), ResourceError, "was incomplete"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_hub_that_fails_gives_one_sentence_and_can_be_asked_again(resolve, hub, name):
    fault, kind, words = REFUSALS[name]
    hub.faults.append(fault)
    with pytest.raises(kind, match=words) as caught:
        resolve("org/tiny", "v1", patience=SHORT)
    assert "\n" not in str(caught.value)
    hub.faults.clear()
    found = resolve("org/tiny", "v1")
    if name in ("silent", "broken"):  # a known revision is found in the cache
        hub.faults.append(fault)
        assert resolve("org/tiny", "v1", patience=SHORT) == found


@pytest.mark.parametrize(
    ("name", "revision", "options", "kind", "words"),
    [
        ("org/other", None, {}, InputError, "neither on this machine nor on the hub"),
        ("org/tiny", "v2", {}, InputError, "no revision 'v2'"),
        ("org/tiny", None, {"offline": True}, ResourceError, "HF_HUB_OFFLINE.* model minilm"),
        ("org/pickled", None, {}, InputError, "no weights"),
    ],
)
def test_what_is_not_there_is_told(resolve, hub, files, name, revision, options, kind, words):
    pickled = {"config.json": files["config.json"], "pytorch_model.bin": b"a pickle"}
    hub.repositories["org/pickled"] = Repository({OLD: pickled}, {"main": OLD})
    with pytest.raises(kind, match=words):
        resolve(name, revision, **options)
    assert not any("pytorch_model.bin" in request for request in hub.requests)
    assert not (options and hub.requests)  # offline, nothing is requested


def test_a_download_can_be_stopped(resolve, hub):
    reports = []

    def stop(*report: object) -> None:
        reports.append(report[2])
        if reports.count("MB fetched") == 2:
            raise Cancelled("stopped")

    with context.reporting(stop), pytest.raises(Cancelled):
        resolve("org/tiny")
    assert any("model.safetensors" in request for request in hub.requests)


CONFIG = f"GET /org/tiny/resolve/{NEW}/config.json"
TOO_MUCH = {
    "a file is listed as large": ({"config.json": 2 << 30}, [], "config.json' is too large"),
    "all files are listed as large": ({"model.safetensors": 1 << 40}, [], "tiny' is too large"),
    "a size is negative": ({"config.json": -1}, [], "'config.json' with a size of -1"),
    "a file never ends": ({}, [Fault(CONFIG, "endless")], "tiny' is too large"),
    "the list never ends": ({}, [Fault(API, "endless")], 'list of files" is too large'),
    "the list unpacks to gigabytes": ({}, [Fault(API, "packed")], "answer is compressed"),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_more_than_its_bound_is_not_received(resolve, hub, files, tmp_path, name):
    listed, faults, words = TOO_MUCH[name]
    hub.repositories["org/tiny"] = Repository({NEW: files}, {"main": NEW}, listed)
    hub.faults.extend(faults)
    with connected(hub.url, tmp_path / "home"):
        with pytest.raises(BertFlowError, match=words):
            catalog.look_at("org/tiny")
        if faults:
            with pytest.raises(BertFlowError, match=words):
                catalog.resolve_model("org/tiny")
    assert not any("model.safetensors" in request for request in hub.requests if listed)
    left = [file for file in (tmp_path / "home").rglob("*") if file.name.endswith(".incomplete")]
    assert not left


def test_a_slow_hub_does_not_hold_a_page(hub, tmp_path, monkeypatch):
    monkeypatch.setattr(catalog, "_SECONDS", 0)
    with connected(hub.url, tmp_path), pytest.raises(ResourceError, match="more than 0 seconds"):
        catalog.look_at("org/tiny")
