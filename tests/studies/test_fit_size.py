"""Fits on parts of a corpus, against single fits."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

from bertflow_core.calibrators import build_calibrator
from bertflow_core.datasets import load_corpus, load_dataset
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.lab.cells import CellFolder
from bertflow_core.lab.grid import scored
from bertflow_core.lab.lab import Lab
from bertflow_core.report.remark import Kind
from bertflow_core.studies.fit_size import fit_size


def test_each_part_is_fitted_by_itself_and_all_of_it_as_ever(recipe_of):
    recipe = recipe_of(40, seed=3)
    report = fit_size(recipe, Lab(), ["whiten"])
    assert [row["n_fitted"] for row in report.where(calibrator="whiten")] == [4, 8, 16, 32, 64, 80]
    raw, whole = Lab().evaluate(recipe.each(calibrators=["identity", "whiten"]))
    assert {row["score"] for row in report.where(calibrator="identity")} == {raw.rho}
    assert report.row(calibrator="whiten", n_fitted=80)["score"] == whole.rho
    (gap,) = fit_size(recipe, Lab(), ["null-top-k:k=6"]).where(score=None)
    assert (gap["calibrator"], gap["n_fitted"]) == ("null-top-k:k=6", 4)
    embedded = raw.embedded
    order = np.random.default_rng(0).permutation(80)
    whiten = build_calibrator("whiten").fit(embedded.x_fit[order[:32]])
    sides = (whiten.transform(x) for x in (embedded.x_first, embedded.x_second))
    expected = spearmanr(pairwise_cosine(*sides), embedded.data.gold).statistic
    assert report.row(calibrator="whiten", n_fitted=32)["score"] == pytest.approx(expected)


def test_the_answer_names_the_best_fit(recipe_of, monkeypatch):
    monkeypatch.setattr("bertflow_core.studies.fit_size.too_few", lambda *_: "")
    report = fit_size(recipe_of(40, seed=3), Lab(), ["whiten"])
    best = max(report.where(calibrator="whiten"), key=lambda row: row["score"])
    assert f"whiten on {best['n_fitted']} sentences" in report.text(Kind.ANSWER)
    assert f"{100 * best['score']:.2f} against" in report.text(Kind.ANSWER)


def test_a_cell_of_one_part_is_never_served_for_another(recipe_of, tmp_path):
    lab, recipe = Lab(cells=CellFolder(tmp_path / "cells")), recipe_of(40, calibrator="whiten")
    parts = [recipe.with_(fit_on=name) for name in ("target:16", "target:32", "target")]
    fresh = [scored([part], Lab()).cells[part].score for part in parts]
    assert len({*fresh}) == 3
    for _ in range(2):  # computed, then read
        assert [scored([part], lab).cells[part].score for part in parts] == fresh


def test_a_part_is_drawn_at_random_and_keeps_the_side_of_each_sentence():
    whole, part = load_corpus("teaching", "target"), load_corpus("teaching", "target:50")
    rows = np.random.default_rng(0).permutation(len(whole))[:50]
    assert part.sentences == tuple(whole.sentences[row] for row in rows)
    assert part.fingerprint != load_corpus("teaching", "target:51").fingerprint
    assert load_corpus("teaching", f"target:{len(whole)}") == whole
    sided = replace(whole, sides=("query", "document") * whole.n_pairs)
    data = replace(load_dataset("teaching"), roles=("query", "document"))
    expected = tuple(sided.sides_beside(data)[row] for row in rows)
    assert sided.drawn_by("target:50").sides_beside(data) == expected
