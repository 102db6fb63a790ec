"""Fits in one pass: on moments of chunks and over mapped files, against fits on all rows."""

import numpy as np
import pytest

from bertflow_core.calibrators import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.moments import Moments

RNG = np.random.default_rng(0)
X = (RNG.normal(size=(5_000, 12)) @ RNG.normal(size=(12, 12)) + 5).astype(np.float32)
CHUNKS = np.split(X, [1, 2, 700, 4_999])
CLOSED_FORMS = (
    "identity",
    "standardize",
    "null-top-k:k=3",
    "null-top-k:k=0",
    "all-but-the-top",
    "common-component:k=2",
    "whiten",
    "whiten:n_components=4,shrinkage=0.1",
    "soft-whiten",
    "soft-whiten:rotation=pca,eps=0",
    "standardize+null-top-k:k=2",
    "standardize+common-component+whiten:n_components=5",
)


def gathered():
    moments = Moments.of(CHUNKS[-1])
    for chunk in CHUNKS[:-1]:
        moments = Moments.of(chunk).merge(moments)
    return moments


def same(a, b):
    np.testing.assert_allclose(a, b, atol=2e-6 * np.abs(b).max())


@pytest.mark.parametrize("spec", CLOSED_FORMS)
def test_rows_in_memory_moments_of_chunks_and_a_mapped_file_give_one_fit(spec, tmp_path):
    rows = build_calibrator(spec).fit(X)
    expected = rows.transform(X)
    fitted = build_calibrator(spec).fit_moments(gathered())
    same(fitted.transform(X), expected)
    assert (fitted.n_features_in_, fitted.notes_, gathered().n) == (12, rows.notes_, 5_000)
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    z = build_calibrator(spec).fit(mapped).transform(mapped)
    assert z.dtype == np.float32
    same(z, expected)
    bad = X.copy()
    bad[4_800, 3] = np.nan
    np.save(tmp_path / "bad.npy", bad)
    for use in (build_calibrator(spec).fit, rows.transform):
        with pytest.raises(InputError, match="NaN"):
            use(np.load(tmp_path / "bad.npy", mmap_mode="r"))


@pytest.mark.parametrize("spec", ["flow", "flow:permutation=linear,epochs=0.1"])
def test_a_flow_is_fitted_to_a_mapped_file_where_it_lies_bit_for_bit(spec, tmp_path, recwarn):
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    from_file = build_calibrator(spec, device="cpu").fit(mapped)
    expected = build_calibrator(spec, device="cpu").fit(X).transform(X)
    np.testing.assert_array_equal(from_file.transform(mapped), expected)
    blocks = from_file.transform_blocks(mapped)
    np.testing.assert_array_equal(np.concatenate([*blocks]), expected)
    np.testing.assert_array_equal(mapped, X)
    assert not recwarn.list


def test_moments_of_one_row_do_not_suffice():
    with pytest.raises(InputError, match="at least 2 rows"):
        build_calibrator("standardize").fit_moments(Moments.of(X[:1]))
