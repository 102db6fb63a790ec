"""Dense layers equal calibrators; sentence-transformers gives our vectors from an export."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from huggingface_hub import ModelCard
from safetensors.numpy import load_file
from sklearn.metrics import precision_score, recall_score, roc_auc_score
from tiny_models import WORDS, declare, save_tiny_model
from tiny_pairs import pair_rows, write_collection
from waiting import wait_for

from bertflow_core import Lab, Recipe, build_calibrator, load_calibrator
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.calibrators import CALIBRATORS, Calibrator, CalibratorPipeline, Whiten
from bertflow_core.calibrators.saved import save_calibrator
from bertflow_core.cli import main
from bertflow_core.encoders import resolve_model
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.evaluation import compare, pair_scores, pairwise_cosine
from bertflow_core.export import check, run
from bertflow_core.export.card import compared
from bertflow_core.export.check import agreement_of
from bertflow_core.export.dense import dense_layers
from bertflow_core.export.folder import write_model
from bertflow_core.export.run import export_fitted
from bertflow_core.runtime import child, context
from bertflow_core.studies.thresholds import ThresholdRecipe, thresholds
from bertflow_core.wording import percent

SENTENCES = ["a cat sat", "the big dog runs fast on a mat", "red", "blue cat on the mat " * 20]

D = 13
RNG = np.random.default_rng(0)
X = (RNG.normal(size=(300, D)) @ RNG.normal(size=(D, D)) + 3).astype(np.float32)
N_COUPLINGS = {
    **dict.fromkeys(("identity", "standardize", "null-top-k:k=3", "all-but-the-top"), 0),
    **dict.fromkeys(("common-component", "whiten", "whiten:n_components=4", "soft-whiten"), 0),
    **dict.fromkeys(("soft-whiten:rotation=pca", "ledoit-wolf", "standardize+null-top-k"), 0),
    "drop-coordinates:k=2": 0,
    **{"flow:epochs=3": 6, "flow:epochs=3,permutation=reversal": 6, "flow+whiten": 6},
    **{"flow:n_levels=3": 9, "whiten:n_components=8+flow:epochs=3": 6},
}


class Cube(Calibrator):
    """A map that is not affine; without a formula it is not registered."""

    name = "cube"

    def _fit(self, X, precision):
        return ()

    def _transform(self, X):
        return X**3


@pytest.fixture(scope="module")
def lab():
    return Lab(device="cpu")


@pytest.fixture
def _read_here(monkeypatch):
    """Let this process read exports; a new one, which imports for seconds, is the gate's."""

    def read_here(command, **_):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", command[1:])
            patch.setattr(child, "follow_parent", list)
            exec(command[1], {})
        return 0, ""

    monkeypatch.setattr(check, "run_child", read_here)


def encoded(folder, sentences=SENTENCES):
    """Return the vectors of sentences by sentence-transformers alone."""
    from sentence_transformers import SentenceTransformer  # late: every worker reads this file

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    return model.encode(sentences, show_progress_bar=False)


def written(recipe, lab, out, *, spec="whiten", **options):
    """Write an export of a calibrator fitted on the sentences; return its vectors and ours."""
    x = next(lab.vectors([recipe], SENTENCES)).x
    calibrator = build_calibrator(spec, device="cpu").fit(x)
    out.mkdir()
    model, layers = resolve_model(recipe.model), dense_layers(calibrator)
    write_model(out, model, recipe, layers, SENTENCES, **options)
    return encoded(out), calibrator.transform(x)


def layers_kept(out):
    config = json.loads((out / "config.json").read_text())
    return config.get("num_hidden_layers", config.get("n_layers"))


