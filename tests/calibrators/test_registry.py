"""The declarations of calibrator classes, and the specs that name them."""

import copy
import inspect
import json
import pickle
import subprocess
import sys
from dataclasses import asdict, replace

import pytest

from bertflow_core.calibrators import CALIBRATORS, Spec, build_calibrator
from bertflow_core.calibrators.spec import offered_specs
from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import Recipe


@pytest.mark.parametrize("name", CALIBRATORS)
def test_a_class_describes_itself(name):
    kind = CALIBRATORS[name]
    assert kind.name == name
    assert kind.plain and kind.formula and kind.source and kind.invertible and kind.density
    signature = inspect.signature(kind).parameters
    about_the_run = {"device", "share"}
    assert {each.name for each in kind.parameters()} == set(signature) - about_the_run
    for each in kind.parameters():
        assert each.default == signature[each.name].default
        assert type(each.default) in (each.kind, type(None))
        assert list(each.tried) == sorted(set(each.tried))
        for value in (each.default, *each.tried):
            each.check(value)
        assert each.help.endswith(".")
        value = next((text for text in each.choices if text != each.default), None)
        value = value or ("0.5" if each.kind is float else "7")
        assert value in Spec(f"{name}:{each.name}={value}").words
    for preset in kind.presets:
        for key, value in preset.values.items():
            kind.parameter(key).check(value)
        resolved = build_calibrator(f"{name}:preset={preset.name}").resolved_parameters()
        assert resolved == {**build_calibrator(name).resolved_parameters(), **preset.values}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        *((spec, "not of the form") for spec in ("", "flow:", "flow:lr", "flow:lr=", "flow+")),
        ("FLOW", "not of the form"),
        ("flow:lr=1,lr=2", "an option twice"),
        ("x" * 501, "longer than 500"),
        ("whitening", "did you mean whiten"),
        ("flow:learning=1", "no parameter 'learning'"),
        ("identity:k=1", "takes no parameters"),
        ("null-top-k:k=1.5", "a whole number from 0"),
        ("null-top-k:k=-1", "from 0"),
        ("null-top-k:k=none", "a whole number"),
        ("whiten:shrinkage=nan", "a number from 0 to 1"),
        ("flow:lr=0", "above 0"),
        ("flow:permutation=linear", "one of random, reversal"),
        ("flow:preset=papers", "unknown preset of flow"),
        ("whiten:preset=paper", "no parameter 'preset'"),
    ],
)
def test_a_wrong_spec_gets_a_sentence(spec, words):
    for read in (build_calibrator, Spec):
        with pytest.raises(InputError, match=words):
            read(spec)


def test_the_presets_are_what_the_paper_and_its_code_say():
    """Section 3.2, Table 7 and Appendix B of Li et al. (2020), and the released code."""
    paper, code, nli = (
        build_calibrator(f"flow:preset={name}").resolved_parameters()
        for name in (preset.name for preset in CALIBRATORS["flow"].presets)
    )
    assert paper == {
        **{"permutation": "random", "n_levels": 2, "depth": 3},
        **{"coupling_width": 32, "lr": 1e-3, "epochs": 1.0},
        # "The optimizer that we use is Adam": no decay and no clipping are named.
        **{"weight_decay": 0.0, "clip_norm": None, "bias_correction": "yes"},
        **{"batch_size": 64, "initialization": "data", "seed": 0},  # what it leaves open
    }
    assert paper == build_calibrator("flow").resolved_parameters()  # chosen on dev
    assert nli == {**paper, "lr": 2e-5, "epochs": 0.15}
    assert code == {
        **paper,
        **{"n_levels": 3, "permutation": "reversal", "initialization": "random"},
        **{"weight_decay": 0.01, "clip_norm": 0.5, "bias_correction": "no"},
    }


def test_the_seed_goes_to_steps_that_draw_and_were_given_none():
    assert build_calibrator("flow", seed=7).seed == 7
    assert build_calibrator("flow:seed=3", seed=7).seed == 3
    assert build_calibrator("standardize+flow", seed=7).steps[1].seed == 7
    for spec in ("flow", "standardize+flow:seed=none", "flow:preset=nli"):
        assert Spec(spec).takes_seed
    for spec in ("flow:seed=3", "whiten+null-top-k:k=2"):
        assert not Spec(spec).takes_seed


@pytest.mark.parametrize(
    ("spec", "name", "value", "expected"),
    [
        ("null-top-k", "k", 6, "null-top-k:k=6"),
        ("whiten:n_components=4,shrinkage=0.5", "n_components", None,
         "whiten:n_components=none,shrinkage=0.5"),
        ("standardize+null-top-k:k=6", "k", 3, "standardize+null-top-k:k=3"),
        ("flow:lr=0.1+whiten", "lr", 1e-5, "flow:lr=1e-05+whiten"),
    ],
)  # fmt: skip
def test_one_option_is_set_and_the_others_stay(spec, name, value, expected):
    assert Spec(spec).set(name, value) == expected
    built = build_calibrator(spec, **{name: value})
    steps = getattr(built, "steps", [built])
    assert [s.get_params()[name] for s in steps if name in s.get_params()] == [value]


def test_a_spec_is_its_text_and_is_parsed_once(monkeypatch):
    spec = Spec("standardize+null-top-k:k=6")
    assert (spec, json.dumps([spec]), {spec: 1}["standardize+null-top-k:k=6"]) == (
        *("standardize+null-top-k:k=6", '["standardize+null-top-k:k=6"]'),
        1,
    )
    recipe = Recipe(calibrator=spec)
    copies = [*map(pickle.loads, map(pickle.dumps, (spec, recipe.spec))), copy.copy(spec)]
    assert all(each == spec and each.steps == spec.steps for each in copies)
    monkeypatch.setattr("bertflow_core.calibrators.spec._steps_of", None)  # nothing parses again
    again = replace(recipe, seed=1).with_(dataset="teaching")
    of_dict = asdict(again)["calibrator"]
    assert all(each is spec for each in (Spec(spec), again.spec, copy.deepcopy(spec), of_dict))
    assert type(again.to_dict()["calibrator"]) is str  # YAML would name the class


def test_a_bare_name_imports_no_class():
    code = "import sys; from bertflow_core.calibrators import Spec; Spec('flow+whiten')"
    code += "; print('bertflow_core.calibrators.base' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_what_forms_offer_is_valid_and_complete():
    assert {spec.steps[-1].name for spec in offered_specs()} == CALIBRATORS.keys() - {"identity"}
