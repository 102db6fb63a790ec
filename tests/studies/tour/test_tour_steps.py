"""The tour's steps: each right answer against numbers that are computed here in another way."""

import json
import re

import numpy as np
import pytest
from safetensors import safe_open
from scipy.stats import spearmanr
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.datasets import load_pairs
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.space.cone import stored_cone
from bertflow_core.studies.tour.compute import compute_tour
from bertflow_core.studies.tour.lesson import (
    CONTENTS,
    Lesson,
    Skipped,
    Step,
    stored_for,
    stored_lesson,
)
from bertflow_core.text_table import percent

OWN = ("A dog runs on the beach.", "A puppy plays near the sea.", "The bank raised its rates.")


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


def test_the_teaching_data_allow_every_chapter(lesson):
    assert [step.chapter for step in lesson.steps] == list(CONTENTS)
    for step in lesson.steps:
        assert 2 <= len(step.content.choices) <= 8
        assert len(set(step.content.choices)) == len(step.content.choices)
        assert 0 <= step.content.right < len(step.content.choices)
        assert len(step.content.figure.data)
        assert re.search(r"\d", step.content.takeaway + step.content.explanation)
        assert "{" not in step.content.text + step.content.takeaway + step.content.explanation
        command = "ledger" if step.chapter.name == "negation" else f"analyse {step.chapter.study}"
        assert f"Made by: bertflow-lab {command}" in step.content.origin


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
    assert {act: len(each) for act, each in again.takeaways.items()} == {1: 9, 2: 4}


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


def test_the_cosines_of_the_learners_sentences_are_told_and_marked(lesson, real_store):
    x = unit(Lab(real_store).embed("minilm", OWN, layers="layer:4"))
    cosines = [x[0] @ x[1], x[0] @ x[2], x[1] @ x[2]]
    told = re.findall(r"yours \d & \d: (-?[\d.]+) \(identity\)", content(lesson, "words").own)
    assert list(map(float, told)) == pytest.approx(cosines, abs=0.006)
    notes = [note.text for note in content(lesson, "random").figure.layout.annotations]
    assert sum(each.startswith("yours") for each in notes) == 3
    lines = content(lesson, "random").figure.layout.shapes
    assert [line.x0 for line in lines] == pytest.approx(sorted(cosines), abs=1e-4)
    assert "(flow)" in content(lesson, "negation").own


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


def test_the_longer_words_are_the_rare_ones(lesson, minilm):
    found = content(lesson, "frequency")
    with safe_open(minilm / "model.safetensors", "numpy") as tensors:
        table = tensors.get_tensor("embeddings.word_embeddings.weight")
    names = (minilm / "vocab.txt").read_text(encoding="utf-8").splitlines()
    whole = [i for i, n in enumerate(names) if len(n) > 1 and not n.startswith(("##", "["))]
    norms = np.linalg.norm(table[whole].astype(np.float64), axis=1)
    frequent, rare = norms[:100].mean(), norms[5_000:10_000].mean()
    (y,) = (trace.customdata for trace in found.figure.data if trace.name == "identity")
    assert y[0] == pytest.approx(frequent, rel=0.01)
    assert y[-1] == pytest.approx(rare, rel=0.01)
    assert found.choices[found.right] == "It both rises and falls"
    assert f"{frequent:.2f} (ranks 1 to 100)" in found.takeaway


def test_subtracting_the_mean_is_enough(lesson, prepared):
    found = content(lesson, "calibrators")
    assert found.choices[found.right] == "Subtracting the mean"
    x = np.concatenate([prepared.x_first, prepared.x_second])
    u = unit(x - prepared.x_fit.mean(axis=0))
    mean = (np.square(u.sum(0)).sum() - len(u)) / (len(u) * (len(u) - 1))
    told = float(re.search(r"null-top-k:k=0 (-?[\d.]+),", found.explanation)[1])
    assert told == pytest.approx(mean, abs=0.02)  # 10,000 random pairs


def test_rho_before_and_after_are_scipys(lesson, prepared, flow):
    found = content(lesson, "agreement")
    gold = prepared.pairs.gold
    cosine = np.sum(unit(prepared.x_first) * unit(prepared.x_second), axis=1)
    before = spearmanr(cosine, gold).statistic
    after = spearmanr(flow.similarity, gold).statistic
    shown = [f"{100 * rho:.2f}" for rho in (before, after)]
    assert f"from {shown[0]} to {shown[1]} on" in found.explanation
    ends = re.search(r"interval ([+-]\d+\.\d\d) to ([+-]\d+\.\d\d)", found.explanation)
    low, high = map(float, ends.groups())
    assert low < 100 * (after - before) < high


