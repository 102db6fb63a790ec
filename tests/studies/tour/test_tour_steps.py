"""The tour's steps of tiny data and of the stored lesson, and which of them data skip."""

import json
import re

import numpy as np
import pytest
from safetensors import safe_open
from sklearn.metrics.pairwise import cosine_similarity
from tiny_pairs import tiny_recipe

from bertflow_core.errors import InputError
from bertflow_core.exhibits.tour import compute
from bertflow_core.exhibits.tour.compute import compute_tour
from bertflow_core.exhibits.tour.lesson import CONTENTS, Content, Lesson, stored_for, stored_lesson
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.shipped import resource
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.fit_size import fit_size
from bertflow_core.studies.space.cone import stored_cone
from bertflow_core.wording import percent

OWN = ("the cat sat", "a dog runs", "the red mat")
UNKNOWN = "frequency"  # the tiny encoder knows too few words


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(EmbeddingStore(tmp_path_factory.mktemp("tour")), device="cpu")


@pytest.fixture(scope="module")
def recipe(recipe_of):
    return recipe_of(60)


@pytest.fixture(scope="module")
def lesson(recipe, lab):
    return compute_tour(recipe, lab, sentences=OWN)


def test_the_data_allow_every_chapter_but_that_of_words_and_a_flow_of_few_steps(lesson):
    for chapter, found in zip(CONTENTS, lesson.steps, strict=True):
        if isinstance(found, str):
            assert chapter.name in (UNKNOWN, "agreement")
            if chapter.name == "agreement":
                assert re.match(
                    r"it needs a trained flow\. flow: hardly trained \(\d+ steps?\)", found
                )
            continue
        assert 2 <= len(found.choices) == len(set(found.choices)) <= 8
        assert 0 <= found.right < len(found.choices)
        assert len(found.figure.data)
        assert re.search(r"\d", found.takeaway + found.explanation)
        assert "{" not in found.text + found.takeaway + found.explanation
        command = "ledger" if chapter.name == "negation" else f"analyse {chapter.study}"
        assert f"Made by: bertflow-lab {command}" in found.origin


@pytest.mark.parametrize("name", ["language", "coordinate", "first"])
def test_a_recorded_step_names_its_model_and_is_the_same_for_any_other(lesson, name):
    found, stored = lesson.told[name], stored_lesson().told[name]
    texts = [(each.text, each.takeaway, each.explanation, each.origin) for each in (found, stored)]
    assert texts[0] == texts[1]
    assert "SmolLM2" in found.text and "recorded" in found.text + found.explanation


@pytest.mark.parametrize("name", ["coordinate", "first"])
def test_the_bars_of_a_recorded_step_are_those_of_the_stored_lesson(lesson, name):
    (drawn,), (stored,) = (each.told[name].figure.data for each in (lesson, stored_lesson()))
    assert dict(zip(drawn.y, drawn.x, strict=True)) == dict(zip(stored.y, stored.x, strict=True))


def test_a_lesson_is_the_same_after_a_file(lesson):
    again = Lesson.from_dict(json.loads(json.dumps(lesson.to_dict())))
    assert (again.recipe, again.takeaways) == (lesson.recipe, lesson.takeaways)
    for before, after in zip(lesson.steps, again.steps, strict=True):
        if isinstance(before, str):
            assert after == before
            continue
        plain = [json.loads(json.dumps(each.to_dict())) for each in (before, after)]
        figures = [each.pop("figure")["data"] for each in plain]
        assert (plain[0], figures[0]) == (plain[1], figures[1])


def test_the_cosines_of_the_learners_sentences_are_told_and_marked(lesson, encode_tiny):
    cosines = cosine_similarity(encode_tiny(OWN)[2, 0])[np.triu_indices(3, 1)]
    told = re.findall(r"yours \d & \d: (-?[\d.]+) \(identity\)", lesson.told["words"].own)
    assert list(map(float, told)) == pytest.approx(cosines, abs=0.006)
    notes = [note.text for note in lesson.told["random"].figure.layout.annotations]
    assert sum(each.startswith("yours") for each in notes) == 3
    lines = lesson.told["random"].figure.layout.shapes
    assert [line.x0 for line in lines] == pytest.approx(sorted(cosines), abs=1e-4)
    assert "(flow)" in lesson.told["negation"].own


