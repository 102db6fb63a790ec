"""The tour's steps: each right answer against numbers that are computed here in another way."""

import json
import re
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from safetensors import safe_open
from scipy.stats import spearmanr
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.analysis.edit_distance import edit_distances
from bertflow_core.datasets import load_pairs
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import distinct_rows
from bertflow_core.recipe import Recipe
from bertflow_core.report import Report
from bertflow_core.studies.tour import CONTENTS
from bertflow_core.studies.tour.compute import compute_tour
from bertflow_core.studies.tour.lesson import Lesson, Skipped, Step
from bertflow_core.studies.tour.material import FLOW, RAW, REMOVED, SPECS, Material
from bertflow_core.studies.tour.questions import changes, encoder, fitted, space

OWN = ("A dog runs on the beach.", "A puppy plays near the sea.", "The bank raised its rates.")


def under(space, spec, similarity):
    """A space with the cosines of another calibrator."""
    return replace(space, recipe=space.recipe.with_(calibrator=spec), similarity=similarity)


@pytest.fixture(scope="module")
def lesson(real_store):
    return compute_tour(Recipe(dataset="teaching"), Lab(real_store), sentences=OWN)


@pytest.fixture(scope="module")
def prepared(real_store):
    return Lab(real_store).prepare(Recipe(dataset="teaching"))


@pytest.fixture(scope="module")
def flow(prepared):
    return prepared.under("flow")


def content(lesson, name):
    (step,) = (step for step in lesson.steps if step.chapter.name == name)
    assert isinstance(step, Step), step
    return step.content


def unit(x):
    x = np.asarray(x, np.float64)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def test_the_teaching_data_allow_every_chapter_but_two(lesson):
    assert [step.chapter for step in lesson.steps] == list(CONTENTS)
    for step in lesson.steps:
        if step.chapter.name == "few":
            assert step.reason.startswith("740 sentences to fit on in 384 dimensions: ")
            continue
        if step.chapter.name == "holes":  # it takes one side of each pair
            assert step.reason.startswith("370 sentences in 384 dimensions: ")
            continue
        assert 2 <= len(step.content.choices) <= 6
        assert len(set(step.content.choices)) == len(step.content.choices)
        assert 0 <= step.content.right < len(step.content.choices)
        assert len(step.content.figure.data)
        assert re.search(r"\d", step.content.takeaway)
        assert re.search(r"\d", step.content.explanation)
        assert "Usual mistake" in step.content.notes or step.chapter.name == "layer"


def test_a_lesson_is_the_same_after_a_file(lesson):
    again = Lesson.from_dict(json.loads(json.dumps(lesson.to_dict())))
    for before, after in zip(lesson.steps, again.steps, strict=True):
        if isinstance(before, Skipped):
            assert after == before
            continue
        fields = ("text", "question", "choices", "right", "exhibits", "own", "notes")
        assert [getattr(after.content, name) for name in fields] == [
            getattr(before.content, name) for name in fields
        ]
        plain = [json.loads(each.content.figure.to_json())["data"] for each in (before, after)]
        assert plain[0] == plain[1]
    assert again.recipe == lesson.recipe
    assert again.takeaways == lesson.takeaways
    assert {act: len(each) for act, each in again.takeaways.items()} == {1: 8, 2: 3}


EVERY = "identity, null-top-k:k=0, null-top-k:k=6, whiten and flow fitted on target"
TRIED = "identity, standardize, null-top-k:k=6, whiten and flow fitted on target"
EDITS = "identity, null-top-k:k=6 and flow fitted on target"
ORIGINS = {
    "words": ("layer:4", "identity", "word overlap"),
    "random": ("layer:4", "identity", ""),
    "cone": ("layer:4", "identity", ""),
    "calibrators": ("layer:4", EVERY, ""),
    "agreement": ("layer:4", EVERY, "aggregation all; 10,000 resamples"),
    "edits": ("layer:4", EDITS, "edits of treebank units; 2,000"),
    "flow": ("layer:4", "flow fitted on target", ""),
    "layer": ("layers 0 to 6", "identity and null-top-k:k=6 fitted on target", "aggregation all"),
    "last": ("last", TRIED, "aggregation all; 10,000 resamples"),
}
"""Layers, calibrators and what else decides the numbers of a step on sentences."""


