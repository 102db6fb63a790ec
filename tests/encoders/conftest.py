"""Encoders made short: a folder in, a `TransformerEncoder` out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bertflow_core.encoders import TransformerEncoder, resolve_model


@pytest.fixture(scope="session")
def open_encoder() -> Callable[..., TransformerEncoder]:
    """Return a function that opens the encoder of a folder, on the CPU."""

    def open_folder(folder: Path, **options: object) -> TransformerEncoder:
        options = {"max_length": 40, "device": "cpu", **options}
        return TransformerEncoder(resolve_model(str(folder)), **options)

    return open_folder
