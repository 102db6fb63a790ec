"""Significance of a comparison's differences, from hand-made similarities."""

from dataclasses import replace

import numpy as np
import pytest
from by_hand import filled, grid_of, pairs_of, row_of

from bertflow_core.errors import InputError
from bertflow_core.evaluation import AUC
from bertflow_core.studies.compare import comparison_report, significance

N = 300
GOLD = np.random.default_rng(0).uniform(0, 5, N)
NOISE = {"identity": 3.0, "standardize": 3.0, "whiten": 0.5, "flow": 0.6}
SPECS = ("standardize", "whiten", "flow")


def similarity(recipe):
    # identity and standardize are one and the same
    seed = recipe.seed - 3 if recipe.calibrator == "flow" else 0
    rng = np.random.default_rng(7 + seed + (recipe.calibrator in ("whiten", "flow")))
    return GOLD + NOISE[recipe.calibrator] * rng.standard_normal(N)


def compared(baseline="minilm last identity", bootstrap=200, calibrators=SPECS):
    choices = {"seed": 3, "seeds": 3, "baseline": baseline, "bootstrap": bootstrap}
    return filled(grid_of(calibrators, **choices), {"a.csv": GOLD}, similarity)


@pytest.fixture(scope="module")
def report():
    return significance(compared(bootstrap=500), "a.csv")


@pytest.fixture(scope="module")
def records(report):
    return {record["calibrator"]: record for record in report.rows}


def test_figures_name_rows_by_their_calibrators_where_all_are_of_the_same_vectors(report):
    _, *rows = report.rows
    for shown, prefix in ((report, "minilm last "), (replace(report, rows=rows), "")):
        figure = shown.figures()["differences"]
        *_, marks = figure.data
        names = [f"{prefix}{spec}" for spec in SPECS]
        assert [line.split("  ")[0] for line in marks.y][-3:] == names
        assert figure.layout.xaxis.title.text.endswith(f"against {prefix}identity")


def test_equal_rows_are_never_significantly_different(records):
    same = records["standardize"]
    assert (same["change"], same["change_p"], same["change_significant"]) == (0, 1, False)
    assert same["letters"] == records["identity"]["letters"]


def test_a_large_difference_is_significant_with_its_sign(records):
    whiten = records["whiten"]
    assert whiten["change_significant"]
    assert 0 < whiten["change_low"] < whiten["change"] < whiten["change_high"]
    shown = round(100 * whiten["score"], 2) - round(100 * records["identity"]["score"], 2)
    assert whiten["change"] == pytest.approx(shown / 100)
    assert not set(whiten["letters"]) & set(records["identity"]["letters"])
    assert "change" not in records["identity"]


def test_a_random_calibrator_is_summarized_over_its_seeds(report, records):
    comparison = compared()
    rhos = comparison.scored.of_seeds(row_of(comparison.grid, "last flow"), "a.csv")
    flow = records["flow"]
    assert flow["n_seeds"] == 3
    assert flow["seeds_mean"] == pytest.approx(np.mean(rhos))
    assert flow["seeds_sd"] == pytest.approx(np.std(rhos, ddof=1))
    assert flow["seeds_median"] == pytest.approx(np.median(rhos))
    assert flow["score"] == pytest.approx(rhos[0])
    assert "seeds_sd" not in records["whiten"]
    assert report.facts["smallest_p"] == 2 / 501


def test_the_baseline_can_be_any_row_and_tests_stand_below_the_comparison():
    report = comparison_report(compared(baseline="minilm last whiten"))
    (table,) = report.tables
    record = next(row for row in table.rows if row["row"] == "minilm last identity")
    assert record["change"] < 0
    assert record["baseline"] == "minilm last whiten"
    assert {"differences", "intervals"} < report.pictures().keys()
    with pytest.raises(InputError, match="no row is called 'last'"):
        compared(baseline="last")
    comparison = compared(None, calibrators=("identity",))
    alone = replace(comparison, grid=replace(comparison.grid, without_plain=("minilm",)))
    with pytest.raises(InputError, match="needs two rows"):
        significance(alone, "a.csv")


def test_a_wide_interval_of_labels_is_laid_to_the_rarer_label(report):
    few = (np.argsort(GOLD) >= N - 6).astype(float)
    labelled = pairs_of(GOLD, gold=None, labels=few, scale=(0.0, 1.0))
    found = significance(replace(compared(None), pairs={"a.csv": labelled}), "a.csv")
    assert "300 pairs of" in found.facts["doubt"]
    auc = found.rows[0]["score"]
    assert f"about {100 * AUC.half_width(auc, few):.0f} points" in found.facts["doubt"]
    assert report.facts["doubt"] == ""