@pytest.mark.parametrize(
    ("layers", "tokens"),
    [
        *[("layer:0", "mean"), ("layer:2", "mean"), ("last2", "mean"), ("last", "last")],
        *[("last", "max"), ("layer:0", "cls"), ("first-last", "cls")],
    ],
)
def test_layers_and_poolings_come_along(layers, tokens, tiny_bert, lab, tmp_path):
    recipe = Recipe(model=str(tiny_bert), layers=layers, tokens=tokens, max_length=20)
    all_are_one = (layers, tokens) == ("layer:0", "cls")
    spec = "identity" if all_are_one else "whiten"
    given, expected = written(recipe, lab, tmp_path / "out", spec=spec)
    np.testing.assert_allclose(given, expected, atol=2e-5)
    n_layers = {"layer:0": 1, "layer:2": 2}.get(layers, 3)
    assert layers_kept(tmp_path / "out") == n_layers
    weights = " ".join(load_file(tmp_path / "out" / "model.safetensors"))
    assert {*map(int, re.findall(r"\blayer\.(\d+)\.", weights))} == {*range(n_layers)}


@pytest.mark.parametrize("family", ["bert", "mpnet", "distilbert", "albert", "modernbert"])
def test_an_encoder_that_normalises_its_end_is_left_whole(family, lab, tmp_path):
    model = save_tiny_model(tmp_path / family, family)
    recipe = Recipe(model=str(model), layers="layer:2", max_length=20)
    cut = family != "modernbert"
    given, expected = written(recipe, lab, tmp_path / "out", cut=cut, normalize=True)
    np.testing.assert_allclose(given, unit_rows(expected), atol=2e-5)
    assert layers_kept(tmp_path / "out") == (2 if cut else 3)


def test_weights_in_half_precision_are_computed_in_float32_as_here(tiny_folder, lab, tmp_path):
    from transformers import AutoModel  # late: slow to import

    model = shutil.copytree(tiny_folder("llama"), tmp_path / "model")
    AutoModel.from_pretrained(model, dtype="bfloat16").save_pretrained(model)
    assert json.loads((model / "config.json").read_text())["dtype"] == "bfloat16"
    recipe = Recipe(model=str(model), layers="last", tokens="last", max_length=20)
    given, expected = written(recipe, lab, tmp_path / "out", spec="identity")
    np.testing.assert_allclose(given, expected, atol=1e-5)


def test_what_a_model_declares_stays_in_front(tiny_bert, lab, tmp_path):
    model = declare(tiny_bert, tmp_path / "declared", "cls")
    settings = {"prompts": {"query": "the cat: "}, "default_prompt_name": None}
    (model / "config_sentence_transformers.json").write_text(json.dumps(settings))
    recipe = Recipe(model=str(model), layers="model", prompt="query")
    given, expected = written(recipe, lab, tmp_path / "out", spec="standardize")
    # In the model's own units: division by deviations of 0.001 enlarges rounding errors.
    deviations = next(lab.vectors([recipe], SENTENCES)).x.std(axis=0)
    np.testing.assert_allclose(given * deviations, expected * deviations, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(encoded(model), axis=1), 1, atol=1e-5)
    assert np.abs(np.linalg.norm(given, axis=1) - 1).max() > 0.1


@pytest.mark.parametrize("choices", [{"layers": "last", "max_length": 20}, {"layers": "model"}])
def test_a_template_before_the_sentence_is_a_prompt_there(choices, tiny_bert, lab, tmp_path):
    recipe = Recipe(model=str(tiny_bert), template="the cat: {text}", **choices)
    given, expected = written(recipe, lab, tmp_path / "out", spec="whiten")
    np.testing.assert_allclose(given, expected, atol=2e-5)
    plain, _ = written(recipe.with_(template=None), lab, tmp_path / "plain", spec="whiten")
    assert np.abs(given - plain).max() > 0.1


