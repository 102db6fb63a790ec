"""Compare, Scores, Which pairs?, the sliders and Export, on the teaching pairs."""

import io
import json
import re
import threading
import zipfile

import numpy as np
import pytest
from app_pages import (
    at_address,
    button,
    check,
    command_of,
    endless,
    finish,
    jobs,
    linked_pages,
    open_page,
    pick_row,
    press,
    table,
    texts,
)
from bertflow_app import uploads
from bertflow_app.pages.compare import sliders
from bertflow_app.pages.take import export as export_page
from bertflow_app.work.registry import registry
from waiting import PATIENCE, wait_for

from bertflow_core.calibrators.spec import DEFAULT_SPECS, offered_specs
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.export import run
from bertflow_core.export.check import compare_export
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.report import Report
from bertflow_core.runtime import context
from bertflow_core.studies.advice.study import AdviceRecipe, advice, answers_of, stored_advice
from bertflow_core.studies.thresholds import ThresholdRecipe, thresholds

SPECS = ["null-top-k:k=1", "standardize"]
SLIDERS = "Sliders of the flow"


def pressed(page, label, *, pictures):
    """Press a button; each control and picture must explain itself."""
    check(page)
    page = press(page, label)
    check(page, pictures=pictures)
    return page


def test_another_aggregation_gives_what_evaluate_gives_and_needs_no_new_fit(monkeypatch):
    page = pressed(open_page("scores", calibrators=SPECS), "Score", pictures=1)
    monkeypatch.setattr(Embedded, "under", None)  # every fit is kept
    switched = press(open_page("scores", aggregation="mean", calibrators=SPECS), "Score")
    monkeypatch.undo()
    assert "aggregation mean" in texts(switched)
    for shown, aggregation in ((page, "all"), (switched, "mean")):
        recipe = Recipe(dataset="teaching", aggregation=aggregation)
        results = Lab().evaluate([recipe.plain, *recipe.each(calibrators=["identity", *SPECS])])
        scores = table(shown, "letters")["score"]
        assert list(scores) == pytest.approx([100 * result.rho for result in results])


def test_several_data_sets_stand_side_by_side_and_a_number_is_taken_apart(few):
    asked = {"calibrators": "standardize", "dataset": few, "more_data": "teaching"}
    page = pressed(open_page("scores", **asked), "Score", pictures=2)
    wide = table(page, "row")
    assert {"few.csv", "teaching"} < {*wide}
    page.selectbox(key="behind_data").set_value("teaching").run()
    pick_row(page, len(wide) - 1)
    assert {"many-different", "few-same"} < {*table(page, "Subset")["Subset"]}
    assert wide["teaching"].iloc[-1].split()[0] == table(page, "Seed")["all"][0]


def test_differences_come_with_intervals_letters_and_their_number():
    page = pressed(open_page("scores", calibrators=SPECS), "Score", pictures=3)
    tested = table(page, "letters")
    assert len(tested) == 2 + len(SPECS)
    n = len(SPECS)
    assert f"{n} from the uncalibrated vectors, {n + 1} from the plain output" in texts(page)
    for _, row in tested.iterrows():  # an interval is in the unit of the number beside it
        low, high = map(float, row["score: 95 %"].split(" to "))
        assert low - 0.01 <= row["score"] <= high + 0.01


def test_the_ledger_adds_up():
    page = open_page("ledger")
    page.selectbox(key="ledger_after").set_value("null-top-k:k=1").run()
    page = pressed(page, "Account for every pair", pictures=3)
    numbers = re.search(r"from ([\d.]+) to ([\d.]+) \(([-+][\d.]+)", texts(page)).groups()
    before, after, gain = map(float, numbers)
    assert after - before == pytest.approx(gain, abs=0.011)
    assert (table(page, "improved")["improved"] > 0).all()


def test_a_curve_has_every_value_and_chooses_none_without_dev():
    page = open_page("tune", tune_parameter="k of null-top-k")
    page = pressed(page, "Draw the curve", pictures=3)
    assert "no dev split" in texts(page)
    assert "Dev chooses" not in texts(page)
    assert list(table(page, "value")["value"]) == list(range(32))  # of 32 features
    page = press(page, "Describe the directions")
    page.slider(key="direction").set_value(2).run()
    assert not page.exception
    assert "Direction 2 has" in texts(page)

    page.selectbox(key="tune_parameter").set_value("n_levels of flow").run()
    press(page, "Draw the curve")
    assert list(table(page, "value")["value"]) == [1, 2, 3, 4]


