import hashlib
import re
from collections import Counter
from typing import NamedTuple

import pytest

from bertflow_core.files import resource

HEADER = ["id", "corner", "phenomenon", "score", "sentence1", "sentence2"]
SCORES = {
    "many-same": (3.5, 5.0),
    "many-different": (0.0, 2.5),
    "few-same": (3.5, 5.0),
    "few-different": (0.0, 2.5),
}
OVERLAPS = {
    "many-same": (0.5, 1.0),
    "many-different": (0.5, 1.0),
    "few-same": (0.0, 0.25),
    "few-different": (0.0, 0.25),
}
CORNERS = list(SCORES)


class Pair(NamedTuple):
    id: str
    corner: str
    phenomenon: str
    score: float
    sentence1: str
    sentence2: str


def fields() -> list[list[str]]:
    text = resource("teaching.tsv").read_bytes().decode("utf-8")
    assert text.endswith("\n")
    return [line.split("\t") for line in text.removesuffix("\n").split("\n")]


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return [Pair(r[0], r[1], r[2], float(r[3]), r[4], r[5]) for r in fields()[1:]]


@pytest.fixture(scope="module")
def readme() -> str:
    return resource("README.md").read_text(encoding="utf-8")


def overlap(pair: Pair) -> float:
    first, second = (set(re.findall(r"\w+", s.lower())) for s in pair[4:])
    return len(first & second) / len(first | second)


def test_the_file_is_plain_tab_separated_text() -> None:
    raw = resource("teaching.tsv").read_bytes()
    assert b"\r" not in raw
    assert b'"' not in raw
    assert not raw.startswith(b"\xef\xbb\xbf")
    rows = fields()
    assert rows[0] == HEADER
    assert {len(row) for row in rows} == {len(HEADER)}
    assert all(cell and cell == cell.strip() for row in rows for cell in row)


def test_there_are_enough_pairs_in_four_balanced_corners(pairs: list[Pair]) -> None:
    assert len(pairs) >= 320
    counts = Counter(p.corner for p in pairs)
    assert set(counts) == set(CORNERS)
    assert min(counts.values()) >= 80


def test_the_ids_count_up_and_the_corners_stay_together(pairs: list[Pair]) -> None:
    assert [p.id for p in pairs] == [f"t{i:03d}" for i in range(1, len(pairs) + 1)]
    assert [p.corner for p in pairs] == sorted((p.corner for p in pairs), key=CORNERS.index)


@pytest.mark.parametrize("corner", CORNERS)
def test_the_scores_of_a_corner_lie_in_its_range(pairs: list[Pair], corner: str) -> None:
    low, high = SCORES[corner]
    assert [p for p in pairs if p.corner == corner and not low <= p.score <= high] == []


@pytest.mark.parametrize("corner", CORNERS)
def test_the_scores_of_a_corner_vary(pairs: list[Pair], corner: str) -> None:
    counts = Counter(p.score for p in pairs if p.corner == corner)
    assert len(counts) >= 6
    assert max(counts.values()) <= 0.45 * counts.total()


@pytest.mark.parametrize("corner", CORNERS)
def test_the_word_overlap_is_true_to_the_corner(pairs: list[Pair], corner: str) -> None:
    low, high = OVERLAPS[corner]
    assert [p for p in pairs if p.corner == corner and not low <= overlap(p) <= high] == []


def test_no_pair_comes_twice_and_no_sentence_too_often(pairs: list[Pair]) -> None:
    texts = [(p.sentence1.lower(), p.sentence2.lower()) for p in pairs]
    assert all(first != second for first, second in texts)
    assert max(Counter(frozenset(text) for text in texts).values()) == 1
    assert max(Counter(s for text in texts for s in text).values()) <= 2


def test_sentences_are_short_and_complete(pairs: list[Pair]) -> None:
    sentences = [s for p in pairs for s in (p.sentence1, p.sentence2)]
    assert [s for s in sentences if not 4 <= len(s.split()) <= 25] == []
    assert [s for s in sentences if not s[0].isupper() or s[-1] not in ".?"] == []
    assert [s for s in sentences if "  " in s] == []


def test_phenomena_are_a_few_short_tags(pairs: list[Pair]) -> None:
    tags = {p.phenomenon for p in pairs}
    assert 12 <= len(tags) <= 25
    assert [t for t in tags if not re.fullmatch(r"[a-z]+(-[a-z]+)*", t)] == []


def test_the_readme_states_the_hash(readme: str) -> None:
    digest = hashlib.sha256(resource("teaching.tsv").read_bytes()).hexdigest()
    assert re.findall(r"\b[0-9a-f]{64}\b", readme) == [digest]


def test_the_readme_states_the_counts(pairs: list[Pair], readme: str) -> None:
    stated = {tag: int(n) for tag, n in re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", readme, re.M)}
    counted = Counter(p.corner for p in pairs) + Counter(p.phenomenon for p in pairs)
    assert stated == dict(counted)
    assert f"Total: {len(pairs)} pairs." in readme


def test_the_readme_names_the_pair_quoted_from_the_paper(pairs: list[Pair], readme: str) -> None:
    quoted = [p for p in pairs if p.sentence1 == "I like this restaurant."]
    assert [p.sentence2 for p in quoted] == ["I dislike this restaurant."]
    assert f"Pair `{quoted[0].id}`" in readme