@pytest.mark.parametrize("name", ORIGINS)
def test_under_a_step_stands_what_decides_its_numbers(lesson, name):
    found, (layers, specs, also) = content(lesson, name), ORIGINS[name]
    assert found.origin.startswith(f"minilm, {layers}, mean tokens, at most 64 tokens, float32; ")
    assert f"; teaching test; {specs}, seed 0" in found.origin
    assert found.origin.partition(", seed 0")[2].startswith(f"; {also}" if also else "")
    assert ("aggregation" in found.origin) == ("aggregation" in also)
    drawn = {trace.name for trace in found.figure.data} & {*SPECS, "null-top-k:k=6"}
    assert all(spec in specs for spec in drawn)


def test_under_the_step_on_words_stand_its_bins(lesson):
    assert content(lesson, "frequency").origin == (
        "minilm, raw table; counts vocabulary; bins 0, 100, 500, 5000, 10000; identity"
    )


def test_the_pairs_of_step_one_are_of_the_data_and_their_cosines_decide(lesson, prepared):
    found = content(lesson, "words")
    pairs, cosines = prepared.pairs, []
    for _, text in found.exhibits:
        first, second = text.split("\n")
        row = next(
            i for i in range(len(pairs)) if (pairs.first[i], pairs.second[i]) == (first, second)
        )
        cosines.append(float(unit(prepared.x_first[[row]])[0] @ unit(prepared.x_second[[row]])[0]))
        assert f"{cosines[-1]:.2f}" in found.takeaway
    assert found.right == int(np.argmax(cosines))


def test_the_learners_sentences_are_marked_wherever_sentences_are_drawn(lesson, real_store):
    x = unit(Lab(real_store).embed("minilm", OWN, layers="layer:4"))
    cosines = [x[0] @ x[1], x[0] @ x[2], x[1] @ x[2]]
    told = re.findall(r"yours \d & \d: (-?[\d.]+) \(identity\)", content(lesson, "words").own)
    assert list(map(float, told)) == pytest.approx(cosines, abs=0.006)
    for name in ("words", "cone", "flow"):
        traces = [each.to_plotly_json() for each in content(lesson, name).figure.data]
        assert "yours" in str([{**each, "x": 0, "y": 0} for each in traces]), name
    notes = [note.text for note in content(lesson, "random").figure.layout.annotations]
    assert sum(each.startswith("yours") for each in notes) == 3
    lines = content(lesson, "random").figure.layout.shapes
    assert [line.x0 for line in lines[1:]] == pytest.approx(sorted(cosines), abs=1e-4)
    boxes = content(lesson, "negation").figure.data
    assert [each.y[-3:] for each in boxes] == [("your pairs",) * 3] * 2


def test_the_mean_cosine_is_of_random_sentences(lesson, prepared):
    found = content(lesson, "random")
    x = unit(np.unique(np.concatenate([prepared.x_first, prepared.x_second]), axis=0))
    every = x @ x.T
    mean = (every.sum() - np.trace(every)) / (len(x) * (len(x) - 1))
    named = float(re.match(r"It is (-?[\d.]+)", found.explanation)[1])
    assert named == pytest.approx(mean, abs=0.02)  # a sample of the sentences
    nearest = min(found.choices, key=lambda choice: abs(float(choice.split()[1]) - mean))
    assert found.choices[found.right] == nearest


def test_the_cone_is_the_share_of_the_mean_vector(lesson, prepared):
    found = content(lesson, "cone")
    x = unit(np.unique(np.concatenate([prepared.x_first, prepared.x_second]), axis=0))
    share = np.square(x.mean(axis=0)).sum()
    told = float(re.search(r"holds (\d+) %", found.takeaway)[1])
    assert told == pytest.approx(100 * share, abs=2)  # a sample of the sentences


def test_sentences_lie_in_clumps_beside_a_gaussian(prepared):
    """By the same measure on another draw of the Gaussian, made from a Cholesky factor."""
    x = prepared.x_fit[distinct_rows(prepared.corpus.sentences)].astype(np.float64)
    noise = np.random.default_rng(1).standard_normal(x.shape)
    _, sizes, right = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    gaussian = noise * (sizes / np.sqrt(len(x) - 1)) @ right

    def typical(rows):
        squares = np.square(rows).sum(axis=1)
        apart = squares[:, None] + squares - 2 * rows @ rows.T
        return np.median(np.sqrt(np.sort(np.maximum(apart, 0), axis=1)[:, 10]))

    near, even = space.neighbour_distances(x, seed=0)
    ratio = np.median(near) / np.median(even)
    assert ratio == pytest.approx(typical(x) / typical(gaussian), abs=0.02)
    assert ratio < 0.97