def test_each_fit_is_on_as_many_sentences_as_the_step_says(lesson, recipe, lab):
    rhos = [row["score"] for row in fit_size(recipe, lab, ["whiten"]).where(calibrator="whiten")]
    assert len({*rhos}) > 1
    told = ", ".join(map(percent, rhos))
    assert f"whiten: {told};" in lesson.told["few"].explanation


def skipped_of(lesson):
    found = zip(CONTENTS, lesson.steps, strict=True)
    return {chapter.name: step for chapter, step in found if isinstance(step, str)}


GRADED = {"words", "agreement", "few", "layer", "last"}


def test_single_ungraded_sentences_skip_the_steps_that_need_more(tiny_bert, tmp_path, lab):
    table = tmp_path / "sentences.csv"
    words = ("cat", "dog", "mat", "red", "blue", "green")
    table.write_text("sentence\n" + "".join(f"the {a} {b}\n" for a in words for b in words))
    recipe = tiny_recipe(tiny_bert, table, sentence1="sentence")
    lesson = compute_tour(recipe, lab, sentences=OWN[:2])
    skipped = skipped_of(lesson)
    assert set(skipped) == {UNKNOWN, "edits", *GRADED}
    assert all("gold scores" in skipped[name] for name in GRADED)
    assert "yours 1 & 2" in lesson.told["calibrators"].own


def test_few_sentences_skip_the_steps_that_need_more(recipe_of, lab, monkeypatch):
    """Sixteen sentences in sixteen dimensions are flat, and a rho of eight pairs is chance."""

    def ask(chapter, *_):
        raise InputError("asked")

    monkeypatch.setattr(compute, "ask", ask)
    skipped = skipped_of(compute_tour(recipe_of(8), lab))
    for name in ("calibrators", "holes"):
        assert skipped.pop(name).startswith("16 sentences in 16 dimensions: ")
    for name in ("agreement", "edits", "few", "layer", "last"):
        assert skipped.pop(name) == "With only 8 pairs, a rho is mostly chance."
    asked = {"words", "random", "cone", "frequency", "flow", "negation"}
    assert set(skipped) == {*asked, "language", "coordinate", "first"}
    assert set(skipped.values()) == {"asked"}


def test_the_stored_lesson_is_of_the_default_recipe_and_passes_nothing_over():
    lesson = stored_lesson()
    assert lesson.recipe == Recipe()
    assert all(isinstance(step, Content) for step in lesson.steps)
    assert {act: len(each) for act, each in lesson.takeaways.items()} == {1: 4, 2: 2, 3: 6, 4: 4}
    assert lesson.command == "bertflow-lab report --out lesson.html"
    assert stored_for(Recipe(calibrator="whiten")) is lesson
    assert stored_for(Recipe(seed=1)) is None


def test_no_step_shows_its_answer_before_it_is_revealed():
    for step in stored_lesson().steps:
        shown = step.text + step.question
        assert step.takeaway not in shown
        told, given = ({*re.findall(r"\d+\.\d\d", each)} for each in (step.takeaway, shown))
        assert not told & given
    tried = stored_lesson().told["last"].text.rpartition(": ")[2].rstrip(".").split(", ")
    assert tried == sorted(tried)  # not by what they score


def test_the_language_model_is_read_off_the_recorded_cone():
    step, cone = stored_lesson().told["language"], stored_cone("language-model-cone")
    inside = cone.row(layers="layer:15", calibrator="identity")["random_cosine"]
    assert f"cosine of {inside:.3f}." in step.takeaway
    assert step.choices[step.right] == f"About {round(inside, 1):g}"
    assert cone.command in step.origin
    assert "recorded" in step.text


def recorded_depth(layer):
    """Return the recorded measures of a layer, read without the package's own reader."""
    text = resource("results/depth.json").read_text(encoding="utf-8")
    return next(row for row in json.loads(text)["rows"] if row["layers"] == f"layer:{layer}")


