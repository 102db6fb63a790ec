"""From a table of one's own to a model that any program loads, with the numbers of the page."""

import io
import zipfile

import numpy as np
import pytest
from lab_pages import go, press, sees, table_with, upload, wait_until_stopped
from scipy.stats import spearmanr

from bertflow_core.datasets import load_pairs


def table(pairs) -> bytes:
    rows = zip(pairs.first, pairs.second, pairs.gold, strict=True)
    return "\n".join(
        ["sentence1\tsentence2\tscore", *("\t".join(map(str, r)) for r in rows)]
    ).encode()


def test_a_table_leaves_as_a_model_that_scores_what_the_page_says(visit, minilm, tmp_path):
    the_whole_way(visit("/"), minilm, tmp_path)


def the_whole_way(page, minilm, folder):
    """Upload, verdict, compare, take home, load: by the pages alone."""
    pairs = load_pairs("captions", split="test")
    go(page, "data")
    upload(page, "mine.tsv", table(pairs))
    go(page, "advice")
    sees(page, "plain output")
    wait_until_stopped(page)
    go(page, "compare")
    wait_until_stopped(page)
    rows = table_with(page, "round trip", 5)
    scores = {(row[0], row[1]): row[2].split()[0] for row in rows}

    go(page, "take_home")
    wait_until_stopped(page)
    plain, _, taken = table_with(page, "Random cosine", 3)
    assert plain[3] == scores["minilm plain output", "identity"]
    assert taken[3] == scores["minilm layer:4", "flow"]
    page.get_by_text("Take it all the same").click()
    press(page, "Encoder with flow as one model")
    with page.expect_download() as found:
        page.get_by_role("button", name="model.zip").click()
    with zipfile.ZipFile(io.BytesIO(found.value.path().read_bytes())) as archive:
        archive.extractall(folder)
    assert score(minilm, pairs) == pytest.approx(float(plain[3]), abs=0.01)
    assert score(folder / "model", pairs) == pytest.approx(float(taken[3]), abs=0.01)


def score(folder, pairs) -> float:
    """Return 100 rho of the cosines of an exported model, as anybody would measure it."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    first, second = (
        model.encode(list(side), normalize_embeddings=True) for side in (pairs.first, pairs.second)
    )
    return 100 * spearmanr(np.sum(first * second, axis=1), pairs.gold).statistic
