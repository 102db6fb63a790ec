"""Fixtures that open encoders, record which networks are loaded, and save small models."""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from declared_models import OURS, THEIRS, Makers

from bertflow_core.encoders import TransformerEncoder, resolve_model


@pytest.fixture(scope="session")
def open_encoder() -> Callable[..., TransformerEncoder]:
    """Return a function that opens the encoder of a folder, on the CPU."""

    def open_folder(folder: Path, **options: object) -> TransformerEncoder:
        options = {"max_length": 40, "device": "cpu", **options}
        return TransformerEncoder(resolve_model(str(folder)), **options)

    return open_folder


@pytest.fixture(scope="session")
def shared_encoder(open_encoder: Callable[..., TransformerEncoder]) -> Callable[..., Any]:
    """Return a function from a folder to its encoder, made and loaded once."""
    return cache(open_encoder)


@pytest.fixture
def folder(tiny_bert: Path, tmp_path: Path) -> Path:
    """A copy of the tiny BERT that a test may change."""
    return shutil.copytree(tiny_bert, tmp_path / "model")


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A list of the networks that the test loads."""
    import transformers

    networks: list[Any] = []
    for kind in (transformers.AutoModel, transformers.AutoModelForTextEncoding):

        def load(*args: Any, real: Any = kind.from_pretrained, **options: Any) -> Any:
            found = real(*args, **options)
            networks.append(found[0])
            return found

        monkeypatch.setattr(kind, "from_pretrained", load)
    return networks


@pytest.fixture(scope="session")
def saved(tiny_folder: Callable[[str], Path]) -> Callable[..., Path]:
    """Return a function that saves a model of `declared_models` below a folder."""
    from sentence_transformers import SentenceTransformer

    makers = Makers(tiny_folder)

    def save(folder: Path, name: str, **settings: Any) -> Path:
        modules = [*{**OURS, **THEIRS}[name](makers)]
        network = SentenceTransformer(modules=modules, device="cpu", **settings)
        network.save_pretrained(str(folder / "model"), create_model_card=False)
        return folder / "model"

    return save
