"""The guided tour: ten questions about a space, answered from its numbers."""

from bertflow_core.studies.tour.step import CONTENTS, Chapter

__all__ = ["CONTENTS", "Chapter"]
