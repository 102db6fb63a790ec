import csv
import io
import shlex
from contextlib import suppress

import numpy as np
import pytest
from scipy.stats import spearmanr
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core import context
from bertflow_core.analysis.isotropy import iso_score
from bertflow_core.calibrators import build_calibrator
from bertflow_core.cli.main import main
from bertflow_core.datasets import SentencePairs
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.evaluation import pairwise_cosine, random_pair_cosine
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies.layers import MEASURES, layer_map, layer_map_report

SPECS = ("null-top-k:k=2", "identity", "whiten:n_components=5")
TOKENS = ("mean", "cls", "max", "last")
ROWS = pair_rows()


@pytest.fixture(scope="module")
def recipe(tiny_bert, tmp_path_factory):
    table = write_pairs(tmp_path_factory.mktemp("map") / "pairs.csv")
    return tiny_recipe(tiny_bert, table, aggregation="wmean", seed=3)


@pytest.fixture(scope="module")
def found(recipe):
    return layer_map(recipe, Lab(), SPECS)


def test_every_place_is_that_of_an_encoding_of_its_own(found, tiny_bert):
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS, device="cpu")
    sides = [[row[side] for row in ROWS] for side in (0, 1)]
    first, second = (encoder.encode(side).vectors for side in sides)  # (4, 4, 24, 16)
    gold = np.array([row[2] for row in ROWS])
    even = np.arange(24) % 2 == 0
    assert len(found.places) == 4 * 4 * 3
    for place in found.places:
        if place.layer == 0 and place.tokens in ("cls", "last"):
            continue  # one special token, which tells at most the length: ties decide
        pooling = TOKENS.index(place.tokens)
        a, b = (np.asarray(v[place.layer, pooling], np.float64) for v in (first, second))
        corpus = np.stack([a, b], axis=1).reshape(48, 16)
        fitted = build_calibrator(place.calibrator).fit(corpus)
        a, b = fitted.transform(a), fitted.transform(b)
        cosine = pairwise_cosine(a, b)
        rho = np.mean([spearmanr(cosine[m], gold[m]).statistic for m in (even, ~even)])
        assert place.rho == pytest.approx(rho, abs=1e-6)
        both = np.concatenate([a, b])
        assert place.random_cosine == pytest.approx(random_pair_cosine(both, seed=3), abs=1e-4)
        assert place.iso_score == pytest.approx(iso_score(both), abs=1e-4)


def test_the_finding_is_the_highest_rho_and_the_spread_at_its_place(found):
    scored = [place for place in found.places if place.rho is not None]
    best = max(scored, key=lambda place: place.rho)
    rhos = [p.rho for p in scored if (p.layer, p.tokens) == (best.layer, best.tokens)]
    assert f"{100 * best.rho:.2f}" in found.finding()
    assert f"with {best.tokens} tokens under {best.calibrator}" in found.finding()
    assert f"differ by {100 * (max(rhos) - min(rhos)):.2f} there" in found.finding()


def test_places_are_in_the_order_of_panels_rows_and_columns(found):
    assert found.calibrators == SPECS
    assert found.layers == (0, 1, 2, 3)
    assert found.tokens == TOKENS
    order = [(SPECS.index(p.calibrator), p.layer, TOKENS.index(p.tokens)) for p in found.places]
    assert order == sorted(order)
    for spec in SPECS:
        for measure in MEASURES:
            grid = found.grid(spec, measure)
            flat = [getattr(p, measure) for p in found.places if p.calibrator == spec]
            assert [value for row in grid for value in row] == flat
    records = found.to_records()
    assert records[5] == {
        "layer": 1, "tokens": "cls", "calibrator": "null-top-k:k=2",
        **{measure: getattr(found.places[5], measure) for measure in MEASURES},
    }  # fmt: skip


def test_where_all_sentences_are_one_point_nothing_is_measured(found):
    """The first token's embedding is the same in every sentence."""
    for place in found.places:
        measured = [getattr(place, measure) is not None for measure in MEASURES]
        assert measured == [(place.layer, place.tokens) != (0, "cls")] * 3


def test_a_place_gives_the_recipe_that_makes_it_again(found):
    place = found.places[-2]
    again = found.recipe_of(place)
    assert (again.layers, again.tokens, again.calibrator) == ("layer:3", "max", SPECS[2])
    (result,) = Lab().evaluate(again)
    assert place.rho == result.rho
    assert place.random_cosine == result.random_cosine


