"""Models from the hub: the real client, in a process of its own, against a hub on this machine."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_hub import FakeHub, Fault, Repository, serve
from hub_client import SHORT, command_apart, resolve_apart

from bertflow_core.encoders import resolve_model

OLD, NEW = "a" * 40, "b" * 40
BESIDE = {
    "README.md": b"# Tiny",
    "pytorch_model.bin": b"a pickle",
    "modeling_tiny.py": b"raise SystemExit",
    "onnx/model.onnx": b"onnx",
    "1_Pooling/config.json": b"{}",
    "other/weights.safetensors": b"",
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

    def ask(name: str, revision: str | None = None, **options: Any) -> dict:
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
    assert set(result["files"]) == {*files, "vocab.txt", "1_Pooling"}
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
    assert "choose the model minilm" in result["text"]  # in the words of pages and commands
    assert hub.requests == []


def test_a_repository_of_pickles_is_refused_and_none_is_fetched(resolve, hub, files):
    pickled = {"config.json": files["config.json"], "pytorch_model.bin": b"a pickle"}
    hub.repositories["org/pickled"] = Repository({OLD: pickled}, {"main": OLD})
    result = resolve("org/pickled")
    assert result["error"] == "InputError"
    assert "no weights" in result["text"]
    assert not any("pytorch_model.bin" in request for request in hub.requests)


def gated(status: int) -> Fault:
    return Fault("GET revision", status=status, headers={"X-Error-Code": "GatedRepo"})


FILE = "GET model.safetensors"
REFUSALS = {
    "gated": (gated(403), "InputError", "accept its terms"),
    "forbidden": (Fault("GET revision", status=403), "InputError", "hf auth login"),
    "busy": (Fault("GET revision", status=429), "ResourceError", "in some minutes"),
    "broken": (Fault("GET tree", status=503), "ResourceError", "a fault (HTTP 503)"),
    "no hub": (Fault("GET revision", status=200), "ResourceError", "check HF_ENDPOINT"),
    "silent": (Fault("GET revision", "silent"), "ResourceError", "did not answer in time"),
    "a file cut each time": (Fault(FILE, "cut"), "ResourceError", "did not arrive whole"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_hub_that_fails_gives_one_sentence_and_can_be_asked_again(resolve, hub, files, name):
    fault, error, words = REFUSALS[name]
    hub.repositories["org/tiny"] = Repository({OLD: files}, {"main": OLD}, (fault,))
    result = resolve("org/tiny", patience=SHORT)
    assert (result["error"], words in result["text"]) == (error, True), result
    assert "\n" not in result["text"]
    hub.repositories["org/tiny"] = Repository({OLD: files}, {"main": OLD})
    assert resolve("org/tiny")["revision"] == OLD


def test_a_download_can_be_stopped(resolve, hub):
    assert resolve("org/tiny", "v1", calls=2)["error"] == "Cancelled"
    assert any("model.safetensors" in request for request in hub.requests)


@pytest.mark.parametrize(
    "fault", [Fault("GET revision", status=503), Fault("GET revision", "silent")]
)
def test_while_the_hub_fails_a_known_model_is_found(resolve, hub, files, fault):
    first = resolve("org/tiny", "v1")
    hub.repositories["org/tiny"] = Repository({OLD: files}, {"v1": OLD}, (fault,))
    assert resolve("org/tiny", "v1", patience=SHORT) == first


def test_a_model_that_is_too_large_is_not_begun(resolve, hub, files):
    hub.repositories["org/tiny"] = Repository({OLD: {**files, "large.txt": Large()}}, {"main": OLD})
    result = resolve("org/tiny")
    assert result["error"] == "InputError"
    assert "at most" in result["text"]
    assert hub.fetched == set()


class Large(bytes):
    """Content that is listed with a great length."""

    def __len__(self) -> int:
        return 1 << 40


def test_the_command_says_it_in_one_line(hub, files, tmp_path):
    fault = Fault("GET revision", "silent")
    hub.repositories["org/tiny"] = Repository({OLD: files}, {"main": OLD}, (fault,))
    command = ("analyse", "words", "--model", "org/tiny")
    result = command_apart(hub.url, tmp_path / "home", *command, patience=SHORT)
    assert result["code"] == 1
    assert re.fullmatch(r"bertflow-lab: model 'org/tiny' .*did not answer.*\n", result["text"])


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
