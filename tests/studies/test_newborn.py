"""A newborn model: masks, loss by hand, recording, and reproducibility by seed."""

import numpy as np
import pytest
import torch
from plotly_numbers import numbers
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.preprocessing import normalize
from tiny_pairs import tiny_newborn

from bertflow_core.errors import Cancelled, InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.runtime import context
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.newborn import model as training
from bertflow_core.studies.newborn.model import MASK, PAD, UNKNOWN, NewbornModel, learn_words
from bertflow_core.studies.newborn.recording import (
    LiveRecording,
    NewbornRecipe,
    newest_plane,
    payload,
    places,
)
from bertflow_core.studies.newborn.study import STORED, stored_newborn, train_newborn

SENTENCES = ("The dog, the cat.", "The end", "A dog?")


@pytest.fixture(scope="module")
def newborn_recipe(tmp_path_factory):
    return tiny_newborn(tmp_path_factory.mktemp("newborn"))


@pytest.fixture(scope="module")
def live(newborn_recipe):
    return LiveRecording(newborn_recipe)


@pytest.fixture(scope="module")
def newborn(newborn_recipe, live):
    return train_newborn(newborn_recipe, Lab(), live)


@pytest.fixture
def model(newborn_recipe):
    return NewbornModel(learn_words(SENTENCES, 4), newborn_recipe.with_(n_unused=2))


def test_words_are_numbered_by_frequency_then_by_the_alphabet(model, newborn_recipe):
    assert training.divide("It's 3rd-rate!") == ["it", "'", "s", "3rd", "-", "rate", "!"]
    assert model.words == ("the", "dog", ",", ".")
    assert model.counts.tolist() == [3, 2, 1, 1]
    assert len(model.rows()) == 3 + 4 + 2
    the, dog, comma = 3, 4, 5
    short = NewbornModel(learn_words(SENTENCES, 4), newborn_recipe.with_(max_words=4))
    both = [[the, dog, comma, the], [the, UNKNOWN, PAD, PAD]]
    assert short.encode(SENTENCES[:2]).tolist() == both
    with pytest.raises(InputError, match="three distinct words"):
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


def test_the_loss_is_that_of_a_softmax_tied_to_the_word_vectors(model):
    ids = torch.from_numpy(model.encode(SENTENCES))
    loss = training.loss_of(model, ids, 0.4, torch.Generator().manual_seed(5))
    corrupted, chosen = training.mask_words(ids, 0.4, torch.Generator().manual_seed(5))
    h = model(corrupted)[chosen].detach().numpy().astype(np.float64)
    scores = h @ model.rows().T
    log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    expected = -log_p[np.arange(len(h)), ids[chosen]].mean()
    assert loss.item() == pytest.approx(expected, abs=1e-5)
    assert expected == pytest.approx(np.log(len(model.rows())), abs=0.2)
    loss.backward()
    # The gradient of a word that is never correct is the mean of h times its probability.
    gradient = model.table.weight.grad[-1].numpy()
    assert gradient == pytest.approx((np.exp(log_p)[:, -1:] * h).mean(axis=0), abs=1e-6)


def test_filling_changes_no_sentence(model):
    ids = model.encode(SENTENCES)
    filled = np.pad(ids, ((0, 0), (0, 4)), constant_values=PAD)
    assert model.sentence_vectors(filled) == pytest.approx(model.sentence_vectors(ids), abs=1e-5)
    states = model.masked_states(ids, np.array([0, 1, 1]))
    with torch.no_grad():
        alone = model(torch.tensor([[MASK, UNKNOWN]]))[0, 0].numpy()
    assert model.masked_states(ids[1:2], np.array([0]))[0] == pytest.approx(alone, abs=1e-5)
    assert states.shape == (3, 8) and ids[0, 0] == 3  # the input is unchanged


