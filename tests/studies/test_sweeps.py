"""Sweeps, tuned calibrators and fits on parts, against single fits; removed directions."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import roc_auc_score
from tiny_pairs import pair_rows, tiny_recipe, write_collection, write_stsb

from bertflow_core.calibrators import Spec
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.lab.comparable_scores import scores_of
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN
from bertflow_core.report.remark import Kind
from bertflow_core.runtime import context
from bertflow_core.studies.sweep import (
    Splits,
    SweepRecipe,
    chosen_row,
    closed_forms,
    prepare_splits,
    removed_directions,
    sweep,
    swept,
    values_of,
)
from bertflow_core.studies.tuned import (
    ON_DEV,
    TunedRecipe,
    _against_plain,
    stored_tuned,
    tuned,
)

KS = (3, 0, 1, 7)
TUNED = ["null-top-k:k=6", "whiten"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Real files of STS-B: three splits of 40 random pairs."""
    return Lab(data_dir=write_stsb(tmp_path_factory.mktemp("data"), n=120))


@pytest.fixture(scope="module")
def recipe(tiny_bert):
    return tiny_recipe(tiny_bert, "stsb", seed=5)


@pytest.fixture(scope="module")
def splits(recipe, lab):
    return next(prepare_splits([recipe], lab))


def single(embedded, spec, seed=5):
    result = replace(embedded, recipe=embedded.recipe.with_(seed=seed)).under(spec)
    return result.rho, result.random_cosine


def check(rows, splits, specs):
    """Compare a sweep's numbers with single evaluations."""
    assert [row["calibrator"] for row in rows] == specs
    for row in rows:
        spec = row["calibrator"]
        assert row["dev"] == pytest.approx(single(splits.dev, spec)[0], abs=1e-9)
        rho, random_cosine = single(splits.test, spec)
        assert row["test"] == pytest.approx(rho, abs=1e-9)
        assert row["random_cosine"] == pytest.approx(random_cosine, abs=1e-5)


@pytest.mark.parametrize(
    ("spec", "parameter", "values"),
    [
        ("null-top-k", "k", (*KS, 13, 14)),  # 14 of rank 15 leave cosines of 1 and -1
        ("whiten:shrinkage=0.1", "n_components", (2, 5, 1, 16)),
        ("standardize+null-top-k", "k", KS),
        ("flow", "permutation", ("random", "reversal")),
    ],
)
def test_each_value_is_an_evaluation_of_its_own(splits, spec, parameter, values):
    rows = swept(splits, Spec(spec), parameter, values, device="cpu")
    assert [row["value"] for row in rows] == [*values]
    joint = "," if ":" in spec else ":"
    check(rows, splits, [f"{spec}{joint}{parameter}={value}" for value in values])


@pytest.mark.parametrize("aggregation", ["mean", "wmean"])
@pytest.mark.parametrize("spec", ["null-top-k", "standardize+null-top-k"])
def test_rho_is_that_of_the_recipes_aggregation(splits, aggregation, spec):
    def with_subsets(part):
        pairs = replace(part.pairs, subsets=("a", "b", "b", "b") * 10)
        return replace(part, recipe=part.recipe.with_(aggregation=aggregation), pairs=pairs)

    other = Splits(*map(with_subsets, splits.present))
    rows = swept(other, Spec(spec), "k", (2,))
    check(rows, other, [f"{spec}:k=2"])
    assert rows[0]["test"] != swept(splits, Spec(spec), "k", (2,))[0]["test"]


def test_a_flow_is_fitted_with_every_seed_and_averaged_and_what_is_not_random_once(splits):
    spec, values = "standardize+flow:batch_size=32", (1e-3, 0.05)
    rows = swept(splits, Spec(spec), "lr", values, seeds=(1, 2), device="cpu")
    for row, lr in zip(rows, values, strict=True):
        each = [single(splits.test, f"{spec},lr={lr}", seed) for seed in (1, 2)]
        assert (row["test"], row["random_cosine"]) == pytest.approx(np.mean(each, axis=0), abs=1e-9)
        assert row["n_fits"] == 2
    seen = []
    with context.reporting(lambda *step: seen.append(step)):
        rows = swept(splits, Spec("standardize+null-top-k"), "k", (1, 2), seeds=(1, 2, 3))
    assert {row["n_fits"] for row in rows} == {1}
    assert seen == [(0, 2, "fits"), (1, 2, "fits"), (2, 2, "fits")]


