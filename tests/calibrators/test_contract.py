"""The contract of every calibrator, on ordinary data and on degenerate data of encoders."""

import pickle
import re
from functools import cache

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils.estimator_checks import check_estimator

from bertflow_core.arrays.moments import Moments
from bertflow_core.calibrators import (
    CALIBRATORS,
    CalibratorPipeline,
    SoftWhiten,
    Standardize,
    Whiten,
    build_calibrator,
)
from bertflow_core.calibrators.saved import load_calibrator, save_calibrator
from bertflow_core.calibrators.spec import Spec
from bertflow_core.errors import (
    Cancelled,
    InputError,
    NothingLeftError,
    NotInvertibleError,
)

SPECS = [
    *CALIBRATORS,
    "null-top-k:k=0",
    "drop-coordinates:k=0",
    "whiten:n_components=4",
    "whiten:shrinkage=0.2",
    "flow:permutation=reversal,n_levels=1,depth=1",
    "flow:initialization=random,permutation=random,depth=1",
    "soft-whiten:eps=0,rotation=pca",
    "soft-whiten:eps=0.01,power=0.5",
    "flow:preset=released-code,n_levels=2,depth=1",
    "standardize+null-top-k:k=2",
    "standardize+common-component:k=2+whiten:n_components=5,shrinkage=0.1",
    "whiten:shrinkage=0.1+flow:depth=1",
]
D = 12
BY_ROWS = ("flow", "ledoit-wolf", "drop-coordinates")  # not fitted by mean and covariance


def is_one_of(names, spec):
    return any(name in spec for name in names)


def make(spec):
    return build_calibrator(spec, seed=0, device="cpu")


def cloud(n=200, d=D, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(d, d)) / np.sqrt(d) + np.eye(d)
    return (rng.normal(size=(n, d)) @ mixing + rng.normal(size=d) * 3).astype(dtype)


@cache
def fitted(spec):
    """Return a fitted calibrator, shared by all tests that do not change it."""
    return make(spec).fit(cloud())


every_spec = pytest.mark.parametrize("spec", SPECS)


def test_what_no_calibrator_can_take_is_refused():
    x, fit, transform = cloud(), make("whiten").fit, fitted("whiten").transform
    not_finite = [np.where(np.arange(D) == 4, bad, x) for bad in (np.nan, np.inf, -np.inf)]
    for bad in (*not_finite, None, 2.5, "no such thing", [[1], [1, 2]], {"a": 1}, object()):
        for use in (fit, transform):
            with pytest.raises(InputError):
                use(bad)
    for use, bad, words in (
        (transform, cloud(d=D + 1), "features"),
        (fit, x[:1], "sample"),
        (fit, x[0], "1D array"),
    ):
        with pytest.raises(InputError, match=words):
            use(bad)


@every_spec
def test_a_clone_fitted_again_gives_equal_bits_and_leaves_its_input_and_parameters(spec):
    x, few = cloud(), cloud(40, seed=1)
    before, calibrator = x.copy(), clone(fitted(spec))
    torch.manual_seed(1)
    state = torch.get_rng_state()
    parameters = str(calibrator.get_params())
    assert not [name for name in vars(calibrator) if name.endswith("_")]
    for method in ("transform", "inverse_transform", "log_abs_det_jacobian", "score_samples"):
        with pytest.raises(NotFittedError):
            getattr(calibrator, method)(x)
    assert calibrator.fit(few) is calibrator
    other = build_calibrator(spec, seed=1, device="cpu").fit(few)
    assert np.array_equal(other.transform(few), calibrator.transform(few)) != Spec(spec).takes_seed
    np.testing.assert_array_equal(calibrator.fit(x).transform(x), fitted(spec).transform(x))
    assert str(calibrator.get_params()) == parameters
    np.testing.assert_array_equal(x, before)
    assert torch.equal(torch.get_rng_state(), state)


