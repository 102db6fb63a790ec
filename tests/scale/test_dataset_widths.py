"""How wide the vectors of a Ray dataset are: most of its rows decide, not each block by itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bertflow_core.errors import InputError
from bertflow_core.moments import Moments
from bertflow_core.scale import moments, sample

X = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32)


@dataclass(frozen=True)
class Blocks:
    """What is used of a Ray dataset."""

    blocks: list[pa.Table]

    def map_batches(self, make: Callable[[Any], Any], **options: Any) -> "Blocks":
        return Blocks([make(block) for block in self.blocks])

    def iter_rows(self) -> Iterator[dict[str, Any]]:
        for block in self.blocks:
            yield from ({name: block[name][i] for name in block} for i in range(1))

    def limit(self, n: int) -> "Blocks":
        whole = pa.concat_tables(self.blocks).slice(0, n)
        return Blocks([whole.slice(0, len(whole) // 2), whole.slice(len(whole) // 2)])

    def count(self) -> int:
        return sum(len(block) for block in self.blocks)


def block(first: int, vectors: list[Any]) -> pa.Table:
    ids = list(range(first, first + len(vectors)))
    return pa.table({"id": ids, "vector": pa.array(vectors, pa.list_(pa.float32()))})


DAMAGED = Blocks([block(0, [[1.0, 2.0]]), block(1, list(X)), block(41, [[5.0]] * 2)])


def test_a_damaged_block_is_left_out():
    with pytest.warns(UserWarning, match="3 rows are left out .*expected 3"):
        found = moments(DAMAGED)
    expected = Moments.of(X)
    assert found.n == 40
    np.testing.assert_allclose(found.mean, expected.mean, atol=1e-6)
    np.testing.assert_allclose(found.m2, expected.m2, atol=1e-5)
    with pytest.warns(UserWarning, match="3 rows are left out"):
        drawn = sample(DAMAGED, 100)
    np.testing.assert_array_equal(np.sort(drawn, axis=0), np.sort(X, axis=0))


def test_two_widths_of_as_many_rows_are_refused():
    both = Blocks([block(0, list(X)), block(40, list(X[:, :2]))])
    for reduce in (moments, lambda dataset: sample(dataset, 5)):
        with pytest.raises(InputError, match="different widths"):
            reduce(both)
