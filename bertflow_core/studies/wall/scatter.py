"""A scatter plot of the rows of a wall: a projection of a space, or two measurements."""

from dataclasses import dataclass, field

from bertflow_core.linalg import FloatArray

__all__ = ["Scatter"]


@dataclass(frozen=True, eq=False)
class Scatter:
    """One scatter plot.

    Attributes:
        name: What is shown, such as the calibrator.
        badge: The space that distances are measured in.
        axes: A title per axis, two or three.
        coordinates: Where the rows are, shape (N, 2) or (N, 3), finite.
        equal_scale: Whether a unit is as long along every axis, as distances in a projection need.
            Off, for axes of different units, each fills the plot and shows its ends.
    """

    name: str
    badge: str
    axes: tuple[str, ...]
    coordinates: FloatArray = field(repr=False)
    equal_scale: bool = True