def test_the_report_names_only_what_all_places_share(found, recipe):
    again = layer_map(recipe.with_(layers="last", tokens="max"), Lab(), SPECS)
    assert again.recipe == found.recipe
    report = layer_map_report(found)
    ignored = {"recipe_layers", "recipe_tokens", "recipe_calibrator"}
    assert set(report.shared) == Recipe(dataset="teaching").columns().keys() - ignored
    header, first, *rest = report.write("csv").splitlines()
    assert header.startswith("layer,tokens,calibrator,rho,random_cosine,iso_score,")
    assert first.startswith("0,mean,null-top-k:k=2,")
    assert len(rest) == len(found.places) - 1
    assert "aggregation wmean" in report.write("table")  # which rho depends on


def test_the_command_gives_the_numbers_of_every_place(found, capsys):
    lines = layer_map_report(found).command.splitlines()
    shown = {}
    for tokens, line in zip(found.tokens, lines, strict=True):
        program, *words = shlex.split(line)
        assert program == "bertflow-lab"
        with suppress(SystemExit):
            main([*words, "--format", "csv"])
        for row in csv.DictReader(io.StringIO(capsys.readouterr().out)):
            numbers = row["spearman_wmean"], row["random_cosine"]
            shown[row["recipe_layers"], tokens, row["spec"]] = numbers
    measured = [place for place in found.places if place.random_cosine is not None]
    assert len(shown) == len(measured) == 48 - 3  # all sentences are one at layer 0 under cls
    for place in measured:
        numbers = shown[f"layer:{place.layer}", place.tokens, place.calibrator]
        assert [*map(float, numbers)] == pytest.approx([place.rho, place.random_cosine])


def test_the_encoder_runs_once(recipe, monkeypatch, tmp_path):
    encoded = []
    encode_blocks = TransformerEncoder.encode_blocks

    def counted(self, sentences, **options):
        encoded.append(len(sentences))
        return encode_blocks(self, sentences, **options)

    monkeypatch.setattr(TransformerEncoder, "encode_blocks", counted)
    layer_map(recipe, Lab(store=EmbeddingStore(tmp_path / "store")), ["identity"])
    assert encoded == [len({s for row in ROWS for s in row[:2]})]


def test_progress_tells_sentences_then_places_and_may_cancel(recipe):
    seen = []
    with context.reporting(lambda *step: seen.append(step)):
        layer_map(recipe, Lab(), SPECS[:2], tokens=["mean"])
    units = [unit for _, _, unit in seen]
    assert units == sorted(units, reverse=True)
    places = [done for done, total, unit in seen if unit == "places" and total == 8]
    assert sorted(set(places)) == list(range(9))
    assert places == sorted(places)

    def stop(done, total, unit):
        if unit == "places" and done == 3:
            raise Cancelled("enough")

    with pytest.raises(Cancelled), context.reporting(stop):
        layer_map(recipe, Lab(), ["identity"])


def test_sentences_without_gold_have_isotropy_only(recipe):
    pairs, corpus = Lab().load(recipe)
    blind = SentencePairs(
        **{**vars(pairs), "gold": None, "second": ()} | {"provenance": pairs.provenance}
    )
    lab = Lab(tables={recipe.dataset: (blind, corpus)})
    found = layer_map(recipe, lab, ["identity"], tokens=["mean"])
    assert {p.rho for p in found.places} == {None}
    encoded = lab.prepare(recipe)
    assert found.places[2].iso_score == pytest.approx(iso_score(encoded.x_first), abs=1e-9)


@pytest.mark.parametrize(
    ("specs", "tokens", "message"),
    [
        ([], TOKENS, "at least one"),
        (["identity"], [], "at least one"),
        (["nope"], TOKENS, "unknown calibrator"),
        (["identity"], ["median"], "unknown token pooling"),
        (["whiten:n_components=99"], TOKENS, "n_components must be at most"),
    ],
)
def test_what_cannot_be_mapped_is_refused(recipe, specs, tokens, message):
    with pytest.raises(InputError, match=message):
        layer_map(recipe, Lab(), specs, tokens=tokens)


def test_unknown_panels_and_measures_are_refused(found):
    with pytest.raises(InputError, match="no calibrator"):
        found.grid("flow")
    with pytest.raises(InputError, match="unknown measure"):
        found.grid("identity", "colour")