def test_the_longer_words_are_the_rare_ones(lesson, minilm):
    found = content(lesson, "frequency")
    with safe_open(minilm / "model.safetensors", "numpy") as tensors:
        table = tensors.get_tensor("embeddings.word_embeddings.weight")
    names = (minilm / "vocab.txt").read_text(encoding="utf-8").splitlines()
    whole = [i for i, n in enumerate(names) if len(n) > 1 and not n.startswith(("##", "["))]
    norms = np.linalg.norm(table[whole].astype(np.float64), axis=1)
    frequent, rare = norms[:100].mean(), norms[5_000:10_000].mean()
    y = next(trace.y for trace in found.figure.data if trace.name == RAW)
    assert y[0] == pytest.approx(frequent, rel=0.01)
    assert y[-1] == pytest.approx(rare, rel=0.01)
    assert found.choices[found.right] == ("Longer" if rare > frequent else "Shorter")


def test_subtracting_the_mean_is_enough(lesson, prepared):
    found = content(lesson, "calibrators")
    assert found.choices[found.right] == "Subtracting the mean"
    x = np.unique(prepared.x_fit, axis=0).astype(np.float64)
    share = np.square(x.mean(axis=0)).sum() / np.square(x).sum(axis=1).mean()
    assert found.figure.data[0].x[0] == pytest.approx(100 * share, abs=0.1)


def test_rho_before_and_after_are_scipys(lesson, prepared, flow):
    found = content(lesson, "agreement")
    gold = prepared.pairs.gold
    cosine = np.sum(unit(prepared.x_first) * unit(prepared.x_second), axis=1)
    before = spearmanr(cosine, gold).statistic
    after = spearmanr(flow.similarity, gold).statistic
    shown = [f"{100 * rho:.2f}" for rho in (before, after)]
    change = Decimal(shown[1]) - Decimal(shown[0])
    assert f"from {shown[0]} to {shown[1]}: {change:+}, 95 %" in found.explanation
    ends = re.search(r"interval ([+-]\d+\.\d\d) to ([+-]\d+\.\d\d)", found.explanation)
    low, high = map(float, ends.groups())
    assert low < 100 * (after - before) < high
    assert "shared words mislead" in found.explanation


def test_lexical_bias_is_answered_by_the_sign_of_its_change(lesson):
    found = content(lesson, "edits")
    before, after = (float(v) for v in re.findall(r"(-?[\d.]+) \[", found.explanation)[:2])
    change = float(re.search(r"changes by ([+-][\d.]+) \[", found.explanation)[1])
    assert change == pytest.approx(abs(after) - abs(before), abs=1e-9)  # as they are shown
    assert f"{change:+.2f} points" in found.takeaway
    assert abs(after) > abs(before)  # of these pairs, written to mislead, the flow's is larger
    assert found.choices[found.right] == "It follows the words more closely"
    assert "-28.01" in found.explanation


def test_the_way_through_the_flow_ends_where_the_flow_ends(lesson, prepared, flow):
    found = content(lesson, "flow")
    sample = Material(prepared, {"flow": flow}, Lab()).sample
    z = unit(flow.calibrator.transform(sample))
    mean = (np.square(z.sum(0)).sum() - len(z)) / (len(z) * (len(z) - 1))
    means = np.asarray(found.figure.data[0].y, float)
    assert means[-1] == pytest.approx(mean, abs=1e-5)
    half = int(np.argmax(np.abs(means[1:]) <= abs(means[0]) / 2)) + 1
    assert half == 1
    assert found.choices[found.right] == "The first"


def test_the_best_layer_is_the_one_of_largest_rho(lesson):
    found = content(lesson, "layer")
    raw = np.asarray(found.figure.data[0].y, float)
    assert found.figure.data[0].name == RAW
    assert re.match(rf"Layer {raw.argmax()} .* {raw.max():.1f};", found.explanation)
    assert found.right == {0: 0, len(raw) - 1: 2}.get(int(raw.argmax()), 1)


