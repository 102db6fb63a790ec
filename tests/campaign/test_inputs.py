"""Bad inputs by the thousand, from seeds: each gives a result or one sentence, and soon.

`make campaign` runs them all, the plain run a few of each family. What fails is named by its family
and number; its folder is kept.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from forked_runs import LONGEST, MOST_BYTES, Run, Runner, runner
from hostile_addresses import PAGES, address
from hostile_files import FAMILIES, whole_inputs
from hostile_options import options

COMMAND = """
import torch, transformers, sklearn, scipy.stats, pandas, pyarrow.parquet, plotly.graph_objects
from transformers import AutoModel, AutoTokenizer, BertModel
from bertflow_core.cli import main, evaluate, compare, ledger, embed, fit, calibrate, report
from bertflow_core import experiment
from bertflow_core.studies.words import measure
from bertflow_core.studies.lexical import measure
from bertflow_core.studies.sentences import measure

def run(args):
    try:
        main(args)
    except SystemExit as left:
        return left.code
"""
VISIT = """
import torch, sklearn
from app_pages import open_page
from bertflow_app import services

def run(visit):
    page, query = visit
    shown = open_page(page, **query)
    for error in shown.exception:
        print(error.message, *error.stack_trace, sep=chr(10), file=sys.stderr)
    kinds = ("selectbox", "multiselect", "radio", "select_slider", "number_input", "slider")
    boxes = [box for kind in kinds for box in getattr(shown, kind) if box.key]
    print(json.dumps({box.key: [*getattr(box, "options", ()), str(box.value)] for box in boxes}))
    return 1 if shown.exception else 0
"""
COMMANDS = {**FAMILIES, "options": options}
N_COMMANDS, N_VISITS, N_SLICE, SHOWN = 90, 120, 1, 10
SENTENCE = re.compile(r"bertflow-lab: [^\x00-\x08\x0b-\x1f\x7f-\x9f]{1,2000}\n")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_inputs(tmp_path_factory.mktemp("good"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    here = Path(__file__).parent
    path = [here.parent, here.parent / "app", here]
    return {
        **{k: v for k, v in os.environ.items() if k not in ("BERTFLOW_DATA", "BERTFLOW_DEBUG")},
        "BERTFLOW_CACHE": str(tmp_path_factory.mktemp("cache")),
        "HF_HOME": str(tmp_path_factory.mktemp("home")),
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "STREAMLIT_RUNNER_MAGIC_ENABLED": "false",
    }


@pytest.fixture(scope="module")
def commands(environment: dict[str, str]) -> Iterator[Runner]:
    with runner(COMMAND, environment) as running:
        yield running


def faults(run: Run) -> str:
    """Return what is wrong with how a command ended; nothing where it is as it should be."""
    if run.hangs:
        return f"hangs for {LONGEST} s"
    if run.nbytes > MOST_BYTES:
        return f"takes {run.nbytes >> 20} MB"
    if "Traceback" in run.err or "bertflow-lab: unexpected " in run.err:
        return "breaks"
    if run.code == 0:
        return ""
    if run.code not in (1, 2):
        return f"ends with {run.code}"
    return "" if SENTENCE.fullmatch(run.err) else "says no single sentence"


def try_commands(
    commands: Runner, good: Path, folder: Path, family: str, numbers: range, seed: int
) -> tuple[list[Run], list[str]]:
    """Run a family and return how each run ended, and what was wrong."""
    runs, wrong = [], []
    for i in numbers:
        here = folder / f"{family}-{i}"
        here.mkdir()
        words = COMMANDS[family](Random(f"{seed} {family} {i}"), good, here)
        run = commands.run(words, here)
        runs.append(run)
        if fault := faults(run):
            shown = " ".join(words)[:300]
            wrong.append(f"{here}: {fault}: bertflow-lab {shown!r}: {run.err[-500:]!r}")
    return runs, wrong


@pytest.mark.campaign
@pytest.mark.parametrize("family", COMMANDS)
def test_commands(
    commands: Runner,
    good: Path,
    tmp_path: Path,
    family: str,
    seed: int,
    counted: Callable[[str], None],
) -> None:
    runs, wrong = try_commands(commands, good, tmp_path, family, range(N_COMMANDS), seed)
    codes, most = Counter(run.code for run in runs), max(run.nbytes for run in runs)
    told = ", ".join(f"{codes[code]} with code {code}" for code in sorted(codes))
    counted(f"{N_COMMANDS} inputs ({told}; at most {most >> 20} MB): {len(wrong)} faults")
    assert not wrong, "\n\n".join(wrong[:SHOWN])


@pytest.mark.campaign
def test_addresses(
    environment: dict[str, str], tmp_path: Path, seed: int, counted: Callable[[str], None]
) -> None:
    boxes, wrong = {}, []
    with runner(VISIT, environment) as visits:
        for i in range(-len(PAGES), N_VISITS):  # at first each page as it is
            here = tmp_path / str(i)
            here.mkdir()
            visit = address(Random(f"{seed} address {i}"), boxes) if i >= 0 else (PAGES[i], {})
            run = visits.run(visit, here)
            if run.hangs or run.code or run.nbytes > MOST_BYTES:
                wrong.append(f"{here}: {str(visit)[:300]}: {run.err[-700:]}")
            boxes.setdefault(visit[0], json.loads(run.out.splitlines()[-1]) if not run.code else {})
    counted(f"{N_VISITS} addresses: {len(wrong)} faults")
    assert not wrong, "\n\n".join(wrong[:SHOWN])


@pytest.mark.parametrize("family", COMMANDS)
def test_a_few_commands(commands: Runner, good: Path, tmp_path: Path, family: str) -> None:
    _, wrong = try_commands(commands, good, tmp_path, family, range(N_SLICE), 0)
    assert not wrong, "\n\n".join(wrong[:SHOWN])