def test_the_largest_coordinate_is_read_off_the_recorded_depth():
    step, row = stored_lesson().told["coordinate"], recorded_depth(6)
    largest = int(np.argmax(row["shares"]))
    assert f"coordinate {row['chosen'][largest]} alone makes" in step.takeaway
    assert f"{100 * max(row['shares']):.0f} % of the cosine" in step.takeaway
    assert step.choices[step.right] == "One of the 576 coordinates"
    (bars,) = step.figure.data
    shown = dict(zip(bars.y, bars.x, strict=True))
    assert sum(shown.values()) == pytest.approx(100, abs=0.3)  # six numbers with one decimal
    assert shown[f"coordinate {row['chosen'][1]}"] == pytest.approx(
        100 * row["shares"][1], abs=0.06
    )
    assert max(row["shares"][2:]) < 0.02  # so that two are the answer
    assert f"from {percent(row['rho'])} to {percent(row['rho_dropped'])}" in step.explanation
    assert step.origin.endswith("analyse depth --model smollm2 --layers layer:6")


def test_the_first_word_is_read_off_the_recorded_depth():
    step, row, earlier = stored_lesson().told["first"], recorded_depth(15), recorded_depth(6)
    with_, without = row["mean_cosine"], row["cosine_after_first"]
    assert f"is {with_:.3f}, without it {without:.2f}, and" in step.takeaway
    assert f"from {percent(row['rho'])} to {percent(row['rho_after_first'])}." in step.takeaway
    assert step.choices[step.right] == "The first word, whichever it is"
    (bars,) = step.figure.data
    assert bars.x[0] == pytest.approx(100 * row["first_part"], abs=0.06)
    assert sum(bars.x) == pytest.approx(100, abs=0.2)
    assert f"{row['first_norm']:.0f} times as long" in step.explanation
    # What the notes for the speaker say of both layers.
    assert row["rho_after_first"] > row["rho"]
    assert earlier["rho_after_first"] < earlier["rho"]


def test_its_longer_words_are_the_rare_ones(minilm):
    found = stored_lesson().told["frequency"]
    with safe_open(minilm / "model.safetensors", "numpy") as tensors:
        table = tensors.get_tensor("embeddings.word_embeddings.weight")
    names = (minilm / "vocab.txt").read_text(encoding="utf-8").splitlines()
    whole = [i for i, n in enumerate(names) if len(n) > 1 and not n.startswith(("##", "["))]
    norms = np.linalg.norm(table[whole].astype(np.float64), axis=1)
    frequent, rare = norms[:100].mean(), norms[5_000:10_000].mean()
    (y,) = (line.customdata for line in found.figure.data if line.name.startswith("identity"))
    assert (y[0], y[-1]) == pytest.approx((frequent, rare), rel=0.01)
    assert found.choices[found.right] == "It both rises and falls"
    assert f"{frequent:.2f} (ranks 1 to 100)" in found.takeaway


def test_its_numbers_are_those_of_the_cone_that_was_measured_apart():
    steps = stored_lesson().told
    cone = stored_cone()
    raw, flow = (cone.row(layers="layer:4", calibrator=spec) for spec in ("identity", "flow"))
    output = cone.row(layers="model", calibrator="identity")
    before, after = map(float, re.findall(r"\d\d\.\d\d", steps["agreement"].takeaway))
    assert before == pytest.approx(100 * raw["rho"], abs=0.01)
    assert after == pytest.approx(100 * flow["rho"], abs=1)  # a fit differs between machines
    assert f"from {percent(output['rho'])} to" in steps["last"].takeaway
    share = float(re.search(r"holds (\d+) %", steps["cone"].takeaway)[1])
    assert abs(share - 100 * raw["mean_length"] ** 2) < 2  # a sample of the sentences
    assert steps["agreement"].right == 0
    assert steps["last"].right == 1  # the best of them, standardize, changes next to nothing
    assert "standardize" in steps["last"].takeaway
