"""Check that rewritten code still gives the same numbers: rerun commands whose output is stored.

`python -m benchmarks.same_numbers FOLDER` reads the files FOLDER/NAME.json. Each is
`{"command", "output"}` with the JSON that the command printed; `--record` reruns the commands and
stores their output. Words may change; numbers may not, beyond the tolerances below. A number under
a new key is found by its value; missing numbers are listed. `NOW`, `RENAMED` and `GONE` hold
what was renamed and removed on purpose. Commands that name calibrators of
`examples/more-calibrators` need that package, for example in a folder in PYTHONPATH.
"""

import argparse
import json
import math
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core import Lab

CLOSED_FORM = 1e-4
"""Absolute (0.01 of rho x 100) or relative tolerance."""

FLOW = 3e-3, 0.05
"""Absolute (0.3 points of rho x 100) and relative tolerance; flows differ by rounding."""

FLOW_DEGREES = 5.0
"""Tolerance for the angles of single sentences under a flow."""

DRAWN = 0.02, 0.1
"""Absolute and relative tolerance for p-values and interval bounds, whose draws may differ."""

NOT_COMPARED = {"fingerprint", "recipe", "protocol", "seconds", "fit_seconds", "seed", "versions"}
Numbers = dict[tuple[str, ...], int | float]

NOW = {
    "analyse layers": "analyse sentences "
    + " ".join(f"--layers layer:{k}" for k in range(7))
    + " --calibrator identity --calibrator flow",
    "analyse layer-map": "analyse layers",
    "analyse reading": "analyse layers --tokens mean --tokens mean-content --tokens last "
    "--template '{text}' --template 'This sentence: \"{text}\" means in one word: \"'",
    "analyse flow-layers": "analyse cone --calibrator flow",
    "analyse spectrum": "analyse sentences --parts cloud",
    "analyse sweep": "analyse tune",
    "analyse tuned": "analyse tune",
    "analyse tasks": "evaluate --dataset captions --dataset questions --layers model",
    "lab compare": "lab evaluate",
    " --bootstrap 2000": "",
}
"""The words that give the numbers of a former command."""

RENAMED = {
    "permuted_cosine": "mean_cosine_reference",
    "held_out_iso_score": "iso_score_reference",
    "held_out_partition_isotropy": "partition_isotropy_reference",
    "log_density_samples": "log_density_real_reference",
}
"""Fields under another name."""

GONE = {
    *("rank", "participation_ratio", "top_3_share", "top_10_share", "top_50_share"),
    *("two_nn_both_sides", "levina_bickel", "levina_bickel_both_sides"),
    *("held_out_mean_cosine", "held_out_iso_score_expected", "held_out_iso_ratio"),
    *("mardia_skewness", "mardia_skewness_expected", "mardia_kurtosis"),
    *("mardia_kurtosis_expected", "mardia_kurtosis_sd", "energy", "energy_floor"),
    *("norm_ks", "norm_p_value", "norm_mean", "norm_mean_expected", "sample_distance_ratio"),
    *("log_density_real_midpoints", "log_density_sample_midpoints", "n_rows"),
}
"""Fields that no command prints any more; they are not reported as missing."""

BOUNDS = {"interval", "low", "high", "half_width", "p_value", "holm", "p"}
LABELS = ("layers", "tokens", "spec", "calibrator", "by", "row", "column", "pair")


