"""The steps of the tour as data: what each is called and which page of the app goes further."""

from dataclasses import dataclass

__all__ = ["CONTENTS", "Chapter"]


@dataclass(frozen=True)
class Chapter:
    """One step before anything is computed.

    Attributes:
        name: Its short name, of letters only.
        title: Its heading.
        page: The page of the app that goes further.
    """

    name: str
    title: str
    page: str


CONTENTS = (
    Chapter("sharing", "Words shared, or meaning?", "lexical"),
    Chapter("random", "Do any two sentences look alike?", "sentences"),
    Chapter("cone", "Is there a cone?", "wall"),
    Chapter("frequency", "Does frequency write itself into the vectors?", "words"),
    Chapter("opening", "What opens the cone?", "calibrate"),
    Chapter("gain", "Does it agree better with people?", "significance"),
    Chapter("meaning", "Does cosine follow the words?", "lexical"),
    Chapter("flow", "Inside the flow", "inside"),
    Chapter("layer", "Which layer?", "layers"),
    Chapter("last", "To calibrate, or not?", "advice"),
)
"""In the order of the tour."""