def test_a_turn_of_a_slider_fits_the_flow_anew():
    recipe = Recipe(dataset="teaching", layers="last", tokens="cls", seed=3)
    page = open_page("tune", tune_shown=SLIDERS, layers="last", tokens="cls", seed="3")
    assert not page.metric
    specs = {"turn_depth": (5, "flow:depth=5"), "turn_epochs": (3, "flow:epochs=3,depth=5")}
    for key, (value, spec) in specs.items():
        page.select_slider(key=key).set_value(value).run()
        finish(page)
        (result,) = Lab().evaluate([recipe.with_(calibrator=spec)])
        shown = {each.label: (each.value, each.delta) for each in page.metric}
        plain = Lab().evaluate([recipe.with_(calibrator="identity")])[0]
        change = f"{round(100 * result.rho, 2) - round(100 * plain.rho, 2):+.2f}"
        assert shown["rho x 100, test"] == (f"{100 * result.rho:.2f}", change)
        assert shown["Random cosine"][0] == f"{result.random_cosine:.3f}"
    assert "Fit this flow" not in [each.label for each in page.button]
    assert linked_pages(page)["scores"]["calibrators"][-1] == spec
    for name, query in linked_pages(page).items():  # as a copied link opens it
        linked = open_page(name, **query)
        assert linked.session_state["recipe"] == recipe
        boxes = {box.key: box.value for box in (*linked.multiselect, *linked.selectbox)}
        box, chosen = {
            "export": ("take", spec),
            "scores": ("calibrators", [*DEFAULT_SPECS, spec]),
        }[name]
        assert boxes[box] == chosen


def test_a_picked_row_opens_its_space_its_pairs_and_its_export():
    page = press(open_page("scores", calibrators=SPECS), "Score")
    shown = table(page, "letters")
    assert [*shown["vectors"]] == ["plain output", *["layer:4"] * 3]
    first = linked_pages(page)["export"]  # nothing gains
    assert (first["layers"], first["take"]) == (["model"], ["identity"])
    links = linked_pages(pick_row(page, 3))
    layer = Recipe(dataset="teaching", layers="layer:4")
    boxes = {"wall": "wall_calibrators", "ledger": "ledger_after", "export": "take"}
    for view, box in boxes.items():
        assert links[view][box] == ["standardize"]
        linked = open_page(view, **links[view])
        assert linked.session_state["recipe"] == layer
        held = linked.session_state[box]
        assert ([held] if isinstance(held, str) else held) == ["standardize"]
    plain = linked_pages(pick_row(page, 0))
    assert plain["export"]["layers"] == ["model"] and plain["export"]["take"] == ["identity"]
    assert "ledger_after" not in plain["ledger"]  # the page compares with the flow


def test_an_embedding_that_failed_or_was_stopped_is_not_begun_again_by_itself(monkeypatch):
    calls = []

    def fail(*_, **__):
        calls.append("fail")
        raise ResourceError("the disk is full")

    monkeypatch.setattr(Lab, "evaluate", fail)
    page = open_page("tune", tune_shown=SLIDERS, turn_depth="5", seed="11")
    for _ in range(2):
        finish(page).run()
    assert calls == ["fail"]
    assert "the disk is full" in texts(page)

    def hold(*_, **__):
        calls.append("hold")
        endless()

    monkeypatch.setattr(Lab, "evaluate", hold)
    page = open_page("tune", tune_shown=SLIDERS, turn_depth="5", seed="12")
    wait_for(lambda: "hold" in calls)
    button(page, "Stop").click().run()
    page.run()
    assert not any(each.is_wanted for each in jobs())
    assert calls == ["fail", "hold"]


