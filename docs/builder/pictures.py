"""Pictures of calibrators: the same cloud on the plane before and after each, as SVG."""

import numpy as np
from numpy.typing import NDArray

from bertflow_core.calibrators import build_calibrator

__all__ = ["before_and_after", "cloud"]

N, SIZE, MARGIN = 400, 300, 26
_LOW, _HIGH = np.array([68, 1, 84]), np.array([94, 201, 98])  # two ends of viridis


def cloud() -> NDArray[np.float64]:
    """Return points far from the origin, of unequal spread and skewed, shape (N, 2)."""
    rng = np.random.default_rng(0)
    long, short = rng.gamma(2.0, 1.0, N), rng.normal(0.0, 0.45, N)
    return np.column_stack([3.0 + long + 0.2 * short, 2.0 + 0.6 * long + short])


def before_and_after(spec: str) -> str:
    """Draw the cloud and what a calibrator fitted on it makes of it.

    Each point keeps its colour, by its place along the cloud. Both panes show the origin as a cross
    and have one scale for both axes.
    """
    x = cloud()
    z = build_calibrator(spec, seed=0, device="cpu").fit(x).transform(x)
    if z.shape[1] == 1:
        z = np.column_stack([z, np.zeros(len(z))])
    share = np.argsort(np.argsort(x[:, 0])) / (N - 1)
    shades = np.rint(_LOW + share[:, None] * (_HIGH - _LOW)).astype(np.uint8)
    colours = [f"#{bytes(shade).hex()}" for shade in shades]
    panes = "".join(
        _pane(points, colours, title, left)
        for points, title, left in ((x, "before", 0), (z, "after", SIZE))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * SIZE} {SIZE}" '
        f'role="img" aria-label="The same points before and after {spec}">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{panes}</svg>\n'
    )


def _pane(points: NDArray[np.float64], colours: list[str], title: str, left: int) -> str:
    """Draw points, shape (N, 2), with the origin in a square."""
    ends = np.vstack([points, np.zeros(2)])
    low, high = ends.min(axis=0), ends.max(axis=0)
    scale = (SIZE - 2 * MARGIN) / max((high - low).max(), 1e-9)
    middle = (low + high) / 2

    def place(point: NDArray[np.float64]) -> tuple[float, float]:
        across, up = (point - middle) * scale
        return left + SIZE / 2 + float(across), SIZE / 2 - float(up)

    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.2" fill="{colour}" fill-opacity="0.75"/>'
        for (a, b), colour in zip(map(place, points), colours, strict=True)
    )
    a, b = place(np.zeros(2))
    cross = (
        f'<path d="M{a - 7:.1f} {b:.1f}h14M{a:.1f} {b - 7:.1f}v14" stroke="#d55e00" '
        'stroke-width="2" fill="none"/>'
    )
    label = f'<text x="{left + 8}" y="18" font-family="sans-serif" font-size="13">{title}</text>'
    return f"{dots}{cross}{label}"
