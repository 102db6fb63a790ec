"""Published numbers, when ours are comparable, and our own stated numbers, computed again.

On real data the embedded model is fitted on all 17,256 sentences of STS-B, without labels, and
scored on the 1,379 test pairs. Each year of STS is scored on all its pairs. Rho is times 100.
"""

from dataclasses import replace

import numpy as np
import pytest

from bertflow_core.calibrators.spec import Spec
from bertflow_core.datasets import DATASETS, load_corpus
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.lab.cells import CellFolder
from bertflow_core.lab.grid import fits_of, scored
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.published import published_rows, tracked_results, why_not_comparable


def row(label, table="2", source="Li et al. (2020)"):
    (match,) = [
        r for r in published_rows() if (r.label, r.table, r.source) == (label, table, source)
    ]
    return match


def why(published, dataset, fitted_on="", **changes):
    protocol = Recipe(dataset=dataset, **{"aggregation": "wmean", **changes})
    return why_not_comparable(published, dataset, protocol, fitted_on)


def test_numbers_of_the_paper_by_the_fields_of_their_recipe():
    flow = row("BERT_base-flow (target)")
    assert (flow.model, flow.layers, flow.calibrator) == ("bert-base", "first-last", "flow")
    assert dict(flow.values) == {
        "stsb": 70.72, "sickr": 63.11, "sts12": 63.48, "sts13": 72.14,
        "sts14": 68.42, "sts15": 73.77, "sts16": 75.37,
    }  # fmt: skip
    simple = row("BERT_base + SN + NATSV (k=6)", "5")
    assert (simple.layers, simple.calibrator) == ("last", "standardize+null-top-k:k=6")
    assert simple.values["stsb"] == 63.51
    rows = [each for each in published_rows() if each.table == "4"]
    assert {(each.metric, each.split, *each.values) for each in rows} == {("auc", "dev", "qnli")}
    assert [each.values["qnli"] for each in rows] == [70.30, 72.52, 76.17, 70.41, 74.19, 77.09]
    assert all(each.metric == "rho" for each in published_rows() if "qnli" not in each.values)


def test_every_row_has_the_fields_of_a_recipe():
    for each in published_rows():
        assert set(each.values) <= set(DATASETS)
        assert all(0 < value < 100 for value in each.values.values())
        assert each.url.startswith("https://")
        if each.calibrator:
            Spec(each.calibrator)
        if each.layers:
            LayerSet(each.layers)


def test_averages_agree_with_the_text_of_the_paper():
    # Section 4.1: the flow boosts BERT-base by 5.88 and BERT-large by 8.16 points on average.
    for size, gain in (("base", 5.88), ("large", 8.16)):
        flow, raw = row(f"BERT_{size}-flow (target)"), row(f"BERT_{size}-last2avg")
        change = [flow.values[name] - raw.values[name] for name in raw.values]
        assert sum(change) / len(change) == pytest.approx(gain, abs=0.005)


@pytest.mark.parametrize(
    ("label", "dataset", "changes", "words"),
    [
        ("BERT_base-flow (target)", "sts12", {}, None),
        ("BERT_base-last2avg", "sts12", {"fit_on": "train"}, None),  # nothing was fitted
        ("BERT_base-flow (target)", "sts12", {"aggregation": "all"}, "published as wmean"),
        ("BERT_base-flow (target)", "stsb", {"aggregation": "all"}, None),  # there is one subset
        ("Avg. GloVe embeddings", "sts13", {}, "published as all"),
        ("BERT_base-flow (NLI*)", "stsb", {}, "fitted on nli"),
        ("BERT_base", "stsb", {"split": "dev"}, "on the test split"),
        ("BERT_base-flow (target)", "stsb", {"max_length": 128}, "at 64 tokens"),
    ],
)
def test_a_number_is_compared_where_the_protocol_is_the_same(label, dataset, changes, words):
    found = why(row(label), dataset, **changes)
    assert found is None if words is None else words in found
    unknown = row("SBERT_base-NLI", "3")
    assert unknown.max_length is None and why(unknown, "stsb", max_length=128) is None


def test_a_part_of_a_fit_corpus_is_another_corpus(tmp_path):
    published = row("BERT_base-flow (NLI*)")
    assert why(published, "stsb", fit_on="nli") is None
    folder = tmp_path / "snli"
    folder.mkdir()
    for name, line in (("s1", "a b"), ("s2", "a c"), ("labels", "neutral")):
        (folder / f"{name}.dev").write_text(f"{line}\n", encoding="utf-8")
    corpus = load_corpus("captions", "nli", data_dir=tmp_path)
    reason = why(published, "stsb", fit_on="nli", fitted_on=corpus.description)
    assert "here on a part" in reason


