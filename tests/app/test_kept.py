"""What is kept for visitors stays within one bound, whoever brings and takes at the same time."""

import threading

import numpy as np
import pytest
from bertflow_app.kept import Kept


def there(kept, keys):
    return [key for key in keys if any(value[0] == key for value in kept.values())]


@pytest.fixture
def kept():
    return Kept(100_000)


def bring(kept, key, size):
    kept.put(key, (key, bytes(size)))


def test_the_least_recently_used_goes_first(kept):
    for key in "ab":
        bring(kept, key, 40_000)
    assert kept.get("a")[0] == "a"
    bring(kept, "c", 40_000)
    assert kept.get("b") is None
    assert there(kept, "abc") == ["a", "c"]
    assert 80_000 < kept.nbytes <= 100_000


def test_the_latest_is_kept_whatever_it_holds_until_the_next(kept):
    bring(kept, "a", 10)
    bring(kept, "b", 500_000)
    assert there(kept, "ab") == ["b"]
    bring(kept, "c", 10)
    assert there(kept, "bc") == ["c"]


def test_a_value_that_is_put_again_counts_once(kept):
    for _ in range(3):
        bring(kept, "a", 60_000)
    assert kept.nbytes < 70_000


def test_what_two_values_share_counts_once_and_goes_with_the_last(kept):
    shared = np.zeros(10_000)
    for key in "abc":
        kept.put(key, (key, shared[1:], {"all": shared}))
    assert shared.nbytes <= kept.nbytes < 100_000
    assert there(kept, "abc") == [*"abc"]
    bring(kept, "d", 30_000)  # whoever goes, the array stays with the others
    assert there(kept, "abcd") == ["d"]


@pytest.mark.parametrize("wrap", [tuple, list, lambda rows: {"rows": rows}, dict.fromkeys, iter])
def test_what_lies_in_lists_tuples_and_mappings_counts(kept, wrap):
    for i, key in enumerate("abcd"):
        kept.put(key, (key, wrap([bytes(20_000 + i), bytes(20_001 + i)])))
    assert there(kept, "abcd") == ["c", "d"]


def test_many_visitors_at_once_stay_within_the_limit(kept):
    faults = []

    def use(visitor):
        try:
            for i in range(100):
                key = f"{visitor} {i}"
                bring(kept, key, 1_000)
                found = kept.get(key)
                assert found is None or found[0] == key
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=use, args=(visitor,)) for visitor in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert 0 < kept.nbytes <= 100_000
