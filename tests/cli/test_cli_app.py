"""`app` replaces its process by the dashboard's server, and passes the options on."""

import os
import sys
from pathlib import Path

import pytest
from bertflow_app.server import guard
from starlette.datastructures import Headers

TOKEN = "a-token-that-the-administrator-set"
ALLOWED, GIVEN = "STREAMLIT_SERVER_ALLOWED_HOSTS", "BERTFLOW_TOKEN"
LOCAL = ["localhost", "127.0.0.1"]
STARTS = ("BERTFLOW_START_MODEL", "BERTFLOW_START_TABLE")


@pytest.fixture(autouse=True)
def calls(monkeypatch):
    """Record the command that would replace the process."""
    found = []
    monkeypatch.setattr(os, "execv", lambda *call: found.append(call))
    monkeypatch.setenv("BERTFLOW_DATA", "before")
    monkeypatch.setenv(GIVEN, "")
    for name in ("BERTFLOW_FRAMES", "BERTFLOW_MODELS", *STARTS):
        monkeypatch.setenv(name, "before")
    monkeypatch.delenv(ALLOWED, raising=False)
    return found


@pytest.fixture
def serves(lab, calls):
    """Return a function that runs `app` and returns its messages and the server's options."""

    def run(*options):
        calls.clear()
        outcome = lab("app", *options)
        assert (outcome.code, outcome.out) == (0, ""), outcome
        ((program, words),) = calls
        assert program == words[0] == sys.executable
        assert words[1:5] == ["-P", "-m", "streamlit", "run"]
        assert Path(words[5]).is_file() and Path(words[5]).name == "entry.py"
        return outcome.err, [word.removeprefix("--").split("=") for word in words[6:]]

    return run


def test_the_defaults_serve_this_machine_only_and_every_option_arrives(serves, here, monkeypatch):
    from streamlit import config

    said, options = serves()
    assert said == "BERT-flow Lab on http://127.0.0.1:8501\n"
    local = {
        "server.address": "127.0.0.1",
        "server.port": "8501",
        "server.headless": "true",
        "server.maxUploadSize": "200",
    }
    assert dict(options) == local
    assert set(local) <= set(config.get_config_options())
    assert os.environ["BERTFLOW_DATA"] == "before"
    (here / "data").mkdir()
    monkeypatch.setenv(GIVEN, TOKEN)
    assert os.environ["BERTFLOW_FRAMES"] == ""
    asked = (
        "--host 0.0.0.0 --port 80 --allow-host lab.example --open --data-dir data "
        "--allow-frame https://a.b --allow-frame http://localhost:3000"
    )
    said, options = serves(*asked.split())
    assert f"http://lab.example:80/?token={TOKEN}\n" in said
    assert "lab.example" in said.splitlines()[1]
    assert dict(options) == {
        "server.address": "0.0.0.0",
        "server.port": "80",
        "server.headless": "false",
        "server.allowedHosts": "lab.example",  # the last of three
    }
    assert os.environ["BERTFLOW_DATA"] == "data"
    assert os.environ["BERTFLOW_FRAMES"] == "https://a.b http://localhost:3000"


@pytest.mark.parametrize(
    ("options", "allowed", "names", "shown"),
    [
        ("--host localhost", "", [], "localhost"),
        ("--host ::1", "", [*LOCAL, "::1"], "[::1]"),
        ("--allow-host lab.example", "", [*LOCAL, "lab.example"], "127.0.0.1"),
        ("--host 0.0.0.0 --allow-host a.b --allow-host c", "", [*LOCAL, "a.b", "c"], "a.b"),
        ("--host 0.0.0.0 --allow-host 2001:db8::1", "", [*LOCAL, "2001:db8::1"], "[2001:db8::1]"),
        ("", "lab.example other.example", [], "lab.example"),
        ("--host 0.0.0.0", "localhost lab.example", [], "lab.example"),
        ("--host localhost", "localhost lab.example", [], "localhost"),
    ],
)
def test_browsers_may_use_these_names_and_the_printed_one_is_answered(
    serves, monkeypatch, options, allowed, names, shown
):
    monkeypatch.setenv(ALLOWED, allowed)
    said, given = serves(*options.split())
    assert [value for name, value in given if name == "server.allowedHosts"] == names
    address = said.split()[3].partition("/?")[0]
    assert address == f"http://{shown}:8501"
    settings = {"server.allowedHosts": names or allowed.split() or LOCAL}
    settings["server.corsAllowedOrigins"] = []
    monkeypatch.setattr(guard.st, "get_option", settings.get)
    assert guard._is_welcome(Headers({"host": address.partition("//")[2]}))


