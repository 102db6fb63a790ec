"""A page for each calibrator: formula, picture, parameters and what its class says."""

from collections.abc import Iterable

from pictures import before_and_after

from bertflow_core.calibrators import CALIBRATORS, Described
from bertflow_core.calibrators.registry import plain_name
from bertflow_core.params import Parameter, as_text

__all__ = ["FORMULAS", "PICTURED", "pages", "parameter_table"]

FORMULAS = {
    "identity": (r"z = x", "Embeddings as they are."),
    "standardize": (
        r"z_j = \frac{x_j - \mu_j}{\sigma_j}",
        "Mean $\\mu_j$ and standard deviation $\\sigma_j$ of each feature.",
    ),
    "null-top-k": (
        r"z = (I - U_k U_k^\top)(x - \mu)",
        "$U_k$: the $k$ eigenvectors of the covariance with the largest eigenvalues.",
    ),
    "all-but-the-top": (
        r"z = (I - U_k U_k^\top)(x - \mu), \qquad k = \max(1, \operatorname{round}(D / 100))",
        "As `null-top-k`, with the rule of its authors for $k$.",
    ),
    "common-component": (
        r"z = (I - V_k V_k^\top)\, x",
        "$V_k$: leading right singular vectors of the embeddings, which are not centred.",
    ),
    "whiten": (
        r"z = \Lambda_n^{-1/2} U_n^\top (x - \mu), \qquad "
        r"(1 - s)\, C + s \frac{\operatorname{tr} C}{D} I = U \Lambda U^\top",
        "$C$ is the covariance, $n$ the directions that are kept, $s$ the shrinkage (0).",
    ),
    "soft-whiten": (
        r"z = U (\Lambda + \varepsilon \bar\lambda I)^{-p/2} U^\top (x - \mu)",
        "$\\bar\\lambda$ is the mean eigenvalue; power $p$ from 0 (centre) to 1 (whiten).",
    ),
    "ledoit-wolf": (
        r"z = \Lambda^{-1/2} U^\top (x - \mu), \qquad "
        r"(1 - s)\, S + s \frac{\operatorname{tr} S}{D} I = U \Lambda U^\top, \quad "
        r"s = \min(b^2, d^2) / d^2",
        "The shrinkage $s$ comes from the data: $d^2$ is the squared distance of $S$ to its "
        "target, $b^2$ the error of $S$.",
    ),
    "gaussianize": (
        r"z_j = \Phi^{-1}\big(\hat F_j(x_j)\big)",
        "$\\hat F_j$ is the feature's distribution, by its quantiles; $\\Phi$ is the normal's.",
    ),
    "rbig": (
        r"z = R_L\, g_L\big( \cdots R_2\, g_2( R_1\, g_1(x)) \big)",
        "$g_l$ makes each feature normal, as `gaussianize` does; $R_l$ is a rotation.",
    ),
    "flow": (
        r"\max_f \sum_i \log N\big(f(x_i); 0, I\big) "
        r"+ \log \left| \det \frac{\partial f}{\partial x}(x_i) \right|, \qquad "
        r"y_{1:d} = x_{1:d}, \quad y_{d+1:D} = x_{d+1:D} + g_\psi(x_{1:d})",
        "Equations 4 to 6 of the paper: $f$ chains ActNorm, permutation and additive coupling.",
    ),
    "realnvp": (
        r"y_1 = x_1, \quad y_2 = x_2 \odot e^{s(x_1)} + t(x_1)",
        "Affine couplings on standardized embeddings, fitted as the flow is.",
    ),
    "spline-flow": (
        r"y_1 = x_1, \quad y_{2,j} = \operatorname{RQS}\big(x_{2,j}; \theta_j(x_1)\big)",
        "RQS is an increasing rational-quadratic spline of 8 bins, whose knots a network gives.",
    ),
    "maf": (
        r"y_j = x_j\, e^{s_j(x_{<j})} + t_j(x_{<j})",
        "Each feature is scaled and shifted by what the features before it say.",
    ),
}
"""Of each calibrator, its formula in LaTeX and what its letters mean."""

PICTURED = {"flow": "flow:epochs=60", **{name: f"{name}:epochs=60" for name in
            ("realnvp", "spline-flow", "maf")}}  # fmt: skip
"""What is drawn where the plain name would take few steps: a page has 400 points, not 17,000."""


def pages() -> dict[str, str]:
    """Return the page and the picture of each calibrator, and the list of them, by file name."""
    made = {"methods/index.md": _index()}
    for info in CALIBRATORS.values():
        made[f"methods/{info.name}.md"] = _page(info)
        made[f"methods/{info.name}.svg"] = before_and_after(PICTURED.get(info.name, info.name))
    return made


def _index() -> str:
    names = "\n".join(CALIBRATORS)
    rows = "".join(
        f"| [`{info.name}`]({info.name}.md) | {plain_name(info.name)} | {info.source} |\n"
        for info in CALIBRATORS.values()
    )
    return (
        "# Methods\n\nWhat each calibrator does, with its formula, a picture, its parameters "
        "and its source. A plus sign joins them, as in `standardize+null-top-k:k=6`.\n\n"
        f"| name | what it does | source |\n|---|---|---|\n{rows}\n"
        f"```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    )


def _page(info: type[Described]) -> str:
    formula, letters = FORMULAS.get(info.name, (rf"\text{{{info.formula}}}", ""))
    drawn = PICTURED.get(info.name, info.name)
    source = f"[{info.source}]({info.url})" if info.url else info.source
    name, plain = info.__name__, plain_name(info.name)
    return f"""# {info.name}

{plain[:1].upper()}{plain[1:]}.

$$
{formula}
$$

{letters}

![Points before and after]({info.name}.svg)

400 points on the plane before and after `{drawn}` was fitted on them. The cross is the origin; a
point keeps its colour.

|  |  |
|---|---|
| source | {source} |
| invertible | {info.invertible} |
| log-density | {info.density} |

{_parameters(info)}
## In Python

```{{eval-rst}}
.. autoclass:: bertflow_core.calibrators.{name}
```
"""


def _parameters(info: type[Described]) -> str:
    if not info.parameters():
        return "It has no parameters.\n"
    presets = "".join(f"- `{info.name}:preset={each.name}`: {each.help}\n" for each in info.presets)
    more = f"\nPresets:\n\n{presets}" if presets else ""
    return (
        f"## Parameters\n\n`{info.name}:name=value,name=value` in a spec.\n\n"
        f"{parameter_table(info.parameters())}{more}"
    )


def parameter_table(parameters: Iterable[Parameter]) -> str:
    """Return a table of parameters with their defaults, helps and valid values."""
    return "| name | default | what it is | values |\n|---|---|---|---|\n" + "".join(
        f"| `{each.name}` | {'none' if each.default is None else as_text(each.default)} "
        f"| {each.help} | {each.expected} |\n"
        for each in parameters
    )
