"""Lower layers alone: the same vectors, bit by bit, without the work of the upper ones."""

import numpy as np
import pytest
from tiny_models import OTHER_FAMILIES, save_tiny_model

FAMILIES = ("bert", "roberta", "distilbert", "mpnet", *OTHER_FAMILIES)
WITHOUT_EXIT = ("albert", "xlnet")
"""One uses a layer many times, the other hands its layers something else than token vectors."""
SENTENCES = ("a cat", "the cat sat on the mat.", "big dog!", "zebra", "mat")


def of_kinds(encoder, kinds):
    """Return vectors of some kinds in the sentences' own order, shape (K, N, D)."""
    blocks = list(encoder.encode_blocks(SENTENCES, kinds=kinds))
    order = np.argsort(np.concatenate([block.rows for block in blocks]))
    return np.concatenate([block.vectors for block in blocks], axis=1)[:, order]


@pytest.mark.parametrize("family", FAMILIES)
def test_lower_layers_alone_are_those_of_the_whole_pass_and_upper_ones_do_not_run(
    family, tmp_path, open_encoder, loaded
):
    encoder = open_encoder(save_tiny_model(tmp_path / family, family))
    whole = dict(zip(encoder.tensors, of_kinds(encoder, None), strict=True))
    for deepest in range(4):
        kinds = (f"layer.{deepest}.last", "layer.0.mean", f"layer.{deepest}.max")
        found = of_kinds(encoder, kinds)
        np.testing.assert_array_equal(found, [whole[kind] for kind in kinds])
    ran = []
    top = next(m for m in loaded[0].modules() if type(m).__name__ == "ModuleList")[-1]
    top.register_forward_hook(lambda *_: ran.append(1))
    of_kinds(encoder, ("layer.1.mean",))
    assert bool(ran) == (family in WITHOUT_EXIT)
