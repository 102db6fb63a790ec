"""Killed at any moment, a command leaves the old or the new under every name, and no half file.

Two kinds of kills: at each change of a name, and (in the campaign) at random moments. Each starts
from the same folder, in a process that is forked from this one, where all is loaded.
"""

import os
import random
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from folder_contents import snapshot
from killing import forked, killed_after, killed_everywhere
from tiny_models import save_tiny_model
from tiny_pairs import write_pairs

from bertflow_core.calibrators.persistence import load_calibrator
from bertflow_core.cli import main
from bertflow_core.files import SCRATCH, exchange

pytestmark = [
    pytest.mark.campaign,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]

LAB = "--model ../model --layers layer:2 --max-length 40 --device cpu"
PAIRS = f"{LAB} --dataset pairs.csv"
FIGURES = f"analyse spectrum {PAIRS} --calibrator whiten --figures figures"
PICTURES = f"{FIGURES} --figure-format svg --figure-format png"
REPORT = f"report --tour {PAIRS} --out t.html"
COMMANDS = {  # command: what was run before, and what is killed
    "fit": (
        f"fit {PAIRS} --calibrator standardize --out c",
        f"fit {PAIRS} --calibrator whiten --out c --force",
    ),
    "fit, new": ("", f"fit {PAIRS} --out made/here/c --calibrator whiten"),
    "calibrate": (
        "calibrate x.npy --calibrator c0 --out y.npy",
        "calibrate x.npy --calibrator c1 --out y.npy --force",
    ),
    "embed": (
        f"embed few.txt {LAB} --out z.npy",
        f"embed many.txt {LAB} --out z.npy --force",
    ),
    "compare": (
        f"compare {PAIRS} --calibrator standardize --bootstrap 100 --out o",
        f"compare {PAIRS} --calibrator whiten --out o",
    ),
    "figures": (FIGURES, f"{FIGURES} --layers last"),
    "pictures": (PICTURES, f"{PICTURES} --layers last"),
    "report": (REPORT, f"{REPORT} --title T"),
    "clear": ("", "data cache --clear"),
}
KILLS = 334
"""Of each command at random moments."""

VARYING = re.compile(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+\.\d+(e-?\d+)?")
"""What two runs of a command write differently: identifiers of figures, and seconds."""

State = dict[str, bytes | None]


@dataclass(frozen=True)
class Case:
    """A command, and the folder before and after it: relative paths with the content of files."""

    words: list[str]
    old: State
    new: State

    def run(self) -> None:
        """Run it to its end."""
        run(self.words)

    def restore(self) -> None:
        """Make the folder what it was, but leave what killed processes left."""
        for path in Path().iterdir():
            if not path.name.startswith(SCRATCH):
                remove(path)
        for name, content in self.old.items():
            write(Path(name), content)

    def check(self) -> None:
        """Look for what is lost, torn or strange."""
        for name in self.old:
            if name.endswith("c/config.json"):
                load_calibrator(Path(name).parent)  # its files fit; what was put aside is back
        found = found_here()
        for name, content in found.items():
            whole = [plain(state[name]) for state in (self.old, self.new) if name in state]
            assert plain(content) in whole, f"{name} is torn or strange"
        lost = self.old.keys() & self.new.keys() - found.keys()
        assert not lost

    def check_end(self) -> None:
        """Look whether a run that nobody killed has written all, and swept what was left."""
        found, whole = found_here(), self.new
        assert found.keys() == whole.keys()
        assert [name for name in whole if plain(found[name]) != plain(whole[name])] == []
        assert not [*Path().rglob(f"{SCRATCH}????????")]


def run(words: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 0, words


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def write(path: Path, content: bytes | None) -> None:
    if content is None:
        path.mkdir(parents=True, exist_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def found_here() -> State:
    """Return what lies here, but for scratch and locks."""
    return {
        name: content
        for name, content in snapshot(Path()).items()
        if not re.search(rf"(^|/)(\.lock|{re.escape(SCRATCH)}[0-9a-f]{{8}})(/|$)", name)
    }


def plain(content: bytes | None) -> bytes | None:
    return None if content is None else VARYING.sub(b"#", content)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of pairs, sentences, vectors, calibrators and a file of the user's; ../model."""
    folder = tmp_path_factory.mktemp("start") / "here"
    save_tiny_model(folder.parent / "model", "bert")
    folder.mkdir()
    write_pairs(folder / "pairs.csv")
    for name, n in (("few", 40), ("many", 200)):
        lines = (f"the cat sat on {i} mats" + " big" * (i % 7) for i in range(n))
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("BERTFLOW_CACHE", "cache")
        run(f"embed few.txt {LAB} --out x.npy".split())
        for number, name in enumerate(("standardize", "whiten")):
            run(f"fit {PAIRS} --calibrator {name} --out c{number}".split())
    return folder


@pytest.fixture(autouse=True)
def _no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pictures be what they show, in place of what a browser of several processes draws."""
    kaleido = pytest.importorskip("kaleido")
    monkeypatch.setattr(kaleido, "start_sync_server", lambda **_: None)
    monkeypatch.setattr(kaleido, "stop_sync_server", lambda: None)
    monkeypatch.setattr(
        kaleido, "calc_fig_sync", lambda figure, of: f"{of['format']} {figure.to_json()}".encode()
    )


@pytest.fixture
def case(
    request: pytest.FixtureRequest,
    start: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Case:
    """The command of the test's parameter, in a folder of its own."""
    here = tmp_path / "here"
    shutil.copytree(start, here)
    (tmp_path / "model").symlink_to(start.parent / "model")
    monkeypatch.chdir(here)
    monkeypatch.setenv("BERTFLOW_CACHE", "cache")
    before, words = COMMANDS[request.param]
    if before:
        run(before.split())
    old = found_here()
    run(words.split())
    return Case(words.split(), old, found_here())


@pytest.mark.parametrize("case", COMMANDS, indirect=True)
@pytest.mark.parametrize("exchanges", [True, False], ids=["in one step", "in two steps"])
def test_at_every_change_of_a_name(case, exchanges, monkeypatch, counted):
    if not exchanges:
        monkeypatch.setattr(exchange, "_renameat2", lambda: None)
    case.restore()
    n_kills = -1  # the last run is not killed
    for _ in killed_everywhere(case.run):
        n_kills += 1
        case.check()
        case.restore()
    assert n_kills > 4
    case.run()
    case.check_end()
    counted(f"{n_kills} kills, nothing lost")


@pytest.mark.parametrize("case", ["embed", "fit", "compare"], indirect=True)
def test_at_random_moments(case, seed, counted):
    draws = random.Random(seed)
    case.restore()
    began = time.monotonic()
    assert forked(case.run) == 0
    seconds = time.monotonic() - began
    n_runs = n_kills = 0
    while n_kills < KILLS:
        case.restore()
        n_runs += 1
        n_kills += killed_after(draws.uniform(0, seconds), case.run)
        case.check()
    case.restore()
    case.run()
    case.check_end()
    counted(f"{n_kills} kills in {n_runs} runs, nothing lost")
