"""`app` becomes the dashboard's server, with the options that were given."""

import os
import sys
from pathlib import Path

import pytest


@pytest.fixture
def served(lab, monkeypatch):
    """Return a function that runs `app` and gives the server's arguments."""
    calls = []
    monkeypatch.setattr(os, "execv", lambda *call: calls.append(call))
    monkeypatch.setenv("BERTFLOW_DATA", "before")

    def run(*args):
        outcome = lab("app", *args)
        assert (outcome.code, outcome.out) == (0, ""), outcome
        ((program, words),) = calls
        assert program == words[0] == sys.executable
        assert words[1:4] == ["-m", "streamlit", "run"]
        assert Path(words[4]).is_file()
        assert Path(words[4]).name == "lab.py"
        return outcome.err, dict(word.removeprefix("--").split("=") for word in words[5:])

    return run


def test_the_defaults_serve_this_machine_only(served):
    said, options = served()
    assert said == "BERT-flow Lab on http://127.0.0.1:8501\n"
    assert options == {
        "server.address": "127.0.0.1",
        "server.port": "8501",
        "server.headless": "true",
    }
    assert os.environ["BERTFLOW_DATA"] == "before"


def test_every_option_arrives(served, here):
    (here / "data").mkdir()
    said, options = served("--host", "0.0.0.0", "--port", 80, "--open", "--data-dir", "data")
    assert said == "BERT-flow Lab on http://0.0.0.0:80\n"
    assert options == {
        "server.address": "0.0.0.0",
        "server.port": "80",
        "server.headless": "false",
    }
    assert os.environ["BERTFLOW_DATA"] == "data"


def test_the_server_knows_the_options(served):
    from streamlit import config

    assert set(served()[1]) <= set(config.get_config_options())


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_that_is_none_is_refused(refuses, port):
    refuses("app", f"--port={port}", words=("1 to 65535", port))


@pytest.mark.parametrize("folder", ["none", "pairs.csv", "~nobody-at-all"])
def test_a_data_folder_that_is_none_is_refused(refuses, monkeypatch, table, folder):
    monkeypatch.setenv("BERTFLOW_DATA", "before")
    refuses("app", "--data-dir", folder, words=("--data-dir", folder))
    assert os.environ["BERTFLOW_DATA"] == "before"
