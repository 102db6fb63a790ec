"""The walls around every test: no other machine, and no cache but the run's own."""

import os
import socket
from pathlib import Path

import pytest

from bertflow_core.store import EmbeddingStore


@pytest.mark.parametrize("method", ["connect", "connect_ex"])
def test_another_machine_cannot_be_reached(method):
    with socket.socket() as stream, pytest.raises(AssertionError, match=r"network: 192\.0\.2\.1"):
        getattr(stream, method)(("192.0.2.1", 80))


def test_the_address_of_another_machine_cannot_be_asked_for():
    with pytest.raises(AssertionError, match=r"network: example\.org"):
        socket.create_connection(("example.org", 80))


def test_this_machine_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1])).close()


def test_the_hubs_client_is_offline():
    from huggingface_hub import is_offline_mode

    assert is_offline_mode()


def test_the_cache_is_temporary(tmp_path_factory):
    root = EmbeddingStore().root
    assert root == Path(os.environ["BERTFLOW_CACHE"])
    run = tmp_path_factory.getbasetemp()
    assert root.parent in (run, run.parent)


@pytest.mark.parametrize("attempt", [1, 2])
def test_a_cache_of_ones_own_is_new(attempt, own_cache):
    assert EmbeddingStore().root == own_cache
    assert not own_cache.exists()
    own_cache.mkdir(parents=True)