def test_a_turn_takes_the_place_of_the_one_before_and_can_be_turned_back(monkeypatch):
    page = open_page("tune", tune_shown=SLIDERS, seed="13")
    finish(button(page, "Fit this flow").click().run())
    real = Embedded.under

    def held(embedded, spec, **others):
        if spec == "flow:depth=5":
            endless()
        return real(embedded, spec, **others)

    other = threading.Event()
    with monkeypatch.context() as patched:
        patched.setattr(Embedded, "under", held)
        page.select_slider(key="turn_depth").set_value(5).run()
        # beside a fit, one more computation of this visitor is all that the server takes
        (turned,) = [job for job in jobs() if job.is_live]
        (visitor,) = turned._watchers
        registry().submit("other", lambda: other.wait(PATIENCE), visitor)
        page.select_slider(key="turn_depth").set_value(8).run()
        assert "of yours" not in texts(page)
        other.set()
        finish(page)
        assert page.metric
    page.select_slider(key="turn_depth").set_value(5).run()
    finish(page)
    assert "Stopped" not in texts(page)
    assert page.metric


def test_while_a_flow_is_fitted_numbers_are_gone_and_a_stop_brings_them_back_by_name(monkeypatch):
    page = open_page("tune", tune_shown=SLIDERS, seed="14", turn_depth="8")
    finish(page)
    before, end = [each.value for each in page.metric], threading.Event()

    def held(*_, **__):
        end.wait(PATIENCE)
        context.report(0, 1, "steps")

    def look(_):
        raise InputError("as it is seen before the time of grace is over")

    with monkeypatch.context() as patched:
        patched.setattr(Embedded, "under", held)
        with patched.context() as at_first:
            at_first.setattr(sliders, "follow", lambda job: job.result is not None or look(job))
            page.select_slider(key="turn_depth").set_value(5).run()
        assert "Fitting `flow:depth=5`; the picture still shows the previous settings" in texts(
            page
        )
        assert [each.value for each in page.metric] == ["…"] * 3
        page.run()
        assert not page.metric and not linked_pages(page) and not page.get("plotly_chart")
        button(page, "Stop").click().run()
        assert button(page, "Fit this flow")  # although the work has not noticed yet
        end.set()
        wait_for(lambda: not any(each.is_live for each in jobs()))
        page.run()
    assert "Stopped. Press the button to start it again." in texts(page)
    assert "The last flow fitted: `flow:depth=8`" in texts(page)
    assert [each.value for each in page.metric] == before
    assert linked_pages(page)["scores"]["calibrators"][-1] == "flow:depth=8"
    finish(button(page, "Fit this flow").click().run())
    assert "Fitted: `flow:depth=5`" in texts(page)


@pytest.fixture
def few():
    lines = [f"a cat {i},a dog {i % 7},{i % 6}" for i in range(24)]
    return uploads.add("few.csv", "\n".join(["sentence1,sentence2,score", *lines]).encode())


def test_the_layers_of_a_model_are_those_that_were_asked_for(few):
    asked = {"layer_calibrators": "standardize", "layer_poolings": ["mean", "last"]}
    page = open_page("layers", dataset=few, **asked)
    page = pressed(page, "Map the layers", pictures=3)
    shown = table(page, "tokens")
    assert set(shown["tokens"]) == {"mean", "last"}
    assert set(shown["calibrator"]) == {"identity", "standardize"}
    page.radio(key="layer_picture").set_value(page.radio(key="layer_picture").options[-1]).run()
    check(page, pictures=3)
    two = open_page("layers", dataset=few, layer_templates=["{text}", "a {text}"], **asked)
    shown = table(press(two, "Map the layers"), "tokens")
    assert set(shown["template"].dropna()) - {""} == {"a {text}"}
    wrong = open_page("layers", dataset=few, layer_templates="no place")
    assert "{text} exactly once" in texts(wrong)


def test_the_check_shows_the_answers_of_the_study_and_their_evidence():
    page = open_page("check", calibrators="standardize", layers="model")
    pressed(page, "Check", pictures=6)
    reports = [job.result for job in jobs() if isinstance(job.result, Report)]
    report = next(each for each in reports if each.command == command_of(page))
    asked = AdviceRecipe(dataset="teaching", layers="model")
    alone = advice(asked, Lab(), ["standardize"])
    assert answers_of(report) == answers_of(alone)
    shown = [each.value for each in page.text]
    assert all(each["text"] in shown for each in answers_of(alone))
    assert {"models", "gains", "threshold", "places"} <= set(report.pictures())
    assert command_of(page).startswith("bertflow-lab analyse advice")
    assert "measurements on minilm alone" in texts(page)


