"""What is kept for visitors stays within its bounds, whoever brings and takes at the same time."""

import threading

from bertflow_app.kept import Kept


def there(kept, keys):
    return [key for key in keys if kept.get(key) is not None]


def test_the_least_recently_used_goes_first():
    kept = Kept(2)
    for key in "ab":
        kept.put(key, key)
    assert kept.get("a") == "a"
    kept.put("c", "c")
    assert there(kept, "abc") == ["a", "c"]


def test_what_visitors_brought_goes_where_it_is_too_large_but_for_the_latest():
    kept = Kept(8, most_bytes=100)
    for key in "ab":
        kept.put(key, key, 60)
    assert there(kept, "ab") == ["b"]
    kept.put("c", "c", 500)
    assert there(kept, "bc") == ["c"]
    kept.put("c", "again", 50)
    kept.put("d", "d", 50)
    assert there(kept, "cd") == ["c", "d"]


def test_many_visitors_at_once_stay_within_the_bound():
    kept, faults = Kept(8), []

    def use(visitor):
        try:
            for i in range(100):
                key = f"{visitor} {i}"
                kept.put(key, key)
                assert kept.get(key) in (None, key)
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=use, args=(visitor,)) for visitor in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert len(there(kept, [f"{visitor} {i}" for visitor in range(8) for i in range(100)])) == 8
