"""What was measured of a newborn model; reading it needs no torch."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bertflow_core.analysis.contexts import Decomposition
from bertflow_core.report import Report
from bertflow_core.studies.cone import cone
from bertflow_core.studies.newborn.equation import Equation
from bertflow_core.studies.newborn.recording import Recording

__all__ = ["Newborn", "Scored"]


@dataclass(frozen=True)
class Scored:
    """A calibrator's numbers on sentences of the model before its training.

    Attributes:
        spec: The calibrator.
        rho: Spearman's rho of cosine with gold; None where it is undefined.
        random_cosine: Mean cosine of 10,000 random pairs.
    """

    spec: str
    rho: float | None
    random_cosine: float


@dataclass(frozen=True)
class Newborn:
    """All that was measured.

    Attributes:
        recording: The training.
        cone: Sentences of the trained model under each calibrator.
        untrained: The same calibrators before the first step, the control.
        equation: Eq. 3 in the trained model.
        decomposition_untrained: Eq. 3 before the first step.
    """

    recording: Recording
    cone: Report
    untrained: tuple[Scored, ...]
    equation: Equation
    decomposition_untrained: Decomposition

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` makes an equal one."""
        return {
            "recording": self.recording.to_dict(),
            "cone": self.cone.document(),
            "untrained": [asdict(each) for each in self.untrained],
            "equation": self.equation.to_dict(),
            "decomposition_untrained": self.decomposition_untrained.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Newborn":
        """Return what `to_dict` wrote; JSON's lists become tuples."""
        return cls(
            recording=Recording.from_dict(values["recording"]),
            cone=cone.read(values["cone"]),
            untrained=tuple(Scored(**each) for each in values["untrained"]),
            equation=Equation.from_dict(values["equation"]),
            decomposition_untrained=Decomposition.from_dict(values["decomposition_untrained"]),
        )