def test_the_way_through_the_flow_ends_where_the_flow_ends(lesson, prepared, flow):
    found = content(lesson, "flow")
    x = np.unique(np.concatenate([prepared.x_first, prepared.x_second]), axis=0)
    z = unit(flow.calibrator.transform(x))
    mean = (np.square(z.sum(0)).sum() - len(z)) / (len(z) * (len(z) - 1))
    means = np.asarray(found.figure.data[0].y, float)
    assert means[-1] == pytest.approx(mean, abs=1e-4)
    half = int(np.argmax(np.abs(means[1:]) <= abs(means[0]) / 2)) + 1
    assert half == 1
    assert found.choices[found.right] == "The first"


def test_the_best_layer_is_the_one_of_largest_rho(lesson):
    found = content(lesson, "layer")
    raw = np.asarray(found.figure.data[0].y, float)
    assert found.figure.data[0].name == "identity"
    assert re.match(rf"Layer {raw.argmax()} .* {raw.max():.1f};", found.explanation)
    assert found.right == {0: 0, len(raw) - 1: 2}.get(int(raw.argmax()), 1)


def test_adversarial_pairs_are_as_similar_as_the_vectors_make_them(lesson, prepared, flow):
    found = content(lesson, "negation")
    pairs = load_pairs("teaching")
    cosines = np.sum(
        unit(flow.calibrator.transform(prepared.x_first))
        * unit(flow.calibrator.transform(prepared.x_second)),
        axis=1,
    )
    same = np.median(cosines[[corner == "many-same" for corner in pairs.subsets]])
    assert f"beside {same:.2f} for the same meaning" in found.takeaway
    first, second = dict(found.exhibits)["Roles swapped"].split("\n")
    assert set(first.lower().split()) & set(second.lower().split())
    assert found.choices[found.right] == "Roles swapped"


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
    assert "people's" not in content(lesson, "edits").explanation.lower()


def test_steps_that_need_more_sentences_are_skipped(tiny_bert, tmp_path):
    """Sixteen sentences in sixteen dimensions are flat, and a rho of eight pairs is chance."""
    table = write_pairs(tmp_path / "pairs.csv", pair_rows(8))
    skipped = skipped_of(compute_tour(tiny_recipe(tiny_bert, table), Lab(device="cpu")))
    assert skipped["calibrators"].startswith("16 sentences in 16 dimensions: ")
    assert skipped["holes"].startswith("16 sentences in 16 dimensions: ")
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
    assert "yours 1 & 2" in content(lesson, "calibrators").own


def test_the_stored_lesson_is_of_the_default_recipe_and_passes_nothing_over():
    lesson = stored_lesson()
    assert lesson.recipe == Recipe()
    assert [step.chapter for step in lesson.steps] == list(CONTENTS)
    assert all(isinstance(step, Step) for step in lesson.steps)
    assert lesson.command == "bertflow-lab report --tour --out lesson.html"


def test_it_is_of_no_other_recipe_but_of_each_calibrator():
    assert stored_for(Recipe(calibrator="whiten")) is stored_lesson()
    assert stored_for(Recipe(seed=1)) is None


def test_its_numbers_are_those_of_the_cone_that_was_measured_apart():
    steps = {step.chapter.name: step.content for step in stored_lesson().steps}
    cone = stored_cone()
    raw, flow = (cone.row(layers="layer:4", calibrator=spec) for spec in ("identity", "flow"))
    output = cone.row(layers="last", calibrator="identity")
    before, after = map(float, re.findall(r"\d\d\.\d\d", steps["agreement"].takeaway))
    assert before == pytest.approx(100 * raw["rho"], abs=0.01)
    assert after == pytest.approx(100 * flow["rho"], abs=1)  # a fit differs between machines
    assert f"from {percent(output['rho'])} to" in steps["last"].takeaway
    share = float(re.search(r"holds (\d+) %", steps["cone"].takeaway)[1])
    assert abs(share - 100 * raw["mean_length"] ** 2) < 2  # a sample of the sentences
    assert steps["agreement"].right == 0
    assert steps["last"].right == 1  # the best of them, standardize, changes next to nothing
    assert "standardize" in steps["last"].takeaway
