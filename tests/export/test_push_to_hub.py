"""Exports go to the hub whole, after their check, and each refusal of the hub says what to do."""

from collections.abc import Iterator

import pytest
from fake_hub import TOKEN, FakeHub, Fault, connected, serve
from tiny_pairs import tiny_recipe, write_pairs

from bertflow_core import EmbeddingStore, Lab, save_calibrator
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.export import run
from bertflow_core.export.check import Agreement
from bertflow_core.export.run import export_model
from bertflow_core.hub import check_push, push

NAME = "org/calibrated"
GOOD = Agreement(n_sentences=9, max_difference=1e-6, max_value=2.0, min_cosine=1.0)
BAD = Agreement(n_sentences=9, max_difference=1.0, max_value=2.0, min_cosine=0.9)


@pytest.fixture
def hub(monkeypatch, tmp_path) -> Iterator[FakeHub]:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with serve(FakeHub()) as running, connected(running.url, tmp_path / "home"):
        yield running


@pytest.fixture
def folder(tmp_path):
    files = {"README.md": b"---\nlicense: mit\n---\n", "model.safetensors": bytes(300_000)}
    files |= {"2_Dense/model.safetensors": b"\1" * 40, "2_Dense/config.json": b"{}"}
    for name, content in files.items():
        (tmp_path / "model" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "model" / name).write_bytes(content)
    return tmp_path / "model", files


@pytest.mark.parametrize("private", [False, True])
def test_a_folder_is_sent_whole_in_one_commit(hub, folder, private):
    path, files = folder
    url = push(path, NAME, private=private)
    assert url == f"{hub.url}/org/calibrated"
    assert hub.models["org/calibrated"] == files
    assert (NAME in hub.private) == private
    assert sum("/commit/" in request for request in hub.requests) == 1


@pytest.mark.parametrize(
    ("request_", "status", "kind", "said"),
    [
        ("POST /api/repos/create", 401, InputError, "does not know this login"),
        ("POST /api/repos/create", 403, InputError, "may not write there"),
        ("POST /api/repos/create", 404, InputError, "no such owner"),
        ("POST /api/repos/create", 500, ResourceError, "has a fault"),
        ("POST /api/repos/create", 429, ResourceError, "in some minutes"),
        ("PUT /large/", 403, InputError, "may not write there"),
        ("POST /api/models/org/calibrated/commit", 409, InputError, "has a model of that name"),
    ],
)
def test_each_refusal_says_what_to_do(hub, folder, request_, status, kind, said):
    hub.faults.append(Fault(request_, status))
    with pytest.raises(kind, match=said):
        push(folder[0], NAME)
    assert not hub.models.get(NAME)


def test_a_model_that_is_there_is_never_changed(hub, folder):
    hub.models[NAME] = {"config.json": b"theirs"}
    with pytest.raises(InputError, match="has a model of that name"):
        push(folder[0], NAME)
    assert hub.models[NAME] == {"config.json": b"theirs"}


def test_who_cannot_send_is_told_before_anything_is_computed(hub, monkeypatch, tmp_path):
    check_push(NAME)
    hub.faults.append(Fault("GET /api/whoami-v2", 401))
    with pytest.raises(InputError, match="does not know this login"):
        check_push(NAME)
    monkeypatch.delenv("HF_TOKEN")
    with monkeypatch.context() as patch:
        patch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", "/nowhere/token")
        with pytest.raises(InputError, match="nobody is logged in"):
            check_push(NAME)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    for offline, said in ((False, "cannot be reached"), (True, "HF_HUB_OFFLINE")):
        with connected("http://127.0.0.1:9", tmp_path, offline=offline):
            with pytest.raises(ResourceError, match=said):
                check_push(NAME)


@pytest.fixture
def calibrator(tiny_bert, tmp_path):
    recipe = tiny_recipe(tiny_bert, write_pairs(tmp_path / "pairs.csv"), calibrator="standardize")
    lab = Lab(store=EmbeddingStore(tmp_path / "store"), device="cpu")
    fitted = lab.fit(recipe)
    save_calibrator(fitted.calibrator, tmp_path / "c", recipe=fitted.recipe.to_dict())
    return tmp_path / "c", lab


def test_nothing_is_sent_before_its_vectors_were_found_to_be_ours(
    hub, calibrator, tmp_path, monkeypatch
):
    saved, lab = calibrator
    monkeypatch.setattr(run, "compare_export", lambda *_: BAD)
    with pytest.raises(InputError, match="cannot be exported"):
        export_model(saved, tmp_path / "m", lab, push_to_hub=NAME)
    assert hub.requests == ["GET /api/whoami-v2"]
    assert not (tmp_path / "m").exists()


def test_an_export_goes_to_the_hub_with_its_card(hub, calibrator, tmp_path, monkeypatch):
    saved, lab = calibrator
    monkeypatch.setattr(run, "compare_export", lambda *_: GOOD)
    done = export_model(saved, tmp_path / "m", lab, push_to_hub=NAME)
    assert done.url == f"{hub.url}/org/calibrated"
    written = {
        str(path.relative_to(done.folder)): path.read_bytes()
        for path in done.folder.rglob("*")
        if path.is_file()
    }
    assert hub.models[NAME] == written
    assert 'SentenceTransformer("org/calibrated")' in written["README.md"].decode()
    hub.faults.append(Fault("POST /api/repos/create", 403))
    with pytest.raises(InputError, match=r"`hf upload org/calibrated .* sends it"):
        export_model(saved, tmp_path / "n", lab, push_to_hub=NAME)
    assert (tmp_path / "n" / "modules.json").is_file()
