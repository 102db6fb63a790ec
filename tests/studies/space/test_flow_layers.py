"""Sentences after each layer of a flow: its ends against the encoder and the calibrator."""

import numpy as np
import pytest
from scipy.stats import chi, kstest

from bertflow_core.evaluation import cosine_matrix
from bertflow_core.lab import Lab
from bertflow_core.studies.space.flow_layers import flow_layers


def test_the_way_begins_at_the_embedding_and_ends_where_the_flow_ends(recipe_of):
    recipe = recipe_of(40, seed=3)
    report = flow_layers(recipe, Lab())
    (space,) = Lab().evaluate(recipe, ["flow"])
    pairs, prepared = space.prepared.pairs, space.prepared
    x = np.concatenate([prepared.x_first, prepared.x_second])
    _, rows = np.unique([*pairs.first, *pairs.second], return_index=True)
    assert report.facts["n_rows"] == len(rows)
    assert [row["flow_layer"] for row in report.rows] == list(range(19))
    assert report.rows[1]["kind"].endswith("ActNorm")
    for row, z in (
        (report.rows[0], x[rows]),
        (report.rows[-1], space.calibrator.transform(x[rows])),
    ):
        cosines = cosine_matrix(z, z)[~np.eye(len(z), dtype=bool)]
        assert row["mean_cosine"] == pytest.approx(cosines.mean(), abs=1e-4)
        expected = kstest(np.linalg.norm(z, axis=1), chi(z.shape[1]).cdf).statistic
        assert row["norm_ks"] == pytest.approx(expected, abs=1e-3)
    means, gaps = report.figures()["flow_layers"].data
    assert means.y[-1] == report.rows[-1]["mean_cosine"]
    assert gaps.y[-1] == report.rows[-1]["norm_ks"]
