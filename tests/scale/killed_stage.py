"""A stage that kills its worker, in a module that workers can import."""

import os
import signal
from pathlib import Path
from typing import Any

from bertflow_core.scale import Calibrate

__all__ = ["KilledOnce"]


class KilledOnce(Calibrate):
    """Its worker is killed at the first batch that comes while there is no mark."""

    mark: Path

    def __call__(self, batch: Any) -> Any:
        if not self.mark.exists():
            self.mark.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(batch)
