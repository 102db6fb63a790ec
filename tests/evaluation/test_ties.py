"""Cosines that differ by rounding error alone are ties, and nothing is concluded from them."""

import json

import numpy as np
import pytest
from tiny_pairs import pair_rows

from bertflow_core.calibrators import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pair_scores, pairwise_cosine
from bertflow_core.evaluation.encodings import encodings
from bertflow_core.evaluation.similarity import mapped_cosines, rounding_error, with_ties
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.remarks import RANKS_NOTHING
from bertflow_core.report.remark import Kind
from bertflow_core.studies.advice.study import AdviceRecipe, advice, gains_of
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.study import evaluate
from bertflow_core.studies.ledger import LedgerRecipe, ledger
from bertflow_core.studies.size import size
from bertflow_core.studies.tune import TuneRecipe, tune

FULL = ("whiten", "soft-whiten:eps=0", "standardize+whiten")
NLI = ("entailment", "not_entailment")
GOLD = np.random.default_rng(1).uniform(0, 5, 150)


def cone(n: int, n_features: int = 384, dtype: type = np.float32) -> np.ndarray:
    """Return vectors in a cone with unequal variances, as encoders make them."""
    scales = np.geomspace(1, 0.02, n_features)
    x = 0.5 + np.random.default_rng(0).normal(size=(n, n_features)) * scales
    return x.astype(dtype)