@pytest.mark.gate
@pytest.mark.parametrize("name", ["teaching", "captions"])
def test_stored_scores_are_computed_again(name, captions_lab):
    tracked = tracked_results(name)
    recipe = tracked[1].recipe
    assert recipe.dataset == name
    assert recipe.fit_on == ("captions" if name == "teaching" else "target")
    specs = [each.spec for each in tracked[1:]]
    found = captions_lab.evaluate([recipe.plain, *recipe.each(calibrators=specs)])
    assert [each.spec for each in found] == [each.spec for each in tracked]
    stored = [each.rho for each in tracked]
    assert [each.scores.spearman.all for each in found] == pytest.approx(stored, abs=1e-3)
    for each, kept in zip(found, tracked, strict=True):
        if kept.similarity.size and "flow" not in each.spec:
            np.testing.assert_allclose(each.similarity, kept.similarity, atol=1e-4)


@pytest.mark.gate
def test_stored_scores_of_the_encoder_beside_the_language_model_are_computed_again(captions_lab):
    stored = [each for each in tracked_results("models") if each.recipe.model == "minilm"]
    assert len(stored) == 5
    found = captions_lab.evaluate([each.recipe for each in stored])
    rhos = [each.rho for each in stored]
    assert [each.scores.spearman.all for each in found] == pytest.approx(rhos, abs=3e-3)


SPECS = (
    *("identity", "standardize", "null-top-k:k=1", "null-top-k:k=6"),
    *("standardize+null-top-k:k=6", "whiten", "whiten:n_components=256"),
)
TARGETS = {
    "layer:1": (56.73, 59.82, 57.63, 67.86, 67.11, 69.62, 68.37),
    "layer:4": (59.61, 60.92, 65.61, 71.58, 70.00, 71.17, 71.15),
    "last": (82.03, 82.28, 82.60, 80.89, 81.00, 80.27, 80.75),
    **{"first-last": (81.55,), "last2": (80.64,), "layer:0": (55.61,)},
}
FLOWS = {"layer:1": (69.0, 0.8), "layer:4": (71.8, 0.8), "last": (81.5, 2.5)}
"""Rho, and how far from it a fit may lie; the last layer needs no calibration."""


@pytest.fixture
def rho(real_lab, minilm):
    """Return a function from layers and specs to Spearman's rho, times 100."""

    def run(layers, *specs, seed=0):
        recipe = Recipe(layers=layers, dataset="stsb", seed=seed)
        results = real_lab.evaluate(recipe.each(calibrators=specs))
        assert len(results[0].embedded.corpus) == 17_256
        assert results[0].scores.n_pairs == 1_379
        return [100 * result.scores.spearman.all for result in results]

    return run


@pytest.mark.parametrize(("layers", "targets"), TARGETS.items())
def test_closed_forms(rho, layers, targets):
    assert rho(layers, *SPECS[: len(targets)]) == pytest.approx(targets, abs=0.15)


@pytest.mark.parametrize("layers", FLOWS)
def test_the_flow(rho, layers):
    target, bound = FLOWS[layers]
    for seed in (0, 1, 2) if layers != "last" else (0,):
        found = rho(layers, "flow:lr=1e-3,epochs=1", seed=seed)
        assert found == pytest.approx([target], abs=bound)


YEARS = {
    # by calibrator: wmean, all
    "sts12": ((59.55, 46.44), (63.84, 61.87), (63.96, 54.92), (63.6, 58.4)),
    "sts13": ((61.28, 63.20), (70.91, 74.82), (70.66, 74.98), (70.5, 74.5)),
    "sts14": ((63.02, 53.12), (67.57, 63.18), (67.48, 62.68), (67.8, 63.0)),
}
YEARS_SPECS = ("identity", "null-top-k:k=6", "whiten:n_components=256", "flow:lr=1e-3,epochs=1")


@pytest.mark.parametrize(
    "year", ["sts13", *(pytest.param(y, marks=pytest.mark.campaign) for y in ("sts12", "sts14"))]
)
def test_the_years(real_lab, minilm, year, tmp_path):
    lab = replace(real_lab, cells=CellFolder(tmp_path))
    for spec, targets in zip(YEARS_SPECS, YEARS[year], strict=True):
        found = []
        for how in ("wmean", "all"):
            row = Recipe(dataset=year, calibrator=spec, aggregation=how)
            fits = fits_of(row, 3)
            assert len(fits) == (3 if "flow" in spec else 1)
            found.append(100 * scored(fits, lab).scores({"": fits})[""].value)
        assert found == pytest.approx(targets, abs=1.0 if "flow" in spec else 0.2), spec