def test_the_best_value_on_dev_is_chosen_whatever_test_says():
    dev, test = (0.1, 0.5, 0.5, None), (0.9, 0.1, 0.2, 0.3)
    rows = [{"dev": one, "test": other} for one, other in zip(dev, test, strict=True)]
    assert chosen_row(rows) is rows[1]
    assert chosen_row([{**row, "dev": None} for row in rows]) is None


def test_closed_forms_are_the_sweeps_of_the_recipes_splits(recipe, lab, splits):
    forms = closed_forms(recipe, lab)
    expected = [("null-top-k", "k", range(16)), ("whiten", "n_components", (1, 2, 4, 8, 16))]
    expected += [("whiten", "shrinkage", values_of(Spec("whiten"), "shrinkage", (), 16))]
    for report, (spec, *asked) in zip(forms.reports, expected, strict=True):
        assert report.rows == swept(splits, Spec(spec), *asked)
    rank = np.linalg.matrix_rank(splits.test.x_fit - splits.test.x_fit.mean(0), 1e-3)
    assert rank == 15  # LayerNorm removes one of 16
    ks, _, _ = forms.reports
    gap = {"dev": None, "test": None, "random_cosine": None, "chosen": False}
    assert gap.items() <= ks.rows[15].items()
    assert all(row["test"] is not None for row in ks.rows[:15])
    assert len(forms.directions) == 14
    assert values_of(Spec("whiten"), "n_components", (), 384)[-5:] == (256, 288, 320, 352, 384)
    params = SweepRecipe(**recipe.to_dict(), values=tuple(map(str, KS)))
    assert sweep(params, lab, ["null-top-k"]).rows == swept(splits, Spec("null-top-k"), "k", KS)


def test_a_collection_is_swept_and_tuned_on_its_own_dev_queries(tiny_bert, tmp_path):
    folder = write_collection(tmp_path)
    judged = "\n".join(["query-id,corpus-id,score", *(f"q{i},d{i - 1},1" for i in range(3, 8))])
    (tmp_path / "qrels" / "dev.csv").write_text(judged, encoding="utf-8")
    recipe = tiny_recipe(tiny_bert, folder, metric="mrr")
    report = sweep(SweepRecipe(**recipe.to_dict(), values=("0", "2", "5")), Lab(), ["null-top-k"])
    for row in report.rows:
        for split in ("dev", "test"):
            one = recipe.with_(split=split, calibrator=row["calibrator"])
            assert row[split] == pytest.approx(Lab().evaluate([one])[0].score)
    (chosen,) = report.where(chosen=True)
    assert chosen["dev"] == max(row["dev"] for row in report.rows)
    assert report.columns[2].header == "dev: MRR@10 x 100"
    found = tuned(TunedRecipe(**recipe.to_dict(), n_draws=100), Lab(), ["null-top-k:k=2"])
    as_it_is = found.row(choice="as it is", calibrator="null-top-k:k=2")
    assert as_it_is["score"] == pytest.approx(report.row(value=2)["test"])


def test_labels_of_pairs_are_swept_by_auc(recipe_of):
    recipe = recipe_of([(a, b, float(gold > 2.5), "all") for a, b, gold, _ in pair_rows()])
    (splits,) = prepare_splits([recipe.with_(metric="auc")], Lab())
    (row,) = swept(splits, Spec("null-top-k"), "k", (0,))
    sides = [x - splits.test.x_fit.mean(0) for x in (splits.test.x_first, splits.test.x_second)]
    expected = roc_auc_score(splits.test.pairs.targets, pairwise_cosine(*sides))
    assert row["test"] == pytest.approx(expected, abs=1e-6)


