"""The runner's refusals, each before any embedding, and its stopping on request."""

import pytest
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.encoders import TransformerEncoder
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.lab import Lab

ROWS = pair_rows()


@pytest.fixture
def recipe(tiny_bert, tmp_path):
    return tiny_recipe(tiny_bert, write_pairs(tmp_path / "pairs.csv"))


@pytest.fixture
def no_embedding(monkeypatch):
    def refuse(*_, **__):
        pytest.fail("sentences were embedded before the fault was seen")

    monkeypatch.setattr(TransformerEncoder, "encode_blocks", refuse)


class TestFaults:
    @pytest.mark.parametrize(
        ("specs", "words"),
        [
            (["nothing"], "unknown calibrator"),
            (["identity", "flow:lr=x"], "lr must be"),
            (["identity", "whiten", "standardize+nul-top-k"], "did you mean null-top-k"),
        ],
    )
    def test_a_wrong_calibrator_is_refused_before_any_work(
        self, recipe, no_embedding, monkeypatch, specs, words
    ):
        monkeypatch.setattr(Lab, "load", None)
        with pytest.raises(InputError, match=words):
            Lab().evaluate(recipe, specs)

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"dataset": "none.csv"}, "does not exist"),
            ({"fit_on": "none.txt"}, "cannot fit on"),
            ({"model": "nothing"}, "unknown model"),
            ({"layers": "layer:4"}, "layers 0"),
            ({"max_length": 41}, "3 to 40"),
            ({"scale": "5"}, "LOW,HIGH"),
            ({"score": "score"}, "--sentence1 and --sentence2"),
            ({"sentence1": "sentence1", "score": "score"}, "scores belong to pairs"),
        ],
    )
    def test_a_wrong_recipe_is_refused_before_any_embedding(
        self, recipe, no_embedding, changes, words
    ):
        with pytest.raises(InputError, match=words):
            Lab().evaluate(recipe.with_(**changes), ["identity"])

    @pytest.mark.parametrize("rows", [ROWS[:1], [(*row[:2], 2, "even") for row in ROWS]])
    def test_gold_that_cannot_be_correlated_is_refused_before_any_embedding(
        self, recipe, no_embedding, tmp_path, rows
    ):
        path = write_pairs(tmp_path / "flat.csv", rows)
        with pytest.raises(InputError, match="two different gold scores"):
            Lab().evaluate(recipe.with_(dataset=str(path)), ["identity"])

    @pytest.mark.parametrize("header", ["sentence", "text"])
    def test_a_single_sentence_is_refused_before_any_embedding(
        self, recipe, no_embedding, tmp_path, header
    ):
        path = tmp_path / "one.csv"
        path.write_text(f"{header}\nthe cat\n", encoding="utf-8")
        with pytest.raises(InputError, match="holds one sentence"):
            Lab().evaluate(recipe.with_(dataset=str(path)), ["identity"])

    def test_a_wrong_device_is_refused_before_any_embedding(self, recipe, no_embedding):
        with pytest.raises(InputError, match="unknown device 'gpu'"):
            Lab(device="gpu").evaluate(recipe, ["identity"])
        with pytest.raises(InputError, match="unknown device 'gpu'"):
            Lab(device="gpu").fit(recipe)


class Stop:
    """Progress that stops the work at its first report of a unit."""

    def __init__(self, unit):
        self.unit = unit
        self.seen = []

    def __call__(self, done, total, unit):
        assert 0 <= done <= total
        self.seen.append(unit)
        if unit == self.unit:
            raise Cancelled("stopped")


@pytest.mark.usefixtures("own_cache")
class TestProgress:
    def test_every_stage_is_reported(self, recipe):
        progress = Stop("nothing")
        Lab().evaluate(recipe, ["identity", "flow"], progress=progress)
        assert set(progress.seen) == {"sentences", "steps"}

    @pytest.mark.parametrize("unit", ["sentences", "steps"])
    @pytest.mark.parametrize("run", ["evaluate", "fit"])
    def test_it_can_stop_the_work(self, recipe, unit, run):
        progress = Stop(unit)
        recipe = recipe.with_(calibrator="flow")
        with pytest.raises(Cancelled):
            if run == "fit":
                Lab().fit(recipe, progress=progress)
            else:
                Lab().evaluate(recipe, ["identity", "flow"], progress=progress)
        assert progress.seen.count(unit) == 1
        assert len(Lab().evaluate(recipe, ["flow"])) == 1  # nothing is in the way
