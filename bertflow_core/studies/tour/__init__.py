"""The guided tour: ten questions to a space, answered from its own numbers."""

from bertflow_core.studies.tour.step import CONTENTS, Chapter

__all__ = ["CONTENTS", "Chapter"]
