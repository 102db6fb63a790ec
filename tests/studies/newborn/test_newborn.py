"""A newborn model: its masks, its loss by hand, its recording, and the seed that decides it."""

import json

import numpy as np
import pytest
import torch

from bertflow_core import context
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.lab import Lab
from bertflow_core.studies.newborn import training
from bertflow_core.studies.newborn.measure import measure_newborn, shown_ranks
from bertflow_core.studies.newborn.model import newborn as model_of
from bertflow_core.studies.newborn.recording import LiveRecording, newest_plane
from bertflow_core.studies.newborn.result import Newborn
from bertflow_core.studies.newborn.vocabulary import MASK, PAD, UNKNOWN, divide, learn_words

SENTENCES = ("The dog, the cat.", "The end", "A dog?")


@pytest.fixture
def vocabulary():
    return learn_words(SENTENCES, 4, n_unused=2)


@pytest.fixture
def model(vocabulary, newborn_recipe):
    return model_of(vocabulary, newborn_recipe)


def test_words_are_numbered_by_frequency_then_by_the_alphabet(vocabulary):
    assert divide("It's 3rd-rate!") == ["it", "'", "s", "3rd", "-", "rate", "!"]
    assert vocabulary.words == ("the", "dog", ",", ".")
    assert vocabulary.counts.tolist() == [3, 2, 1, 1]
    assert len(vocabulary) == 3 + 4 + 2
    assert vocabulary.log_frequency[0] == pytest.approx(np.log10(3 / 7))
    the, dog, comma = 3, 4, 5
    assert vocabulary.encode(SENTENCES[:2], 4).tolist() == [
        [the, dog, comma, the],
        [the, UNKNOWN, PAD, PAD],
    ]
    with pytest.raises(InputError, match="three different words"):
        learn_words(["one two"], 10)


def test_only_words_are_masked_and_only_masks_change():
    ids = torch.tensor([[3, 4, UNKNOWN, 5, PAD]]).repeat(2_000, 1)
    generator = torch.Generator().manual_seed(1)
    corrupted, chosen = training.mask_words(ids, 0.15, generator)
    assert (corrupted[chosen] == MASK).all() and (ids[chosen] >= 3).all()
    assert (corrupted[~chosen] == ids[~chosen]).all()
    shares = chosen.float().mean(dim=0)
    assert shares[[2, 4]].tolist() == [0, 0]
    assert (shares[[0, 1, 3]] - 0.15).abs().max() < 4 * (0.15 * 0.85 / 2_000) ** 0.5
    _, chosen = training.mask_words(ids[:1], 1e-9, generator)
    assert chosen.tolist() == [[True, False, False, False, False]]


def test_a_pass_over_the_sentences_takes_none_twice():
    rows = training.batches(7, 3, torch.Generator().manual_seed(0))
    for _ in range(3):
        assert len({*next(rows).tolist(), *next(rows).tolist()}) == 6
    assert sorted(next(training.batches(2, 5, torch.Generator())).tolist()) == [0, 1]


def test_the_loss_is_that_of_a_softmax_tied_to_the_word_vectors(model):
    ids = torch.from_numpy(model.encode(SENTENCES))
    loss = training._loss(model.network, ids, 0.4, torch.Generator().manual_seed(5))
    corrupted, chosen = training.mask_words(ids, 0.4, torch.Generator().manual_seed(5))
    h = model.network(corrupted)[chosen].detach().numpy().astype(np.float64)
    scores = h @ model.table().T
    log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    expected = -log_p[np.arange(len(h)), ids[chosen]].mean()
    assert loss.item() == pytest.approx(expected, abs=1e-5)
    assert expected == pytest.approx(np.log(len(model.vocabulary)), abs=0.2)
    loss.backward()
    # A word that is never right is pushed against the mean context, by its probability.
    gradient = model.network.words.weight.grad[-1].numpy()
    assert gradient == pytest.approx((np.exp(log_p)[:, -1:] * h).mean(axis=0), abs=1e-6)


def test_filling_changes_no_sentence(model):
    ids = model.encode(SENTENCES)
    filled = np.pad(ids, ((0, 0), (0, 4)), constant_values=PAD)
    assert model.sentence_vectors(filled) == pytest.approx(model.sentence_vectors(ids), abs=1e-5)
    states = model.masked_states(ids, np.array([0, 1, 1]))
    with torch.no_grad():
        alone = model.network(torch.tensor([[MASK, UNKNOWN]]))[0, 0].numpy()
    assert model.masked_states(ids[1:2], np.array([0]))[0] == pytest.approx(alone, abs=1e-5)
    assert states.shape == (3, 8) and ids[0, 0] == 3  # what was given is left as it is