@pytest.mark.parametrize(
    ("options", "is_asked"),
    [
        ("--host 127.0.0.1", False),
        ("--host 127.0.0.1 --token", True),
        ("--host 0.0.0.0 --allow-host a", True),
        ("--host 0.0.0.0 --allow-host a --no-token", False),
    ],
)
def test_a_token_is_asked_for_where_others_can_come(lab, options, is_asked):
    said = lab("app", *options.split()).err
    token = os.environ[GIVEN]
    assert (len(token) >= 32) == is_asked
    assert (f"/?token={token}\n" in said) == is_asked
    assert ("no token is required" in said) == ("--no-token" in options)


@pytest.mark.parametrize(
    ("options", "variables", "words"),
    [
        ("--host 0.0.0.0", {}, ("--allow-host", "0.0.0.0")),
        ("--host lab.example", {}, ("--allow-host", "lab.example")),
        ("--allow-host x", {ALLOWED: "lab.example.org"}, (ALLOWED, "--allow-host")),
        ("--allow-host http://a.b", {}, ("http://a.b", "a host name alone", "lab.example.org")),
        ("--allow-host a.b/lab", {}, ("a.b/lab", "a host name alone")),
        ("--allow-host a.b:8501", {}, ("a.b:8501", "a host name alone")),
        ("--allow-host *", {}, ("'*'", "DNS rebinding")),
        ("", {ALLOWED: "lab.example *"}, ("'*'", "DNS rebinding")),
        ("--allow-frame a.b", {}, ("--allow-frame", "'a.b'", "https://huggingface.co")),
        ("--allow-frame https://a.b/c", {}, ("--allow-frame", "a path", "https://a.b/c")),
        ("--allow-frame https://a;b", {}, ("--allow-frame", "https://a;b")),
        ("--models *", {}, ("--models", "'*'", "org/*")),
        ("--models /no/such", {}, ("--models", "/no/such")),
        ("--model /no/such", {}, ("model '/no/such' is neither a folder",)),
        ("none.csv", {}, ("'none.csv' does not exist",)),
        ("--port=0", {}, ("1 to 65535", "0")),
        ("--port=65536", {}, ("1 to 65535", "65536")),
        ("--data-dir none", {}, ("--data-dir", "none")),
        ("--data-dir ~nobody-at-all", {}, ("--data-dir", "~nobody-at-all")),
        ("--token", {GIVEN: "x" * 15}, (GIVEN, "16")),
        ("--token", {GIVEN: "has spaces in it ..."}, (GIVEN, "16")),
        ("--token", {GIVEN: os.fsdecode(b"\xc3\xa9" * 20)}, (GIVEN, "16")),
    ],
)
def test_what_cannot_be_served_is_refused(refuses, calls, monkeypatch, options, variables, words):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    refuses("app", *options.split(), words=words)
    assert (calls, os.environ["BERTFLOW_DATA"]) == ([], "before")


@pytest.mark.parametrize(
    ("options", "allowed", "model"),
    [
        ("", "*", ""),
        ("--host localhost --model own/tuned", "*", "own/tuned"),
        ("--host ::1 --models own", "{here}/own:*", ""),
        ("--allow-host a.b", "", ""),
        ("--allow-host a.b --model minilm", "", "minilm"),
        ("--host 0.0.0.0 --allow-host a.b --model own/tuned", "{here}/own/tuned", "tuned"),
        ("--allow-host a.b --models own --models org/*", "{here}/own:org/*", ""),
    ],
)
def test_every_model_may_be_chosen_where_only_this_machine_comes(
    serves, here, tiny_bert, options, allowed, model
):
    (here / "own").mkdir()
    (here / "own" / "tuned").symlink_to(tiny_bert)
    (here / "pairs.csv").write_text("sentence1,sentence2\na,b\n")
    serves("pairs.csv", *options.split())
    assert os.environ["BERTFLOW_MODELS"] == allowed.format(here=here)
    assert os.environ["BERTFLOW_START_MODEL"] == model
    assert os.environ["BERTFLOW_START_TABLE"] == str(here / "pairs.csv")