@pytest.mark.parametrize(
    ("towards", "answer"), [(1, "It rises"), (-1, "It falls"), (0, "The change is not significant")]
)
def test_rho_rises_falls_or_does_not_change_significantly(prepared, flow, towards, answer):
    gold, noise = prepared.pairs.gold, np.random.default_rng(0).normal(size=(2, 370))
    similar = {RAW: noise[0] + 0.3 * gold, FLOW: noise[1] + 0.3 * gold + towards * gold}
    similar |= {spec: noise[0] for spec in SPECS if spec not in similar}
    results = {
        spec: replace(flow, recipe=flow.recipe.with_(calibrator=spec), similarity=each)
        for spec, each in similar.items()
    }
    found = changes.agreement(Material(prepared, results, Lab()))
    assert found.choices[found.right].startswith(answer)


@pytest.mark.parametrize(
    ("before", "after", "answer"),
    [
        (-3, -0.1, "less closely"),
        (0.1, 3, "more closely"),
        (-1, -1, "not significant"),
    ],
)
def test_lexical_bias_is_judged_by_its_size_not_its_sign(prepared, flow, before, after, answer):
    noise = np.random.default_rng(1).normal(size=(2, 370))
    words = edit_distances(prepared.pairs.first, prepared.pairs.second).astype(float)
    z = (words - words.mean()) / words.std()
    results = {
        RAW: replace(
            flow, recipe=flow.recipe.with_(calibrator=RAW), similarity=before * z + noise[0]
        ),
        REMOVED: under(flow, REMOVED, noise[0]),
        FLOW: replace(flow, similarity=after * z + noise[1]),
    }
    found = changes.edits(Material(prepared, results, Lab()))
    assert found.choices[found.right].endswith(answer)


@pytest.mark.parametrize(
    ("rhos", "right", "matters"),
    [
        ((0.5, 0.1, 0.2), 0, "the layer"),
        ((0.1, 0.2, 0.1), 1, "a calibrator"),
        ((0, 0, 0.4), 2, "the layer"),
    ],
)
def test_the_choice_of_a_layer_against_that_of_a_calibrator(
    prepared, monkeypatch, rhos, right, matters
):
    def mapped(recipe, lab, specs):
        rows = [
            {
                "layer": layer,
                "calibrator": spec,
                "rho": rho + 0.2 * (spec != RAW),
                "random_cosine": 0.5,
            }
            for spec in specs
            for layer, rho in enumerate(rhos)
        ]
        return Report("layer-map", recipe, (), rows)

    monkeypatch.setattr(encoder, "layer_map", mapped)
    found = encoder.layer(Material(prepared, {}, Lab()))
    assert found.right == right
    assert f"{matters} matters more" in found.explanation
    assert " +20.0," in found.explanation


def test_swapped_roles_stay_as_similar_as_the_vectors_make_them(lesson, prepared, flow):
    found = content(lesson, "negation")
    pairs = load_pairs("teaching")
    cosines = np.sum(
        unit(flow.calibrator.transform(prepared.x_first))
        * unit(flow.calibrator.transform(prepared.x_second)),
        axis=1,
    )
    same = np.median(cosines[[corner == "many-same" for corner in pairs.subsets]])
    assert f"beside {same:.2f} for the same meaning" in found.takeaway
    assert found.origin.endswith("teaching test; identity and flow fitted on target, seed 0")
    first, second = dict(found.exhibits)["Roles swapped"].split("\n")
    assert set(first.lower().split()) & set(second.lower().split())
    assert found.choices[found.right] == "Roles swapped"


def test_too_few_sentences_are_named_by_the_worst_fit(prepared, flow):
    """Tenfold, the 740 sentences have six sizes; whitening on the worst is scipy's rho."""
    many = replace(prepared, x_fit=np.tile(prepared.x_fit[:200, :16], (8, 1)))
    many = replace(many, x_first=prepared.x_first[:, :16], x_second=prepared.x_second[:, :16])
    results = {spec: many.under(spec) for spec in SPECS}
    found = fitted.few(Material(many, results, Lab()))
    assert found.choices[1] == "16, as many as dimensions"
    (whiten,) = (trace for trace in found.figure.data if trace.name == "whiten")
    assert whiten.x[-1] == "1,600"
    assert whiten.y[-1] == pytest.approx(100 * results["whiten"].rho)
    worst = int(whiten.x[int(np.argmin(whiten.y))].replace(",", ""))
    assert f"fitted on {worst}" in found.takeaway or f"worst on {worst}" in found.takeaway


