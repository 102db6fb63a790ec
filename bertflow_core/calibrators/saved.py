"""A fitted calibrator on disk: one `.safetensors` file with its configuration, never pickle."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bertflow_core.arguments import checked
from bertflow_core.arrays.saved import check_saved, read_saved, write_saved
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.pipeline import CalibratorPipeline
from bertflow_core.calibrators.spec import Spec
from bertflow_core.errors import InputError, listed
from bertflow_core.wording import quoted

FORMAT = "bertflow-calibrator-1"
_FIELDS: dict[str, type] = {
    "format": str,
    "spec": str,
    "parameters": dict,
    "n_features_in": int,
    "notes": list,
    "recipe": object,  # checked by the code that embeds with it
    "versions": dict,
}


@checked
def save_calibrator(
    calibrator: Calibrator,
    path: Path | str,
    *,
    spec: str | None = None,
    recipe: Mapping[str, Any] | None = None,
) -> Path:
    """Write a fitted calibrator as one file, replacing a saved one, and return the file's path.

    Args:
        calibrator: The fitted calibrator.
        path: The file to write; `.safetensors` is added if the name does not end in it.
        spec: The spec from which it was built; None takes `calibrator.spec`.
        recipe: The recipe of the fit, which is saved too.

    Raises:
        InputError: The file exists and is something else, or `spec` builds another calibrator.
        ResourceError: The disk failed.

    Example:
        >>> import tempfile
        >>> import numpy as np
        >>> from bertflow_core import build_calibrator, save_calibrator
        >>> x = np.random.default_rng(0).normal(size=(50, 4))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_calibrator(build_calibrator("whiten").fit(x), f"{folder}/whiten").name
        'whiten.safetensors'
    """
    arrays = calibrator.get_state()
    made, parameters = Spec(spec or calibrator.spec), calibrator.resolved_parameters()
    _as_saved(made, parameters)
    config = {
        "format": FORMAT,
        "spec": made,
        "parameters": parameters,
        "n_features_in": int(calibrator.n_features_in_),
        "notes": list(calibrator.notes_),
        "recipe": dict(recipe) if recipe is not None else None,
        "versions": {name: version(name) for name in ("bertflow-lab", "torch", "numpy")},
    }
    check_saved(Path(path), force=True)
    return write_saved(Path(path), config, arrays)


@checked
def load_calibrator(path: Path | str) -> tuple[Calibrator, dict[str, Any]]:
    """Read a calibrator that `save_calibrator` wrote, and the configuration in its file.

    Args:
        path: The file, with or without `.safetensors`.

    Raises:
        InputError: The file is not a saved calibrator, or its arrays contradict its configuration.

    Example:
        >>> import tempfile
        >>> import numpy as np
        >>> from bertflow_core import build_calibrator, load_calibrator, save_calibrator
        >>> x = np.random.default_rng(0).normal(size=(50, 4))
        >>> whiten = build_calibrator("whiten").fit(x)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again, config = load_calibrator(save_calibrator(whiten, f"{folder}/whiten"))
        >>> config["spec"], bool((again.transform(x) == whiten.transform(x)).all())
        ('whiten', True)
    """
    config, arrays = read_saved(Path(path))
    try:
        _check_config(config)
        calibrator = _as_saved(Spec(config["spec"]), config["parameters"])
        calibrator.set_state(arrays, config["n_features_in"])
    except InputError as error:
        raise InputError(f"{quoted(path)} is not a valid saved calibrator: {error}") from error
    calibrator.notes_ = tuple(map(str, config["notes"]))
    return calibrator, config


def _check_config(config: Mapping[str, Any]) -> None:
    if config.get("format") != FORMAT:
        raise InputError(f"expected format {FORMAT!r}, got {quoted(config.get('format'))}")
    wrong = sorted(config.keys() ^ _FIELDS.keys()) or [
        name for name, kind in _FIELDS.items() if not isinstance(config[name], kind)
    ]
    if wrong or not 0 < config["n_features_in"] < 1e6:
        wrong = wrong or ["n_features_in"]
        raise InputError(f"its configuration has no valid {listed(wrong)}: save it again")


def _as_saved(spec: Spec, parameters: dict[str, Any]) -> Calibrator:
    """Build the calibrator that a spec and saved parameters describe; both must agree.

    Seeds that the spec does not name come from the parameters.
    """
    calibrator = spec.build(device="cpu")
    parts, saved = [calibrator], [parameters]
    if isinstance(calibrator, CalibratorPipeline):
        steps = parameters.get("steps")
        parts, saved = [*calibrator.steps], steps if isinstance(steps, list) else []
    for part, step, values in zip(parts, spec.steps, saved, strict=False):
        for each in part.parameters() if isinstance(values, dict) else ():
            is_open = each.name == "seed" and "seed" not in step.options
            if is_open and each.is_valid(values.get("seed")):
                part.seed = values["seed"]
    expected = calibrator.resolved_parameters()
    if expected != parameters:
        raise InputError(
            f"the parameters are not those of {quoted(calibrator.spec)}: expected "
            f"{quoted(expected)}, got {quoted(parameters)}"
        )
    return calibrator
