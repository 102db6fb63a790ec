"""A newborn model as tables, figures and the file that ships, trained again for some steps."""

import json

import numpy as np
import pytest
from plotly_numbers import numbers

from bertflow_core import context
from bertflow_core.errors import Cancelled
from bertflow_core.figures.words import word_places
from bertflow_core.files import resource
from bertflow_core.lab import Lab
from bertflow_core.studies.newborn.measure import measure_newborn
from bertflow_core.studies.newborn.recipe import NewbornRecipe
from bertflow_core.studies.newborn.recording import LiveRecording
from bertflow_core.studies.newborn.report import STORED, report_of, stored_newborn
from bertflow_core.studies.newborn.result import Newborn


def test_tables_and_records_hold_what_was_measured(newborn):
    report = report_of(newborn)
    spaces, equation = report.tables
    last, shown = newborn.recording.moments[-1], report.rows[-1]
    assert (shown["step"], shown["loss"], shown["norm_1_16"]) == (25, last.loss, last.norms[0])
    assert [row["calibrator"] for row in spaces.rows] == ["identity", "whiten"]
    assert spaces.rows[1]["rho_trained"] == newborn.cone.rows[1]["rho"]
    assert equation.rows[1]["pmi"] == newborn.equation.decomposition.pmi
    assert [row["step"] for row in report.rows] == [0, 10, 20, 25]
    assert report.command.endswith("--n-steps 25 --every 10 --batch-size 16"
                                   " --calibrator identity --calibrator whiten")  # fmt: skip
    written = json.loads(report.write("json"))
    assert Newborn.from_dict(written).recording == newborn.recording


def test_the_figures_hold_what_was_measured(newborn):
    figures = report_of(newborn).figures()
    words, never, _ = figures["newborn-words"].data
    places = np.reshape(newborn.recording.places[-1], (-1, 2)) / 1_000
    assert numbers(words.y) == pytest.approx(places[:-3, 1])
    assert numbers(never.x) == pytest.approx(places[-3:, 0])
    cosine = figures["newborn-training"].data[0]
    assert list(cosine.x) == [0, 10, 20, 25]
    assert list(cosine.y) == [each.mean_cosine for each in newborn.recording.moments]
    points, _ = figures["newborn-equation"].data
    assert list(points.y) == [point.score for point in newborn.equation.points]
    assert len(figures["newborn-sentences"].data) == 2 * 3
    (alone, _) = word_places([[0, 1]], [3], ["<b>"], step=0).data
    assert alone.text == ("&lt;b>",)


def test_the_stored_training_is_small_and_begins_as_it_is_trained_again():
    stored = stored_newborn()
    recording = stored.recording
    assert recording.recipe == NewbornRecipe()
    assert len(resource(STORED).read_bytes()) < 300_000
    assert [moment.step for moment in recording.moments] == list(range(0, 201, 5))
    live = LiveRecording(recording.recipe)

    def progress(done, total, unit):
        if done == 5:
            raise Cancelled("enough")

    with pytest.raises(Cancelled), context.reporting(progress):
        measure_newborn(recording.recipe, Lab(), live=live)
    assert live.words == recording.words and live.counts == recording.counts
    for (now, _), then in zip(live.frames, recording.moments, strict=False):
        assert now.loss == pytest.approx(then.loss, abs=0.02)
        assert now.mean_cosine == pytest.approx(then.mean_cosine, abs=0.01)
        assert now.norms == pytest.approx(then.norms, abs=0.005)
        assert now.rho == pytest.approx(then.rho, abs=0.03)


def test_the_stored_training_shows_what_the_page_says():
    stored = stored_newborn()
    first, *_, last = stored.recording.moments
    assert abs(first.mean_cosine) < 0.01 and last.mean_cosine > 0.6
    assert last.frequency_rho > 0.7 and last.unused_norm > max(last.norms)
    assert last.rho < first.rho  # the cone costs agreement with people
    rho = {row["calibrator"]: row["rho"] for row in stored.cone.rows}
    assert rho["whiten"] > rho["identity"] + 0.1 and rho["flow"] > rho["identity"] + 0.1
    assert stored.untrained[-2].rho > rho["whiten"]  # which the page admits
    found = stored.equation.decomposition
    assert found.r2_log_p > found.r2_pmi and 0 < found.pmi < found.log_p
