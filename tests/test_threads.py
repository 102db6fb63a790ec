"""One thread of torch is that of the calling thread alone."""

import threading

import pytest
from torch_threads import thread_counts, torch_threads
from waiting import PATIENCE, wait_for

from bertflow_core.device import one_thread, stay_on_one_thread


@pytest.fixture(autouse=True)
def _three():
    with torch_threads(3):
        yield


def test_no_other_thread_takes_the_number_over():
    with one_thread():
        assert thread_counts() == (1, 3)
    assert thread_counts() == (3, 3)


def test_a_thread_that_stays_on_one_is_alone_in_it():
    counts = []
    new = threading.Thread(target=lambda: (stay_on_one_thread(), counts.append(thread_counts())))
    new.start()
    new.join()
    assert counts == [(1, 3)]
    assert thread_counts() == (3, 3)


def test_blocks_of_two_threads_may_overlap():
    """The second begins within the first block and ends after it."""
    counts, first_ended = [], threading.Event()

    def second():
        with one_thread():
            counts.append(thread_counts())
            first_ended.wait(PATIENCE)
            counts.append(thread_counts())
        counts.append(thread_counts())

    with one_thread():
        other = threading.Thread(target=second)
        other.start()
        wait_for(lambda: counts)
    first_ended.set()
    other.join()
    assert counts == [(1, 3), (1, 3), (3, 3)]
    assert thread_counts() == (3, 3)
