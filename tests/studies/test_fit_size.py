"""Fits on parts of a corpus: against fits made here, and those of `evaluate`."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from bertflow_core.calibrators import build_calibrator
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.lab import Lab
from bertflow_core.studies.fit_size import fit_size


def test_each_part_is_fitted_by_itself_and_all_of_it_as_ever(recipe_of):
    recipe = recipe_of(40, seed=3)
    report = fit_size(recipe, Lab(), ["whiten"])
    assert [row["n_fitted"] for row in report.where(calibrator="whiten")] == [4, 8, 16, 32, 64, 80]
    raw, whole = Lab().evaluate(recipe, ["identity", "whiten"])
    assert {row["rho"] for row in report.where(calibrator="identity")} == {raw.rho}
    assert report.row(calibrator="whiten", n_fitted=80)["rho"] == whole.rho
    prepared = raw.prepared
    order = np.random.default_rng(3).permutation(80)
    whiten = build_calibrator("whiten").fit(prepared.x_fit[order[:32]])
    sides = (whiten.transform(x) for x in (prepared.x_first, prepared.x_second))
    expected = spearmanr(pairwise_cosine(*sides), prepared.pairs.gold).statistic
    assert report.row(calibrator="whiten", n_fitted=32)["rho"] == pytest.approx(expected)
    lines = {trace.name: trace for trace in report.figures()["fit_size"].data}
    assert lines["whiten"].y[-1] == pytest.approx(100 * whole.rho)
