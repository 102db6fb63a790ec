"""The watched fit is that of the calibrator, with the numbers of scipy and scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi, kstest, norm, spearmanr
from sklearn.metrics.pairwise import cosine_similarity

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.errors import Cancelled
from bertflow_core.evaluation import Comparison, pairwise_cosine
from bertflow_core.exhibits.training import (
    Checkpoint,
    LiveFit,
    Measures,
    checkpoint_steps,
    watch_fit,
)
from bertflow_core.lab.lab import Lab
from bertflow_core.runtime import context

EPOCHS = 40.0


@pytest.fixture(scope="module")
def recipe(recipe_of):
    return recipe_of(60, seed=3)


@pytest.fixture(scope="module")
def live(recipe):
    return watch_fit(recipe, Lab(), LiveFit(EPOCHS))


@pytest.fixture(scope="module")
def calibrator(live):
    return FlowCalibrator(epochs=EPOCHS, seed=3, device="cpu").fit(live.x_fit)


def recorded(*points, ends=()):
    """Return a fit with these steps, rhos and log-likelihoods; its change of rho has these ends."""
    change = Comparison(0.7, 0.7, *ends, 0.5, 0.01) if ends else None
    checkpoints = [
        Checkpoint(step, Measures(rho, 0.1, log_likelihood, 0.2, np.ones(4)), {})
        for step, rho, log_likelihood in points
    ]
    return LiveFit(1, checkpoints=checkpoints, change=change)


def test_the_last_checkpoint_is_the_calibrator_fitted_to_all_but_the_held_out_rows(
    live, calibrator
):
    last = live.checkpoints[-1]
    assert last.step == live.n_steps == len(live.losses) == len(calibrator.steps_)
    for name, value in calibrator.flow_.state_dict().items():
        np.testing.assert_array_equal(last.weights[name], value.numpy(), err_msg=name)
    assert live.losses == [record.bits_per_dimension for record in calibrator.steps_]
    rows = {row.tobytes() for row in live.x_fit}
    held_out = [row.tobytes() for row in live.x_held_out]
    assert held_out and rows.isdisjoint(held_out)
    total = len(live.x_fit) + len(held_out)
    assert total == len(live.embedded.corpus)
    assert 0.05 < len(held_out) / total < 0.15


def test_epochs_are_of_the_whole_where_sentences_were_drawn(recipe):
    pairs, corpus = Lab().load(recipe)
    drawn = {recipe.dataset: (pairs, replace(corpus, share=0.25))}
    live = watch_fit(recipe, Lab(tables=drawn), LiveFit(10.0))
    alone = build_calibrator("flow:epochs=10", seed=3, device="cpu", share=0.25)
    assert len(alone.fit(live.x_fit).steps_) == live.n_steps == 40
    assert live.losses == [record.bits_per_dimension for record in alone.steps_]
    assert live.steps_per_epoch == 4


def test_its_measures_are_those_of_the_calibrated_vectors(live, calibrator):
    measures = live.checkpoints[-1].measures
    pairs = live.embedded.data
    first = calibrator.transform(live.embedded.x_first).astype(np.float64)
    second = calibrator.transform(live.embedded.x_second).astype(np.float64)
    rho = spearmanr(pairwise_cosine(first, second), pairs.gold).statistic
    assert measures.rho == pytest.approx(rho)
    cosines = cosine_similarity(np.concatenate([first, second]))
    off = cosines[~np.eye(len(cosines), dtype=bool)]
    assert measures.mean_cosine == pytest.approx(off.mean(), abs=1e-6)
    z = calibrator.transform(live.x_held_out).astype(np.float64)
    gap = kstest(np.linalg.norm(z, axis=1), chi(z.shape[1]).cdf).statistic
    assert measures.norm_gap == pytest.approx(gap)
    singular = np.linalg.svd(z - z.mean(axis=0), compute_uv=False) / np.sqrt(len(z) - 1)
    np.testing.assert_allclose(measures.spectrum[:4], singular[:4], rtol=1e-6)
    scores = calibrator.score_samples(live.x_held_out)
    assert measures.log_likelihood == pytest.approx(scores.mean(), rel=1e-6)


def test_the_references_are_gaussians_of_the_fitted_rows(live):
    x, held_out = (np.float64(rows) for rows in (live.x_fit, live.x_held_out))
    mean, std, one = x.mean(axis=0), x.std(axis=0), np.ones(x.shape[1])
    gaussians = {
        "as encoded": (0 * one, one),
        "mean only": (mean, one),
        "ActNorm only": (mean, std),
    }
    assert list(live.references) == list(gaussians)
    pairs = live.embedded
    for name, each in live.references.items():
        at, scale = gaussians[name]
        expected = norm.logpdf(held_out, at, scale).sum(axis=1).mean()
        assert each.log_likelihood == pytest.approx(expected, rel=1e-5)
        sides = [(np.float64(rows) - at) / scale for rows in (pairs.x_first, pairs.x_second)]
        rho = spearmanr(pairwise_cosine(*sides), pairs.data.gold).statistic
        assert each.rho == pytest.approx(rho, abs=1e-4)
        assert 1 <= each.effective_rank <= x.shape[1]
    (of_four,) = recorded((0, 0.5, -np.log(2) * 8)).checkpoints
    assert of_four.measures.bits_per_dimension == pytest.approx(2)


def test_a_fit_ends_once_five_epochs_gain_nothing_on_held_out_sentences(recipe_of):
    live = watch_fit(recipe_of(30), Lab(), LiveFit(2_000, until_converged=True))
    assert live.n_steps == len(live.losses) == live.checkpoints[-1].step
    assert live.n_steps == live.epochs * live.steps_per_epoch
    assert 10 <= live.epochs < 2_000 and live.epochs % 5 == 0
    held_out = {each.step: each.measures.bits_per_dimension for each in live.checkpoints}
    apart = 5 * live.steps_per_epoch
    gains = [
        held_out[step - apart] - held_out[step]
        for step in range(2 * apart, live.n_steps + 1, apart)
    ]
    assert all(gain >= 0.01 for gain in gains[:-1])
    assert gains[-1] < 0.01
    assert f"converged after {live.epochs:g} epochs" in live.convergence()
    assert not LiveFit(1).convergence()


def test_layers_lead_from_the_embeddings_to_the_latent_space(live, calibrator):
    point = live.checkpoints[-1]
    found = live.coordinates(point, (5, 0))
    rows = live.x_held_out
    assert len(found) == len(live.layers(point)) + 1 == 3 * 3 * 2 + 1
    np.testing.assert_array_equal(found[0], rows[:, [5, 0]])
    np.testing.assert_allclose(found[-1], calibrator.transform(rows)[:, [5, 0]], atol=1e-5)


def test_the_change_of_rho_is_tested_on_the_pairs_that_are_scored(live):
    since, last = live.late_span()
    assert live.change.difference == pytest.approx(last.measures.rho - since.measures.rho, abs=1e-6)
    assert live.change.low < live.change.difference < live.change.high


def test_what_was_seen_stays_when_it_is_stopped(recipe):
    live = LiveFit(EPOCHS)

    def stop(done, total, unit):
        if unit == "steps" and done >= 8:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(stop):
        watch_fit(recipe, Lab(), live)
    assert 3 <= len(live.checkpoints) < len(checkpoint_steps(live.n_steps))
    assert len(live.losses) < live.n_steps
    assert live.change is None


def test_checkpoints_are_dense_at_first_and_bounded():
    steps = sorted(checkpoint_steps(10_000))
    assert steps[:4] == [0, 1, 2, 3]
    assert steps[-1] == 10_000 and len(steps) <= 32
    later = np.array(steps[12:])
    np.testing.assert_allclose(later[1:] / later[:-1], later[1] / later[0], rtol=0.05)
    assert sorted(checkpoint_steps(1)) == [0, 1]


FALLEN = (-0.15, -0.05)
TRAP = [(0, 0.5, -10), (5, 0.8, 0), (50, 0.7, 90.25)]


@pytest.mark.parametrize(
    ("points", "ends", "is_trap"),
    [
        (TRAP, FALLEN, True),
        (TRAP, (), False),  # not tested
        (TRAP, (-0.2, 0.01), False),  # it may have risen
        ([(0, 0.5, -10), (4, 0.7, 5), (9, 0.6, 1)], FALLEN, False),  # likelihood fell too
        ([(0, 0.5, 1), (4, 0.62, 5), (9, 0.6192, 8)], FALLEN, False),  # rho hardly fell
        ([(0, 0.5, 1), (4, 0.7, 5), (9, 0.6, 5.01)], FALLEN, False),  # likelihood hardly rose
    ],
)
def test_likelihood_is_called_a_trap_only_where_it_rose_while_rho_fell(points, ends, is_trap):
    said = recorded(*points, ends=ends).verdict()
    assert ("when to stop" in said) == is_trap
    assert ("so a fall after it" in said) == (ends == FALLEN)
    assert ("not tested" in said) == (ends == ())


def test_the_span_starts_where_rho_came_near_its_best_if_there_are_two_points_with_gold():
    def span(*rhos):
        found = recorded(*((step, rho, 0) for step, rho in enumerate(rhos))).late_span()
        return found and [point.step for point in found]

    # within a tenth of a point of the best, else from the beginning
    assert span(0.5, 0.7995, 0.8, 0.79) == [1, 3]
    assert span(0.5, 0.7985, 0.8, 0.79) == [2, 3]
    assert span(0.5, 0.6, 0.7) == [0, 2]
    assert span(0.5) is None
    assert span(None, None) is None
    assert not recorded((0, 0.5, 1)).verdict()
