"""Every layer beside the plain output, against evaluations one by one."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from tiny_models import declare
from tiny_pairs import tiny_recipe, write_pairs

from bertflow_core.evaluation import RHO
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import doubt_of_score
from bertflow_core.studies.advice.places import TITLE
from bertflow_core.studies.advice.study import AdviceRecipe, advice

SPEC = "standardize"


def test_each_row_is_what_an_evaluation_of_that_place_gives_and_the_best_is_the_highest(
    tiny_bert, tmp_path
):
    table = write_pairs(tmp_path / "pairs.csv", 60)
    model = declare(tiny_bert, tmp_path / "bert")  # whose output is not layer 3 bit by bit
    recipe = tiny_recipe(model, table, layers="last2")
    report = advice(AdviceRecipe(**recipe.to_dict(), n_draws=400), Lab(), [SPEC])
    (table,) = report.tables
    assert table.title == TITLE
    names = [row["layers"] for row in table.rows]
    layers = [f"layer:{k}" for k in range(4) for _ in range(2)]
    assert names == ["model", *layers, "last2", "last2", "model"]
    first, plain = report.rows[0], table.rows[0]["score"]
    assert "change" not in table.rows[0]
    specs, inside = ["identity", SPEC], [name for name in names if name != "model"]
    spaces = [*Lab().spaces(recipe, inside, specs), *Lab().spaces(recipe.plain, ["model"], specs)]
    scores = {
        (each.recipe.layers, each.spec): spearmanr(
            each.similarity, each.prepared.pairs.gold
        ).statistic
        for each in spaces
    }
    for row in table.rows:
        expected = scores[row["layers"], row["calibrator"]]
        assert row["score"] == pytest.approx(expected, abs=1e-9)
        assert row["score_low"] <= row["score"] <= row["score_high"]
        if "change" in row:
            assert row["change"] == pytest.approx(row["score"] - plain, abs=1e-4)
    rivals = [row for row in table.rows if abs(row["score"] - first["plain"]) > 1e-6]
    best = max(rivals, key=lambda row: row["score"])
    assert (first["best_layers"], first["best_calibrator"]) == (best["layers"], best["calibrator"])
    assert first["best"] == best["score"]
    assert f"of {len(rivals)} " in first["finding"]  # the others are the plain output itself


@pytest.mark.parametrize(("n", "enough"), [(3, None), (20, 300), (40, 300), (400, 0)])
def test_few_pairs_have_no_verdict_and_are_told_how_many_would_do(n, enough, tmp_path):
    table = tmp_path / "mine.csv"
    lines = [f"sentence {i},another {i},{i % 6}" for i in range(n)]
    table.write_text("\n".join(["sentence1,sentence2,score", *lines]))
    pairs = Lab().pairs(Recipe(dataset=str(table)))
    told = doubt_of_score(0.45, pairs, RHO)
    if not enough:
        assert told.startswith("Only 3 pairs" if n == 3 else "") and bool(told) == (n == 3)
        return
    half = RHO.half_width(0.45, pairs.judged)
    assert f"about {100 * half:.0f} points" in told
    assert f"{n} pairs of mine are too few" in told and f"About {enough} such pairs" in told
    assert half * np.sqrt(n / enough) <= 0.1  # as 1 / sqrt(n)
