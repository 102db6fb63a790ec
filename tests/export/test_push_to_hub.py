"""Exports are sent to the hub after a check; the error for each refusal says what to do."""

import httpx2 as httpx
import pytest
from fake_hub import connected
from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError

from bertflow_core import Lab, save_calibrator
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.export import run
from bertflow_core.export.check import Agreement
from bertflow_core.export.run import export_model
from bertflow_core.runtime.hub import check_push, push

NAME = "org/calibrated"
GOOD = Agreement(n_sentences=9, max_difference=1e-6, max_value=2.0, min_cosine=1.0)
BAD = Agreement(n_sentences=9, max_difference=1.0, max_value=2.0, min_cosine=0.9)


def refused(status):
    request = httpx.Request("POST", "http://hub")
    return HfHubHTTPError("no", response=httpx.Response(status, request=request))


@pytest.fixture
def asked(monkeypatch):
    """The requests to the hub's client, in order, and the errors to raise, by request."""
    calls, faults = [], {}

    def answer(name):
        def called(self, *args, **options):
            calls.append((name, args, options))
            if name in faults:
                raise faults[name]

        return called

    for name in ("whoami", "create_repo", "upload_folder"):
        monkeypatch.setattr(HfApi, name, answer(name))
    return calls, faults


@pytest.mark.parametrize(
    ("request_", "status", "kind", "said"),
    [
        ("create_repo", 401, InputError, "does not accept this login"),
        ("create_repo", 404, InputError, "no such owner"),
        ("create_repo", 409, InputError, "already has a model of that name"),
        ("create_repo", 500, ResourceError, "refused or failed"),
        ("create_repo", 429, ResourceError, "in a few minutes"),
        ("upload_folder", 403, InputError, "has no write access"),
    ],
)
def test_each_refusal_says_what_to_do(asked, tmp_path, request_, status, kind, said):
    asked[1][request_] = refused(status)
    with pytest.raises(kind, match=said):
        push(tmp_path, NAME)
    assert asked[0][-1][0] == request_  # and nothing after it


def test_who_cannot_send_is_told_before_anything_is_computed(asked):
    check_push(NAME)
    for name, fault, said in (
        ("org/sub/name", None, "expected OWNER/NAME"),
        (NAME, refused(401), "does not accept this login"),
        (NAME, LocalTokenNotFoundError("no"), "you are not logged in"),
    ):
        if fault is not None:
            asked[1]["whoami"] = fault
        with pytest.raises(InputError, match=said):
            check_push(name)


def test_without_a_network_nothing_is_sent(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_TOKEN", "hf_of_the_test")
    for offline, said in ((False, "cannot be reached"), (True, "HF_HUB_OFFLINE")):
        with connected("http://127.0.0.1:9", tmp_path, offline=offline):
            with pytest.raises(ResourceError, match=said):
                check_push(NAME)


def test_an_export_is_sent_with_its_card_once_its_vectors_were_found_to_be_ours(
    asked, recipe_of, tmp_path, monkeypatch
):
    recipe = recipe_of(calibrator="standardize")
    lab = Lab(device="cpu")
    fitted = lab.fit(recipe)
    saved = save_calibrator(fitted.calibrator, tmp_path / "c", recipe=fitted.recipe.to_dict())
    monkeypatch.setattr(run, "compare_export", lambda *_: BAD)
    with pytest.raises(InputError, match="cannot be exported"):
        export_model(saved, tmp_path / "m", lab, push_to_hub=NAME)
    assert [each[0] for each in asked[0]] == ["whoami"] and not (tmp_path / "m").exists()
    monkeypatch.setattr(run, "compare_export", lambda *_: GOOD)
    done = export_model(saved, tmp_path / "m", lab, push_to_hub=NAME)
    assert done.url.endswith("/org/calibrated")
    made, (name, _, sent) = asked[0][-2:]  # create_repo refuses an existing model
    assert made == ("create_repo", (NAME,), {"private": False})
    assert (name, sent["repo_id"], sent["folder_path"]) == ("upload_folder", NAME, done.folder)
    card = (done.folder / "README.md").read_text(encoding="utf-8")
    assert 'SentenceTransformer("org/calibrated")' in card
    asked[1]["create_repo"] = refused(403)
    with pytest.raises(InputError, match=r"`hf upload org/calibrated .* sends it"):
        export_model(saved, tmp_path / "n", lab, push_to_hub=NAME, private=True)
    assert asked[0][-1] == ("create_repo", (NAME,), {"private": True})
    assert (tmp_path / "n" / "modules.json").is_file()
