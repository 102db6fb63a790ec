"""The table of contents: what the tour asks, in two acts. Its answers are in `questions/`."""

from dataclasses import dataclass

__all__ = ["ACTS", "CONTENTS", "Chapter"]

ACTS = (
    "Act one: what calibration does to natural text",
    "Act two: where it fails",
)


@dataclass(frozen=True)
class Chapter:
    """A step before anything is computed.

    Attributes:
        name: Letters only.
        title: Its heading.
        page: The page of the app with more on the topic.
        act: 1 or 2.
    """

    name: str
    title: str
    page: str
    act: int = 1


CONTENTS = (
    Chapter("words", "Shared words or shared meaning?", "lexical"),
    Chapter("random", "How similar are two random sentences?", "sentences"),
    Chapter("cone", "What is the cone?", "wall"),
    Chapter("frequency", "Does a vector tell how frequent a word is?", "words"),
    Chapter("holes", "Is there empty space between the sentences?", "sentences"),
    Chapter("calibrators", "What does each calibrator remove?", "calibrate"),
    Chapter("flow", "What does a flow do, layer by layer?", "inside"),
    Chapter("agreement", "Does cosine then agree better with people?", "significance"),
    Chapter("edits", "Does cosine follow shared words less closely?", "lexical"),
    Chapter("negation", "Can calibration add what the encoder missed?", "ledger", 2),
    Chapter("few", "How many sentences does a calibrator need?", "knobs", 2),
    Chapter("layer", "Would another layer do better?", "layers", 2),
    Chapter("last", "Should an encoder's output be calibrated?", "advice", 2),
)
"""In the order of the tour."""