@pytest.mark.parametrize(
    ("family", "choices"),
    [
        *[(name, {"layers": "last", "tokens": "last"}) for name in ("gpt2", "llama", "bert")],
        ("bert", {"layers": "last2", "tokens": "mean"}),
        ("distilbert", {"layers": "model"}),
    ],
)
def test_text_after_the_sentence_is_added_by_the_tokenizer(
    family, choices, tiny_folder, lab, tmp_path
):
    model = tiny_folder(family)
    choices |= {} if choices["layers"] == "model" else {"max_length": 39}
    recipe = Recipe(model=str(model), template='This sentence : "{text}" means in one word : "')
    recipe = recipe.with_(**choices)
    sentences = [" ".join(WORDS[i:][: 1 + i % 4]) for i in range(9)] + ["the red cat " * 9]
    embedded = next(lab.vectors([recipe], sentences))
    assert embedded.cut.tolist() == [False] * 9 + [True]
    (tmp_path / "out").mkdir()
    layers = dense_layers(build_calibrator("identity").fit(embedded.x))
    write_model(tmp_path / "out", resolve_model(str(model)), recipe, layers, sentences)
    found = encoded(tmp_path / "out", sentences)
    np.testing.assert_allclose(found, embedded.x, rtol=0, atol=1e-5)
    plain = next(lab.vectors([recipe.with_(template=None)], sentences)).x
    assert np.abs(plain - embedded.x).max(axis=1).min() > 0.01


def test_what_its_modules_cannot_say_is_refused_before_it_is_scored(
    tiny_bert, lab, tmp_path, monkeypatch
):
    cases = {
        "first 8 features": {"layers": "model", "truncate_dim": 8},
        "token pooling max": {"layers": "last2", "tokens": "max", "max_length": 20},
        "token pooling mean-content": {"layers": "last", "tokens": "mean-content"},
        "joins the end of 'blue cat.*' with the text 'ly'": {
            **{"layers": "model", "template": "a {text}ly"},
        },
    }
    for number, (why, choices) in enumerate(cases.items()):
        with pytest.raises(InputError, match=why):
            choices |= {} if choices["layers"] == "model" else {"max_length": 20}
            written(Recipe(model=str(tiny_bert), **choices), lab, tmp_path / str(number))
    monkeypatch.setattr(run, "compared", lambda *_: pytest.fail("it was scored first"))
    recipe = Recipe(model=str(tiny_bert), dataset="teaching", **cases["token pooling max"])
    with pytest.raises(InputError, match="token pooling max"):
        export_fitted(lab.fit(recipe).calibrator, recipe, lab, tmp_path / "new" / "model")
    assert not [*(tmp_path / "new").iterdir()]


@pytest.mark.parametrize("template", [None, "the {text}", "the {text} is a"])
def test_templates_that_end_differently_are_refused(template, tmp_path, tiny_bert):
    recipe = Recipe(model=str(tiny_bert), layers="last", template=template)
    asked = recipe.with_(query_template="a {text} sat")
    with pytest.raises(InputError, match=r"query template 'a \{text\} sat' cannot be exported"):
        write_model(tmp_path / "out", resolve_model(str(tiny_bert)), asked, [], ["a cat"])


def test_only_files_of_the_model_itself_are_copied(tiny_bert, lab, tmp_path):
    (tmp_path / "key").write_text("secret")
    for number, name in enumerate(["added_tokens.json", "key.model", "1_Pooling"]):
        model = declare(tiny_bert, tmp_path / f"linked{number}", "cls")
        if name == "1_Pooling":
            (model / name).rename(tmp_path / name)
        (model / name).symlink_to(tmp_path / ("key" if "." in name else name))
        recipe = Recipe(model=str(model), layers="model")
        with pytest.raises(InputError, match="link to a file outside its folder"):
            write_model(tmp_path / f"out{number}", resolve_model(str(model)), recipe, [], [])
    snapshot = tmp_path / "models--org--name" / "snapshots" / "a"  # as the hub's cache links files
    shutil.copytree(tiny_bert, snapshot)
    (tmp_path / "models--org--name" / "blobs").mkdir()
    for file in [*snapshot.iterdir()]:
        file.rename(snapshot.parents[1] / "blobs" / file.name)
        file.symlink_to(f"../../blobs/{file.name}")
    given, expected = written(Recipe(model=str(snapshot), layers="model"), lab, tmp_path / "out")
    np.testing.assert_allclose(given, expected, atol=2e-5)


STUCK = """
import os, sys, time
from bertflow_core.runtime.child import follow_parent
follow_parent()
open(sys.argv[1], "w").write(str(os.getpid()))
time.sleep(600)
"""
EXPORT = f"""
import sys
from pathlib import Path
from bertflow_core.export import check
check._READER = {STUCK!r}
check.compare_export(Path(sys.argv[1]), [], None)
"""


