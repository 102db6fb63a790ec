"""The stage that embeds with a tiny encoder."""

from pathlib import Path

import pytest
from tiny_models import MAX_TOKENS

from bertflow_core.scale import Embed


@pytest.fixture
def embed(tiny_bert: Path) -> Embed:
    return Embed(str(tiny_bert), layers="layer:2", max_length=MAX_TOKENS, device="cpu")