def sides(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return x[: len(x) // 2], x[len(x) // 2 :]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("repeated", [0, 40])
@pytest.mark.parametrize("spec", FULL)
def test_a_simplex_ranks_nothing_though_some_sentences_are_repeated(spec, repeated, dtype):
    x = cone(300, dtype=dtype)
    x[:repeated] = x[repeated : 2 * repeated]
    fitted = build_calibrator(spec).fit(x)
    assert any("300 sentences" in note and "fit on more" in note for note in fitted.notes_)
    cosines = pairwise_cosine(*map(fitted.transform, sides(x)))
    if not repeated:
        assert cosines == pytest.approx(-1 / 299, abs=1e-5)
    tied = mapped_cosines(fitted.transform, *sides(x))
    assert np.isnan(tied).all()
    (score,) = pair_scores({spec: tied}, GOLD, [""] * 150, aggregation="all").values()
    assert score.value is None and score.interval(100) == (None, None)


@pytest.mark.parametrize("spec", ["identity", "soft-whiten", "ledoit-wolf", "null-top-k:k=6"])
def test_cosines_that_differ_by_more_are_kept(spec):
    x = cone(300)
    fitted = build_calibrator(spec).fit(x)
    expected = pairwise_cosine(*map(fitted.transform, sides(x)))
    assert mapped_cosines(fitted.transform, *sides(x)).tolist() == expected.tolist()
    assert 0 < rounding_error(fitted.transform, *sides(x)) < 1e-3 * np.ptp(expected)


def test_the_error_is_what_rounding_of_the_vectors_changes():
    x = cone(300)
    fitted = build_calibrator("whiten").fit(x)
    other = x * (1 + 1e-5 * np.random.default_rng(7).choice((-1, 1), x.shape)).astype(np.float32)
    changed = [pairwise_cosine(*map(fitted.transform, sides(each))) for each in (x, other)]
    measured = np.median(np.abs(np.subtract(*changed)))
    assert rounding_error(fitted.transform, *sides(x)) == pytest.approx(measured, rel=0.3)


@pytest.mark.parametrize(
    ("cosines", "tied"),
    [
        ([0.1, 0.2, 0.2001, 0.9], [0.1, 0.2, 0.2, 0.9]),
        ([0.2001, 0.9, 0.2, 0.1], [0.2, 0.9, 0.2, 0.1]),
        ([0.2, 0.20005, 0.2001, 0.9], [None] * 4),  # most are one tie
        ([0.2, 0.2, 0.2, 0.9], [None] * 4),
        ([0.0, 0.0, 0.0, 0.9], [0.0, 0.0, 0.0, 0.9]),  # zero vectors
        ([0.9999, 0.99995, 1.0, -1.0], [0.9999, 0.9999, 0.9999, -1.0]),  # parallel vectors
        ([*np.arange(40.0), 0.0005], [*np.arange(40.0), 0.0005]),  # hardly any
    ],
)
def test_what_lies_within_the_error_is_one_value(cosines, tied):
    found = with_ties(np.array(cosines), 1.5e-4 if len(cosines) == 4 else 1e-3).tolist()
    assert [None if np.isnan(each) else each for each in found] == tied


def test_whitened_vectors_have_no_principal_directions():
    x = cone(400, 8)
    names = [[*encodings(each, 8)] for each in (x, build_calibrator("whiten").fit_transform(x))]
    assert {*names[0]} - {*names[1]} == {"PCA 4", "PCA 2", "PCA 1"}


@pytest.fixture(scope="module")
def few(recipe_of):
    """A recipe whose 14 sentences whitening puts on a simplex in 16 features."""
    return recipe_of(7)


@pytest.fixture(scope="module")
def lab():
    return Lab(device="cpu")


def given(kind, recipe, **more):
    return kind(**{**recipe.to_dict(), **more})


def test_a_score_of_nothing_but_ties_is_undefined_and_says_why(few, lab):
    report = evaluate(
        EvaluateRecipe.of(few, pairs=True), lab, (*FULL, "soft-whiten"), (few.layers,)
    )
    assert all(report.row(calibrator="soft-whiten")[key] is not None for key in ("score", "change"))
    for spec in FULL:
        row = report.row(calibrator=spec)
        assert (row["score"], row["r"]) == (None, None)
        assert not {"change", "change_p", "to_plain", "to_plain_p"} & row.keys()
        assert f"{spec}: {RANKS_NOTHING}." in report.text(Kind.WARNING)
    with pytest.raises(InputError, match="differ only by rounding"):
        _ = lab.evaluate([few.with_(calibrator=FULL[0])])[0].rho
    json.loads(report.write("json"))
    texts = report.write("table"), report.write("markdown")
    assert all(text.index("fit on more sentences") < text.index("rho x 100") for text in texts)


@pytest.mark.parametrize("metric", ["auc", "v-measure", "accuracy"])
def test_the_rule_is_one_for_every_metric_but_that_of_held_out_texts(
    recipe_of, lab, metric, tmp_path
):
    table = tmp_path / "table.csv"
    is_pairs, rows = metric == "auc", pair_rows(15)
    lines = ["sentence1,sentence2,label" if is_pairs else "text,label"]
    for i, (first, second, *_) in enumerate(rows[:7] if is_pairs else rows):
        lines.append(f"{first},{second},{NLI[i % 2]}" if is_pairs else f"{first},{'ab'[i % 2]}")
    table.write_text("\n".join(lines))
    recipe = recipe_of(7).with_(dataset=str(table), metric=None if is_pairs else metric)
    asked = EvaluateRecipe.of(recipe)
    row = evaluate(asked, lab, ("whiten",), (recipe.layers,)).row(calibrator="whiten")
    assert (row["score"] is None) is (metric != "accuracy") and metric.replace("-", "_") in row


def test_no_study_concludes_anything_from_ties(few, lab):
    swept = tune(
        given(TuneRecipe, few, parameters=("eps",), values=("0", "0.5")), lab, ("soft-whiten",)
    )
    assert [row["test"] is None for row in swept.rows] == [True, False]
    assert f"soft-whiten by eps, 1 of 2 fits: {RANKS_NOTHING}" in swept.text(Kind.WARNING)
    found = advice(given(AdviceRecipe, few), lab, ("whiten", "null-top-k:k=1"))
    assert gains_of(found) == [] and RANKS_NOTHING in found.text(Kind.WARNING)
    with pytest.raises(InputError, match="rank nothing"):
        ledger(given(LedgerRecipe, few, after="whiten"), lab)
    sizes = size(few, lab, ("whiten",), ("layer:2",)).where(calibrator="whiten", order="before")
    assert {row["encoding"] for row in sizes if row["score"] is None} >= {"float32", "binary"}
    assert any(row["score"] is not None for row in sizes if row["encoding"] == "first 4")


def test_vectors_shortened_to_a_simplex_have_no_score_either(recipe_of, lab):
    """Eight sentences of eight features are one, of four features they are not."""
    report = size(recipe_of(4), lab, ("whiten",), ("layer:2",))
    found = {row["encoding"]: row["score"] is None for row in report.where(order="after")}
    assert (found["first 8"], found["float16"], found["first 4"]) == (True, True, False)
    assert f"whiten, 4 of 9 fits: {RANKS_NOTHING}" in report.text(Kind.WARNING)


@pytest.mark.parametrize(
    ("sizes", "aggregation", "is_said"),
    [
        ([60] * 5, "wmean", True),
        ([60] * 5, "mean", True),
        ([60] * 5, "all", False),
        ([60], "mean", False),
        ([300, 200], "wmean", False),
    ],
)
def test_that_means_over_small_subsets_are_tested_conservatively_is_said(
    recipe_of, lab, sizes, aggregation, is_said
):
    subsets = [str(i) for i, n in enumerate(sizes) for _ in range(n)]
    rows = [(*row[:3], name) for row, name in zip(pair_rows(len(subsets)), subsets, strict=True)]
    recipe = recipe_of(rows, aggregation=aggregation)
    report = evaluate(EvaluateRecipe.of(recipe), lab, ("null-top-k:k=1",), (recipe.layers,))
    assert ("conservatively" in report.text()) is is_said
