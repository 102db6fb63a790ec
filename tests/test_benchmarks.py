"""The benchmarks' machinery: records, tables, peaks, and that like is compared with like.

No time is asserted: machines are shared and noisy.
"""

import os
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"


@pytest.fixture
def module(monkeypatch):
    """Import a module of the benchmarks, which are not installed."""
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: import_module(f"benchmarks.{name}")


def test_a_quick_suite_records_all_that_its_numbers_depend_on(module, monkeypatch):
    forms = module("closed_forms")
    comparisons = forms.comparisons
    monkeypatch.setattr(
        forms, "comparisons", lambda *size, quick: comparisons(2_000, 64, quick=quick)[:1]
    )
    monkeypatch.setattr(os, "environ", os.environ.copy())
    (record,) = module("suites").measure(["linear"], quick=True)
    assert set(record) == {"benchmark", "date", "machine", "versions", "recipe", "results"}
    (row,) = record["results"]
    assert [row["name"], row["peer"]] == ["standardize-64", "scikit-learn"]
    assert row["spread"][0] <= row["ratio"] <= row["spread"][1]
    assert min(row["seconds"], row["peer_seconds"], row["spread"][0]) > 0
    assert 0 < row["checks"]["max_error"] < 1e-5


@pytest.fixture
def measured(module):
    """Do every way of a comparison once, and return what its checks say of each."""
    measure = module("measure")

    def check(comparison):
        ways = [comparison.peer, *comparison.ways]
        found = {
            way.name: measure.Measured(
                way.name, 1, 1, (1, 1), result=way.prepare(**dict(way.arguments))()
            )
            for way in ways
        }
        return comparison.checks(found)

    return check


def test_every_closed_form_is_that_of_numpy_in_float64(module, measured):
    for comparison in module("closed_forms").comparisons(2_000, 64, quick=False):
        ours, *theirs = measured(comparison).values()
        assert 0 < ours["max_error"] < 1e-4
        assert max(ours["max_cosine_error"], ours["peer_max_cosine_error"]) < 1e-4
        assert all(checks["max_cosine_error"] < 1e-4 for checks in theirs)


def test_fits_neighbours_and_resamples_agree_with_their_peers(module, measured, monkeypatch):
    flow = module("flow")
    monkeypatch.setattr(flow, "_rho", lambda n_features, engine: 0.0)  # embeds for seconds
    checks = measured(flow._comparison(1_280, 64, "flow-fit-64", quick=True))["flow-fit-64"]
    assert checks["bits_per_dimension_difference"] < 1e-3
    pytest.importorskip("faiss")
    checks = measured(module("neighbours")._comparison("dot", "neighbours-dot", 40))
    assert max(checks["neighbours-dot"].values()) < 1e-5
    bootstrap = module("bootstrap")
    monkeypatch.setattr(bootstrap, "_DRAWS", 10)
    monkeypatch.setattr(bootstrap, "_FEW", 4)
    assert measured(bootstrap._comparison("small", 50))["small"]["rho_difference"] < 1e-12


def test_a_peer_that_is_not_installed_leaves_no_ratio(module):
    measure = module("measure")

    def never(**_):
        raise AssertionError

    comparison = measure.Comparison(
        measure.Way("theirs", never),
        [measure.Way("ours", lambda: lambda: 7)],
        lambda measured: {"ours": {"result": measured["ours"].result}},
        package="no-such-package",
    )
    (row,) = measure.rows_of([comparison], repeats=1, with_peaks=False)
    assert row["missing"] == "no-such-package is not installed (pip install no-such-package)"
    assert [row[key] for key in ("peer", "peer_seconds", "ratio", "spread")] == ["theirs"] + 3 * [
        None
    ]
    assert row["checks"] == {"result": 7}


def test_a_share_of_the_work_counts_as_all_of_it(module, monkeypatch):
    clock = iter([10.0, 12.0])
    monkeypatch.setattr(module("measure").time, "perf_counter", lambda: next(clock))
    assert module("measure").timed(lambda: None, share=1e-3)() == pytest.approx(2000)


def test_the_readme_shows_the_recorded_results(module, tmp_path):
    tables, readme = module("tables"), tmp_path / "README.md"
    text = tables.README.read_text(encoding="utf-8")
    readme.write_text(text, encoding="utf-8")
    tables.put_into_readme(readme)
    assert readme.read_text(encoding="utf-8") == text
    assert text.count("### ") == len(list(RESULTS.glob("*.json")))
    readme.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="needs the marks"):
        tables.put_into_readme(readme)


def test_ratios_are_medians_over_rounds_of_the_first_way_over_each(module):
    measure = module("measure")
    theirs, ours = iter([10.0, 2.0, 3.0]), iter([1.0, 1.0, 3.0])
    measured = measure.compare(
        {"theirs": lambda: next(theirs), "ours": lambda: next(ours)}, repeats=3
    )
    assert [(m.name, m.seconds, m.ratio, m.spread) for m in measured] == [
        ("theirs", 3.0, 1.0, (1.0, 1.0)),
        ("ours", 1.0, 2.0, (1.0, 10.0)),  # the ratio of the medians would be 3
    ]


def test_a_peak_is_that_of_the_command_alone(module):
    ours = b"x" * (400 << 20)  # what this process holds must not count
    code = "print(len(b'x' * (100 << 20)), end='')"
    assert 100 < module("measure").peak_mib([sys.executable, "-c", code]) < 200
    del ours


@pytest.mark.parametrize("layer", ["linear", "convolution"])
def test_the_plain_flow_is_the_same_flow(module, layer):
    torch = pytest.importorskip("torch")
    from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow

    plain_flow = module("plain_flow")
    x = torch.from_numpy(module("synthetic").embeddings(640, 32, seed=1))
    ours = fit_flow(x, glow=GlowConfig(), training=TrainingConfig(seed=3)).steps
    images = x if layer == "linear" else x[:, :, None, None]
    theirs = plain_flow.fit(images, getattr(plain_flow, layer), seed=3)
    assert theirs == pytest.approx([step.bits_per_dimension for step in ours], abs=1e-4)
    assert theirs[-1] < theirs[0] - 0.01  # so that agreement means that both learnt


def test_synthetic_embeddings_have_a_layer_s_spectrum(module):
    numpy = pytest.importorskip("numpy")
    x = module("synthetic").embeddings(4_000, 48)
    variances = numpy.linalg.eigvalsh(numpy.cov(x.T.astype(float)))[::-1]
    assert (x.shape, x.dtype) == ((4_000, 48), numpy.float32)
    assert variances.sum() == pytest.approx(24, rel=0.1)
    assert variances[9] == pytest.approx(variances[0] / 10, rel=0.2)
    assert variances[-1] < 1e-9 * variances[0]
    assert numpy.linalg.norm(x.mean(axis=0)) == pytest.approx(5, rel=0.1)
