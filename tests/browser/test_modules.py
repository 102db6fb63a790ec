"""The modules of app/browser in one page: every case of unit/**/*.js, and the flow that is trained.

That is held against the core's with the same parameters and points.
"""

import math
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
import torch
from project_tree import ROOT

from bertflow_core.analysis.isotropy import directions
from bertflow_core.flows import Flow, GlowConfig
from bertflow_core.flows.fit import AdamW
from bertflow_core.flows.rows import trace
from bertflow_core.flows.transforms import CouplingNetwork, Transform
from bertflow_core.studies.depth.spheres import stored_depth

UNIT = Path(__file__).parent / "unit"
HARNESS = UNIT / "harness.js"
FILES = [str(path.relative_to(UNIT)) for path in sorted(UNIT.glob("*/*.js"))]
CASES = "async ([harness, path]) => (await import(harness)).outcomesOf(path)"
DEPTH, WIDTH, LR, N_STEPS = 3, 8, 3e-3, 3
ORDER = [0, 1, 2, 7, 8, 3, 9, 10, 4, 5, 6]
"""Where the core has what a step in the browser has: of ActNorm, of each linear layer in turn."""
RUN = """
async ({ architecture, start, points, lr, nSteps }) => {
  const { Flow, jacobian } = await import("/app/browser/flow/flow.js");
  const { adam } = await import("/app/browser/flow/fit.js");
  const x = Float64Array.from(points);
  const flow = new Flow({ ...architecture, seed: 0 });
  const copied = (arrays) => arrays.map((each) => [...each]);
  const take = (values) => flow.parameters.forEach((each, i) => each.set(values[i]));
  take(start);
  flow.initialize(x);
  const initialized = copied(flow.parameters);
  const move = adam(flow, lr);
  const losses = [];
  for (let step = 0; step < nSteps; step++) {
    losses.push(flow.loss(x));
    move();
  }
  const { states, ladj } = flow.trace(x);
  return {
    initialized, losses, last: copied(flow.gradients), fitted: copied(flow.parameters),
    states: copied(states), ladj: copied(ladj), logProb: [...flow.logProb(x)],
    back: copied(flow.back(states.at(-1))),
    jacobian: flow.layers.map((layer, l) => jacobian(layer, [...states[l].subarray(0, 2)])),
  };
}
"""
LAYERS = """
async (states) => {
  const { Journey } = await import("/app/browser/depth/journey.js");
  const data = await (await fetch("/data/results/depth-spheres.json")).json();
  const journey = new Journey(data);
  return states.map(({ out, ...state }) => journey.scores({ out: new Set(out), ...state }));
}
"""
AROUND = """
async ({ gram, before }) => {
  const { aroundMean } = await import("/app/browser/depth/space.js");
  const found = aroundMean(Float64Array.from(gram), Float64Array.from(before));
  return { ...found, flat: [...found.flat] };
}
"""
STATES = {
    "rho": ((), False, False),
    "rho_centred": ((), True, False),
    "rho_dropped": ((0, 1), True, False),
    "rho_after_first": ((), False, True),
    "rho_after_first_centred": ((), True, True),
    "rho_after_first_dropped": ((0, 1), True, True),
}
"""What is left out for each score of the study `depth`: coordinates, mean, first token."""
COSINES = {
    "mean_cosine": ((), False, False),
    "cosine_after_first": ((), False, True),
    "cosine_dropped": ((0, 1), False, False),
}
OF_A_SAMPLE = 0.015
"""The browser has the mean cosine of 120 sentences, the study that of all."""


@pytest.fixture(scope="module")
def modules(browser):
    """A page in which `import("/app/browser/...")` answers from the source tree."""

    def answer(route):
        path = ROOT / urlsplit(route.request.url).path.lstrip("/")
        if path.is_file():
            route.fulfill(path=path)
        else:
            route.fulfill(body="", content_type="text/html")

    page = browser.new_page()
    page.route("**/*", answer)
    page.goto("http://modules.test/")
    return page


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_holds(modules, name):
    addresses = [f"/{path.relative_to(ROOT)}" for path in (HARNESS, UNIT / name)]
    outcomes = modules.evaluate(CASES, addresses)
    assert outcomes
    assert {case: error for case, error in outcomes.items() if error} == {}


class AffineCoupling(Transform):
    """Glow, Table 1, as its released code has it: y2 = (x2 + t) sigmoid(s + 2), (t, s) = g(x1)."""

    name = "affine coupling"

    def __init__(self, generator):
        super().__init__()
        self.network = CouplingNetwork(1, 2, WIDTH, generator, random_start=False)

    def forward(self, x):
        shift, s = self.network(x[:, :1]).chunk(2, dim=1)
        log_scale = torch.nn.functional.logsigmoid(s + 2)
        return torch.cat([x[:, :1], (x[:, 1:] + shift) * log_scale.exp()], 1), log_scale.sum(1)

    def inverse(self, z):
        raise NotImplementedError

    @torch.no_grad()
    def initialize(self, x):
        self.network.initialize(x[:, :1])
        return self.forward(x)[0]


