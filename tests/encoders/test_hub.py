"""Models from the hub: the real client, in a process of its own, against a hub on this machine."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_hub import FakeHub, Repository, resolve_apart, serve

from bertflow_core.encoders import resolve_model

OLD, NEW = "a" * 40, "b" * 40
BESIDE = {
    "README.md": b"# Tiny",
    "pytorch_model.bin": b"a pickle",
    "modeling_tiny.py": b"raise SystemExit",
    "onnx/model.onnx": b"onnx",
    "1_Pooling/config.json": b"{}",
    "openvino/weights.safetensors": b"",
}


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
def resolve(hub, tmp_path) -> Callable[..., dict]:
    """Resolve a model apart, with a cache of the test's own."""

    def ask(name: str, revision: str | None = None, **options: bool) -> dict:
        return resolve_apart(hub.url, tmp_path / "home", name, revision, **options)

    return ask


@pytest.mark.parametrize(
    ("revision", "commit"), [(None, NEW), ("main", NEW), ("v1", OLD), (OLD, OLD)]
)
def test_a_revision_becomes_the_commit_that_was_found(resolve, revision, commit):
    assert resolve("org/tiny", revision)["revision"] == commit


def test_a_model_of_the_hub_equals_its_folder(resolve, tiny_bert):
    assert resolve("org/tiny", "v1")["digest"] == resolve_model(str(tiny_bert)).digest


def test_only_what_loading_reads_is_fetched(resolve, hub, files):
    result = resolve("org/tiny")
    assert set(result["files"]) == {*files, "vocab.txt"}
    assert hub.fetched == {*files, "vocab.txt"}


def test_a_model_is_fetched_once_and_then_found_without_the_hub(resolve, hub):
    first = {revision: resolve("org/tiny", revision) for revision in (None, "v1")}
    n_requests = len(hub.requests)
    hub.repositories.clear()
    for revision, result in first.items():
        assert resolve("org/tiny", revision, offline=True) == result
    assert len(hub.requests) == n_requests


def test_a_known_model_is_found_while_nothing_listens(files, tmp_path):
    home = tmp_path / "home"
    with serve(FakeHub({"org/tiny": Repository({OLD: files}, {"main": OLD})})) as hub:
        result = resolve_apart(hub.url, home, "org/tiny")
    assert resolve_apart(hub.url, home, "org/tiny") == result
    unknown = resolve_apart(hub.url, home, "org/other")
    assert unknown["error"] == "ResourceError"
    assert "cannot be reached" in unknown["text"]


def test_a_moved_branch_is_followed(resolve, hub, files):
    assert resolve("org/tiny")["revision"] == NEW
    newer = "c" * 40
    hub.repositories["org/tiny"] = Repository({newer: files}, {"main": newer})
    assert resolve("org/tiny")["revision"] == newer
    assert resolve("org/tiny", NEW)["revision"] == NEW


def test_an_unknown_repository_is_the_users_error(resolve):
    result = resolve("org/minilm")
    assert result["error"] == "InputError"
    assert "unknown model 'org/minilm'" in result["text"]
    assert "did you mean minilm" in result["text"]


@pytest.mark.parametrize("revision", ["v2", "c" * 40])
def test_an_unknown_revision_is_the_users_error(resolve, revision):
    result = resolve("org/tiny", revision)
    assert result["error"] == "InputError"
    assert f"has no revision '{revision}'" in result["text"]


def test_an_unknown_model_offline_is_no_fault_of_the_user(resolve, hub):
    result = resolve("org/tiny", offline=True)
    assert result["error"] == "ResourceError"
    assert "HF_HUB_OFFLINE" in result["text"]
    assert hub.requests == []


def test_a_repository_of_pickles_is_refused_and_none_is_fetched(resolve, hub, files):
    pickled = {"config.json": files["config.json"], "pytorch_model.bin": b"a pickle"}
    hub.repositories["org/pickled"] = Repository({OLD: pickled}, {"main": OLD})
    result = resolve("org/pickled")
    assert result["error"] == "InputError"
    assert "no weights" in result["text"]
    assert not any("pytorch_model.bin" in request for request in hub.requests)


@pytest.mark.parametrize(
    ("status", "code", "error", "words"),
    [
        (401, "GatedRepo", "InputError", "is gated"),
        (403, "GatedRepo", "InputError", "is gated"),
        (500, "", "ResourceError", "cannot be reached"),
        (429, "", "ResourceError", "cannot be reached"),
    ],
)
def test_a_hub_that_refuses_gives_a_sentence(resolve, hub, status, code, error, words):
    hub.repositories["org/tiny"] = Repository({}, {}, fault=(status, code))
    result = resolve("org/tiny")
    assert result["error"] == error
    assert words in result["text"]


def test_a_download_that_breaks_off_gives_a_sentence_and_can_be_repeated(resolve, hub, files):
    torn = Repository({OLD: files}, {"main": OLD}, torn="model.safetensors")
    hub.repositories["org/tiny"] = torn
    result = resolve("org/tiny")
    assert result["error"] == "ResourceError"
    assert "did not arrive whole" in result["text"]
    assert resolve("org/tiny", offline=True)["error"] == "ResourceError"
    hub.repositories["org/tiny"] = Repository({OLD: files}, {"main": OLD})
    assert resolve("org/tiny")["revision"] == OLD


def test_a_cache_that_cannot_be_written_gives_a_sentence(hub, tmp_path):
    home = tmp_path / "home"
    home.write_text("a file in the folder's place")
    result = resolve_apart(hub.url, home, "org/tiny")
    assert result["error"] == "ResourceError"
    assert "HF_HOME" in result["text"]


def test_a_short_name_is_its_repository_on_the_hub(resolve, hub):
    hub.repositories["google-bert/bert-base-uncased"] = hub.repositories["org/tiny"]
    assert resolve("bert-base", "v1")["revision"] == OLD


def test_a_local_folder_comes_before_the_hub(hub, tmp_path, tiny_bert, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("org").mkdir()
    Path("org/tiny").symlink_to(tiny_bert)
    result = resolve_apart(hub.url, tmp_path / "home", "org/tiny")
    assert result["revision"] is None
    assert hub.requests == []
