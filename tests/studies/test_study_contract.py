"""What holds for every study: forms, recipes, command, figures, cancelling."""

import csv
import io
import json
import math
import re
import shlex
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tiny_models import save_tiny_model
from tiny_pairs import tiny_recipe, write_collection, write_pairs, write_stsb

from bertflow_core.cli import main
from bertflow_core.encoders import TransformerEncoder
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.exhibits.playground import build_playground
from bertflow_core.exhibits.site.run import make_site
from bertflow_core.exhibits.tour.compute import compute_tour
from bertflow_core.exhibits.training import LiveFit, watch_fit
from bertflow_core.exhibits.wall.recipe import WallRecipe
from bertflow_core.exhibits.wall.rows import build_wall
from bertflow_core.figures import alt_of
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import parameters_of
from bertflow_core.report.report import Form
from bertflow_core.runtime import context
from bertflow_core.studies import STUDIES, study_of
from bertflow_core.studies.reproduce.items import ITEMS

SMALL = {
    "evaluate tasks": {"seeds": 2},
    "layers": {"poolings": ("mean", "last")},
    "ledger": {"after": "null-top-k:k=2"},
    "lexical": {"n_draws": 100},
    **{f"reproduce {item}": {"item": item} for item in ITEMS},
    "tune": {"dataset": "stsb", "values": ("0", "2", "5")},
    "words": {"bins": (0, 5, 14), "k": (1, 3)},
}
"""Choices under which each study is quick."""

NAMES = [
    *(name for name in STUDIES if name != "reproduce"),
    "evaluate tasks",
    *(f"reproduce {each}" for each in ITEMS),
]
"""The studies, `evaluate` also on pairs and a collection; each table and figure of `reproduce`."""

