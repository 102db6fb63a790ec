"""Ctrl-C: exit code 130, one sentence, nothing half written."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from tiny_models import MAX_TOKENS, WORDS
from waiting import PATIENCE, wait_for

from bertflow_core.cli import main
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import Cancelled
from bertflow_core.store import EmbeddingStore

termios = pytest.importorskip("termios")  # signals and terminals are those of Unix

# Python heeds Ctrl-C only where its parent did; blocks are as small as they can be.
CODE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from bertflow_core.cli import main
from bertflow_core.encoders import transformer
transformer._BLOCK_BYTES = 1
from bertflow_core.cli import main
main()
"""


def start(*args):
    words = [sys.executable, "-c", CODE, *map(str, args)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait(process, is_at_work):
    def has_begun():
        assert process.poll() is None, process.communicate()
        return is_at_work()

    wait_for(has_begun)


def interrupt(process):
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "bertflow-lab: interrupted; what was computed so far is kept"


@pytest.fixture
def many(here):
    """A text file of 8,000 different sentences, `many.txt`."""
    text = "".join(f"{WORDS[i % len(WORDS)]} {i} {i * i}\n" for i in range(8_000))
    (here / "many.txt").write_text(text, encoding="utf-8")
    return here / "many.txt"


def test_in_the_midst_of_embedding(many, here, tiny_bert, tiny):
    process = start("embed", many, *tiny, "--out", "x.npy")
    root = EmbeddingStore().root
    wait(process, lambda: len(list(root.rglob("*.safetensors"))) >= 3)
    interrupt(process)
    assert [path.name for path in here.iterdir()] == ["many.txt"]
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS)
    sentences = many.read_text(encoding="utf-8").splitlines()
    missing = EmbeddingStore().missing(encoder, sentences)
    assert 0 < missing <= len(sentences) - 3 * 32


@pytest.mark.parametrize("command", ["evaluate", "embed", "fit", "calibrate", "data"])
def test_anywhere_in_this_process(refuses, works, monkeypatch, table, sentences, tiny, command):
    works("fit", *tiny, "--dataset", table, "--calibrator", "identity", "--out", "c")
    args = {
        "evaluate": (*tiny, "--dataset", table, "--calibrator", "identity"),
        "embed": (sentences, *tiny, "--out", "x.npy"),
        "fit": (*tiny, "--dataset", table, "--out", "d"),
        "calibrate": (sentences, "--calibrator", "c", "--out", "x.npy"),
        "data": ("cache",),
    }
    method = "entries" if command == "data" else "embed"
    for fault in (KeyboardInterrupt, Cancelled):

        def stop(*_, fault=fault, **__):
            raise fault("stopped on request")

        monkeypatch.setattr(EmbeddingStore, method, stop)
        words = "stopped on request" if fault is Cancelled else "interrupted"
        refuses(command, *args[command], code=130, words=words)


def test_bars_are_drawn_on_a_terminals_standard_error_only(table, tiny, monkeypatch, capsys):
    outer, inner = os.openpty()
    termios.tcsetwinsize(inner, (24, 80))
    drawn = []
    reader = threading.Thread(target=lambda: drawn.extend(iter(lambda: read(outer), b"")))
    reader.start()
    flow = ("--calibrator", "flow:epochs=20,batch_size=2", "--format", "json")
    with os.fdopen(inner, "w") as terminal, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        with pytest.raises(SystemExit) as left:
            main(["evaluate", *tiny, "--dataset", str(table), *flow])
    reader.join()
    os.close(outer)
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith("{")
    text = b"".join(drawn)
    assert b"sentences" in text
    assert b"steps" in text
    assert b"Traceback" not in text


def read(terminal):
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other end is closed
        return b""
