"""Eq. 3 in an encoder: its counts, its rows that no text has, and the report."""

import json

import numpy as np
import pytest
import torch
from tiny_models import save_tiny_model

from bertflow_core.analysis.contexts import find_contexts
from bertflow_core.encoders.masked_language import MaskedLanguageEncoder
from bertflow_core.encoders.model_folder import open_model_folder
from bertflow_core.encoders.word_table import read_word_table
from bertflow_core.experiment import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.newborn.encoder import encoder_report, measure_encoder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("masked")
    return save_tiny_model(folder, "bert", head="ForMaskedLM", n_unused=4)


@pytest.fixture(scope="module")
def measured(folder, newborn_recipe):
    recipe = Recipe(model=str(folder), dataset=newborn_recipe.dataset)
    return measure_encoder(recipe, Lab())


def test_the_scores_are_transformers_logits_less_the_bias(measured, folder):
    from transformers import AutoModelForMaskedLM

    network = AutoModelForMaskedLM.from_pretrained(folder).eval()
    encoder = MaskedLanguageEncoder(open_model_folder("tiny", folder))
    ids = encoder.tokenize(Lab().corpus(measured.recipe).sentences)
    contexts = find_contexts(ids)
    mask, logits = encoder.tokens.index("[MASK]"), []
    for row, place in zip(contexts.rows, contexts.places, strict=True):
        if contexts.owners[len(logits)] > 0:
            break
        masked = torch.tensor([[*ids[row][:place], mask, *ids[row][place + 1 :]]])
        with torch.no_grad():
            logits.append(network(input_ids=masked).logits[0, place].numpy() - encoder.bias)
    words = contexts.words[contexts.pairs == 0]
    expected = np.mean(logits, axis=0)[words]
    left, right = (encoder.tokens[i] for i in contexts.names[0])
    points = {point.text: point.score for point in measured.equation.points}
    found = [points[f"{left} [{encoder.tokens[word]}] {right}"] for word in words]
    assert found == pytest.approx(expected - expected.mean(), abs=2e-3)
    assert measured.equation.decomposition.n_pairs == measured.with_bias.n_pairs


def test_rows_that_no_text_has_stand_apart(measured, folder):
    table = read_word_table(open_model_folder("tiny", folder))
    norms = np.linalg.norm(table.x, axis=1)
    groups = {each.name: each for each in measured.rows}
    assert groups["never used"].n == 4
    assert groups["never used"].norm == pytest.approx(norms[-4:].mean())
    assert groups["whole words"].norm == pytest.approx(norms[table.whole].mean())


def test_the_report_holds_both_and_its_command(measured, folder):
    report = encoder_report(measured)
    regression, rows = report.tables()
    assert [row[0] for row in regression.rows] == ["h . w", "h . w + bias"]
    assert [row[0] for row in rows.rows] == ["whole words", "pieces", "never used"]
    document = json.loads(report.write("json"))
    assert document["rows"][2]["n"] == 4
    assert report.command.startswith(f"bertflow-lab analyse pmi --model {folder} --dataset ")
    assert "--layers" not in report.command and "--calibrator" not in report.command
    assert len(report.figures()["pmi-equation"].data) == 2