CALIBRATORS = {"tune": ("null-top-k", "standardize+null-top-k")}
SEARCHED = {
    "retrieval": lambda folder: {"dataset": folder},
    "evaluate tasks": lambda folder: {"datasets": (f"{folder}/pairs.csv", folder)},
}
TIMES = {"seconds", "fit_seconds"}
UNGRADED = ("fit-size", "ledger", "size", "tune")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A recipe of random pairs for a random encoder, in a folder with documents and STS-B."""
    folder = tmp_path_factory.mktemp("pairs")
    write_collection(folder)
    np.save(folder / "x.npy", np.eye(4))
    (folder / "plain.csv").write_text("sentence1,sentence2\nthe cat,a dog\na mat,the dog\n")
    model = str(save_tiny_model(folder / "bert", "bert", max_position_embeddings=64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERTFLOW_DATA", str(write_stsb(folder, 60)))
        yield tiny_recipe(model, write_pairs(folder / "pairs.csv", 60), layers="layer:1")


def named(name):
    return study_of(name.split()[0])


def small_params(name, recipe, **changes):
    study = named(name)
    known = {**recipe.to_dict(), "models": (recipe.model,), "datasets": (recipe.dataset,)}
    own = {each.name for each in parameters_of(study.params)} - {*study.without}
    chosen = {key: known[key] for key in own & known.keys()} | SMALL.get(name, {})
    return study.params(**chosen | changes)


def measured(name, tiny):
    study, params = named(name), small_params(name, tiny)
    if name in SEARCHED:
        params = params.with_(**SEARCHED[name](str(Path(tiny.dataset).parent)))
    layers = ("layer:1", "last") if study.layers else ()
    specs = CALIBRATORS.get(name, ("identity", "null-top-k:k=2")) if study.calibrators else ()
    return study(params, Lab(device="cpu"), specs, layers)


@pytest.fixture(scope="module", params=NAMES)
def report(request, tiny):
    return measured(request.param, tiny)


def without_times(rows):
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def test_every_form_holds_every_row_and_json_is_read_again(report):
    document = json.loads(report.write("json"))
    assert len(document["rows"]) == len(report.rows) > 0
    again = study_of(report.name).read(document)
    assert (again.rows, again.command) == (document["rows"], document["command"])
    assert again.command == report.command
    assert again.params.columns() == report.params.columns()
    with pytest.raises(ValueError, match="not JSON compliant"):
        replace(report, facts={"undefined": math.nan}).write("json")
    shown = len(report.rows if report.text_table is None else report.text_table.rows)
    shown = min(shown, report.max_rows or shown)
    for form in (Form.TABLE, Form.MARKDOWN, Form.LATEX):
        assert len(report.write(form).splitlines()) > shown
    assert report._repr_html_().count("<tr>") > shown
    latex = report.write(Form.LATEX)
    assert len(set(re.findall(r"\\label{(.+)}", latex))) == latex.count(r"\end{table}") > 0
    assert report.remarks


def test_rows_carry_the_recipe(report):
    rows = list(csv.DictReader(io.StringIO(report.write("csv"))))
    recipe = report.params.columns()
    recipe.pop("recipe_calibrator", None)
    assert len(rows) == len(report.rows)
    for written, row in zip(rows, report.rows, strict=True):
        cells = recipe | {column.key: row.get(column.key) for column in report.table.shown}
        for key, value in cells.items():
            assert written[key].removeprefix("'") == ("" if value is None else str(value))
        assert "calibrator" not in row or written["calibrator"] == row["calibrator"]


def test_every_column_and_picture_says_what_it_shows(report):
    headers = [column.header for column in report.table.shown]
    assert len(headers) == len(set(headers)) >= 2
    assert all(each in report.table.shown for each in report.columns)
    for name, figure in report.figures().items():
        assert len(alt_of(figure).split()) >= 4, name
        assert figure.data


def test_the_printed_command_gives_the_same_rows(report, capsys):
    program, *words = shlex.split(report.command)
    assert program == "bertflow-lab"
    with pytest.raises(SystemExit) as left:
        main([*words, "--device", "cpu", "--format", "json"])
    out, err = capsys.readouterr()
    assert left.value.code == 0, err
    expected = json.loads(report.write("json"))
    found = json.loads(out)
    assert without_times(found["rows"]) == without_times(expected["rows"])
    assert found["command"] == report.command


TOP, FLOW = ("null-top-k",), ("flow",)
WHOLE = {"layers": Recipe().layers, "max_length": Recipe().max_length}
REFUSED = [  # a study, changes of its recipe, calibrators, layer sets, and words of the sentence
    *((name, {"dataset": "plain.csv"}, (), (), "has no gold scores") for name in UNGRADED),
    *(("advice", {}, (spec,), (), spec) for spec in ("identity", "whitten")),
    ("depth", {}, (), ("model",), "needs single layers"),
    ("depth", {}, (), ("last2",), "single ones"),
    ("depth", {}, (), ("layer:9",), "layer:9"),
    ("depth", {"left_out": "attention"}, (), (), "first-mlp:k"),
    ("depth", {"model": "vectors:x.npy", **WHOLE}, (), (), "without a network"),
    ("evaluate", {"datasets": ()}, (), (), "at least one of datasets"),
    ("evaluate", {"models": ("a", "b"), "revision": "main"}, (), (), "a single --model"),
    ("evaluate", {"poolings": ("meen",)}, (), (), "meen"),
    ("evaluate", {"similarities": ("dot", "dott")}, (), (), "dott"),
    ("evaluate", {"templates": ("no slot",)}, (), (), "no slot"),
    ("evaluate", {"baseline": "minilm last"}, (), (), "no row is called 'minilm last'"),
    ("layers", {"templates": ("no place",)}, (), (), "{text}"),
    ("layers", {"templates": ()}, (), (), "at least one template"),
    ("layers", {"poolings": ("sum",)}, (), (), "sum"),
    ("layers", {}, (), ("model",), "leave it out"),
    ("layers", {"poolings": ("last",), "templates": ("a {text}",)}, (), ("layer:9",), "layers 0"),
    ("thresholds", {"rate": 0.0}, (), (), "rate must lie between 0 and 1, got 0"),
    ("thresholds", {"cosine": 0.5, "n_pairs": 3}, (), (), "one way of setting the threshold"),
    ("thresholds", {"known": "plain.csv"}, (), (), "holds no thresholds"),
    ("tune", {"values": (), "parameters": ("k",)}, FLOW, (), "no parameter 'k'"),
    ("tune", {"values": (), "parameters": ("k", "lrr")}, TOP + FLOW, (), "no parameter 'lrr'"),
    ("tune", {"values": ("1", "0"), "parameters": ("depth",)}, FLOW, (), "depth must be"),
    ("tune", {"values": ("1",)}, (*TOP, "whiten"), (), "of one parameter"),
    ("tune", {"values": ()}, ("standardize",), (), "no parameter"),
    ("tune", {"values": ()}, ("identity",), (), "nothing to tune"),
]


@pytest.mark.parametrize(("name", "changes", "specs", "layers", "words"), REFUSED)
def test_what_a_study_cannot_do_is_one_sentence_before_it_embeds(
    name, changes, specs, layers, words, tiny, monkeypatch
):
    def refuse(*_, **__):
        pytest.fail("sentences were embedded before the fault was seen")

    monkeypatch.setattr(TransformerEncoder, "encode_blocks", refuse)
    monkeypatch.chdir(Path(tiny.dataset).parent)
    with pytest.raises(InputError) as refused:
        study_of(name)(small_params(name, tiny, **changes), Lab(device="cpu"), specs, layers)
    said = str(refused.value)
    assert words in said and "\n" not in said


BESIDE = {
    "playground": lambda recipe, lab: build_playground(recipe, lab, ("identity", "whiten")),
    "site": make_site,
    "tour": compute_tour,
    "training": lambda recipe, lab: watch_fit(recipe, lab, LiveFit(1)),
    "wall": lambda recipe, lab: build_wall(WallRecipe(base=recipe), lab),
}
"""Long work that is not declared as a study."""


@pytest.mark.parametrize("name", [*NAMES, *BESIDE])
def test_cancelling_stops_at_the_next_step(name, tiny):
    heard = []

    def stop(*step):
        heard.append(step)
        raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(stop):
        BESIDE[name](tiny, Lab(device="cpu")) if name in BESIDE else measured(name, tiny)
    assert len(heard) == 1


X = np.random.default_rng(0).normal(size=(2, 24, 6)).astype(np.float32) + 1
ONE_EACH = np.repeat(X[:, :1], 24, axis=1)
DEGENERATE = {
    "one row": X[:, :1],
    "two rows": X[:, :2],
    "equal rows": ONE_EACH[[0, 0]],
    "equal on each side": ONE_EACH,
    "a constant column": np.where(np.arange(6) == 2, 7.5, X),
    "tiny": 1e-30 * X,
    "huge": 1e30 * X,
    "opposite": np.stack([X[0], -X[0]]),
}


@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")  # huge values overflow float16
@pytest.mark.parametrize("kind", DEGENERATE)
def test_what_degenerate_vectors_leave_undefined_is_null_or_refused(kind, tmp_path):
    files = [str(tmp_path / name) for name in ("a.npy", "b.npy")]
    for file, x in zip(files, DEGENERATE[kind], strict=True):
        np.save(file, x)
    table, gold = tmp_path / "gold.csv", np.arange(len(x)) % 5
    pd.DataFrame({"score": gold}).to_csv(table, index=False)
    recipe = Recipe(model=f"vectors:{','.join(files)}", dataset=str(table))
    answered = set()
    for name in ("advice", "cone", "evaluate", "sentences", "size"):
        with suppress(InputError):
            specs = ("identity", "standardize")
            report = study_of(name)(small_params(name, recipe), Lab(device="cpu"), specs)
            text = report.write("json") + report.write("table")
            assert not re.search(r"\b(NaN|nan|Infinity|inf)\b", text), name
            assert name != "size" or report.figures()
            answered.add(name)
    assert "sentences" in answered
    assert "size" in answered or kind in ("one row", "equal rows", "huge")
