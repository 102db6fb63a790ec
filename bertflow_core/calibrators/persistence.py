"""A fitted calibrator on disk: one `.safetensors` file with its configuration, never pickle."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from types import NoneType
from typing import Any

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.catalog import calibrator_info
from bertflow_core.calibrators.pipeline import CalibratorPipeline
from bertflow_core.calibrators.spec import parse_spec
from bertflow_core.errors import InputError, check_type, listed
from bertflow_core.files import PATHS, check_saved, read_saved, write_saved
from bertflow_core.wording import quoted

__all__ = ["load_calibrator", "save_calibrator"]

FORMAT = "bertflow-calibrator-1"
_FIELDS: dict[str, type] = {
    "format": str,
    "spec": str,
    "parameters": dict,
    "n_features_in": int,
    "notes": list,
    "recipe": object,  # checked by who embeds with it
    "versions": dict,
}


def save_calibrator(
    calibrator: Calibrator,
    path: Path | str,
    *,
    spec: str | None = None,
    recipe: Mapping[str, Any] | None = None,
) -> Path:
    """Write a fitted calibrator as one file, replacing a saved one, and return the file's path.

    Args:
        calibrator: Fitted.
        path: The file to write; `.safetensors` is added where the name does not end so.
        spec: The text it was built from; None takes `calibrator.spec`.
        recipe: What it was fitted with; saved beside it.

    Raises:
        InputError: The file exists and is something else, or `spec` builds another calibrator.
        ResourceError: The disk refused.

    Example:
        >>> import tempfile
        >>> import numpy as np
        >>> from bertflow_core import build_calibrator, save_calibrator
        >>> x = np.random.default_rng(0).normal(size=(50, 4))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_calibrator(build_calibrator("whiten").fit(x), f"{folder}/whiten").name
        'whiten.safetensors'
    """
    check_type(calibrator, Calibrator, "what is saved", "a calibrator")
    check_type(path, PATHS, "path", "a path")
    check_type(recipe, (Mapping, NoneType), "recipe", "a mapping, as Recipe.to_dict gives it")
    arrays = calibrator.get_state()
    spec, parameters = spec or calibrator.spec, calibrator.resolved_parameters()
    _build_same(spec, parameters)
    config = {
        "format": FORMAT,
        "spec": spec,
        "parameters": parameters,
        "n_features_in": int(calibrator.n_features_in_),
        "notes": list(calibrator.notes_),
        "recipe": dict(recipe) if recipe is not None else None,
        "versions": {name: version(name) for name in ("bertflow-lab", "torch", "numpy")},
    }
    check_saved(Path(path), force=True)
    return write_saved(Path(path), config, arrays)


def load_calibrator(path: Path | str) -> tuple[Calibrator, dict[str, Any]]:
    """Read a calibrator that `save_calibrator` wrote, and the configuration in its file.

    Args:
        path: The file, with or without `.safetensors`, or a folder that an earlier version wrote.

    Raises:
        InputError: It is no saved calibrator, or its arrays contradict its configuration.

    Example:
        >>> import tempfile
        >>> import numpy as np
        >>> from bertflow_core import build_calibrator, load_calibrator, save_calibrator
        >>> x = np.random.default_rng(0).normal(size=(50, 4))
        >>> whiten = build_calibrator("whiten").fit(x)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = save_calibrator(whiten, f"{folder}/whiten")
        ...     again, config = load_calibrator(f"{folder}/whiten")
        >>> config["spec"], bool((again.transform(x) == whiten.transform(x)).all())
        ('whiten', True)
    """
    check_type(path, PATHS, "path", "a path")
    config, arrays = read_saved(Path(path))
    try:
        calibrator = _build(config)
        calibrator.set_state(arrays, config["n_features_in"])
    except InputError as error:
        raise InputError(f"{quoted(path)} is no valid saved calibrator: {error}") from error
    calibrator.notes_ = tuple(map(str, config["notes"]))
    return calibrator, config


def _build(config: dict[str, Any]) -> Calibrator:
    """Build the calibrator of the spec, if all else in the configuration agrees with it."""
    if config.get("format") != FORMAT:
        raise InputError(f"expected format {FORMAT!r}, got {quoted(config.get('format'))}")
    strange = sorted(config.keys() ^ _FIELDS.keys())
    if strange:
        raise InputError(f"its configuration must have the fields of one, not {listed(strange)}")
    for name, kinds in _FIELDS.items():
        if not isinstance(config[name], kinds) or isinstance(config[name], bool):
            raise InputError(f"its configuration has no valid {name}: save it again")
    spec, parameters = config["spec"], config["parameters"]
    if not 0 < config["n_features_in"] < 1e6:
        raise InputError("its configuration has no valid n_features_in: save it again")
    return _as_saved(spec, parameters)


def _build_same(spec: str, parameters: dict[str, Any]) -> Calibrator:
    """Build the calibrator of a spec, if it has these parameters."""
    return _if_same(build_calibrator(spec, seed=_seed(spec, parameters), device="cpu"), parameters)


def _if_same(calibrator: Calibrator, parameters: dict[str, Any]) -> Calibrator:
    expected = calibrator.resolved_parameters()
    if expected != parameters:
        raise InputError(
            f"the parameters are not those of {quoted(calibrator.spec)}: expected "
            f"{quoted(expected)}, got {quoted(parameters)}"
        )
    return calibrator


def _as_saved(spec: str, parameters: dict[str, Any]) -> Calibrator:
    """Build the calibrator of a spec, with the saved value of all that the spec does not name.

    A default, or a preset, may have changed since it was saved.
    """
    calibrator = build_calibrator(spec, device="cpu")
    parts, saved = [calibrator], [parameters]
    if isinstance(calibrator, CalibratorPipeline):
        steps = parameters.get("steps")
        parts, saved = [*calibrator.steps], steps if isinstance(steps, list) else []
    for part, step, values in zip(parts, parse_spec(spec), saved, strict=False):
        if not isinstance(values, dict):
            continue
        info, named = calibrator_info(step.name), dict(step.options)
        left = [p for p in info.parameters if p.name not in named and p.name in values]
        for parameter in left:
            value = values[parameter.name]
            if parameter.is_valid(value):  # any other is refused below
                part.set_params(**{parameter.name: value})
    return _if_same(calibrator, parameters)


def _seed(spec: str, parameters: dict[str, Any]) -> int:
    """Return the seed that the steps were given whose text names none; 0 where there is none."""
    steps = parameters.get("steps", [parameters])
    if not isinstance(steps, list):
        return 0
    for step, values in zip(parse_spec(spec), steps, strict=False):
        seed = values.get("seed") if isinstance(values, dict) else None
        if "seed" not in dict(step.options) and type(seed) is int and seed >= 0:
            return seed
    return 0
