"""What is kept for visitors stays within its bounds, whoever brings and takes at the same time."""

import numpy as np
from bertflow_app.jobs import Job
from bertflow_app.kept import Kept, size_of

from bertflow_core.datasets import RawFile
from bertflow_core.report import Column, Table


def there(kept, keys):
    return [key for key in keys if kept.get(key) is not None]


def test_the_least_recently_used_goes_first():
    kept = Kept(2)
    for key in "ab":
        kept.put(key, key)
    assert kept.get("a") == "a"
    kept.put("c", "c")
    assert there(kept, "abc") == ["a", "c"]


def test_what_holds_too_much_goes_but_for_the_latest():
    kept = Kept(8, most_bytes=100)
    for key in "ab":
        kept.put(key, RawFile(key, bytes(60)))
    assert there(kept, "ab") == ["b"]
    kept.put("c", bytes(500))
    assert there(kept, "bc") == ["c"]
    kept.put("c", bytes(50))
    kept.put("d", np.zeros(50, np.int8))
    assert there(kept, "cd") == ["c", "d"]


def test_arrays_are_counted_once_wherever_they_lie():
    x = np.zeros((10, 4), np.float32)
    table = Table([Column("a")], [{"a": x, "b": x[:5]}])
    job = Job("key", work=list, result=[table, {"again": x.T}, RawFile("a.csv", b"12345")])
    assert size_of(job) == x.nbytes + 5
    job.result.append(job)
    assert size_of(job) == x.nbytes + 5