def test_a_table_has_no_dev_and_chooses_no_value(recipe_of):
    recipe = recipe_of()
    (splits,) = prepare_splits([recipe], Lab())
    assert splits.dev is None
    assert "no dev split" in splits.note
    rows = swept(splits, Spec("null-top-k"), "k", (0, 2))
    assert [(row["dev"], row["chosen"]) for row in rows] == [(None, False)] * 2
    test = splits.test
    sides = [x - test.x_fit.mean(0) for x in (test.x_first, test.x_second)]
    rho = spearmanr(pairwise_cosine(*sides), test.pairs.gold).statistic  # k = 0: only the mean
    assert rows[0]["test"] == pytest.approx(rho, abs=1e-6) and rows[1]["test"] is not None
    in_memory = Lab(tables={recipe.dataset: Lab().load(recipe)})
    (given,) = prepare_splits([recipe.with_(split="dev")], in_memory)
    assert given.dev is None
    np.testing.assert_array_equal(given.test.x_fit, splits.test.x_fit)
    for split in ("dev", "nope"):
        with pytest.raises(InputError, match="split"):
            prepare_splits([recipe.with_(split=split)], Lab())
    with pytest.raises(InputError, match="dev split"):
        tuned(TunedRecipe(**recipe.to_dict()), Lab(), ["whiten"])


@pytest.mark.parametrize("split", ["test", "dev", "train"])
def test_dev_and_what_is_scored_share_one_fit_corpus(recipe, lab, split):
    (splits,) = prepare_splits([recipe.with_(split=split)], lab)
    scored = "test" if split == "dev" else split
    assert [p.pairs.split for p in splits.present] == ["dev", scored]
    assert [p.recipe.split for p in splits.present] == ["dev", scored]
    assert splits.note is None
    assert splits.dev.x_fit is splits.test.x_fit
    assert len(splits.test.x_fit) == 240
    expected = next(lab.embedded([recipe.with_(split="dev")]))
    np.testing.assert_array_equal(splits.dev.x_first, expected.x_first)
    rows = swept(splits, Spec("null-top-k"), "k", (0, 1, 2))
    assert chosen_row(rows) is rows[int(np.argmax([row["dev"] for row in rows]))]


def test_without_a_test_split_dev_is_reported_with_a_warning(recipe, tmp_path):
    lab = Lab(data_dir=write_stsb(tmp_path))
    (tmp_path / "STS" / "STSBenchmark" / "sts-test.csv").unlink()
    (splits,) = prepare_splits([recipe.with_(split="dev", fit_on="train")], lab)
    assert splits.test is None
    assert "overstated" in splits.note
    rows = swept(splits, Spec("null-top-k"), "k", (0, 1))
    assert {row["test"] for row in rows} == {None}
    assert [row["chosen"] for row in rows].count(True) == 1
    with pytest.raises(InputError, match="no test split"):
        prepare_splits([recipe], lab)


@pytest.mark.parametrize(
    ("spec", "parameter", "values", "message"),
    [
        ("null-top-k", "k", (16,), "k must be below"),
        ("flow", "k", (1,), "no parameter 'k'"),
        ("flow", "depth", (1, 0), "depth must be"),
    ],
)
def test_values_that_cannot_be_swept_are_refused(splits, spec, parameter, values, message):
    with pytest.raises(InputError, match=message):
        swept(splits, Spec(spec), parameter, values)


def test_a_planted_direction_is_named_by_its_word(splits):
    sentences = splits.test.corpus.sentences
    has_dog = np.array(["dog" in sentence.split() for sentence in sentences])
    x = np.random.default_rng(0).normal(size=(len(sentences), 16))
    x[:, 4] += 30.0 * has_dog  # sentences with the word are moved along one direction
    embedded = replace(splits.test, x_fit=x)
    first, second = removed_directions(embedded, 2, min_count=5, n_words=3)
    assert [w.word for w in first.high_words] == ["dog"]
    assert all("dog" in s.sentence.split() for s in first.high_sentences[:5])
    variances = np.linalg.svd(x - x.mean(0), compute_uv=False) ** 2
    shares = variances[:2] / variances.sum()
    assert [first.share, second.share] == pytest.approx(shares.tolist())
    assert removed_directions(embedded, 0) == ()
    with pytest.raises(InputError, match="k must be below"):
        removed_directions(embedded, 16)


