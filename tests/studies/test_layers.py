"""Layers by template, pooling and calibrator, against transformers, numpy and scipy."""

import html
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr
from tiny_pairs import pair_rows, rho_of, tiny_recipe

from bertflow_core.analysis import isotropy
from bertflow_core.calibrators import build_calibrator
from bertflow_core.datasets import Texts
from bertflow_core.evaluation import pairwise_cosine, random_pair_cosine
from bertflow_core.lab.lab import Lab
from bertflow_core.report.remark import Kind
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.layers.study import LayersRecipe, layers

TEMPLATE = 'the "{text}" is a'
POOLINGS = {
    "mean": lambda tokens: tokens.mean(axis=0),
    "mean-content": lambda tokens: tokens[1:-1].mean(axis=0),
    "last": lambda tokens: tokens[-1],
}
LAYERS = ("layer:0", "layer:2", "layer:3")
SPECS = ("null-top-k:k=0", "flow:epochs=1")


@pytest.fixture(scope="module")
def recipe(tiny_bert):
    own = {"templates": ("{text}", TEMPLATE), "poolings": tuple(POOLINGS)}
    return LayersRecipe(**tiny_recipe(tiny_bert, "stsb").to_dict(), **own)


@pytest.fixture(scope="module")
def report(recipe, lab):
    return layers(recipe, lab, SPECS, LAYERS)


def test_every_number_is_that_of_transformers_numpy_and_scipy(report, tokens_of):
    rows = pair_rows(120)
    splits = {"dev": rows[40:80], "score": rows[80:]}
    texts = list(dict.fromkeys(text for row in rows for text in row[:2]))
    fitted = [text for side in (0, 1) for text in (row[side] for row in rows)]
    for template in (None, TEMPLATE):
        states = {text: tokens_of((template or "{text}").format(text=text))[0] for text in texts}
        for pooling, pool in POOLINGS.items():
            for layer in LAYERS:
                at = {text: pool(h[int(layer[-1])]) for text, h in states.items()}
                mean = np.mean([at[text] for text in fitted], axis=0)
                where = {"template": template, "tokens": pooling, "layers": layer}
                raw = report.row(**where, calibrator="identity")
                if (layer, pooling) == ("layer:0", "last"):  # [SEP] in every sentence
                    continue
                centred = report.row(**where, calibrator="null-top-k:k=0")
                for key, pairs in splits.items():
                    assert raw[key] == pytest.approx(rho_of(at, pairs), abs=1e-3)
                    assert centred[key] == pytest.approx(rho_of(at, pairs, mean), abs=1e-3)
                assert raw["score_low"] < raw["score"] < raw["score_high"]


@pytest.fixture
def enough(monkeypatch):
    """Count 40 pairs as enough for a verdict."""
    monkeypatch.setattr("bertflow_core.studies.layers.study.too_few", lambda *_: "")


@pytest.mark.usefixtures("enough")
def test_dev_chooses_and_the_answer_compares_it_with_the_plain_output(recipe, lab):
    report = layers(recipe.with_(poolings=("mean",)), lab, SPECS[:1], LAYERS)
    (chosen,) = [row for row in report.rows if row["chosen"]]
    assert chosen is report.rows[0]
    assert chosen["dev"] == max(row["dev"] for row in report.rows if row["dev"] is not None)
    plain = lab.evaluate([recipe.base().plain])[0].rho
    assert report.facts["plain"] == pytest.approx(plain)
    before, after = (f"{100 * each:.2f}" for each in (plain, chosen["score"]))
    answer = report.text(Kind.ANSWER)
    assert f"{after} against {before}" in answer
    assert f"{chosen['layers']} {chosen['tokens']}".removesuffix(" mean") in answer


def test_a_trained_calibrator_is_fitted_where_the_others_score_best_on_dev(report):
    for template in (None, TEMPLATE):
        for tokens in POOLINGS:
            found = report.where(template=template, tokens=tokens)
            closed = [row for row in found if row["calibrator"] != SPECS[1] and row["dev"]]
            (flow,) = [row for row in found if row["calibrator"] == SPECS[1]]
            assert flow["layers"] == max(closed, key=lambda row: row["dev"])["layers"]