@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_an_export_that_ends_early_leaves_no_process(how, tmp_path, monkeypatch):
    file = tmp_path / "pid"

    def stop(*_: object) -> None:
        if file.exists() and file.read_text():
            raise Cancelled("stopped")

    if how == "killed":
        parent = subprocess.Popen([sys.executable, "-c", EXPORT, str(file)])
        wait_for(lambda: file.exists() and file.read_text())
        parent.kill()
        parent.wait()
    else:
        monkeypatch.setattr(check, "_READER", STUCK)
        with context.reporting(stop), pytest.raises(Cancelled):
            check.compare_export(file, [], X)
    wait_for(lambda: not Path(f"/proc/{file.read_text()}").exists())


@pytest.mark.usefixtures("_read_here")
def test_a_plain_model_leaves_unchanged_with_its_threshold_and_its_rule(recipe_of, lab, tmp_path):
    recipe = recipe_of(60).plain
    fitted = lab.fit(recipe)
    report = thresholds(ThresholdRecipe(**recipe.to_dict()), lab, ["identity"])
    (entry,) = report.facts["thresholds"]
    done = export_fitted(fitted.calibrator, recipe, lab, tmp_path / "m", threshold=entry)
    assert done.agreement.holds
    modules = json.loads((tmp_path / "m" / "modules.json").read_text())
    assert not [each for each in modules if "Dense" in each["type"]]
    card = (tmp_path / "m" / "README.md").read_text()
    (code,) = re.findall(r"```python\n(import numpy.*?)```", card, re.DOTALL)
    made = {}
    exec(code, made)
    pairs = lab.data(recipe)
    sides = (encoded(tmp_path / "m", texts) for texts in (pairs.first, pairs.second))
    above, alike = made["are_alike"](*sides), np.array(pairs.gold) >= 4
    assert entry["scored"] == {
        "precision": pytest.approx(precision_score(alike, above)),
        "recall": pytest.approx(recall_score(alike, above)),
    }
    kept = json.loads((tmp_path / "m" / "threshold.json").read_text())
    assert (kept["threshold"], kept["scored"]) == (entry["threshold"], entry["scored"])


def test_fewer_features_are_said_before_the_work(tmp_path, monkeypatch, capsys):
    def begin(*_, **__):
        raise InputError("the work has begun")

    monkeypatch.setattr(run, "export_model", begin)
    x = np.random.default_rng(0).normal(size=(50, 8))
    for spec, said in (
        ("whiten", ["6 of 8 features", "has begun"]),
        ("standardize", ["has begun"]),
    ):
        fitted = build_calibrator(spec).fit(np.hstack([x[:, :6], x[:, :2]]))
        file = save_calibrator(fitted, tmp_path / spec)
        with pytest.raises(SystemExit):
            main(["export", str(file), "--out", str(tmp_path / "model")])
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == len(said)
        assert all(text in line for text, line in zip(said, lines, strict=True))