def test_the_check_of_the_example_is_answered_at_once():
    before = len(jobs())
    page = open_page("check", dataset="captions", layers="model")
    check(page, pictures=6)
    shown = [each.value for each in page.text]
    assert all(each["text"] in shown for each in answers_of(stored_advice()))
    assert len(jobs()) == before and "Check" not in [each.label for each in page.button]
    page = open_page("check", dataset="captions", layers="model", seed="1")
    assert answers_of(stored_advice())[0]["text"] not in texts(page)
    assert button(page, "Check")


def test_a_fit_on_too_few_sentences_is_not_shown_and_a_larger_corpus_is_one_press_away(few):
    page = finish(open_page("check", dataset=few, layers="model", calibrators=["flow"]))
    reports = [job.result for job in jobs() if isinstance(job.result, Report)]
    report = next(each for each in reports if each.command == command_of(page))
    assert report.facts["unfitted"] == ["flow"] and "gains" not in report.pictures()
    button(page, "Fit on the captions").click().run()
    assert page.session_state["fit_on"] == "captions"


READER = """
import numpy as np
class SentenceTransformer:
    def __init__(self, folder, **_):
        self.folder = folder
    def encode(self, sentences, **_):
        x = np.load(self.folder + "/expected.npy")
        assert len(x) == len(sentences)
        return x
"""
"""In place of sentence-transformers, whose import takes seconds; tests/export has the real one."""


def compared_here(folder, sentences, expected, sides):
    """Compare the export in a new process that reads the expected vectors."""
    np.save(folder / "expected.npy", expected)
    return compare_export(folder, sentences, expected, sides)


@pytest.mark.usefixtures("fresh_server")
def test_a_model_is_offered_once_it_was_asked_for_twice_and_is_ours(files, monkeypatch, tmp_path):
    pack = "Model with standardize and its threshold"
    page = press(open_page("export", take="standardize"), "Fit it")
    recipe = Recipe(dataset="teaching")
    specs = ["identity", "standardize"]
    plain, *scored = Lab().evaluate([recipe.plain, *recipe.each(calibrators=specs)])
    shown = [f"{100 * each.rho:.2f}" for each in (plain, *scored)]
    assert list(table(page, "Random cosine")["rho x 100"]) == shown
    assert {*page.selectbox(key="take").options} <= {*offered_specs()}
    assert f"The export would score {shown[-1]}" in page.warning[0].value
    assert not any("its threshold" in each.label for each in page.button)
    page.toggle(key="take_anyway").set_value(True).run()
    fit, profile, export = command_of(page).splitlines()
    assert fit == (
        "bertflow-lab fit --dataset teaching --layers layer:4 --out calibrator "
        "--calibrator standardize"
    )
    assert profile.startswith("bertflow-lab analyse thresholds --dataset teaching --layers layer:4")
    options = "--out model --anyway --threshold profile.json"
    assert export == f"bertflow-lab export calibrator {options}"
    with monkeypatch.context() as patched:
        patched.setattr(export_page, "MOST_BYTES", 1000)
        assert "packs at most" in texts(press(page, pack))
    assert "model.zip" not in files
    (tmp_path / "sentence_transformers.py").write_text(READER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(run, "compare_export", compared_here)
    page = press(page, pack)
    assert "the smallest cosine to our own vectors is 1.00000000" in texts(page)  # of a new process
    assert button(page, pack).proto.help
    with zipfile.ZipFile(io.BytesIO(files["model.zip"]())) as archive:
        assert archive.testzip() is None
        parts = {"modules.json", "model.safetensors", "2_Dense/model.safetensors"}
        assert {f"model/{part}" for part in parts} <= {*archive.namelist()}
        card = archive.read("model/README.md").decode()
        entry = json.loads(archive.read("model/threshold.json"))
    asked = ThresholdRecipe(**recipe.to_dict())
    row = thresholds(asked, Lab(), ["standardize"]).where(sentences="scored")[-1]
    assert entry["threshold"] == row["threshold"]
    assert entry["scored"] == {key: row[key] for key in ("precision", "recall")}
    assert "`standardize`" in card and "teaching" in card


def test_a_small_data_set_can_be_fitted_on_a_larger_one_as_its_remark_says():
    offered = at_address("scores", dataset="teaching").selectbox(key="fit_on").options
    assert "captions" in offered
    assert not {"teaching", "questions"} & {*offered}  # the target itself, and a collection