@every_spec
def test_float32_in_gives_float32_out_near_float64(spec):
    x = cloud()
    z64 = fitted(spec).transform(x)
    z32 = make(spec).fit(x.astype(np.float32)).transform(x.astype(np.float32))
    assert z32.dtype == np.float32
    assert z64.dtype == np.float64
    if "flow" not in spec:
        np.testing.assert_allclose(z32, z64, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("spec", [*CALIBRATORS, "standardize+identity", "flow+whiten"])
def test_a_fit_on_float64_uses_every_digit_unless_it_is_bert_flow_s(spec):
    x = cloud()
    rounded = make(spec).fit(x.astype(np.float32).astype(np.float64))
    same = np.array_equal(rounded.transform(x), make(spec).fit(x).transform(x))
    assert same == (spec == "identity" or spec.startswith("flow"))


@every_spec
def test_inverse_undoes_transform_or_says_why_it_cannot(spec):
    x, kept = cloud(), fitted(spec)
    z = kept.transform(x)
    reason = kept.why_not_invertible()
    if reason is None:
        atol = 5e-5 if "released-code" in spec else 2e-5  # its random scales cost a digit
        np.testing.assert_allclose(kept.inverse_transform(z), x, atol=atol)
    else:
        assert reason
        with pytest.raises(NotInvertibleError, match=re.escape(reason)):
            kept.inverse_transform(z)
        assert not hasattr(kept, "score_samples")
    if spec in CALIBRATORS:  # what a class declares is what its fit finds
        declared = type(kept)
        assert (reason is None) == (not declared.invertible.startswith("no:"))
        assert kept.has_density == (declared.density != "no")


@every_spec
def test_log_det_agrees_with_finite_differences(spec):
    x = cloud(d=6)
    square = make(spec.replace("n_components=4", "n_components=6")).fit(x)
    reason = square.why_not_invertible()
    if reason is not None:
        with pytest.raises(NotInvertibleError, match=re.escape(reason)):
            square.log_abs_det_jacobian(x)
        return
    in_float32 = "flow" in spec
    point, step = x[0], 1e-2 if in_float32 else 1e-6
    columns = [
        (square.transform((point + e)[None]) - square.transform((point - e)[None]))[0] / (2 * step)
        for e in step * np.eye(6)
    ]
    expected = np.linalg.slogdet(np.array(columns).T)[1]
    found = square.log_abs_det_jacobian(point[None])
    assert found.shape == (1,)
    assert found[0] == pytest.approx(expected, abs=0.02 if in_float32 else 1e-5)


@every_spec
def test_a_pickle_and_a_saved_folder_give_equal_bits(spec, tmp_path):
    x, kept = cloud(), fitted(spec)
    assert type(kept).__name__ in repr(kept)
    save_calibrator(kept, tmp_path / "saved", spec=spec, recipe={"seed": 0})
    loaded, config = load_calibrator(tmp_path / "saved")
    assert config["recipe"] == {"seed": 0}
    for copy in (loaded, pickle.loads(pickle.dumps(kept))):
        np.testing.assert_array_equal(copy.transform(x), kept.transform(x))
        assert copy.notes_ == kept.notes_
        if kept.why_not_invertible() is None:
            np.testing.assert_array_equal(copy.score_samples(x), kept.score_samples(x))


KINDS = {
    "plain": lambda x: x,
    "layer-norm": lambda x: (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True),
    "dead": lambda x: np.column_stack([0 * x[:, 0], 0 * x[:, 1] + 7.5, 1e-9 * x[:, 3], x[:, 3:]]),
    "far": lambda x: x + 1e4,
    "tiny": lambda x: 1e-6 * x,
}


@every_spec
def test_no_nan_whatever_the_data(spec):
    for kind, change in KINDS.items():
        for n in (2, D + 1):
            x = change(cloud(n)).astype(np.float32)
            try:
                fresh = make(spec).fit(x)
            except NothingLeftError as error:  # two rows differ along one direction
                assert n == 2 and is_one_of(("k=", "top", "component"), spec)
                assert "rank" in str(error)
                continue
            z = fresh.transform(x)
            assert np.isfinite(z).all(), (kind, n)
            assert len(z) == len(x), (kind, n)
            if fresh.why_not_invertible() is None:
                assert np.isfinite(fresh.score_samples(x)).all(), (kind, n)
    for same in (np.zeros(D), np.ones(D), np.linspace(0.1, 0.9, D)):
        for dtype in (np.float32, np.float64):
            x = np.tile(same, (7, 1)).astype(dtype)
            if spec == "identity":
                np.testing.assert_array_equal(make(spec).fit_transform(x), x)
            elif "common-component" not in spec or spec.startswith("standardize") or not same.any():
                with pytest.raises(NothingLeftError, match="all sentences have the same embedding"):
                    make(spec).fit(x)


@pytest.mark.parametrize("spec", ["standardize", "whiten", "standardize+whiten"])
def test_few_rows_and_numbers_without_digits_are_refused_and_the_largest_taken_in_silence(
    spec, recwarn
):
    for n in (0, 1):
        with pytest.raises(InputError, match=rf"needs at least 2 rows.* got {n} s"):
            make(spec).fit(cloud(2)[:n])
    x = cloud()
    x = (x / np.abs(x).max() * 0.9 * np.finfo(np.float32).max).astype(np.float32)
    assert np.isfinite(make(spec).fit(x).transform(x)).all()
    z = make(spec).fit(cloud()).transform(cloud())
    np.testing.assert_allclose(make(spec).fit(1e-60 * cloud()).transform(1e-60 * cloud()), z, 1e-6)
    for small in ((1e-40 * cloud()).astype(np.float32), 1e-160 * cloud()):  # few digits are left
        with pytest.raises(NothingLeftError):
            make(spec).fit(small)
    assert not recwarn.list


@every_spec
def test_progress_counts_up_and_may_cancel_a_fit_that_reports(spec):
    seen = []

    def stop(done, total, unit):
        raise Cancelled("stopped")

    make(spec).fit(cloud(40), progress=lambda *report: seen.append(report))
    assert bool(seen) == ("flow" in spec)
    assert all(0 <= done <= total for done, total, _ in seen)

    calibrator = make(spec)
    if "flow" in spec:
        with pytest.raises(Cancelled):
            calibrator.fit(cloud(), progress=stop)
        assert not [name for name in vars(calibrator) if name.endswith("_")]
        with pytest.raises(NotFittedError):
            calibrator.transform(cloud())
    else:
        calibrator.fit(cloud(), progress=stop)


def test_a_pipeline_is_its_steps_one_after_another_and_its_density_integrates_to_one():
    x = cloud(300, 2)
    pipeline = make("standardize+flow:n_levels=1,epochs=10,lr=0.01").fit(x)
    first = make("standardize").fit(x)
    second = make("flow:n_levels=1,epochs=10,lr=0.01").fit(first.transform(x))
    expected = second.transform(first.transform(x))
    np.testing.assert_array_equal(pipeline.transform(x), expected)
    assert not any(hasattr(step, "notes_") for step in pipeline.steps)  # copies were fitted
    axes = [
        np.linspace(c - 9 * s, c + 9 * s, 300) for c, s in zip(x.mean(0), x.std(0), strict=True)
    ]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    cell = np.prod([axis[1] - axis[0] for axis in axes])
    assert np.exp(pipeline.score_samples(grid)).sum() * cell == pytest.approx(1, abs=5e-3)


def test_a_pipeline_has_the_parameters_of_scikit_learn_s():
    pipeline = CalibratorPipeline((Standardize(), Whiten(n_components=3), Standardize()))
    named = pipeline.named_steps
    assert [*named] == ["standardize-1", "whiten", "standardize-2"]
    found, theirs = pipeline.get_params(), Pipeline([*named.items()]).get_params()
    assert found.pop("steps") is pipeline.steps
    assert found.items() == {k: v for k, v in theirs.items() if k in found}.items()
    assert theirs.keys() - found.keys() == Pipeline([]).get_params(deep=False).keys()
    pipeline.set_params(**{"standardize-2": SoftWhiten(), "standardize-2__eps": 0.5})
    assert pipeline.spec == "standardize+whiten:n_components=3+soft-whiten:eps=0.5"
    assert pipeline.set_params(steps=[*named.values()], whiten__shrinkage=0.2) is pipeline
    assert pipeline.spec == "standardize+whiten:n_components=3,shrinkage=0.2+standardize"
    for wrong, said in (
        ({"whiten__shrinkag": 0.1}, "parameter of whiten 'shrinkag': did you mean shrinkage"),
        ({"standardize": Whiten()}, "'standardize': did you mean standardize-2 or standardize-1"),
        ({"whiten": "passthrough"}, "step whiten must be a calibrator, got 'passthrough'"),
    ):
        before = pipeline.get_params()
        with pytest.raises(InputError, match=said):
            pipeline.set_params(**wrong)
        assert pipeline.get_params() == before
    with pytest.raises(InputError, match="needs one or more calibrators"):
        pipeline.set_params(steps=[("whiten", Whiten())]).fit(cloud())


@pytest.mark.parametrize("spec", [spec for spec in SPECS if not is_one_of(BY_ROWS, spec)])
def test_rows_in_memory_moments_of_chunks_and_a_mapped_file_give_one_fit(spec, tmp_path):
    x = cloud(5_000, dtype=np.float32)
    chunks = np.split(x, [1, 2, 700, 4_999])
    moments = Moments.of(chunks[-1])
    for chunk in chunks[:-1]:
        moments = Moments.of(chunk).merge(moments)
    rows = make(spec).fit(x)
    expected = rows.transform(x)
    gathered = make(spec).fit_moments(moments)
    assert (gathered.n_features_in_, gathered.notes_, moments.n) == (D, rows.notes_, 5_000)
    np.save(tmp_path / "x.npy", x)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    for z in (gathered.transform(x), make(spec).fit(mapped).transform(mapped)):
        assert z.dtype == np.float32
        np.testing.assert_allclose(z, expected, atol=2e-6 * np.abs(expected).max())
    x[4_800, 3] = np.nan
    np.save(tmp_path / "bad.npy", x)
    for use in (make(spec).fit, rows.transform):
        with pytest.raises(InputError, match="NaN"):
            use(np.load(tmp_path / "bad.npy", mmap_mode="r"))
    with pytest.raises(InputError, match="at least 2 rows"):
        make(spec).fit_moments(Moments.of(x[:1]))


@pytest.mark.parametrize("spec", ["flow", "flow:permutation=reversal,epochs=0.1"])
def test_a_flow_is_fitted_to_a_mapped_file_where_it_lies_bit_for_bit(spec, tmp_path, recwarn):
    x = cloud(5_000, dtype=np.float32)
    np.save(tmp_path / "x.npy", x)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    from_file, expected = make(spec).fit(mapped), make(spec).fit(x).transform(x)
    np.testing.assert_array_equal(from_file.transform(mapped), expected)
    blocks = from_file.transform_blocks(mapped)
    np.testing.assert_array_equal(np.concatenate([*blocks]), expected)
    np.testing.assert_array_equal(mapped, x)
    assert not recwarn.list


@pytest.mark.parametrize("name", [*CALIBRATORS, "standardize+null-top-k:k=1"])
def test_it_passes_scikit_learn_s_checks_of_an_estimator(name):
    small = {"flow": "flow:n_levels=1,depth=1,coupling_width=4,epochs=0.1"}.get(name, name)
    results = check_estimator(build_calibrator(small), on_skip=None)
    assert len(results) >= 47
    assert {each["status"] for each in results} <= {"passed", "skipped"}


def test_a_flow_of_few_steps_and_levels_is_noted():
    hardly = "hardly trained (20 steps); fit on more sentences or raise epochs"
    fewer = "2 features allow 1 of the 2 levels"
    for d, epochs, notes in ((D, 2, (hardly,)), (D, 5, ()), (2, 2, (fewer, hardly))):
        calibrator = make(f"flow:epochs={epochs},batch_size=4").fit(cloud(40, d))
        assert len(calibrator.steps_) == 10 * epochs
        assert calibrator.notes_ == notes
