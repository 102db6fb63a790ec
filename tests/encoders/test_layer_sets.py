"""Layer sets and token poolings worked out by hand; a fast pass, of lower layers alone too."""

import numpy as np
import pytest
import torch
from tiny_models import FAMILIES, save_tiny_model

from bertflow_core.encoders import LayerSet, TokenPooling
from bertflow_core.encoders.forward import use_onednn
from bertflow_core.encoders.layers import POOLINGS, pool_tokens
from bertflow_core.errors import InputError


@pytest.mark.parametrize(
    ("name", "n_layers", "indices"),
    [
        ("last", 12, (12,)),
        ("last2", 12, (11, 12)),
        ("first-last", 12, (1, 12)),  # what ran under the name avg-last-2, not (0, 12)
        ("layer:0", 12, (0,)),
        ("last2", 1, (0, 1)),
        ("first-last", 1, (1, 1)),
        ("layer:100", 100, (100,)),
    ],
)
def test_a_layer_set_names_these_hidden_states(name, n_layers, indices):
    assert LayerSet(name).indices(n_layers) == indices


def test_what_there_is_not_is_refused_with_what_there_is():
    with pytest.raises(InputError, match=r"layer:13.*0 \(the embedding output\) to 12"):
        LayerSet("layer:13").indices(12)
    for name in ("", "Last", "last\n", "layer:", "layer:-1", "layer:1000", "layer:04", "layer:²"):
        with pytest.raises(InputError, match="expected model, last, last2, first-last or layer:k"):
            LayerSet(name)
    with pytest.raises(InputError, match=r"'median'.*'mean', 'cls', 'max', 'last'"):
        TokenPooling.parse("median")


BY_HAND = {
    "mean": lambda h: h.mean(0),
    "cls": lambda h: h[0],
    "max": lambda h: h.max(0),
    "last": lambda h: h[-1],
}
"""Of token vectors (T, D)."""


@pytest.mark.parametrize("pooling", POOLINGS)
def test_a_pooling_is_what_it_is_by_hand_and_summed_in_float32(pooling):
    for n_tokens in (1, 2, 7, 4096):
        hidden = torch.randn(3, n_tokens, 5, generator=torch.Generator().manual_seed(1)) - 2
        hidden = hidden.to(torch.bfloat16)
        before, x = hidden.clone(), pool_tokens(hidden, pooling)
        assert torch.equal(hidden, before)
        assert x.dtype == torch.float32
        expected = [BY_HAND[pooling](h) for h in hidden.double().numpy()]
        np.testing.assert_allclose(x.numpy(), expected, rtol=0, atol=1e-5)


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
        np.testing.assert_array_equal(of_kinds(encoder, kinds), [whole[kind] for kind in kinds])
    np.testing.assert_array_equal(of_kinds(encoder, ["layer.3.cls"])[0], whole["layer.3.cls"])
    ran = []
    top = next(m for m in loaded[0].modules() if type(m).__name__ == "ModuleList")[-1]
    top.register_forward_hook(lambda *_: ran.append(1))
    of_kinds(encoder, ("layer.1.mean",))
    assert bool(ran) == (family in WITHOUT_EXIT)


@pytest.mark.parametrize("has_bias", [True, False])
@pytest.mark.parametrize("shape", [(7,), (5, 7), (64, 9, 7)])
def test_a_linear_layer_is_the_product_of_numpy(shape, has_bias):
    torch.manual_seed(0)
    layer, x = torch.nn.Linear(7, 11, bias=has_bias).requires_grad_(False), torch.randn(shape)
    bias = layer.bias.double().numpy() if has_bias else 0
    expected = x.double().numpy() @ layer.weight.double().numpy().T + bias
    use_onednn(torch.nn.Sequential(layer))
    with torch.inference_mode():
        np.testing.assert_allclose(layer(x).numpy(), expected, rtol=0, atol=1e-5)
    assert ("forward" in vars(layer)) == torch.backends.mkldnn.is_available()
