"""Any model in any box: what is found is said at once, and what cannot be used gives no number."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_pages import (
    go,
    jobs,
    linked_pages,
    new_page,
    open_page,
    pick_row,
    press,
    table,
    texts,
)
from bertflow_app import models
from fake_hub import SHORT, FakeHub, Fault, Repository, connected, serve
from tiny_models import declare, save_tiny_model

from bertflow_core.cli import main
from bertflow_core.encoders import catalog
from bertflow_core.encoders.catalog import MODELS_VARIABLE
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.lab.recipe import Recipe

COMMIT = "a" * 40


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> Path:
    """A folder of models: `tuned`, which declares cls pooling, and some that are none."""
    root = tmp_path_factory.mktemp("models")
    bert = save_tiny_model(tmp_path_factory.mktemp("bert"), "bert", max_position_embeddings=80)
    declare(bert, root / "tuned", pooling="cls")
    prompts = json.dumps({"prompts": {"query": "query: "}})
    (root / "tuned" / "config_sentence_transformers.json").write_text(prompts)
    save_tiny_model(root / "decoder", "gpt2")
    (root / "empty").mkdir()
    for name in ("unweighted", "pickled", "cut"):
        shutil.copytree(bert, root / name)
        (root / name / "model.safetensors").unlink()
    (root / "pickled" / "pytorch_model.bin").write_bytes(b"a pickle")
    (root / "cut" / "model.safetensors").write_bytes(b"\xff" * 99)
    shutil.copytree(root / "unweighted", root / "large")
    header = {"x": {"dtype": "F16", "shape": [7_000, 10**6], "data_offsets": [0, 14 * 10**9]}}
    with (root / "large" / "model.safetensors").open("wb") as stream:
        stream.write(len(json.dumps(header)).to_bytes(8, "little") + json.dumps(header).encode())
        stream.truncate(stream.tell() + 14 * 10**9)  # sparse: it takes no place
    return root


@pytest.fixture(scope="module")
def hub(own) -> Iterator[FakeHub]:
    files = {path.name: path.read_bytes() for path in (own / "unweighted").iterdir()}
    weights = (own / "tuned" / "model.safetensors").read_bytes()
    main_at = {"main": COMMIT}
    repositories = {
        "org/tiny": Repository({COMMIT: {**files, "model.safetensors": weights}}, main_at),
        "org/pickled": Repository({COMMIT: {**files, "pytorch_model.bin": b"a pickle"}}, main_at),
    }
    faults = [
        Fault("GET /api/models/org/gated", 403, {"X-Error-Code": "GatedRepo"}),
        Fault("GET /api/models/org/silent", "silent"),
    ]
    with serve(FakeHub(repositories, faults)) as running:
        yield running


@pytest.fixture(autouse=True)
def online(hub, tmp_path, monkeypatch, fresh_server) -> Iterator[None]:
    """A hub to ask, an empty cache of its models, and an operator who allows every model."""
    monkeypatch.setenv(MODELS_VARIABLE, "*")
    models._asked.clear()
    with connected(hub.url, tmp_path / "home", patience=SHORT):
        yield


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("org/none", "neither on this machine nor on the hub"),
        ("org/no..ne", "is neither a folder here nor a hub id"),
        ("org/gated", "it is gated: accept its terms on the hub"),
        ("org/silent", "the hub did not answer in time"),
        ("org/pickled", "has no weights: expected model.safetensors"),
        ("minilm-l6", "unknown model 'minilm-l6': did you mean minilm?"),
        ("{own}/nothing", "is neither a folder here nor a hub id"),
        ("{own}/empty", "has no config.json"),
        ("{own}/unweighted", "has no weights: expected model.safetensors"),
        ("{own}/pickled", "such as pytorch_model.bin can run code"),
        ("{own}/cut", "cannot be loaded as an encoder"),
        ("{own}/large", "needs 26.08 GiB of memory in float32, and this machine has 8 GiB:"),
        ("glove:{own}", "names vectors without a network"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_on_the_page_and_in_the_command(
    name, words, own, hub, monkeypatch, capfd
):
    monkeypatch.setattr(catalog, "machine_memory", lambda: 8 << 30)
    name = name.format(own=own)
    with pytest.raises(BertFlowError, match=words.replace("?", r"\?")) as caught:
        models.check(Recipe(model=name, dataset="teaching"))
    assert "\n" not in str(caught.value)
    if not name.startswith("glove"):
        capfd.readouterr()  # where Streamlit may have said that no page runs
        with pytest.raises(SystemExit):
            main(["evaluate", "--model", name, "--dataset", "teaching"])
        assert capfd.readouterr().err == f"bertflow-lab: {caught.value}\n"
    assert not any("model.safetensors" in request for request in hub.requests)


@pytest.mark.parametrize("name", ["/no/such", "vectors", "glove:/etc/passwd", "bert-base"])
def test_no_number_of_another_model_is_shown_for_one_that_cannot_be_used(name):
    page = open_page("check", model=name)
    for other in (open_page("cone", model=name), open_page("tour", model=name)):
        assert "This cannot be done" in texts(other)
    assert not page.exception
    assert page.session_state["recipe"].model == name
    assert [each.value for each in page.title] == ["Check your model"]
    assert "This cannot be done" in texts(page)
    assert not (page.button or page.dataframe or page.get("plotly_chart") or jobs())


@pytest.mark.gate  # it embeds all captions
def test_a_model_of_the_hub_says_what_it_fetches_and_is_here_afterwards(own, hub):
    size = sum(map(len, hub.repositories["org/tiny"].files[COMMIT].values()))
    page = open_page("scores", model="org/tiny", calibrators=["standardize"])
    assert f"3 layers x 16, BERT, mean pooling, {size / 1e6:.1f} MB to fetch" in texts(page)
    assert "model.safetensors" not in hub.fetched
    press(page, "Score")
    assert "model.safetensors" in hub.fetched
    assert "to fetch" not in texts(page)
    assert page.dataframe


def test_models_that_are_compared_are_looked_at_one_by_one(own):
    page = open_page("scores", more_models=["minilm", str(own / "tuned")])
    assert f"{own / 'tuned'}: 3 layers x 16, BERT, cls pooling" in texts(page)
    page = open_page("scores", more_models=["minilm", "org/none"])
    assert texts(page).count("neither on this machine nor on the hub") == 1
    assert "layer:6" in page.multiselect(key="more_layers").options
    assert not jobs()


def test_served_to_others_only_what_the_operator_allows_is_looked_at(own, monkeypatch):
    monkeypatch.setenv(MODELS_VARIABLE, os.pathsep.join((str(own), "org/ti*")))
    assert models.found("tuned").folder.path == own / "tuned"
    assert str(models.found("org/tiny")).startswith("3 layers x 16")
    assert {"tuned", "decoder"} < {*models.offered()} and "empty" not in models.offered()
    monkeypatch.chdir(own.parent)
    asked = [str(own / "tuned"), "/etc", "/no/such", "org/none", "../tuned", "org/ti/..", "tunes"]
    (own.parent / "org").mkdir()
    (own.parent / "org" / "ti").mkdir()  # a folder of the server that looks like a hub id
    for name in (*asked, "org/ti"):
        assert_not_offered(name)
    monkeypatch.setenv(MODELS_VARIABLE, "*/*")
    monkeypatch.setenv("HOME", str(own.parent))
    paths = (f"~/{own.name}", "~/absent", f"../{own.name}", "./org", "org/..", "..\\org", "/etc")
    for name in (*paths, "glove:/etc", "org/ti"):
        assert_not_offered(name)


def assert_not_offered(name: str) -> None:
    with pytest.raises(InputError) as caught:
        models.found(name)
    assert str(caught.value).replace("\\\\", "\\").replace(name, "X") == (
        "'X' is not offered on this server: choose a listed model, or ask whoever runs it for "
        "`--models`"
    )


def test_a_page_shows_the_same_of_a_folder_that_is_there_and_one_that_is_not(own, monkeypatch):
    names = [str(own / "tuned"), str(own / "absent")]
    assert "Prompt" in boxes(open_page("check", model=names[0], layers="model"))
    monkeypatch.setenv(MODELS_VARIABLE, "")
    there, missing = (open_page("check", model=name, layers="model") for name in names)
    assert boxes(there) == boxes(missing)
    assert texts(there).replace("tuned", "X") == texts(missing).replace("absent", "X")


def test_the_prompts_of_queries_and_documents_are_in_the_address_where_the_data_have_both(own):
    asked = {"model": str(own / "tuned"), "query_prompt": "search: ", "document_prompt": "query"}
    sides = {"Prompt of queries", "Prompt of documents", "Template of queries"}
    for choices, offered in (
        ({"layers": "model", "dataset": "questions"}, sides),
        ({"layers": "last", "dataset": "questions"}, {"Template of queries"}),
        ({"layers": "model"}, set()),
    ):
        page = open_page("plane", **asked, **choices)
        assert sides.intersection(boxes(page)) == offered, choices
        recipe, has_prompts = page.session_state["recipe"], len(offered) == 3
        assert recipe.query_prompt == ("search: " if has_prompts else None)
        assert recipe.document_prompt == ("query" if has_prompts else None)


def boxes(page) -> list[str]:
    return [each.label for each in page.selectbox]


def test_a_server_started_with_a_model_and_a_table_opens_with_them_and_the_models_own_layers(
    own, monkeypatch
):
    table = own / "pairs.csv"
    table.write_text("sentence1,sentence2,score\na cat,a dog,1\nred,blue,4\nbig,small,2\n")
    monkeypatch.setenv("BERTFLOW_START_MODEL", str(own / "tuned"))
    monkeypatch.setenv("BERTFLOW_START_TABLE", str(table))
    page = go(new_page(), "plane")
    recipe = page.session_state["recipe"]
    assert page.query_params["model"] == recipe.model
    assert (recipe.model, recipe.layers) == (str(own / "tuned"), "model")
    assert (recipe.dataset[:9], recipe.score) == ("pairs.csv", "score")
    assert "3 layers x 16, BERT, cls pooling, 0.0 million parameters" in texts(page)
    layers = [each for each in page.selectbox(key="layers").options if ":" in each]
    assert layers == [f"layer:{k}" for k in range(4)]
    assert open_page("plane", model="minilm").session_state["recipe"].dataset == "teaching"


def test_a_second_model_is_compared_on_compare_and_opens_the_wall(own):
    first, second = str(own / "tuned"), str(own / "decoder")
    both = {"model": first, "second_model": second, "layers": "model"}
    page = press(open_page("scores", **both, calibrators=["standardize"]), "Score")
    said = texts(page)
    assert re.search(r"the plain output of decoder (scores|does not differ) significantly", said)
    assert "decoder<br>minus tuned" in page.get("plotly_chart")[0].proto.spec.replace(
        " minus", "<br>minus"
    )
    uncalibrated = linked_pages(pick_row(page, 2))
    assert uncalibrated["export"]["model"] == uncalibrated["wall"]["model"] == [second]
    paired = {"second_model": [second], "ledger_before": ["identity"], "ledger_after": ["identity"]}
    assert paired.items() <= uncalibrated["ledger"].items()
    calibrated = linked_pages(pick_row(page, 3))["ledger"]
    assert {"model": [second], "ledger_after": ["standardize"]}.items() <= calibrated.items()
    assert calibrated.get("second_model", [""]) == [""]
    wall = press(open_page("wall", **both, wall_calibrators="standardize"), "Build the spaces")
    assert list(table(wall, "Pane")["Pane"])[::2] == [
        "tuned, model, identity",
        "decoder, model, identity",
    ]
