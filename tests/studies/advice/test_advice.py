"""The advice on synthetic clouds with known answers, and on real ones."""

import json

import numpy as np
import pytest
from scipy.stats import spearmanr

from bertflow_core import context
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.datasets import Corpus, Provenance, SentencePairs, corpus_of, load_pairs
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.lab import Lab
from bertflow_core.space import Prepared
from bertflow_core.studies.advice.measures import (
    Cone,
    HeldOut,
    LinearLoss,
    Shift,
    measure_cone,
    measure_held_out,
    measure_linear_loss,
    measure_shift,
)
from bertflow_core.studies.advice.rules import (
    Question,
    Verdict,
    fact,
    judge_cone,
    judge_linear,
    judge_shift,
    judge_size,
    threshold,
)
from bertflow_core.studies.advice.study import (
    AdviceRecipe,
    advice,
    answer,
    check,
    findings_of,
    gains_of,
)

D = 24
RECIPE = AdviceRecipe(dataset="teaching", n_draws=200)
NOWHERE = Provenance("Made by a test.", "none", "table", (), ())


def gaussian(n, d=D, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def prepared(x_fit, x_first, x_second=None, *, gold=None, prefix="used"):
    """Prepare embeddings; sentences have the names of their rows, `used` ones their own prefix."""
    n = len(x_first)
    first = [f"{prefix} {i}" for i in range(n)]
    second = [] if x_second is None else [f"{prefix} {n + i}" for i in range(n)]
    pairs = SentencePairs("toy", "test", first, second, gold, (0, 5), ["all"] * n, NOWHERE)
    return Prepared(
        recipe=RECIPE,
        pairs=pairs,
        corpus=Corpus(tuple(f"fit {i}" for i in range(len(x_fit))), "Toy.", (NOWHERE,)),
        x_fit=x_fit,
        x_first=x_first,
        x_second=x_first if x_second is None else x_second,
        n_cut=0,
        n_sentences=len(x_fit) + 2 * n,
        encoder={},
        seconds=0.0,
    )


def graded(n=400, cone=4.0, seed=0):
    """Pairs whose likeness is gold, under a shared direction whose length is noise."""
    rng = np.random.default_rng(seed)
    gold = rng.uniform(0, 5, n)
    first, other = gaussian(n, seed=seed + 1), gaussian(n, seed=seed + 2)
    share = (gold / 5)[:, None]
    second = share * first + np.sqrt(1 - share**2) * other
    sides = [side.copy() for side in (first, second)]
    for side in sides:
        side[:, 0] = cone * rng.lognormal(sigma=1, size=n)
    return *sides, gold


# The numbers.


def test_an_isotropic_cloud_is_no_cone():
    cone = measure_cone(gaussian(20_000))
    assert cone.random_cosine == pytest.approx(0, abs=0.01)
    assert cone.top_share == pytest.approx(1 / D, rel=0.1)
    assert cone.effective_rank == pytest.approx(D, rel=0.01)


def test_a_shifted_cloud_is_a_cone_whose_variances_stay():
    x = gaussian(20_000)
    cone = measure_cone(x + 10)
    assert cone.random_cosine == pytest.approx(100 / 101, abs=0.002)  # |mean|^2 / E|x|^2
    assert cone.effective_rank == pytest.approx(measure_cone(x).effective_rank)


def test_effective_rank_counts_equal_directions():
    x = gaussian(20_000)
    x[:, 5:] = 0
    assert measure_cone(x).effective_rank == pytest.approx(5, rel=0.01)


@pytest.mark.parametrize("n", [D * 2, D * 5, D * 50])
def test_held_out_variance_is_that_of_gaussian_theory(n):
    measured = [measure_held_out(gaussian(n, seed=s), seed=s).variance for s in range(20)]
    kept = 0.9 * n  # E z'z / D = (m + 1) (m - 1) / (m (m - D - 2)) for a whitening of m rows
    expected = (kept + 1) * (kept - 1) / (kept * (kept - D - 2))
    assert np.mean(measured) == pytest.approx(expected, rel=0.12)


def test_fewer_sentences_than_features_keep_fewer_directions():
    measured = measure_held_out(gaussian(20))
    assert measured.rank == 19


def test_the_auc_is_that_of_theory_for_equal_and_shifted_samples():
    alike = measure_shift(gaussian(800), gaussian(800, seed=1))
    assert alike.auc == pytest.approx(0.5, abs=0.06)
    assert 0.5 < alike.floor < 0.6
    # One mean apart by 2 standard deviations: the best AUC is Phi(2 / sqrt 2) = 0.921.
    second = gaussian(800, seed=1)
    second[:, 3] += 2
    apart = measure_shift(gaussian(800), second)
    assert apart.auc == pytest.approx(0.921, abs=0.02)
    assert apart.auc > apart.floor


def test_both_sides_of_pairs_do_not_give_their_set_away():
    """One near copy in the training folds would betray the other in the test fold."""
    rng = np.random.default_rng(0)
    x = np.repeat(gaussian(1_000, 200), 2, axis=0) + 0.01 * rng.normal(size=(2_000, 200))
    halves = np.repeat(rng.integers(2, size=1_000), 2)
    measured = measure_shift(x[halves == 0], x[halves == 1])
    assert measured.auc == pytest.approx(0.5, abs=0.07)


def test_at_most_2000_sentences_per_side_are_used():
    measured = measure_shift(gaussian(3_000, 4), gaussian(30, 4, seed=1))
    assert (measured.n_first, measured.n_second) == (2_000, 30)


@pytest.mark.parametrize(
    ("spec", "rank_lost", "variance_lost"),
    [
        ("standardize", 0, 0),
        ("whiten", 0, 0),
        ("null-top-k:k=2", 2, 0.75),
        ("whiten:n_components=2", 2, 0.25),
    ],
)
def test_a_linear_classifier_loses_only_what_is_removed(spec, rank_lost, variance_lost):
    x = gaussian(5_000, 4) * np.sqrt([4.5, 4.5, 1.5, 1.5])
    loss = measure_linear_loss(build_calibrator(spec).fit(x), x)
    assert loss.rank_lost == rank_lost
    assert loss.variance_lost == pytest.approx(variance_lost, abs=0.02)


# The rules.


def cone_at(x):
    return judge_cone(Cone(x, 0.1, 100, 384), contrastive=False, layers="layer:4")


def size_at(x, ratio=10.0):
    n = round(384 * ratio)
    return judge_size(HeldOut(x, 383, n), n_rows=n, n_features=384)


def shift_at(x):
    return judge_shift(Shift(x, 0.52, 2000, 2000), n_fit=4000, n_used=3000, n_shared=300)


@pytest.mark.parametrize(
    ("judge", "name", "rises"),
    [
        (cone_at, "cone.random_cosine", True),
        (size_at, "size.held_out", False),
        (shift_at, "shift.auc", False),
    ],
)
def test_verdicts_change_at_their_thresholds(judge, name, rises):
    stop, go = threshold(f"{name}.stop"), threshold(f"{name}.go")
    assert (stop.value < go.value) is rises
    better, worse = (1e-6, -1e-6) if rises else (-1e-6, 1e-6)
    assert judge(go.value + better)["verdict"] == Verdict.GO
    assert judge(go.value + worse)["verdict"] == Verdict.CAUTION
    assert judge(stop.value + better)["verdict"] == Verdict.CAUTION
    assert judge(stop.value + worse)["verdict"] == Verdict.STOP
    assert {stop.source, go.source} <= set(judge(go.value)["sources"])


def test_few_sentences_a_feature_are_never_clear():
    enough = threshold("size.n_per_d.go").value
    assert size_at(1.0, enough + 0.01)["verdict"] == Verdict.GO
    assert size_at(1.0, enough - 0.01)["verdict"] == Verdict.CAUTION
    assert judge_size(None, n_rows=10, n_features=384)["verdict"] == Verdict.STOP


def test_findings_hold_their_numbers():
    cone, size, shift = (
        row["finding"] for row in (cone_at(0.734), size_at(1.234, 5), shift_at(0.777))
    )
    assert all(n in cone for n in ("0.73", "10 %", "100 of 384"))
    assert all(n in size for n in ("1,920", "384", "5 for each", "1.23", "1 is ideal"))
    assert all(n in shift for n in ("0.78", "0.52", "300 of the 3,000"))
    assert shift_at(0.777)["shared"] == 0.1
    assert f"{fact('shift.cost')['median']:.1f} points" in shift_at(0.9999)["finding"]
    few = judge_size(HeldOut(1.08, 44, 45), n_rows=45, n_features=384)["finding"]
    assert "1 is ideal" not in few and "44 directions" in few and "no sign" in few
    linear = judge_linear({"whiten": LinearLoss(7, 0.123)}, linear_next=True)["finding"]
    assert all(n in linear for n in ("7 directions", "12.3%"))


@pytest.mark.parametrize("lost", [(), ("null-top-k:k=6",), ("null-top-k:k=6", "ledoit-wolf")])
def test_a_calibrator_that_gained_nothing_on_ones_own_pairs_is_not_recommended(lost):
    row = judge_size(HeldOut(1.1, 44, 45), n_rows=45, n_features=384, lost=lost)
    for spec in ("null-top-k:k=6", "ledoit-wolf"):
        assert (f"{spec} gained +" in row["finding"]) is (spec not in lost)


def test_a_corpus_that_holds_the_used_sentences_is_not_shifted():
    assert judge_shift(None, n_fit=9, n_used=5, n_shared=5)["verdict"] == Verdict.NEUTRAL
    assert judge_shift(None, n_fit=9, n_used=5, n_shared=2)["verdict"] == Verdict.CAUTION


def test_a_linear_classifier_next_is_never_a_go():
    limit = threshold("linear.variance_lost.stop").value
    little, much = LinearLoss(0, limit - 1e-6), LinearLoss(9, limit + 1e-6)
    assert judge_linear({"a": much}, linear_next=False)["verdict"] == Verdict.NEUTRAL
    assert judge_linear({"a": little}, linear_next=True)["verdict"] == Verdict.CAUTION
    assert judge_linear({"a": much}, linear_next=True)["verdict"] == Verdict.STOP
    mixed = judge_linear({"a": much, "b": little}, linear_next=True)
    assert mixed["verdict"] == Verdict.CAUTION


# The answer.


def gain(after, verdict):
    return {"verdict": verdict, "finding": "It changes.", "after": after, "before": 0.5}


CLEAR, WARNING = cone_at(0.9), shift_at(0.9999)
ALIKE = judge_shift(None, n_fit=9, n_used=5, n_shared=5)
COSINE = judge_linear({"a": LinearLoss(0, 0)}, linear_next=False)
RISES, FALLS = gain(0.6, Verdict.GO), gain(0.4, Verdict.STOP)


@pytest.mark.parametrize(
    ("gains", "findings", "expected", "text"),
    [
        ([], [CLEAR], Verdict.GO, "no finding speaks against"),
        ([], [ALIKE, COSINE], Verdict.GO, "no finding speaks against"),
        ([], [CLEAR, WARNING], Verdict.STOP, "conflict"),
        ([], [CLEAR, size_at(99.0)], Verdict.CAUTION, "Do not whiten on so few"),
        ([], [WARNING, size_at(99.0)], Verdict.STOP, "Do not calibrate as things are"),
        ([RISES], [CLEAR], Verdict.GO, "agrees"),
        ([RISES], [CLEAR, WARNING], Verdict.GO, "the warning holds"),
        ([FALLS], [CLEAR], Verdict.STOP, "counts more"),
        ([FALLS], [WARNING], Verdict.STOP, "agrees"),
        ([FALLS], [cone_at(0.0), ALIKE, COSINE], Verdict.STOP, "agrees"),
        ([FALLS], [CLEAR, WARNING], Verdict.STOP, "of 2 findings 1 for"),
        ([gain(0.51, Verdict.CAUTION)], [WARNING], Verdict.CAUTION, "Expect no significant gain"),
    ],
)
def test_gold_outweighs_the_check_without_labels(gains, findings, expected, text):
    verdict, sentence = answer(findings, gains, linear_next=False)
    assert verdict is expected
    assert text in sentence


def test_gold_says_nothing_about_a_classifier():
    stop = judge_linear({"a": LinearLoss(9, 0.9)}, linear_next=True)
    assert answer([CLEAR, stop], [RISES], linear_next=True)[0] is Verdict.STOP


# The whole.


def report_of(given, *specs):
    return advice.collect(check(given, RECIPE, specs, Lab()), RECIPE, ("identity", *specs))


def finding(report, question):
    return report.row(question=question)


def test_a_report_has_a_row_for_each_question_and_each_calibrator():
    first, second, gold = graded()
    calls = []
    with context.reporting(lambda *call: calls.append(call)):
        report = report_of(
            prepared(gaussian(2_000), first, second, gold=gold), "whiten", "null-top-k:k=1"
        )
    assert [row["question"] for row in findings_of(report)] == list(Question)
    assert all(name in row for row in findings_of(report) for name in row["units"])
    gains = gains_of(report)
    assert {row["calibrator"] for row in gains} == {"whiten", "null-top-k:k=1"}
    assert gains[0]["after"] >= gains[1]["after"]
    assert gains[0]["n_pairs"] == 400
    assert {unit for _, _, unit in calls} == {"checks"}
    assert [done for done, _, _ in calls] == sorted(done for done, _, _ in calls)
    assert calls[-1][0] == calls[-1][1]
    document = json.loads(report.write("json"))
    assert document["verdict"] in list(Verdict)
    assert len(document["rows"]) == 6


def test_a_gain_is_scipy_s_rho():
    first, second, gold = graded()
    both = np.stack([first, second], axis=1).reshape(-1, D)
    report = report_of(prepared(both, first, second, gold=gold), "whiten")

    def rho(a, b):
        cosine = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
        return spearmanr(cosine, gold).statistic

    whiten = build_calibrator("whiten").fit(both)
    (measured,) = gains_of(report)
    assert measured["before"] == pytest.approx(rho(first, second))
    after = rho(whiten.transform(first), whiten.transform(second))
    assert measured["after"] == pytest.approx(after)
    assert measured["after"] > measured["before"]
    assert measured["significant"]
    assert measured["verdict"] == report.facts["verdict"] == Verdict.GO


def test_sentences_of_both_sides_are_left_out_of_the_shift():
    x = gaussian(500)
    same = report_of(prepared(x, x[:250], x[250:], prefix="fit"), "whiten")
    assert finding(same, Question.SHIFT)["shared"] == 1
    assert "auc" not in finding(same, Question.SHIFT)
    far = report_of(prepared(x, x[:250] + 9, x[250:] + 9), "whiten")
    assert finding(far, Question.SHIFT)["verdict"] == Verdict.STOP
    assert finding(far, Question.SHIFT)["auc"] == pytest.approx(1, abs=0.01)


def test_single_sentences_have_no_gains():
    report = report_of(prepared(gaussian(300), gaussian(300, seed=1)), "whiten")
    assert not gains_of(report) and not report.figures()
    assert report.facts["why_no_gains"] is None
    assert finding(report, Question.CONE)["verdict"] == Verdict.STOP  # isotropic


def test_duplicates_do_not_count_as_sentences():
    many = prepared(np.tile(gaussian(30), (20, 1)), gaussian(300, seed=1))
    texts = Corpus(tuple(f"fit {i % 30}" for i in range(600)), "Toy.", (NOWHERE,))
    object.__setattr__(many, "corpus", texts)
    assert finding(report_of(many, "whiten"), Question.SIZE)["n_sentences"] == 30


def test_gold_that_no_bootstrap_can_use_is_noted():
    first, second, _ = graded(n=40)
    gold = np.zeros(40)
    gold[0] = 5
    report = report_of(prepared(gaussian(300), first, second, gold=gold), "whiten")
    assert not gains_of(report)
    assert "resamples have no rho" in report.facts["why_no_gains"]


def test_calibrators_that_cannot_be_tried_are_refused_at_once():
    for specs in (["identity"], ["whitten"]):
        with pytest.raises(InputError):
            advice(RECIPE, Lab(), specs)


@pytest.mark.parametrize("at", range(6))
def test_the_check_can_be_stopped_at_every_step(at):
    def stop(done, total, unit):
        if done >= at:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(stop):
        report_of(prepared(gaussian(300), gaussian(30)), "whiten", "standardize")


def test_the_input_is_not_changed():
    first, second, gold = graded(n=100)
    given = prepared(gaussian(300), first, second, gold=gold)
    arrays = (given.x_fit, given.x_first, given.x_second)
    before = [x.copy() for x in arrays]
    once = report_of(given, "whiten")
    assert all(np.array_equal(a, b) for a, b in zip(before, arrays, strict=True))
    assert report_of(given, "whiten").rows == once.rows


def test_on_stsb_the_middle_is_a_cone_and_the_output_is_not(data_dir):
    pairs = load_pairs("stsb", data_dir=data_dir)
    every = slice(None, None, 14)
    sides = pairs.first[every], pairs.second[every]
    gold, subsets = pairs.gold[every], pairs.subsets[every]
    few = SentencePairs("stsb", "test", *sides, gold, pairs.scale, subsets, pairs.provenance)
    lab = Lab(tables={"stsb": (few, corpus_of([few]))})
    for layers, expected in (("layer:4", Verdict.GO), ("last", Verdict.STOP)):
        report = advice(RECIPE.with_(dataset="stsb", layers=layers), lab)
        cone, size, shift, linear = (row["verdict"] for row in findings_of(report))
        assert cone == expected
        assert size == Verdict.CAUTION  # fewer sentences than features
        assert shift == Verdict.NEUTRAL  # the fit corpus is what is scored
        assert linear == Verdict.NEUTRAL  # nobody says that a classifier comes next