def test_the_last_layer_is_judged_by_the_advice(lesson):
    found = content(lesson, "last")
    assert found.origin.startswith("minilm, last, ")
    # standardize lowers rho by 0.42, no more than chance; two others lower it significantly.
    assert "may be chance" in found.choices[found.right]
    assert "standardize" in found.takeaway and "which may be chance" in found.takeaway
    assert found.takeaway.endswith("2 of the 4 lower it significantly.")
    marks = [trace for trace in found.figure.data if trace.mode == "markers"]
    assert max(np.concatenate([np.asarray(trace.x, float) for trace in marks])) < 0


def skipped_of(lesson):
    return {step.chapter.name: step.reason for step in lesson.steps if isinstance(step, Skipped)}


GRADED = {"words", "agreement", "few", "layer", "last"}


def test_without_gold_the_steps_that_need_it_are_skipped(tiny_bert, tmp_path):
    table = write_pairs(tmp_path / "pairs.csv", pair_rows(40))
    lines = [line.split(",")[:2] for line in table.read_text(encoding="utf-8").splitlines()]
    table.write_text("\n".join(map(",".join, lines)) + "\n", encoding="utf-8")
    lesson = compute_tour(tiny_recipe(tiny_bert, table), Lab(device="cpu"))
    skipped = skipped_of(lesson)
    assert set(skipped) == {"frequency", *GRADED}
    assert all("gold scores" in skipped[name] for name in GRADED)
    assert "people" not in content(lesson, "edits").explanation.lower()


def test_steps_that_need_more_sentences_are_skipped(tiny_bert, tmp_path):
    """Sixteen sentences in sixteen dimensions are flat, and a rho of eight pairs is chance."""
    table = write_pairs(tmp_path / "pairs.csv", pair_rows(8))
    skipped = skipped_of(compute_tour(tiny_recipe(tiny_bert, table), Lab(device="cpu")))
    assert skipped["calibrators"].startswith("16 sentences in 16 dimensions: ")
    assert skipped["holes"].startswith("8 sentences in 16 dimensions: ")  # one side of each pair
    for name in ("agreement", "edits", "few", "layer", "last"):
        assert skipped[name] == "Only 8 pairs: a rho of so few is mostly chance."
    assert {"random", "cone", "flow", "negation"}.isdisjoint(skipped)


def test_single_sentences_have_no_edit_distance(tiny_bert, tmp_path):
    table = tmp_path / "sentences.csv"
    words = ("cat", "dog", "mat", "red", "blue", "green")
    table.write_text("sentence\n" + "".join(f"the {a} {b}\n" for a in words for b in words))
    recipe = tiny_recipe(tiny_bert, table, sentence1="sentence")
    lesson = compute_tour(recipe, Lab(device="cpu"), sentences=OWN[:2])
    assert set(skipped_of(lesson)) == {"frequency", "edits", *GRADED}
    found = content(lesson, "holes")
    assert "identity and flow fitted on target, seed" in found.origin
    notes = [note.text for note in found.figure.layout.annotations]
    assert sum(each.startswith("yours") for each in notes) == 2


@pytest.mark.parametrize(
    ("typed", "words"),
    [(["one"], "got 1"), (["a", "a "], "are the same"), (["a" * 301, "b"], "longer than 300")],
)
def test_sentences_that_cannot_be_compared_are_refused_before_any_work(typed, words):
    with pytest.raises(InputError, match=words):
        compute_tour(Recipe(dataset="nowhere"), Lab(), sentences=typed)


def test_the_command_makes_the_same_recipe_again(lesson):
    recipe = lesson.recipe.with_(dataset="my pairs.csv", seed=3)
    assert Lesson(recipe, lesson.steps, ("a b", "c")).command == (
        "bertflow-lab report --tour --out lesson.html --dataset 'my pairs.csv' --seed 3 "
        "--sentence 'a b' --sentence c"
    )
