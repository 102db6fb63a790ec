"""A fitted calibrator on disk: a folder of `config.json` and `model.safetensors`, never pickle."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.files import read_folder, write_folder
from bertflow_core.wording import quoted

__all__ = ["load_calibrator", "save_calibrator"]

FORMAT = "bertflow-calibrator-1"


def save_calibrator(
    calibrator: Calibrator, folder: Path, *, spec: str, recipe: Mapping[str, Any] | None = None
) -> None:
    """Write a fitted calibrator as `folder`, replacing a saved one.

    Args:
        calibrator: Fitted.
        folder: The folder to write.
        spec: The text it was built from.
        recipe: What it was fitted with; saved beside it.

    Raises:
        InputError: `folder` exists and holds something else.
        ResourceError: The disk refused.
    """
    config = {
        "format": FORMAT,
        "spec": spec,
        "parameters": calibrator.resolved_parameters(),
        "n_features_in": int(calibrator.n_features_in_),
        "notes": list(calibrator.notes_),
        "recipe": dict(recipe) if recipe is not None else None,
        "versions": {name: version(name) for name in ("bertflow-lab", "torch", "numpy")},
    }
    write_folder(folder, config, calibrator.get_state())


def load_calibrator(folder: Path) -> tuple[Calibrator, dict[str, Any]]:
    """Read a calibrator that `save_calibrator` wrote, and the configuration beside it.

    Raises:
        InputError: The folder is no saved calibrator, or its two files contradict each other.
    """
    config, arrays = read_folder(folder)
    try:
        calibrator = _build(config)
        calibrator.set_state(arrays, config["n_features_in"])
    except InputError as error:
        raise InputError(f"{quoted(folder)} is no valid saved calibrator: {error}") from error
    calibrator.notes_ = tuple(map(str, config.get("notes") or ()))
    return calibrator, config


def _build(config: dict[str, Any]) -> Calibrator:
    if config.get("format") != FORMAT:
        raise InputError(f"expected format {quoted(FORMAT)}, got {quoted(config.get('format'))}")
    spec, n_features = config.get("spec"), config.get("n_features_in")
    if not isinstance(spec, str) or not isinstance(n_features, int) or not 0 < n_features < 1e6:
        raise InputError("config.json lacks a spec or the number of features: save it again")
    parameters = config.get("parameters") or {}
    if not isinstance(parameters, dict) or not isinstance(config.get("notes") or [], list):
        raise InputError("config.json has other parameters or notes: save it again")
    seed = parameters.get("seed")
    return build_calibrator(spec, seed=seed if isinstance(seed, int) else 0, device="cpu")