@pytest.mark.usefixtures("_read_here")
def test_the_command_writes_compares_and_tells(recipe_of, lab, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    recipe = recipe_of(calibrator="whiten")
    fit = f"fit {' '.join(recipe.to_args())} --out c --device cpu"
    export = "export c --out m --normalize --device cpu"
    asked = ThresholdRecipe(**recipe.to_dict(), rate=0.1)
    report = thresholds(asked, lab, ["whiten"], ["layer:2"])
    (tmp_path / "profile.json").write_text(report.write("json"))
    other = report.write("json").replace('"whiten"', '"standardize"')
    (tmp_path / "other.json").write_text(other)
    plain, taken = lab.evaluate([recipe.plain, recipe.with_(calibrator="whiten")])
    worse = f"would score {percent(taken.score)}, but the model's plain output scores "
    for words, failure in (
        (fit, ""),
        (export, worse + percent(plain.score)),
        (export + " --anyway --threshold other.json", "no threshold under whiten"),
        (export + " --anyway --threshold profile.json", ""),
        (export, "not empty"),
    ):
        with pytest.raises(SystemExit) as left:
            main(words.split())
        said = capsys.readouterr().err
        assert bool(left.value.code) == bool(failure), said
        assert words == fit or (failure or "cosine to our own vectors is 1.0") in said
        assert (tmp_path / "m").exists() == (words.endswith("profile.json") or "empty" in failure)
    calibrator, config = load_calibrator(tmp_path / "c")
    recipe = Recipe.from_dict(config["recipe"])
    expected = unit_rows(calibrator.transform(next(lab.vectors([recipe], SENTENCES)).x))
    np.testing.assert_allclose(encoded(tmp_path / "m"), expected, atol=2e-5)
    card = (tmp_path / "m" / "README.md").read_text()
    assert yaml.safe_load(card.split("---")[1])["library_name"] == "sentence-transformers"
    cells = re.findall(r"^\| (?:plain|layer).*$", card, re.MULTILINE)
    first, second, scores, subsets = zip(*pair_rows(), strict=True)
    sides = [next(lab.vectors([recipe], list(s))).x for s in (first, second)]
    similarities = {
        "plain": lab.evaluate([recipe.plain])[0].similarity,
        "before": pairwise_cosine(*sides),
        "after": pairwise_cosine(*map(calibrator.transform, sides)),
    }
    tested = pair_scores(similarities, scores, subsets, aggregation="all")
    told = [("before", "plain"), ("after", "plain"), ("plain", "before"), ("after", "before")]
    changes = compare({(a, b): (tested[b], tested[a]) for a, b in told})
    for name, cell in zip(similarities, cells, strict=True):
        expected = [(tested[name].value, tested[name].interval())]
        others = [changes.get((name, other)) for other in ("plain", "before")]
        expected += [(each.difference, each) for each in others if each]
        numbers = [number for rho, ends in expected for number in (rho, ends.low, ends.high)]
        found = np.array(re.findall(r"[-+]?\d+\.\d\d", cell), float)
        np.testing.assert_allclose(found, 100 * np.array(numbers), atol=0.02)
    results = ModelCard(card).data.eval_results  # each names the recipe of its number
    before, *_, after = [each.metric_type for each in results]
    assert (before, after) == ("spearman_cosine_before", "spearman_cosine")
    for result, cell in zip(results, cells, strict=True):
        again = Recipe.from_dict(result.metric_args)
        (space,) = lab.evaluate([again])
        assert result.metric_value == pytest.approx(space.score, abs=1e-6)
        assert result.metric_name in cell and result.dataset_split is None  # a file has none
        assert result.dataset_args == {"n_pairs": 24, "sha256": lab.data(again).fingerprint}
    assert again == recipe
    kept = json.loads((tmp_path / "m" / "threshold.json").read_text())
    row = report.row(calibrator="whiten", sentences="scored")
    assert kept["threshold"] == row["threshold"]
    rate, low, high = (100 * row[key] for key in ("rate", "rate_low", "rate_high"))
    said = f"{rate:.3g} % of random pairs of the data have a cosine above {row['threshold']:.4f}"
    assert f"{said} (95 % interval of that share: {low:.3g} to {high:.3g} %)" in card


@pytest.mark.usefixtures("_read_here")
def test_the_card_of_a_packaged_model_names_file_package_and_licence(
    packaged, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    fit = "fit --model smollm2 --layers model --calibrator standardize --dataset teaching --out c"
    for command in (fit, "export c --out m --anyway"):
        with pytest.raises(SystemExit, match=r"^0$"):
            main(command.split())
    card = (tmp_path / "m" / "README.md").read_text()
    origin = f"{packaged.file} of the package llm-tiny 0.1.0, dequantized to bfloat16, SHA-256 of"
    assert f"-135M-Instruct, {origin} that file {packaged.sha256[:16]}. Licence: Apache" in card
    assert ModelCard(card).data.license == "apache-2.0"


def test_labels_and_pairs_without_scores_have_the_results_that_were_computed(recipe_of, lab):
    labels = [float(i % 3 == 0) for i in range(24)]
    rows = [(*row[:2], label, row[3]) for row, label in zip(pair_rows(), labels, strict=True)]
    recipe = recipe_of(rows, calibrator="standardize", metric="auc")
    fitted = lab.fit(recipe)
    *_, results = compared(recipe, fitted.calibrator, lab)
    assert [each.metric_type for each in results][1:] == ["cosine_roc_auc_before", "cosine_roc_auc"]
    (space,) = lab.evaluate([recipe])
    assert results[-1].metric_value == pytest.approx(roc_auc_score(labels, space.similarity))
    unscored = recipe.with_(sentence1="sentence1", sentence2="sentence2", metric=None)
    assert compared(unscored, fitted.calibrator, lab)[-1] == []


def test_other_vectors_are_told_apart():
    expected = np.random.default_rng(0).normal(size=(20, 4))
    given = expected * 3.0
    assert agreement_of(given, expected).holds  # the cosine ignores lengths
    given[7] += [0.1, 0, 0, 0]
    found = agreement_of(given, expected)
    assert not found.holds
    cosine = given[7] @ expected[7] / np.linalg.norm(given[7]) / np.linalg.norm(expected[7])
    assert found.min_cosine == pytest.approx(cosine)
    assert found.max_difference == pytest.approx(np.abs(given - expected).max())


@pytest.mark.parametrize("spec", N_COUPLINGS)
def test_layers_give_the_calibrators_vectors(spec):
    calibrator = build_calibrator(spec, device="cpu").fit(X)
    layers = dense_layers(calibrator)
    rows = X.astype(np.float64)
    for layer in layers:
        rows = rows @ layer.matrix.T + layer.shift
        rows = np.maximum(rows, 0) if layer.relu else rows
    np.testing.assert_allclose(rows, calibrator.transform(X), atol=2e-5)
    assert [layer.relu for layer in layers] == [True] * 2 * N_COUPLINGS[spec] + [False]


def test_all_calibrators_are_exported_and_another_map_is_refused():
    assert {spec.partition(":")[0] for spec in N_COUPLINGS} >= CALIBRATORS.keys()
    for calibrator in (Cube(), CalibratorPipeline([Whiten(), Cube()])):
        with pytest.raises(InputError, match="cube cannot be exported: expected"):
            dense_layers(calibrator.fit(X))


@pytest.mark.usefixtures("_read_here")
@pytest.mark.parametrize(
    "choices",
    [
        {"layers": "model"},
        {"layers": "model", "query_prompt": "a red: "},
        {"layers": "model", "prompt": "document"},
        {"layers": "last", "max_length": 20, "template": "a: {text}", "query_template": "{text}"},
        {"layers": "last", "max_length": 20, "template": "the cat: {text}"},
    ],
)
def test_queries_and_documents_keep_their_prompts(choices, tiny_bert, lab, tmp_path):
    from sentence_transformers import SentenceTransformer  # late: every worker reads this file

    model = declare(tiny_bert, tmp_path / "declared", "mean")
    settings = {"prompts": {"query": "the cat: ", "document": "a big dog on "}}
    (model / "config_sentence_transformers.json").write_text(json.dumps(settings))
    data = write_collection(tmp_path / "searched")
    recipe = Recipe(model=str(model), dataset=data, calibrator="standardize", **choices)
    fitted = lab.fit(recipe).calibrator
    done = export_fitted(fitted, recipe, lab, tmp_path / "out", anyway=True)
    assert done.agreement.holds
    exported = SentenceTransformer(str(done.folder), device="cpu", local_files_only=True)
    texts = ["a cat sat on a mat", "the big dog"]
    for side, encode in {
        "": exported.encode,
        "query": exported.encode_query,
        "document": exported.encode_document,
    }.items():
        ours = fitted.transform(next(lab.vectors([recipe], texts, sides=[side] * 2)).x)
        cosines = pairwise_cosine(encode(texts, show_progress_bar=False), ours)
        np.testing.assert_allclose(cosines, 1, atol=1e-5)
    card = (done.folder / "README.md").read_text(encoding="utf-8")
    is_one = "prompt" in choices or choices.get("template") == "the cat: {text}"
    assert ("`encode_query`" in card) != is_one
