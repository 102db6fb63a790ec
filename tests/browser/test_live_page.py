"""The live page: its networks compute what the calibrators do, and a browser runs them offline."""

import shutil
import warnings
from contextlib import ExitStack
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest
import torch
from bertflow_benchmarks.live import live_page
from lab_pages import follow, wait_for
from scipy.stats import spearmanr

import bertflow_core as bf
from bertflow_core.analysis.isotropy import directions
from bertflow_core.calibrators import build_calibrator
from bertflow_core.cli import main
from bertflow_core.errors import ResourceError
from bertflow_core.evaluation import cosine_matrix
from bertflow_core.exhibits.site import live
from bertflow_core.figures.cone import on_sphere

SENTENCES = (
    "A man is playing a guitar.",
    "Someone plays an instrument.",
    "The bridge was closed for repairs.",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The live page under a path of a plain file server."""
    for module in ("onnx", "onnxruntime", "onnxscript"):
        pytest.importorskip(module, reason=f"{module} of the extra live is not installed")
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    with ExitStack() as served:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # none of the exporters' reaches whoever builds a site
            address = served.enter_context(
                live_page(tmp_path_factory.mktemp("live"), path="any/path")
            )
        yield address


@pytest.fixture
def page(browser, address):
    """A tab that is open on the page and may ask only for what lies beside it."""
    page, strange = follow(browser.new_page()), []
    page.set_viewport_size({"width": 390, "height": 844})
    root = address.rpartition("/")[0]
    page.on("request", lambda r: r.url.startswith(root) or strange.append(r.url))
    page.on("pageerror", lambda error: strange.append(str(error)))
    page.on("console", lambda m: m.type in ("error", "warning") and strange.append(m.text))
    yield page
    page.close()
    assert strange == []


def shown(page):
    """Return the cosine of each pair in each of the three tables."""
    tables = page.locator(".live table").all()
    return [
        [float(each) for each in table.locator("[data-pair]").all_inner_texts()] for table in tables
    ]


@pytest.mark.gate
def test_typed_sentences_get_the_real_encoders_cosines(page, address, faults):
    page.goto(f"{address}#calibrator=flow")
    page.locator(".live[data-state=ready]").wait_for()
    lines = page.get_by_role("textbox")
    for number in range(6):
        lines.nth(number).fill("")
    for number, sentence in enumerate(SENTENCES):
        lines.nth(number).fill(sentence)
    page.wait_for_url("**repairs.*calibrator=flow")
    wait_for(lambda: page.locator(".live [data-pair]").count() == 9)
    lab = bf.Lab()
    x = lab.embed("minilm", SENTENCES, layers="layer:4", tokens="mean", max_length=64)
    flow = lab.fit(bf.Recipe(calibrator="flow")).calibrator
    for found, z in zip(
        shown(page), (x, flow.transform(x), lab.embed("minilm", SENTENCES)), strict=True
    ):
        unit = z / np.linalg.norm(z, axis=1, keepdims=True)
        expected = (unit @ unit.T)[[1, 2, 2], [0, 0, 1]]
        np.testing.assert_allclose(found, expected, atol=0.035)  # as its notes say, and rounded

    page.locator(".spheres").press("ArrowRight")
    assert page.locator(".live td.marked").count() == 3
    assert page.locator(".pair").inner_text() == f"“{SENTENCES[0]}” and “{SENTENCES[2]}”"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []

    page.goto(f"{page.url}&hide=examples,sentences")
    page.reload()
    page.locator(".live[data-state=ready]").wait_for()
    assert not page.get_by_role("button", name="Negation").is_visible()
    assert not page.get_by_role("textbox").first.is_visible()
    assert shown(page)[0][0] > shown(page)[0][1]


@pytest.mark.gate
@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_what_is_typed_and_two_spheres_share_a_screen(page, address, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.goto(address)
    page.locator(".live[data-state=ready]").wait_for()
    places = [*page.get_by_role("textbox").all()[:7], *page.locator(".live canvas").all()[:2]]
    boxes = [place.bounding_box() for place in places]
    assert all(box["y"] + box["height"] <= size[1] for box in boxes)
    assert boxes[-1]["width"] > 150


@pytest.mark.gate
def test_the_page_loads_less_than_25_megabytes(page, address):
    page.goto(address)
    page.locator(".live[data-state=ready]").wait_for()
    files = page.evaluate("JSON.parse(atob(document.querySelector('#payload').textContent)).files")
    assert sum(files.values()) < 25_000_000


@pytest.mark.gate
def test_without_webassembly_the_recorded_examples_work(page, address):
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(address)
    page.get_by_text("this browser has no WebAssembly").wait_for()
    page.get_by_role("button", name="Negation").click()
    assert page.locator(".pair").inner_text().startswith("“The bakery is open on Sundays.”")
    assert [len(cosines) for cosines in shown(page)] == [15, 15, 15]
    page.get_by_role("textbox").first.fill(SENTENCES[0])
    page.get_by_text("Only the recorded examples are compared here.").wait_for()


def test_the_exported_spaces_are_those_of_the_calibrators():
    x = np.random.default_rng(0).normal(1, 1, (400, 12)).astype(np.float32)
    calibrators = [
        build_calibrator(spec).fit(x) for spec in ("identity", "flow:epochs=2", "whiten")
    ]
    z = [calibrator.transform(x) for calibrator in calibrators]
    frames = [directions(each) for each in z]
    with torch.inference_mode():
        cosines, places = live._Spaces(calibrators, frames)(*2 * [torch.from_numpy(x)])
    for each, frame, cosine, place in zip(z, frames, cosines, places, strict=True):
        unit = each / np.linalg.norm(each, axis=1, keepdims=True)
        np.testing.assert_allclose(cosine, unit @ unit.T, atol=1e-4)
        expected = np.transpose(on_sphere(frame.angles, frame.azimuths))
        np.testing.assert_allclose(place, expected, atol=2e-3)


@pytest.mark.parametrize(
    ("spread", "noise", "refused"),
    [
        (1.0, 0.0, ""),
        (1.0, 0.001, ""),
        (1.0, 1.0, r"vectors 0\.[0-8]\d+ on average"),  # other vectors
        (0.02, 0.03, r"vectors 0\.999\d on average"),  # another order of pairs that are alike
    ],
)
def test_networks_that_differ_from_the_encoder_make_no_page(spread, noise, refused):
    rng, n = np.random.default_rng(0), 60
    gold, first = rng.uniform(0, 5, n), rng.normal(size=(n, 16))
    second = first + spread * rng.normal(size=(n, 16))
    similarity = bf.pairwise_cosine(first, second)
    pairs = MagicMock(gold=gold)
    pairs.__len__.return_value = n
    space = SimpleNamespace(
        embedded=SimpleNamespace(data=pairs, x_first=first, x_second=second),
        similarity=similarity,
        rho=spearmanr(similarity, gold).statistic,
    )
    interleaved = np.stack([first, second], 1).reshape(2 * n, 16)
    vectors = interleaved + noise * rng.normal(size=(2 * n, 16))
    networks = SimpleNamespace(
        encode=lambda _: [vectors, vectors],
        place=lambda middle, last: (np.stack([cosine_matrix(x, x) for x in (middle, last)]), None),
    )
    spaces = {"layer:4, identity": space, "plain output": space}
    if refused:
        with pytest.raises(ResourceError, match=f"differ too much.*{refused}.*0\\.99.*0\\.5"):
            live.agreement_notes(spaces, networks)
    else:
        _, *lines = live.agreement_notes(spaces, networks)
        assert len(lines) == 2
        assert all(f"real encoder {100 * space.rho:.2f}" in line for line in lines)


def test_the_page_names_the_sentences_on_which_its_maps_were_fitted(tmp_path, monkeypatch):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("".join(f"The sentence of line {i}.\n" for i in range(40)))
    networks = SimpleNamespace(encode=lambda _: (), place=lambda *_: (np.zeros(1), np.zeros(1)))
    for name, stub in {
        **{"_install": lambda _: None, "agreement_notes": lambda *_: []},
        **{"Networks": lambda *_: networks, "DEFAULT_SPECS": ("null-top-k:k=6",)},
    }.items():
        monkeypatch.setattr(live, name, stub)
    recipe = bf.Recipe(dataset="teaching", layers="layer:4", fit_on=str(corpus))
    page = live.make_live(recipe, bf.Lab(), tmp_path / "live")
    assert "Fitted on 40 sentences of corpus.txt." in page.html


@pytest.mark.parametrize(
    "words, said",
    [
        (("--layers", "model"), "--live shows a layer of minilm"),
        ((), "--live installs two packages with npm, which was not found"),
    ],
)
def test_what_the_live_page_lacks_is_said_before_any_work(
    words, said, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(live, "of_extra", lambda *_: None)
    monkeypatch.setattr(live.shutil, "which", lambda _: None)
    with pytest.raises(SystemExit) as left:
        main(["site", "--live", *words, "--out", str(tmp_path / "site")])
    assert left.value.code == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
