"""Networks of every family: mean-pooled where nothing is declared, and passed as far as needed."""

import numpy as np
import pytest
from tiny_models import FAMILIES, MAX_TOKENS

from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.declared_folder import open_declared

WITHOUT_EXIT = ("albert", "xlnet")
"""One uses a layer many times, the other hands its layers something else than token vectors."""
SENTENCES = ["a cat", "the cat sat on the mat.", "big dog!", "zebra", "mat"]


@pytest.fixture(scope="module", params=FAMILIES)
def encoder(request, tiny_folder) -> TransformerEncoder:
    return TransformerEncoder(tiny_folder(request.param), max_length=MAX_TOKENS, device="cpu")


def of_kinds(encoder, kinds):
    """Return vectors of some kinds in the sentences' own order, shape (K, N, D)."""
    blocks = list(encoder.encode_blocks(SENTENCES, kinds=kinds))
    order = np.argsort(np.concatenate([block.rows for block in blocks]))
    return np.concatenate([block.vectors for block in blocks], axis=1)[:, order]


def test_lower_layers_alone_are_those_of_the_whole_pass_and_upper_ones_do_not_run(encoder, loaded):
    whole = dict(zip(encoder.tensors, of_kinds(encoder, None), strict=True))
    for deepest in range(4):
        kinds = (f"layer.{deepest}.last", "layer.0.mean", f"layer.{deepest}.max")
        np.testing.assert_array_equal(of_kinds(encoder, kinds), [whole[kind] for kind in kinds])
    np.testing.assert_array_equal(of_kinds(encoder, ["layer.3.cls"])[0], whole["layer.3.cls"])
    ran = []
    top = next(m for m in loaded[0].modules() if type(m).__name__ == "ModuleList")[-1]
    top.register_forward_hook(lambda *_: ran.append(1))
    of_kinds(encoder, ("layer.1.mean",))
    assert bool(ran) == (encoder.model.config["model_type"] in WITHOUT_EXIT)


def test_a_folder_that_declares_nothing_is_mean_pooled_whatever_its_family(encoder):
    from sentence_transformers import SentenceTransformer

    mean = encoder.encode(SENTENCES).vectors[3, 0]
    declared = open_declared(resolve_model(str(encoder.model.path)))
    found = DeclaredEncoder(declared, device="cpu").encode(SENTENCES).vectors[0]
    np.testing.assert_allclose(found, mean, rtol=1e-4, atol=1e-4)
    expected = SentenceTransformer(str(encoder.model.path), device="cpu").encode(SENTENCES)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-4)