def trained(coupling):
    """Return what the core makes of points that no axis divides and of a start, and both."""
    rng = np.random.default_rng(3)
    angle = rng.uniform(0, np.pi, 40)
    around = [2 + np.cos(angle), 3 * np.sin(angle) + rng.normal(0, 0.1, 40)]
    x = torch.from_numpy(np.stack(around, axis=1))
    flow = Flow(2, GlowConfig(1, DEPTH, WIDTH, "reversal"), seed=1)
    if coupling == "affine":
        draws = torch.Generator().manual_seed(1)
        for step in range(DEPTH):
            flow.levels[0][3 * step + 2] = AffineCoupling(draws)
    flow.double()
    generator = torch.Generator().manual_seed(2)
    for value in flow.parameters():  # nothing is zero, so that no gradient is
        value.data += 0.3 * torch.randn(value.shape, generator=generator, dtype=torch.float64)
    start = numbers(flow.parameters())
    flow.initialize(x)
    initialized = numbers(flow.parameters())
    optimizer = AdamW(flow.parameters(), learning_rate=LR, weight_decay=0.0, bias_correction=True)
    losses = []
    for _ in range(N_STEPS):
        loss = -flow.log_prob(x).mean() / (2 * math.log(2))
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        last = numbers(value.grad for value in flow.parameters())
        optimizer.step()
        losses.append(loss.item())
    return flow, x, start, {"initialized": initialized, "last": last, "losses": losses}


def numbers(tensors):
    """Return a flow's parameters, or what belongs to each, in the order of the browser's."""
    every = [tensor.detach().ravel().tolist() for tensor in tensors]
    steps = np.arange(len(every)).reshape(DEPTH, -1)
    return [every[i] for i in steps[:, ORDER].ravel()]


@pytest.mark.parametrize("coupling", ["additive", "affine"])
def test_the_browser_takes_the_steps_of_the_core(modules, coupling):
    flow, x, start, expected = trained(coupling)
    got = modules.evaluate(
        RUN,
        {
            "architecture": {"depth": DEPTH, "width": WIDTH, "coupling": coupling},
            "start": start,
            "points": x.ravel().tolist(),
            "lr": LR,
            "nSteps": N_STEPS,
        },
    )
    for name, values in expected.items():
        for mine, core in zip(got[name], values, strict=True):
            np.testing.assert_allclose(mine, core, rtol=1e-8, atol=1e-10, err_msg=name)
    # From here on with the parameters that the browser ended with.
    for mine, core in zip(got["fitted"], numbers(flow.parameters()), strict=True):
        np.testing.assert_allclose(mine, core, rtol=1e-8, atol=1e-10)
    followed = trace(flow, x)
    n_layers = len(followed.names)
    np.testing.assert_allclose(
        np.reshape(got["states"], (n_layers + 1, -1, 2)), followed.states, atol=1e-9
    )
    np.testing.assert_allclose(got["ladj"], followed.ladj, atol=1e-9)
    np.testing.assert_allclose(got["logProb"], flow.log_prob(x).detach(), atol=1e-9)
    np.testing.assert_allclose(got["back"], got["states"], atol=1e-9)
    whole = np.eye(2)
    for rows in got["jacobian"]:
        whole = np.reshape(rows, (2, 2)) @ whole
    matrix = torch.autograd.functional.jacobian(lambda row: flow.to_latent(row[None])[0], x[0])
    np.testing.assert_allclose(whole, matrix, rtol=1e-7)
    if coupling == "additive":
        determinants = np.abs(np.linalg.det(np.reshape(got["jacobian"], (-1, 2, 2))))
        np.testing.assert_allclose(determinants[1::3], 1)
        np.testing.assert_allclose(determinants[2::3], 1)


def test_the_browser_leaves_out_what_the_study_left_out(modules):
    names = ("out", "isCentred", "isAfterFirst")
    asked = [
        dict(zip(names, state, strict=True)) for state in (*STATES.values(), *COSINES.values())
    ]
    found = modules.evaluate(LAYERS, asked)
    rows = stored_depth().report.rows
    for key, scores in zip(STATES, found, strict=False):
        got = [each["rho"] for each in scores]
        np.testing.assert_allclose(got, [row[key] for row in rows], atol=5e-4, err_msg=key)
    for key, scores in zip(COSINES, found[len(STATES) :], strict=True):
        got = [each["cosine"] for each in scores]
        expected = [row[key] for row in rows]
        np.testing.assert_allclose(got, expected, atol=OF_A_SAMPLE, err_msg=key)


def test_points_are_where_the_core_has_them_in_the_frame_of_the_layer_before(modules):
    rng = np.random.default_rng(4)
    x = rng.normal([3, 1, 0, 0, 0, 0], [1, 1, 4, 2.5, 0.3, 0.3], size=(60, 6))
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    core = directions(x)
    flat = (unit - np.outer(unit @ core.pole, core.pole)) @ core.axes.T
    turn = np.array([[np.cos(2), np.sin(2)], [np.sin(2), -np.cos(2)]])  # with a reflection
    before = flat @ turn + rng.normal(0, 0.01, flat.shape)
    asked = {"gram": (unit @ unit.T).ravel().tolist(), "before": before.ravel().tolist()}
    got = modules.evaluate(AROUND, asked)
    assert got["length"] == pytest.approx(core.mean_length)
    np.testing.assert_allclose(np.degrees(np.arccos(got["along"])), core.angles, atol=1e-5)
    np.testing.assert_allclose(np.reshape(got["flat"], (-1, 2)), flat @ turn, atol=0.02)
    u, _, v = np.linalg.svd(flat.T @ before)  # Procrustes by numpy
    np.testing.assert_allclose(np.reshape(got["flat"], (-1, 2)), flat @ (u @ v), atol=1e-3)