def test_rows_hold_numpys_numbers_and_training_gathers_what_never_occurs(newborn, live):
    assert [row["step"] for row in newborn.rows] == [0, 10, 20, 25]
    words, counts = newborn.facts["words"], newborn.facts["counts"]
    assert words[-3:] == ["[unused0]", "[unused1]", "[unused2]"]
    assert counts[-3:] == [0, 0, 0] and min(counts[:-3]) > 0
    row, x = live.frames[-1]
    norms, n = np.linalg.norm(x, axis=1), len(x) - 3
    cosines = cosine_similarity(x[:-3])[np.triu_indices(n, 1)]
    assert row["mean_cosine"] == pytest.approx(cosines.mean(), abs=1e-4)
    assert row["norm_to_50"] == pytest.approx(norms[:-3].mean(), abs=1e-4)
    assert row["norm_to_1000"] is None and row["norm_rarer"] is None
    assert row["unused_norm"] == pytest.approx(norms[-3:].mean(), abs=1e-4)
    plain = newborn.tables[0].rows[0]
    for name in ("rho", "random_cosine"):
        assert row[name] == pytest.approx(plain[name], abs=1e-3)
    assert newborn.rows[0]["rho"] == pytest.approx(plain["rho_untrained"], abs=1e-3)
    first, *_, last = newborn.rows
    assert last["loss"] < first["loss"] - 0.2
    assert last["mean_cosine"] > first["mean_cosine"]
    assert last["unused_norm"] > first["unused_norm"]
    untrained, trained = newborn.tables[1].rows
    assert trained["r2"] > untrained["r2"] and trained["log_p"] > 0
    assert any(point["text"].startswith("the [") for point in newborn.facts["points"])


def test_frames_are_seen_and_drawn_in_the_newest_ones_plane(newborn, live):
    x = live.frames[-1][1]
    plane = newest_plane(x, np.array(live.facts["counts"]))
    assert plane.T @ plane == pytest.approx(np.eye(2), abs=1e-9)
    unit = normalize(x[:-3])
    assert (unit @ plane[:, 1]).mean() == pytest.approx(np.linalg.norm(unit.mean(axis=0)), abs=1e-6)
    for frame, (_, vectors) in enumerate(live.frames):
        at = places(newborn.facts, frame)
        assert at == pytest.approx(vectors @ plane, abs=6e-4)
    words, never, _ = newborn.figures()["newborn-words"].data
    assert numbers(words.y) == pytest.approx(at[:-3, 1])
    assert numbers(never.x) == pytest.approx(at[-3:, 0])


def first_frames(recipe, stop):
    """Return the recording of a training run that is stopped at a step."""
    live = LiveRecording(recipe)

    def progress(done, total, unit):
        if done == stop:
            raise Cancelled("enough")

    with pytest.raises(Cancelled), context.reporting(progress):
        train_newborn(recipe, Lab(), live)
    return live


def test_the_seed_decides_everything_and_stopping_keeps_the_frames(newborn, newborn_recipe):
    rows, _ = first_frames(newborn_recipe, 11).seen()
    assert rows == newborn.rows[:2]
    assert first_frames(newborn_recipe.with_(seed=1), 11).seen()[0] != rows


def test_the_stored_training_is_small_and_begins_as_it_is_trained_again():
    stored = stored_newborn()
    assert stored.params == NewbornRecipe()
    assert len(resource(STORED).read_bytes()) < 300_000
    assert [row["step"] for row in stored.rows] == list(range(0, 201, 5))
    shown = payload(stored.rows, stored.facts)
    assert len(shown["counts"]) == len(shown["words"]) == len(set(shown["words"]))
    assert shown["bins"] == ["50 most frequent", "ranks 51 to 1,000", "ranks 1,001 to 4,492"]
    assert shown["frames"][-1]["norms"][2] == stored.rows[-1]["norm_rarer"]
    live = first_frames(stored.params, 5)
    assert live.facts.items() <= stored.facts.items()
    near = {"loss": 0.02, "mean_cosine": 0.01, "rho": 0.03}
    near |= dict.fromkeys(("norm_to_50", "norm_to_1000", "norm_rarer"), 0.005)
    for (now, _), then in zip(live.frames, stored.rows[:2], strict=True):  # steps 0 and 5
        for name, tolerance in near.items():
            assert now[name] == pytest.approx(then[name], abs=tolerance)