def test_frames_hold_numpys_numbers(newborn, live, newborn_recipe):
    recording = newborn.recording
    assert [moment.step for moment in recording.moments] == [0, 10, 20, 25]
    assert recording.words[-3:] == ("[unused0]", "[unused1]", "[unused2]")
    assert recording.counts[-3:] == (0, 0, 0) and min(recording.counts[:-3]) > 0
    moment, x = live.frames[-1]
    used = x[:-3] / np.linalg.norm(x[:-3], axis=1, keepdims=True)
    cosines = (used @ used.T)[np.triu_indices(len(used), 1)]
    assert moment.mean_cosine == pytest.approx(cosines.mean(), abs=1e-4)
    assert moment.norms == (pytest.approx(np.linalg.norm(x[:-3], axis=1).mean(), abs=1e-4),)
    assert moment.unused_norm == pytest.approx(np.linalg.norm(x[-3:], axis=1).mean(), abs=1e-4)
    opening = newborn.cone.row(layers="last", calibrator="identity")
    assert (moment.rho, moment.random_cosine) == pytest.approx(
        (opening["rho"], opening["random_cosine"]), abs=1e-3
    )
    assert recording.moments[0].rho == pytest.approx(newborn.untrained[0].rho, abs=1e-3)


def test_bins_are_of_ranks():
    assert shown_ranks(30).tolist() == list(range(30))
    ranks = shown_ranks(4_000)
    assert ranks[:100].tolist() == list(range(100)) and ranks[-1] == 3_999
    assert (np.diff(ranks) > 0).all()


def test_training_lowers_the_loss_and_gathers_what_never_occurs(newborn):
    first, last = newborn.recording.moments[0], newborn.recording.moments[-1]
    assert last.loss < first.loss - 0.2
    assert last.mean_cosine > first.mean_cosine
    assert last.unused_norm > first.unused_norm
    assert newborn.equation.decomposition.r2 > newborn.decomposition_untrained.r2
    assert newborn.equation.decomposition.log_p > 0
    assert any(point.text.startswith("the [") for point in newborn.equation.points)


def test_all_frames_are_seen_in_the_newest_ones_plane(newborn, live):
    plane = newest_plane(live.frames[-1][1], np.array(live.counts))
    assert plane.T @ plane == pytest.approx(np.eye(2), abs=1e-9)
    unit = live.frames[-1][1][:-3] / np.linalg.norm(live.frames[-1][1][:-3], axis=1)[:, None]
    assert (unit @ plane[:, 1]).mean() == pytest.approx(np.linalg.norm(unit.mean(axis=0)), abs=1e-6)
    for (_, x), places in zip(live.frames, newborn.recording.places, strict=True):
        assert np.array(places).reshape(-1, 2) / 1_000 == pytest.approx(x @ plane, abs=6e-4)


def test_a_document_gives_the_same_newborn_again(newborn):
    assert Newborn.from_dict(json.loads(json.dumps(newborn.to_dict()))) == newborn


def test_the_seed_decides_everything_and_stopping_keeps_the_frames(newborn, newborn_recipe):
    def stopped(recipe):
        live = LiveRecording(recipe)

        def progress(done, total, unit):
            if done == 11:
                raise Cancelled("enough")

        with pytest.raises(Cancelled), context.reporting(progress):
            measure_newborn(recipe, Lab(), live=live)
        return [moment for moment, _ in live.frames]

    assert LiveRecording(newborn_recipe).recording() is None
    moments = stopped(newborn_recipe)
    assert moments == list(newborn.recording.moments[:2])
    assert stopped(newborn_recipe.with_(seed=1)) != moments


def test_what_cannot_be_is_refused_in_a_sentence(newborn_recipe, tmp_path):
    for wrong in ({"width": 10}, {"mask_share": 1.0}, {"n_steps": 0}, {"learning_rate": 0.0}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            newborn_recipe.with_(**wrong)
    (tmp_path / "pairs.csv").write_text("sentence1,sentence2\na cat,a dog\nb,c\n")
    with pytest.raises(InputError, match="gold"):
        measure_newborn(newborn_recipe.with_(dataset=str(tmp_path / "pairs.csv")), Lab())
