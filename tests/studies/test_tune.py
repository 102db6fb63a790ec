"""The values of a parameter, and tuned calibrators, against single fits."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from tiny_pairs import pair_rows, tiny_recipe, write_collection, write_stsb

from bertflow_core.calibrators import Spec
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN
from bertflow_core.report.remark import Kind
from bertflow_core.studies.tune import (
    AS_IT_IS,
    ON_DEV,
    TuneRecipe,
    directions,
    removed_directions,
    stored_tune,
    tune,
    values_of,
)

TUNED = ["null-top-k:k=6", "whiten"]


@pytest.fixture(scope="module")
def recipe(tiny_bert):
    return tiny_recipe(tiny_bert, "stsb", seed=5)


def tuned(recipe, lab, specs, **changes):
    return tune(TuneRecipe(**{**recipe.to_dict(), **changes}), lab, specs)


def check(rows, recipe, lab, seeds=(5,)):
    """Compare rows of values with single evaluations, which are means over seeds."""
    for row in rows:
        for split in ("dev", "test"):
            each = recipe.with_(split=split, calibrator=row["calibrator"])
            found = lab.evaluate([each.with_(seed=seed) for seed in seeds])
            assert row[split] == pytest.approx(np.mean([one.score for one in found]), abs=1e-7)
        cosines = [one.random_cosine for one in found]
        assert row["random_cosine"] == pytest.approx(np.mean(cosines), abs=1e-5)
        assert row["n_fits"] == len(seeds)


@pytest.mark.parametrize(
    ("spec", "parameter", "values", "aggregation"),
    [
        ("null-top-k", "k", "3,0,1,7,13,14", "all"),  # 14 of rank 15 leave cosines of 1 and -1
        ("null-top-k", "k", "2", "mean"),
        ("standardize+null-top-k", "k", "3,0", "wmean"),
        ("whiten:shrinkage=0.1", "n_components", "2,5,1,16", "all"),
        ("flow:batch_size=32", "permutation", "random,reversal", "all"),
    ],
)
def test_each_value_is_an_evaluation_of_its_own(recipe, lab, spec, parameter, values, aggregation):
    asked, own = values.split(","), recipe.with_(aggregation=aggregation)
    rows = tuned(own, lab, [spec], parameters=(parameter,), values=tuple(asked)).rows
    joint = "," if ":" in spec else ":"
    assert [row["calibrator"] for row in rows] == [f"{spec}{joint}{parameter}={v}" for v in asked]
    check(rows, own, lab)


def test_a_flow_is_fitted_with_every_seed_and_averaged_and_what_is_not_random_once(recipe, lab):
    specs = ["standardize+flow:batch_size=32", "null-top-k"]
    report = tuned(recipe, lab, specs[:1], values=("0.001", "0.05"), seeds=2)
    check(report.rows, recipe, lab, seeds=(5, 6))
    (row,) = (each for each in report.tables[0].rows if each["choice"] == ON_DEV)
    assert row["score"] == pytest.approx(report.row(chosen=True)["test"])
    assert {row["n_fits"] for row in tuned(recipe, lab, specs[1:], seeds=3).rows} == {1}


def test_the_best_value_on_dev_is_chosen_and_compared_with_all_that_is_untuned(recipe, lab):
    report = tuned(recipe, lab, TUNED)
    assert list(report.by("parameter")) == ["k", "shrinkage"]
    for rows in report.by("parameter").values():
        best = max((row for row in rows if row["dev"] is not None), key=lambda row: row["dev"])
        assert [row for row in rows if row["chosen"]] == [best]
    (table,) = report.tables
    choices = [row["choice"] for row in table.rows]
    assert choices[0] == PLAIN and choices.count(ON_DEV) == 2 and AS_IT_IS in choices
    for row in table.rows:
        one = recipe.plain if row["choice"] == PLAIN else recipe
        one = one.with_(calibrator=row["calibrator"])
        for key, split in {"dev": "dev", "score": "test"}.items():
            (found,) = lab.evaluate([one.with_(split=split)])
            assert row[key] == pytest.approx(found.rho, abs=1e-6)
        assert row["score_low"] <= row["score"] <= row["score_high"]
    assert report.text(Kind.ANSWER)


def test_the_plain_output_is_tuned_too_and_dev_is_never_what_is_scored(recipe, lab):
    report = tuned(recipe.plain, lab, ["whiten"], split="dev")
    assert report.tables[0].rows[0]["choice"] == PLAIN
    assert report.params.split == "test"
    assert report.figure("tuned").layout.xaxis.title.text == "rho x 100, test"


def test_each_tuned_baseline_is_compared_with_the_tuned_flow(recipe, lab):
    report = tuned(recipe, lab, ["null-top-k", "whiten", "flow:batch_size=32"])
    rows = {row["calibrator"]: row for row in report.tables[0].rows if row["choice"] == ON_DEV}
    *baselines, flow = rows
    assert flow.startswith("flow")
    for spec in baselines:
        after, before = (round(rows[name]["score"], 4) for name in (spec, flow))
        assert rows[spec]["to_flow"] == pytest.approx(after - before, abs=1e-4)
        assert 0 < rows[spec]["to_flow_p"] <= rows[spec]["to_flow_p_holm"] <= 1


def test_closed_forms_are_tuned_together(recipe, lab):
    params = TuneRecipe(**recipe.to_dict(), parameters=("k", "n_components", "shrinkage"))
    report = tune(params, lab, ("null-top-k", "whiten"))
    by = report.by("parameter")
    values = {name: [row["value"] for row in rows] for name, rows in by.items()}
    assert values["k"] == [*range(16)] and values["n_components"] == [1, 2, 4, 8, 16]
    assert values["shrinkage"] == [*values_of(Spec("whiten"), "shrinkage", (), 16)]
    gap = {"dev": None, "test": None, "random_cosine": None, "chosen": False}
    assert gap.items() <= by["k"][15].items()  # LayerNorm removes one direction of 16
    assert "only rounding error would be left" in report.text(Kind.WARNING)
    assert all(row["test"] is not None for row in by["k"][:15])
    assert len(directions(recipe, lab)) == 14
    assert {"tune-1", "tune-2", "tune-3"} < report.figures().keys()
    assert values_of(Spec("whiten"), "n_components", (), 384)[-5:] == (256, 288, 320, 352, 384)


def test_a_collection_is_tuned_on_its_own_dev_queries(tiny_bert, tmp_path):
    folder = write_collection(tmp_path)
    judged = "\n".join(["query-id,corpus-id,score", *(f"q{i},d{i - 1},1" for i in range(3, 8))])
    (tmp_path / "qrels" / "dev.csv").write_text(judged, encoding="utf-8")
    recipe = tiny_recipe(tiny_bert, folder, metric="mrr", seed=5)
    report = tuned(recipe, Lab(), ["null-top-k"], values=("0", "2", "5"))
    check(report.rows, recipe, Lab())
    assert report.column("dev").header == "dev: MRR@10 x 100"


def test_labels_of_pairs_are_scored_by_auc(recipe_of):
    recipe = recipe_of([(a, b, float(gold > 2.5), "all") for a, b, gold, _ in pair_rows()])
    recipe = recipe.with_(metric="auc")
    (row,) = tuned(recipe, Lab(), ["null-top-k"], values=("0",)).rows
    (embedded,) = Lab().embedded([recipe])
    sides = [x - embedded.x_fit.mean(0) for x in (embedded.x_first, embedded.x_second)]
    expected = roc_auc_score(embedded.data.targets, pairwise_cosine(*sides))
    assert row["test"] == pytest.approx(expected, abs=1e-6)


def test_a_table_has_no_dev_and_chooses_no_value(recipe_of):
    report = tuned(recipe_of(), Lab(), ["null-top-k"], values=("0", "2"))
    assert [(row["dev"], row["chosen"]) for row in report.rows] == [(None, False)] * 2
    assert "no dev split" in report.text(Kind.MISSING)
    assert ON_DEV not in [row["choice"] for row in report.tables[0].rows]
    assert report.text(Kind.ANSWER)


def test_without_a_test_split_dev_is_reported_with_a_warning(recipe, tmp_path):
    lab = Lab(data_dir=write_stsb(tmp_path))
    (tmp_path / "STS" / "STSBenchmark" / "sts-test.csv").unlink()
    own = recipe.with_(split="dev", fit_on="train")
    report = tuned(own, lab, ["null-top-k"], values=("0", "1"))
    assert {row["test"] for row in report.rows} == {None}
    assert [row["chosen"] for row in report.rows].count(True) == 1
    assert "overstated" in report.text(Kind.MISSING)


def test_a_value_that_the_vectors_do_not_allow_is_refused(recipe, lab):
    with pytest.raises(InputError, match="k must be below"):
        tuned(recipe, lab, ["null-top-k"], values=("16",))


def test_a_planted_direction_is_named_by_its_word(recipe, lab):
    (found,) = lab.embedded([recipe])
    sentences = found.corpus.sentences
    has_dog = np.array(["dog" in sentence.split() for sentence in sentences])
    x = np.random.default_rng(0).normal(size=(len(sentences), 16))
    x[:, 4] += 30.0 * has_dog  # sentences with the word are moved along one direction
    embedded = replace(found, x_fit=x)
    first, second = removed_directions(embedded, 2, min_count=5, n_words=3)
    assert [w.word for w in first.high_words] == ["dog"]
    assert all("dog" in s.sentence.split() for s in first.high_sentences[:5])
    variances = np.linalg.svd(x - x.mean(0), compute_uv=False) ** 2
    shares = variances[:2] / variances.sum()
    assert [first.share, second.share] == pytest.approx(shares.tolist())
    assert removed_directions(embedded, 0) == ()
    with pytest.raises(InputError, match="k must be below"):
        removed_directions(embedded, 16)


def test_the_stored_report_draws_its_curves_and_has_the_answers():
    stored = stored_tune()
    assert list(stored.figures()) == ["tune-1", "tune-2", "tune-3"]
    assert "plain output" in stored.text(Kind.ANSWER)


@pytest.mark.gate
def test_the_stored_baselines_are_tuned_again(captions_lab):
    stored = stored_tune()
    for row in tune(TuneRecipe(), captions_lab, TUNED).rows:
        again = stored.row(calibrator=row["calibrator"])
        assert row["test"] == pytest.approx(again["test"], abs=1e-3)