def test_the_first_tokens_part_of_the_mean(report, tokens_of):
    texts = list(dict.fromkeys(text for row in pair_rows(120)[80:] for text in row[:2]))
    (table,) = report.tables
    assert table.title == "First token"
    for row in table.rows:
        states = [tokens_of(text)[0][int(row["layers"][-1])] for text in texts]
        means = [each.mean(axis=0) for each in states]
        others = [each[1:].mean(axis=0) for each in states]
        cosines = [a @ b / np.sqrt(a @ a * (b @ b)) for a, b in zip(means, others, strict=True)]
        parts = [h[0] @ m / len(h) / (m @ m) for h, m in zip(states, means, strict=True)]
        assert row["cosine"] == pytest.approx(np.mean(cosines), abs=1e-4)
        assert row["share"] == pytest.approx(np.mean(parts), abs=1e-4)
        norms = [np.linalg.norm(each, axis=1).mean() for each in ([h[0] for h in states], others)]
        assert [row["first_norm"], row["others_norm"]] == pytest.approx(norms, rel=1e-4)


@pytest.mark.usefixtures("enough")
def test_without_dev_nothing_is_chosen(recipe_of):
    own = {"templates": ("{text}",), "poolings": ("mean",)}
    recipe = LayersRecipe(**recipe_of(40).to_dict(), **own)
    found = layers(recipe, Lab(device="cpu"), SPECS[1:], LAYERS[1:])
    assert "no dev split" in found.text(Kind.MISSING)
    assert "Holm-adjusted" in found.text(Kind.ANSWER)
    assert not any(row["chosen"] for row in found.rows)
    assert [row["layers"] for row in found.where(calibrator=SPECS[1])] == [*LAYERS[1:]]
    assert found.figure("scores").data


def test_a_place_at_which_a_calibrator_leaves_nothing_is_a_gap(recipe_of):
    asked = LayersRecipe(**recipe_of().to_dict(), poolings=("last",))  # rank 5 in layer 0
    found = layers(asked, Lab(), ["null-top-k:k=6"]).where(calibrator="null-top-k:k=6")
    assert [row["score"] is None for row in found] == [True, False, False, False]


def test_every_place_is_that_of_an_encoding_of_its_own(recipe_of, encode_tiny):
    asked, pairs = recipe_of(aggregation="wmean", seed=3), pair_rows()
    specs = ("identity", "null-top-k:k=2", "whiten:n_components=5")
    found = layers(LayersRecipe(**asked.to_dict()), Lab(), specs)
    first, second = (encode_tiny([row[side] for row in pairs]) for side in (0, 1))  # (4, 4, 24, 16)
    gold = np.array([row[2] for row in pairs])
    subsets = np.arange(24) % 2 == 0, np.arange(24) % 2 == 1
    assert len(found.rows) == 4 * 4 * 3
    for row in found.rows:
        layer, tokens = int(row["layers"][-1]), row["tokens"]
        is_point = (layer, tokens) == (0, "cls")  # equal embeddings
        assert {row[key] is None for key in ("score", "random_cosine", "iso_score")} == {is_point}
        if layer == 0 and tokens in ("cls", "last"):
            continue  # special tokens differ by position at most, so ties decide
        pooling = ("mean", "cls", "max", "last").index(tokens)
        a, b = (np.asarray(v[layer, pooling], np.float64) for v in (first, second))
        corpus = np.stack([a, b], axis=1).reshape(48, 16)
        a, b = map(build_calibrator(row["calibrator"]).fit(corpus).transform, (a, b))
        cosine = pairwise_cosine(a, b)
        low, high = (  # these differ only if float32 may order two cosines either way
            np.mean([spearmanr(cosine[m] + nudge * rankdata(gold[m]), gold[m])[0] for m in subsets])
            for nudge in (-1e-6, 1e-6)
        )
        assert low - 1e-9 <= row["score"] <= high + 1e-9
        both = np.concatenate([a, b])
        assert row["random_cosine"] == pytest.approx(random_pair_cosine(both, seed=3), abs=1e-4)
        assert row["iso_score"] == pytest.approx(isotropy.iso_score(both), abs=1e-4)
        assert row["mean_share"] == pytest.approx(isotropy.mean_share(both), abs=1e-4)
        assert row["effective_rank"] == pytest.approx(effective_rank(both), rel=1e-3)


def effective_rank(x):
    variances = np.linalg.eigvalsh(np.cov(x.T))
    shares = variances[variances > 1e-9 * variances.sum()] / variances.sum()
    return np.exp(-(shares * np.log(shares)).sum())


