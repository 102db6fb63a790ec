"""The advice on synthetic clouds with known answers, and on real ones."""

import csv
import io
import json

import numpy as np
import pytest

from bertflow_core import context
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.datasets import Corpus, Provenance, SentencePairs, corpus_of, load_pairs
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.space import Prepared
from bertflow_core.studies.advice import Gain, Question, Recommendation, advise, check
from bertflow_core.studies.advice.answer import recommend
from bertflow_core.studies.advice.cone import Cone, measure_cone
from bertflow_core.studies.advice.linear import LinearLoss, measure_linear_loss
from bertflow_core.studies.advice.report import advice_report
from bertflow_core.studies.advice.rules import judge_cone, judge_linear, judge_shift, judge_size
from bertflow_core.studies.advice.shift import Shift, measure_shift
from bertflow_core.studies.advice.size import HeldOut, measure_held_out
from bertflow_core.studies.advice.thresholds import fact, threshold

D = 24
NOWHERE = Provenance("Made by a test.", "none", "table", (), ())


def gaussian(n, d=D, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def prepared(x_fit, x_first, x_second=None, *, gold=None, model="minilm", prefix="used"):
    """Prepare embeddings; sentences have the names of their rows, `used` ones their own prefix."""
    n = len(x_first)
    first = [f"{prefix} {i}" for i in range(n)]
    second = [] if x_second is None else [f"{prefix} {n + i}" for i in range(n)]
    pairs = SentencePairs("toy", "test", first, second, gold, (0, 5), ["all"] * n, NOWHERE)
    return Prepared(
        recipe=Recipe(model=model, dataset="teaching"),
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
    with pytest.raises(InputError, match="got 19"):
        measure_held_out(gaussian(19))


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
    with pytest.raises(InputError, match="at least 20"):
        measure_shift(gaussian(19), gaussian(30))


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
    return judge_size(
        HeldOut(x, 383, round(384 * ratio)), n_rows=round(384 * ratio), n_features=384
    )


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
def test_recommendations_change_at_their_thresholds(judge, name, rises):
    stop, go = threshold(f"{name}.stop"), threshold(f"{name}.go")
    assert (stop.value < go.value) is rises
    better, worse = (1e-6, -1e-6) if rises else (-1e-6, 1e-6)
    assert judge(go.value + better).recommendation is Recommendation.GO
    assert judge(go.value + worse).recommendation is Recommendation.CAUTION
    assert judge(stop.value + better).recommendation is Recommendation.CAUTION
    assert judge(stop.value + worse).recommendation is Recommendation.STOP
    assert {stop, go} <= set(judge(go.value).thresholds)


def test_few_sentences_a_feature_are_never_clear():
    enough = threshold("size.n_per_d.go").value
    assert size_at(1.0, enough + 0.01).recommendation is Recommendation.GO
    assert size_at(1.0, enough - 0.01).recommendation is Recommendation.CAUTION
    assert judge_size(None, n_rows=10, n_features=384).recommendation is Recommendation.STOP


def test_a_variance_near_1_of_no_more_sentences_than_features_is_no_good_sign():
    few = judge_size(HeldOut(1.08, 44, 45), n_rows=45, n_features=384).sentence
    assert "1 is ideal" not in few and "44 directions only" in few and "no sign" in few
    assert "1 is ideal" in size_at(1.08).sentence


def test_a_calibrator_that_gained_nothing_on_ones_own_pairs_is_not_recommended():
    def sentence(*after):
        names = ("null-top-k:k=6", "ledoit-wolf")
        gains = [Gain(n, 0.5, a, -0.1, 0.1, False, 30) for n, a in zip(names, after, strict=False)]
        return judge_size(HeldOut(1.1, 44, 45), n_rows=45, n_features=384, gains=gains).sentence

    for praised in (sentence(), sentence(0.6)):
        assert "null-top-k:k=6 gained +" in praised and "nothing" not in praised
    lost = sentence(0.4)
    assert "null-top-k:k=6 gained nothing" in lost and "ledoit-wolf gained +" in lost
    assert "points" not in sentence(0.4, 0.5).split("Add sentences")[1]


def test_a_corpus_that_holds_the_used_sentences_is_not_shifted():
    alike = judge_shift(None, n_fit=9, n_used=5, n_shared=5)
    assert alike.recommendation is Recommendation.GO and alike.is_neutral
    assert not shift_at(0.5).is_neutral
    assert judge_shift(None, n_fit=9, n_used=5, n_shared=2).recommendation is Recommendation.CAUTION


def test_a_linear_classifier_next_is_never_a_go():
    limit = threshold("linear.variance_lost.stop").value
    little, much = LinearLoss(0, limit - 1e-6), LinearLoss(9, limit + 1e-6)
    assert judge_linear({"a": much}, linear_next=False).recommendation is Recommendation.GO
    assert judge_linear({"a": little}, linear_next=True).recommendation is Recommendation.CAUTION
    assert judge_linear({"a": much}, linear_next=True).recommendation is Recommendation.STOP
    mixed = judge_linear({"a": much, "b": little}, linear_next=True)
    assert mixed.recommendation is Recommendation.CAUTION
    assert "not a." in mixed.sentence


def test_sentences_hold_their_numbers():
    assert all(n in cone_at(0.734).sentence for n in ("0.73", "10 %", "100 of 384"))
    assert all(n in size_at(1.234, 5).sentence for n in ("1,920", "384", "5 for each", "1.23"))
    assert all(n in shift_at(0.777).sentence for n in ("0.78", "0.52", "10 %"))
    assert f"{fact('shift.cost').median:.1f} points" in shift_at(0.9999).sentence
    assert "no better than chance" in shift_at(0.51).sentence
    linear = judge_linear({"whiten": LinearLoss(7, 0.123)}, linear_next=True).sentence
    assert all(n in linear for n in ("7 directions", "12.3%"))


@pytest.mark.parametrize(
    ("contrastive", "layers", "text"),
    [
        (None, "last", "does not list"),
        (False, "last", "does not know"),
        (True, "last", "and this is its output"),
        (True, "layer:4", "layer:4 is not its output"),
    ],
)
def test_the_catalogue_is_a_hint(contrastive, layers, text):
    measured = judge_cone(Cone(0.5, 0.1, 100, 384), contrastive=contrastive, layers=layers)
    assert text in measured.sentence


# The recommendation.


def gain(after, significant):
    return Gain("whiten", 0.5, after, after - 0.52, after - 0.48, significant, 400)


CLEAR, WARNING = cone_at(0.9), shift_at(0.9999)
COSINE = judge_linear({"a": LinearLoss(0, 0)}, linear_next=False)


@pytest.mark.parametrize(
    ("gains", "findings", "expected", "text"),
    [
        ([], [CLEAR], Recommendation.GO, "no finding speaks against"),
        ([], [CLEAR, WARNING], Recommendation.STOP, "conflict"),
        ([], [CLEAR, size_at(99.0)], Recommendation.CAUTION, "Do not whiten on so few"),
        ([], [WARNING, size_at(99.0)], Recommendation.STOP, "Do not calibrate as things are"),
        ([gain(0.6, True)], [CLEAR], Recommendation.GO, "from 50.00 to 60.00"),
        ([gain(0.6, True)], [CLEAR, WARNING], Recommendation.GO, "the warning holds"),
        ([gain(0.4, True)], [CLEAR], Recommendation.STOP, "counts more"),
        ([gain(0.4, True)], [WARNING], Recommendation.STOP, "agrees"),
        ([gain(0.51, False)], [WARNING], Recommendation.CAUTION, "No significant gain"),
    ],
)
def test_gold_outweighs_the_check_without_labels(gains, findings, expected, text):
    recommendation, sentence = recommend(findings, gains, linear_next=False)
    assert recommendation is expected
    assert text in sentence


@pytest.mark.parametrize("gains", [[], [gain(0.4, True)]])
def test_findings_are_counted_as_they_are_shown(gains):
    findings = [CLEAR, size_at(1.0, 0.1), COSINE]
    said = "1 of 3 findings speaks for calibrating, and 1 speaks neither for nor against it"
    assert said in recommend(findings, gains, linear_next=False)[1]


def test_findings_that_say_nothing_by_themselves_neither_conflict_nor_count():
    alike = judge_shift(None, n_fit=9, n_used=5, n_shared=5)
    assert "speak" not in recommend([cone_at(0.0), alike, COSINE], [], linear_next=False)[1]
    of_gold = recommend([cone_at(0.0), alike, COSINE], [gain(0.4, True)], linear_next=False)
    assert of_gold[1].endswith("The check without labels agrees.")
    assert [each.verdict for each in (CLEAR, alike, COSINE)] == ["go", "neutral", "neutral"]


def test_gold_says_nothing_about_a_classifier():
    stop = judge_linear({"a": LinearLoss(9, 0.9)}, linear_next=True)
    recommendation, sentence = recommend([CLEAR, stop], [gain(0.6, True)], linear_next=True)
    assert recommendation is Recommendation.STOP
    assert "keep the raw embeddings" in sentence


# The whole.


def test_a_cone_with_gold_is_worth_calibrating():
    first, second, gold = graded()
    calls = []
    with context.reporting(lambda *call: calls.append(call)):
        advice = check(
            prepared(gaussian(2_000), first, second, gold=gold),
            calibrators=["whiten", "null-top-k:k=1"],
            n_draws=200,
        )
    assert [finding.question for finding in advice.findings] == list(Question)
    assert {each.calibrator for each in advice.gains} == {"whiten", "null-top-k:k=1"}
    assert advice.gains[0].after >= advice.gains[1].after
    assert advice.gains[0].n_pairs == 400
    assert {unit for _, _, unit in calls} == {"checks"}
    assert [done for done, _, _ in calls] == sorted(done for done, _, _ in calls)
    assert calls[-1][0] == calls[-1][1]
    document = json.loads(json.dumps(advice.to_dict(), allow_nan=False))
    assert document["verdict"] in list(Recommendation)
    assert document["recommendation"] == advice.answer


def test_a_report_has_every_number_and_the_command():
    first, second, gold = graded()
    given = prepared(gaussian(2_000), first, second, gold=gold)
    advice = check(given, calibrators=["whiten", "standardize"], n_draws=200)
    report = advice_report(advice)
    assert json.loads(report.write("json")) == json.loads(json.dumps(advice.to_dict()))
    assert "--calibrator identity --calibrator whiten --calibrator standardize" in report.command
    for said in (*report.remarks, report.tables()[0].remarks[-1]):
        assert "Fitted: whiten, standardize." in said and "identity" not in said
    rows = {row["measure"]: row for row in csv.DictReader(io.StringIO(report.write("csv")))}
    numbers = [(name, each) for f in advice.findings for name, each in f.evidence.items()]
    assert all(
        float(rows[name]["value"]) == each.value for name, each in numbers if name != "n_features"
    )
    after = {each.calibrator: each.after for each in advice.gains}
    assert float(rows["whiten rho after"]["value"]) == after["whiten"]
    assert [table.header[0] for table in report.tables()] == ["question", "calibrator"]
    without = advice_report(check(prepared(gaussian(300), gaussian(300)), calibrators=["whiten"]))
    assert [table.header[0] for table in without.tables()] == ["question"]


def test_a_gain_is_the_experiments_own():
    first, second, gold = graded()
    both = np.stack([first, second], axis=1).reshape(-1, D)
    advice = check(prepared(both, first, second, gold=gold), calibrators=["whiten"], n_draws=200)
    from scipy.stats import spearmanr

    def rho(a, b):
        cosine = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
        return spearmanr(cosine, gold).statistic

    whiten = build_calibrator("whiten").fit(both)
    measured = advice.gains[0]
    assert measured.before == pytest.approx(rho(first, second))
    assert measured.after == pytest.approx(rho(whiten.transform(first), whiten.transform(second)))
    assert measured.significant
    assert measured.after > measured.before
    assert advice.recommendation is Recommendation.GO


def test_sentences_of_both_sides_are_left_out_of_the_shift():
    x = gaussian(500)
    same = prepared(x, x[:250], x[250:], prefix="fit")
    finding = check(same, calibrators=["whiten"]).findings[2]
    assert finding.recommendation is Recommendation.GO
    assert finding.evidence["shared"].value == 1
    assert "auc" not in finding.evidence
    far = prepared(x, x[:250] + 9, x[250:] + 9)
    finding = check(far, calibrators=["whiten"]).findings[2]
    assert finding.recommendation is Recommendation.STOP
    assert finding.evidence["auc"].value == pytest.approx(1, abs=0.01)


def test_single_sentences_have_no_gains():
    advice = check(prepared(gaussian(300), gaussian(300, seed=1)), calibrators=["whiten"])
    assert advice.gains == ()
    assert advice.note is None
    assert advice.findings[0].recommendation is Recommendation.STOP  # isotropic: there is no cone


def test_duplicates_do_not_count_as_sentences():
    many = prepared(np.tile(gaussian(30), (20, 1)), gaussian(300, seed=1))
    texts = Corpus(tuple(f"fit {i % 30}" for i in range(600)), "Toy.", (NOWHERE,))
    object.__setattr__(many, "corpus", texts)
    finding = check(many, calibrators=["whiten"]).findings[1]
    assert finding.evidence["n_sentences"].value == 30


def test_gold_that_no_bootstrap_can_use_is_noted():
    first, second, _ = graded(n=40)
    gold = np.zeros(40)
    gold[0] = 5
    advice = check(prepared(gaussian(300), first, second, gold=gold), calibrators=["whiten"])
    assert advice.gains == ()
    assert "resamples have no rho" in advice.note


@pytest.mark.parametrize("specs", [[], ["identity", "whiten"], ["whitten"]])
def test_calibrators_that_cannot_be_tried_are_refused_at_once(specs):
    with pytest.raises(InputError):
        check(prepared(gaussian(300), gaussian(30)), calibrators=specs)


@pytest.mark.parametrize("at", range(6))
def test_the_check_can_be_stopped_at_every_step(at):
    def stop(done, total, unit):
        if done >= at:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(stop):
        check(prepared(gaussian(300), gaussian(30)))


def test_the_input_is_not_changed():
    first, second, gold = graded(n=100)
    given = prepared(gaussian(300), first, second, gold=gold)
    before = [x.copy() for x in (given.x_fit, given.x_first, given.x_second)]
    once = check(given, n_draws=100)
    after = (given.x_fit, given.x_first, given.x_second)
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    assert check(given, n_draws=100).to_dict() == once.to_dict()


def test_on_stsb_the_middle_is_a_cone_and_the_output_is_not(data_dir):
    pairs = load_pairs("stsb", data_dir=data_dir)
    every = slice(None, None, 14)
    sides = pairs.first[every], pairs.second[every]
    gold, subsets = pairs.gold[every], pairs.subsets[every]
    few = SentencePairs("stsb", "test", *sides, gold, pairs.scale, subsets, pairs.provenance)
    lab = Lab(tables={"stsb": (few, corpus_of([few]))})
    by_layers = {}
    for layers in ("layer:4", "last"):
        advice = advise(Recipe(dataset="stsb", layers=layers), lab, n_draws=200)
        by_layers[layers] = [finding.recommendation for finding in advice.findings]
    assert by_layers["layer:4"][0] is Recommendation.GO
    assert by_layers["last"][0] is Recommendation.STOP
    for cone, size, shift, linear in by_layers.values():
        assert cone in (Recommendation.GO, Recommendation.STOP)
        assert size is Recommendation.CAUTION  # fewer sentences than features
        assert shift is Recommendation.GO  # the fit corpus is what is scored
        assert linear is Recommendation.GO  # nobody says that a classifier comes next
