"""The example that trains a newborn model: Eq. 1 to 3 against numpy, and the stored recording."""

import json
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.linear_model import LinearRegression
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.preprocessing import normalize
from tiny_pairs import write_pairs

from bertflow_core import Lab, Recipe
from bertflow_core.exhibits.newborn import (
    Recording,
    shown_ranks,
    stored_recording,
    with_places,
)

EXAMPLE = Path(__file__).parents[2] / "examples" / "newborn.py"
SENTENCES = ("The dog, the cat.", "The end", "A dog?")


def loaded():
    spec = spec_from_file_location("newborn", EXAMPLE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def example():
    return loaded()


@pytest.fixture(scope="module")
def small():
    """The example with a small model, few words and frequent frames."""
    module = loaded()
    changes = {"WIDTH": 8, "N_LAYERS": 1, "N_UNUSED": 2, "BATCH": 16, "FRAME_EVERY": 10}
    vars(module).update(changes, CHECK_EVERY=25)
    return module


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    animals, traits = "cat dog cow pig hen".split(), "big red old shy fat mad".split()
    sentences = [f"The {a} is {b}." for a, b in product(animals, traits)] * 2
    sentences += [f"A {a} runs." for a in animals]
    rows = [(*pair, i % 6, "all") for i, pair in enumerate(pairwise(sentences))]
    file = write_pairs(tmp_path_factory.mktemp("newborn") / "pairs.csv", rows)
    return Recipe(model="newborn", layers="last", dataset=str(file))


@pytest.fixture(scope="module")
def recording(small, recipe):
    return Recording(n_steps=25, seed=0, **small.record(recipe, 25))


@pytest.fixture
def model(small, monkeypatch):
    monkeypatch.setattr(small, "MAX_VOCABULARY", 4)
    return small.Newborn(SENTENCES, seed=1)


def test_words_are_numbered_by_frequency_then_by_the_alphabet(small, model, monkeypatch):
    assert small.WORD.findall("it's 3rd-rate!") == ["it", "'", "s", "3rd", "-", "rate", "!"]
    assert model.words == ["the", "dog", ",", "."]
    assert model.counts.tolist() == [3, 2, 1, 1]
    assert len(model.table.weight) == 3 + 4 + 2
    the, dog, comma = 3, 4, 5
    monkeypatch.setattr(small, "MAX_WORDS", 4)
    both = [[the, dog, comma, the], [the, small.UNKNOWN, small.PAD, small.PAD]]
    assert model.encode(SENTENCES[:2]).tolist() == both


def test_eq_1_is_a_softmax_tied_to_the_word_vectors_over_words_that_are_hidden(small, model):
    ids = model.encode(SENTENCES * 300)
    loss = small.loss_of(model, ids, torch.Generator().manual_seed(5))
    drawn = torch.rand(ids.shape, generator=torch.Generator().manual_seed(5)) < 0.15
    hidden = drawn & (ids >= 3)
    corrupted = torch.where(hidden, small.MASK, ids)
    h = model(corrupted)[hidden].detach().numpy().astype(np.float64)
    scores = h @ model.table.weight.detach().numpy().T
    log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    expected = -log_p[np.arange(len(h)), ids[hidden]].mean()
    assert loss.item() == pytest.approx(expected, abs=1e-5)
    assert expected == pytest.approx(np.log(3 + 4 + 2), abs=0.2)
    loss.backward()
    # The gradient of a word that is never correct is the mean of h times its probability.
    gradient = model.table.weight.grad[-1].numpy()
    assert gradient == pytest.approx((np.exp(log_p)[:, -1:] * h).mean(axis=0), abs=1e-6)


def test_padding_changes_no_sentence(small, model):
    ids = model.encode(SENTENCES)
    padded = torch.nn.functional.pad(ids, (0, 4), value=small.PAD)
    assert model.sentence_vectors(padded) == pytest.approx(model.sentence_vectors(ids), abs=1e-5)
    with torch.no_grad():
        alone = model(ids[1:2, :2]).mean(dim=1)[0].numpy()
    assert model.sentence_vectors(ids)[1] == pytest.approx(alone, abs=1e-5)


A, B, C = 7, 8, 9
COUNTED = 20 * ([[1, A, 2]] * 6 + [[1, B, 2]] * 3 + [[1, A, 3]] + [[1, B, 3]] * 2 + [[1, C, 2]])


@pytest.fixture(scope="module")
def contexts(example):
    return example.Contexts(torch.tensor(COUNTED))


def test_pmi_and_log_p_are_those_of_all_counts(contexts):
    triples = Counter(
        ((left, right), word)
        for left, word, right in (
            gap for row in COUNTED for gap in zip((-1, *row[:-1]), row, (*row[1:], -1), strict=True)
        )
    )
    n_x, n_c, n = Counter(), Counter(), triples.total()
    for (context, word), count in triples.items():
        n_x[word] += count
        n_c[context] += count
    names = [contexts.names[c] for c in contexts.context]
    found = dict(
        zip(
            zip(names, contexts.word.tolist(), strict=True),
            zip(contexts.pmi, contexts.log_p, strict=True),
            strict=True,
        )
    )
    assert set(found) >= set(product([(1, 2), (1, 3)], [A, B])) | {((1, 2), C)}
    for (context, word), both in found.items():
        p = triples[context, word] / n
        pmi = np.log(p / (n_x[word] / n * n_c[context] / n))
        assert both == pytest.approx((pmi, np.log(n_x[word] / n)))
    # 780 words and 140 of them A; 200 gaps between 1 and 2, and A in 120 of these
    assert found[(1, 2), A][0] == pytest.approx(np.log(120 * 780 / (140 * 200)))
    assert ((-1, A), 1) not in found  # with one word, a context says nothing about words


def test_rare_words_and_contexts_do_not_count_and_the_first_occurrences_are_kept(example):
    rare = [[1, A, 2]] * 40 + [[1, B, 2]] * 20 + [[1, C, 2]] * 2 + [[4, A, 5], [4, B, 5]] * 14
    found = example.Contexts(torch.tensor(rare))
    assert (4, 5) not in found.names  # 28 times
    c = found.names.index((1, 2))
    assert found.word[found.context == c].tolist() == [A, B]
    gaps = [gap for gap in found.gaps.T.tolist() if gap[0] == c]
    assert gaps == [[c, row, 1] for row in range(50)]


def test_scores_are_those_of_one_mask_at_a_time(small, recipe):
    sentences = Lab().corpus(recipe).sentences
    model = small.Newborn(sentences, seed=2)
    ids = model.encode(sentences)
    contexts = small.Contexts(ids)
    before, scores = ids.clone(), contexts.scores(model, ids)
    assert (ids == before).all()
    c = contexts.context[0]
    states = []
    for context, row, place in contexts.gaps.T.tolist():
        if context == c:
            masked = ids[row].clone()
            masked[place] = small.MASK
            with torch.no_grad():
                states.append(model(masked[None])[0, place].numpy())
    h_c = np.mean(states, axis=0)
    rows = contexts.context == c
    w = model.table.weight.detach().numpy()[contexts.word[rows]]
    assert scores[rows] == pytest.approx(w @ h_c, abs=1e-5)


def test_a_perfect_model_has_coefficients_of_one(contexts):
    constant = np.arange(len(contexts.names))[contexts.context] * 40.0
    found = contexts.fit(contexts.pmi + contexts.log_p + constant)
    names = ("conditional", "r2_conditional", "pmi", "log_p", "r2")
    assert [found[name] for name in names] == pytest.approx([1] * 5)
    found = contexts.fit(0.7 * contexts.pmi + 1.3 * contexts.log_p + constant)
    assert [found[name] for name in names[2:]] == pytest.approx([0.7, 1.3, 1])


def test_eq_2_and_3_are_regressions_with_a_dummy_variable_for_each_context(contexts):
    score = np.random.default_rng(0).normal(size=len(contexts.pmi)) + 2 * contexts.pmi
    dummies = np.eye(len(contexts.names))[contexts.context]
    rest = score - LinearRegression(fit_intercept=False).fit(dummies, score).predict(dummies)

    def explained(*columns):
        design = np.column_stack([*columns, dummies])
        fit = LinearRegression(fit_intercept=False).fit(design, score)
        share = 1 - np.square(score - fit.predict(design)).sum() / (rest @ rest)
        return [*fit.coef_[: len(columns)], share]

    found = contexts.fit(score)
    pmi, log_p = contexts.pmi, contexts.log_p
    assert [found[k] for k in ("pmi", "log_p", "r2")] == pytest.approx(explained(pmi, log_p))
    both = [found["conditional"], found["r2_conditional"]]
    assert both == pytest.approx(explained(pmi + log_p))
    assert found["r2_pmi"] == pytest.approx(explained(pmi)[1])
    assert found["r2_log_p"] == pytest.approx(explained(log_p)[1])


def test_frames_hold_numpys_numbers_and_training_drives_out_what_never_occurs(
    small, recipe, recording
):
    sentences = Lab().corpus(recipe).sentences
    model = small.Newborn(sentences, seed=0)
    training = small.train(model, model.encode(sentences), 25, seed=0)
    frames = recording.frames
    assert [frame["step"] for frame in frames] == [0, 10, 20, 25]
    for frame, (step, loss) in zip(frames, training, strict=True):
        assert (frame["step"], frame["loss"]) == (step, pytest.approx(loss, abs=1e-4))
        words = model.table.weight.detach().numpy()[3:]
        x, unused = words[:-2], words[-2:]
        cosines = cosine_similarity(x)[np.triu_indices(len(x), 1)]
        assert frame["mean_cosine"] == pytest.approx(cosines.mean(), abs=1e-4)
        (norm,) = frame["norms"]
        assert norm == pytest.approx(np.linalg.norm(x, axis=1).mean(), abs=1e-4)
        unused_norm = np.linalg.norm(unused, axis=1).mean()
        assert frame["unused_norm"] == pytest.approx(unused_norm, abs=1e-4)
    first, *_, last = frames
    assert last["loss"] < first["loss"] - 0.2
    assert last["mean_cosine"] > first["mean_cosine"]
    assert last["unused_norm"] > first["unused_norm"]
    assert recording.words[-2:] == ["[unused0]", "[unused1]"]
    assert recording.counts[-2:] == [0, 0] and min(recording.counts[:-2]) > 0
    plain = recording.spaces[0]
    for name in ("rho", "random_cosine"):
        assert last[name] == pytest.approx(plain[name], abs=1e-3)
    assert first["rho"] == pytest.approx(plain["rho_untrained"], abs=1e-3)
    untrained, trained = recording.equation
    assert trained["r2"] > untrained["r2"] and trained["log_p"] > 0
    assert any(text.startswith("the [") for text in recording.points["texts"])


def test_the_seed_decides_everything(small, recipe, recording):
    again = small.record(recipe, 1)["frames"]
    assert again[0] | {"places": ""} == recording.frames[0] | {"places": ""}
    assert small.record(recipe.with_(seed=1), 1)["frames"] != again


def test_words_are_drawn_in_the_plane_of_the_last_frame():
    rng = np.random.default_rng(0)
    vectors = [rng.normal(size=(9, 5)), rng.normal(size=(9, 5)) + 2]
    frames = with_places([{"step": 0}, {"step": 1}], vectors, n_used=7)
    assert [frame["step"] for frame in frames] == [0, 1]
    before, after = (
        np.reshape([int(text) / 1_000 for text in frame["places"].split()], (9, 2))
        for frame in frames
    )
    axis = normalize(vectors[1][:7]).mean(axis=0)
    axis /= np.linalg.norm(axis)
    beside = vectors[1][:7] - np.outer(vectors[1][:7] @ axis, axis)
    _, _, directions = np.linalg.svd(beside - beside.mean(axis=0))
    for at, x in ((before, vectors[0]), (after, vectors[1])):
        assert at[:, 1] == pytest.approx(x @ axis, abs=6e-4)
        across = x @ directions[0]
        assert np.abs(at[:, 0]) == pytest.approx(np.abs(across), abs=6e-4)
    assert shown_ranks(60).tolist() == [*range(60)]
    assert shown_ranks(5_000)[-1] == 4_999 and len(shown_ranks(5_000)) < 500


def test_the_stored_recording_is_whole():
    stored = stored_recording()
    assert (stored.n_steps, stored.seed) == (200, 0)
    assert [frame["step"] for frame in stored.frames] == [*range(0, 201, 5)]
    assert [row["step"] for row in stored.equation] == [0, 50, 100, 150, 200]
    assert len(stored.counts) == len(stored.words) == len(set(stored.words))
    bins = ["50 most frequent", "ranks 51 to 1,000", "ranks 1,001 to 4,492"]
    assert stored.picture()["bins"] == bins
    for frame in stored.frames:
        assert len(frame["places"].split()) == 2 * len(stored.words)
        assert len(frame["norms"]) == len(bins)


@pytest.mark.gate
def test_the_example_writes_the_stored_recording(example, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["newborn.py", "--out", str(tmp_path / "newborn.json")])
    example.main()
    found = Recording(**json.loads((tmp_path / "newborn.json").read_text(encoding="utf-8")))
    stored = stored_recording()
    assert (found.words, found.counts, found.pairs) == (stored.words, stored.counts, stored.pairs)
    for name, known in (("frames", 0.01), ("equation", 0.01), ("spaces", 0.01)):
        for row, of in zip(getattr(found, name), getattr(stored, name), strict=True):
            numbers = {key for key, value in of.items() if isinstance(value, int | float)}
            assert row.keys() == of.keys()
            assert [row[k] for k in numbers] == pytest.approx([of[k] for k in numbers], abs=known)


@pytest.mark.parametrize("words", ["--steps 0 --out a.json", "--out nowhere/a.json", "--out ."])
def test_a_wrong_option_is_refused_before_any_training(example, words, monkeypatch, capsys):
    monkeypatch.setattr(example, "record", None)
    monkeypatch.setattr("sys.argv", ["newborn.py", *words.split()])
    with pytest.raises(SystemExit) as left:
        example.main()
    assert left.value.code == 2
    assert "got" in capsys.readouterr().err