def test_sentences_without_gold_have_isotropy_only(recipe_of):
    recipe = LayersRecipe(**recipe_of().to_dict(), poolings=("mean",))
    pairs, corpus = Lab().load(recipe)
    shared = {name: getattr(pairs, name) for name in ("name", "subsets", "provenance")}
    lab = Lab(tables={recipe.dataset: (Texts(texts=pairs.first, **shared), corpus)})
    found = layers(recipe, lab, ["identity"])
    assert {row["score"] for row in found.rows} == {None}
    assert {"layers", "layers-iso_score", "layers-random_cosine"} < found.pictures().keys()
    assert "scores" not in found.pictures()
    encoded = next(lab.embedded([recipe.base()]))
    expected = isotropy.iso_score(encoded.x_first)
    assert found.row(layers="layer:2")["iso_score"] == pytest.approx(expected, abs=1e-9)


def stored():
    """Return the recorded readings of a raw language model."""
    return layers.read(json.loads(resource("results/language-model.json").read_text("utf-8")))


def test_the_recorded_readings_hold_what_their_answer_says():
    report = stored()
    chosen = max(report.rows, key=lambda row: row["dev"] or 0)
    assert chosen["chosen"]
    assert f"{100 * chosen['score']:.2f} against" in report.text(Kind.ANSWER)
    assert len(report.by("layers")) == 31
    assert (len(report.by("template")), len(report.by("tokens"))) == (3, 2)
    assert len(report.by("calibrator")) == 6
    ends = [report.row(layers="layer:15", tokens=each, template=None) for each in ("mean", "last")]
    assert all(row["score_low"] < row["score"] < row["score_high"] for row in ends)
    titles = [each.text for each in report.figure("scores").layout.annotations]
    assert titles[:6] == ["mean", "last"] * 3
    templates = ["no template", *report.facts["templates"][1:]]
    assert [html.unescape(each).replace("<br>", " ") for each in titles[6:]] == templates


def test_findings_say_what_is_recorded():
    findings = Path(__file__).parents[2] / "docs" / "findings.md"
    said, report = " ".join(findings.read_text(encoding="utf-8").split()), stored()

    def scores(calibrator):
        rows = [row for row in report.rows if (row["tokens"], row["template"]) == ("mean", None)]
        return {r["layers"]: 100 * r["score"] for r in rows if r["calibrator"] == calibrator}

    before, after = scores("identity"), scores("null-top-k:k=0")
    gains = [after[f"layer:{k}"] - before[f"layer:{k}"] for k in range(31)]
    falls, rises = gains[2:10] + gains[12:30], [gains[k] for k in (0, 1, 11)]
    assert f"falls by {-max(falls):.0f} to {-min(falls):.0f} points in layers 2 to 9 and 12" in said
    assert f"rises by {min(rises):.0f} to {max(rises):.0f} points in layers 0, 1 and 11," in said
    assert f"in layer 10 ({gains[10]:.2f}) and at the output ({gains[30]:+.2f}, not" in said

    names = {"identity": "as they are", "null-top-k:k=0": "mean subtracted"}
    _, eol, summary = report.facts["templates"]
    for calibrator in report.by("calibrator"):
        cells = [names.get(calibrator, f"`{calibrator}`")]
        for way in (("mean", None), ("last", eol), ("last", summary)):
            fixed = dict(zip(("tokens", "template", "calibrator"), (*way, calibrator), strict=True))
            rows = [row for row in report.rows if fixed.items() <= row.items()]
            best = max(rows, key=lambda row: row["dev"] or 0)
            cells.append(f"{100 * best['score']:.2f} ({best['layers'].removeprefix('layer:')})")
        assert f"| {' | '.join(cells)} |" in said


@pytest.mark.gate  # it embeds all captions with a network of 30 layers
def test_a_part_of_the_recorded_readings_is_computed_again(smollm2):
    report = stored()
    asked = report.params.with_(templates=("{text}",))
    found = layers(asked, Lab(), ("null-top-k:k=6", "whiten"), ("layer:15", "layer:30"))
    assert len(found.rows) == 12
    names = ("template", "tokens", "layers", "calibrator")
    for row in found.rows:
        then = report.row(**{name: row[name] for name in names})
        for key in ("dev", "score", "random_cosine"):
            assert row[key] == pytest.approx(then[key], abs=5e-3)
