"""Where the cone comes from, layer by layer, against transformers, numpy and scipy."""

import json
import re
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from tiny_pairs import pair_rows, rho_of, tiny_recipe

from bertflow_core.lab.lab import Lab
from bertflow_core.report.remark import Kind
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.depth.study import SCORES, DepthRecipe, depth

LAYERS = ("layer:0", "layer:2", "last")
ROWS = pair_rows(120)
TRAIN, TEST = ROWS[:40], ROWS[80:]


@pytest.fixture(scope="module")
def recipe(tiny_bert):
    return DepthRecipe(**tiny_recipe(tiny_bert, "stsb", fit_on="train").to_dict())


@pytest.fixture(scope="module")
def report(recipe, lab):
    return depth(recipe, lab, layers=LAYERS)


def _texts(rows):
    return list(dict.fromkeys(text for side in (0, 1) for text in (row[side] for row in rows)))


def _by_pairs(x):
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    pairs = [*permutations(range(len(x)), 2)]
    return sum(unit[i] * unit[j] for i, j in pairs) / len(pairs)


@pytest.mark.parametrize("place", range(3))
def test_cosines_and_scores_are_those_of_numpy_and_scipy(report, tokens_of, place):
    row, layer = report.rows[place], (0, 2, 3)[place]
    fitted = [text for side in (0, 1) for text in (each[side] for each in TRAIN)]
    means, others = (
        {text: tokens_of(text)[0][layer, start:].mean(axis=0) for text in _texts(ROWS)}
        for start in (0, 1)
    )
    fit = np.stack([means[text] for text in fitted])
    chosen = np.argsort(-_by_pairs(fit))[:10]
    assert row["chosen"] == chosen.tolist()
    assert row["coordinates"] == f"{chosen[0]}, {chosen[1]}"
    x = np.stack([means[text] for text in _texts(TEST)])
    parts = _by_pairs(x)
    assert row["mean_cosine"] == pytest.approx(parts.sum(), abs=1e-5)
    assert row["shares"] == pytest.approx(parts[chosen] / parts.sum(), abs=1e-4)
    assert row["share_2"] == pytest.approx(parts[chosen[:2]].sum() / parts.sum(), abs=1e-4)
    dropped = _by_pairs(np.delete(x, chosen[:2], axis=1)).sum()
    assert row["cosine_dropped"] == pytest.approx(dropped, abs=1e-4)
    after = _by_pairs(np.stack([others[text] for text in _texts(TEST)])).sum()
    assert row["cosine_after_first"] == pytest.approx(after, abs=1e-4)
    assert row["first_part"] + row["coordinates_part"] + row["rest_part"] == pytest.approx(1)
    assert row["rho"] == pytest.approx(rho_of(means, TEST), abs=2e-3)
    assert row["rho_after_first"] == pytest.approx(rho_of(others, TEST), abs=2e-3)
    assert row["rho_centred"] == pytest.approx(rho_of(means, TEST, fit.mean(axis=0)), abs=2e-3)
    for key, vectors in (("rho_dropped", means), ("rho_after_first_dropped", others)):
        own = np.stack([vectors[text] for text in fitted])
        left = np.argsort(-_by_pairs(own))[:2]
        kept = {text: np.delete(each, left) for text, each in vectors.items()}
        expected = rho_of(kept, TEST, np.delete(own, left, axis=1).mean(axis=0))
        assert row[key] == pytest.approx(expected, abs=2e-3)
    assert all(row[f"{key}_low"] < row[key] < row[f"{key}_high"] for key in SCORES)


def test_the_coordinates_differ_from_those_of_the_scored_sentences(tokens_of):
    """Otherwise the test above could not tell on which sentences they are chosen."""
    chosen = [
        [
            np.argsort(-_by_pairs(np.stack([tokens_of(t)[0][k].mean(0) for t in _texts(rows)])))[
                :10
            ].tolist()
            for k in (0, 2, 3)
        ]
        for rows in (TRAIN, TEST)
    ]
    assert chosen[0] != chosen[1]


