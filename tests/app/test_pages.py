"""Each page without a browser: what it shows before, during and after the work."""

import html
import json

import numpy as np
import pytest
from app_pages import (
    button,
    calibrate,
    check,
    clear_server,
    command_of,
    finish,
    go,
    jobs,
    new_page,
    table,
    texts,
    use_table,
)
from bertflow_app import services

from bertflow_core.datasets import load_dataset
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.space.cone import cone_figure
from bertflow_core.wording import p_text

NEEDS_MINILM = True
"""Whose numbers the start page has stored."""


@pytest.fixture
def app(fresh_server):
    return new_page(dataset="teaching", layers="layer:4")


def test_the_table_shows_the_numbers_of_the_core_with_their_recipe(app, files):
    report = calibrate(app, "standardize", "null-top-k:k=6")
    check(app, controls=16, pictures=4)
    shown = app.dataframe[0].value
    assert list(shown["vectors"]) == ["plain output", *["layer:4"] * 3]
    assert list(shown["calibrator"]) == ["identity", "identity", "standardize", "null-top-k:k=6"]
    recipe, specs = Recipe(dataset="teaching"), ["identity", "standardize", "null-top-k:k=6"]
    results = Lab().evaluate([recipe.plain, *recipe.each(calibrators=specs)])
    rhos = [each.rho for each in results]
    assert list(shown["score"]) == pytest.approx([100 * rho for rho in rhos])
    assert shown["to_plain"][2] == pytest.approx(100 * report.rows[2]["to_plain"])
    assert shown["to_plain_p_holm"][2] == p_text(report.rows[2]["to_plain_p_holm"])
    assert f"against {100 * rhos[0]:.2f}" in texts(app)
    assert "370 pairs." in texts(app) and "0 of 740" in texts(app)
    command = (
        "bertflow-lab evaluate --dataset teaching --layers layer:4 "
        "--calibrator standardize --calibrator null-top-k:k=6"
    )
    assert command_of(app) == command
    figures = {name: make() for name, make in files.items() if name.endswith(".html")}
    assert set(figures) == {"scores.html"}
    for text in map(html.unescape, figures.values()):
        assert command in text and "370 pairs" in text
    (bars,) = app.get("plotly_chart")
    assert "layer:4 standardize" in bars.proto.spec


def test_the_start_page_tells_the_story_without_computing(app, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("computed without being asked")

    monkeypatch.setattr(Lab, "embedded", refuse)
    app.run()
    check(app, controls=9, pictures=3)
    spheres, _ = app.get("bidi_component")  # the other is the style of all pages
    cone, raw = services.shipped("cone"), services.shipped("language-model-cone")
    sent = json.loads(spheres.proto.json)
    assert sent["pairs"] == cone.facts["pairs"] == raw.facts["pairs"]
    shown = [(raw, "identity"), (raw, "flow"), (cone, "identity")]
    for panel, (report, spec) in zip(sent["panels"], shown, strict=True):
        row = report.row(layers="model", calibrator=spec)
        assert panel["pair_angles"] == row["pair_angles"]
        _, points, arrow = cone_figure(cone.facts["pairs"], [row]).data
        assert (panel["x"], panel["y"]) == (list(points.x), list(points.y))
        assert [6 if near else 4 for near in panel["near"]] == list(points.marker.size)
        assert panel["top"] == arrow.y[1] == row["mean_length"] * np.cos(np.radians(18))


def test_the_start_page_says_what_calibration_does_to_each_of_its_vectors(app):
    vectors = (("language-model-cone", "model"), ("cone", "layer:4"), ("cone", "model"))
    rows = [
        services.shipped(name).row(layers=layers, calibrator=spec)
        for name, layers in vectors
        for spec in ("identity", "flow")
    ]
    raw, opened, middle, helped, output, spoilt = (row["rho"] for row in rows)
    assert raw < opened < output > spoilt and middle < helped
    cosines = [row["random_cosine"] for row in rows]
    assert cosines[0] > 0.8 > 0.1 > max(cosines[1], *cosines[3:])
    said = " ".join(each.value for each in app.run().markdown)
    shown = [f"{100 * row['rho']:.2f}" for row in rows]
    assert all(text in said for text in shown)
    bars = json.loads(app.get("plotly_chart")[0].proto.spec)["data"][0]
    assert bars["text"] == shown
    scored = {
        (each.recipe.model, each.recipe.layers, each.spec): f"{100 * each.rho:.2f}"
        for name in ("models", "captions")
        for each in services.tracked_results(name)
    }
    rows = (("smollm2", "model"), ("minilm", "layer:4"), ("minilm", "model"))
    assert shown == [scored[*row, spec] for row in rows for spec in ("identity", "flow")]
    output, plain, *fitted = services.tracked_results("teaching")
    assert f"rho of the plain output is {100 * output.rho:.2f}; " in said
    assert f"that of layer:4 is {100 * plain.rho:.2f}" in said
    rho = {each.spec: 100 * each.rho for each in fitted}
    assert max(rho.values()) < 100 * plain.rho + 2
    corners = np.array(load_dataset("teaching").subsets)
    mean = {name: plain.similarity[corners == name].mean() for name in set(corners)}
    assert mean["many-different"] > mean["few-same"]
    low, high = min(rho, key=rho.get), max(rho, key=rho.get)
    ends = f"between {rho[low]:.2f} (`{low}`) and {rho[high]:.2f} (`{high}`)."
    assert ends in said


@pytest.mark.gate
def test_the_stored_numbers_of_the_start_page_are_recomputed_by_its_button(app):
    app.run()
    button(app, "Recompute the encoder's numbers").click().run()
    finish(app)
    (job,) = jobs()
    stored = services.shipped("cone")
    assert job.result.params == stored.params
    assert [[*pair[:2]] for pair in job.result.facts["pairs"]] == [
        pair[:2] for pair in stored.facts["pairs"]
    ]
    for now, then in zip(job.result.rows, stored.rows, strict=True):
        assert (now["layers"], now["calibrator"]) == (then["layers"], then["calibrator"])
        assert now["rho"] == pytest.approx(then["rho"], abs=5e-3)
        if now["calibrator"] != "flow":
            np.testing.assert_allclose(now["angles"], then["angles"], atol=0.5)
    shown = table(app, "random_cosine")
    assert list(shown["rho"]) == pytest.approx([100 * row["rho"] for row in job.result.rows])
    off = max(
        abs(round(100 * now["rho"], 2) - round(100 * then["rho"], 2))
        for now, then in zip(job.result.rows, stored.rows, strict=True)
    )
    assert f"from the stored rho x 100: {off:.2f}." in texts(app)


def test_an_address_of_an_upload_that_is_gone_says_so(app):
    use_table(go(app, "check"), "mine.csv", b"sentence1,sentence2\na cat,a dog\nred,blue\n")
    dataset = app.session_state["recipe"].dataset
    clear_server()
    later = go(new_page(dataset=dataset), "scores")
    assert not later.exception
    assert any("gone" in text.value for text in later.text)
