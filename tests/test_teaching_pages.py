"""The pages for teachers: their numbers are stored results, and their plan has every step."""

import json
import re
import tomllib

import pandas as pd
import pytest
from project_tree import ROOT

from bertflow_core.exhibits.site.questions import PAGE

TEACHING, RESULTS = ROOT / "docs" / "teaching", ROOT / "data" / "results"
PLAN, SOLUTIONS, WORKSHEET = (
    (TEACHING / f"{name}.md").read_text(encoding="utf-8")
    for name in ("README", "solutions", "worksheet")
)


def rows(name, **wanted):
    found = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return [row for row in found if all(row[key] == value for key, value in wanted.items())]


def one(name, **wanted):
    (row,) = rows(name, **wanted)
    return row


def hundred(*values):
    return [f"{100 * value:.1f}" for value in values]


def cells(first):
    (line,) = re.findall(rf"^\| {first} \|(.+)\|$", PLAN, flags=re.M)
    return [cell.strip() for cell in line.split("|")]


@pytest.mark.parametrize("layer", [6, 15, 30])
def test_the_table_has_the_stored_results_of_the_language_model(layer):
    depth = one("depth", layers=f"layer:{layer}")
    calibrated = (
        one("language-model", template=None, tokens="mean", layers=f"layer:{layer}", calibrator=c)
        for c in ("null-top-k:k=6", "whiten")
    )
    states = ("", "_centred", "_after_first", "_dropped")
    cosine, cause, *scores = cells(f"SmolLM2, {'output' if layer == 30 else f'layer {layer}'}")
    assert cosine == f"{depth['mean_cosine']:.2f}"
    assert scores == hundred(
        *(depth[f"rho{state}"] for state in states), *(row["score"] for row in calibrated)
    )
    by_first, by_two = depth["first_part"], depth["coordinates_part"]
    if cause == "the first token":
        assert by_first > 0.9
    elif cause == "two coordinates":
        assert depth["share_2"] > 0.9 and depth["rho_dropped"] > depth["rho_after_first"]
    else:
        assert cause == "neither alone" and max(by_first, by_two) < 0.6


def test_the_table_has_the_stored_results_of_the_encoder():
    found = {
        spec: one("models", model="minilm", spec=spec)
        for spec in ("identity", "null-top-k:k=0", "drop-coordinates:k=2", "whiten")
    }
    plain, mean, dropped, whitened = hundred(*(row["spearman"]["all"] for row in found.values()))
    (six,) = (row["after"] for row in rows("advice") if row.get("calibrator") == "null-top-k:k=6")
    assert cells("MiniLM, output") == [
        *(f"{found['identity']['random_cosine']:.2f}", "nothing", plain, mean),
        *("", dropped, *hundred(six), whitened),
    ]


def test_the_solutions_have_the_stored_numbers_of_the_language_model():
    sixth, middle = one("depth", layers="layer:6"), one("depth", layers="layer:15")
    plain, mean, first, dropped = hundred(
        *(sixth[f"rho{state}"] for state in ("", "_centred", "_after_first", "_dropped"))
    )
    text = " ".join(SOLUTIONS.split())
    assert f"falls from {plain} to {mean} without the mean, and rises to {dropped}" in text
    assert f"In layer 6 it falls from {plain} to {first}." in text
    assert f"one coordinate makes {100 * sixth['share_1']:.0f} % of the cosine" in text
    before, after = hundred(middle["rho"], middle["rho_after_first"])
    assert f"In layer 15 rho x 100 rises from {before} to {after} without the first token" in text
    assert f"is {middle['first_norm']:.0f} times as long" in text


def test_the_plan_has_every_step_of_the_tour_once_and_every_task_a_solution():
    tour = tomllib.loads(
        (ROOT / "bertflow_core/exhibits/tour/steps.toml").read_text(encoding="utf-8")
    )
    planned = re.findall(r"^\| \d+ to \d+ \| Steps (\d+) (and|to) (\d+):", PLAN, flags=re.M)
    steps = [n for first, _, last in planned for n in range(int(first), int(last) + 1)]
    assert steps == list(range(1, len(tour["step"]) + 1))
    times = re.findall(r"^\| (\d+) to (\d+) \|", PLAN, flags=re.M)
    assert [int(end) for _, end in times] == [*(int(start) for start, _ in times[1:]), 90]
    tasks, solved = (re.findall(r"^(\d+)\. ", text, flags=re.M) for text in (WORKSHEET, SOLUTIONS))
    assert tasks == solved == [str(n) for n in range(1, len(tasks) + 1)]


def test_the_share_of_right_answers_is_what_the_plan_s_lines_show(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers" / "anna").mkdir(parents=True)
    files = {
        "anna/answers.csv": "before,1,A,0\r\nafter,1,C,1\r\n",
        "answers.csv": "before,1,C,1\r\nafter,1,C,1\r\n",
    }
    for name, lines in files.items():
        (tmp_path / "answers" / name).write_text(f"when,question,answer,right\r\n{lines}")
    assert f"`{PAGE[0]}`" in PLAN
    (block,) = re.findall(r"^```python\n(.+?)^```$", PLAN, flags=re.M | re.S)
    with pd.option_context("display.width", 80):
        exec(block, {})
    assert capsys.readouterr().out.splitlines()[-1].split() == ["1", "0.5", "1.0"]
