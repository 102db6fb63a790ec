"""The guided tour: questions about a space, answered from its numbers; `questions/` holds them."""

from bertflow_core.studies.tour.chapters import CONTENTS, Chapter

__all__ = ["CONTENTS", "Chapter"]
