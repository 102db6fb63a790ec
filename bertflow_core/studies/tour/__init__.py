"""The guided tour: questions about a space; `steps.toml` declares which study answers each."""

from bertflow_core.studies.tour.steps import CONTENTS, Chapter

__all__ = ["CONTENTS", "Chapter"]
