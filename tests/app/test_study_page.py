"""The plain page that every study has, also the new one that CONTRIBUTING.md writes."""

import csv
import io
import json
import re
import sys
from types import ModuleType

import numpy as np
import pytest
from app_pages import at_address, button, check, command_of, jobs, open_page, press, texts
from bertflow_app import navigation
from project_tree import ROOT

from bertflow_core.cli import main
from bertflow_core.cli.tree import ANALYSES
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies import STUDIES, study_of
from bertflow_core.studies.thresholds import ThresholdRecipe

PRESSED = {"thresholds": {}, "tune": {"calibrators": "null-top-k", "values": "0,2"}}
"""The studies whose page is used here, and what each is asked; tests/studies has all reports."""


def study_tab(monkeypatch, name, **query):
    """Return the plain page of a study, as the only tab of a page."""
    tab = navigation.Page("Page", "science", {name: "Tab"})
    monkeypatch.setattr(navigation, "PAGES", {**navigation.PAGES, "one": tab})
    monkeypatch.setattr(navigation, "PLAIN", {name: {"Tab": name}})
    page = at_address("one", **query)
    assert not page.exception
    return page


@pytest.mark.parametrize("name", sorted(STUDIES.keys() - {"evaluate", "advice"}))
def test_the_page_of_a_study_shows_its_choices_and_all_of_its_report(name, monkeypatch):
    page = study_tab(monkeypatch, name, **{"calibrators": "standardize", **PRESSED.get(name, {})})
    study = study_of(name)
    assert STUDIES[name][1] in texts(page)
    has_box = any(box.key == "similarity" for box in page.selectbox)
    assert has_box == (issubclass(study.params, Recipe) and "similarity" not in study.without)
    assert button(page, "Measure")
    assert not any(job.is_live for job in jobs())
    if name in PRESSED:
        page = press(page, "Measure")
        assert command_of(page).startswith(f"{study.command} ")
        shown = {each.label for each in page.get("download_button")}
        assert {"CSV", "Markdown", "JSON"} <= shown
    if name == "thresholds":
        rate = page.number_input(key="rate")  # which shows a rate of 0.001 as it is
        assert (rate.proto.format, rate.value, rate.min) == ("%g", None, 0)
    check(page, pictures=2 if name in PRESSED else 0)


def test_the_threshold_of_the_chosen_vectors_stands_in_its_rule():
    page = press(open_page("thresholds", dataset="teaching", calibrators="standardize"), "Measure")
    check(page, pictures=2)

    def shown():
        python, typescript, entry = (
            each.value for each in page.code if each.language in ("python", "typescript", "json")
        )
        stated = [re.search(r"THRESHOLD = (-?[\d.]+)", code)[1] for code in (python, typescript)]
        entry = json.loads(entry)
        assert [*map(float, stated)] == [entry["threshold"]] * 2
        return entry

    first = shown()
    page.selectbox(key="rule").select_index(len(page.selectbox(key="rule").options) - 1).run()
    last = shown()
    for entry, spec in ((first, "identity"), (last, "standardize")):
        recipe = ThresholdRecipe(dataset="teaching", layers=entry["layers"])
        row = study_of("thresholds")(recipe, Lab(), [spec]).where(sentences="scored")[-1]
        assert (entry["calibrator"], entry["threshold"]) == (spec, row["threshold"])
    assert first["threshold"] != last["threshold"]


def test_a_new_study_is_short_and_its_command_its_forms_and_its_page_follow(
    monkeypatch, capsys, tmp_path
):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len(code.splitlines()) <= 60
    module = ModuleType("bertflow_core.studies.norms")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for known in (STUDIES, ANALYSES):
        monkeypatch.setitem(known, "norms", ("norms:norms", "Measure norms."))
    exec(compile(code, "norms.py", "exec"), module.__dict__)
    words = "analyse norms --dataset teaching --order 1 --calibrator identity".split()

    def run(*more):
        with pytest.raises(SystemExit) as left:
            main([*words, *more])
        out, err = capsys.readouterr()
        assert left.value.code == 0, err
        return out

    (space,) = Lab().evaluate([Recipe(dataset="teaching")])
    x = np.concatenate(space.z)
    expected = np.abs(x).sum(axis=1)
    (row,) = json.loads(run("--format", "json"))["rows"]
    assert row["norm"] == pytest.approx(expected.mean(), rel=1e-5)
    assert row["spread"] == pytest.approx(expected.std() / expected.mean(), rel=1e-4)
    folder = tmp_path / "figures"
    (line,) = csv.DictReader(io.StringIO(run("--format", "csv", "--figures", str(folder))))
    assert (float(line["norm"]), line["recipe_order"]) == (row["norm"], "1.0")
    assert (folder / "spread.html").is_file()
    assert f"{100 * row['spread']:.1f}" in run("--format", "markdown")

    page = press(study_tab(monkeypatch, "norms", calibrators="standardize"), "Measure")
    check(page, pictures=2)
    assert command_of(page).startswith("bertflow-lab analyse norms ")