def test_dev_alone_chooses_and_every_score_is_that_of_an_evaluation(recipe, lab):
    rows = tuned(TunedRecipe(**recipe.to_dict(), n_draws=200), lab, TUNED).rows
    tried = [f"null-top-k:k={k}" for k in range(1, 15)]
    with pytest.raises(InputError, match=r"below the rank of .*, 15, got 15"):
        lab.evaluate([recipe.with_(calibrator="null-top-k:k=15")])
    on_dev = lab.evaluate(recipe.with_(split="dev").each(calibrators=tried))
    dev = {evaluation.spec: evaluation.rho for evaluation in on_dev}
    chosen = next(row for row in rows if "dev" in row)
    assert chosen["calibrator"] == max(dev, key=dev.get)
    assert chosen["dev"] == pytest.approx(max(dev.values()), abs=1e-6)
    for row in rows:
        evaluations = lab.evaluate([recipe.with_(calibrator=row["calibrator"])])
        evaluation = lab.evaluate([recipe.plain])[0] if row["choice"] == PLAIN else evaluations[0]
        assert row["score"] == pytest.approx(evaluation.rho, abs=1e-6)
        assert row["score_low"] <= row["score"] <= row["score_high"]


def test_each_tuned_baseline_is_compared_with_the_tuned_flow(recipe, lab):
    report = tuned(TunedRecipe(**recipe.to_dict(), n_draws=200), lab, [*TUNED, "flow"])
    rows = report.rows
    (flow,) = (row for row in rows if row["choice"] == ON_DEV and "flow" in row["calibrator"])
    baselines = [row for row in rows if row["choice"] == ON_DEV and row is not flow]
    assert len(baselines) == 2
    for row in baselines:
        told = row["finding"]
        assert told in report.text(Kind.ANSWER)
        after, before = (round(100 * each["score"], 2) for each in (row, flow))
        assert f"{flow['calibrator']}, also tuned on dev, with {before:.2f}" in told
        assert f"({after - before:+.2f}, 95 %" in told
    output = recipe.plain.to_dict()
    assert [
        row["choice"] for row in tuned(TunedRecipe(**output, n_draws=100), lab, ["identity"]).rows
    ] == [PLAIN]
    best = max((row for row in rows if "dev" in row), key=lambda row: row["dev"])
    plain = 100 * report.row(choice=PLAIN)["score"]
    told = report.text(Kind.ANSWER).partition("The best on dev, ")[2]
    assert told.startswith(f"{best['calibrator']}, scores {100 * best['score']:.2f}, ")
    assert f" the plain output with {plain:.2f} (" in told
    assert ("Keep the plain output" in told) == (" more than the plain output" not in told)
    for split in ("test", "dev"):  # a study that is asked to score dev scores test
        asked = replace(report, params=report.params.with_(split=split))
        assert asked.figure("tuned").layout.xaxis.title.text == "rho x 100, test"


@pytest.mark.parametrize(("plain", "tuned_on_dev"), [(0.1, 3), (3, 0.1), (1, 1)])
def test_the_plain_output_is_kept_unless_the_best_on_dev_scores_more(
    recipe, lab, plain, tuned_on_dev
):
    pairs, params = lab.pairs(recipe), TunedRecipe(**recipe.to_dict(), n_draws=200)
    noise = np.random.default_rng(0).normal(scale=pairs.gold.std(), size=len(pairs))
    names = {(PLAIN, "identity"): plain, (ON_DEV, "whiten"): tuned_on_dev}
    similarities = {name: pairs.gold + times * noise for name, times in names.items()}
    scores = scores_of(similarities, pairs, recipe, params.n_draws)
    told = _against_plain({"choice": ON_DEV, "calibrator": "whiten"}, scores, params)
    before, after = (spearmanr(pairs.gold, each).statistic for each in similarities.values())
    assert told.endswith("Keep the plain output, unless you need these layers.") == (
        after <= before
    )
    assert (f"{100 * after:.2f}, more than the plain output" in told) == (after > before)


@pytest.mark.gate
def test_the_stored_baselines_are_tuned_again(captions_lab):
    for row in tuned(TunedRecipe(n_draws=200), captions_lab, TUNED).rows:
        stored = stored_tuned().row(calibrator=row["calibrator"], choice=row["choice"])
        assert row["score"] == pytest.approx(stored["score"], abs=1e-3)