@pytest.mark.parametrize("place", range(3))
def test_tokens_are_measured_as_by_numpy(report, tokens_of, place):
    row, layer = report.rows[place], (0, 2, 3)[place]
    states = [tokens_of(text)[0][layer] for text in _texts(TEST)]

    def entropy(x):
        p = np.linalg.svd(x)[1] ** 2
        p = p / p.sum()
        return -(p * np.log(p)).sum() / np.log(min(x.shape))

    norms = [np.linalg.norm(each, axis=1) for each in states]
    assert row["token_entropy"] == pytest.approx(np.mean([*map(entropy, states)]), abs=1e-4)
    ratios = [each[0] / each[1:].mean() for each in norms]
    assert row["first_norm"] == pytest.approx(np.mean(ratios), rel=1e-4)
    words = [each[1:-1] for each in states]  # without [CLS] and [SEP]
    within = [
        (x @ x.mean(0) / np.linalg.norm(x, axis=1)).mean() / np.linalg.norm(x.mean(0))
        for x in words
    ]
    assert row["intra_similarity"] == pytest.approx(np.mean(within) - row["token_cosine"], abs=1e-4)
    assert row["self_similarity"] > 0
    if layer:
        sinks = [tokens_of(text)[1][layer - 1] for text in _texts(TEST)]
        assert row["sink"] == pytest.approx(np.mean(sinks), abs=1e-4)
    else:
        assert row["sink"] is None


@pytest.mark.parametrize("place", range(3))
def test_the_sentence_of_a_layer_has_its_numbers(report, place):
    row = report.rows[place]
    numbers = [*map(float, re.findall(r"-?\d+\.\d+", row["sentence"]))]
    remedy = "rho_after_first_dropped" if row["first_part"] >= 0.8 else "rho_dropped"
    expected = row["mean_cosine"], 100 * row["rho"], 100 * row[remedy]
    assert numbers[:3] == pytest.approx(expected, abs=6e-3)
    shares = [*map(int, re.findall(r"(-?\d+) %(?! int)", row["sentence"]))]
    expected = (100 * row[key] for key in ("share_2", "first_part", "coordinates_part"))
    assert shares == pytest.approx([*expected], abs=0.51)
    assert all(f" {name}" in row["sentence"] for name in row["coordinates"].split(", "))
    shown = [each.text for each in report.remarks if each.kind is Kind.ANSWER]
    assert report.rows[-1]["sentence"] in shown
    assert {*shown} <= {each["sentence"] for each in report.rows}


def test_a_part_left_out_changes_the_numbers_and_is_in_caption_and_command(recipe, lab, report):
    found = depth(recipe.with_(left_out="first-mlp:2"), lab, layers=LAYERS)
    assert found.rows[0]["rho"] == report.rows[0]["rho"]
    assert found.rows[0]["first_norm"] == report.rows[0]["first_norm"]
    assert found.rows[1]["first_norm"] != report.rows[1]["first_norm"]
    assert found.rows[1]["mean_cosine"] != report.rows[1]["mean_cosine"]
    assert "--without first-mlp:2" in found.command
    assert "without first-mlp:2" in found.text(Kind.METHOD)


def test_pairs_without_gold_scores_have_no_rho(recipe, lab):
    pairs, corpus = lab.load(recipe)
    blind = Lab(tables={"stsb": (replace(pairs, targets=None), corpus)}, device="cpu")
    found = depth(recipe.with_(fit_on="target"), blind, layers=LAYERS[1:2])
    assert {found.rows[0][key] for key in SCORES} == {None}
    assert found.rows[0]["mean_cosine"] > 0
    assert "no rho" in found.text(Kind.MISSING)


@pytest.mark.gate  # it embeds all captions
def test_the_recorded_depth_of_smollm2_is_that_of_today(smollm2):
    document = json.loads(resource("results/depth.json").read_text(encoding="utf-8"))
    recorded = depth.read(document).row(layers="layer:3")
    (row,) = depth(DepthRecipe(model="smollm2"), Lab(), layers=("layer:3",)).rows
    assert row["chosen"][:2] == recorded["chosen"][:2]
    for key, value in recorded.items():
        if isinstance(value, float):
            assert row[key] == pytest.approx(value, rel=0.02, abs=0.003), key
