"""The public names: each has an example that works, and refuses arguments of a wrong type."""

import doctest
import io
import re
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import numpy as np
import pytest
import torch

import bertflow_core as bf
from bertflow_core.datasets import RawFile, read_table
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.flows import Flow, GlowConfig, TrainingConfig, fit_flow

CORE = Path(bf.__file__).parent
ROOMS = ["", ".calibrators", ".datasets", ".encoders", ".evaluation", ".flows", ".scale"]
"""Packages whose names are public; the other rooms are the project's own."""

MODULES = sorted(
    ".".join(path.relative_to(CORE.parent).with_suffix("").parts)
    for path in CORE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


def test_every_public_name_has_an_example_and_a_typed_use_and_no_module_hides_it():
    for room in ROOMS:
        package = import_module(f"bertflow_core{room}")
        assert {each.name for each in iter_modules(package.__path__)}.isdisjoint(package.__all__)
        for name in package.__all__:
            public = getattr(package, name)
            assert not callable(public) or ">>> " in (public.__doc__ or ""), name
    program = Path(__file__).with_name("typed") / "typed_names.py"
    used = re.findall(r"bf\.(\w+)", program.read_text(encoding="utf-8"))
    assert set(used) >= set(bf.__all__)


@pytest.mark.parametrize("module", MODULES)
def test_examples_do_what_they_say_by_themselves(module):
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    said = io.StringIO()
    for example in finder.find(import_module(module), globs={}):
        runner.run(example, out=said.write)
    assert runner.tries
    assert not runner.failures, said.getvalue()


TABLE = RawFile(
    "own.csv", b"text1,text2,score\n" + 8 * b"A dog runs.,A dog ran.,5\nRain falls.,A cat.,1\n"
)
X = np.random.default_rng(0).normal(size=(20, 4))
ROWS = torch.tensor(X)
COSINES, GOLD, SUBSETS = X[:, 0], X[:, 1], ["all"] * len(X)
WHITEN = bf.build_calibrator("whiten").fit(X)
MINILM = bf.resolve_model("minilm")
ENCODER = bf.TransformerEncoder(MINILM)
ENCODER_OPTIONS = dict(model=MINILM, max_length=64, device=None, dtype="float32", batch_tokens=None)
STORE = bf.EmbeddingStore("store")  # below the folder of each test
LAB = bf.Lab(store=STORE, files={"own.csv": TABLE})
RECIPE = bf.Recipe(dataset="own.csv", calibrator="whiten")
WALL = partial(bf.wall, RECIPE.with_(layers="layer:1"), ["identity"], lab=LAB)
TEXTS = ["A dog runs."]

GOOD = {  # a callable, and valid arguments
    bf.build_calibrator: {"spec": "whiten", "seed": 0, "device": None, "n_components": 2},
    bf.load_calibrator: {"path": "saved"},
    bf.save_calibrator: {"calibrator": WHITEN, "path": "saved", "spec": None, "recipe": None},
    bf.export_model: {"calibrator": "saved", "folder": "model", "lab": None},
    bf.Moments.of: {"X": X},
    bf.Moments.of(X).merge: {"other": bf.Moments.of(X)},
    bf.load_corpus: {"dataset": "teaching", "fit_on": "target", "data_dir": None},
    bf.load_dataset: {"dataset": "teaching", "split": "test", "data_dir": None},
    read_table: {"source": TABLE, "columns": None, "scale": (0, 5)},
    bf.resolve_model: {"name": "minilm", "revision": None},
    bf.TransformerEncoder: ENCODER_OPTIONS,
    ENCODER.encode: {"sentences": TEXTS},
    bf.pairwise_cosine: {"a": X, "b": X},
    bf.score_pairs: {"similarity": COSINES, "gold": GOLD, "subsets": SUBSETS},
    Flow: {"n_features": 4, "glow": GlowConfig(), "seed": 0, "dtype": torch.float32},
    fit_flow: {"x": ROWS, "glow": GlowConfig(), "training": TrainingConfig(), "device": "cpu"},
    bf.EmbeddingStore: {"root": None, "limit_bytes": None, "whole_bytes": 0},
    STORE.embed: {"encoder": ENCODER, "sentences": TEXTS, "wanted": [("layer:1", "mean")]},
    bf.Lab: {"store": STORE, "data_dir": None, "device": None, "tables": {}, "files": {}},
    LAB.embed: {"model": "minilm", "sentences": TEXTS, "layers": "layer:1"},
    LAB.vectors: {"recipes": [RECIPE], "sentences": TEXTS},
    LAB.evaluate: {"recipes": [RECIPE]},
    RECIPE.each: {"layers": ["layer:1"], "calibrators": ["identity"]},
    LAB.fit: {"recipe": RECIPE},
    bf.Recipe: bf.Recipe().to_dict(),
    WALL: {"layers": ["layer:1"], "max_rows": 9},
    bf.wall_of: {"spaces": {"raw": X}, "texts": ["A dog runs."] * len(X), "picture": None},
    bf.flow_plane: {"choice": None},
    bf.Recipe.from_dict: {"values": {}},
}
WRONG = [None, 2.5, "no such thing", b"bytes", [[1], [1, 2]], {"a": 1}]


@pytest.mark.parametrize("called", GOOD, ids=lambda called: getattr(called, "__qualname__", "fit"))
def test_an_argument_of_a_wrong_type_gives_a_sentence(called, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in GOOD[called]:
        with pytest.raises(InputError):  # no argument may be this
            called(**{**GOOD[called], name: object()})
        for value in WRONG:
            try:
                called(**{**GOOD[called], name: value})
            except BertFlowError as error:
                assert str(error), (name, value)
