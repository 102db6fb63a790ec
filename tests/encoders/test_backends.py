"""A network compiled by OpenVINO: the vectors of torch, of every kind, or a sentence of refusal."""

import signal
import subprocess
import sys

import numpy as np
import pytest
from tiny_models import save_tiny_model

from bertflow_core.encoders import DeclaredEncoder, backends, open_declared, resolve_model
from bertflow_core.encoders.backends import check_backend
from bertflow_core.errors import InputError
from bertflow_core.store import EmbeddingStore

SENTENCES = ["a cat", "the cat sat on the mat.", "big dog!", "the red cat", "zebra " * 60]
INTERRUPTED = """
import signal, sys
from bertflow_core.encoders import TransformerEncoder, resolve_model

signal.signal(signal.SIGINT, signal.default_int_handler)
model = resolve_model(sys.argv[1])
first, second = (
    TransformerEncoder(model, max_length=40, device="cpu", backend="openvino") for _ in "12"
)
for encoder in (first, second):
    encoder.encode(["a cat"])
del encoder, first
del second
signal.raise_signal(signal.SIGINT)
"""
FAMILIES = ("bert", "mpnet", "modernbert", "qwen3")
"""One with absolute positions, relative ones, local attention; and a decoder."""


@pytest.fixture(scope="module", autouse=True)
def _installed():
    pytest.importorskip("openvino", reason="the extra openvino is not installed")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_kind_of_vector_is_that_of_torch(family, tmp_path, open_encoder):
    folder = save_tiny_model(tmp_path / family, family)
    expected = open_encoder(folder).encode(SENTENCES)
    found = open_encoder(folder, backend="openvino").encode(SENTENCES)
    np.testing.assert_allclose(found.vectors, expected.vectors, rtol=1e-3, atol=1e-3)
    np.testing.assert_array_equal(found.n_tokens, expected.n_tokens)
    assert found.cut[-1]


def test_what_a_folder_declares_is_that_of_torch_too(minilm):
    folder = open_declared(resolve_model(str(minilm)))
    expected, found = (
        DeclaredEncoder(folder, device="cpu", backend=name).encode(SENTENCES).vectors
        for name in ("torch", "openvino")
    )
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


def test_its_vectors_are_stored_apart_from_those_of_torch(tiny_bert, open_encoder, tmp_path):
    store = EmbeddingStore(tmp_path)
    torchs, graphs = (open_encoder(tiny_bert, backend=name) for name in ("torch", "openvino"))
    store.embed(torchs, SENTENCES, layers="last")
    assert store.missing(graphs, SENTENCES) == len(SENTENCES)
    assert graphs.description["openvino"]
    assert "backend" not in torchs.description  # what was stored before there was a choice counts


def test_a_graph_is_compiled_once_and_again_for_other_layers(tiny_bert, open_encoder, monkeypatch):
    compiled, compile_graph = [], backends._compile
    monkeypatch.setattr(
        backends, "_compile", lambda *given: compiled.append(1) or compile_graph(*given)
    )
    encoder = open_encoder(tiny_bert, backend="openvino")
    counts = []
    for kind in ("layer.3.mean", "layer.3.mean", "layer.1.cls"):
        list(encoder.encode_blocks(SENTENCES, kinds=(kind,)))
        counts.append(len(compiled))
    assert counts == [1, 1, 2]


def test_ctrl_c_is_heard_when_graphs_are_gone(tiny_bert):
    """A process without the stack that a Core gave its thread would end by a fault of memory."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tiny_bert)], capture_output=True, text=True
    )
    assert done.returncode == -signal.SIGINT
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"


def test_no_use_is_reported_to_openvinos_makers(tiny_bert, open_encoder, monkeypatch):
    reports = []
    name = "openvino_telemetry.utils.sender.TelemetrySender.send"
    monkeypatch.setattr(name, lambda *given: reports.append(given))
    open_encoder(tiny_bert, backend="openvino").encode(SENTENCES)
    assert reports == []


def test_vectors_that_are_not_those_of_torch_are_refused(tiny_bert, open_encoder, monkeypatch):
    by_torch = backends._by_torch
    monkeypatch.setattr(backends, "_by_torch", lambda *given: by_torch(*given)[..., ::-1])
    with pytest.raises(InputError, match=r"are not those of torch .* take the backend torch"):
        open_encoder(tiny_bert, backend="openvino").encode(SENTENCES)


def test_a_backend_that_cannot_run_is_refused_before_anything_is_loaded(monkeypatch):
    check_backend("torch", "cuda")
    with pytest.raises(InputError, match="'onnx': expected one of torch, openvino"):
        check_backend("onnx")
    with pytest.raises(InputError, match="openvino runs on the CPU: leave --device cuda out"):
        check_backend("openvino", "cuda")
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(InputError, match=r"pip install .bertflow-lab\[openvino\]"):
        check_backend("openvino")