def main() -> None:
    """Compare or record, and exit with 1 if a number differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_numbers", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="files to use; by default all")
    parser.add_argument("--record", action="store_true", help="store what the commands print now")
    options = parser.parse_args()
    paths = [options.folder / f"{name}.json" for name in options.names]
    failed = 0
    for path in paths or sorted(options.folder.glob("*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        output = vectors(kept) if "sentences" in kept else run(kept["command"])
        if options.record:
            text = json.dumps({**kept, "output": output}, indent=1, allow_nan=False)
            path.write_text(text, encoding="utf-8")
        else:
            failed += not compare(path.stem, kept["output"], output)
    sys.exit(bool(failed))


def run(command: str) -> Any:  # noqa: ANN401 - JSON
    """Return the JSON that a command of `bertflow-lab` prints."""
    for former, now in NOW.items():
        command = command.replace(former, now)
    _, *words = shlex.split(command)
    code = "from bertflow_core.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else {"failed": done.stderr[-300:]}


def compare(name: str, before: Any, after: Any) -> bool:  # noqa: ANN401 - JSON
    """Print the differences, and return whether there are none."""
    old, new = dict(numbers(before)), dict(numbers(after))
    found = {path: new[path] for path in old.keys() & new.keys()}
    shared = len(found)
    found |= moved(old, new)
    faults = [
        f"{'/'.join(path)}: {old[path]:g} -> {value:g}"
        for path, value in found.items()
        if not math.isclose(old[path], value, **tolerance(path, old[path]))
    ]
    gone = {path for path in old.keys() - found.keys() if not GONE & {*path}}
    missing = sorted({"/".join(step for step in path if not step.isdigit()) for path in gone})
    print(
        f"{name}: {shared:,} numbers compared, {len(found) - shared:,} more under another path, "
        f"{len(faults)} differ, {len(gone):,} numbers of {len(missing)} kinds missing"
    )
    for text in [*faults[:8], *(f"missing: {each}" for each in missing[:8])]:
        print(f"    {text}")
    if isinstance(after, dict) and "failed" in after:
        print(f"    {after['failed']}")
    return bool(found) and not faults


def moved(old: Numbers, new: Numbers) -> Numbers:
    """Find numbers whose path in the JSON has changed, by the end of the path or by value."""
    ends: dict[tuple[str, ...], list[int | float]] = {}
    for path, value in new.items():
        for n in (3, 4):
            ends.setdefault(path[-n:], []).append(value)
    values, found = np.array([*new.values()]), {}
    for path in old.keys() - new.keys():
        like = [ends.get(path[-n:], []) for n in (4, 3)]
        if one := [each[0] for each in like if len(each) == 1]:
            found[path] = one[0]
        elif np.isclose(values, old[path], rtol=1e-7, atol=0).any():
            found[path] = old[path]
    return found


def vectors(kept: dict[str, Any]) -> list[dict[str, Any]]:
    """Return norms and first features of embeddings under the stored layer sets and poolings."""
    rows = []
    for row in kept["output"]:
        choice = {key: row[key] for key in ("layers", "tokens") if row[key] is not None}
        x = Lab().embed("minilm", kept["sentences"], **choice)
        norm = np.linalg.norm(x, axis=1).tolist()
        rows.append({**row, "first8": x[:, :8].tolist(), "norm": norm})
    return rows


def numbers(
    node: Any,  # noqa: ANN401 - JSON
    path: tuple[str, ...] = (),
) -> Iterator[tuple[tuple[str, ...], int | float]]:
    """Yield each number below a node with its path of keys and labels, such as calibrators."""
    if isinstance(node, dict):
        labels = [str(node[key]) for key in LABELS if isinstance(node.get(key), str | int)]
        if isinstance(node.get("recipe"), dict):
            labels.append(str(node["recipe"].get("calibrator")))
        within = *path, *dict.fromkeys(labels)
        for key, each in node.items():
            if key not in NOT_COMPARED:
                own = () if key == "measures" else (RENAMED.get(key, str(key)),)
                yield from numbers(each, (*within, *own))
    elif isinstance(node, list):
        for place, each in enumerate(node):
            yield from numbers(each, (*path, str(place)))
    elif isinstance(node, int | float) and not isinstance(node, bool):
        yield path, node


def tolerance(path: tuple[str, ...], value: int | float) -> dict[str, float]:
    """Return how far a number may differ from the stored one."""
    if BOUNDS & {*path}:
        absolute, relative = DRAWN
    elif any("flow" in step for step in path):
        absolute, relative = FLOW
        if any(step.endswith(("angles", "azimuths")) for step in path):
            absolute = FLOW_DEGREES
    else:
        absolute = relative = CLOSED_FORM
    if isinstance(value, int) and absolute == CLOSED_FORM:
        absolute = relative = 0.0  # a count
    return {"abs_tol": absolute, "rel_tol": relative}


if __name__ == "__main__":
    main()
