"""`app` becomes the dashboard's server, with the options that were given."""

import os
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def calls(monkeypatch):
    """What the process would have become; it stays what it is."""
    found = []
    monkeypatch.setattr(os, "execv", lambda *call: found.append(call))
    monkeypatch.setenv("BERTFLOW_DATA", "before")
    return found


@pytest.fixture
def served(lab, calls):
    """Return a function that runs `app` and gives the server's arguments."""

    def run(*args):
        outcome = lab("app", *args)
        assert (outcome.code, outcome.out) == (0, ""), outcome
        ((program, words),) = calls
        assert program == words[0] == sys.executable
        assert words[1:5] == ["-P", "-m", "streamlit", "run"]
        assert Path(words[5]).is_file()
        assert Path(words[5]).name == "lab.py"
        return outcome.err, dict(word.removeprefix("--").split("=") for word in words[6:])

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
        "server.allowedHosts": "*",
    }
    assert os.environ["BERTFLOW_DATA"] == "data"


def test_the_server_knows_the_options(served):
    from streamlit import config

    assert set(served()[1]) <= set(config.get_config_options())


@pytest.mark.parametrize(
    ("host", "url", "names"),
    [
        ("127.0.0.1", "http://127.0.0.1:8501", []),
        ("localhost", "http://localhost:8501", []),
        ("0.0.0.0", "http://0.0.0.0:8501", ["*"]),
        ("::", "http://[::]:8501", ["*"]),
        ("192.0.2.7", "http://192.0.2.7:8501", ["localhost", "127.0.0.1", "192.0.2.7"]),
    ],
)
def test_the_names_that_browsers_may_use(lab, calls, host, url, names):
    from streamlit import config

    assert lab("app", "--host", host).err == f"BERT-flow Lab on {url}\n"
    start = "--server.allowedHosts="
    assert [word.removeprefix(start) for word in calls[0][1] if word.startswith(start)] == names
    assert "server.allowedHosts" in config.get_config_options()


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_that_is_none_is_refused(refuses, calls, port):
    refuses("app", f"--port={port}", words=("1 to 65535", port))
    assert calls == []


@pytest.mark.parametrize("folder", ["none", "pairs.csv", "~nobody-at-all"])
def test_a_data_folder_that_is_none_is_refused(refuses, calls, table, folder):
    refuses("app", "--data-dir", folder, words=("--data-dir", folder))
    assert calls == []
    assert os.environ["BERTFLOW_DATA"] == "before"
